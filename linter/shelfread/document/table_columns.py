"""The columns of a table: what each of them holds, by what its cells have in common, with its header as one witness.

Tells tables of entries from others too: results, matrices, legends, news.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.titles import QUOTES
from shelfread.document.non_entries import CONTENTS, LEGEND, RESULT, VENUES, is_contents_list
from shelfread.document.recognizers.leading_people import people_by_form
from shelfread.document.recognizers.people import are_named, are_surely_people
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.table_cells import Cell, TableRow, cell_at, cell_kind, count_words
from shelfread.document.years import find_year
from shelfread.taxonomy.vocabulary import Vocabulary

_SAMPLE = 20
_MAX_CELL = 1000
_MAX_TITLES = 8
_EDGE = " *_`:"
# What a header says of its cells. It may say several things, `Conferences/Affiliations`: the cells decide.
_HEADERS = {
    "title": r"\b(?:titles?|(?:short )?names?|t[ií]t(?:ulos?|el|re)|nombres?|nomes?)\b|название|标题|题目|名称|タイトル|名前|제목|이름",
    "paper": r"\b(?:papers?|articles?|art[ií](?:culo|go)s?|artikel)\b|статья|论文",
    "thing": r"\b(?:projects?|tools?|apis?|librar(?:y|ies)|resources?|models?|methods?|datasets?|benchmarks?|frameworks?|"
    r"platforms?|repo(?:sitory)?|apps?|applications?|packages?|plugins?|website|books?|courses?|company|talks?)\b",
    "venue": r"\b(?:venues?|conf|conferences?|journals?|publications?|published(?! on)|pub|series|(?<!video )(?<!data )source|where|event|revistas?|publicaci[oó]n|publicação|zeitschrift|revue)\b|журнал|会议|期刊",
    "change": r"\b(?:last|updated?|added|deadline|commits?)\b",
    "year": r"\b(?:years?|dates?|time|published on|released?|año|ano|jahr|année|fecha|datum)\b|^\W*data(?: d[aeio]\b|\W*$)|год|дата|年|时间|日期",
    "authors": r"\b(?:authors?|aut(?:or(?:es|i|en|a|as)?|eure?s?)|speakers?|instructors?|presenters?|hosts?)\b|автор|作者|著者|저자",
    "affiliations": r"\b(?:affil(?:iations?)?|team|inst(?:itut\w*)?|org(?:s|ani[sz]ations?)?|company|university|publishers?|vendors?|developers?|creators?|providers?)\b|机构|单位|公司|企业|厂商|团队|开发者|開発元|提供元|運営|企業|기관|소속|제작자|개발사|회사",
    "description": r"\b(?:descriptions?|introductions?|details|summary|what|notes?|comments?|reviews?|key ?words?|descripci[oó]n|descrição|beschreibung)\b|описание|"
    r"描述|简介|介绍|说明|説明|설명|功能|用途",
    "condition": r"\b(?:prerequisites?|requirements?|effort|duration|difficulty)\b",
    "name": r"\b(?:abbr\w*|acronyms?|short ?names?|alias)\b|简称|缩写",
    "group": r"\b(?:categor\w+|topics?|types?|areas?|tasks?|steps?|class|weeks?|days?|lectures?|sessions?)\b",
}
_HEADER = {kind: lazy(words, re.IGNORECASE) for kind, words in _HEADERS.items()}
# Who presents a paper in a reading group is none of its authors.
_PRESENTERS = lazy(r"\b(?:presenters?|speakers?|hosts?|discussion leads?)\b", re.IGNORECASE)
_PUBLISHERS = lazy(r"\bpublishers?\b", re.IGNORECASE)  # of what a venue names
# How much each thing that is seen in a column speaks for a field: shares of its cells, each from 0 to 1, what its header
# says, and where it stands. A field is that of the best column, if that has enough.
_ENOUGH_FOR_TITLE, _ENOUGH_FOR_STRONG, _ENOUGH = 4.2, 3.5, 1.5
_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    # What a row lists is linked, or differs in each row, and stands to the left.
    "title": {
        "linked": 3.5, "quoted": 2.5, "reference": 6, "capitals": 1.5, "cited": -2, "address first": 6, "long": 1.5, "words": 0.5, "name": 0.5, "distinct": 2, "left": 2, "rows with links": 1.5,
        "says title": 3.5, "says paper": 2.5, "says thing": 1, "says nothing known": -1, "says condition": -1, "says group": -2, "says description": -4,
        "says authors": -1.5, "says venue": -1, "says year": -1, "says affiliations": -0.5, "repeats": -6,
        "behind names": -3, "beside titles": -4,
        "labels": -6, "links": -5, "number": -5, "score": -6, "year": -5, "mark": -5, "venue": -2, "people": -1.5,
        "empty": -4,
    },
    # A name beside the title is short, and its column is called as one of titles.
    "name": {"says name": 2, "says title": 1.5, "says thing": 1, "says paper": 1, "says nothing": 1, "name": 0.5, "linked": 0.5, "venue": 0.5, "distinct": 0.5,
             "long": -3, "labels": -3, "number": -3, "score": -3, "year": -3, "mark": -3, "empty": -1},
    # Venues prove themselves; those that nobody knows need a header.
    "venue": {"says venue": 2, "venue": 2.5, "cited": 2, "linked": -1.5, "labels": -1, "links": -1, "year": -1, "number": -1, "score": -1, "prose": -2,
              "says description": -2},
    # A year in a column with another header may be that of the last change.
    "year": {"says year": 2, "says venue": 1, "year": 1, "bare year": 0.75, "says nothing": 1, "says change": -2, "labels": -2, "links": -2, "score": -2, "people": -2, "prose": -2},
    "authors": {"says authors": 2, "people": 2.5, "unnamed": -2, "says title": -1, "says paper": -1, "says description": -2, "labels": -0.5, "number": -3, "year": -3},
    "affiliations": {"says affiliations": 2, "organisations": 1, "says nothing": 1, "labels": -1, "links": -1, "year": -1,
                     "number": -1, "score": -1},
    # A description is longer than a name and is no link.
    "description": {"says description": 5, "prose": 3, "widest": 1.75, "quoted": -3, "capitals": -2, "cited": -2, "behind names": 2.5, "number": -3, "score": -3, "year": -3, "labels": -1, "people": -1,
                    "says nothing known": -0.25, "says condition": -4, "says nothing": 0.75, "says paper": -2, "says title": -2},
}  # fmt: skip
_MAX_REPEATED = 8
_SENTENCE = lazy(r"(?:[ \t][a-z]{3,}\.|。)[ \t]*$")  # however short: `Bakes at night.`
# What the cells of a column are of which a third are known venues: the others are venues, too.
_LIKE_VENUES = frozenset(("venue", "cited", "name", "words", "organisations", "person", "year"))
# People, a title in quotes and a year: `Stone, Ada, and Ben Field. "Tidy Shelves." KDD (2014)`.
_REFERENCE = lazy(r"[^\W\d][^\"“”]{5,300}[.,:] ?[\"“][^\"“”]{10,300}[\"”].{0,200}?(?<!\d)(?:19|20)\d\d")
# `Stone, A., & Field, B. (2014). Tidy Shelves.`
_AFTER_YEAR = lazy(r"[^\W\d_][^()\n]{3,300}\((?:19|20)\d\d[a-z]?\)[.,:]?\s\S")
_SEVERAL = 0.25  # so many of the cells with people have to name several
_OWN, _DISTINCT = 0.9, 0.8  # so many rows have a link and a description, and so many are like no other
_SHARED = 0.4  # so many links of a column lead where another row's does: they are not what their rows list
# Numbers that say what a thing is, not how well it does.
_FACT = lazy(
    r"\b(?:version|size|param\w*|rating|price|cost|year|date|time|stars?|downloads?|citations?|impact|forks?|rank|"
    r"no|number of|total|pages?)\b|#|⭐",
    re.IGNORECASE,
)


class TableColumn(NamedTuple):
    """What is seen in a column: its header, and what there is of each kind of evidence (`_WEIGHTS`)."""

    header: str
    evidence: Mapping[str, float]

    def says(self, field: str) -> bool:
        """Return whether the header names a field."""
        return f"says {field}" in self.evidence

    @property
    def holds_citations(self) -> bool:
        """Whether most cells are whole citations."""
        return self.share("reference") > 0.5

    def share(self, *kinds: str) -> float:
        """Return the share of the cells that are not empty and of one of some kinds."""
        return sum(self.evidence.get(kind, 0) for kind in kinds)

    def score(self, field: str) -> float:
        """Return how much speaks for a field in this column."""
        weights = _WEIGHTS[field]
        return sum(weights[seen] * amount for seen, amount in self.evidence.items() if seen in weights)


class Columns(NamedTuple):
    """The columns of a table: the index of each field's column, and whether that of the titles is a guess."""

    indexes: Mapping[str, int]
    title_guessed: bool
    columns: list[TableColumn]
    # the columns that hold what a row lists, those first that are likeliest; further ones count where these
    # are empty.
    titles: tuple[int, ...] = ()

    def holds_links(self, index: int) -> bool:
        """Return whether a column is one of labels, such as `Paper` and `Code`."""
        return index < len(self.columns) and self.columns[index].share("labels") > 0.5

    def leads_to_shared(self, index: int) -> bool:
        """Return whether the links of a column lead where those of other rows do: to licences, platforms, people."""
        return index < len(self.columns) and self.columns[index].share("shared") > _SHARED


