"""Where entries are added to a section: at the end of its longest list or table, or below its heading."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

from shelfread.core.errors import ConfigError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document, Entry
from shelfread.document.non_entries import doubt_of
from shelfread.index.order import by_date, by_name
from shelfread.index.sorted_lists import levels, runs
from shelfread.markdown.node import Block

_CLOSING_TAGS = lazy(r"\s*(?:</[a-z]{1,10}>\s*)*")
_TAG = lazy(r"</([a-z]{1,10})>")
_NUMBER = lazy(r"\d{1,9}")
_NUMBERS = (".", ")")  # the markers of numbered items
# A number at the beginning of an entry: `[3] `, `**[3]** `, `#3. `.
_LABEL = lazy(r"[*_`(\[#\\]{0,6}(\d{1,3})[*_`)\].:\\]{0,6}[ \t]+(?=\S)")
_MOST_LABELS = 5  # so many of the last numbers show that they go on
_MARKER = lazy(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_DONE = lazy(r"\[[xX]\]")  # a new task is not done
_MOST_NAMED = 8
_MOST_ROWS = 40  # that are looked at, from the end
_LEAST_ALIGNED = 3
_LEAST_SORTED, _CLEAR = 5, 10  # of so many entries, one of ten may be out of order
_HEADER = 2  # the lines of a table above its rows
_DEEP = 2  # so much indentation is that of something above
_DELIMITERS = lazy(r"[\s>]*(?![\s>])\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*(?:\|\s*)?")
_NOTHING = lazy(r"(?i)n/a|[-–—]|")
_BLANKS = lazy(r"[ \t]+")
# What only a person can add to, by the kind of its blocks.
_REFUSED = {
    "heading": "headings",
    "item": "items in HTML or in other items",
    "paragraph": "paragraphs in others",
    "row": "rows of an HTML table",
    "html": "HTML",
}


class RowStyle(NamedTuple):
    """What stands before, between and behind the cells of a row, and the header."""

    before: str
    between: str
    last: str  # before the last cell
    behind: str
    widths: tuple[int, ...]  # those of the cells, if the pipes are below each other; else none
    header: tuple[str, ...]  # the words of the header; empty for the columns that most rows leave empty
    blanks: Mapping[int, str]  # what stands in a column where there is nothing to say: `N/A`
    top: int  # the header's line, from 0; that of the first row if there is none

    def write(self, cells: Sequence[str]) -> str:
        """Return a row, without indentation."""
        cells = [cell or self.blanks.get(column, "") for column, cell in enumerate(cells)]
        if len(self.widths) == len(cells):
            cells = [cell.ljust(width) for cell, width in zip(cells, self.widths, strict=True)]
        row = f"{self.before}{self.between.join(cells[:-1])}{self.last if cells[1:] else ''}{cells[-1]}{self.behind}"
        return row if self.behind else row.rstrip()


class InsertionPoint(NamedTuple):
    """Where new entries are added, and what stands before, between and behind them."""

    offset: int
    follows: bool  # whether it is the end of a list or table that has entries
    prefix: str  # the marker of the items, with its indentation
    # the number of the first new item, or that in `label`, and the step; None for bullets.
    numbers: tuple[int, int] | None
    before: str
    blank: str  # what parts two entries
    behind: str
    kind: str  # the kind of the blocks: item, row or paragraph
    section: int | None  # the section whose entries show the form
    rows: RowStyle | None = None  # how the rows of a table are written
    label: str = ""  # what stands between marker and title, with a number: `[3] `


def find_place(document: Document, section: int | None, all_runs: Sequence[list[Entry]]) -> InsertionPoint:
    """Return where a section's new entries are added; raises ConfigError if it is only a heading over others."""
    own_runs = [run for run in all_runs if run[0].section == section]
    if own_runs:
        run = max(own_runs, key=len)
        alike = (other for other in all_runs if other[0].block.kind == run[0].block.kind)
        blocks = _blocks_from(run, own_runs, document)
        spaced = blocks if len(blocks) > 1 else [entry.block for entry in max(alike, key=len)]
        return _after_run(run, document.source, blocks, spaced)
    own = [entry for entry in document.entries if entry.section == section]
    if own:
        raise _refused(own[-1], document)
    return _below_heading(document, section, all_runs)


