"""Input that is made to be slow, for the checks of entries."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.description import description_end, description_repeats, description_start
from shelfread.checks.entry.labels import label_order, link_first
from shelfread.checks.entry.list_markers import indent, numbering
from shelfread.checks.entry.order import order
from shelfread.checks.entry.separator import marker_space, separator
from support.lists import TEN
from support.project import LIST, read_project


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "- - - - - - - - [a](https://e.org/u)\n" * 200,
        "<!-- c -->\n- [a](https://e.org/u)\n" * 600,
        "".join(f"{n}. [a{n}](https://e.org/u)\n <!-- c -->\n" for n in range(600)),
        "-[a](https://e.org/u)\n" * 1_000,
        "- [a](https://e.org/u)" + "[[b](https://e.org/u)]" * 1_000 + "\n",
        "- [a](https://e.org/u)\n" + "         - b\n" * 1_000,
        "1. a\n - b\n" * 800,
        " - a\n- [b](https://e.org/u)\n  - c\n" * 600,
        "- ["
        + "1" * 20_000
        + "](https://e.org/u)\n- ["
        + " " * 20_000
        + "b](https://e.org/u)\n"
        + "- [.](https://e.org/u)\n" * 10,
    ],
)
def test_hostile_input_ends_soon(text: str) -> None:
    documents, context = read_project(text)
    for check in (order, numbering, indent, marker_space, label_order):
        for _ in check(documents[LIST], context):
            pass


@pytest.mark.parametrize("filling", ["- ", "*", "`", "[", "(", "&mdash;", "a ", " \u3000", "](", '"-'])
def test_hostile_texts(filling: str) -> None:
    rest = filling * 5000
    text = f"{TEN}- [a](https://a.b) - x{rest}\n- [a](https://a.b){rest} - x\n"
    documents, context = read_project(text)
    for document in documents.values():
        for check in (separator, description_start, description_end, link_first):
            list(check(document, context, when="always"))
        list(description_repeats(document, context))
