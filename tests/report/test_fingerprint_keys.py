"""Keys by which services recognise findings."""

from __future__ import annotations

import json
from pathlib import Path

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.report.findings_services import keyed_findings
from support.command_line import LIST, here, sample, shelfread
from support.reports import outcome, read_sarif

__all__ = ["here", "sample"]


def test_fingerprints_outlive_moved_lines() -> None:
    source = Source("- a\n- b\n- b\n", "list.md")
    moved = Source("new\n\n- b\n- b\n- a\n", "list.md")

    def prints(source: Source) -> list[str]:
        found = [
            Diagnostic("x/y", Severity.ERROR, "wrong", "list.md", Span(start, start + 3))
            for start, line in zip(source.starts, source.lines, strict=True)
            if line.startswith("-")
        ]
        run = RunResult((outcome(source, *found),), ())
        return [key for _, _, key in keyed_findings(run, Severity.INFO)]

    assert len(set(prints(source))) == 3
    assert set(prints(source)) == set(prints(moved))


def test_a_finding_is_known_again(here: Path) -> None:
    def prints() -> list[str]:
        results = json.loads(shelfread("check", "--output-format", "sarif").stdout)["runs"][0]["results"]
        return [one["partialFingerprints"]["entry/v1"] for one in results]

    before = prints()
    more = "- [Zero](https://zero.org) - Does teh other thing.\n"
    (here / "list.md").write_text(LIST.replace("- [One]", f"{more}- [One]"))
    after = prints()
    assert (len(before), len(after)) == (1, 2) and after[1:] == before
    assert shelfread("check", "--write-baseline", "known.json").exit_code == 0
    (here / "list.md").write_text(
        (here / "list.md").read_text() + "- [Three](https://three.org) - Is teh last.\n"
    )
    done = shelfread("check", "--baseline", "known.json", "--output-format", "sarif")
    (new,) = json.loads(done.stdout)["runs"][0]["results"]
    assert new["locations"][0]["physicalLocation"]["region"]["startLine"] == 8
    done = shelfread("fix", "--baseline", "known.json", "--output-format", "sarif")
    assert done.exit_code == 0 and read_sarif(done.stdout) == []
