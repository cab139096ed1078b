"""The rule `entry/swallowed`: entries that the page shows as a part of the entry above.

Markdown reads a line without its bullet, or behind another entry, as text of the item above, and an indented one as its child.
Whether that was meant, the other items say: with `--since` those of the base commit, which has no mistake of the change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.index.context import BaseText, RuleContext
from shelfread.markdown.gfm import split_row
from shelfread.markdown.node import Block, Break, Emphasis, Inline, Link, Text

# So many items show how a document is written; nine of ten have to begin alike, and half to go on alike.
_LEAST = 10
# So many items of one list show how it is written, if they are three of four; alone, with a base commit.
_LEAST_HERE = 4
_FEW = 2  # more items than these, where no list had an item within an item at the base commit
_FAR = 20  # so many parts of a line are looked at
_MIN_TITLE = 3  # words of what a single word behind it only labels
_SELDOM = 50  # what fewer than one item in so many has is no habit
_JOINT = lazy(r"(?:(?P<end>[.!?)\]…。！？]|[^\W_])|(?<![ \t]))(?P<gap>[ \t]*)(?P<mark>[-*+])[ \t]+$")
_SEPARATOR = lazy(r"[ \t]*(?:[-–—:]|\([^()]*\)[ \t]*[-–—:])[ \t]*\S.{9}")
_ENDED = lazy(r"[.!?)\]…。！？*`>][ \t]*$")
# Behind what ends like a title.
_BELOW_TAG = lazy(
    r"(?i)</(?:h[1-6]|summary|p|b|div|center|strong)>[ \t]*(?:\r\n?|\n)(?P<item> {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+[^\s<][^\r\n]*)"
)
_WORD = lazy(r"[^\W_]{3,}")


class _Form(NamedTuple):
    """How an entry is written: how it begins, and what follows its link; empty if nothing in its line is a link."""

    start: str
    end: str


class _Habits(NamedTuple):
    """How the items of a document are written."""

    form: _Form  # how items begin that are not in a list with a form of its own
    is_joined: bool  # whether several items have what looks like another one in their middle
    is_lazy: bool  # whether several items have lines that are not indented
    is_stopped: bool  # whether most items end as sentences do, or are not known to
    common: frozenset[str]  # words of the links of many items
    is_flat: bool  # whether no item of the base commit has a child
    lines: frozenset[str] | None  # the lines of the base commit, if this is how that is written

    @property
    def is_base(self) -> bool:
        return self.lines is not None


def swallowed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that are shown as text or as a child of the entry above, in lists whose items are written alike."""
    base = context.base.text(document) if context.base is not None else None
    yield from _beside_tables(document.tree.blocks, document.source)
    yield from _below_html(document.tree.blocks, document.source)
    for found in _swallowed(document, context, base):
        if base is None or base.lines[document.source.line_at(found.span.start)] < 0:
            yield found


def _swallowed(document: Document, context: RuleContext, base: BaseText | None) -> RawDiagnostics:
    source = document.source
    habits = _habits(document, False) if base is None else _habits(base.document, True)
    if habits is None:
        return
    for items, depth in _lists(document.tree.blocks, 0):
        own = habits._replace(form=_form_here(items, habits, source))
        for item in items.blocks:
            if item.blocks and item.blocks[0].kind == "paragraph":
                yield from _in_paragraph(item, items, own, source, context)
            if depth == 0:
                yield from _children(item, items, own, source, context, None if base is None else base.lines)
    yield from _above_lists(document.tree.blocks, habits, source)


def _lists(blocks: Sequence[Block], depth: int) -> Iterator[tuple[Block, int]]:
    """Yield the lists of some blocks with the items of a list within them, and in how many items each is."""
    waiting = [(block, depth) for block in reversed(blocks)]
    while waiting:
        block, depth = waiting.pop()
        if block.kind == "list":
            yield block, depth
        if block.kind in ("list", "item", "quote"):
            waiting += [(inner, depth + (block.kind == "item")) for inner in reversed(block.blocks)]


