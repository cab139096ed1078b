"""Unified diffs."""

from __future__ import annotations

from shelfread.report.diff import unified_diff_lines
from shelfread.report.terminal import TerminalStyle


def test_a_diff_is_a_patch() -> None:
    assert "".join(unified_diff_lines("list.md", "a\r\nteh\r\nb", "a\r\nthe\r\nb", TerminalStyle())) == (
        "--- a/list.md\n+++ b/list.md\n@@ -1,3 +1,3 @@\n a\r\n-teh\r\n+the\r\n b\n"
        "\\ No newline at end of file\n"
    )
    assert "".join(unified_diff_lines("list.md", "a\x0cb\nteh", "a\x0cb\nteh\n", TerminalStyle())) == (
        "--- a/list.md\n+++ b/list.md\n@@ -1,2 +1,2 @@\n a\x0cb\n-teh\n\\ No newline at end of file\n+teh\n"
    )
    assert "<U+001B>" in "".join(
        unified_diff_lines("list.md", "teh\x1b\n", "the\x1b\n", TerminalStyle(colour=True))
    )
