"""Findings in reviewdog's diagnostic format: one `DiagnosticResult`.

Columns count bytes of UTF-8, from 1; an end is exclusive (reviewdog's proto/rdf/reviewdog.proto).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.edits import apply_edits
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings, replace_undecodable
from shelfread.report.describe_fix import advice
from shelfread.report.json_text import dumps
from shelfread.report.terminal import printable

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}
_LIVE = lazy(r"[@<]|\](?=[(\[:])")


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text; paths are relative to the working directory, as in reviewdog."""
    pairs = findings(run, context.min_severity)
    found = [_diagnostic(diagnostic, source, context) for diagnostic, source in pairs]
    data = {"source": {"name": "shelfread"}, "diagnostics": [*_unreadable(run), *found]}
    yield dumps(data)


def _unreadable(run: RunResult) -> Iterator[dict[str, Any]]:
    for error in run.errors:
        location: dict[str, Any] = {"path": replace_undecodable(error.path or ".")}
        if error.line is not None:
            location["range"] = {"start": {"line": error.line}}
        yield {"message": _inert(printable(error.message)), "location": location, "severity": "ERROR"}


def _diagnostic(diagnostic: Diagnostic, source: Source, context: RenderContext) -> dict[str, Any]:
    data: dict[str, Any] = {
        "message": f"{_inert(printable(diagnostic.message))}\n{_inert(advice(diagnostic, source, context))}",
        "location": {"path": replace_undecodable(diagnostic.path), "range": _range(diagnostic.span, source)},
        "severity": _SEVERITIES[diagnostic.severity],
        "code": {"value": diagnostic.rule},
    }
    # A fix that also changes another file cannot be suggested: half of it would be applied.
    own = ("", diagnostic.path)
    if diagnostic.fix is not None and all(edit.path in own for edit in diagnostic.fix.edits):
        # reviewdog applies one edit: from the start of the first to the end of the last.
        edits = diagnostic.fix.edits
        span = Span(min(edit.start for edit in edits), max(edit.end for edit in edits))
        text = apply_edits(source.text, edits, *span)
        data["suggestions"] = [{"range": _range(span, source), "text": text}]
    return data


def _inert(message: str) -> str:
    """Return a message in which a word joiner breaks mentions, links and HTML: reviewdog posts it as a comment."""
    return _LIVE.sub("\\g<0>\u2060", message)


def _range(span: Span, source: Source) -> dict[str, dict[str, int]]:
    return {"start": _position(span.start, source), "end": _position(span.end, source)}


def _position(offset: int, source: Source) -> dict[str, int]:
    line = source.position(offset)[0]
    return {"line": line, "column": len(source.text[source.starts[line - 1] : offset].encode()) + 1}