def find_columns(header: list[str], rows: list[TableRow], vocabulary: Vocabulary) -> Columns:
    """Return the columns of a table. `title` is missing if no column names what the rows list."""
    sample = rows[:: -(-len(rows) // _SAMPLE)]
    width = max((len(row.cells) for row in sample), default=0)
    headers = [*header, *[""] * (width - len(header))]
    linked = sum(1 for row in sample if any(cell.plain.links for cell in row.cells)) / len(sample)
    columns: list[TableColumn] = []
    place = 0  # how many columns to the left are more than numbers, marks and pictures
    for i, text in enumerate(headers[:width]):
        seen = {**_look_at([cell_at(row, i) for row in sample], vocabulary), **_heard(text)}
        seen["repeats"] = sum(_repeats(row, i) for row in sample) / len(sample)
        if seen.keys().isdisjoint(("says title", "says paper")) and any(map(_are_names, columns)):
            seen["behind names"] = seen.get("long", 0) * (1 - seen.get("linked", 0))
        if text.strip(_EDGE):
            seen.pop("capitals", None)  # a header says more
            if 2 * seen.get("year", 0) <= seen.get("name", 0) + seen.get("words", 0):
                seen["name"] = seen.get("name", 0) + seen.pop("year", 0)  # `Shelf 2000`, among names
        seen["address first"] = 0.0 if place else seen.pop("address", 0.0)
        columns.append(TableColumn(text, {**seen, "left": max(1 - place / 2, 0), "rows with links": linked}))
        place += columns[-1].share("number", "score", "mark", "labels") <= 0.5 or "says group" in seen
    columns = _with_widest(columns) if len(sample) > 1 else columns
    if any(column.says("title") and column.share("long") > 0.5 for column in columns):
        columns = [
            column
            if column.says("title")
            else column._replace(evidence={**column.evidence, "beside titles": 1.0})
            for column in columns
        ]
    scored = [(column.score(field), field, i) for i, column in enumerate(columns) for field in _WEIGHTS]
    told = {i: score for score, field, i in scored if field == "title" and score >= _ENOUGH_FOR_TITLE}
    # Names in bold need less where nothing else is a title.
    told = told or {
        i: score
        for score, field, i in scored
        if field == "title" and score >= _ENOUGH_FOR_STRONG and columns[i].share("strong") > 0.5
    }
    others = [item for item in scored if item[1] != "title" and item[0] >= _ENOUGH]
    others.sort(key=lambda item: (-item[0], item[2]))
    if not told:
        return Columns(_assign(columns, -1, others), False, columns)
    # Titles are not in the column that looks most like them, but in that with which all columns are explained best.
    fields = {i: _assign(columns, i, others) for i in list(told)[:_MAX_TITLES]}
    for i, assigned in fields.items():
        told[i] += sum(columns[j].score(field) for field, j in assigned.items())
    title = max(fields, key=told.__getitem__)
    indexes = {**fields[title], "title": title}
    if columns[title].holds_citations:  # beside whole citations, names may have any length
        free = (i for i, column in enumerate(columns) if i not in indexes.values() and column.says("title"))
        indexes.setdefault("name", next(free, -1))
        indexes = {field: i for field, i in indexes.items() if i >= 0}
    by = indexes.get("authors")
    if by is not None and columns[title].says("paper") and _PRESENTERS.search(columns[by].header):
        del indexes["authors"]
    who = indexes.get("affiliations")
    if who is not None and "venue" in indexes and _PUBLISHERS.search(columns[who].header):
        del indexes["affiliations"]
    is_guess = not (is_title_header(columns[title].header) or columns[title].share("linked") > 0.5)
    taken = {i for field, i in indexes.items() if field not in ("title", "name")}
    names = sorted(
        {*fields, indexes.get("name", title)} - taken,
        key=lambda i: (i != indexes.get("name"), -told.get(i, 0)),
    )
    return Columns(indexes, is_guess, columns, tuple(names))


def _with_widest(columns: list[TableColumn]) -> list[TableColumn]:
    """Return the columns, with it seen that one has words without links, long ones and others in each row, and no other does."""
    wide = [
        i
        for i, column in enumerate(columns)
        if column.share("long") > 0.5 and column.share("linked", "labels", "links", "people", "venue") < 0.5
    ]
    if (
        len(wide) != 1
        or columns[wide[0]].share("distinct") < 0.9
        or "says nothing known" not in columns[wide[0]].evidence
    ):
        return columns
    widest = columns[wide[0]]
    return [
        *columns[: wide[0]],
        widest._replace(evidence={**widest.evidence, "widest": 1.0}),
        *columns[wide[0] + 1 :],
    ]


def _are_names(column: TableColumn) -> bool:
    """Return whether a column has another short name in each row, which nothing links."""
    return column.share("name") > 0.8 and column.share("distinct") > 0.9


def _repeats(row: TableRow, index: int) -> bool:
    """Return whether a cell says what the first one does, perhaps with a word more: `Oak`, `[Oak paper](u)`."""
    first, text = (cell_at(row, i).plain.text.strip().casefold() for i in (0, index))
    return index > 0 and len(first) > 1 and text.startswith(first) and len(text) <= len(first) + _MAX_REPEATED


def _assign(columns: list[TableColumn], title: int, scored: list[tuple[float, str, int]]) -> dict[str, int]:
    """Return the column of each field beside the titles, the best first. A column that two fields call theirs holds both."""
    indexes: dict[str, int] = {}
    for _, field, i in scored:
        is_free = i not in indexes.values() or columns[i].says(field)
        if (
            i != title
            and field not in indexes
            and is_free
            and (field != "name" or _may_name(columns, i, title))
        ):
            indexes[field] = i
    return indexes


def _may_name(columns: list[TableColumn], index: int, title: int) -> bool:
    """Return whether a column may have names for the titles: it says so, or the titles are no names and it has another in
    each row, or stands before them.
    """
    titles, names = columns[title], columns[index]
    is_another = names.share("distinct") > 0.9 and names.share("name") > 0.5
    are_titles = titles.share("long") > 0.5 and not titles.says("thing")
    return names.says("name") or (are_titles and (index < title or is_another))


def is_title_header(text: str) -> bool:
    """Return whether a header names the column of titles or names."""
    return not _heard(text).keys().isdisjoint(("says title", "says paper", "says thing"))


def _heard(header: str) -> dict[str, float]:
    said = {f"says {kind}": 1.0 for kind, pattern in _HEADER.items() if pattern.search(header)}
    return said or {"says nothing known" if header.strip(_EDGE) else "says nothing": 1.0}


def _look_at(cells: list[Cell], vocabulary: Vocabulary) -> dict[str, float]:
    """Return what the cells of a column have in common: the share of each kind, how many are long and differ."""
    kind_of = [cell_kind(cell, vocabulary) for cell in cells]
    kinds = Counter(kind_of)
    empty = kinds.pop("empty", 0)
    one, several = kinds.pop("person", 0), kinds["people"]  # one person, or a name of two words
    kinds["people" if several and several >= _SEVERAL * (one + several) else "name"] += one
    if 3 * (kinds["venue"] + kinds["cited"]) >= len(cells) - empty and kinds.keys() <= _LIKE_VENUES:
        kinds = Counter(
            venue=sum(kinds.values()) - kinds["organisations"], organisations=kinds["organisations"]
        )
    texts = Counter(cell.plain.text.strip().casefold()[:_MAX_CELL] for cell in cells)
    filled = len(cells) - empty
    if filled == 0:
        return {"empty": 1.0}
    if filled > 2 and len(texts) <= filled / 3:
        kinds["labels"] += kinds.pop("linked", 0)  # `Profile` in every row, `Lab 1`, `Lab 2`, `Lab 3`
    links = {link.link.start: link.link.url for cell in cells for link in cell.plain.links}
    urls = [url for url in links.values() if url]
    long = sum(count for text, count in texts.items() if count_words(text) >= 4)
    prose = sum(
        (
            kind == "words"
            and count_words(cell.plain.text[:_MAX_CELL]) >= 6
            and not _in_capitals(cell.plain.text)
        )
        or (kind in ("words", "name") and _SENTENCE.search(cell.plain.text) is not None)
        for cell, kind in zip(cells, kind_of, strict=True)
    )
    return {
        **{kind: count / filled for kind, count in kinds.items()},
        "empty": empty / len(cells),
        "unnamed": kinds["people"] / filled if kinds["people"] and not _name_people(cells, kind_of) else 0.0,
        "own link": sum(bool(cell.plain.links) for cell in cells) / filled,
        "distinct": (len(texts) - (empty > 0)) / filled,
        "long": long / filled,
        "prose": prose / len(cells),
        "shared": 1 - len(set(urls)) / len(urls) if len(urls) > 3 else 0.0,
        "bare year": sum(count for text, count in texts.items() if len(text) == 4 and text.isdigit())
        / filled,
        "strong": sum(map(_is_strong, cells)) / filled,
        "quoted": sum(cell.plain.text.lstrip()[:1] in QUOTES for cell in cells) / filled,
        "reference": sum(_is_reference(cell.plain.text[:_MAX_CELL]) for cell in cells) / filled,
        "capitals": sum(_in_capitals(cell.plain.text) for cell in cells) / filled,
        "asks": sum(count for text, count in texts.items() if text.endswith(("?", "？"))) / filled,
        "address": sum(map(_is_address, cells)) / filled,
    }


def _is_reference(text: str) -> bool:
    """Return whether a text is a whole citation: people and a title in quotes, or people with initials, a year and a title."""
    if _REFERENCE.match(text):
        return True
    return _AFTER_YEAR.match(text) is not None and people_by_form(text) is not None


def _name_people(cells: list[Cell], kinds: list[str]) -> bool:
    """Return whether given names, initials or years show that some of the cells of people have people: no `Rope & Knot Failure`, `CT, MRI`."""
    texts = (cell.plain.text for cell, kind in zip(cells, kinds, strict=True) if kind in ("people", "person"))
    return any(
        are_named(text) or find_year(text) is not None or ("." in text and are_surely_people(text))
        for text in texts
    )


def _in_capitals(text: str) -> bool:
    """Return whether a text is a title in capitals, and no sentence."""
    return (
        len(text.split()) >= 4 and not text.rstrip().endswith((".", "。")) and in_title_case(text[:_MAX_CELL])
    )


def _is_strong(cell: Cell) -> bool:
    """Return whether all words of a cell are in bold."""
    return any(
        cell.plain.text[start:end].strip() == cell.plain.text.strip() for start, end in cell.plain.strong
    )


def _is_address(cell: Cell) -> bool:
    links = cell.plain.links
    return (
        len(links) == 1
        and links[0].link.form in ("bare", "autolink")
        and links[0].end - links[0].start == (len(cell.plain.text.strip()))
    )


def why_no_entries(
    header: list[str], rows: list[TableRow], columns: Columns, vocabulary: Vocabulary
) -> str | None:
    """Return what a table is if its rows are no entries, else None."""
    links = [link.link for row in rows for cell in row.cells for link in cell.plain.links]
    if _is_matrix(header, vocabulary):
        return LEGEND
    if _are_results(columns):
        return RESULT
    if any(column.share("asks") > 0.5 and column.share("linked") < 0.5 for column in columns.columns):
        return LEGEND  # questions and their answers
    title = columns.indexes.get("title")
    if title is not None:
        titles = columns.columns[title]
        if titles.share("venue") > 0.5:
            return VENUES
        if not links and titles.says("name") and not titles.says("title"):
            return LEGEND  # abbreviations
        link_lists = any(column.share("links") > 0.5 for column in columns.columns)
        cited = titles.holds_citations or {"venue", "year", "authors"} & columns.indexes.keys()
        return LEGEND if (link_lists and columns.title_guessed) or not (links or cited) else None
    return CONTENTS if is_contents_list(links) else LEGEND


def _is_matrix(header: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether the columns of a table are years or venues."""
    others = [text for text in header[1:] if text]
    marks = sum(1 for text in others if find_year(text) or _is_venue(text, vocabulary))
    return marks >= 2 and marks > 0.6 * len(others)


def _is_venue(header: str, vocabulary: Vocabulary) -> bool:
    return header.isupper() and bool(find_mentions(header, vocabulary)) and is_citation(header, vocabulary)


def _are_results(columns: Columns) -> bool:
    """Return whether rows are results: numbers beside names that have no link of their own, or share their papers."""
    title = columns.indexes.get("title")
    if {"title", "authors", "year"} <= columns.indexes.keys():
        return False  # papers, ranked
    left = [column for i, column in enumerate(columns.columns) if i not in columns.indexes.values()]
    numbers = [
        column
        for column in left
        if column.share("score", "number") >= 0.6 and not _FACT.search(column.header)
    ]
    if not numbers or (title is not None and "title" in columns.columns[title].header.casefold()):
        return False
    if _are_described(columns):
        return False
    scores = sum(1 for column in numbers if column.share("score") > 0.5)
    if title is None or scores >= max(2, 0.5 * (len(columns.columns) - 1)):
        return scores > 0
    titles = columns.columns[title]
    if any(is_title_header(column.header) for column in columns.columns[:title]):
        return scores > 0 or titles.share("distinct") < 0.8  # the paper is only the named thing's source
    return scores > 0 and titles.share("own link") < 0.5


def _are_described(columns: Columns) -> bool:
    """Return whether each row links to a thing of its own and a column describes them: the numbers measure what is listed."""
    title, text = (columns.indexes.get(field) for field in ("title", "description"))
    if title is None or text is None or not columns.columns[text].says("description"):
        return False
    titles, texts = columns.columns[title], columns.columns[text]
    if titles.share("own link") < _OWN or columns.leads_to_shared(title):
        return False
    return (
        texts.share("empty") < 1 - _OWN and min(titles.share("distinct"), texts.share("distinct")) > _DISTINCT
    )
