"""Entries as BibTeX, CSL-JSON and RIS, for LaTeX, reference managers and programs that cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shelfread.exports.cited_work import CitationKeys, EntryData, Reference, reference_of, url_text
from shelfread.exports.latex_text import latex, latex_title
from shelfread.exports.person_name import OTHERS, PersonName
from shelfread.report.json_text import dumps
from shelfread.taxonomy.vocabulary import Vocabulary

_BIBTEX_MARK = "% Exported by shelfread."
_BIBTEX_TYPES = {"conference": "inproceedings", "journal": "article"}
_CONTAINERS = {"conference": "booktitle", "journal": "journal"}


def bibtex(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield BibTeX in ASCII where LaTeX has commands, with keys that do not change when entries are added below."""
    yield _BIBTEX_MARK
    keys = CitationKeys()
    for entry, vocabulary in entries:
        reference = reference_of(entry, vocabulary)
        yield ""
        yield f"@{_BIBTEX_TYPES.get(reference.kind, 'misc')}{{{keys.next(reference)},"
        yield from (f"  {name} = {{{value}}}," for name, value in _bibtex_fields(reference) if value)
        yield "}"


def _bibtex_fields(reference: Reference) -> Iterator[tuple[str, str]]:
    others = [OTHERS] if reference.has_more_authors else []
    yield "author", " and ".join([*map(_bibtex_name, reference.authors), *others])
    yield "title", latex_title(reference.title)
    yield _CONTAINERS.get(reference.kind, "howpublished"), latex(reference.container)
    yield "year", "" if reference.year is None else str(reference.year)
    yield "publisher", latex(reference.publisher)
    yield "doi", url_text(reference.doi)
    if reference.arxiv:
        yield "eprint", url_text(reference.arxiv)
        yield "archivePrefix", "arXiv"
    yield "url", reference.url
    yield "keywords", ", ".join(latex(keyword) for keyword in reference.keywords)
    yield "abstract", latex(reference.abstract)
    yield "annote", latex(reference.annotation)


def _bibtex_name(name: PersonName) -> str:
    """Return a name as `von Last, Jr, First`; braces keep one that is not parted in one piece."""
    if name.whole:
        return OTHERS if name.family == OTHERS else f"{{{latex(name.family)}}}"
    parts = (f"{name.particle} {name.family}".strip(), name.suffix, name.given)
    return ", ".join(latex(part) for part in parts if part)


# https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types
_CSL_TYPES = {"conference": "paper-conference", "journal": "article-journal", "preprint": "article"}


def csl_json(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield an array with an item a line, valid by the schema csl-data.json 1.0.2; ids are keys as in BibTeX."""
    keys = CitationKeys()
    item = ""
    yield "["
    for entry, vocabulary in entries:
        if item:
            yield f"{item},"
        reference = reference_of(entry, vocabulary)
        data = {"id": keys.next(reference), "type": _CSL_TYPES.get(reference.kind, reference.kind)}
        item = "  " + dumps({**data, **dict(_variables(reference))}, indent=None)
    if item:
        yield item
    yield "]"


def _variables(reference: Reference) -> Iterator[tuple[str, Any]]:
    """Yield the variables that are not empty; `archive` is for arXiv, `annote` for what CSL has no variable for."""
    variables = {
        "title": reference.title,
        "title-short": reference.short_title,
        "author": [_csl_name(name) for name in reference.authors],
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


def _csl_name(name: PersonName) -> dict[str, str]:
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


_RIS_TYPES = {
    "conference": "CONF",
    "journal": "JOUR",
    "preprint": "UNPB",
    "software": "COMP",
    "webpage": "ELEC",
}


def ris(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield a record for each entry, its tags in the form `TI  - `."""
    for entry, vocabulary in entries:
        reference = reference_of(entry, vocabulary)
        yield f"TY  - {_RIS_TYPES.get(reference.kind, 'GEN')}"
        yield from (f"{tag}  - {value}" for tag, value in _ris_tags(reference) if value)
        yield "ER  - "
        yield ""


def _ris_tags(reference: Reference) -> Iterator[tuple[str, str]]:
    yield "TI", reference.title
    yield "ST", reference.short_title
    yield from (("AU", _ris_name(name)) for name in reference.authors)
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


def _ris_name(name: PersonName) -> str:
    """Return a name as `Last, First, Suffix`."""
    parts = (f"{name.particle} {name.family}".strip(), name.given, name.suffix)
    return ", ".join(part for part in parts if part)
