"""Entries in tables: the title cell of a row, read as a line of a list is, and the fields and links of its other cells."""

from __future__ import annotations

import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.classic import build_classic, further_links
from shelfread.document.entry.entry_fields import Setting, assumed_year, entry_identifiers, unlabelled_link
from shelfread.document.entry.link_labels import clean_label, image_label
from shelfread.document.entry.paper import build_paper, is_paper
from shelfread.document.entry.prefix import (
    MAX_NAME_WORDS,
    names_nothing,
    names_something,
    names_something_only,
)
from shelfread.document.entry.readings import Line, Reading, choose_reading
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.title_line import (
    TitleLine,
    open_line,
    read_open_line,
    read_simple_title_line,
    read_title_line,
)
from shelfread.document.identity import is_paper_url
from shelfread.document.item_reader import line_form
from shelfread.document.model import Citation, Entry, Field, LabelledLink, NonEntry
from shelfread.document.non_entries import INTERNAL, is_internal_url, links_internally, non_entry
from shelfread.document.paragraphs import inline_lines, sub_block
from shelfread.document.plain_text import PlainText, TextRange, find_fields, plain_text, render_plain_text
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_organisation_alone,
    names_organisation,
)
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    are_authors,
    find_people,
    people_and_organisations,
)
from shelfread.document.recognizers.unlisted_venues import VENUE_WORD
from shelfread.document.recognizers.venues import only_cites
from shelfread.document.table_cells import (
    Cell,
    TableRow,
    cell_at,
    cell_citation,
    find_best_mention,
    find_cell_mention,
    outside,
    to_cell,
    unknown_venue,
)
from shelfread.document.table_columns import Columns, find_columns, why_no_entries
from shelfread.document.years import find_odd_year, find_year
from shelfread.markdown.node import Block, Inline, Link, Text
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

_TITLE_BELOW = lazy(r"[*_ ]{0,6}\n(?P<title>(?:[^\s\0]+ ){3,30}[^\s\0]+[^\s\0.])\s*$")
_ABOUT_PEOPLE = ("authors", "affiliations")
_CITING = ("venue", "year", "authors")  # what may state the venue, best first: `Stone et al., KDD (2014)`
_LICENCE = lazy(r"licen[cs]|许可|라이선스|ライセンス", re.IGNORECASE)
_BETWEEN_HANDLES = lazy(r"[,&/、;，；]|\sand\s")
_COUNTS = lazy(
    r"\W*(?:(?:s\.? ?)?no|nr|n|num(?:ber)?|id|index|idx|rank|pos(?:ition)?|序号|编号|番号|번호)?\W*",
    re.IGNORECASE,
)
_MAX_NAME = 8
_IN_BRACKETS = lazy(r"\s{0,3}[(（](?P<words>[^()（）\0\n]*[^\W\d_]{3}[^()（）\0\n]*)[)）]\s*")
_MIN_SERIES = 4  # so many cells of a column are read together
_MOST_CUT = 0.2  # so few titles of a column end before words of their cells by mistake
_LONGEST = 200  # characters of a cell that may be a title
_SAMPLE = 40  # of so many rows, the columns of all tables with a header are decided


class _Table(NamedTuple):
    """A table whose rows are entries: its header, its columns, how its titles are read, and whether most rows surely are papers."""

    header: list[str]
    columns: Columns
    setting: Setting
    readings: Mapping[str, Reading] = MappingProxyType({})  # by the form of the cell
    lists_papers: bool = False


class _Row(NamedTuple):
    """A row that is an entry: the index and the title line of its title cell, its other fields' cells and its links."""

    row: TableRow
    title: int
    line: TitleLine
    cells: dict[str, PlainText]
    links: tuple[LabelledLink, ...]


