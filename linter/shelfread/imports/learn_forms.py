"""Learns the forms of a list from its entries."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.imports.entry_form import (
    Form,
    FormPart,
    Forms,
    Line,
    bracketed,
    flat,
    kinds_in,
    literal,
    literal_parts,
    literals,
    states_year,
)
from shelfread.imports.entry_pieces import find_pieces, link_field, title_link

_WORD = lazy(r"[^\W\d_]{2,}")
_FEWEST = 3  # as many entries with the same words beside their fields show that the words belong to the form
# What a form cannot have beside its fields: dates, badges, pictures.
_FACTS = lazy(r"\d|!\[|<(?=[A-Za-z/!])(?!/?(?:b|i|u|em|ins|strong|br|sub|sup|code|small|p)\b)")
# Marks of emphasis, whose number is odd where an end stands within a field.
_STARS = lazy(r"(?<![\\*])\*{1,3}(?![* ])|(?<=[^\\*\s])\*{1,3}(?!\*)")
_PAIRS = (("(", ")"), ("[", "]"))
_LINE_END = lazy(r"\r\n|\r|\n")
_MOST_LINES = 40
_LEAD = lazy(r"[^\w\s\[\](){}<>*`\"'“]{1,8}\s{1,4}")
_MARKS = lazy(r"[*_\"“”]{0,4}\.?[*_\"“”]{0,4}")
_BREAK = lazy(r"(?:\s{0,9}<br ?/?>\s{0,9}){1,3}")


def learn_forms(document: Document) -> dict[str, Forms]:
    """Return the forms of a list's entries by the kind of their blocks: item, row, paragraph.

    A line with words of its own beside its fields has no form, unless others have the same words.
    """
    text = document.source.text
    read: list[tuple[Entry, Form]] = []
    for entry, following in zip_longest(document.entries, document.entries[1:]):
        end = entry.span.end
        if following is not None and entry.span.start < following.span.start:
            end = min(end, following.span.start)
        form = _row(entry, text) if entry.block.kind == "row" else _form(entry, end, text)
        if form is not None:
            read.append((entry, form))
    if len({_lead(form) for _, form in read} - {""}) > 1:  # such marks say something of each entry alone
        read = [(entry, _without_lead(form)) for entry, form in read]
    usual = Counter(
        (entry.block.kind, segment)
        for entry, form in read
        for line in form
        for segment in _segments(line.parts)
    )
    learned: dict[str, Forms] = {}
    for entry, form in read:
        kind = entry.block.kind
        kept = [line for line in form if _is_form(line, kind, usual)]
        if kept and kept[0] is form[0]:
            lines = tuple(line._replace(parts=bracketed(line.parts)) for line in kept)
            forms = learned.setdefault(kind, Forms(Counter(), {}))
            forms.whole[lines] += 1
            forms.by_section.setdefault(entry.section, Counter())[lines] += 1
    return learned


def _lead(form: Form) -> str:
    """Return the symbols before the first field with the blanks behind them: `🔴 `; empty if there are none."""
    first = form[0].parts[0]
    match = _LEAD.match(first.text) if first.kind == "text" else None
    return match[0] if match is not None and unicodedata.category(match[0][0]) == "So" else ""


def _without_lead(form: Form) -> Form:
    lead, (first, *parts) = _lead(form), form[0].parts
    parts = [*literal(first.text.removeprefix(lead)), *parts] if lead else [first, *parts]
    return (form[0]._replace(parts=tuple(parts)), *form[1:])


def _segments(parts: Sequence[FormPart]) -> Iterator[tuple[str, str, str]]:
    """Yield the literal text that has words, with the kinds of the fields on both sides of it."""
    all_parts = list(flat(parts))
    kinds = ["", *(part.kind for part in all_parts), ""]
    for before, part, after in zip(kinds, all_parts, kinds[2:], strict=False):
        if part.kind == "text" and _WORD.search(part.text):
            yield before, part.text, after


def _unlinked(parts: Sequence[FormPart]) -> Iterator[str]:
    """Yield the literal text that belongs to no link with a field as its URL."""
    for part in parts:
        if part.kind == "text":
            yield part.text
        elif part.kind == "group" and {"url", "link"}.isdisjoint(inner.kind for inner in part.parts):
            yield from _unlinked(part.parts)


def _is_form(line: Line, kind: str, usual: Counter[tuple[str, tuple[str, str, str]]]) -> bool:
    """Return whether a line says nothing of its entry alone beside its fields."""
    literal = "\n".join(literals(line.parts))
    if _FACTS.search(literal) or any("](" in text for text in _unlinked(line.parts)):
        return False
    marks = "|".join(literals(line.parts))
    if len(_STARS.findall(marks)) % 2 or any(
        marks.count(left) != marks.count(right) for left, right in _PAIRS
    ):
        return False
    return kind == "row" or all(usual[kind, segment] >= _FEWEST for segment in _segments(line.parts))


def _form(entry: Entry, end: int, text: str) -> Form | None:
    first = entry.title_line.start
    last = max(end, entry.title_line.end)
    while last > first and text[last - 1] in " \t\r\n":
        last -= 1
    pieces = find_pieces(entry, Span(first, last), text)
    if pieces is None:
        return None
    parts: list[FormPart] = []
    done = first
    stated = states_year(pieces)
    for span, part in pieces:
        if span.start < done or span.end > last:
            return None
        between = list(literal_parts(text[done : span.start], entry.year, stated))
        stated = stated or any(item.kind == "year" for item in between)
        parts += [*between, part]
        done = span.end
    parts += literal_parts(text[done:last], entry.year, stated)
    margin = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    form = tuple(_lines(parts, " " * (first - margin)))
    return form if form and "title" in kinds_in(form[0].parts) else None


def _lines(parts: Sequence[FormPart], margin: str) -> Iterator[Line]:
    """Yield the lines that have fields, with the blank lines above each."""
    row: list[FormPart] = []
    blanks = number = 0
    is_nested = False
    for part in [*parts, FormPart("text", "\n")]:
        pieces = _LINE_END.split(part.text) if part.kind == "text" else []
        row += [part] if not pieces else [FormPart("text", pieces[0])] if pieces[0] else []
        for piece in pieces[1:]:
            fields = {*kinds_in(row)}
            if not number or not fields <= {"other", "month", "year"}:
                yield Line(blanks, is_nested, tuple(row))
            is_blank = not fields and not "".join(literals(row)).strip()
            blanks = blanks + 1 if is_blank and number else 0
            number += 1
            is_nested = bool(margin) and piece.startswith(margin)
            piece = piece.removeprefix(margin)
            row = [FormPart("text", piece)] if piece else []
        if number > _MOST_LINES:
            return


def _row(entry: Entry, text: str) -> Form | None:
    """Return the cells of a row as groups; what a cell has beside fields is left out."""
    cells = tuple(_cell(Span(cell.start, cell.end), entry, text) for cell in entry.block.blocks)
    return (Line(0, False, cells),) if "title" in kinds_in(cells) else None


def _cell(cell: Span, entry: Entry, text: str) -> FormPart:
    pieces = find_pieces(entry, cell, text)
    whole = text[slice(*cell)]
    if not pieces:
        before, year, behind = whole.strip().partition(str(entry.year))
        is_year = year and _MARKS.fullmatch(before) and _MARKS.fullmatch(behind)
        return FormPart(
            "group", "", (*literal(before), FormPart("year"), *literal(behind)) if is_year else ()
        )
    links = [link for link in entry.links if cell.start <= link.link.start < cell.end]
    if len(pieces) == 1 and kinds_in([pieces[0].part]) == ["labels"] and len(links) == 1:
        return link_field(links[0], pieces[0].span, text, title_link(entry)).part
    parts: list[FormPart] = []
    done = cell.start
    for span, part in pieces:
        between = text[done : span.start]
        if span.start < done:
            continue
        if parts:
            stays = _BREAK.fullmatch(between) or not _WORD.search(between)
            parts.append(FormPart("text", between if stays else " "))
        parts.append(part)
        done = span.end
    before, behind = text[cell.start : pieces[0].span.start].lstrip(), text[done : cell.end].rstrip()
    if _MARKS.fullmatch(before) and _MARKS.fullmatch(behind):
        parts = [*literal(before), *parts, *literal(behind)]
    return FormPart("group", "", tuple(parts))
