"""Find what a rewritten line breaks that no field of its entry shows: marks, emphasis, punctuation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Emphasis, Inline, Link, Text
from shelfread.markdown.parse import parse

_SHORTCODE = r":[a-z0-9][a-z0-9_+-]*:"
_SHORTCODES = lazy(_SHORTCODE)
_TARGETS = lazy(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: [\"'][^\"'\n]*[\"'])?\)")
_DOUBLED = lazy(r"[.,;:]\s*[.,;:]|\(\s*\)|(?:^|\s)[,;](?=\s)")
_HOLLOW = lazy(r"[\[(]\s+\w|\w\s+[\])]|<(\w+)></\1>")
"""Brackets with a space inside, and HTML elements without a text."""
_TAG = lazy(r"<(/?)([A-Za-z]+)\b[^<>]*(?<!/)>")
_VOID = frozenset({"br", "hr", "img", "input", "wbr"})
_GLUED = lazy(r"\]\(\)\w"), lazy(r"\]\(\)[\])][\w:]")
_MARK = lazy(
    rf"(?:{_SHORTCODE}|[^\w\s!-/:-@\[-`{{-~\u00a0-\u00bf\u2010-\u206f\u3000-\u303f\uff00-\uff65])\ufe0f?(?=\s*[\[(\\]*$)"
)
_SYMBOL = lazy(r"[^\w\s!-~\u00a0-\u00bf\u2010-\u206f\u3000-\u303f\uff00-\uff65]")
_QUOTE = lazy(r"[\"“”]")


def find_blemish(before: str, after: str) -> str | None:
    """Return what a line loses or breaks when `after` replaces `before`; None if nothing."""
    old, new = (_TARGETS.sub("]()", text) for text in (before, after))
    for pattern in (_SHORTCODES, _SYMBOL):
        if Counter(pattern.findall(old)) != Counter(pattern.findall(new)):
            return "a mark of it would be lost"
    if len(_QUOTE.findall(new)) != len(_QUOTE.findall(old)):
        return "a quotation mark of it would be lost"
    if len(_DOUBLED.findall(new)) > len(_DOUBLED.findall(old)):
        return "punctuation would be left over where its link was"
    if _count(_HOLLOW, new) > _count(_HOLLOW, old):
        return "brackets or HTML around its venue would be left over"
    if any(len(pattern.findall(new)) > len(pattern.findall(old)) for pattern in _GLUED):
        return "its link ends within its title"
    old_nodes, new_nodes = (_inlines(text) for text in (before, after))
    if _loose_markers(new_nodes) > _loose_markers(old_nodes):
        return "its emphasis would be broken"
    if _torn_tags(after, new_nodes) > _torn_tags(before, old_nodes):
        return "an HTML element would begin or end within its title's link"
    if Counter(_marks(after, new_nodes)) - Counter(_marks(before, old_nodes)):
        return "a mark of one link would be before another"
    return None


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _inlines(text: str) -> Sequence[Inline]:
    """Return the nodes of a line as if it were a paragraph."""
    blocks = parse(Source(f"x {text}")).blocks
    return blocks[0].inlines if blocks else ()


def _loose_markers(nodes: Sequence[Inline]) -> int:
    """Return how many `*` and backticks are shown as text."""
    count = 0
    for node in nodes:
        if isinstance(node, Text):
            count += node.value.count("*") + node.value.count("`")
        elif isinstance(node, Emphasis | Link):
            count += _loose_markers(node.children)
    return count


def _torn_tags(text: str, nodes: Sequence[Inline]) -> int:
    """Return how many links have the tag of an HTML element in their text, but not both its tags."""
    count = 0
    for node in nodes:
        if isinstance(node, Link):
            tags = [tag for tag in _TAG.findall(text[node.start - 2 : node.end - 2]) if tag[1] not in _VOID]
            begins, ends = (
                Counter(name for end, name in tags if bool(end) is closes) for closes in (False, True)
            )
            count += begins != ends
        elif isinstance(node, Emphasis):
            count += _torn_tags(text, node.children)
    return count


def _marks(text: str, nodes: Sequence[Inline]) -> Iterator[tuple[str, str]]:
    """Yield the URL of each link with the mark right before it, unless the line begins with that."""
    for node in nodes:
        if isinstance(node, Link):
            mark = _MARK.search(text[: node.start - 2])
            if mark is not None and text[: mark.start()].strip():
                yield node.url, mark[0]
        elif isinstance(node, Emphasis):
            yield from _marks(text, node.children)
