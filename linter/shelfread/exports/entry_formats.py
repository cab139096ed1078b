"""Entries in the formats of other programs: BibTeX with its LaTeX, CSL-JSON, RIS, CSV, JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias
from unicodedata import normalize

from shelfread.core.patterns import lazy
from shelfread.core.yaml_files import load_table
from shelfread.exports.canonical_list import markdown
from shelfread.exports.cited_work import (
    CitationKeys,
    CitedWork,
    EntryData,
    PersonName,
    plain,
    url_text,
    work_of,
)
from shelfread.report.rendering import dumps
from shelfread.taxonomy.vocabulary import Vocabulary

_LATEX: Mapping[str, Mapping[str, str]] = load_table(Path(__file__).with_name("latex.yaml"))
_CHARACTERS, _ACCENTS = _LATEX["characters"], _LATEX["accents"]
_SPECIAL = lazy(r"[-–—]{2,}|[^\w\s.,:;!?()/+=*@\[\]\"'-]|[_\x80-\U0010ffff]|'(?=')|(?<=[?!])`")
_AROUND = "()[].,:;!?\"“”‘’'"
# Blanks, and the scripts that are written without them: `大规模GPU集群` keeps the capitals of `GPU`.
_WORDS = lazy(r"( |[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+)")
_BREAKS = tuple(":?!.：？！。")
_HYPHEN = lazy(r"[-‐‑/]")
_WORD = lazy(r"[^\W\d_]+")
_SMALL = frozenset(
    "a an and as at but by for from in into is nor of on or over per the to under via with without".split()
)


def latex(text: str) -> str:
    """Return a text as LaTeX source. Letters of scripts that pdfLaTeX does not know stay as they are."""
    return _SPECIAL.sub(lambda match: _escaped(match[0]), text)


def latex_title(title: str) -> str:
    """Return a title with braces around the capitals that a style may not make small: in `GPipe`, and all but the first."""
    words = _WORDS.split(title)  # and what is between them
    capitals = not _is_title_case(words)
    written = []
    starts = True
    for word in words:
        keep = _has_capital_inside(word) or (
            not starts and ((capitals and _is_capital(word)) or _is_lone(word))
        )
        written.append(_in_braces(word) if keep else latex(word))
        starts = word.rstrip(" ")[-1:] in _BREAKS if word.strip(" ") else starts
    return "".join(written)


def _in_braces(word: str) -> str:
    """Return a word in braces, with what surrounds it outside: a colon before a word shows that it begins a part."""
    inner = word.strip(_AROUND)
    before, _, after = word.partition(inner)
    return f"{latex(before)}{{{latex(inner)}}}{latex(after)}"


@lru_cache(maxsize=512)
def _escaped(special: str) -> str:
    if special == "'":
        return "'{}"  # two of them are another character
    if len(special) > 1:  # dashes: two of them are another one
        return "{}".join(_CHARACTERS.get(dash, dash) for dash in special)
    return _CHARACTERS.get(special) or _accented(special)


def _accented(character: str) -> str:
    """Return a letter with accents as commands, one that LaTeX has none for as it is."""
    parts = normalize("NFD", character)
    base, marks = parts[0], parts[1:]
    if not marks or not base.isascii() or not all(mark in _ACCENTS for mark in marks):
        return character
    written = rf"\{base}" if base in "ij" and marks[0] not in "\u0323\u0328\u0331" else base
    for mark in marks:
        command = _ACCENTS[mark]
        written = rf"\{command}{{{written}}}"
    return f"{{{written}}}"


def _is_title_case(words: list[str]) -> bool:
    cased = [word for word in words[1:] if word[:1].upper() != word[:1].lower()]
    long = [word for word in cased if word.lower() not in _SMALL and not _has_capital_inside(word)]  # `eBPF`
    capitals = sum(word[:1].isupper() for word in long)
    return capitals * 4 > len(long) * 3


def _is_capital(word: str) -> bool:
    letters = _WORD.search(word)
    return letters is not None and letters[0][0].isupper()


def _has_capital_inside(word: str) -> bool:
    """Return whether a capital follows another character of the same part: `GPU`, `LoRA`, `3D`."""
    return any(part[1:] != part[1:].lower() for part in _HYPHEN.split(word.lstrip(_AROUND)))


def _is_lone(word: str) -> bool:
    """Return whether a word is a letter by itself, as in `Programming in C`."""
    return len(word) == 1 and word.isupper() and word != "A"


Entries: TypeAlias = Iterable[tuple[EntryData, Vocabulary]]  # entries with the vocabularies of their lists

_BIBTEX_MARK = "% Exported by shelfread."
_BIBTEX_TYPES = {"conference": "inproceedings", "journal": "article", "book": "book"}
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
    yield "author", " and ".join(map(_bibtex_name, work.authors))
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
        return "others" if name.family == "others" else f"{{{latex(name.family)}}}"
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
    "book": "BOOK",
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
    if column == "authors" and entry.get("et_al"):
        value = [*entry["authors"], "et al."]
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


def _printed(entries: Entries) -> Iterator[EntryData]:
    """Yield entries without what only the other formats need, their kind."""
    return ({key: value for key, value in entry.items() if key != "kind"} for entry, _ in entries)


# What yields the lines of entries, by the name of the format.
ENTRY_FORMATS: Mapping[str, Callable[[Entries], Iterator[str]]] = {
    "json": lambda entries: iter([dumps([*_printed(entries)])]),
    "jsonl": lambda entries: (dumps(entry, indent=None) for entry in _printed(entries)),
    "csl-json": csl_json,
    "bibtex": bibtex,
    "ris": ris,
    "csv": csv,
    "markdown": markdown,
}
