"""What an entry states and why it is read so, and what a section names, as Markdown for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shelfread.document.entry_data import citation_and_year, concept_id
from shelfread.document.heading_subjects import concept_of_section, resolve_section
from shelfread.document.model import Citation, Document, Entry, Field, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing
from shelfread.report.rendering import code, escape, link
from shelfread.taxonomy.concept import Concept
from shelfread.taxonomy.label_index import Label
from shelfread.taxonomy.taxonomy import Taxonomy

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
        *_venue(entry, document, context),
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
            yield f"{label}: {_joined(fields)}" + _mark(name, entry)
    if entry.description is not None:
        yield f"Description: {escape(entry.description.value, _LONGEST)}" + _mark("description", entry)


def _joined(fields: Sequence[Field]) -> str:
    shown = ", ".join(escape(field.value, _LONGEST) for field in fields[:_MOST_PEOPLE])
    more = len(fields) - _MOST_PEOPLE
    return f"{shown} and {more} more" if more > 0 else shown


def _venue(entry: Entry, document: Document, context: RuleContext) -> Iterator[str]:
    """Yield the venue and the year, each with what states or proves it."""
    citation, year = citation_and_year(entry, document)
    if citation is not None:
        label = escape(citation.venue.label if citation.venue is not None else citation.text)
        yield f"Venue: {label}, {_why(citation, entry, document)}"
    if year is not None:
        from_id = entry.year_from_arxiv_id and year == entry.year
        stated = ", from the arXiv id" if from_id else "" if entry.year == year else ", from a heading"
        yield f"Year: {year}{stated}" + _mark("year", entry)
    for labelled in entry.links:
        proof = context.vocabulary.evidence(labelled.link.url)
        if proof is not None and proof.venue is not None:
            name = f"{proof.venue.label_in(proof.year or 0)} {proof.year or ''}".rstrip()
            yield f"{_label(labelled)}: the address proves {escape(name)}"


def _why(citation: Citation, entry: Entry, document: Document) -> str:
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
    facts = "\n".join(f"- {fact}" for fact in _facts(document, index, taxonomy))
    return f"**{escape(document.sections[index].title, _LONGEST_PROSE)}**\n\n{facts}"


def _facts(document: Document, index: int, taxonomy: Taxonomy) -> Iterator[str]:
    section = document.sections[index]
    own = sum(1 for entry in document.entries if entry.section == index)
    below = sum(1 for entry in document.entries if _is_below(document, entry.section, index))
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


def _is_below(document: Document, section: int | None, index: int) -> bool:
    while section is not None and section > index:
        section = document.sections[section].parent
    return section == index
