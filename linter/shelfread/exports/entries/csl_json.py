"""Entries as CSL-JSON, for Zotero, pandoc and every other program that cites in the styles of CSL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shelfread.exports.entries.citation_keys import CitationKeys
from shelfread.exports.entries.person_name import PersonName
from shelfread.exports.entries.reference import EntryData, Reference, reference_of
from shelfread.report.json_text import dumps
from shelfread.taxonomy.vocabulary import Vocabulary

# https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types
_TYPES = {"conference": "paper-conference", "journal": "article-journal", "preprint": "article"}


def lines(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield an array with an item a line, valid by the schema csl-data.json 1.0.2; ids are keys as in BibTeX."""
    keys = CitationKeys()
    item = ""
    yield "["
    for entry, vocabulary in entries:
        if item:
            yield f"{item},"
        reference = reference_of(entry, vocabulary)
        data = {"id": keys.next(reference), "type": _TYPES.get(reference.kind, reference.kind)}
        item = "  " + dumps({**data, **dict(_variables(reference))}, indent=None)
    if item:
        yield item
    yield "]"


def _variables(reference: Reference) -> Iterator[tuple[str, Any]]:
    """Yield the variables that are not empty; `archive` is for arXiv, `annote` for what CSL has no variable for."""
    variables = {
        "title": reference.title,
        "title-short": reference.short_title,
        "author": [_name(name) for name in reference.authors],
        "container-title": reference.container,
        "publisher": reference.publisher,
        "issued": _date(reference),
        "DOI": reference.doi,
        "archive": "arXiv" if reference.arxiv else "",
        "archive_location": reference.arxiv,
        "number": f"arXiv:{reference.arxiv}" if reference.arxiv and reference.kind == "preprint" else "",
        "URL": reference.url,
        "keyword": ", ".join(reference.keywords),
        "abstract": reference.abstract,
        "annote": reference.annotation,
        "source": reference.source,
    }
    return ((name, value) for name, value in variables.items() if value)


def _name(name: PersonName) -> dict[str, str]:
    if name.whole:
        return {"literal": name.family}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {part: value for part, value in parts.items() if value}


def _date(reference: Reference) -> dict[str, Any] | None:
    if reference.year is None:
        return None
    date: dict[str, Any] = {"date-parts": [[reference.year]]}
    return {**date, "circa": True} if "year" in reference.uncertain else date
