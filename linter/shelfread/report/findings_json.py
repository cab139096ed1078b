"""Findings for programs: a JSON object; a change of its structure changes `version`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from shelfread.core.diagnostics import Diagnostic, Edit, Severity
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.report.rendering import RenderContext, dumps


def json(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text, always with infos."""
    yield dumps(to_dict(run))


def to_dict(run: RunResult) -> dict[str, Any]:
    findings = [(diagnostic, result.source) for result in run.files for diagnostic in result.diagnostics]
    return {
        "version": 1,
        "diagnostics": [diagnostic_to_dict(diagnostic, source) for diagnostic, source in findings],
        "summary": {
            "files": len(run.files),
            "entries": sum(result.entries for result in run.files),
            "links": sum(result.links for result in run.files),
            **severity_counts(diagnostic.severity for diagnostic, _ in findings),
            "fixable": sum(diagnostic.fix is not None for diagnostic, _ in findings),
            "lists": [{"path": result.path, "presets": list(result.presets)} for result in run.files],
        },
    }


def severity_counts(severities: Iterable[Severity]) -> dict[str, int]:
    """Return how many findings there are of each severity."""
    counts = Counter(severities)
    return {f"{severity.label}s": counts[severity] for severity in reversed(Severity)}


def diagnostic_to_dict(diagnostic: Diagnostic, source: Source) -> dict[str, Any]:
    """Return a finding as data: offsets in code points from 0, lines and columns from 1."""
    line, column = source.position(diagnostic.span.start)
    end_line, end_column = source.position(diagnostic.span.end)
    fix = diagnostic.fix and {
        "applicability": diagnostic.fix.applicability.label,
        "edits": [_edit(edit, diagnostic.path) for edit in diagnostic.fix.edits],
    }
    return {
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.label,
        "message": diagnostic.message,
        "path": diagnostic.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "start": diagnostic.span.start,
        "end": diagnostic.span.end,
        "fix": fix,
    }


def _edit(edit: Edit, path: str) -> dict[str, Any]:
    return {
        "path": path,
        **edit._asdict(),
        "effect": {**edit.effect._asdict(), "change": edit.effect.change.value},
    }
