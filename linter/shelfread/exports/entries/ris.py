"""Entries as RIS, for EndNote, Zotero and Mendeley."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.exports.entries.person_name import PersonName
from shelfread.exports.entries.reference import EntryData, Reference, reference_of
from shelfread.taxonomy.vocabulary import Vocabulary

_TYPES = {"conference": "CONF", "journal": "JOUR", "preprint": "UNPB", "software": "COMP", "webpage": "ELEC"}


def lines(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield a record for each entry, its tags in the form `TI  - `."""
    for entry, vocabulary in entries:
        reference = reference_of(entry, vocabulary)
        yield f"TY  - {_TYPES.get(reference.kind, 'GEN')}"
        yield from (f"{tag}  - {value}" for tag, value in _tags(reference) if value)
        yield "ER  - "
        yield ""


def _tags(reference: Reference) -> Iterator[tuple[str, str]]:
    yield "TI", reference.title
    yield "ST", reference.short_title
    yield from (("AU", _name(name)) for name in reference.authors)
    yield "T2", reference.container
    yield "PB", reference.publisher
    yield "PY", "" if reference.year is None else str(reference.year)
    yield "DO", reference.doi
    yield "AN", f"arXiv:{reference.arxiv}" if reference.arxiv else ""
    yield "UR", reference.url
    yield from (("KW", keyword) for keyword in reference.keywords)
    yield "AB", reference.abstract
    yield "N1", reference.annotation
    yield "DB", reference.source


def _name(name: PersonName) -> str:
    """Return a name as `Last, First, Suffix`."""
    parts = (f"{name.particle} {name.family}".strip(), name.given, name.suffix)
    return ", ".join(part for part in parts if part)
