"""How a text is to look: what a configuration asks for, and else what the text mostly does itself."""

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
    """What a configuration's `format` asks for; by default the text's own habits, and nothing else."""

    bullet: Bullet = "majority"
    number: Number = "keep"
    wrap: Literal["keep"] = "keep"
    table: Table = "keep"
    end_of_line: EndOfLine = "keep"
    entry: EntryStyle | Literal["keep"] = "keep"


def clear_majority(forms: Counter[_Form]) -> _Form | None:
    """The form that three of four cases have; None where the text is of two minds."""
    first = forms.most_common(1)
    return first[0][0] if first and first[0][1] * 4 >= forms.total() * 3 else None
