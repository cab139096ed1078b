"""Entries as JSON, BibTeX, CSL-JSON, RIS, CSV and Markdown, each a generator of lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from shelfread.exports.canonical_list import markdown
from shelfread.exports.cited_work import (
    OTHERS,
    CitationKeys,
    CitedWork,
    EntryData,
    PersonName,
    plain,
    url_text,
    work_of,
)
from shelfread.exports.latex_text import latex, latex_title
from shelfread.report.rendering import dumps
from shelfread.taxonomy.vocabulary import Vocabulary

Entries: TypeAlias = Iterable[tuple[EntryData, Vocabulary]]  # entries with the vocabularies of their lists

_BIBTEX_MARK = "% Exported by shelfread."
_BIBTEX_TYPES = {"conference": "inproceedings", "journal": "article"}
_CONTAINERS = {"conference": "booktitle", "journal": "journal"}


def bibtex(entries: Entries) -> Iterator[str]:
    """Yield BibTeX in ASCII where LaTeX has commands, with keys that do not change when entries are added below."""
    yield _BIBTEX_MARK
    keys = CitationKeys()
    for entry, vocabulary in entries:
        work = work_of(entry, vocabulary)
        yield ""
        yield f"@{_BIBTEX_TYPES.get(work.kind, 'misc')}{{{keys.next(work)},"
        yield from (f"  {name} = {{{value}}}," for name, value in _bibtex_fields(work) if value)
        yield "}"


def _bibtex_fields(work: CitedWork) -> Iterator[tuple[str, str]]:
    others = [OTHERS] if work.has_more_authors else []
    yield "author", " and ".join([*map(_bibtex_name, work.authors), *others])
    yield "title", latex_title(work.title)
    yield _CONTAINERS.get(work.kind, "howpublished"), latex(work.container)
    yield "year", "" if work.year is None else str(work.year)
    yield "publisher", latex(work.publisher)
    yield "doi", url_text(work.doi)
    if work.arxiv:
        yield "eprint", url_text(work.arxiv)
        yield "archivePrefix", "arXiv"
    yield "url", work.url
    yield "keywords", ", ".join(latex(keyword) for keyword in work.keywords)
    yield "abstract", latex(work.abstract)
    yield "annote", latex(work.annotation)


def _bibtex_name(name: PersonName) -> str:
    """Return a name as `von Last, Jr, First`; braces keep one that is not parted in one piece."""
    if name.whole:
        return OTHERS if name.family == OTHERS else f"{{{latex(name.family)}}}"
    parts = (f"{name.particle} {name.family}".strip(), name.suffix, name.given)
    return ", ".join(latex(part) for part in parts if part)


# https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types
_CSL_TYPES = {"conference": "paper-conference", "journal": "article-journal", "preprint": "article"}


def csl_json(entries: Entries) -> Iterator[str]:
    """Yield an array with an item a line, valid by the schema csl-data.json 1.0.2; ids are keys as in BibTeX."""
    keys = CitationKeys()
    items = []
    for entry, vocabulary in entries:
        work = work_of(entry, vocabulary)
        data = {"id": keys.next(work), "type": _CSL_TYPES.get(work.kind, work.kind)}
        items.append("  " + dumps({**data, **dict(_variables(work))}, indent=None))
    yield "["
    if items:
        yield ",\n".join(items)
    yield "]"


def _variables(work: CitedWork) -> Iterator[tuple[str, Any]]:
    """Yield the variables that are not empty; `archive` is for arXiv, `annote` for what CSL has no variable for."""
    variables = {
        "title": work.title,
        "title-short": work.short_title,
        "author": [_csl_name(name) for name in work.authors],
        "container-title": work.container,
        "publisher": work.publisher,
        "issued": _date(work),
        "DOI": work.doi,
        "archive": "arXiv" if work.arxiv else "",
        "archive_location": work.arxiv,
        "number": f"arXiv:{work.arxiv}" if work.arxiv and work.kind == "preprint" else "",
        "URL": work.url,
        "keyword": ", ".join(work.keywords),
        "abstract": work.abstract,
        "annote": work.annotation,
        "source": work.source,
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


def _date(work: CitedWork) -> dict[str, Any] | None:
    if work.year is None:
        return None
    date: dict[str, Any] = {"date-parts": [[work.year]]}
    return {**date, "circa": True} if "year" in work.uncertain else date


_RIS_TYPES = {
    "conference": "CONF",
    "journal": "JOUR",
    "preprint": "UNPB",
    "software": "COMP",
    "webpage": "ELEC",
}


def ris(entries: Entries) -> Iterator[str]:
    """Yield a record for each entry, its tags in the form `TI  - `."""
    for entry, vocabulary in entries:
        work = work_of(entry, vocabulary)
        yield f"TY  - {_RIS_TYPES.get(work.kind, 'GEN')}"
        yield from (f"{tag}  - {value}" for tag, value in _ris_tags(work) if value)
        yield "ER  - "
        yield ""


def _ris_tags(work: CitedWork) -> Iterator[tuple[str, str]]:
    yield "DB", work.source
    yield "TI", work.title
    yield "ST", work.short_title
    yield from (("AU", _ris_name(name)) for name in work.authors)
    yield "T2", work.container
    yield "PB", work.publisher
    yield "PY", "" if work.year is None else str(work.year)
    yield "DO", work.doi
    yield "AN", f"arXiv:{work.arxiv}" if work.arxiv else ""
    yield "UR", work.url
    yield from (("KW", keyword) for keyword in work.keywords)
    yield "AB", work.abstract
    yield "N1", work.annotation


def _ris_name(name: PersonName) -> str:
    """Return a name as `Last, First, Suffix`."""
    parts = (f"{name.particle} {name.family}".strip(), name.given, name.suffix)
    return ", ".join(part for part in parts if part)


_OWN = ("doi", "arxiv", "github")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_QUOTED = ('"', ",", ";")
_COLUMNS = (
    *("title", "name", "description", "venue", "venue_text", "year", "authors", "affiliations"),
    *(*_OWN, "other_identifiers", "links", "notes", "section"),
    *("concept", "dialect", "path", "line", "end_line", "uncertain"),
)


def csv(entries: Entries) -> Iterator[str]:
    """Yield the rows without their line feeds, so each ends with a carriage return; the first has the columns' names."""
    yield ",".join(_COLUMNS) + "\r"
    for entry, _ in entries:
        yield ",".join(cell(_value(entry, column)) for column in _COLUMNS) + "\r"


