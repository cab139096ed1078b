"""What is known of what stands at an offset: findings and their rules, venues, sections, links, entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.errors import RuleError
from shelfread.document.model import Citation, Document, Entry, EntryIndex
from shelfread.index.context import RuleContext
from shelfread.index.placement.section_model import SURE, SectionModel, learn
from shelfread.report.rendering import code, escape
from shelfread.rulebook.metadata import RuleMetadata, read_prose
from shelfread.server.cross_references import other_listings, target_at
from shelfread.server.descriptions import describe_entry, describe_section
from shelfread.server.under_cursor import holds, link_at, section_at
from shelfread.taxonomy.vocabulary import Venue, Vocabulary, Years

_RULE = "\n\n---\n\n"
_MOST_RULES = 3
_MOST_ALIASES = 15


class Description(NamedTuple):
    """Markdown for people, and the span that it is about."""

    text: str
    span: Span


def hover(
    document: Document,
    context: RuleContext,
    findings: Sequence[Diagnostic],
    rules: Mapping[str, RuleMetadata],
    offset: int,
) -> Description | None:
    """Return what is known of what stands at an offset; `findings` are those in the document.

    Of a venue, a section, a link to an anchor and an entry the innermost is described, below it the rules of the
    findings there.
    """
    description = (
        _venue(document, context, offset)
        or _section(document, context, offset)
        or _anchor(document, context, offset)
        or _entry(document, context, offset)
    )
    here = [finding for finding in findings if holds(finding.span, offset) and finding.rule in rules]
    texts = [] if description is None else [description.text]
    for id in list(dict.fromkeys(finding.rule for finding in here))[:_MOST_RULES]:
        try:
            texts.append(_describe_rule(rules[id]))
        except RuleError:
            texts.append(f"**{escape(id)}**: {escape(rules[id].summary)}")
    if not texts:
        return None
    smallest = min((finding.span for finding in here), key=lambda span: span.end - span.start, default=None)
    span = smallest if description is None else description.span
    assert span is not None, "each text is about a span"
    return Description(_RULE.join(texts), span)


def _venue(document: Document, context: RuleContext, offset: int) -> Description | None:
    entry = EntryIndex(document.entries).around(Span(offset, offset))
    section = section_at(document, offset)
    citations: list[Citation | None] = [entry.citation if entry is not None else None]
    citations.append(section[1].citation if section is not None else None)
    for citation in citations:
        if citation is not None and citation.venue is not None:
            span = citation.name.span if citation.name is not None else citation.span
            if holds(span, offset):
                return Description(_describe_venue(citation.venue, context.vocabulary), span)
    return None


def _section(document: Document, context: RuleContext, offset: int) -> Description | None:
    titled = section_at(document, offset)
    if titled is None:
        return None
    index, section = titled
    return Description(describe_section(document, index, context.taxonomy), section.span)


def _anchor(document: Document, context: RuleContext, offset: int) -> Description | None:
    link = link_at(document, offset)
    target = target_at(document, context, offset) if link is not None else None
    if link is None or target is None or target.landmark is None:
        return None
    landmark = context.project.facts[target.page].landmarks[target.landmark]
    what = (
        f"The heading **{escape(landmark.text, 300)}**" if landmark.heading else "A tag with this id or name"
    )
    anchor = (context.project.anchors(target.page) or ())[target.landmark]
    where = "" if target.page == document.source.path else f" of {code(target.page)}"
    return Description(f"{what}{where}, anchor {code('#' + anchor)}", Span(link.start, link.end))


def _entry(document: Document, context: RuleContext, offset: int) -> Description | None:
    entry = EntryIndex(document.entries).around(Span(offset, offset))
    if entry is None:
        return None
    others = other_listings(entry, document, context.project)
    span = next(span for span in (entry.title_line, entry.span) if holds(span, offset))
    return Description(describe_entry(entry, document, context, others) + _belongs(entry, document), span)


def _belongs(entry: Entry, document: Document) -> str:
    """Return where an entry surely belongs by the others of its list, empty if that is its section or is not known."""
    place = next(iter(section_model(document).places_of(document.entries.index(entry), 1)), None)
    if place is None or place.share < SURE or place.section == entry.section:
        return ""
    words = f", because of {', '.join(map(escape, place.words))}" if place.words else ""
    return f"\n\nBelongs in **{escape(document.sections[place.section].title)}** ({100 * place.share:.0f} % sure{words})"


@lru_cache(maxsize=4)  # the last readings of a few open documents
def section_model(document: Document) -> SectionModel:
    """Return what a document says about its sections."""
    return learn(document)


def _describe_rule(rule: RuleMetadata) -> str:
    """Return a rule's id, severity, summary and reason as Markdown; raises RuleError if its page cannot be read.

    The page of a list's own rule is a stranger's, whose Markdown may load pictures: only its summary is shown.
    """
    head = f"**{escape(rule.id)}** ({rule.severity.label}): {escape(rule.summary)}"
    why = "" if rule.custom else _why(rule.page)
    return f"{head}\n\n{why}" if why else head


@lru_cache(maxsize=64)  # editors ask again with every move of the pointer
def _why(page: Path) -> str:
    _, _, after = read_prose(page).partition("\n## Why\n")
    return after.partition("\n## ")[0].strip()


def _describe_venue(venue: Venue, vocabulary: Vocabulary) -> str:
    name = f": {escape(venue.name)}" if venue.name and venue.name != venue.label else ""
    facts = "\n".join(f"- {fact}" for fact in _facts(venue, vocabulary))
    return f"**{escape(venue.label)}**{name}\n\n{facts}"


def _facts(venue: Venue, vocabulary: Vocabulary) -> Iterator[str]:
    yield f"Kind: {venue.kind}"
    aliases = [label for label in venue.labels if label not in (venue.label, venue.name)]
    if aliases:
        more = len(aliases) - _MOST_ALIASES
        shown = ", ".join(map(escape, aliases[:_MOST_ALIASES]))
        yield f"Also: {shown}" + (f" and {more} more" if more > 0 else "")
    for former in venue.names:
        yield f"Called {escape(former.label)}{_period(former.first, former.last)}"
    held = [_held(years) for years in venue.years if years != Years(None, None)]
    if held:
        yield f"Held {', '.join(held)}" + ("" if venue.confidence == "high" else " (not certain)")
    journal = vocabulary.venues.get(venue.published_in or "")
    if journal is not None:
        yield f"Published in {escape(journal.label)}"
    yield f"Id: {code(venue.id)}"


def _period(first: int | None, last: int | None) -> str:
    return (f" from {first}" if first else "") + (f" to {last}" if last else "")


def _held(years: Years) -> str:
    if years.first == years.last:
        return str(years.first)
    every = "every year" if years.step == 1 else f"every {years.step} years"
    return every + _period(years.first, years.last)