def all_runs(document: Document) -> list[list[Entry]]:
    """Return the lists and tables of entries, and their paragraphs, that no other entry contains."""
    outer: list[list[Entry]] = []
    last = -1
    every = [*runs(document, 1), *_paragraphs(document)]
    for run in sorted(every, key=lambda run: (run[0].span.start, -run[0].span.end)):
        start = run[0].span.start
        if start >= last or not any(entry.span.start < start < entry.span.end for entry in outer[-1]):
            outer.append(run)
            last = max(last, run[-1].span.end)
    return outer


def _paragraphs(document: Document) -> list[list[Entry]]:
    """Return the entries that are paragraphs of their own, one below the other in a section."""
    source = document.source
    groups: list[list[Entry]] = []
    for before, entry in pairwise([None, *document.entries]):
        if entry is None or entry.block.kind != "paragraph":
            continue
        block, last = entry.block, before.block if before is not None else entry.block
        if source.starts[block.first] != block.start:
            continue
        if (
            groups
            and groups[-1][-1] is before
            and groups[-1][-1].section == entry.section
            and last.last < block.first
            and not any(map(str.strip, source.lines[last.last : block.first]))
        ):
            groups[-1].append(entry)
        elif last is block or last.last <= block.first:
            groups.append([entry])
    return groups


def _blocks_from(run: list[Entry], own_runs: Sequence[list[Entry]], document: Document) -> list[Block]:
    """Return the blocks of a run, and of its list and those right below it: to the last entry, or the last item with a number."""
    start = run[0].block.start
    for _, level in levels(document) if run[0].block.kind == "item" else ():
        index = bisect_right(level, start, key=lambda block: block.start) - 1
        if (
            index < 0
            or level[index].kind != "list"
            or all(item.start != start for item in level[index].blocks)
        ):
            continue
        lists = takewhile(lambda block: block.kind == "list", level[index:])
        items = [item for block in lists for item in block.blocks if item.start >= start]
        orders = (
            by(run, document.source.text, None) for by in (by_name, by_date) if len(run) >= _LEAST_SORTED
        )
        in_order = any(
            order is not None and order.is_clear(_CLEAR) for order in orders
        )  # new ones move within it
        own = {entry.block.start for other in ([run] if in_order else own_runs) for entry in other}
        while len(items) > len(run) and items[-1].start not in own and items[-1].marker not in _NUMBERS:
            items.pop()
        return items
    return [entry.block for entry in run]


def _after_run(
    run: list[Entry], source: Source, blocks: Sequence[Block], spaced: Sequence[Block]
) -> InsertionPoint:
    """Return the place behind some blocks, as the entries of a run are; what parts two is shown by those that are `spaced`."""
    end = _without_closing_tags(blocks[-1], source)
    gaps = Counter(_blank_above(block, source) for block in spaced[1:])
    blank = gaps.most_common(1)[0][0] if gaps else source.newline * (run[0].block.kind == "paragraph")
    block = run[-1].block
    in_table = block.kind == "row"
    prefix = source.text[source.starts[block.first] : block.start]
    if not in_table:
        leads = [_lead_of(entry, source) for entry in run if entry.block.marker == block.marker]
        marks = {mark for _, mark in leads}  # different ones say something of an entry alone
        usual = Counter(marker for marker, _ in leads).most_common(1)[0][0]
        prefix = usual + (marks.pop() if len(marks) == 1 else "")
    rows = _learn_rows(run, source) if in_table else None
    numbers = None
    if not in_table and block.marker in _NUMBERS:
        stated = [int(match[0]) for item in blocks if (match := _NUMBER.match(source.text, item.start))]
        step = 0 if len(stated) > 1 and stated[-1] == stated[-2] else 1
        numbers = (stated[-1] + step, step)
    label = "" if in_table or numbers else _label_of(run, source)
    if label:
        numbers = (int("".join(filter(str.isdigit, label))) + 1, 1)
    offset = source.start_of(end)
    before = _newline_before(source, offset)
    return InsertionPoint(
        offset, True, prefix, numbers, before, blank, "", block.kind, run[0].section, rows, label
    )


def _blank_above(block: Block, source: Source) -> str:
    top = block.first
    while top and not source.lines[top - 1].strip():
        top -= 1
    return source.text[source.start_of(top) : source.start_of(block.first)]


