"""The styles that `format` in the configuration can ask for."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

Bullet: TypeAlias = Literal["-", "*", "+", "majority", "keep"]
Number: TypeAlias = Literal["keep", "consecutive"]
Table: TypeAlias = Literal["keep", "align", "compact"]
EndOfLine: TypeAlias = Literal["keep", "lf", "crlf"]
EntryStyle: TypeAlias = Literal["bracket-links", "linked-title", "table"]
ENTRY_STYLES: tuple[EntryStyle, ...] = get_args(EntryStyle)

_Form = TypeVar("_Form")


class Style(NamedTuple):
    """The configuration's `format`; the defaults follow the conventions of the text itself."""

    bullet: Bullet = "majority"
    number: Number = "keep"
    table: Table = "keep"
    end_of_line: EndOfLine = "keep"
    entry: EntryStyle | Literal["keep"] = "keep"


def clear_majority(counts: Counter[_Form]) -> _Form | None:
    """Return the form that at least three quarters of the cases have, or None if there is no such form."""
    most_common = counts.most_common(1)
    return most_common[0][0] if most_common and most_common[0][1] * 4 >= counts.total() * 3 else None
