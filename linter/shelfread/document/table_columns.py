"""The columns of a table: what each of them holds, by its cells, with its header as a witness.

Tells tables of entries from others too: results, matrices, legends, news.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.non_entries import ABOUT_LIST, CONTENTS, LEGEND, NEWS, RESULT, is_contents_list
from shelfread.document.recognizers.venues import is_citation
from shelfread.document.table_cells import Cell, TableRow, cell_at, cell_kind
from shelfread.taxonomy.vocabulary import Vocabulary

_SAMPLE = 20
_EDGE = " *_`:"
_HEADERS = {
    "venue": r"venues?(?: .*)?|conf(?:erence)?s?\.?|conferences?[ /&]+(?:journals?|affiliations?|year)|series|"
    r"publications?|publishers?|published(?: in| at)?|pub\.?(?: ?& ?date)?|journals?|where|source|会议|期刊|出处|发表.*",
    "year": r"years?|date|time|published on|publi(?:sh|cation) date|release (?:date|time)|年份|时间|日期|年",
    "authors": r"(?:\w+/)?authors?|first author|organi[sz]ations?(?: or |/)authors?|作者",
    "affiliations": r"(?:conferences?/)?affiliations?(?:/.*)?|team|institut(?:e|ion)s?|organi[sz]ations?(?: or authors?)?|"
    r"company|university|机构|单位",
    "description": r"descriptions?|introductions?|intro|pitch|details|summary|about|what|notes?|comments?|tl;?dr|key ?words?|"
    r"abstract|描述|简介|简述|介绍|说明|概要|説明",
    "name": r"abbreviations?|abbr\.?|acronyms?|short ?names?|alias|简称|缩写|略称",
}
_HEADER = {kind: lazy(rf"\W*(?:{words})\W*", re.IGNORECASE) for kind, words in _HEADERS.items()}
_TITLE = lazy(
    r"\W*(?:title|paper ?title|papers?|name|project|tool|api|library|resource|resources|model|method|dataset|benchmark|"
    r"framework|platform|repo(?:sitory)?|software|service|app|application|package|plugin|site|website|work|survey|book|"
    r"course|link|system|product|company|论文|标题|题目|名称|タイトル|제목)\W*",
    re.IGNORECASE,
)
_SPECIFIC = lazy(r"\btitles?\b|name|标题|题目|名称|タイトル|제목", re.IGNORECASE)
_TITLE_WORD = lazy(r"\btitles?\b", re.IGNORECASE)
_PAPER = lazy(r"\W*(?:papers?|论文|paper ?title)\W*", re.IGNORECASE)
_LINK = lazy(r"\W*(?:links?|repo(?:sitory)?|site|website)\W*", re.IGNORECASE)
# What is not a name although it is short and to the left.
_GROUP = lazy(r"\W*(?:categor\w+|topics?|types?|area|task|#|no\.?|steps?|class)\W*", re.IGNORECASE)
_SCORE = lazy(
    r"\b(?:acc(?:uracy)?|f-?1|f0\.5|bleu|rouge|meteor|perplexity|ppl|scores?|m?ap|avg\.?|average|mean|em|las|uas|wer|mrr|"
    r"rmse|mae|precision|recall|auc|top-?[15]|errors?|psnr|ssim|miou|iou|fps)\b|%|@\d",
    re.IGNORECASE,
)
# Numbers that say what a thing is, not how well it does.
_FACT = lazy(
    r"\b(?:version|size|param\w*|rating|price|cost|year|date|time|stars?|downloads?|citations?|impact|forks?|rank|"
    r"no|number of|total|pages?)\b|#|⭐",
    re.IGNORECASE,
)
_SOURCE = lazy(r"\W*(?:papers?|reference)\s?[/&]\s?sources?\W*", re.IGNORECASE)
_YEARS = lazy(
    r"\W*(?:before |since |until |<=?|>=?)?(?:19|20)\d\d(?:\s?[-–~]\s?(?:(?:19|20)?\d\d)?)?\W*", re.IGNORECASE
)
_CHANGES = lazy(r"\b(?:updates?|change(?:s|log)?|news|what's new)\b|更新", re.IGNORECASE)
_PEOPLE = lazy(r"\W*(?:contributors?|maintainers?)\W*", re.IGNORECASE)
_TITLED = lazy(r"\btitles?\b|标题|题目", re.IGNORECASE)


class TableColumn(NamedTuple):
    """What the cells of a column hold: how many of each kind, how many are not empty, how many differ."""

    header: str
    kinds: Counter[str]
    filled: int
    distinct: int
    long: int
    """The cells of four words or more."""
    prose: int
    """The cells of six words or more that are no links."""

    def share(self, *kinds: str) -> float:
        """Return the share of the cells that are not empty and of one of some kinds."""
        return sum(self.kinds[kind] for kind in kinds) / self.filled if self.filled else 0.0

    @property
    def is_titled(self) -> bool:
        """Whether the header names titles or names."""
        return is_title_header(self.header)


class Columns(NamedTuple):
    """The columns of a table: the index of each field's column, and the fields whose column is a guess."""

    indexes: Mapping[str, int]
    guessed: frozenset[str]
    columns: list[TableColumn]
    rows: int
    """The rows that were looked at."""

    def holds_links(self, index: int) -> bool:
        """Return whether a column is one of labels, such as `Paper` and `Code`."""
        return index < len(self.columns) and self.columns[index].share("labels") > 0.5


