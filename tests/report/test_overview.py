"""A first run over a list with thousands of findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from shelfread.core.diagnostics import Severity
from shelfread.report.findings_text import full, text
from shelfread.report.rendering import RenderContext, TerminalStyle
from shelfread.rulebook.metadata import load_rules
from support.command_line import shelfread
from support.reports import edit, found, run


def report(
    *, arguments: Sequence[str] | None = ("list.md",), configured: bool = False, columns: int = 100
) -> list[str]:
    """The report of 2,000 findings of 23 rules."""
    lines = [f"{number} teh a{number:04} b{number:04} c{number:04}" for number in range(1000)]
    source = "\n".join(lines)
    rules = list(load_rules())
    diagnostics = [
        found(source, f"{number} teh", rule=rules[0], message="one cause") for number in range(700)
    ]
    for number in range(700, 980):
        diagnostics.append(
            found(source, f"a{number:04}", edit(source, f"a{number:04}", "a"), rule=rules[number % 20])
        )
        diagnostics.append(found(source, f"b{number:04}", rule=rules[1], severity=Severity.ERROR))
    diagnostics.append(
        found(source, "c0999", rule=rules[30], severity=Severity.ERROR, message="the only one")
    )
    diagnostics.append(found(source, "c0998", rule=rules[31], message="also the only one"))
    style = TerminalStyle(width=columns)
    context = RenderContext(style, catalogue=load_rules, arguments=arguments, configured=configured)
    return list(text(run(source, *diagnostics), context))


def test_an_overview() -> None:
    told = report()
    rules = [line for line in told if re.match(r"(error|warning)\[", line)]
    assert [line.split("[")[0] for line in rules] == ["error"] + ["warning"] * 20
    assert rules[0].startswith("error[awesome/ci-badge] 280 ")
    assert rules[1].startswith("warning[awesome/badge] 714 ")
    start = told.index(rules[1])
    assert told[start + 1] == "  list.md:1:1: one cause (also in lines 2-700)"
    (only,) = [line for line in told if line.endswith("] the only one")]
    assert only.startswith("list.md:1000:") and told.index(only) < start
    assert sum("714  awesome/badge" in line for line in told) == 1
    assert told.index("Next steps:") > told.index(
        "281 errors, 981 warnings in 3 entries of list.md (core, papers)."
    )


def test_the_next_steps() -> None:
    told = report()
    assert told[told.index("Next steps:") :] == [
        "Next steps:",
        "  see the 280 safe fixes          shelfread fix --diff list.md",
        "  see each finding with its line  shelfread check --output-format full list.md",
        "  choose the rules for this list  shelfread init list.md",
        "  report only new findings        shelfread check --write-baseline .shelfread/known.json list.md",
    ]
    assert "shelfread init" not in "\n".join(report(configured=True))
    assert "Next steps:" not in report(arguments=None)
    assert "  see the 280 safe fixes          shelfread fix --diff" in report(arguments=())


def test_a_list_with_many_insecure_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    entries = [
        f"- [Paper {number}](http://arxiv.org/abs/2101.{number:05}) - It is one." for number in range(1, 100)
    ]
    (tmp_path / "a list.md").write_text("\n".join(["# List", "", "## Papers", "", *entries, ""]))
    shown = shelfread("check", "--isolated", "--select", "link/insecure", "a list.md").stdout
    assert shown.startswith(
        "warning[link/insecure] 99 HTTP links to hosts that serve HTTPS\n"
        "  a list.md:5:13: arxiv.org serves HTTPS; use 'https:' (also in lines 6-103)\n"
        "    = fix: https://arxiv.org/abs/2101.00001\n\n"
    )
    assert "shelfread fix --diff 'a list.md'\n" in shown
    singly = shelfread(
        "check", "--isolated", "--select", "link/insecure", "--output-format", "full", "a list.md"
    )
    assert singly.stdout.count("= fix: ") == 99 and "Next steps:" not in singly.stdout
    piped = shelfread(
        "check", "--isolated", "--select", "link/insecure", "-", input=(tmp_path / "a list.md").read_text()
    )
    assert piped.stdout.startswith("warning[link/insecure] 99 ") and "Next steps:" not in piped.stdout


def test_few_findings_are_shown_singly_and_errors_first() -> None:
    source = "teh\nten\n" + "ty\n" * 3
    diagnostics = [found(source, "teh"), found(source, "ten", severity=Severity.ERROR)]
    shown = list(text(run(source, *diagnostics), RenderContext()))
    assert [line for line in shown if line.startswith("list.md:")] == [
        "list.md:2:1: error[word/the] ten is misspelt",
        "list.md:1:1: warning[word/the] teh is misspelt",
    ]
    assert shown == list(full(run(source, *diagnostics), RenderContext()))


def test_many_of_one_cause_are_shown_once() -> None:
    source = "".join(f"teh {number}\n" for number in range(1, 9))
    diagnostics = [found(source, f"teh {number}", message="teh is misspelt") for number in range(1, 9)]
    assert list(text(run(source, *diagnostics), RenderContext()))[:5] == [
        "list.md:1:1: warning[word/the] teh is misspelt",
        "1 | teh 1",
        "  | ^^^^^",
        "  = also in lines 2-8",
        "",
    ]
    assert list(full(run(source, *diagnostics), RenderContext())).count("") == 8
