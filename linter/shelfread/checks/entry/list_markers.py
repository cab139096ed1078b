"""The markers of lists: bullets that differ, numbers that skip, and items that are indented in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from shelfread.core.diagnostics import MARKUP, STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.non_entries import is_about_list
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.index.sorted_lists import levels
from shelfread.markdown.node import Block


def indent(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report items that should be nested in the item above, and lists that are shown as code."""
    source = document.source
    yield from _shown_as_code(document)
    uneven: list[Block] = []
    for _, level in levels(document):
        for block in level:
            columns = {item.start - source.starts[item.first] for item in block.blocks}
            if block.kind == "list" and len(columns) > 1:
                uneven.append(block)
    if uneven:
        entries = {entry.block.start for entry in document.entries}
        for block in uneven:
            yield from _beside(block, entries, source)


_LINKED = lazy(r"[-*+] {1,3}(?:\*\*)?\[[^\[\]\n]+\]\(https?://")


def _shown_as_code(document: Document) -> RawDiagnostics:
    """Yield the lists below headings of which four blanks before each line make code."""
    for heading, block in pairwise(document.tree.blocks):
        is_below = heading.kind == "heading" and not is_about_list(plain_text(heading.inlines))
        if not is_below or block.kind != "code" or block.marker:
            continue
        lines = [line for line in document.source.lines[block.first : block.last] if line.strip()]
        least = min(len(line) - len(line.lstrip(" ")) for line in lines)
        outer = [line for line in lines if line[least] != " "]
        if least > _MOST_BLANKS and len(outer) > 1 and all(_LINKED.match(line, least) for line in outer):
            yield RawDiagnostic(Span(block.start, block.start + 1), message="code")


def _beside(siblings: Block, entries: set[int], source: Source) -> RawDiagnostics:
    """Yield items that are indented further than their siblings, most of which have nested items."""
    columns = [_column(item, source) for item in siblings.blocks]
    usual = Counter(columns).most_common(1)[0][0]
    items = [item for item, column in zip(siblings.blocks, columns, strict=True) if column == usual]
    if usual < 0 or len(items) < 2 or sum(map(_has_list, items)) * 2 < len(items) - 1:
        return
    holder: Block | None = None
    for item, column, last in zip(siblings.blocks, columns, [None, *siblings.blocks], strict=False):
        if column == usual:
            holder = item
        elif (
            holder is not None
            and last is not None
            and column > usual
            and last.last == item.first
            and item.start not in entries
            and holder.start in entries
            and not _has_list(item)
        ):
            content = holder.blocks[0].start - source.starts[holder.first] if holder.blocks else 0
            yield _indent(item, content - column, source)


def _indent(block: Block, missing: int, source: Source) -> RawDiagnostic:
    """Return a diagnostic about a block whose lines all need more spaces."""
    edits = tuple(
        Edit(source.starts[line], source.starts[line], " " * missing, STRUCTURE)
        for line in range(block.first, block.last)
        if source.lines[line].strip()
    )
    return RawDiagnostic(Span(block.start, block.start + 1), {}, edits, message="beside")


def _has_list(item: Block) -> bool:
    return any(block.kind == "list" for block in item.blocks)


def _column(block: Block, source: Source) -> int:
    """Return how many spaces precede a block in its line; -1 if anything else does."""
    start = source.starts[block.first]
    return -1 if source.text[start : block.start].strip(" ") else block.start - start


_MOST_BLANKS = 3  # before what is no code
_BULLETS = "-*+"
# Emphasis that a space has made an item (`* Note*`), or an item of a table of contents.
_MEANT = lazy(r"(?<!\*)\*$|\]\(#")
_FEW = 3  # as many items may have slipped; more are a list of their own
_MUCH = 2  # how many times as many items the lists beside them have, unless their marker is that of the file
_FEW_OF_FILE = 2
_MANY_OF_FILE = 20  # so many items of a file with one marker, and so few with another
_NUMBERED = (".", ")")
_NUMBER = lazy(r"\d{1,9}")
_FEW_SLIPS = 9  # wrong steps are slips if there is one only, or right ones are as many times more