class TableReader:
    """Reads the Markdown tables of a document. Those with the same header have the same columns."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        """`blocks` are those of the document."""
        self._rows: defaultdict[tuple[str, ...], list[Block]] = defaultdict(list)
        self._alike: dict[tuple[str, ...], tuple[Columns, list[TableRow]]] = {}
        for block in blocks:
            if block.kind == "table" and any(header := _header(block)):
                self._rows[header] += block.blocks[1:]

    def read(self, table: Block, setting: Setting) -> list[Entry | NonEntry]:
        """Return the entries of a table."""
        header = _header(table)
        half = len(header) // 2
        if not header:
            return []
        if half > 1 and any(header) and header[:half] == header[half:]:
            return read_rows(list(header[:half]), _rows(_halves(table.blocks[1:], half)), setting)
        alike = self._rows[header]
        if len(alike) > len(table.blocks) and header not in self._alike:
            alike = list(filter(_is_filled, alike))
            sample = _listing(_rows(alike[:: -(-len(alike) // _SAMPLE)]), header)
            if sample:
                self._alike[header] = find_columns(list(header), sample, setting.vocabulary), sample
        return read_rows(list(header), _rows(table.blocks[1:]), setting, *self._alike.get(header, ()))


def _header(table: Block) -> tuple[str, ...]:
    if not table.blocks or table.blocks[0].level != 0:
        return ()
    return tuple(plain_text(cell.inlines) for cell in table.blocks[0].blocks)


def _halves(rows: Iterable[Block], width: int) -> Iterator[Block]:
    """Yield the halves of rows below a header that names the same columns twice: `| Name | Place | Name | Place |`."""
    for row in rows:
        for cells in (row.blocks[:width], row.blocks[width:]):
            if cells:
                yield row._replace(start=cells[0].start, end=cells[-1].end, blocks=cells)


def _is_filled(row: Block) -> bool:
    """Return whether a row has an address or words, and is none to be filled in: `| | [Link]() |`."""
    nodes = (node for cell in row.blocks for node in cell.inlines)
    return any(
        node.url if isinstance(node, Link) else any(map(str.isalnum, plain_text((node,)))) for node in nodes
    )


def _rows(blocks: Iterable[Block]) -> list[TableRow]:
    return [TableRow([to_cell(cell.inlines) for cell in row.blocks], row) for row in blocks]


def _listing(rows: Iterable[TableRow], header: Sequence[str]) -> list[TableRow]:
    """Return the rows without those that only repeat the header or say what is below them."""
    return [row for row in rows if not _repeats_header(row, header) and not _is_group_heading(row)]


def read_rows(
    header: list[str],
    rows: list[TableRow],
    setting: Setting,
    columns: Columns | None = None,
    sample: Sequence[TableRow] = (),
) -> list[Entry | NonEntry]:
    """Return the entries of a table's rows, or one non-entry if the table lists something else.

    `columns` are known if other tables have the same, and then a `sample` of the rows of all of them.
    """
    vocabulary = setting.vocabulary
    rows = _listing(rows, header)
    if not rows:
        return []
    columns = columns or find_columns(header, rows, vocabulary)
    reason = why_no_entries(header, [*rows, *sample], columns, vocabulary)
    if reason is not None:
        last = rows[-1].block
        whole = rows[0].block._replace(end=last.end, last=last.last)
        return [non_entry(whole, reason)._replace(rows=len(rows))]
    title = columns.indexes["title"]
    own = [row for index, row in enumerate(rows) if not (index and cell_at(row, title).continues)]
    several = {row.block.start: _papers_in(cell_at(row, title), vocabulary) for row in own}
    own = [_with_cell(row, title, parts[0]) if (parts := several[row.block.start]) else row for row in own]
    table = _Table(header, columns, setting, _readings([cell_at(row, title) for row in own], vocabulary))
    found = [read for row in own if (read := _read_cells(row, title, table)) is not None]
    named = [_with_title_below(row, columns, MAX_NAME_WORDS) for row in found]
    if 2 * sum(map(operator.is_not, found, named)) >= len(found):
        named = [_with_title_below(row, columns, _MAX_NAME) for row in found]
    found = named
    entire = [_with_whole_title(row) if row.title == title else row for row in found]
    is_rare = sum(map(operator.is_not, found, entire)) <= _MOST_CUT * len(found)
    found = entire if is_rare and columns.columns[title].share("long") > 0.5 else found
    papers = [_is_paper(row, vocabulary) for row in found]
    table = table._replace(
        lists_papers="venue" in columns.indexes or _are_papers(columns) or sum(papers) > 0.5 * len(papers)
    )
    entries: list[Entry | NonEntry] = []
    for row in found:
        entries.append(_entry_or_none(row, table))
        for part in several[row.row.block.start][1:]:
            block = sub_block(part, row.row.block, setting.source)
            line = read_title_line(render_plain_text(part), vocabulary, named=True)
            entries.append(build_paper(line, [], block, setting))
    return entries


def _papers_in(cell: Cell, vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """Return the lines of a cell if each begins with a venue and its year: `[KDD14] Tidy Shelves <br> [ICML15] Shelves`."""
    lines = [line for line in inline_lines(cell.inlines) if plain_text(line).strip()]
    if len(lines) < 2:
        return []
    opened = (open_line(render_plain_text(line), vocabulary, named=True) for line in lines)
    are_cited = all(
        any(mention.year for mention in line.prefix.mentions) and line.title.range for line in opened
    )
    return lines if are_cited else []


def _with_cell(row: TableRow, index: int, inlines: tuple[Inline, ...]) -> TableRow:
    return row._replace(cells=[*row.cells[:index], to_cell(inlines), *row.cells[index + 1 :]])


def _are_papers(columns: Columns) -> bool:
    """Return whether a table has a column of papers, by its header, and their authors or names."""
    titles = columns.columns[columns.indexes["title"]]
    if "authors" not in columns.indexes and not ("name" in columns.indexes and titles.share("long") > 0.5):
        return False
    return titles.says("paper")


def _repeats_header(row: TableRow, header: Sequence[str]) -> bool:
    """Return whether a row mostly is the header once more, or the second line of a header that spans two."""
    repeated = sum(
        bool(above)
        and not cell.plain.links
        and " ".join(cell.plain.text.split()).casefold() == above.casefold()
        for cell, above in zip(row.cells, header, strict=False)
    )
    return 2 * repeated > len(row.cells)


def _is_group_heading(row: TableRow) -> bool:
    """Return whether a row only says what is below it, in bold in one of its cells or in a cell that spans all."""
    filled = [cell for cell in row.cells if cell.plain.text.strip() or cell.plain.images]
    if len(row.cells) < 2 or len({id(cell.inlines) for cell in filled}) != 1 or filled[0].plain.links:
        return False
    plain = filled[0].plain
    return len(filled) == len(row.cells) or any(end - start == len(plain.text) for start, end in plain.strong)


def _read_cells(row: TableRow, title: int, table: _Table) -> _Row | None:
    """Return a row with its title line, or None if it has none: a name or thing in another column if the title is empty."""
    columns, vocabulary = table.columns, table.setting.vocabulary
    candidates = list(dict.fromkeys((title, *columns.titles)))
    for index in candidates:
        line = _title_line(cell_at(row, index), vocabulary, table.readings if index == title else {})
        words = line.title_text
        names_none = vocabulary.role(words) is not None or is_organisation_alone(words)
        if names_none and index != candidates[-1] and line.title_link is not None:
            continue  # `[Technical report](u)` in a column of papers
        if any(map(str.isalnum, line.title_text)) or (index == title and line.title_link is not None):
            cells = {kind: cell_at(row, i).plain for kind, i in columns.indexes.items() if i != index}
            return _Row(row, index, line, cells, _cell_links(row, index, table))
    return None


def _readings(cells: Sequence[Cell], vocabulary: Vocabulary) -> dict[str, Reading]:
    """Return how the cells of a column are read, by their form, as the lines of a list are, if they are best read together."""
    if len(cells) < _MIN_SERIES:
        return {}
    forms: defaultdict[str, list[Line]] = defaultdict(list)
    for cell in cells[:: -(-len(cells) // _SAMPLE)]:
        forms[line_form(cell.inlines)].append(open_line(cell.plain, vocabulary, named=True).in_series)
    chosen = {
        form: choose_reading(lines, vocabulary)
        for form, lines in forms.items()
        if len(lines) >= _MIN_SERIES or form != "text"  # a few cells without markup show nothing
    }
    return {form: reading for form, reading in chosen.items() if reading is not None}


def _title_line(cell: Cell, vocabulary: Vocabulary, readings: Mapping[str, Reading]) -> TitleLine:
    if readings and (reading := readings.get(line_form(cell.inlines))) is not None:
        return read_open_line(open_line(cell.plain, vocabulary, named=True), vocabulary, reading)
    line = read_simple_title_line(cell.inlines, cell.plain, vocabulary) if cell.inlines else None
    line = line or read_title_line(cell.plain, vocabulary, named=True)
    name, dash, said = line.title_text.partition(" - ")
    if line.title is None or line.shape != "plain" or not (dash and is_prose(said)):
        return line
    return line._replace(title=TextRange(line.title.start, line.title.start + len(name)))


def _with_whole_title(row: _Row) -> _Row:
    """Return a row with all of its cell as the title if the title ends before words that are no citation: `Tidy Shelves, Stone Walls`."""
    line, title = row.line, row.line.title
    behind = line.plain.text[title.end :].rstrip() if title is not None else ""
    says_more = line.plain.links or line.mentions or line.year or line.leading_authors or "\n" in behind
    is_cut = line.shape == "plain" and any(map(str.isalpha, behind)) and "." not in (behind[0], behind[-1])
    if title is None or says_more or not is_cut or len(line.plain.text) > _LONGEST:
        return row
    end = title.end + len(behind)
    return row._replace(
        line=line._replace(title=TextRange(title.start, end), after_title=end, extended_end=None)
    )


def _with_title_below(row: _Row, columns: Columns, most_words: int) -> _Row:
    """Return the row of a paper with the title that stands below its name: `**[TS](u)**<br>Tidy Shelves for Readers`."""
    line, name = row.line, row.line.title
    says_paper = row.title < len(columns.columns) and columns.columns[row.title].says("paper")
    if not says_paper or name is None or line.name or len(line.title_text.split()) > most_words:
        return row
    below = _TITLE_BELOW.match(line.unread, name.end)
    if below is None or are_authors(below["title"]):
        return row
    return row._replace(line=line._replace(title=TextRange(*below.span("title")), name=name, shape="plain"))


def _entry_or_none(row: _Row, table: _Table) -> Entry | NonEntry:
    """Return the entry of a row, or that it has none as it links to the list itself."""
    is_cited = not {"venue", "year"}.isdisjoint(row.cells)  # notes on the paper
    link = row.line.title_link
    leads_inside = links_internally(row.line) and not (is_cited and link and link.link.url[:1] != "#")
    if leads_inside and all(is_internal_url(link.link.url) for link in row.links):
        return non_entry(row.row.block, INTERNAL)
    return _entry(row, table)


def _entry(row: _Row, table: _Table) -> Entry:
    """Return the entry of a row: what its title's cell states, and for what that lacks, its other cells."""
    columns, vocabulary, cells, block = table.columns, table.setting.vocabulary, row.cells, row.row.block
    words = len(row.line.title_text.split())
    is_cited = "venue" in cells and any(map(str.isalpha, cells["venue"].text))
    least = 2 if is_cited else MAX_NAME_WORDS + 1
    if _is_paper(row, vocabulary) or (table.lists_papers and words >= least):
        entry = build_paper(row.line, [], block, table.setting)
    else:
        entry = build_classic(row.line, block, table.setting)
    if whole := _whole_name(entry, row, columns):
        entry = entry._replace(title=whole, name=whole, description=None, notes=())
    listed = {link.link.start for link in entry.links}
    inner = (
        link
        for link in row.line.plain.links
        if link.link.start not in listed and link.end <= row.line.after_title
    )
    links = (*entry.links, *(unlabelled_link(row.line.plain, link, vocabulary) for link in inner), *row.links)
    said = [text for text in (_said(cells.get("description")), entry.description) if text is not None]
    entry = entry._replace(
        name=_name(entry, row, columns),
        description=said[0] if said else None,
        links=links,
        identifiers={**entry_identifiers(links), **entry.identifiers},
    )
    entry = _add_citation(_add_byline(entry, row, vocabulary), cells, columns, vocabulary)
    notes = (*entry.notes, *said[1:], *_cell_notes(entry, row, table))
    return _doubt_missing(entry._replace(notes=notes), cells)


