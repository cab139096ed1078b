"""Where entries are added to a section: at the end of its longest list or table, or below its heading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from shelfread.core.errors import ConfigError
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.imports.insert.row_style import RowStyle, learn_rows
from shelfread.index.order.runs import Sibling, runs, with_lines

_CLOSING_TAGS = lazy(r"\s*(?:</[a-z]{1,10}>\s*)*")
_TAG = lazy(r"</([a-z]{1,10})>")
_NUMBER = lazy(r"\d{1,9}")


class Place(NamedTuple):
    """Where new entries are added, and what stands before, between and behind them."""

    offset: int
    run: Sequence[Entry]
    """The entries of the list or table; empty if it is new."""
    prefix: str
    """The marker of the items, with its indentation."""
    numbers: tuple[int, int] | None
    """The number of the first new item, and the step; None for bullets."""
    before: str
    blank: str
    """What parts two entries."""
    behind: str
    kind: str
    """The kind of the blocks: item, row or paragraph."""
    rows: RowStyle | None = None
    """How the rows of a table are written."""


def find_place(document: Document, section: int | None, all_runs: Sequence[list[Entry]]) -> Place:
    """Return where a section's new entries are added; raises ConfigError if it is only a heading over others."""
    source = document.source
    found = [run for run in all_runs if run[0].section == section]
    if found:
        return _after_run(max(found, key=len), source)
    own = [entry for entry in document.entries if entry.section == section]
    if own:
        return _after_paragraph(own, document)
    return _below_heading(document, section, all_runs)


def all_runs(document: Document) -> list[list[Entry]]:
    """Return the lists and tables of entries, and their paragraphs, that no other entry contains."""
    ends: list[list[Entry]] = []
    last = -1
    for run in sorted(
        [*runs(document, 1), *_paragraphs(document)], key=lambda run: (run[0].span.start, -run[0].span.end)
    ):
        if run[0].span.start >= last or not any(
            run[0].span.start < other.span.end and other.span.start < run[0].span.start for other in ends[-1]
        ):
            ends.append(run)
            last = max(last, run[-1].span.end)
    return ends


def _paragraphs(document: Document) -> list[list[Entry]]:
    """Return the entries that are paragraphs of their own, one below the other in a section."""
    source = document.source
    found: list[list[Entry]] = []
    for before, entry in pairwise([None, *document.entries]):
        block = entry.block if entry is not None else None
        if (
            entry is None
            or block is None
            or block.kind != "paragraph"
            or source.starts[block.first] != block.start
        ):
            continue
        last = before.block if before is not None else block
        between = source.lines[last.last : block.first]
        is_next = (
            found and found[-1][-1] is before and last.last < block.first and not any(map(str.strip, between))
        )
        if is_next and before is not None and before.section == entry.section:
            found[-1].append(entry)
        elif last is block or last.last <= block.first:
            found.append([entry])
    return found


def offset_of(source: Source, line: int) -> int:
    """Return the offset of a line, from 0; that of the text's end behind the last line."""
    return source.starts[line] if line < len(source.starts) else len(source.text)


def _after_run(run: list[Entry], source: Source) -> Place:
    siblings = with_lines(run, source)
    offset = offset_of(source, _without_closing_tags(siblings[-1], source))
    gaps = Counter(
        source.text[offset_of(source, before.bottom) : offset_of(source, after.top)]
        for before, after in pairwise(siblings)
    )
    blank = gaps.most_common(1)[0][0] if gaps else ""
    last = run[-1]
    first = source.starts[last.block.first]
    in_table = last.block.kind == "row"
    lead = source.text[first : last.block.start]
    prefix = lead if in_table else source.text[first : max(last.title_line.start, last.block.start)]
    numbers = None
    rows = learn_rows(run, source) if in_table else None
    if not in_table and last.block.marker in (".", ")"):
        found = [int(match[0]) for entry in run if (match := _NUMBER.match(source.text, entry.block.start))]
        step = 0 if len(found) > 1 and found[-1] == found[-2] else 1
        numbers = (found[-1] + step, step)
    return Place(
        offset, run, prefix, numbers, _newline_before(source, offset), blank, "", last.block.kind, rows
    )


def _without_closing_tags(sibling: Sibling, source: Source) -> int:
    """Return the line, from 0, behind an entry without tags at its end that close what is opened before it: `</details>`."""
    bottom = sibling.bottom
    while bottom > sibling.top + 1 and _CLOSING_TAGS.fullmatch(source.lines[bottom - 1]):
        bottom -= 1
    own = "\n".join(source.lines[sibling.top : sibling.bottom])
    is_opened = any(
        f"<{tag}" in own for tag in _TAG.findall("\n".join(source.lines[bottom : sibling.bottom]))
    )
    return sibling.bottom if is_opened else bottom


_KINDS = {"heading": "headings", "row": "rows of an HTML table", "html": "HTML"}


def _refusal(document: Document, own: Sequence[Entry]) -> str:
    """Return what the entries of a section are, and what to do."""
    kind = _KINDS.get(own[-1].block.kind, f"{own[-1].block.kind} blocks")
    section = document.sections[own[-1].section].title if own[-1].section is not None else "the list"
    return (
        f"the entries of '{section}' are {kind} (line {own[-1].line}), which only a person can add to: "
        "name another section, or copy what is printed without --into"
    )


def _after_paragraph(own: Sequence[Entry], document: Document) -> Place:
    source = document.source
    last = own[-1]
    offset = offset_of(source, last.end_line)
    if last.block.kind != "paragraph":
        raise ConfigError(_refusal(document, own), source.path)
    newline = source.newline
    return Place(offset, [], "", None, _newline_before(source, offset) + newline, newline, "", "paragraph")


def _below_heading(document: Document, section: int | None, all_runs: Sequence[list[Entry]]) -> Place:
    source = document.source
    below = [
        child.title for index, child in enumerate(document.sections) if section is not None and child.parent == section
        and any(entry.section == index for entry in document.entries)
    ]  # fmt: skip
    if below:
        title = document.sections[section or 0].title
        raise ConfigError(
            f"the section '{title}' has no entries of its own: name one of those below it: {', '.join(below[:8])}",
            source.path,
        )
    following = (other.line - 1 for other in document.sections[(section or 0) + 1 :])
    end = min(following, default=len(source.lines)) if section is not None else len(source.lines)
    while end > 0 and not source.lines[end - 1].strip():
        end -= 1
    markers = Counter(
        source.text[source.starts[run[0].block.first] : run[0].title_line.start]
        for run in all_runs
        if run[0].block.kind == "item" and run[0].block.marker not in (".", ")")
    )
    prefix = markers.most_common(1)[0][0] if markers else "- "
    offset = offset_of(source, end)
    behind = source.newline if end < len(source.lines) and source.lines[end].strip() else ""
    return Place(
        offset, [], prefix, None, _newline_before(source, offset) + source.newline, "", behind, "item"
    )


def _newline_before(source: Source, offset: int) -> str:
    return source.newline if offset and source.text[offset - 1] not in "\r\n" else ""