def bullet(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report items with another bullet than the items beside them, or that no other list has, and bullets with nothing behind them."""
    text = document.source.text
    counts: Counter[tuple[int, str]] = Counter()
    mixed: list[tuple[int, list[Block], Counter[str]]] = []  # depth, lists, how many items have which marker
    lone: list[Block] = []
    for depth, level in levels(document):
        for run in _adjacent_lists(level):
            here: Counter[str] = Counter()
            for block in run:
                here[block.marker] += len(block.blocks)
                empty = [item for item in block.blocks if len(text[item.start : item.end].split()) < 2]
                for item in empty if len(empty) < len(block.blocks) else ():
                    yield RawDiagnostic(Span(item.start, item.end), message="empty")
            counts.update({(depth, marker): count for marker, count in here.items()})
            if len(here) > 1:
                mixed.append((depth, run, here))
            elif _may_have_slipped(run[0], depth, counts, text):
                lone.append(run[0])
    for depth, run, here in mixed:
        marker = max(here, key=lambda each: (here[each], counts[depth, each]))
        others = [block for block in run if block.marker != marker]
        slipped = here.total() - here[marker]
        certain = counts[depth, marker] * 10 >= 9 * sum(counts[depth, each] for each in _BULLETS)
        if slipped <= _FEW * len(others) and slipped * (1 if certain else _MUCH) <= here[marker]:
            for block in others:
                yield _items(block, marker, "splits", certain)
    for block in lone:
        usual = _only_other(counts, block.marker)
        if usual:
            yield _items(block, usual, "other", True)


def _may_have_slipped(block: Block, depth: int, above: Counter[tuple[int, str]], text: str) -> bool:
    """Return whether a list is short and not nested, and a list above it has another marker."""
    if depth or len(block.blocks) > _FEW_OF_FILE or _MEANT.search(text, block.start, block.end):
        return False
    return any(above[0, marker] for marker in _BULLETS if marker != block.marker)


def _only_other(counts: Counter[tuple[int, str]], marker: str) -> str:
    """Return the marker that all items that are not nested have, but one or two; empty if there is none."""
    others = [each for each in _BULLETS if each != marker and counts[0, each]]
    few = counts[0, marker] <= _FEW_OF_FILE
    return others[0] if few and len(others) == 1 and counts[0, others[0]] >= _MANY_OF_FILE else ""


def _items(block: Block, marker: str, message: str, certain: bool) -> RawDiagnostic:
    severity = Severity.WARNING if certain else Severity.INFO
    edits = tuple(Edit(item.start, item.start + 1, marker, MARKUP) for item in block.blocks)
    values = {"found": block.marker, "expected": marker}
    return RawDiagnostic(Span(block.start, block.start + 1), values, edits, certain, severity, message)


def _adjacent_lists(level: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the bullet lists that follow each other with nothing between, not even an empty line if they are tight."""
    run: list[Block] = []
    for block in level:
        is_list = block.kind == "list" and block.marker in _BULLETS
        if run and (not is_list or (run[-1].tight and block.tight and block.first > run[-1].last)):
            yield run
            run = []
        if is_list:
            run.append(block)
    if run:
        yield run


def numbering(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report lists that are numbered in sequence, up or down, and skip or repeat a number."""
    for _, level in levels(document):
        for block in level:
            if block.kind == "list" and block.marker in _NUMBERED and len(block.blocks) > 3:
                for items in _split(block.blocks):
                    yield from _check_sequence(items, document.source.text)


def _split(items: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """Yield stretches of items that each start anew with the first number of the list."""
    first = 0
    for index in range(2, len(items) - 1):
        restarts = items[index].level == items[0].level != items[index - 1].level
        if restarts and items[index + 1].level == items[1].level:
            yield items[first:index]
            first = index
    yield items[first:]


def _check_sequence(items: tuple[Block, ...], text: str) -> RawDiagnostics:
    """Yield the first number that is out of sequence, if most are in sequence."""
    steps = [after.level - before.level for before, after in pairwise(items)]
    step = 1 if steps.count(1) >= steps.count(-1) else -1
    total, right = len(steps), steps.count(step)
    wrong = total - right
    if not wrong or right < 2 * wrong:
        return
    slip = 1 + next(index for index, difference in enumerate(steps) if difference != step)
    # An item that was moved before the first one keeps its number.
    first = 1 if step > 0 and items[1].level == 1 < items[0].level else items[0].level
    edits = []
    for index, item in enumerate(items):
        match = _NUMBER.match(text, item.start)
        number = first + step * index
        if match is None or number < 0:
            return
        width = len(match[0]) if match[0].startswith("0") else 0
        written = str(number).zfill(width)
        if written != match[0]:
            edits.append(Edit(*match.span(), written, MARKUP))
    match = _NUMBER.match(text, items[slip].start)
    values = {"number": items[slip].level, "before": items[slip - 1].level, "count": right, "total": total}
    clear = wrong == 1 or wrong * _FEW_SLIPS <= right
    yield RawDiagnostic(
        Span(*match.span()) if match else Span(items[slip].start, items[slip].start + 1),
        values,
        tuple(edits) if step > 0 else (),  # a page numbers every list upwards from its first number
        severity=Severity.WARNING if clear else Severity.INFO,
    )