def _habits(document: Document, is_base: bool) -> _Habits | None:
    """Return how the items are written that are in no other one; None if they are few, or not alike without a base."""
    source = document.source
    items = [
        (item, item.blocks[0].inlines)
        for block, depth in _lists(document.tree.blocks, 0)
        for item in (block.blocks if depth == 0 else ())
        if item.blocks
        and not any(isinstance(node, Link) and node.url[:1] == "#" for node in item.blocks[0].inlines[:1])
    ]
    forms = Counter(_form(inlines, 0, source) for _, inlines in items)
    starts = Counter(form.start for form in forms.elements())
    if len(items) < _LEAST:
        return None
    form = forms.most_common(1)[0][0]
    is_clear = starts[form.start] * 10 >= len(items) * 9 and forms[form] * 2 >= len(items)
    if not is_clear or not form.start:
        form = _Form("", "")
    if not form.start and not is_base:
        return None
    words = Counter(word for _, inlines in items if inlines for word in _names(inlines[0], source))
    allowed = 0 if is_base else 1
    joined = sum(
        1
        for block, depth in _lists(document.tree.blocks, 0)
        if depth == 0 and (alike := _forms(block, source))
        for item in block.blocks
        if item.blocks
        for _ in _joints(item.blocks[0].inlines, alike.most_common(1)[0][0], source)
    )

    def is_habit(count: int) -> bool:
        return (count - allowed) * _SELDOM > len(items)

    stopped = sum(
        1 for item, _ in items if _ENDED.search(source.text, max(item.start, item.end - 9), item.end)
    )
    return _Habits(
        form,
        is_habit(joined),
        is_habit(sum(1 for item, _ in items for _ in _lazy_lines(item, source))),
        not is_base or stopped * 2 >= len(items),
        frozenset(
            word for word, count in words.items() if count > (2 if is_base else max(1, len(items) / 20))
        ),
        is_base and not any(block.kind == "list" for item, _ in items for block in item.blocks),
        frozenset(map(str.strip, source.lines)) if is_base else None,
    )


def _form(inlines: Sequence[Inline], index: int, source: Source) -> _Form:
    """Return how a line is written that begins at an index of some inlines."""
    line = list[Inline]()
    for node in inlines[index : index + _FAR]:
        if isinstance(node, Break):
            break
        line.append(node)
    if line and _is_web_link(line[0]):
        return _Form("link", _what_follows(source.text, line[0].end, line[-1].end))
    return _Form(type(line[0]).__name__ if any(map(_is_web_link, line)) else "", "")


def _forms(items: Block, source: Source) -> Counter[_Form]:
    return Counter(_form(item.blocks[0].inlines, 0, source) for item in items.blocks if item.blocks)


def _form_here(items: Block, habits: _Habits, source: Source) -> _Form:
    """Return how most items of one list are written, without a base commit only if it begins them as the others do."""
    forms = _forms(items, source)
    form, count = forms.most_common(1)[0] if forms else (habits.form, 0)
    is_own = len(items.blocks) > _LEAST_HERE and count * 4 >= len(items.blocks) * 3
    return form if is_own and (habits.is_base or form.start == habits.form.start) else habits.form


def _is_web_link(node: Inline) -> bool:
    """Return whether a node is a link of the web with a text, `**` around it aside."""
    if isinstance(node, Emphasis) and node.children:
        node = node.children[0]
    return isinstance(node, Link) and not node.image and node.form == "inline" and node.url.startswith("http")


def _what_follows(text: str, start: int, end: int) -> str:
    """Return whether a description with a separator, other words, or nothing follows a link."""
    end = min(end, start + 10 * _FAR)
    if _SEPARATOR.match(text, start, end):
        return "described"
    return "words" if len(_WORD.findall(text, start, end)) > 1 else "bare"


