"""Findings as Markdown, for a job summary or a comment: a table for each file.

The text of a list is a stranger's: none of it is markup, HTML, a link or a mention (`@name`) here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.support.plurals import counted
from shelfread.engine.model import FileResult, RunResult
from shelfread.report.context import RenderContext
from shelfread.report.findings.text import describe_fix, summary_lines
from shelfread.report.markdown_escape import escape
from shelfread.report.terminal import TerminalStyle

MAX_BYTES = 900_000
"""GitHub drops a step's summary of more than 1 MiB."""
_LABELS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "ℹ️ info"}


def render(run: RunResult, context: RenderContext, most: int = MAX_BYTES) -> Iterator[str]:
    """Yield the summary, then tables of at most `most` bytes; findings left out are counted."""
    start = list(_start(run, context))
    yield from start
    room, left = most - _size(start), 0
    for result in run.files:
        head = [f"\n### {escape(result.path)}\n\n| line | | finding | rule | fix |\n|---|---|---|---|---|"]
        for diagnostic in result.diagnostics:
            if diagnostic.severity >= context.min_severity:
                lines = [*head, _row(diagnostic, result, context)]
                size = _size(lines)
                if size > room:
                    left += 1
                    continue
                yield from lines
                head, room = [], room - size
    if left:
        yield f"\n{counted(left, 'more finding')} in the log: this summary has no room."


def _start(run: RunResult, context: RenderContext) -> Iterator[str]:
    yield "## shelfread\n"
    for error in run.errors:
        yield f"- **not checked:** {escape(str(error))}"
    for change in run.policy_changes:
        yield f"- ⚠️ {escape(change)}"
    if run.errors or run.policy_changes:
        yield ""
    for line in summary_lines(run, TerminalStyle(), context.min_severity):
        yield f"{escape(line)}  "


def _size(lines: Iterable[str]) -> int:
    """Return the bytes of lines with their newlines."""
    return sum(len(line.encode()) + 1 for line in lines)


def _row(diagnostic: Diagnostic, result: FileResult, context: RenderContext) -> str:
    line, column = result.source.position(diagnostic.span.start)
    url = context.line_url(diagnostic.path, line)
    place = f"[{line}:{column}]({url})" if url else f"{line}:{column}"
    fix = ""
    if diagnostic.fix is not None:
        unsafe = "unsafe: " if diagnostic.fix.applicability is Applicability.UNSAFE else ""
        fix = unsafe + escape(describe_fix(diagnostic.fix, diagnostic.span, result.source, TerminalStyle()))
    label, message = _LABELS[diagnostic.severity], escape(diagnostic.message)
    return f"| {place} | {label} | {message} | `{diagnostic.rule}` | {fix} |"
