"""Entries that do not read like nearly all of their siblings, and titles whose capitals are not in the style."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from shelfread.checks.common import Capitals
from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.document.passages import outer_entries
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.index.sorted_lists import levels
from shelfread.markdown.gfm import split_row
from shelfread.markdown.node import Block, Text

_LEAST = 20  # so many entries show how a list writes them; 19 of 20 have to be alike
_LEAST_SIBLINGS = 6
_LEAST_LETTERS = 8
_NOT_SHOWN = lazy(r"!\[[^\]\n]*|\]\([^()\s]*\)|https?://[^\s)\]]+|<[^<>\n]*>")
_EVENT = lazy(r"(?<![\w/:])(?P<word>[\w:]{2,40})[ ']{1,2}(?P<year>(?:19|20)\d\d)(?!\w)")
# Of what readers are to leave alone, in the languages that lists are written in.
_AVOIDED = lazy(
    r"(?i)\b(?:avoid|not recommended|deprecat|discontinued|abandon|defunct|graveyard\b|obsol[eè]t|dead\b|retired"
    r"|nicht empfohlen|veraltet|eingestellt|vermeiden|déconseillé|éviter|desaconseja|evitar|descontinuad"
    r"|устаревш|заброшен|не рекоменд|избегать)"
    r"|不推荐|不推薦|避免|弃用|棄用|废弃|廢棄|过时|過時|停止维护|非推奨|廃止|권장하지|폐기"
)
_MARKED = lazy(r"(?P<mark>`|\*{1,3}|_{1,3})[^`*|]+(?P=mark)")
_PLAIN = lazy(r"[^\W\d_][\w .,'&/:+-]*")
_FOREIGN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "CYRILLIC", "ARABIC", "HEBREW", "THAI", "DEVANAGARI")


def form(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries without a part that all others have, with one that no other has, or with a year to come."""
    severity = Severity.INFO if context.base is None else Severity.ERROR
    base = context.base.text(document) if context.base is not None else None
    classic = [entry for entry in document.entries if entry.kind == "classic" and entry.block.kind == "item"]
    for found in (
        *(_undescribed(classic, document) if base or not _have_credits(classic) else ()),
        *_unlinked(classic, document),
        *_to_come(document, context.disk.this_month()[0] + 1),
        *_in_another_script(classic),
        *_marked(classic, document),
        *_rows(document),
    ):
        # What a change shows to be odd in an old line was odd before.
        if base is None or base.lines[document.source.line_at(found.span.start)] < 0:
            yield found._replace(severity=severity)


def _is_odd(odd: int, total: int) -> bool:
    """Return whether so few of so many differ that the others are how the list is written."""
    return total >= _LEAST and 0 < odd * _LEAST <= total


def _lone(odd: Sequence[Entry], entries: Sequence[Entry]) -> Iterator[tuple[Entry, dict[str, int]]]:
    """Yield the odd entries that are alone in their section, with how many are not odd, and how many there are."""
    if _is_odd(len(odd), len(entries)):
        sizes, exceptions = (Counter(entry.section for entry in some) for some in (entries, odd))
        values = {"count": len(entries) - len(odd), "total": len(entries)}
        for entry in odd:
            if exceptions[entry.section] == 1 and sizes[entry.section] >= _LEAST_SIBLINGS:
                yield entry, values


def _undescribed(entries: Sequence[Entry], document: Document) -> RawDiagnostics:
    entries = outer_entries(entries, document)
    bare = [entry for entry in entries if entry.description is None]
    for entry, values in _lone(bare, entries):
        is_whole = entry.links and entry.block.blocks[-1].kind != "list" and not entry.uncertain
        if is_whole and not _says_more(entry, document.source.text):
            yield RawDiagnostic(entry.title.span, values, message="description")


def _unlinked(entries: Sequence[Entry], document: Document) -> RawDiagnostics:
    """Yield entries without a link, and with a bare URL instead of a name with a link."""
    for message, odd in (
        ("link", [entry for entry in entries if not entry.links]),
        ("name", [entry for entry in entries if _is_bare(entry)]),
    ):
        for entry, values in _lone(odd, entries):
            is_whole = entry.block.blocks[-1].kind != "list" and entry.uncertain <= {"name", "title"}
            if is_whole and not (message == "link" and _is_avoided(entry, document)):
                yield RawDiagnostic(entry.title.span, values, message=message)


def _is_avoided(entry: Entry, document: Document) -> bool:
    """Return whether a heading, or the paragraph above its list, says that readers need no link to an entry."""
    section = None if entry.section is None else document.sections[entry.section]
    if section is not None and any(map(_AVOIDED.search, section.path)):
        return True
    blocks = document.tree.blocks
    above = bisect_right(blocks, entry.span.start, key=lambda block: block.start) - 2
    return above >= 0 and bool(_AVOIDED.search(plain_text(blocks[above].inlines)))


def _is_bare(entry: Entry) -> bool:
    """Return whether an entry begins with a URL; one behind a bracket is a broken link."""
    link = entry.links[0].link if entry.links else None
    return link is not None and link.form == "bare" and link.start == entry.title_line.start


