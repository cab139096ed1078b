"""The style `table`: a run of entries as rows of Title, Venue, Links; and rows as entries of a list again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.model import Document, Entry
from shelfread.fixes.verify.tokens import WORD
from shelfread.format.entries.house_style import Habits, bare_title, word_for
from shelfread.format.entries.rewrite import Rewrite, Way, is_paper
from shelfread.format.entries.title_parts import Line, before, behind, target_of, words_of_label
from shelfread.markdown.node import Block, Code, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_PIPE = re.compile(r"(?<!\\)\|")
_SEPARATORS = " \t.,;:|/·–—-"
_BREAK = re.compile(r"^<br ?/?>|<br ?/?>$", re.IGNORECASE)
_COLUMNS = ("Title", "Authors", "Affiliations", "Venue", "Links")
_LEAST_RUN = 2
"""Fewer entries between others that stay are no table."""


class Row(NamedTuple):
    """The cells of an entry by column, and what words that takes and adds."""

    cells: dict[str, str]
    way: Way


Refuse = Callable[[int, str], None]
"""Says of an entry, by its number, why it stays."""


def why_no_row(entry: Entry, line: Line, text: str) -> str | None:
    """Why an entry of a list cannot be a row."""
    if len(entry.block.blocks) > 1:
        return "a row has no room for what stands below its title line"
    if "\n" in text[line.span.start : line.span.end] or "\r" in text[line.span.start : line.span.end]:
        return "its title line goes on in a second one"
    return None


def row_of(line: Line, text: str, habits: Habits, vocabulary: Vocabulary) -> Row | str:
    """The cells of an entry, and the words that its label takes or adds; or why it has none."""
    gone = come = ""
    venue = (
        text[line.cites.start : line.cites.end] if line.venue is not None and line.cites is not None else ""
    )
    labels = []
    link = line.main.link if line.main is not None else None
    target = target_of(link, text) if link is not None else None
    if link is not None and target is None:
        return "its title's link is no inline link"
    title = bare_title(line, text)
    if link is not None and line.whole != line.outer:
        title = " ".join(text[link.text.start : link.text.end].split())
    if link is not None and habits.linked:
        title = " ".join(text[line.whole.start : line.whole.end].split())
    elif line.main is not None:
        come = word_for(line.main.role, habits, vocabulary)
        labels.append(f"[{come}]{target}")
    for label in line.labels:
        place = target_of(label.link.link, text)
        if place is None:
            return "one of its links is no inline link"
        words = words_of_label(label, text)
        cites = line.cites is not None and label.span.start <= line.cites.start < label.span.end
        if habits.linked and target is None and is_paper(label.link) and not cites:
            title, target, gone = f"[{title}]{place}", place, words
        elif cites and not venue:
            venue = f"[{words}]{place}"
        else:
            labels.append(f"[{words}]{place}")
    rest = " ".join(behind(line, text).split()).strip(_SEPARATORS)
    breaks = "".join(_BREAK.findall(rest))
    rest = _BREAK.sub("", rest).strip(_SEPARATORS)
    cells = dict.fromkeys(_COLUMNS, "")
    for column, said in (("Authors", line.entry.authors), ("Affiliations", line.entry.affiliations)):
        if said and WORD.findall(rest) == WORD.findall(" ".join(field.value for field in said)):
            cells[column], rest = rest.strip("()*_ "), ""
    cells |= {
        "Title": before(line, text) + " ".join(filter(None, (title, rest))),
        "Venue": venue,
        "Links": ", ".join(labels),
    }
    cells = {column: _PIPE.sub(r"\|", " ".join(cell.split())) for column, cell in cells.items()}
    return Row(cells, Way("", gone, come, bool(gone or come), breaks))


def tables(
    document: Document,
    numbers: Mapping[int, int],
    rows: Mapping[int, Row],
    refuse: Refuse,
) -> Iterator[Rewrite]:
    """The runs of entries that become tables; `numbers` are entries by where their item starts."""
    source = document.source
    for block in document.tree.blocks:
        if block.kind != "list":
            continue
        if block.marker in (".", ")"):
            for item in block.blocks:
                if numbers.get(item.start) in rows:
                    refuse(numbers[item.start], "its number would be lost")
            continue
        runs = groupby(block.blocks, lambda item: numbers.get(item.start, -1) in rows)
        for whole, run in ((fits, list(items)) for fits, items in runs):
            found = [numbers[item.start] for item in run] if whole else []
            why = None
            if len(found) < min(_LEAST_RUN, len(block.blocks)):
                why = "it stands alone between entries that stay"
            elif not any(said for number in found for said in list(rows[number].cells.values())[1:]):
                why = "neither it nor those beside it have anything for a second column"
            if found and why is None:
                yield _table(source, run, found, rows)
            for number in found if why is not None else ():
                refuse(number, why or "")


def _table(source: Source, run: Sequence[Block], found: Sequence[int], rows: Mapping[int, Row]) -> Rewrite:
    wanted = [column for column in _COLUMNS if any(rows[number].cells[column] for number in found)]
    lines = [wanted, ["---"] * len(wanted)]
    lines += [[rows[number].cells[column] for column in wanted] for number in found]
    written = [f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in line)}|" for line in lines]
    first, last = run[0].first, source.line_at(run[-1].end)
    if first and source.lines[first - 1].strip():
        written.insert(0, "")
    if last + 1 < len(source.lines) and source.lines[last + 1].strip():
        written.append("")
    return Rewrite(
        tuple(found),
        Span(source.starts[first], run[-1].end),
        source.newline.join(written),
        " ".join(rows[number].way.gone for number in found),
        " ".join([*wanted, *(rows[number].way.come for number in found)]),
        any(rows[number].way.relabels for number in found),
        "".join(rows[number].way.tags for number in found),
    )


# ------------------------------------------------------------------------------------ and back
def list_of(
    table: Block, entries: Sequence[Entry], numbers: Sequence[int], document: Document
) -> Rewrite | str:
    """A table as a list; or why not: a column that has no place in an entry, rows that are none."""
    source, text = document.source, document.source.text
    if len(entries) != len(table.blocks) - 1:
        return "a row of its table is no entry"
    lines = []
    header = table.blocks[0].blocks
    bullet = _bullet(table, document.tree.blocks)
    for row, entry in zip(table.blocks[1:], entries, strict=True):
        parts: list[str] = []
        venue = []
        labels = []
        for at, cell in enumerate(row.blocks):
            said = text[cell.start : cell.end].replace("\\|", "|")
            if cell.start <= entry.title.span.start < cell.end:
                parts.append(said)
            elif (
                entry.citation is not None
                and cell.start <= entry.citation.span.start < cell.end
                and not _linked(cell.inlines)
            ):
                venue.append(said)
            elif said.strip().isdigit() and len(said.strip()) == 4:
                venue.append(said.strip())
            elif (found := _linked(cell.inlines)) is not None:
                labels += [f"[{text[link.start : link.end]}]" for link in found]
            elif any(map(str.isalnum, said)):
                name = text[header[at].start : header[at].end] if at < len(header) else str(at + 1)
                return f"its table's column '{name}' has no place in a list"
        parts += [f"({' '.join(venue)})"] * bool(venue) + labels
        lines.append(f"{bullet} {' '.join(parts)}")
    gone = " ".join(text[cell.start : cell.end] for cell in header)
    last = source.line_at(table.end)
    if table.first and source.lines[table.first - 1].strip():
        lines.insert(0, "")
    if last + 1 < len(source.lines) and source.lines[last + 1].strip():
        lines.append("")
    return Rewrite(
        tuple(numbers), Span(source.starts[table.first], table.end), source.newline.join(lines), gone
    )


def _bullet(table: Block, blocks: Sequence[Block]) -> str:
    """A bullet by which the list stays apart from those beside it, and from another table's."""
    at = next(number for number, block in enumerate(blocks) if block.start == table.start)
    before = at
    while before and blocks[before - 1].kind == "table":
        before -= 1
    beside = {
        block.marker
        for block in (*blocks[before - 1 : before], *blocks[at + 1 : at + 2])
        if block.kind == "list"
    }
    free = [mark for mark in "-*+" if mark not in beside]
    return free[(at - before) % len(free)]


def _linked(inlines: Sequence[Inline]) -> list[Link] | None:
    """The links of a cell that holds nothing else; None where it holds words."""
    links = [node for node in inlines if isinstance(node, Link) and not node.image]
    for node in inlines:
        if isinstance(node, Text | Code) and any(map(str.isalnum, node.value)):
            return None
        if not isinstance(node, Text | Link):
            return None
    return links or None