def _value(entry: EntryData, column: str) -> Any:
    identifiers = entry["identifiers"]
    if column in _OWN:
        return identifiers.get(column)
    if column == "other_identifiers":
        return "; ".join(f"{kind}:{id}" for kind, id in identifiers.items() if id and kind not in _OWN)
    if column == "links":
        return " ".join(_link(link) for link in entry["links"])
    if column == "section":
        return " > ".join(entry["section"])
    value = entry.get(column)
    return "; ".join(value) if isinstance(value, list | tuple) else value


def cell(value: Any) -> str:
    """Return a cell; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if value is None or isinstance(value, int):
        return "" if value is None else str(value)
    text = plain(value)
    if text.lstrip("'").startswith(_FORMULA):
        text = f"'{text}"
    return (
        '"' + text.replace('"', '""') + '"'
        if text[:1] == ":" or any(char in text for char in _QUOTED)
        else text
    )


def _link(link: Mapping[str, Any]) -> str:
    """Return a link as `role=URL`, without blanks in it."""
    url = plain(link["url"]).replace(" ", "%20")
    return f"{link['role']}={url}" if link["role"] else url


def _json(entries: Entries) -> Iterator[str]:
    yield dumps([entry for entry, _ in entries])


def _json_lines(entries: Entries) -> Iterator[str]:
    return (dumps(entry, indent=None) for entry, _ in entries)


# What yields the lines of entries, by the name of the format.
ENTRY_FORMATS: Mapping[str, Callable[[Entries], Iterator[str]]] = {
    "json": _json,
    "jsonl": _json_lines,
    "csl-json": csl_json,
    "bibtex": bibtex,
    "ris": ris,
    "csv": csv,
    "markdown": markdown,
}
