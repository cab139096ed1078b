"""Reads CSV with a header: Zotero's export, `shelfread export --format csv`, and tables of one's own."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from shelfread.core.errors import InputError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.yaml_files import load_table
from shelfread.document.identity import fold_title
from shelfread.document.recognizers.people import split_people
from shelfread.document.years import find_year
from shelfread.imports.from_bibtex import to_unicode
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, UnreadPart, build_entry
from shelfread.imports.stated_venue import best_venue
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "csv"
_COLUMNS: Mapping[str, str] = load_table(Path(__file__).with_name("csv_columns.yaml"))
_FIELDS = {fold_title(label): field for field, labels in _COLUMNS.items() for label in labels.split(",")}
_DELIMITERS = ",;\t|"
# A semicolon or comma within a URL is followed by neither a blank nor the next URL, with its label or without.
_URL = r"https?://(?:[^\s;|,\"<>]|[;,](?!\s|$|(?:[^\s:;|=]{1,40}\s?[:=]\s?)?https?://))+"
_WEB = lazy(_URL)
_LATEX = lazy(r"[\\{$]")
_LABEL = lazy(r"(?P<label>[^\s:;|,][^:;|]{0,40}?)\s*[:=]\s*\Z")
_GUARD = lazy(r"^'(?='*[=+@＝＋－＠-])")  # before what a spreadsheet would take for a formula
_PARTED_BY_SEMICOLON = lazy(r"[^\W\d_]{2}, [^\W\d_][\w. ]{0,30}; [^\W\d_]{2}[\w’'-]*, [^\W\d_]")
_RULER = lazy(r"(?=[^-]*-)[-|:+= \t]{3,}")  # the line below the header of a table that is no CSV: `|---|---|`
# Columns of `shelfread export` without a field here.
_OWN = frozenset("github,other identifiers,concept,dialect,path,line,end line,uncertain".split(","))
_MOST_NAMED = 8
# One person, with the family first: two of one name each are not named together.
_INVERTED = lazy(r"[^\W\d_][\w’'-]+, [^\W\d_](?:[\w’'-]*|\.)(?: [^\W\d_]\.){0,2}")
_MAX_CELL = 1 << 20
_LONGEST_HEADER = 20_000


def looks_like(text: str) -> bool:
    """Return whether the first line of a text is a header with a title and another known column, with no ruler below."""
    lines = (line for line in text[:_LONGEST_HEADER].splitlines() if line.strip())
    _, second = next(lines, ""), next(lines, "")
    return _RULER.fullmatch(second) is None and _header(text) is not None


def _header(text: str) -> tuple[str, list[str]] | None:
    """Return the delimiter and the fields of the header, `""` for columns of another kind, or None."""
    first = next((line for line in text[:_LONGEST_HEADER].splitlines() if line.strip()), "")
    for delimiter in _DELIMITERS:
        if delimiter not in first:
            continue
        try:
            columns = next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:  # Python 3.10 refuses NUL
            continue
        fields = [_FIELDS.get(fold_title(column), "") for column in columns]
        if ("title" in fields or "name" in fields) and sum(map(bool, fields)) >= 2:
            return delimiter, fields
    return None


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the rows of a table in order; raises InputError without a header that names the columns."""
    header = _header(source.text)
    if header is None:
        message = "the first line names no column of titles: begin with a header such as title,authors,venue,year,url"
        raise InputError(message, source.path, 1)
    delimiter, fields = header
    by_semicolon = ";" not in delimiter and _PARTED_BY_SEMICOLON.search(source.text) is not None
    csv.field_size_limit(_MAX_CELL)
    rows = csv.reader(source.text.splitlines(keepends=True), delimiter=delimiter)
    columns: list[str] | None = None
    unread: dict[str, None] = {}
    line = 1
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield UnreadPart(line, f"a broken row: {error}")
            line = rows.line_num + 1
            continue
        if row is None:
            break
        origin = EntryOrigin(source.path, line, rows.line_num)
        line = rows.line_num + 1
        if not any(cell.strip() for cell in row):
            continue
        if columns is None:
            columns = row
            continue
        row = [_GUARD.sub("", cell) for cell in row]
        cells = list(zip(fields, columns, row, strict=False))
        entry = _entry(cells, by_semicolon, origin, taxonomy.vocabulary)
        yield entry or UnreadPart(origin.line, "a row without a title")
        unread |= {
            column.strip(): None
            for field, column, cell in cells
            if not field and column.strip() and cell.strip()
            if fold_title(column) not in _OWN and taxonomy.vocabulary.role(column) is None
        }
    if unread:
        named = ", ".join(list(unread)[:_MOST_NAMED])
        more = f" and {len(unread) - _MOST_NAMED} more" if len(unread) > _MOST_NAMED else ""
        yield UnreadPart(1, f"what no field holds: {named}{more}", is_fault=False)


