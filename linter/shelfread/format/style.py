"""The styles that `format` in the configuration can ask for."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

Bullet: TypeAlias = Literal["-", "*", "+", "majority", "keep"]
Number: TypeAlias = Literal["keep", "consecutive"]
EndOfLine: TypeAlias = Literal["keep", "lf", "crlf"]
EntryStyle: TypeAlias = Literal["bracket-links", "linked-title", "table"]
ENTRY_STYLES: tuple[EntryStyle, ...] = get_args(EntryStyle)


class Style(NamedTuple):
    """The configuration's `format`; the defaults follow the conventions of the text itself."""

    bullet: Bullet = "majority"
    number: Number = "keep"
    end_of_line: EndOfLine = "keep"
    entry: EntryStyle | Literal["keep"] = "keep"