def _whole_name(entry: Entry, row: _Row, columns: Columns) -> Field | None:
    """Return the words of a cell without a link below `Name`: all of them are the name, `Shelf: books`, `Oak Inc.`

    So they are below other headers if all begin with capitals: `Shelf Wars (Gold)`.
    """
    plain, title = row.line.plain, row.line.title
    is_name = entry.kind == "classic" and title is not None and row.line.shape == "plain" and not plain.links
    if not is_name or title is None:
        return None
    words = plain.text[title.start :].split()
    are_capitals = not any(word.strip("([")[:1].islower() for word in words) and entry.year is None
    if not (columns.columns[row.title].says("title") or are_capitals) or find_year(plain.text):
        return None
    return (
        Field(" ".join(words), plain.span(title.start, len(plain.text))) if len(words) <= _MAX_NAME else None
    )


def _doubt_missing(entry: Entry, cells: dict[str, PlainText]) -> Entry:
    """Return an entry for which those of venue and authors are a guess whose cells have words that were not read."""
    read = {"venue": entry.citation, "authors": entry.authors}
    missed = {
        kind
        for kind, value in read.items()
        if not value and kind in cells and any(map(str.isalnum, cells[kind].text))
    }
    return entry._replace(guessed=entry.guessed | missed) if missed else entry