def _joints(
    inlines: Sequence[Inline], form: _Form, source: Source, known: frozenset[str] = frozenset()
) -> Iterator[tuple[re.Match[str], Link, bool]]:
    """Yield the bullets in the middle of a line before and behind which an entry stands, each with the link behind it,
    and whether what begins there is one of the `known` lines: that is an entry, whatever it looks like.
    """
    text = source.text
    for index in range(2, len(inlines)) if inlines and _is_web_link(inlines[0]) else ():
        before, link = inlines[index - 1 : index + 1]
        if not isinstance(before, Text) or not isinstance(link, Link):
            continue
        match = _JOINT.search(text, max(before.start, link.start - _FAR), link.start)
        if match is None:
            continue
        is_known = _line_from(match.start("mark"), source) in known
        is_alike = _form(inlines, index, source) == form
        if is_known or (is_alike and _what_follows(text, inlines[0].end, match.start("gap")) == form.end):
            yield match, link, is_known


def _line_from(start: int, source: Source) -> str:
    number = source.line_at(start)
    return source.lines[number][start - source.starts[number] :].strip()


def _lazy_lines(item: Block, source: Source) -> Iterator[int]:
    """Yield the indexes of line breaks in an item's first paragraph whose next line is not indented."""
    inlines = item.blocks[0].inlines if item.blocks and item.blocks[0].kind == "paragraph" else ()
    column = item.start - source.starts[item.first]
    for index, node in enumerate(inlines):
        if isinstance(node, Break) and index + 1 < len(inlines):
            start = inlines[index + 1].start
            if start - source.starts[source.line_at(start)] == column:
                yield index


def _in_paragraph(
    item: Block, items: Block, habits: _Habits, source: Source, context: RuleContext
) -> RawDiagnostics:
    """Yield entries in the text of an item: behind another one, or in a line of their own without a bullet."""
    inlines, text = item.blocks[0].inlines, source.text
    prefix = text[source.starts[item.first] : item.start]
    form, known = habits.form, habits.lines or frozenset()
    is_alike = form.start and _form(inlines, 0, source).start == form.start
    if not (is_alike or habits.is_base) or prefix.strip(" \t>"):
        return
    marker = text[item.start : item.blocks[0].start]
    for match, link, is_known in () if habits.is_joined else _joints(inlines, form, source, known):
        in_sentence = match["gap"] and (match["end"] or "").isalnum() and habits.is_stopped and not is_known
        label = text[slice(*link.text)]
        if match["mark"] == items.marker and not in_sentence and context.vocabulary.role(label) is None:
            edit = Edit(match.start("gap"), link.start, f"\n{prefix}{marker}", STRUCTURE)
            # `[Name](u) - [Owner](u)` may be meant.
            is_sure = is_known or form.end != "bare" or match["mark"] != "-" or not match["gap"]
            above = plain_text(inlines[:1]).split()
            if not is_sure and len(above) >= _MIN_TITLE and len(label.split()) == 1:
                continue  # `[Tidy Shelves for All](u) - [Transcript](v)`
            yield RawDiagnostic(Span(match.start("mark"), link.end), {}, (edit,), is_sure, message="joined")
    may_be = habits.is_base or form.start == "link"
    for index in _lazy_lines(item, source) if may_be and not habits.is_lazy else ():
        start = inlines[index + 1].start
        if text[start] in "-+":
            continue  # it lacks only the blank behind its bullet
        ended = not habits.is_stopped or _ENDED.search(text, item.start, inlines[index].start)
        is_like = form.start and ended and _form(inlines, index + 1, source) == form
        if is_like or (marker + _line_from(start, source)).strip() in known:
            edit = Edit(start, start, marker, STRUCTURE)
            yield RawDiagnostic(Span(start, inlines[index + 1].end), {}, (edit,), message="bullet")


