"""The style `table`: a run of entries as rows of Title, Venue, Links; and rows as entries of a list again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from shelfread.diagnostic import Span
from shelfread.document.model import Document, Entry
from shelfread.format.entry_habits import Habits, bare_title, word_for
from shelfread.format.entry_parts import Line, before, behind, target_of, words_of_label
from shelfread.format.entry_rewrite import Rewrite, Way, is_paper
from shelfread.source import Source
from shelfread.syntax.node import Block, Code, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_PIPE = re.compile(r"(?<!\\)\|")
_SEPARATORS = " \t.,;:|/·–—-"
_COLUMNS = ("Title", "Venue", "Links")
_LEAST_RUN = 2
"""Fewer entries between others that stay are no table."""

Refuse = Callable[[int, str], None]
"""Says of an entry, by its number, why it stays."""


def why_no_row(entry: Entry, line: Line, text: str) -> str | None:
    """Why an entry of a list cannot be a row."""
    if len(entry.block.blocks) > 1:
        return "a row has no room for what stands below its title line"
    if "\n" in text[line.span.start : line.span.end] or "\r" in text[line.span.start : line.span.end]:
        return "its title line goes on in a second one"
    return None


def row_of(line: Line, text: str, habits: Habits, vocabulary: Vocabulary) -> tuple[list[str], Way] | str:
    """The cells of an entry, and the words that its label takes or adds; or why it has none."""
    title, gone, come = bare_title(line, text), "", ""
    labels = []
    link = line.main.link if line.main is not None else None
    target = target_of(link, text) if link is not None else None
    if link is not None and target is None:
        return "its title's link is no inline link"
    for label in line.labels:
        place = target_of(label.link.link, text)
        if place is None:
            return "one of its links is no inline link"
        words = words_of_label(label, text)
        if habits.linked and target is None and is_paper(label.link) and not _cites(line, label.span):
            target, gone = place, words
        else:
            labels.append(f"[{words}]{place}")
    if target is not None and habits.linked:
        title = f"[{title}]{target}"
    elif target is not None and line.main is not None:
        come = word_for(line.main.role, habits, vocabulary)
        labels.insert(0, f"[{come}]{target}")
    venue = (
        text[line.cites.start : line.cites.end] if line.venue is not None and line.cites is not None else ""
    )
    rest = " ".join(behind(line, text).split()).strip(_SEPARATORS)
    cells = [before(line, text) + " ".join(filter(None, (title, rest))), venue, ", ".join(labels)]
    return [_PIPE.sub(r"\\|", " ".join(cell.split())) for cell in cells], Way(
        "", gone, come, bool(gone or come)
    )


def tables(
    document: Document,
    numbers: Mapping[int, int],
    rows: Mapping[int, tuple[list[str], Way]],
    refuse: Refuse,
) -> Iterator[Rewrite]:
    """The runs of entries that become tables; `numbers` are entries by where their item starts."""
    source = document.source
    for block in document.tree.blocks:
        if block.kind != "list":
            continue
        if block.mark in (".", ")"):
            for item in block.blocks:
                if numbers.get(item.start) in rows:
                    refuse(numbers[item.start], "its number would be lost")
            continue
        runs = groupby(block.blocks, lambda item: numbers.get(item.start, -1) in rows)
        for whole, run in ((fits, list(items)) for fits, items in runs):
            found = [numbers[item.start] for item in run] if whole else []
            if len(found) >= min(_LEAST_RUN, len(block.blocks)) and found:
                yield _table(source, run, found, rows)
            for number in found if found and len(found) < min(_LEAST_RUN, len(block.blocks)) else ():
                refuse(number, "it stands alone between entries that stay")


def _table(
    source: Source, run: Sequence[Block], found: Sequence[int], rows: Mapping[int, tuple[list[str], Way]]
) -> Rewrite:
    wanted = [at for at in range(3) if not at or any(rows[number][0][at] for number in found)]
    lines = [[_COLUMNS[at] for at in wanted], ["---"] * len(wanted)]
    lines += [[rows[number][0][at] for at in wanted] for number in found]
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
        " ".join(rows[number][1].gone for number in found),
        " ".join([*(_COLUMNS[at] for at in wanted), *(rows[number][1].come for number in found)]),
        any(rows[number][1].relabels for number in found),
    )


def _cites(line: Line, span: Span) -> bool:
    return line.cites is not None and span.start <= line.cites.start < span.end


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
        lines.append("- " + " ".join(parts))
    gone = " ".join(text[cell.start : cell.end] for cell in header)
    last = source.line_at(table.end)
    if table.first and source.lines[table.first - 1].strip():
        lines.insert(0, "")
    if last + 1 < len(source.lines) and source.lines[last + 1].strip():
        lines.append("")
    return Rewrite(
        tuple(numbers), Span(source.starts[table.first], table.end), source.newline.join(lines), gone
    )


def _linked(inlines: Sequence[Inline]) -> list[Link] | None:
    """The links of a cell that holds nothing else; None where it holds words."""
    links = [node for node in inlines if isinstance(node, Link) and not node.image]
    for node in inlines:
        if isinstance(node, Text | Code) and any(map(str.isalnum, node.value)):
            return None
        if not isinstance(node, Text | Link):
            return None
    return links or None
