"""The styles that `format` in the configuration can ask for."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

Bullet: TypeAlias = Literal["-", "*", "+", "majority", "keep"]
Number: TypeAlias = Literal["keep", "consecutive"]
Table: TypeAlias = Literal["keep", "align", "compact"]
EndOfLine: TypeAlias = Literal["keep", "lf", "crlf"]
EntryStyle: TypeAlias = Literal["bracket-links", "linked-title", "table"]
ENTRY_STYLES: tuple[EntryStyle, ...] = get_args(EntryStyle)


class Guide(NamedTuple):
    """What a contributing guide states about the Markdown of a list; None where it states nothing."""

    bullet: str | None = None
    tabs: bool | None = None
    """Whether lines are indented with tabs."""
    before_heading: int | None = None
    """The blank lines before a heading."""
    behind_heading: int | None = None
    trailing_spaces: bool | None = None
    """False if lines have no spaces at their ends."""


class Style(NamedTuple):
    """The configuration's `format`; the defaults follow the conventions of the text itself."""

    bullet: Bullet = "majority"
    number: Number = "keep"
    table: Table = "keep"
    end_of_line: EndOfLine = "keep"
    entry: EntryStyle | Literal["keep"] = "keep"
    guide: Guide = Guide()
