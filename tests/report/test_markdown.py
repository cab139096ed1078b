"""Findings as Markdown."""

from __future__ import annotations

import re
from collections import Counter

from shelfread.report.findings_markdown import markdown
from support.reports import ALL, NASTY, made, read_markdown


def test_a_summary_has_its_bounds() -> None:
    run = made({"long.md": ["x" * 3000, "y"], "list.md": [f"z{number}" for number in range(40)]})
    whole = "\n".join(markdown(run, ALL))
    some = "\n".join(markdown(run, ALL, 2500))
    assert len(some.encode()) < 2600 < len(whole.encode())
    told = read_markdown(some)
    assert ("long.md", "'y' is wrong") in told
    assert f"\n{42 - len(told)} more findings in the log" in some


def test_many_findings_are_told_by_rule_and_cause() -> None:
    run = made({"a.md": ["x"] * 60, "b.md": [f"y{number}" for number in range(60)], "c.md": NASTY})
    told = "\n".join(markdown(run, ALL))
    rules, _, files = told.partition("<details>")
    assert "| findings | | | rule | first places |" in rules and "### " not in rules
    assert len(re.findall(r"^\|.*`paper/arxiv-agrees`.*\|$", rules, re.MULTILINE)) == 3
    assert "| 44 | ❌ error |" in rules and "and 24 more in 2 files" in rules
    assert files.endswith("\n</details>")
    # Of each severity: in a.md one cause, in b.md one rule, in c.md each, as they are few.
    rows = [path for path, _ in read_markdown(told) if path]
    assert Counter(rows) == {"a.md": 3, "b.md": 3, "c.md": len(NASTY)}
    assert "&#39;x&#39; is wrong <br> also in lines 4, 7, 10 and 16 more" in files.replace("'", "&#39;")
    assert "19 more of this rule in lines 4, 7, 10 and 16 more" in files