def find_columns(header: list[str], rows: list[TableRow], vocabulary: Vocabulary) -> Columns:
    """Return the columns of a table. `title` is missing if no column names what the rows list."""
    sample = rows[:: -(-len(rows) // _SAMPLE)]
    width = max((len(row.cells) for row in sample), default=0)
    headers = [*header, *[""] * (width - len(header))]
    columns = [_look_at(headers[i], [cell_at(row, i) for row in sample], vocabulary) for i in range(width)]
    indexes = {kind: i for kind in _HEADER if (i := _named(kind, columns)) is not None}
    guessed: set[str] = set()
    taken = set(indexes.values())
    title = _named_title(columns, taken)
    if title is None:
        linked_rows = sum(1 for row in sample if any(cell.plain.links for cell in row.cells))
        taken |= set(_by_content(columns, set()).values())
        title = _guessed_title(columns, len(sample), linked_rows, taken)
        if title is not None and columns[title].share("linked") <= 0.5:
            guessed.add("title")
    if title is None:
        return Columns(indexes, frozenset(), columns, len(sample))
    indexes = {kind: i for kind, i in indexes.items() if i != title} | {"title": title}
    for kind, i in _by_content(columns, set(indexes.values())).items():
        indexes.setdefault(kind, i)
    if "name" not in indexes and (name := _names(columns, title, set(indexes.values()))) is not None:
        indexes["name"] = name
    if "description" not in indexes:
        prose = (i for i, column in enumerate(columns) if column.prose > 0.5 * len(sample))
        described = next((i for i in prose if i not in indexes.values()), None)
        if described is not None:
            indexes["description"] = described
            guessed.add("description")
    return Columns(indexes, frozenset(guessed), columns, len(sample))


def names_field(header: str, vocabulary: Vocabulary) -> bool:
    """Return whether a header only says which field its cells hold, titles apart: `Venue`, `Links`, `Code`."""
    if vocabulary.role(header.strip(_EDGE)) is not None:
        return True
    return any(pattern.fullmatch(header) for pattern in (_LINK, *_HEADER.values()))


def is_title_header(text: str) -> bool:
    """Return whether a header names the column of titles or names."""
    return bool(_TITLE.fullmatch(text) or _TITLE_WORD.search(text))


def _look_at(header: str, cells: list[Cell], vocabulary: Vocabulary) -> TableColumn:
    kinds = Counter(cell_kind(cell, vocabulary) for cell in cells)
    texts = Counter(cell.plain.text.strip().casefold() for cell in cells)
    filled = len(cells) - kinds.pop("empty", 0)
    if filled > 3 and len(texts) < 0.3 * filled:
        kinds["labels"] += kinds.pop("linked", 0)  # `Profile` in every row
    lengths = [(len(text.split()), count) for text, count in texts.items()]
    long = sum(count for length, count in lengths if length >= 4)
    prose = sum(count for length, count in lengths if length >= 6) - kinds["linked"]
    return TableColumn(header, kinds, filled, len(texts), long, prose)


def _named(kind: str, columns: list[TableColumn]) -> int | None:
    """Return the first column whose header names a field, and whose cells don't contradict."""
    named = (i for i, column in enumerate(columns) if _HEADER[kind].fullmatch(column.header))
    return next((i for i in named if not _contradicts(kind, columns[i])), None)


def _contradicts(kind: str, column: TableColumn) -> bool:
    if kind == "year":
        dated = column.share("year", "venue", "name", "number", "words", "mark", "linked")
        return column.filled > 0 and dated < 0.5
    if kind == "description":
        return column.share("year", "number", "score") > 0.5
    if column.share("labels", "links", "year", "number", "score") <= 0.5:
        return False
    return kind != "venue" or column.share("venue") < 0.2


def _named_title(columns: list[TableColumn], taken: set[int]) -> int | None:
    """Return the column of titles by its header. Of several, that of papers wins, then the most specific name."""
    titles = {
        i: column.header
        for i, column in enumerate(columns)
        if i not in taken and column.is_titled and _may_be_title(column)
    }
    papers = [
        i
        for i, text in titles.items()
        if _PAPER.fullmatch(text) and columns[i].long > 0.5 * columns[i].filled
    ]
    specific = [i for i, text in titles.items() if _SPECIFIC.search(text)]
    others = [i for i, text in titles.items() if not _LINK.fullmatch(text)]
    return next(iter(papers or specific or others or titles), None)


def _may_be_title(column: TableColumn) -> bool:
    other = column.share("labels", "number", "score", "year")
    return other <= 0.5 or (other < 1 and column.share("linked", "words") > other)


def _guessed_title(columns: list[TableColumn], rows: int, linked_rows: int, taken: set[int]) -> int | None:
    """Return the column of titles by its cells: linked ones, else long ones, else names that all differ."""
    free = [(i, column) for i, column in enumerate(columns) if i not in taken]
    for i, column in free[:3]:
        if column.kinds["linked"] > 0.7 * rows:
            return i
    if linked_rows < 0.5 * rows or (0 in taken and columns[0].share("venue") > 0.5):
        return None  # nothing to list, or a list of venues
    for i, column in free[:4]:
        if column.long > 0.7 * rows and column.share("words", "linked", "venue", "people") > 0.7:
            return i
    for i, column in free[:3]:
        differ = column.filled > 0.7 * rows and column.distinct > 0.8 * rows
        are_names = column.share("name", "words", "linked", "people") > 0.6
        if differ and are_names and not _GROUP.fullmatch(column.header):
            return i
    return None


def _by_content(columns: list[TableColumn], taken: set[int]) -> dict[str, int]:
    """Return the columns that most of their cells prove, whatever their header says."""
    proved: dict[str, int] = {}
    for i, column in enumerate(columns):
        if i in taken or column.filled < 2 or column.is_titled:
            continue
        if column.share("venue") > 0.6:
            proved.setdefault("venue", i)
        elif column.share("people") > 0.6:
            proved.setdefault("authors", i)
        elif not column.header.strip() and column.share("year") > 0.8:
            proved.setdefault("year", i)
        elif not column.header.strip() and column.share("organisations") > 0.6:
            proved.setdefault("affiliations", i)
    return proved


def _names(columns: list[TableColumn], title: int, taken: set[int]) -> int | None:
    """Return the column to the left of the titles that has short names for them."""
    for i, column in enumerate(columns[:title]):
        if i in taken or not column.is_titled or column.long > 0.3 * column.filled:
            continue
        if column.distinct > 0.8 * max(column.filled, 1) and column.share("name", "linked", "venue") > 0.6:
            return i
    return None


def why_no_entries(
    header: list[str], rows: list[TableRow], columns: Columns, vocabulary: Vocabulary
) -> str | None:
    """Return what a table is if its rows are no entries, else None."""
    links = [link.link for row in rows for cell in row.cells for link in cell.plain.links]
    if any(map(_PEOPLE.fullmatch, header)):
        return ABOUT_LIST
    if _is_matrix(header, vocabulary):
        return LEGEND
    if _are_results(header, columns):
        return RESULT
    if "title" in columns.indexes:
        link_lists = any(column.share("links") > 0.5 for column in columns.columns)
        return LEGEND if link_lists and "title" in columns.guessed else None
    if is_contents_list(links):
        return CONTENTS
    return NEWS if not links and _CHANGES.search(" ".join(header)) else LEGEND


def _is_matrix(header: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether the columns of a table are years or venues."""
    others = [text for text in header[1:] if text]
    marks = sum(
        1 for text in others if _YEARS.fullmatch(text) or (text.isupper() and is_citation(text, vocabulary))
    )
    return marks >= 2 and marks > 0.6 * len(others)


def _are_results(header: list[str], columns: Columns) -> bool:
    """Return whether rows are results: columns of scores, beside names that have no link of their own."""
    title = columns.indexes.get("title")
    if title is not None and _TITLED.search(columns.columns[title].header):
        return False
    has_source = any(map(_SOURCE.fullmatch, header))
    scores = 0
    for i, column in enumerate(columns.columns):
        is_number = column.share("score", "number") >= 0.6 and not _FACT.search(column.header)
        if i not in columns.indexes.values() and is_number:
            scores += bool(has_source or _SCORE.search(column.header) or column.share("score") > 0.5)
    if scores == 0:
        return False
    if scores >= max(2, 0.5 * (len(columns.columns) - 1)) or title is None:
        return True
    if any(column.is_titled for column in columns.columns[:title]):
        return True  # the paper is only the named thing's source
    return columns.columns[title].kinds["linked"] < 0.5 * columns.rows
