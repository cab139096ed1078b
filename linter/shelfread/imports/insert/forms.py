"""The forms in which a list writes its entries: lines of literal text, and fields between it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from shelfread.core.support.named_tuple import NamedTuple


class Part(NamedTuple):
    """A field, or literal text: `kind` is text, group, or a field: title, name, url, venue, year, short_year, month, citation, labels,
    label, link, badge, authors, affiliations, description, other. What another entry alone is described by (other) is never written.

    `text` is the literal text, the role of a link, the roles of labels, a label's words, what stands for authors that are not
    named, or a badge with a mark for the repository. `parts` are those of a group, which is written only if a field in it is.
    """

    kind: str
    text: str = ""
    parts: tuple[Part, ...] = ()
    named: int = 0
    """How many authors stand before `text`."""


class Line(NamedTuple):
    """A line of an entry, and how many blank lines are above it."""

    blanks: int
    is_nested: bool
    """Whether it is indented as the item's content is, apart from what its parts begin with."""
    parts: tuple[Part, ...]


Form: TypeAlias = tuple[Line, ...]
"""The form of an entry. That of a table row is one line, with a group for each cell."""


class Forms(NamedTuple):
    """How many entries in blocks of a kind have which form, in the whole list and in each section."""

    whole: Counter[Form]
    by_section: dict[int | None, Counter[Form]]


REPOSITORY = "\0"
"""The mark for the repository in a badge."""


SAME = "="
"""The role of a link that leads to where the title leads."""


def kinds_in(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the kinds of the fields in some parts."""
    for part in parts:
        if part.kind == "group":
            yield from kinds_in(part.parts)
        elif part.kind != "text":
            yield part.kind


def kinds_of(form: Form) -> set[str]:
    """Return the kinds of the fields in a form."""
    return {kind for line in form for kind in kinds_in(line.parts)}


def literals(parts: Sequence[Part]) -> Iterator[str]:
    """Yield the literal text in some parts."""
    for part in parts:
        if part.kind == "group":
            yield from literals(part.parts)
        elif part.kind == "text":
            yield part.text
