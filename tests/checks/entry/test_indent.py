"""The rule `entry/indent`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.list_markers import indent
from support.project import fixed, run

NESTED = "- [One](https://example.org/1)\n  - note\n- [Two](https://example.org/2)\n{}- [Three](https://example.org/3)\n  - note\n"


@pytest.mark.parametrize(
    "line", [" - a note\n", " - a note\n - and another\n", " * a note\n   of two lines\n"]
)
def test_a_note_that_stands_beside_its_entry_is_nested(line: str) -> None:
    text = NESTED.format(line)
    found = run(indent, text)
    if line.startswith(" *"):
        assert found == []  # another mark begins another list: nothing tells that it is a slip
        return
    assert len(found) == line.count("\n")
    result = fixed(indent, text, unsafe=True)
    assert result.text == NESTED.format(line.replace(" - ", "  - "))


@pytest.mark.parametrize(
    "text",
    [
        NESTED.format(" - [An entry](https://example.org/4)\n"),
        NESTED.format("\n - a note after a blank line\n"),
        "- [One](https://example.org/1)\n- [Two](https://example.org/2)\n - a note\n- [Three](https://example.org/3)\n",
        "1. one\n   - note\n2. two\n   - note\n",
        "1. one\n\n - a list after a blank line\n",
        "1. one\n- a list of its own\n",
        "- text of two lines\n      - and this\n- other\n",
    ],
)
def test_what_may_be_meant(text: str) -> None:
    assert run(indent, text) == []


FLAT = "".join(
    f"- [Tool{number}](https://example.org/{number}) - Sorts {number} lines.\n" for number in range(100)
)


@pytest.mark.parametrize(
    "nested",
    [
        "  - [Wombat](https://example.org/w) - Works with Tool99.\n",
        "  - [Wombat](https://example.org/w)\n",
        "  - [Wombat](https://example.org/w) - Traces routes.\n  - [Emu](https://example.org/e) - Scans ports.\n",
    ],
)
def test_a_nested_entry_that_belongs_to_the_one_above(nested: str) -> None:
    assert run(indent, f"{FLAT}{nested}") == []