def _above_lists(blocks: Sequence[Block], habits: _Habits, source: Source) -> RawDiagnostics:
    """Yield lines directly above a list that are written as its items."""
    for block, below in pairwise(blocks):
        if block.kind != "paragraph" or below.kind != "list" or block.last != below.first:
            continue
        item = below.blocks[0]
        form = _form_here(below, habits, source)
        is_line = block.last - block.first == 1 and bool(item.blocks) and form.start == "link"
        if is_line and _form(block.inlines, 0, source) == form:
            marker = source.text[item.start : item.blocks[0].start]
            edit = Edit(block.start, block.start, marker, STRUCTURE)
            yield RawDiagnostic(Span(block.start, block.inlines[0].end), {}, (edit,), message="bullet")


def _beside_tables(blocks: Sequence[Block], source: Source) -> RawDiagnostics:
    """Yield rows directly below a table that a blank line, or a bullet, keeps out of it."""
    for table, below in pairwise(blocks):
        inner = below.blocks[0] if below.kind == "list" else below
        row = inner.blocks[0] if inner.kind == "item" and inner.blocks else inner
        if table.kind != "table" or row.kind != "paragraph":
            continue
        end = source.starts[row.first] + len(source.lines[row.first].rstrip())
        line = source.text[row.start : end]
        if line[:1] == line[-1:] == "|" and len(split_row(line)) == len(table.blocks[0].blocks):
            start = source.starts[table.last]
            yield RawDiagnostic(
                Span(row.start, end), {}, (Edit(start, row.start, "", STRUCTURE),), message="row"
            )


def _below_html(blocks: Sequence[Block], source: Source) -> RawDiagnostics:
    """Yield the first item of those directly below a tag, whose HTML goes on to the next blank line."""
    for block in blocks:
        if block.kind == "html" and (match := _BELOW_TAG.search(source.text, block.start, block.end)):
            start = match.start("item")
            edit = Edit(start, start, source.newline, STRUCTURE)
            yield RawDiagnostic(Span(start, match.end()), {}, (edit,), message="html")


def _children(
    item: Block,
    items: Block,
    habits: _Habits,
    source: Source,
    context: RuleContext,
    lines: Sequence[int] | None,
) -> RawDiagnostics:
    """Yield the only child of an item that is written as its siblings are, where no other item has, or had, a child.

    `lines` are those at the base commit, below 0 for new ones.
    """
    inner = item.blocks[1] if len(item.blocks) == 2 else None
    if inner is None or inner.kind != "list" or len(inner.blocks) != 1 or inner.first != item.blocks[0].last:
        return
    child = inner.blocks[0]
    inlines, own = child.blocks[0].inlines if len(child.blocks) == 1 else (), item.blocks[0].inlines
    children = (block for other in items.blocks for block in other.blocks if block.kind == "list")
    others = sum(1 for child in children if child is not inner and (lines is None or lines[child.first] >= 0))
    if others or len(items.blocks) <= (_FEW if habits.is_flat else _LEAST_HERE):
        return
    if child.last - child.first > 1 or inner.marker != items.marker:
        return
    form, form_above = _form(inlines, 0, source), _form(own, 0, source)
    is_alike = form.start and form == habits.form and form_above.start == form.start
    if not is_alike and not (habits.is_flat and form.start == "link" and form == form_above):
        return
    shown = plain_text(inlines[:1])
    if context.vocabulary.role(shown) or shown.casefold().startswith(plain_text(own[:1]).casefold()):
        return  # `Paper` and `Acme2`
    told = inlines[0] if habits.is_base else child.blocks[0]  # a change may make any two things neighbors
    if (_names(own[0], source) & _names(told, source)) - habits.common:
        return  # `Acme` and `Acme for Python`, or `Plus`, a cousin of Acme
    line = source.starts[child.first]
    edit = Edit(line, child.start, source.text[source.starts[item.first] : item.start], STRUCTURE)
    yield RawDiagnostic(
        Span(child.start, inlines[0].end),
        {"items": len(items.blocks) - 1},
        (edit,),
        habits.is_base,
        Severity.ERROR if habits.is_base else Severity.INFO,
        message="child",
    )


def _names(node: Inline | Block, source: Source) -> set[str]:
    """Return the words of a link or a paragraph, addresses included."""
    return {word.casefold() for word in _WORD.findall(source.text[node.start : node.end])}