def _entry(
    row: Sequence[tuple[str, str, str]], by_semicolon: bool, origin: EntryOrigin, vocabulary: Vocabulary
) -> ImportedEntry | None:
    """Return the entry of a row: the field, the title of the column and the text of each cell. None without a title."""
    cells: dict[str, list[str]] = {}
    links: list[tuple[str, str]] = []
    for field, column, cell in row:
        if field and cell.strip():
            cells.setdefault(field, []).append(cell.strip())
        if field == "url":
            links += _links(cell)
        elif not field and fold_title(column) not in _OWN and vocabulary.role(column) is not None:
            found = _WEB.findall(cell)
            links += [(column.strip(), url) for url in found]
            if not found and any(map(str.isalnum, cell)):  # a column of `yes` and `no`
                cells.setdefault("notes", []).append(f"{column.strip()}: {cell.strip()}")
    first = {field: texts[0] for field, texts in cells.items()}
    title = first.get("title") or first.get("name") or ""
    title = to_unicode(title) if _LATEX.search(title) else title  # else `--` is no dash
    if not any(map(str.isalnum, title)):
        return None
    notes, venues = cells.get("notes", []), cells.get("venue", [])
    if any(column == "dialect" for _, column, _ in row):  # `shelfread export` joins and orders them so
        notes = [note for cell in notes for note in cell.split("; ")]
        venues.reverse()  # what is printed says more than the name: `CVPR Workshop`
    year = (stated := find_year(first.get("year", ""))) and stated.year
    section = map(str.strip, first.get("section", "").replace(" / ", " > ").split(" > "))
    return build_entry(
        title, origin._replace(section=list(filter(None, section))), KIND, vocabulary, year=year,
        authors=_people(first.get("authors", ""), by_semicolon), venue=best_venue({text: text for text in venues}, vocabulary, year),
        doi=first.get("doi"), arxiv=f"arXiv:{first.get('arxiv', '')} {' '.join(venues)}", links=dict.fromkeys(links), notes=notes,
        description=first.get("description"), name=first.get("name"), affiliations=first.get("affiliations", "").split("; "),
    )  # fmt: skip


def _links(cell: str) -> list[tuple[str, str]]:
    """Return the URLs of a cell: `Paper: https://...; Code: https://...` has their labels."""
    links: list[tuple[str, str]] = []
    done = 0
    for match in _WEB.finditer(cell):
        label = _LABEL.search(cell, done, match.start())
        links.append((label["label"] if label else "", match[0]))
        done = match.end()
    return links


def _people(cell: str, by_semicolon: bool) -> list[str]:
    """Return the people of a cell. In a table with `Stone, Ada; Field, Ben` a comma parts none (`by_semicolon`)."""
    if by_semicolon or ";" in cell:
        return [person.strip() for person in cell.split(";")]
    if " and " in cell and cell.count(",") in (0, cell.count(" and ") + 1):
        return [person.strip() for person in cell.split(" and ")]
    if _INVERTED.fullmatch(cell):
        return [cell]
    return split_people(cell) if cell else []
