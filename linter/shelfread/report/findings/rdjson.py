"""Findings in reviewdog's diagnostic format: one `DiagnosticResult`.

Its columns count bytes of UTF-8, from 1; an end is exclusive (reviewdog's proto/rdf/reviewdog.proto).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings, replace_undecodable
from shelfread.report.edits import merge
from shelfread.report.findings.text import advice
from shelfread.report.json_text import dumps
from shelfread.report.terminal import printable

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}
_LIVE = lazy(r"[@<]|\](?=[(\[:])")
_SOURCE = {"name": "shelfread"}


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """The report as JSON text; its paths count from the working directory, as reviewdog's do."""
    found = [
        _diagnostic(one, source, context.fix_command) for one, source in findings(run, context.min_severity)
    ]
    yield dumps({"source": _SOURCE, "diagnostics": [*_unreadable(run), *found]})


def _unreadable(run: RunResult) -> Iterator[dict[str, Any]]:
    for error in run.errors:
        location: dict[str, Any] = {"path": replace_undecodable(error.path or ".")}
        if error.line is not None:
            location["range"] = {"start": {"line": error.line}}
        yield {"message": _quiet(printable(error.message)), "location": location, "severity": "ERROR"}


def _diagnostic(one: Diagnostic, source: Source, fix_command: str) -> dict[str, Any]:
    data: dict[str, Any] = {
        "message": f"{_quiet(printable(one.message))}\n{_quiet(advice(one, source, fix_command))}",
        "location": {"path": replace_undecodable(one.path), "range": _range(one.span, source)},
        "severity": _SEVERITIES[one.severity],
        "code": {"value": one.rule},
    }
    # What also changes another file cannot be suggested here: half a fix is none.
    if one.fix is not None and all(edit.path in ("", one.path) for edit in one.fix.edits):
        span, text = merge(one.fix.edits, source)
        data["suggestions"] = [{"range": _range(span, source), "text": text}]
    return data


def _quiet(message: str) -> str:
    """A message without calls, links and HTML, though reviewdog puts it into a comment: a word joiner parts them."""
    return _LIVE.sub("\\g<0>\u2060", message)


def _range(span: Span, source: Source) -> dict[str, dict[str, int]]:
    return {"start": _position(span.start, source), "end": _position(span.end, source)}


def _position(offset: int, source: Source) -> dict[str, int]:
    line = source.position(offset)[0]
    return {"line": line, "column": len(source.text[source.starts[line - 1] : offset].encode()) + 1}
