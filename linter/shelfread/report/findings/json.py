"""Findings for programs: one JSON object, whose form is fixed (`version`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from shelfread.core.diagnostics import Diagnostic, Edit, Severity
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext
from shelfread.report.json_text import dumps


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """The report as JSON text, infos always included."""
    yield dumps(to_dict(run))


def to_dict(run: RunResult) -> dict[str, Any]:
    """The report as data."""
    found = [(one, outcome.source) for outcome in run.outcomes for one in outcome.diagnostics]
    counts = Counter(one.severity for one, _ in found)
    return {
        "version": 1,
        "diagnostics": [diagnostic_to_dict(one, source) for one, source in found],
        "summary": {
            "files": len(run.outcomes),
            "entries": sum(outcome.entries for outcome in run.outcomes),
            "links": sum(outcome.links for outcome in run.outcomes),
            "errors": counts[Severity.ERROR],
            "warnings": counts[Severity.WARNING],
            "infos": counts[Severity.INFO],
            "fixable": sum(one.fix is not None for one, _ in found),
            "lists": [{"path": outcome.path, "presets": list(outcome.presets)} for outcome in run.outcomes],
        },
    }


def diagnostic_to_dict(one: Diagnostic, source: Source) -> dict[str, Any]:
    line, column = source.position(one.span.start)
    end_line, end_column = source.position(one.span.end)
    fix = one.fix and {
        "applicability": one.fix.applicability.label,
        "edits": [_edit(edit, one.path) for edit in one.fix.edits],
    }
    return {
        "rule": one.rule,
        "severity": one.severity.label,
        "message": one.message,
        "path": one.path,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "start": one.span.start,
        "end": one.span.end,
        "fix": fix,
    }


def _edit(edit: Edit, path: str) -> dict[str, Any]:
    change, before, after = edit.effect
    return {
        "path": edit.path or path,
        "start": edit.start,
        "end": edit.end,
        "text": edit.text,
        "effect": {"change": change.value, "before": before, "after": after},
    }
