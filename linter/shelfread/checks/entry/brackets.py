"""Brackets, quotes, backticks and asterisks of entries that have no partner."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from shelfread.checks.common.unpaired import unpaired
from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.passages import entry_spans, passages_of, within
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Emphasis, Inline, Link, Text, walk_blocks

_BULLET = lazy(r"[ \t>]*\*[ \t]")
# A run of two asterisks beside a word; more are a mask or a line, and between words it is a power.
_BOLD = lazy(r"(?<![\w*/\\])\*\*(?=[^\s*/])|(?<=[^\s*/\\])\*\*(?![\w*(])")
# Marks that Markdown does not pair, as a blank is inside: `**Bold **`, `** Bold**`, and `*Name *` at an end.
_SPACED = lazy(
    r"(?<![\w*\\/])(?P<mark>\*\*?)(?P<gap>(?<=\*\*)[ \t]{1,3}(?=[^*\n]{1,80}[^\s*]\*\*(?!\*)))?(?=[^\s*])[^*\n]{1,80}?"
    r"(?(gap)|(?P<end>[ \t]{1,3}))(?P=mark)(?![\w*])(?:(?<=\*\*)|(?=\W*$))",
    re.MULTILINE,
)
_BACKTICK = lazy(r"(?<![`\\])`(?!`)")
_MOSTLY = 9


def brackets(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report brackets and quotes of an entry that do not pair, and backticks and asterisks anywhere."""
    for diagnostic in unpaired(document):
        if within(entry_spans(document), diagnostic.span.start):
            yield diagnostic
    for block, _ in passages_of(document, _suspect_lines(document.source)):
        yield from _lone_marks(document, block)


class _Node(NamedTuple):
    """A node of a passage with its neighbours."""

    before: Inline | None
    node: Inline
    after: Inline | None


def _suspect_lines(source: Source) -> list[int]:
    """Return the lines, from 0, with an odd number of backticks, of asterisks or of pairs of them, or a blank beside some."""
    text = source.text
    if "`" not in text and "*" not in text:
        return []
    return [
        number
        for number, line in enumerate(source.lines)
        if line.count("`") % 2
        or ("*" in line[2:] and _SPACED.search(line))
        or ("**" in line and ((line.count("*") - bool(_BULLET.match(line))) % 2 or line.count("**") % 2))
    ]


def _lone_marks(document: Document, block: Block) -> RawDiagnostics:
    """Yield a backtick or `**` without a partner, and emphasis with uneven asterisks or a space beside one."""
    text, protected = document.source.text, document.tree.protected
    nodes = list(_walk(block.inlines))
    texts = [
        node
        for _, node, _ in nodes
        if isinstance(node, Text)
        and node.end - node.start == len(node.value)
        and not within(protected, node.start)
    ]
    backticks = [match for node in texts for match in _BACKTICK.finditer(text, node.start, node.end)]
    if len(backticks) == 1 and _may_open_code(text, backticks[0].start()):
        yield RawDiagnostic(Span(*backticks[0].span()), message="backtick")
    spaced = [
        match
        for match in _SPACED.finditer(text, block.start, block.end)
        if all(
            any(node.start <= end < node.end for node in texts) for end in (match.start(), match.end() - 1)
        )
    ]
    for match in spaced:
        gap = match.span("gap" if match["gap"] else "end")
        edits = (Edit(*gap, "", STRUCTURE),)
        yield RawDiagnostic(Span(*match.span()), {"mark": match["mark"]}, edits, False, message="spaced")
    if spaced:
        return
    uneven = next((raw for place in nodes if (raw := _uneven(document, block, place))), None)
    if uneven is not None:
        yield uneven
        return
    # The sign behind a text belongs to the mark.
    bold = [match for node in texts for match in _BOLD.finditer(text, node.start, node.end + 1)]
    if len(bold) == 1:
        yield RawDiagnostic(Span(*bold[0].span()), {"mark": "**"}, message="mark")


def _walk(nodes: Sequence[Inline]) -> Iterator[_Node]:
    for before, node, after in zip((None, *nodes), nodes, (*nodes[1:], None), strict=False):
        yield _Node(before, node, after)
        if isinstance(node, Emphasis) or (
            isinstance(node, Link) and not node.image and node.form == "inline"
        ):
            yield from _walk(node.children)


def _may_open_code(text: str, offset: int) -> bool:
    """Return whether a backtick is no apostrophe (``Let`s``) and no quote of TeX (`so')."""
    before, after = text[offset - 1 : offset], text[offset + 1 : offset + 2]
    end = text.find("\n", offset)
    quoted = text.find("'", offset, end if end >= 0 else len(text))
    if before and before in "\"'“‘(" and not after.isalnum():
        return False  # it is named
    return not (before.isalnum() and after.isalnum()) and quoted < 0


def _uneven(document: Document, block: Block, place: _Node) -> RawDiagnostic | None:
    """Return `**Title*` or `*Title**`; both sides get two asterisks, as the list has them at such places."""
    before, node, after = place
    if not isinstance(node, Emphasis) or node.delimiter != "*":
        return None
    text = document.source.text
    if (
        isinstance(before, Text)
        and before.end == node.start
        and text[before.start : before.end].endswith("*")
    ):
        start = node.start - 1
        missing = end = node.end
    elif isinstance(after, Text) and after.start == node.end and text.startswith("*", after.start):
        start = missing = node.start
        end = node.end + 1
    else:
        return None
    if _has_star(node):
        return None
    if text[start - 1 : start] == "*" or text[end : end + 1] == "*":
        return None
    return _widened(document, Span(start, end), missing, block)


def _widened(document: Document, span: Span, missing: int, block: Block) -> RawDiagnostic:
    """Return the diagnostic of a text that lacks an asterisk at one of its sides."""
    text, counts = document.source.text, _count_delimiters(document)
    first = block.inlines[0].start == span.start
    words = text[span.start : span.end].strip("*")
    # One of the single ones is this one.
    is_bold = any(1 < counts[key, "**"] >= _MOSTLY * (counts[key, "*"] - 1) for key in (first, words))
    # An 8 is an asterisk without the shift key.
    safe = is_bold and not (missing < span.end - 1 and text.startswith("8", missing + 1))
    return RawDiagnostic(span, {}, (Edit(missing, missing, "*", STRUCTURE),), safe, message="uneven")


def _has_star(node: Emphasis) -> bool:
    """Return whether emphasis is bold text with an asterisk of its own, as Markdown reads it: `**The A* Search**`."""
    first, last = node.children[0], node.children[-1]
    return (isinstance(first, Emphasis) and first.start == node.start + 1) or (
        isinstance(last, Emphasis) and last.end == node.end - 1
    )


@lru_cache(maxsize=1)
def _count_delimiters(document: Document) -> Counter[tuple[bool | str, str]]:
    """Return how often emphasis has which delimiter: at the beginning of passages (True), elsewhere, and for its words."""
    text = document.source.text
    counts: Counter[tuple[bool | str, str]] = Counter()
    for block in walk_blocks(document.tree.blocks):
        for node in (node for node in block.inlines if isinstance(node, Emphasis)):
            # Before it there may be an asterisk that was meant for it.
            is_first = node in block.inlines[:2] and node.start - block.inlines[0].start <= 1
            for key in (is_first, text[node.start : node.end].strip("*")):
                counts[key, node.delimiter] += 1
    return counts
