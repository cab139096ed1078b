"""What is known of what stands at an offset: findings, venues, sections, links, entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.errors import RuleError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Citation, Document, EntryIndex
from shelfread.index.context import RuleContext
from shelfread.report.markdown_escape import code, escape
from shelfread.rulebook.metadata import RuleMetadata
from shelfread.server.features.definition import target_at
from shelfread.server.features.describe.entry import describe_entry
from shelfread.server.features.describe.rule import describe_rule
from shelfread.server.features.describe.section import describe_section
from shelfread.server.features.describe.venue import describe_venue
from shelfread.server.features.listings import other_listings
from shelfread.server.features.places import holds, link_at, section_at

_RULE = "\n\n---\n\n"
_MOST_RULES = 3


class Description(NamedTuple):
    """Markdown for people, and the span that it is about."""

    text: str
    span: Span


def hover(
    document: Document,
    context: RuleContext,
    found: Sequence[Diagnostic],
    rules: Mapping[str, RuleMetadata],
    offset: int,
) -> Description | None:
    """Return what is known of what stands at an offset; `found` are the findings in the document.

    Of a venue, a section, a link to an anchor and an entry the innermost is described, below it the rules of the
    findings there.
    """
    thing = _thing(document, context, offset)
    diagnostics = [each for each in found if holds(each.span, offset) and each.rule in rules]
    pages = list(_rules(diagnostics, rules))
    if thing is None and not pages:
        return None
    texts = [thing.text] if thing is not None else []
    span = thing.span if thing is not None else min((each.span for each in diagnostics), key=_length)
    return Description(_RULE.join([*texts, *pages]), span)


def _length(span: Span) -> int:
    return span.end - span.start


def _rules(diagnostics: Sequence[Diagnostic], rules: Mapping[str, RuleMetadata]) -> Iterator[str]:
    for id in list(dict.fromkeys(each.rule for each in diagnostics))[:_MOST_RULES]:
        try:
            yield describe_rule(rules[id])
        except RuleError:
            yield f"**{escape(id)}**: {escape(rules[id].summary)}"


def _thing(document: Document, context: RuleContext, offset: int) -> Description | None:
    return (
        _venue(document, context, offset)
        or _section(document, context, offset)
        or _anchor(document, context, offset)
        or _entry(document, context, offset)
    )


def _venue(document: Document, context: RuleContext, offset: int) -> Description | None:
    entry = EntryIndex(document.entries).around(Span(offset, offset))
    section = section_at(document, offset)
    citations: list[Citation | None] = [entry.citation if entry is not None else None]
    citations.append(section[1].citation if section is not None else None)
    for citation in citations:
        if citation is not None and citation.venue is not None:
            span = citation.name.span if citation.name is not None else citation.span
            if holds(span, offset):
                return Description(describe_venue(citation.venue, context.vocabulary), span)
    return None


def _section(document: Document, context: RuleContext, offset: int) -> Description | None:
    found = section_at(document, offset)
    if found is None:
        return None
    index, section = found
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
    index = next(index for index, each in enumerate(document.entries) if each is entry)
    others = other_listings(document.source.path or "", index, context.project)
    span = next(span for span in (entry.title_line, entry.span) if holds(span, offset))
    return Description(describe_entry(entry, document, context, others), span)
