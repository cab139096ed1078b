"""Whether a text shows the same page as before."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

from markdown_it import MarkdownIt

from shelfread.source import Source
from shelfread.syntax.zones import find_front_matter

Page: TypeAlias = tuple[str, dict[str, Any]]
"""What a page shows, and its definitions by label."""


def same_page(before: str, after: str) -> bool:
    """Whether both render to the same HTML, with the same definitions, used or not."""
    return page(before) == page(after)


def page(text: str) -> Page:
    """The page as GitHub's tables and strikethrough have it, and the definitions by label."""
    env: dict[str, Any] = {}
    source = Source(text)
    front = find_front_matter(source)
    html = _renderer().render("\n".join(source.lines[front:]), env)
    definitions = {label: (one["href"], one["title"]) for label, one in env.get("references", {}).items()}
    return html + "\n".join(source.lines[:front]), definitions


@cache
def _renderer() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser
