"""Check that a text shows the same page as before, by the tokens of markdown-it-py.

Its HTML is made from the tokens alone, so equal tokens are an equal page. The tokens of a line depend only on
its content and on the definitions, so lines are read only where their content differs.
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

    front_matter: list[str]
    blocks: list[tuple[Any, ...]]
    """The block tokens without positions and markers."""
    contents: list[str]
    """The text of each inline token, not parsed yet."""
    definitions: dict[str, tuple[str, str]]
    """URL and title of each label, used or not."""
    env: dict[str, Any]


def read_page(text: str) -> Page:
    """Return what a text shows, with the tables and the strikethrough of GitHub."""
    source = Source(text)
    front = find_front_matter(source)
    env: dict[str, Any] = {}
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse("\n".join(source.lines[front:]).replace("\0", "\ufffd"), parser, env, tokens)
    contents = [token.content for token in tokens if token.type == "inline"]
    blocks = [_INLINE if token.type == "inline" else _shown(token) for token in tokens]
    references = env.get("references", {})
    definitions = {label: (reference["href"], reference["title"]) for label, reference in references.items()}
    return Page(source.lines[:front], blocks, contents, definitions, env)


def is_same_page(before: Page, after: Page) -> bool:
    """Return whether the syntax trees, the HTML and the definitions are the same."""
    return (
        before.blocks == after.blocks
        and len(before.contents) == len(after.contents)
        and before.definitions == after.definitions
        and before.front_matter == after.front_matter
        and all(
            old == new or _parse_inline(old, before.env) == _parse_inline(new, after.env)
            for old, new in zip(before.contents, after.contents, strict=True)
        )
    )


def _parse_inline(content: str, env: dict[str, Any]) -> list[tuple[Any, ...]]:
    return _tree(_parser().parseInline(content, env)[0].children or ())


def _tree(tokens: Sequence[Token]) -> list[tuple[Any, ...]]:
    return [(*_shown(token), token.children and _tree(token.children)) for token in tokens]


def _shown(token: Token) -> tuple[Any, ...]:
    """Return a token without position and markup, as an item's number; an image's text is its children."""
    info = "" if token.type == "list_item_open" else token.info
    content = "" if token.type == "image" else token.content
    return token.type, token.tag, token.hidden, token.attrs, info, content


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser
