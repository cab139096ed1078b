"""What is known of an entry, and why it is read so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shelfread.document.export import citation_and_year, concept_id
from shelfread.document.model import Citation, Document, Entry, Field, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing
from shelfread.report.markdown_escape import code, escape, link

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
_UNCERTAIN = " (only its place in the line suggests this)"


def describe_entry(entry: Entry, document: Document, context: RuleContext, others: Sequence[Listing]) -> str:
    """Return what an entry states as Markdown; `others` are its other listings in the project."""
    title = f"**{escape(entry.title.value, _LONGEST)}**" + _mark("title", entry)
    facts = [
        *_names(entry),
        *_venue(entry, document, context),
        *_links(entry),
        *_identifiers(entry),
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
    heading = next((each for each in document.sections if each.citation is citation), None)
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


def _identifiers(entry: Entry) -> Iterator[str]:
    for kind, value in entry.identifiers.items():
        yield f"{_IDENTIFIERS.get(kind, kind)}: {code(value, _LONGEST)}"


def _concept(entry: Entry, document: Document, context: RuleContext) -> Iterator[str]:
    taxonomy = context.taxonomy
    id = concept_id(entry, document, taxonomy)
    if id is not None and (concept := taxonomy.concepts.get(id) or taxonomy.forms.get(id)) is not None:
        what = "Subject" if id in taxonomy.concepts else "Kind"
        yield f"{what}: {escape(concept.label)} ({code(id)}), by its section"


def _mark(field: str, entry: Entry) -> str:
    return _UNCERTAIN if field in entry.uncertain else ""
