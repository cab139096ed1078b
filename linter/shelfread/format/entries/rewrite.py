"""An entry, a run of them or a table, written anew: what comes to stand where."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.document.model import LabelledLink


class Rewrite(NamedTuple):
    """`text[span]` becomes `written`; `entries` are the numbers of those that stand there.

    `gone` and `come` are the words that this takes and adds: a link's label, the names of columns.
    """

    entries: tuple[int, ...]
    span: Span
    written: str
    gone: str = ""
    come: str = ""
    relabels: bool = False
    """Whether an entry's link to its paper has another label than before: its title, a word, its venue."""
    tags: str = ""
    """Breaks of lines that go, `<br>`."""


class Way(NamedTuple):
    """One way to write an entry's line."""

    written: str
    gone: str = ""
    come: str = ""
    relabels: bool = True
    tags: str = ""


PAPER = "paper"


def is_paper(link: LabelledLink) -> bool:
    """Whether a link leads to the paper itself."""
    return link.role is not None and link.role.id == PAPER
