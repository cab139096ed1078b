"""Findings as a GitLab Code Quality report: a JSON array of issues."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from shelfread.core.diagnostics import Severity
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, relative_path, replace_undecodable
from shelfread.report.describe_fix import advice
from shelfread.report.fingerprint_keys import keyed_findings
from shelfread.report.json_text import dumps
from shelfread.report.terminal import printable

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
"""Of GitLab's five severities; `critical` and `blocker` do not apply to lists."""


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text."""
    yield dumps([*_unreadable(run, context), *_issues(run, context)])


def _unreadable(run: RunResult, context: RenderContext) -> Iterator[dict[str, Any]]:
    for error in run.errors:
        path = replace_undecodable(relative_path(error.path or ".", context.root))
        yield {
            "description": printable(error.message),
            "check_name": "shelfread",
            "fingerprint": sha256(f"{path}\0{error.message}".encode("utf-8", "replace")).hexdigest(),
            "severity": "major",
            "location": {"path": path, "lines": {"begin": error.line or 1}},
        }


def _issues(run: RunResult, context: RenderContext) -> Iterator[dict[str, Any]]:
    for diagnostic, source, key in keyed_findings(run, context.min_severity):
        yield {
            "description": printable(diagnostic.message),
            "check_name": diagnostic.rule,
            "content": {"body": advice(diagnostic, source, context)},
            "fingerprint": key,
            "severity": _SEVERITIES[diagnostic.severity],
            "location": {
                "path": replace_undecodable(relative_path(diagnostic.path, context.root)),
                "lines": {
                    "begin": source.position(diagnostic.span.start)[0],
                    "end": source.position(max(diagnostic.span.start, diagnostic.span.end - 1))[0],
                },
            },
        }
