"""Findings as SARIF."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from shelfread.core.errors import InputError
from shelfread.engine.model import RunResult
from shelfread.report.rendering import relative_path
from support.reports import ALL, made, outcome, read_sarif, several, written


def test_sarif_fixes_and_rules() -> None:
    source, one, after = several()
    report = written("sarif", RunResult((outcome(source, one),), ()))
    read_sarif(report)
    (log,) = json.loads(report)["runs"]
    assert (log["columnKind"], log["newlineSequences"]) == ("unicodeCodePoints", ["\r\n", "\n", "\r"])
    (result,) = log["results"]
    assert (result["level"], result["ruleIndex"]) == ("warning", 0)
    (rule,) = log["tool"]["driver"]["rules"]
    assert (rule["id"], rule["defaultConfiguration"]) == (result["ruleId"], {"level": "error"})
    assert rule["help"]["markdown"].startswith("# paper/arxiv-agrees\n")
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "list.md", "uriBaseId": "%SRCROOT%"}
    made = source.text
    for edit in sorted(
        change["replacements"], key=lambda edit: list(edit["deletedRegion"].values()), reverse=True
    ):
        region = edit["deletedRegion"]
        start, end = (source.offset(region[f"{at}Line"], region[f"{at}Column"]) for at in ("start", "end"))
        made = made[:start] + edit["insertedContent"]["text"] + made[end:]
    assert made == after
    assert log["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_says_what_was_not_read() -> None:
    run = RunResult((), (InputError("not UTF-8", "a b.md", 4),), (InputError("too large", "c.md"),))
    report = written("sarif", run)
    read_sarif(report)
    (invocation,) = json.loads(report)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    error, note = invocation["toolExecutionNotifications"]
    assert (error["level"], note["level"]) == ("error", "note")
    assert error["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.md", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 4},
    }


@pytest.mark.parametrize("path", ["/elsewhere/a b.md", "../a b.md"])
def test_what_lies_outside_has_an_absolute_address(path: str, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    data = json.loads(written("sarif", made({path: ["x"]}), ALL._replace(root=str(tmp_path / "work"))))
    where = data["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where == {"uri": Path(os.path.abspath(path)).as_uri()}
    assert relative_path(path, str(tmp_path / "work")) == path
