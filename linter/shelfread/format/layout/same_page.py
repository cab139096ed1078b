"""Check that a text shows the same page as before, to CommonMark and to GitHub, which differ in rare texts.

The HTML of markdown-it-py is made from its tokens alone, so equal tokens are an equal page. The tokens of a line
depend only on its content and on the definitions, so lines are read only where their content differs. The blocks
that GitHub reads are compared too, and the addresses that it makes links.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.format.layout.github.page import GithubPage, read_github_page
from shelfread.markdown.protected import find_front_matter

_INLINE = ("inline",)
_ADDRESS = lazy(r"(?i)(?:(?:https?|ftp)://|www\.)[^\s<]+|[\w.+-]+@[\w.-]+(?:/\w+)?")
_BEHIND_ADDRESS = "?!.,:;*_~'\")"


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
    github: GithubPage


def read_page(text: str) -> Page:
    """Return what a text shows, with the tables and the strikethrough of GitHub."""
    source = Source(text)
    front = find_front_matter(source)
    env: dict[str, Any] = {}
    tokens: list[Token] = []
    parser = _parser()
    lines = source.lines[front:]
    # A missing newline at the end does not show.
    shown = "\n".join([*lines, ""] if lines and lines[-1] else lines)
    parser.block.parse(shown.replace("\0", "\ufffd"), parser, env, tokens)
    contents = [token.content for token in tokens if token.type == "inline"]
    blocks = [_INLINE if token.type == "inline" else _shown(token) for token in tokens]
    references = env.get("references", {})
    definitions = {label: (reference["href"], reference["title"]) for label, reference in references.items()}
    github = read_github_page(shown.split("\n")[:-1], parser)
    return Page(source.lines[:front], blocks, contents, definitions, env, github)


def is_same_page(before: Page, after: Page) -> bool:
    """Return whether the syntax trees, the HTML and the definitions are the same."""
    return (
        before.blocks == after.blocks
        and before.github.blocks == after.github.blocks
        and before.definitions == after.definitions
        and before.front_matter == after.front_matter
        and _is_same_text(before.contents, after.contents, before.env, after.env)
        and _is_same_text(before.github.contents, after.github.contents, before.env, after.env)
    )


def _is_same_text(
    before: Sequence[str], after: Sequence[str], old_env: dict[str, Any], new_env: dict[str, Any]
) -> bool:
    return len(before) == len(after) and all(
        old == new
        or (
            _find_addresses(old) == _find_addresses(new)
            and _parse_inline(old, old_env) == _parse_inline(new, new_env)
        )
        for old, new in zip(before, after, strict=True)
    )


def _find_addresses(content: str) -> list[str]:
    """Return the bare addresses of a text as written: marks in them are no emphasis to GitHub."""
    return [match[0].rstrip(_BEHIND_ADDRESS) for match in _ADDRESS.finditer(content)]


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