def _label_of(run: Sequence[Entry], source: Source) -> str:
    """Return the number that the last entry of a run begins with, and what is around it, if the entries count on."""
    matches = [_LABEL.match(source.text, entry.title_line.start) for entry in run[-_MOST_LABELS:]]
    labels = [match for match in matches if match is not None]
    shapes = {_NUMBER.sub("", label[0]) for label in labels}
    follow = all(int(after[1]) == int(label[1]) + 1 for label, after in pairwise(labels))
    is_series = len(labels) > 1 or "[" in "".join(shapes)
    return labels[-1][0] if is_series and len(labels) == len(matches) and len(shapes) == 1 and follow else ""


def _lead_of(entry: Entry, source: Source) -> tuple[str, str]:
    """Return the marker of an item with its indentation and blanks, and what stands before its title line: `- [ ] `, `🔴 `."""
    block, start = entry.block, max(entry.title_line.start, entry.block.start)
    marker = _MARKER.match(source.text, block.start, start)
    end = marker.end() if marker else start
    return _DONE.sub("[ ]", source.text[source.starts[block.first] : end]), source.text[end:start]


def _without_closing_tags(block: Block, source: Source) -> int:
    """Return the line, from 0, behind a block without tags at its end that close what is opened before it: `</details>`."""
    bottom = block.last
    while bottom > block.first + 1 and _CLOSING_TAGS.fullmatch(source.lines[bottom - 1]):
        bottom -= 1
    own = "\n".join(source.lines[block.first : block.last])
    is_opened = any(f"<{tag}" in own for tag in _TAG.findall("\n".join(source.lines[bottom : block.last])))
    return block.last if is_opened else bottom


def _refused(last: Entry, document: Document) -> ConfigError:
    """Return why nothing is added below an entry in a block of its kind."""
    kind = _REFUSED.get(last.block.kind, f"{last.block.kind} blocks")
    section = document.sections[last.section].title if last.section is not None else "the list"
    message = (
        f"the entries of '{section}' are {kind} (line {last.line}), which only a person can add to: "
        "name another section, or copy what is printed without --into"
    )
    return ConfigError(message, document.source.path)


def _below_heading(
    document: Document, section: int | None, all_runs: Sequence[list[Entry]]
) -> InsertionPoint:
    """Return where the first entries of a section stand, and how: as those of the longest list, or table, do."""
    source = document.source
    if section is not None:
        _refuse_wrapper(document, section)
    following = (other.line - 1 for other in document.sections[(section or 0) + 1 :])
    end = len(source.lines)
    if section is not None:
        end = end_of_section(document, document.sections[section].line, min(following, default=end))
    while end > 0 and not source.lines[end - 1].strip():
        end -= 1
    offset = source.start_of(end)
    close = [
        block.last == below.first
        for block, below in pairwise(document.tree.blocks)
        if block.kind == "heading" and below.kind != "heading"
    ]
    is_close = 2 * sum(close) > len(close)
    is_at_heading = section is not None and end == document.sections[section].line
    before = _newline_before(source, offset) + ("" if is_close and is_at_heading else source.newline)
    behind = source.newline if end < len(source.lines) and source.lines[end].strip() else ""
    place = InsertionPoint(offset, False, "- ", None, before, "", behind, "item", section)
    if not all_runs:
        return place
    kinds = Counter(entry.block.kind for run in all_runs for entry in run)
    longest = max(all_runs, key=lambda run: (kinds[run[0].block.kind], len(run)))
    blocks = [entry.block for entry in longest]
    model = _after_run(longest, source, blocks, blocks)
    bare = model.prefix.lstrip(" \t")
    prefix = model.prefix
    if len(model.prefix) - len(bare) >= _DEEP:  # one of a list in another one, whose bullet may differ
        outer = next(block for block in document.tree.blocks if block.end >= longest[-1].block.end)
        is_bullet = model.numbers is None and outer.kind == "list" and outer.marker not in _NUMBERS
        prefix = f"{outer.marker}{bare.lstrip('-*+')}" if is_bullet else bare
    place = place._replace(prefix=prefix, blank=model.blank, kind=model.kind, rows=model.rows)
    if any(
        block.kind == "list" and block.marker == prefix.strip() and source.line_at(block.end - 1) + 1 == end
        for block in document.tree.blocks
    ):
        return place._replace(
            before=_newline_before(source, offset), follows=True
        )  # items that are no entries
    if model.rows is not None:
        header = source.lines[model.rows.top : model.rows.top + _HEADER]
        return place._replace(before=before + source.newline.join([*header, ""]), section=model.section)
    if model.numbers is not None:
        return place._replace(prefix=_NUMBER.sub("1", prefix, 1), numbers=(1, model.numbers[1]))
    return place


def end_of_section(document: Document, top: int, bottom: int) -> int:
    """Return the line at which a section ends: the bottom, or a thematic break behind its last entry if headings have none below."""
    blocks = document.tree.blocks
    below = [after.kind == "rule" for block, after in pairwise(blocks) if block.kind == "heading"]
    if 2 * sum(below) > len(below):
        return bottom
    last = max(
        (entry.block.last for entry in document.entries if top < entry.block.last <= bottom), default=top
    )
    return min(
        (block.first for block in blocks if block.kind == "rule" and last <= block.first < bottom),
        default=bottom,
    )


def _refuse_wrapper(document: Document, section: int) -> None:
    """Raise ConfigError for a section whose entries stand below further headings, and for one about the list itself."""
    title, path = document.sections[section].title, document.source.path
    names = document.short_paths()
    with_entries = dict.fromkeys(entry.section for entry in document.entries)
    below = [names[index] for index in with_entries if index is not None and section in document.above(index)]
    if below:
        named = ", ".join(below[:_MOST_NAMED]) + (", ..." if len(below) > _MOST_NAMED else "")
        raise ConfigError(
            f"the section '{title}' has no entries of its own: name one of those below it: {named}", path
        )
    if reason := doubt_of(title).reason:
        raise ConfigError(f"the section '{title}' is {reason}: name one for entries", path)


def _newline_before(source: Source, offset: int) -> str:
    return source.newline if offset and source.text[offset - 1] not in "\r\n" else ""


# ---------------------------------------------------------------------------------------------------- rows of a table
def _learn_rows(run: Sequence[Entry], source: Source) -> RowStyle:
    """Return how most of the last rows of a table are written."""
    edges, joints = Counter[tuple[str, str, str]](), Counter[str]()
    shapes: set[tuple[int, ...]] = set()
    filled: Counter[int] = Counter()
    nothing: dict[int, Counter[str]] = {}
    last_rows = run[-_MOST_ROWS:]
    for entry in last_rows:
        line, start = source.lines[entry.block.first].rstrip(), source.starts[entry.block.first]
        cells = [(cell.start - start, cell.end - start) for cell in entry.block.blocks]
        for column, (begin, end) in enumerate(cells):
            if _NOTHING.fullmatch(line, begin, end):
                nothing.setdefault(column, Counter())[line[begin:end]] += 1
            else:
                filled[column] += 1
        if cells and cells[-1][1] <= len(line):
            ends = [0, *chain.from_iterable(cells), len(line)]
            gaps = [_BLANKS.sub(" ", line[slice(*gap)]) for gap in zip(ends[::2], ends[1::2], strict=True)]
            edges[gaps[0].lstrip(), gaps[-2], gaps[-1]] += 1
            joints.update(gaps[1:-2])
            shapes.add((*(begin for begin, _ in cells), len(line)))
    before, last, behind = edges.most_common(1)[0][0] if edges else ("| ", " | ", " |")
    between = joints.most_common(1)[0][0] if joints else last
    widths: list[int] = []
    if len(shapes) == 1 and len(run) >= _LEAST_ALIGNED:
        (shape,) = shapes
        gaps_of = [*[len(between)] * (len(shape) - 3), len(last), len(behind)][1 - len(shape) :]
        widths = [end - begin - gap for (begin, end), gap in zip(pairwise(shape), gaps_of, strict=True)]
    top = _header_line(run, source)
    heads = source.lines[top].strip().removeprefix("|").removesuffix("|").split("|")
    words = enumerate(heads if top < run[0].block.first else ())
    shown = (word.strip(" *_\t") if 2 * filled[column] > len(last_rows) else "" for column, word in words)
    blanks = {column: texts.most_common(1)[0][0] for column, texts in nothing.items()}
    return RowStyle(before, between, last, behind, tuple(widths), tuple(shown), blanks, top)


def _header_line(run: Sequence[Entry], source: Source) -> int:
    """Return the line of the header above a table's first rows; that of the first row if it is not found."""
    line = run[0].block.first - 1
    while line > 0 and source.lines[line].strip() and not _DELIMITERS.fullmatch(source.lines[line]):
        line -= 1
    return line - 1 if line > 0 and _DELIMITERS.fullmatch(source.lines[line]) else run[0].block.first
