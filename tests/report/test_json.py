"""Findings as JSON."""

from __future__ import annotations

import json

from shelfread.report import findings_json
from shelfread.report.rendering import RenderContext
from support.reports import edit, found, run


def test_json_is_the_contract() -> None:
    source = "# 列\n\nteh\n"
    data = findings_json.to_dict(run(source, found(source, "teh", edit(source, "teh", "the"))))
    assert json.loads("".join(findings_json.json(run(source), RenderContext())))["diagnostics"] == []
    assert data == {
        "version": 1,
        "diagnostics": [
            {
                "rule": "word/the",
                "severity": "warning",
                "message": "teh is misspelt",
                "path": "list.md",
                "line": 3,
                "column": 1,
                "end_line": 3,
                "end_column": 4,
                "start": 5,
                "end": 8,
                "fix": {
                    "applicability": "safe",
                    "edits": [
                        {
                            "path": "list.md",
                            "start": 5,
                            "end": 8,
                            "text": "the",
                            "effect": {"change": "words", "before": "teh", "after": "the"},
                        }
                    ],
                },
            }
        ],
        "summary": {
            "files": 1,
            "entries": 3,
            "links": 5,
            "errors": 0,
            "warnings": 1,
            "infos": 0,
            "fixable": 1,
            "lists": [{"path": "list.md", "presets": ["core", "papers"]}],
        },
    }
