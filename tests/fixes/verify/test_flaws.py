"""What edits of marks and words may not leave behind."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import MARKUP, Change, Edit, Effect
from shelfread.fixes.flaws import find_new_flaw


def flaw(before: str, after: str, change: Change = Change.MARKUP) -> str | None:
    """The flaw of the one edit that makes `after` of `before`."""
    start = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    tail = 0
    while tail < min(len(before), len(after)) - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    edit = Edit(start, len(before) - tail, after[start : len(after) - tail], Effect(change, "", ""))
    return find_new_flaw(before, [edit])


REFUSED = [
    (
        "a stop in a title",
        "- Computing Less, Communicating More\n",
        "- Computing Less., Communicating More\n",
    ),
    ("a stop before a colon", "- **Orca**: A System\n", "- **Orca.**: A System\n"),
    ("a stop before an emoji", "- A Study :fire: [p](u)\n", "- A Study. :fire: [p](u)\n"),
    ("a stop in prose", "- A study of jobs is here\n", "- A study. of jobs is here\n"),
    ("a stop before an address", "- A study](https://example.org)\n", "- A study](.https://example.org)\n"),
    ("a stop behind a space", "- A study \n", "- A study .\n"),
    ("a second stop", "- A study.\n", "- A study..\n"),
    ("a second comma", "- Ann, Bob, OSDI\n", "- Ann,, Bob, OSDI\n"),
    ("the colon of an emoji", "- [zap](u) - :zap: Fast.\n", "- [zap](u) - :zap - Fast.\n"),
    ("a stop in an address", "- https://example.org/a/b\n", "- https://example.org/a./b\n"),
    ("a word in an address", "- https://example.org/github\n", "- https://example.org/GitHub\n"),
    ("one bracket of two", "- A study (2020) here\n", "- A study (2020 here\n"),
    ("a wrong closer", "- A study (2020) here\n", "- A study (2020] here\n"),
    ("doubled brackets", "- A study (OSDI)\n", "- A study ((OSDI)\n"),
    ("brackets in brackets", "- A study [code]\n", "- A study [[code]]\n"),
    ("nothing in brackets", "- A study (OSDI) x\n", "- A study () x\n"),
    ("half of bold", "- **A study** x\n", "- **A study* x\n"),
    ("half of code", "- `code` x\n", "- `code x\n"),
    ("a space before a comma", "- Ann, Bob\n", "- Ann , Bob\n"),
    ("two separators", "- [a](u) - Text\n", "- [a](u) - - Text\n"),
]

ALLOWED = [
    ("a stop at the end", "- A study\n", "- A study.\n"),
    ("a stop at the end of a text", "- A study", "- A study."),
    ("a stop before a link", "- A study [p](u)\n", "- A study. [p](u)\n"),
    ("a stop before a bracketed link", "- A study [[p](u)]\n", "- A study. [[p](u)]\n"),
    ("a stop in bold", "- **A study** Ann Lee\n", "- **A study.** Ann Lee\n"),
    ("a stop in a link", "- [A study](u) Ann Lee\n", "- [A study.](u) Ann Lee\n"),
    ("a stop in a cell", "| A study | x |\n", "| A study. | x |\n"),
    ("a stop behind an emoji", "- A study :fire: [p](u)\n", "- A study :fire:. [p](u)\n"),
    ("a space before an address", "- A study:https://example.org\n", "- A study: https://example.org\n"),
    ("a space before an emoji", "- A study -:fire:\n", "- A study - :fire:\n"),
    ("an ellipsis", "- A study..\n", "- A study...\n"),
    ("a bracket that was missing", "- A study (2020 here\n", "- A study (2020) here\n"),
    ("a pair of brackets", "- A study [p](u)\n", "- A study [[p](u)]\n"),
    ("a bullet", "* A study\n", "- A study\n"),
    ("what was wrong before", "- A study (2020., a\n", "- A study (2020., b\n"),
    ("a name in upper case", "- Tools for Github, and more\n", "- Tools for GitHub, and more\n"),
]


@pytest.mark.parametrize(
    ("before", "after"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_refuses(before: str, after: str) -> None:
    assert flaw(before, after)


@pytest.mark.parametrize(
    ("before", "after"), [case[1:] for case in ALLOWED], ids=[case[0] for case in ALLOWED]
)
def test_allows(before: str, after: str) -> None:
    assert flaw(before, after) is None


def test_edits_of_one_line_are_judged_together() -> None:
    text = "- A study (2020)\n"
    opening, closing = Edit(10, 11, "[", MARKUP), Edit(15, 16, "]", MARKUP)
    assert find_new_flaw(text, [closing, opening]) is None
    assert (
        find_new_flaw(text, [closing])
        == find_new_flaw(text, [opening])
        == "it would leave an unpaired bracket"
    )


def test_a_long_line_is_looked_at_in_parts() -> None:
    text = "- " + "(word) " * 10_000
    edits = [Edit(n, n + 1, "[", MARKUP) for n in range(2, len(text), 7)]
    edits += [Edit(n, n + 1, "]", MARKUP) for n in range(7, len(text), 7)]
    assert find_new_flaw(text, edits) is None
    assert find_new_flaw(text, edits[:-1])


def test_addresses_may_be_replaced_by_their_own_rules() -> None:
    assert flaw("- http://example.org\n", "- https://example.org\n", Change.DESTINATION) is None
