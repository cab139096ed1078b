"""Reads CSV with a header: Zotero's export, `shelfread export --format csv`, and tables of one's own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping

from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.identity import fold_title
from shelfread.document.recognizers.people import split_people
from shelfread.document.recognizers.years import YEAR
from shelfread.imports.entry import Place, build_entry
from shelfread.imports.latex import to_unicode
from shelfread.imports.model import Import, ImportedEntry, Unread
from shelfread.imports.venue import StatedVenue, read_venue
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "csv"
_COLUMNS = {
    "title": "title, paper title, paper, article title, document title, work, 标题, 题目, タイトル, titel, titre, titulo, titolo",
    "name": "name, short name, shorttitle, short title, system, tool, project name, abbreviation, 名称",
    "authors": "author, authors, creator, creators, author s, author names, author full names, 作者, 著者, autor, autoren, autores, auteur, auteurs, autore, autori",
    "venue": "venue, publication title, conference, conference name, journal, journal conference, source title, source, booktitle, proceedings title, "
    "publication, published in, container title, venue text, where, series, journal abbreviation, 会议, 期刊, 出版物",
    "year": "year, publication year, published, date, publication date, pub year, issued, 年份, 年, jahr, annee, ano, anno",
    "doi": "doi, digital object identifier",
    "arxiv": "arxiv, arxiv id, eprint, arxivid",
    "url": "url, link, paper url, paper link, links, address, web, urls",
    "description": "description, summary, tldr, what, comment, 简介, 描述, 说明, 説明, beschreibung, descripcion, descrizione",
    "notes": "notes, note, remarks",
    "section": "section, category, topic, tags section, 分类",
}
_FIELDS = {fold_title(label): field for field, labels in _COLUMNS.items() for label in labels.split(",")}
_DELIMITERS = ",;\t|"
_WEB = lazy(r"https?://[^\s;|,\"<>]+")
_LABELLED = lazy(r"(?P<label>[^\s:;|][^:;|]{0,40}?)\s*[:=]\s*(?P<url>https?://[^\s;|\"<>]+)")
_PARTED_BY_SEMICOLON = lazy(r"[^\W\d_]{2}, [^\W\d_][\w. ]{0,30}; [^\W\d_]{2}[\w’'-]*, [^\W\d_]")
_MAX_CELL = 1 << 20


def looks_like(text: str) -> bool:
    """Return whether the first line of a text is a header with a title and another known column."""
    return bool(_header(text))


def _header(text: str) -> tuple[str, list[str]] | None:
    """Return the delimiter and the fields of the header, `""` for columns of another kind, or None."""
    first = next((line for line in text.split("\n", 20) if line.strip()), "")[:20_000]
    for delimiter in _DELIMITERS:
        if delimiter not in first:
            continue
        columns = next(csv.reader([first.rstrip("\r")], delimiter=delimiter), [])
        fields = [_FIELDS.get(fold_title(column), "") for column in columns]
        if ("title" in fields or "name" in fields) and sum(map(bool, fields)) >= 2:
            return delimiter, fields
    return None


def read(source: Source, vocabulary: Vocabulary) -> Import:
    """Return the rows of a table in order; raises InputError without a header that names the columns."""
    found = _header(source.text)
    if found is None:
        raise InputError(
            "the first line names no column of titles: begin with a header such as title,authors,venue,year,url",
            source.path,
            1,
        )
    delimiter, fields = found
    entries: list[ImportedEntry] = []
    unread: list[Unread] = []
    csv.field_size_limit(_MAX_CELL)
    rows = csv.reader(source.text.splitlines(keepends=True), delimiter=delimiter)
    header: list[str] | None = None
    line = 1
    people = (
        _people if ";" in delimiter or not _PARTED_BY_SEMICOLON.search(source.text) else _people_by_semicolon
    )
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            unread.append(Unread(line, f"a broken row: {error}"))
            line = rows.line_num + 1
            continue
        if row is None:
            break
        first, line = line, rows.line_num + 1
        if not any(cell.strip() for cell in row):
            continue
        if header is None:
            header = row
            continue
        entry = _entry(row, fields, header, people, Place(source.path, first, rows.line_num), vocabulary)
        if entry is None:
            unread.append(Unread(first, "a row without a title"))
        else:
            entries.append(entry)
    return Import(entries, unread)


def _entry(
    row: list[str],
    fields: list[str],
    header: list[str],
    people: Callable[[str], list[str]],
    place: Place,
    vocabulary: Vocabulary,
) -> ImportedEntry | None:
    cells: dict[str, list[str]] = {}
    links: list[tuple[str, str]] = []
    for field, column, cell in zip(fields, header, row, strict=False):
        if not cell.strip():
            continue
        if field:
            cells.setdefault(field, []).append(cell.strip())
        if field == "url":
            links += _links(cell)
        elif not field and vocabulary.role(column) is not None:
            links += [(column.strip(), match[0]) for match in _WEB.finditer(cell)]
    name = _first(cells, "name")
    title = to_unicode(_first(cells, "title") or name or "")
    if not any(map(str.isalnum, title)):
        return None
    found = YEAR.search(_first(cells, "year") or "")
    year = int(found[0]) if found else None
    section = [
        part.strip()
        for part in (_first(cells, "section") or "").replace(" / ", " > ").split(" > ")
        if part.strip()
    ]
    return build_entry(
        title, place._replace(section=section), KIND, vocabulary, authors=people(_first(cells, "authors") or ""), venue=_venue(cells, year, vocabulary), year=year,
        doi=_first(cells, "doi"), arxiv=_first(cells, "arxiv"), links=dict.fromkeys(links), notes=cells.get("notes", []),
        description=_first(cells, "description"), name=name,
    )  # fmt: skip


def _first(cells: Mapping[str, list[str]], field: str) -> str | None:
    found = cells.get(field)
    return found[0] if found else None


def _links(cell: str) -> list[tuple[str, str]]:
    """Return the URLs of a cell: `Paper: https://...; Code: https://...` has their labels."""
    labelled = [
        (match["label"].strip(), match["url"])
        for match in _LABELLED.finditer(cell)
        if not match["label"].startswith("http")
    ]
    return labelled or [("", match[0]) for match in _WEB.finditer(cell)]


def _people_by_semicolon(cell: str) -> list[str]:
    """Return the people of a cell in a table whose names are `Stone, Ada; Field, Ben`: a comma parts none."""
    return [person.strip() for person in cell.split(";")]


def _people(cell: str) -> list[str]:
    if ";" in cell:
        return [person.strip() for person in cell.split(";")]
    if " and " in cell and cell.count(",") in (0, cell.count(" and ") + 1):
        return [person.strip() for person in cell.split(" and ")]
    return split_people(cell) if cell else []


def _venue(cells: Mapping[str, list[str]], year: int | None, vocabulary: Vocabulary) -> StatedVenue:
    stated: StatedVenue | None = None
    for text in cells.get("venue", []):
        venue = read_venue(text, vocabulary, year)._replace(text=text)
        if venue.venue is not None:
            return venue
        stated = stated or venue
    return stated or StatedVenue(None, None, year, True)
