"""Whether a text shows the same page as before, by markdown-it-py's own tokens.

Its HTML is made of tokens alone, so that equal ones are an equal page. A line's are made of its content and of the
definitions alone, so that lines are only read where their content is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from shelfread.core.source import Source
from shelfread.markdown.protected import find_front_matter

_INLINE = ("inline",)


class Page(NamedTuple):
    """What a text shows."""

    front: list[str]
    blocks: list[tuple[Any, ...]]
    """The tokens of its blocks, without their positions and marks."""
    contents: list[str]
    """The text of those that hold any, in order, not read yet."""
    definitions: dict[str, tuple[str, str]]
    """Their addresses and titles by label, used or not."""
    env: dict[str, Any]


def read_page(text: str) -> Page:
    """The page as GitHub's tables and strikethrough have it."""
    source = Source(text)
    front = find_front_matter(source)
    env: dict[str, Any] = {}
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse("\n".join(source.lines[front:]).replace("\0", "\ufffd"), parser, env, tokens)
    contents = [token.content for token in tokens if token.type == "inline"]
    blocks = [_INLINE if token.type == "inline" else _shown(token) for token in tokens]
    definitions = {label: (one["href"], one["title"]) for label, one in env.get("references", {}).items()}
    return Page(source.lines[:front], blocks, contents, definitions, env)


def is_same(before: Page, after: Page) -> bool:
    """Whether the syntax trees, the HTML and the definitions are the same."""
    return (
        before.blocks == after.blocks
        and len(before.contents) == len(after.contents)
        and before.definitions == after.definitions
        and before.front == after.front
        and all(
            one == other or _read(one, before.env) == _read(other, after.env)
            for one, other in zip(before.contents, after.contents, strict=True)
        )
    )


def _read(content: str, env: dict[str, Any]) -> list[tuple[Any, ...]]:
    return _tree(_parser().parseInline(content, env)[0].children or ())


def _tree(tokens: Sequence[Token]) -> list[tuple[Any, ...]]:
    return [(*_shown(token), token.children and _tree(token.children)) for token in tokens]


def _shown(token: Token) -> tuple[Any, ...]:
    """All of a token but its place and marks: an item's number is one, a picture's words are its children."""
    info = "" if token.type == "list_item_open" else token.info
    content = "" if token.type == "image" else token.content
    return token.type, token.tag, token.hidden, token.attrs, info, content


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser
