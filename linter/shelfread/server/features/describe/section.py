"""What a section's heading names, and what is in the section."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.document.model import Document
from shelfread.document.subjects import concept_of_section, resolve_section
from shelfread.report.markdown_escape import code, escape
from shelfread.taxonomy.concept import Concept
from shelfread.taxonomy.label_index import Label
from shelfread.taxonomy.taxonomy import Taxonomy

_CERTAINTY = {
    "label": "the heading is its label",
    "variant": "the heading is a form of its label",
    "named": "the words of the heading name it",
    "partly": "the heading names it and something unknown",
    "broader": "the heading is a kind of it",
}
_LONGEST = 500
_MOST_NAMES = 8


def describe_section(document: Document, index: int, taxonomy: Taxonomy) -> str:
    """Return a section's title, the number of its entries and its concepts as Markdown."""
    facts = "\n".join(f"- {fact}" for fact in _facts(document, index, taxonomy))
    return f"**{escape(document.sections[index].title, _LONGEST)}**\n\n{facts}"


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
        concept = _concept(inherited, taxonomy) if inherited else None
        if concept is not None:
            what = "Subject" if concept.id in taxonomy.concepts else "Kind of entries"
            yield f"{what}: {escape(concept.label)} ({code(concept.id)}), from a heading above"
        elif (suggested := taxonomy.suggest(section.title)) is not None:
            yield f"No subject of {code(taxonomy.name)}; similar: {escape(suggested.preferred)}"
        else:
            yield f"No subject of {code(taxonomy.name)}"


def _named(label: Label, what: str, why: str, taxonomy: Taxonomy) -> str:
    concept = _concept(label.concept, taxonomy)
    if concept is None:
        return f"{what}: {code(label.concept)}"
    text = f"{what}: {escape(concept.label)} ({code(concept.id)})"
    text += f", {why}" if why else ""
    if concept.definition:
        text += f". {escape(concept.definition, _LONGEST)}"
    if concept.alt_labels:
        text += f"\n  - Also: {', '.join(map(escape, concept.alt_labels[:_MOST_NAMES]))}"
    broader = [found.label for id in concept.broader if (found := _concept(id, taxonomy)) is not None]
    if broader:
        text += f"\n  - Part of: {', '.join(map(escape, broader))}"
    return text


def _concept(id: str, taxonomy: Taxonomy) -> Concept | None:
    return taxonomy.concepts.get(id) or taxonomy.forms.get(id)


def _is_below(document: Document, section: int | None, index: int) -> bool:
    while section is not None and section > index:
        section = document.sections[section].parent
    return section == index
