"""How an entry's line, or a run of entries, is written anew."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import LabelledLink

PAPER = "paper"


class Variant(NamedTuple):
    """One way to write an entry's line, with the words that it removes and adds: labels, column names."""

    text: str
    removed: str = ""
    added: str = ""
    relabels: bool = True
    """Whether the link to an entry's paper gets another label: its title, a word, its venue."""
    breaks: str = ""
    """The line breaks `<br>` that this removes."""
    is_line: bool = True
    """Whether this is one entry's line, not a run of entries."""


class Rewrite(NamedTuple):
    """The span of some entries, known by their indexes, and the variant that replaces it."""

    entries: tuple[int, ...]
    span: Span
    variant: Variant


def is_paper(link: LabelledLink) -> bool:
    """Return whether a link leads to the paper itself."""
    return link.role is not None and link.role.id == PAPER
