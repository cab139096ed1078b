"""Findings as Markdown."""

from __future__ import annotations

from shelfread.report.findings import markdown
from support.reports import (
    ALL,
    made,
    read_markdown,
)


def test_a_summary_has_its_bounds() -> None:
    run = made({"long.md": ["x" * 3000, "y"], "list.md": ["z"] * 50})
    whole = "\n".join(markdown.render(run, ALL))
    some = "\n".join(markdown.render(run, ALL, 2500))
    assert len(some.encode()) < 2600 < len(whole.encode())
    told = read_markdown(some)
    assert ("long.md", "'y' is wrong") in told
    assert f"\n{52 - len(told)} more findings in the log" in some