def _is_paper(row: _Row, vocabulary: Vocabulary) -> bool:
    """Return whether a row has what only papers have, in its title's cell or in another."""
    line, cells = row.line, row.cells
    if not line.mentions and not any(label.role and label.role.id == "paper" for label in line.labels):
        line = line._replace(labels=[])  # beside a tool's name stand labels too
    if is_paper(line, [], vocabulary) or any(is_paper_url(link.link.url, vocabulary) for link in row.links):
        return True
    cited = (find_best_mention(cells[kind].text, vocabulary) for kind in _CITING if kind in cells)
    return any(mention is not None for mention in cited) or " et al" in line.plain.text


def _add_citation(
    entry: Entry, cells: dict[str, PlainText], columns: Columns, vocabulary: Vocabulary
) -> Entry:
    """Return an entry with the venue and year of its other cells. A venue in the title's cell takes precedence, but no preprint server."""
    citation = entry.citation
    is_preprint = citation is not None and citation.venue is not None and citation.venue.kind == "preprint"
    if entry.kind == "paper" and (citation is None or citation.venue is None or is_preprint):
        told = _citation(cells, columns, vocabulary)
        # The words of a citation come before those of a column unless it is the column that names a known venue.
        citation = told if told and (citation is None or is_preprint or told.venue) else citation
    cell = cells.get("year") or cells.get("venue")
    stated = find_year(cell.text) if cell is not None else None
    if stated is None and "year" in cells:
        stated = find_odd_year(cells["year"].text)
    year, from_arxiv_id = entry.year, entry.year_from_arxiv_id
    if stated is None and year is not None and not from_arxiv_id and citation is not None:
        of_preprint = citation.venue is not None and citation.venue.kind == "preprint"
        if of_preprint and find_year(citation.text) is None:
            citation = citation._replace(year=None)  # that of its arXiv id
    if citation is not entry.citation and citation is not None and citation.year:
        year, from_arxiv_id = citation.year, False
    elif stated is not None:
        year, from_arxiv_id = stated.year, False
    elif year is None or (citation is not entry.citation and from_arxiv_id):
        year = assumed_year(citation, entry.identifiers)
        from_arxiv_id = year is not None
    return entry._replace(citation=citation, year=year, year_from_arxiv_id=from_arxiv_id)


