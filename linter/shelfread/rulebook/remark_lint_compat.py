"""Comments for remark-lint and awesome-lint: `<!--lint disable awesome-list-item-->`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text, Tree

COMMENT = lazy(r"<!--\s*lint\s+(disable|enable|ignore)(?=\s|-->)")

_ITEM = (
    "entry/separator entry/description-start entry/description-end entry/link-first entry/marker-space "
    "entry/glued link/empty"
)
_RULES = {
    "awesome-badge": "awesome/badge",
    "awesome-code-of-conduct": "awesome/code-of-conduct",
    "awesome-contributing": "awesome/contributing",
    "awesome-heading": "awesome/title",
    "awesome-license": "awesome/license-section",
    "awesome-list-item": _ITEM,
    "awesome-no-ci-badge": "awesome/ci-badge",
    "awesome-spell-check": "text/proper-names",
    "awesome-toc": "awesome/contents contents/sync link/missing-anchor",
    "balanced-punctuation": "text/punctuation-pairs entry/brackets",
    "double-link": "entry/duplicate",
    "no-repeat-item-in-description": "entry/description-repeats",
    "alphabetize-lists": "entry/order",
    "first-heading-level": "awesome/title",
    "heading-capitalization": "heading/title-case",
    "heading-increment": "heading/increment",
    "heading-style": "heading/malformed",
    "list-item-bullet-indent": "entry/indent",
    "list-item-content-indent": "entry/indent",
    "list-item-indent": "entry/indent",
    "list-item-punctuation": "entry/description-end",
    "match-punctuation": "text/punctuation-pairs entry/brackets",
    "maximum-heading-length": "heading/depth",
    "no-dead-link": "link/dead link/moved link/suspect link/fragment",
    "no-dead-urls": "link/dead link/moved link/suspect link/fragment",
    "no-duplicate-headings": "heading/duplicate",
    "no-duplicate-headings-in-section": "heading/duplicate",
    "no-emphasis-as-heading": "heading/malformed",
    "no-empty-sections": "heading/empty",
    "no-empty-url": "link/empty",
    "no-heading-content-indent": "heading/malformed",
    "no-heading-indent": "heading/malformed",
    "no-heading-like-paragraph": "heading/malformed",
    "no-heading-punctuation": "heading/punctuation",
    "no-literal-urls": "entry/bare-url",
    "no-multiple-toplevel-headings": "awesome/title",
    "no-reference-like-url": "link/malformed",
    "no-repeat-punctuation": "text/repeated-punctuation",
    "no-undefined-references": "link/undefined-reference",
    "no-unused-definitions": "link/unused-definition",
    "ordered-list-marker-value": "entry/numbering",
}


def equivalent_rules(name: str) -> tuple[str, ...]:
    """Return our rules that check what a rule of remark-lint checks; none if there are none."""
    return tuple(_RULES.get(name.removeprefix("remark-lint-"), "").split())


def next_node_end(tree: Tree, comment: Span) -> int | None:
    """Return the end of the node after a comment in the same block, to which `ignore` applies."""
    blocks: Sequence[Block] = tree.blocks
    while True:
        index = bisect_right(blocks, comment.start, key=lambda block: block.start) - 1
        if index < 0 or blocks[index].end < comment.end:
            return None
        block = blocks[index]
        if block.blocks:
            blocks = block.blocks
            continue
        end = _next_inline_end(block.inlines, comment)
        if end is None and block.kind == "html":
            end = next((after.end for after in blocks[index + 1 :] if not _is_comment(after)), None)
        return end


def _is_comment(block: Block) -> bool:
    return block.kind == "html" and all(_is_blank(node) for node in block.inlines)


def _next_inline_end(inlines: Sequence[Inline], comment: Span) -> int | None:
    while True:
        index = bisect_right(inlines, comment.start, key=lambda node: node.start) - 1
        if index < 0:
            return None
        node = inlines[index]
        if isinstance(node, Emphasis | Link) and node.children:
            inlines = node.children
            continue
        return next((after.end for after in inlines[index + 1 :] if not _is_blank(after)), None)


def _is_blank(node: Inline) -> bool:
    if isinstance(node, Text):
        return not node.value.strip()
    return isinstance(node, Break) or (isinstance(node, Html) and node.tag == "!")