def _to_come(document: Document, latest: int) -> RawDiagnostics:
    """Yield a later year behind a name that the list has with two other years or more: `Conf 2099`."""
    years: defaultdict[str, set[int]] = defaultdict(set)
    late: list[tuple[Span, str, int]] = []
    for entry in document.entries:
        for match in _EVENT.finditer(document.source.text, *entry.title_line):
            word, year = match["word"], int(match["year"])
            if year > latest:
                late.append((Span(*match.span("year")), word, year))
            elif not word.islower():
                years[word].add(year)
    for span, word, year in late:
        if len(years[word]) > 1:
            yield RawDiagnostic(span, {"word": word, "year": year}, message="year")


def _have_credits(entries: Sequence[Entry]) -> bool:
    """Return whether most descriptions are no prose, but authors: some things have none."""
    said = [entry.description.value for entry in entries if entry.description is not None]
    told = (text[-1] in ".。" or any(word[0].islower() for word in text.split()) for text in said)
    return sum(told) * 2 < len(said)


def _says_more(entry: Entry, text: str) -> bool:
    """Return whether words follow a title that are read as another field: `- by Ada Stone`, `(account required)`."""
    behind = _NOT_SHOWN.sub("", text[entry.title.span.end : entry.title_line.end])
    return sum(map(str.isalpha, behind)) >= _LEAST_LETTERS


def _script(text: str) -> str:
    """Return the script of most letters of a text: one of those that no English list mixes in, or nothing."""
    letters = [character for character in text[:80] if character.isalpha()]
    foreign = Counter(
        name.split()[0]
        for character in letters
        if character > "\u02ff" and (name := unicodedata.name(character, "")).startswith(_FOREIGN)
    )
    most = foreign.most_common(1)
    return most[0][0] if most and most[0][1] * 2 > len(letters) else ""


def _in_another_script(entries: Sequence[Entry]) -> RawDiagnostics:
    described = [entry for entry in entries if entry.description is not None]
    odd = [entry for entry in described if entry.description is not None and _script(entry.description.value)]
    for entry, values in _lone(odd, described):
        if entry.description is not None:
            yield RawDiagnostic(entry.description.span, values, message="script")


def _marked(entries: Sequence[Entry], document: Document) -> RawDiagnostics:
    """Yield the emoji before an entry that stands nowhere else in the list."""
    text = document.source.text
    marks = [(entry, text[entry.title_line.start]) for entry in entries if entry.title_line.start < len(text)]
    odd = [(entry, mark) for entry, mark in marks if unicodedata.category(mark) == "So"]
    if _is_odd(len(odd), len(marks)):
        counts = Counter(text)
        for entry, mark in odd:
            if counts[mark] == 1:
                start = entry.title_line.start
                yield RawDiagnostic(Span(start, start + 1), {"mark": mark}, message="mark")


def _rows(document: Document) -> RawDiagnostics:
    """Yield the rows with a cell too few, and cells without the marks of others, in all tables with one header."""
    text = document.source.text
    tables: defaultdict[tuple[str, ...], list[Block]] = defaultdict(list)
    for _, level in levels(document):
        for header, *rows in (table.blocks for table in level if table.kind == "table"):
            tables[tuple(text[cell.start : cell.end].strip() for cell in header.blocks)] += rows
    for columns, rows in tables.items():
        yield from _short_rows(rows, len(columns), text)
        for column in range(len(columns)):
            yield from _unmarked([row.blocks[column] for row in rows if column < len(row.blocks)], text)


def _unmarked(column: Sequence[Block], text: str) -> RawDiagnostics:
    """Yield the cells that are words alone where the others of a column are code, or in bold or italics."""
    plain: list[Block] = []
    marks = Counter[str]()
    for cell in column:
        if match := _MARKED.fullmatch(text, cell.start, cell.end):
            marks[match["mark"]] += 1
        elif _PLAIN.fullmatch(text, cell.start, cell.end):
            plain.append(cell)
    if _is_odd(len(plain), len(plain) + marks.total()) and len(marks) == 1:
        values = {"mark": next(iter(marks)), "count": marks.total(), "total": len(plain) + marks.total()}
        for cell in plain:
            yield RawDiagnostic(Span(cell.start, cell.end), values, message="unmarked")


def _short_rows(rows: Sequence[Block], width: int, text: str) -> RawDiagnostics:
    cells = [(row, split_row(text[row.start : row.end].strip())) for row in rows]
    if any(len(row) == width and not row[-1].strip() for _, row in cells):
        return  # an empty cell at the end of a row need not be written
    short = [(row, len(found)) for row, found in cells if len(found) < width]
    if _is_odd(len(short), len(rows)):
        for row, count in short:
            values = {"cells": count, "columns": width}
            yield RawDiagnostic(Span(row.start, row.end), values, message="cells")


def title_case(document: Document, context: RuleContext, *, style: Capitals = "learned") -> RawDiagnostics:
    """Report titles of papers that are not in the style."""
    from shelfread.checks.common.capitals import check_capitals  # few lists ask for it

    text = document.source.text
    titles = (
        (entry.title.span, [Text(*entry.title.span, entry.title.value)])
        for entry in document.entries
        if entry.kind == "paper" and text[slice(*entry.title.span)] == entry.title.value
    )
    return check_capitals(document, titles, style)
