"""A faster constructor for markdown-it-py's Token: a line of links has about forty of them."""

from __future__ import annotations

from typing import Literal

from markdown_it.token import Token


class LeanToken(Token):
    """A Token with literal defaults: no factories and no conversion of attributes."""

    __slots__ = ()

    def __init__(
        self, type: str, tag: str, nesting: Literal[-1, 0, 1], level: int = 0, content: str = "",
        map: list[int] | None = None, block: bool = False,
    ) -> None:  # fmt: skip
        self.type = type
        self.tag = tag
        self.nesting = nesting
        self.attrs = {}
        self.map = map
        self.level = level
        self.children = None
        self.content = content
        self.markup = ""
        self.info = ""
        self.meta = {}
        self.block = block
        self.hidden = False