def _citation(cells: dict[str, PlainText], columns: Columns, vocabulary: Vocabulary) -> Citation | None:
    """Return the venue in a row: in its column, or else in those of the year, of people and of the affiliations."""
    for kind in (*_CITING, "affiliations"):
        if kind in cells and (citation := cell_citation(cells[kind], vocabulary)):
            return citation
    unknown = unknown_venue(cells["venue"], vocabulary) if "venue" in cells else None
    is_shared = columns.indexes.get("venue") == columns.indexes.get("affiliations")
    return unknown if unknown is None or not is_shared or _is_formed(unknown.text) else None


def _is_formed(words: str) -> bool:
    """Return whether words of a column of venues and organisations are a venue: `Annals of Shelves`, `XYZC 2020`."""
    return find_year(words) is not None or VENUE_WORD.search(words) is not None


def _add_byline(entry: Entry, row: _Row, vocabulary: Vocabulary) -> Entry:
    """Return an entry with the authors and affiliations of its other cells."""
    authors, affiliations = entry.authors, entry.affiliations
    people, groups = (row.cells.get(kind) for kind in _ABOUT_PEOPLE)
    if people is None and groups is not None and " et al" in groups.text:
        people, groups = groups, None
    start, end = _people_in(people.text, vocabulary) if people is not None else (0, 0)
    if people is not None and are_authors(people.text[start:end], minimum=1 if people is groups else 0):
        authors = authors or tuple(find_people(people, people.text, start, end))
        groups = groups if groups is not people else None
    elif people is not None and (mixed := people_and_organisations(people, people.text, minimum=1)):
        authors, affiliations = authors or tuple(mixed[0]), affiliations or tuple(mixed[1])
    elif people is not None and groups is None and are_organisations(people.text):
        groups = people
    elif people is not None and people is not groups and not names_organisation(people.text):
        authors = authors or _handles(people)  # a column that says so has people, even if they write `ada42`
    if groups is not None and _cell_field(groups) and not affiliations:
        affiliations = tuple(find_organisations(groups, *_without_citation(groups, vocabulary)))
    if not authors and " et al" in entry.title.value and are_authors(entry.title.value):
        value = entry.title.value.partition(" et al")[0]
        authors = (Field(value, Span(entry.title.span.start, entry.title.span.start + len(value))),)
    return entry._replace(authors=authors, affiliations=affiliations)


def _people_in(text: str, vocabulary: Vocabulary) -> tuple[int, int]:
    """Return the range of the people in a cell: `by Ada Stone`, `(Ada Stone, Ben Field)`, `Stone et al., KDD (2014)`."""
    lead = BEFORE_PEOPLE.match(text)
    start = lead.end() if lead else 0
    if find_year(text) is not None and (cited := find_best_mention(text, vocabulary)) and cited.start > start:
        return start, len(text[: cited.start].rstrip(" ,;.(["))
    return start, len(text.rstrip(")] ")) if text[:start].strip()[:1] in tuple("([") else len(text)


def _handles(cell: PlainText) -> tuple[Field, ...]:
    """Return what a cell of people calls them: accounts, names in Chinese, or groups in capitals, `Security Runners`."""
    names = [name.strip(" *_`|-–—\n") for name in _BETWEEN_HANDLES.split(cell.text)]
    if "://" in cell.text or any(" " in name and not name.istitle() for name in names):
        return ()
    return tuple(find_fields(names, cell, cell.text, 0, len(cell.text)))


def _without_citation(cell: PlainText, vocabulary: Vocabulary) -> tuple[int, int]:
    """Return the range of the affiliations in a cell that may state a venue too: `ICML 2023 (ETH; CMU)`."""
    text, opening = cell.text, cell.text.find("(")
    parts = [(0, opening), (opening + 1, text.rfind(")"))] if opening > 0 else [(0, len(text))]
    words = [text[start:end].strip() for start, end in parts]
    free = [
        part
        for part, said in zip(parts, words, strict=True)
        if not (_is_formed(said) or find_cell_mention(said, vocabulary))
    ]
    return (0, len(text)) if len(free) == len(parts) else next(iter(free), (0, 0))


def _name(entry: Entry, row: _Row, columns: Columns) -> Field | None:
    """Return the name in a column that says so, in the title, in another column, or the title itself in a column of names."""
    own = entry.name
    titles = columns.columns[row.title] if row.title < len(columns.columns) else None
    if "name" in row.cells:
        name = _cell_field(row.cells["name"])
        if name is None or " et al" in name.value:
            return own
        if titles is not None and titles.holds_citations:
            return name
        if len(name.value.split()) > MAX_NAME_WORDS:
            return own
        are_names = columns.columns[columns.indexes["name"]].says("title") and not names_nothing(name.value)
        is_better = own is None or (names_something_only(name.value) and not names_something(own.value))
        return name if entry.kind != "paper" or are_names or is_better else own
    if entry.kind == "paper" and own is not None:
        return own
    value = entry.title.value
    most = 1 if entry.kind == "paper" and titles is not None and titles.says("paper") else MAX_NAME_WORDS
    is_short = titles is not None and titles.share("long") < 0.5
    if is_short and 0 < len(value.split()) <= most and " et al" not in value:
        return entry.title
    return entry.name


def _cell_field(cell: PlainText | None) -> Field | None:
    value = " ".join(cell.text.split()) if cell else ""
    return (
        Field(value, cell.span(0, len(cell.text)))
        if cell and value.strip("-–—―/ ").casefold() not in ("", "n/a")
        else None
    )


def _codes(cell: Cell) -> Field | None:
    """Return what a cell of nothing but emoji is written as: `:x:`."""
    codes = "".join(node.value for node in cell.inlines if isinstance(node, Text)).strip()
    is_all = codes and not cell.plain.text.strip()
    return Field(codes, Span(cell.inlines[0].start, cell.inlines[-1].end)) if is_all else None


def _said(cell: PlainText | None) -> Field | None:
    """Return the text of a description's cell, none if it is only the labels of links: `[Project](u) · [Video](v)`."""
    return _cell_field(cell) if cell and (not cell.links or outside(cell).strip()) else None


def _cell_notes(entry: Entry, row: _Row, table: _Table) -> Iterator[Field]:
    """Yield what the cells say that neither fields nor links of the entry hold, each behind the name of its column: `HTTPS: Yes`, `Linux: ✅`.

    Numbers left of the title count the rows.
    """
    header, columns = table.header, table.columns
    unread = {"venue"} if entry.citation is None and entry.kind == "classic" else set[str]()
    unread |= {"year"} if entry.year is None else set()
    read = {i for field, i in columns.indexes.items() if field not in unread}
    for i, cell in enumerate(row.row.cells[: len(columns.columns)]):
        if i == columns.indexes.get("venue") and (behind := _behind_citation(entry, cell.plain)):
            yield behind
        is_read = i == row.title or i in read
        column = header[i] if i < len(header) else ""
        is_count = i < row.title and columns.columns[i].share("number") > 0.5 and _COUNTS.fullmatch(column)
        are_links = cell.plain.links and not _leads_elsewhere(i, table) and not _says_more(cell.plain)
        if is_read or is_count or are_links:
            continue
        field = _cell_field(cell.plain) or _codes(cell)
        repeats = field is not None and fold(field.value) == fold(column)  # a link that is missing: `Code`
        if field is not None and not repeats and (column or any(map(str.isalnum, field.value))):
            yield field._replace(value=f"{column}: {field.value}") if column else field


def _says_more(cell: PlainText) -> bool:
    """Return whether a cell has words beside its links: `needs a press or [a saw](u)`."""
    return sum(len(word) > 1 and word.isalpha() for word in outside(cell).split()) > 1


def _behind_citation(entry: Entry, cell: PlainText) -> Field | None:
    """Return what stands in brackets behind the venue in its cell, and was not read: `arXiv 2022 (the first survey)`."""
    if entry.citation is None or entry.affiliations:
        return None
    said = _IN_BRACKETS.fullmatch(cell.text, cell.offset(entry.citation.span.end))
    if said is None or only_cites(said["words"]) or not cell.text.startswith(entry.citation.text):
        return None
    return Field(said["words"], cell.span(*said.span("words")))


def _leads_elsewhere(i: int, table: _Table) -> bool:
    """Return whether the links of a column are none of its entries: several rows share them, and it names no role."""
    column = table.header[i] if i < len(table.header) else ""
    return table.columns.leads_to_shared(i) and table.setting.vocabulary.role(column) is None


def _cell_links(row: TableRow, title: int, table: _Table) -> tuple[LabelledLink, ...]:
    """Return the links of the other cells. The label is the link's text, or else the column's name.

    Those of people and of organisations lead to other things, but for a paper that people stand for, and so do those
    that several rows share.
    Those of a cell that spans rows belong to what the rows have in common, unless they are labels.
    """
    header, columns, vocabulary = table.header, table.columns, table.setting.vocabulary
    elsewhere = {columns.indexes.get(kind) for kind in _ABOUT_PEOPLE}
    links: list[LabelledLink] = []
    for i, cell in enumerate(row.cells):
        plain = cell.plain
        if i == title or not plain.links or (cell.spans and not columns.holds_links(i)):
            continue
        is_one = len(plain.links) == 1
        if i in elsewhere and not (
            is_one and (is_paper_url(plain.links[0].link.url, vocabulary) or find_year(plain.text))
        ):
            continue
        column = header[i] if i < len(header) else ""
        if _leads_elsewhere(i, table):
            continue
        if i == columns.indexes.get("description"):
            links += further_links(plain, (), vocabulary)
            continue
        for link in plain.links:
            label = clean_label(" ".join(plain.text[link.start : link.end].split()))
            label = label or image_label(link.link, vocabulary)
            told = label if vocabulary.role(label) else column
            role = None if _LICENCE.search(column) else vocabulary.role(told, link.link.url)
            links.append(LabelledLink(label or column, role, link.link))
    return tuple(links)
