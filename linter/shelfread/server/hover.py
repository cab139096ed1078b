"""What is known of what stands at an offset, as Markdown: findings and rules, venues, sections, links, entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.errors import RuleError
from shelfread.document.entry_data import citation_and_year, concept_id
from shelfread.document.heading_subjects import concept_of_section, resolve_section
from shelfread.document.model import Citation, Document, Entry, EntryIndex, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing
from shelfread.index.placement.section_model import SURE, learn
from shelfread.report.rendering import code, escape, link
from shelfread.rulebook.metadata import RuleMetadata, read_prose
from shelfread.server.cross_references import other_listings, target_at
from shelfread.server.under_cursor import holds, link_at, section_at
from shelfread.taxonomy.concept import Concept, Label
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Venue, Vocabulary, Years

_MOST_PEOPLE = 12
_MOST_LINKS = 20
_LONGEST = 300
_IDENTIFIERS: Mapping[str, str] = {
    "doi": "DOI",
    "arxiv": "arXiv",
    "github": "GitHub",
    "acl": "ACL Anthology",
    "usenix": "USENIX",
}
_UNCERTAIN = " (likely to be wrong)"
_CERTAINTY = {
    "label": "the heading is its label",
    "variant": "the heading is a form of its label",
    "word": "the heading is its label, a word that may mean something else",
    "named": "the words of the heading name it",
    "partly": "the heading names it and something unknown",
    "broader": "the heading is a kind of it",
}
_LONGEST_PROSE = 500
_MOST_NAMES = 8


def describe_entry(entry: Entry, document: Document, context: RuleContext, others: Sequence[Listing]) -> str:
    """Return what an entry states as Markdown; `others` are its other listings in the project."""
    title = f"**{escape(entry.title.value, _LONGEST)}**" + _mark("title", entry)
    facts = [
        *_names(entry),
        *_venue_facts(entry, document, context),
        *_links(entry),
        *(
            f"{_IDENTIFIERS.get(kind, kind)}: {code(value, _LONGEST)}"
            for kind, value in entry.identifiers.items()
        ),
        *_concept(entry, document, context),
        *(
            f"Listed too: {code(other.where)} in {escape(' > '.join(other.section), _LONGEST)}"
            for other in others
        ),
    ]
    return "\n\n".join([title, "\n".join(f"- {fact}" for fact in facts)] if facts else [title])


def _names(entry: Entry) -> Iterator[str]:
    if entry.name is not None and entry.name.value != entry.title.value:
        yield f"Name: {escape(entry.name.value, _LONGEST)}" + _mark("name", entry)
    for label, fields, name in (
        ("Authors", entry.authors, "authors"),
        ("Affiliations", entry.affiliations, "affiliations"),
    ):
        if fields:
            shown = ", ".join(escape(field.value, _LONGEST) for field in fields[:_MOST_PEOPLE])
            more = len(fields) - _MOST_PEOPLE
            yield f"{label}: {shown}{f' and {more} more' if more > 0 else ''}" + _mark(name, entry)
    if entry.description is not None:
        yield f"Description: {escape(entry.description.value, _LONGEST)}" + _mark("description", entry)


def _venue_facts(entry: Entry, document: Document, context: RuleContext) -> Iterator[str]:
    """Yield the venue and the year, each with what states or proves it."""
    citation, year = citation_and_year(entry, document)
    if citation is not None:
        label = escape(citation.venue.label if citation.venue is not None else citation.text)
        yield f"Venue: {label}, {_venue_source(citation, entry, document)}"
    if year is not None:
        from_id = entry.year_from_arxiv_id and year == entry.year
        stated = ", from the arXiv id" if from_id else "" if entry.year == year else ", from a heading"
        yield f"Year: {year}{stated}" + _mark("year", entry)
    for labelled in entry.links:
        proof = context.vocabulary.evidence(labelled.link.url)
        if proof is not None and proof.venue is not None:
            name = f"{proof.venue.label_in(proof.year or 0)} {proof.year or ''}".rstrip()
            yield f"{_label(labelled)}: the address proves {escape(name)}"


def _venue_source(citation: Citation, entry: Entry, document: Document) -> str:
    written = code(citation.text, _LONGEST)
    known = "" if citation.venue is not None else ", a venue that the vocabulary does not have"
    if entry.citation is citation:
        return f"written {written}{known}" + _mark("venue", entry)
    heading = next((section for section in document.sections if section.citation is citation), None)
    where = f" in line {heading.line}" if heading is not None else ""
    return f"from the heading {written}{where}{known}"


def _links(entry: Entry) -> Iterator[str]:
    for labelled in entry.links[:_MOST_LINKS]:
        role = labelled.role.label if labelled.role is not None else "no known role"
        url = labelled.link.url
        shown = link(code(url, _LONGEST), url) if url else "no address"
        is_told = role.casefold() == labelled.label.casefold()
        yield f"{_label(labelled)}{'' if is_told else f' ({escape(role)})'}: {shown}"
    if len(entry.links) > _MOST_LINKS:
        yield f"{len(entry.links) - _MOST_LINKS} more links"


def _label(labelled: LabelledLink) -> str:
    return escape(labelled.label, 80) if labelled.label else "Link"


def _concept(entry: Entry, document: Document, context: RuleContext) -> Iterator[str]:
    taxonomy = context.taxonomy
    id = concept_id(entry, document, taxonomy)
    if id is not None and (concept := _find_concept(id, taxonomy)) is not None:
        what = "Subject" if id in taxonomy.concepts else "Kind"
        yield f"{what}: {escape(concept.label)} ({code(id)}), by its section"


def _mark(field: str, entry: Entry) -> str:
    return _UNCERTAIN if field in entry.uncertain else ""


def describe_section(document: Document, index: int, taxonomy: Taxonomy) -> str:
    """Return a section's title, the number of its entries and its concepts as Markdown."""
    facts = "\n".join(f"- {fact}" for fact in _section_facts(document, index, taxonomy))
    return f"**{escape(document.sections[index].title, _LONGEST_PROSE)}**\n\n{facts}"


