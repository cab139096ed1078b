"""Unified diffs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.report.rendering import TerminalStyle
from shelfread.report.unified_diff import patch_lines, shown_lines
from support.work import executed_lines


def test_a_diff_is_a_patch() -> None:
    assert "".join(patch_lines("list.md", "a\r\nteh\r\nb", "a\r\nthe\r\nb")) == (
        "--- a/list.md\n+++ b/list.md\n@@ -1,3 +1,3 @@\n a\r\n-teh\r\n+the\r\n b\n"
        "\\ No newline at end of file\n"
    )
    assert "".join(patch_lines("list.md", "a\x0cb\nteh", "a\x0cb\nteh\n")) == (
        "--- a/list.md\n+++ b/list.md\n@@ -1,2 +1,2 @@\n a\x0cb\n-teh\n\\ No newline at end of file\n+teh\n"
    )
    assert "<U+001B>" in "".join(shown_lines("list.md", "teh\x1b\n", "the\x1b\n", TerminalStyle(colour=True)))


LINES = st.lists(st.sampled_from(["a", "b", "c", "same", "", "x\x0cy", "é"]), max_size=30)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(LINES, LINES, ENDS, st.booleans())
def test_a_diff_says_what_becomes_what(before: list[str], after: list[str], end: str, last: bool) -> None:
    old, new = (end.join(lines) + end * last for lines in (before, after))
    assert patched(old, list(patch_lines("list.md", old, new))) == new


def patched(text: str, patch: list[str]) -> str:
    """What a patch makes of a text, read by nothing but the format's definition."""
    lines, result, position = "".join(patch).split("\n")[:-1], [], 0
    old = text.split("\n")
    old = old[:-1] if text.endswith("\n") or not text else old
    for number, line in enumerate(lines[2:], 2):
        if line.startswith("@@"):
            start, _, count = line.split()[1][1:].partition(",")
            first = int(start) - (count != "0")
            result += [f"{kept}\n" for kept in old[position:first]]
            position = first
        elif line[0] in " -":
            assert old[position] == line[1:]
            position += 1
        if line[0] in " +":
            unended = number + 1 < len(lines) and lines[number + 1].startswith("\\")
            result.append(line[1:] + ("" if unended else "\n"))
    rest = [f"{kept}\n" for kept in old[position:]]
    if rest and not text.endswith("\n"):
        rest[-1] = rest[-1][:-1]
    return "".join(result + rest)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("list.md", "a/list.md"),
        ("列表.md", "a/列表.md"),
        ("a list.md", "a/a list.md\t"),
        ("a\nb.md", '"a/a\\nb.md"'),
        ('a"\\\t.md', '"a/a\\"\\\\\\t.md"'),
        ("\x1b[31m é.md", '"a/\\033[31m \\303\\251.md"'),
        ("\x9b.md", '"a/\\302\\233.md"'),
        ("\udcff.md", '"a/\\377.md"'),
    ],
)
def test_names_are_quoted_as_git_does(name: str, written: str) -> None:
    assert next(patch_lines(name, "a\n", "b\n")) == f"--- {written}\n"


def test_a_large_diff_takes_linear_time() -> None:
    """All lines the same but one in ten: nothing to align by."""

    def lines(count: int) -> int:
        before = "".join("- same\n" if number % 10 else f"- teh {number}\n" for number in range(count))
        return executed_lines(lambda: list(patch_lines("list.md", before, before.replace("teh", "the"))))

    assert lines(4000) < 5 * lines(1000)


def test_lines_that_stay_are_not_in_the_diff() -> None:
    before = "".join(f"teh {number}\n\n" for number in range(9))
    diff = "".join(patch_lines("list.md", before, before.replace("teh", "the")))
    assert "-\n" not in diff and "+\n" not in diff