def _section_facts(document: Document, index: int, taxonomy: Taxonomy) -> Iterator[str]:
    section = document.sections[index]
    own = sum(1 for entry in document.entries if entry.section == index)
    below = sum(1 for entry in document.entries if index in document.above(entry.section))
    yield f"Entries: {own}" + (f", {below} with the sections below" if below != own else "")
    if section.citation is not None and section.citation.venue is not None:
        yield f"Venue of the entries: {escape(section.citation.venue.label)}"
    if section.year is not None:
        yield f"Year of the entries: {section.year}"
    if not (taxonomy.concepts or taxonomy.forms):
        return
    named = resolve_section(document, index, taxonomy)
    for labels, what in ((named.subjects, "Subject"), (named.forms, "Kind of entries")):
        for label in labels:
            yield _named(label, what, _CERTAINTY.get(named.certainty, ""), taxonomy)
    for label in named.qualifiers:
        yield _named(label, "Narrowed by", "", taxonomy)
    if not (named.subjects or named.forms):
        inherited = concept_of_section(document, index, taxonomy)
        concept = _find_concept(inherited, taxonomy) if inherited else None
        if concept is not None:
            what = "Subject" if concept.id in taxonomy.concepts else "Kind of entries"
            yield f"{what}: {escape(concept.label)} ({code(concept.id)}), from a heading above"
        elif (suggested := taxonomy.suggest(section.title)) is not None:
            yield f"No subject of {code(taxonomy.name)}; similar: {escape(suggested.preferred)}"
        else:
            yield f"No subject of {code(taxonomy.name)}"


def _named(label: Label, what: str, why: str, taxonomy: Taxonomy) -> str:
    concept = _find_concept(label.concept, taxonomy)
    if concept is None:
        return f"{what}: {code(label.concept)}"
    text = f"{what}: {escape(concept.label)} ({code(concept.id)})"
    text += f", {why}" if why else ""
    if concept.definition:
        text += f". {escape(concept.definition, _LONGEST_PROSE)}"
    if concept.alt_labels:
        text += f"\n  - Also: {', '.join(map(escape, concept.alt_labels[:_MOST_NAMES]))}"
    broader = [wider.label for id in concept.broader if (wider := _find_concept(id, taxonomy)) is not None]
    if broader:
        text += f"\n  - Part of: {', '.join(map(escape, broader))}"
    return text


def _find_concept(id: str, taxonomy: Taxonomy) -> Concept | None:
    return taxonomy.concepts.get(id) or taxonomy.forms.get(id)


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
    """Return what is known of the innermost thing at an offset, and below it of the rules of the findings there."""
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
        if citation is not None and (venue := citation.venue) is not None:
            span = citation.name.span if citation.name is not None else citation.span
            if holds(span, offset):
                name = f": {escape(venue.name)}" if venue.name and venue.name != venue.label else ""
                facts = "\n".join(f"- {fact}" for fact in _facts(venue, context.vocabulary))
                return Description(f"**{escape(venue.label)}**{name}\n\n{facts}", span)
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
    index, entry = EntryIndex(document.entries).place_around(Span(offset, offset))
    if entry is None:
        return None
    others = other_listings(entry, document, context.project)
    span = next(span for span in (entry.title_line, entry.span) if holds(span, offset))
    return Description(describe_entry(entry, document, context, others) + _belongs(index, document), span)


def _belongs(index: int, document: Document) -> str:
    """Return where an entry surely belongs by the others of its list, empty if that is its section or is not known."""
    place = next(iter(section_model(document).places_of(index, 1)), None)
    if place is None or place.share < SURE or place.section == document.entries[index].section:
        return ""
    return f"\n\nBelongs in **{escape(document.short_paths()[place.section])}** ({place.surety(escape)})"


# What a document says about its sections; for the last readings of a few open ones.
section_model = lru_cache(maxsize=4)(learn)


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
