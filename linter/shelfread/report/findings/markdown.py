"""Findings as Markdown, for a job's summary or a comment: a table for each file.

What stands in a list is a stranger's: none of it is markup, HTML, a link or a call (`@name`) here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.engine.model import FileResult, RunResult
from shelfread.report.context import RenderContext, relative_path
from shelfread.report.findings.text import describe_fix, summary_lines
from shelfread.report.markdown_escape import escape
from shelfread.report.terminal import TerminalStyle

MOST = 900_000
"""Bytes: GitHub leaves out a step's summary larger than 1 MiB."""
_MARKS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "ℹ️ info"}


def render(run: RunResult, context: RenderContext, most: int = MOST) -> Iterator[str]:
    """What was found, then tables as far as there is room; the findings left out are counted."""
    start = list(_start(run, context))
    yield from start
    room, left = most - _size(start), 0
    for outcome in run.outcomes:
        head = [f"\n### {escape(outcome.path)}\n\n| line | | finding | rule | fix |\n|---|---|---|---|---|"]
        for one in outcome.diagnostics:
            if one.severity >= context.min_severity:
                lines = [*head, _row(one, outcome, context)]
                size = _size(lines)
                if size > room:
                    left += 1
                    continue
                yield from lines
                head, room = [], room - size
    if left:
        yield f"\nThere is no room here for {left} more: the log has them all."


def _start(run: RunResult, context: RenderContext) -> Iterator[str]:
    yield "## shelfread\n"
    for error in run.errors:
        yield f"- **not checked:** {escape(str(error))}"
    for remark in run.remarks:
        yield f"- ⚠️ {escape(remark)}"
    if run.errors or run.remarks:
        yield ""
    for line in summary_lines(run, TerminalStyle(), context.min_severity):
        yield f"{escape(line)}  "


def _size(lines: Iterable[str]) -> int:
    """Bytes of lines with their ends."""
    return sum(len(line.encode()) + 1 for line in lines)


def _row(one: Diagnostic, outcome: FileResult, context: RenderContext) -> str:
    line, column = outcome.source.position(one.span.start)
    where = f"{line}:{column}"
    if context.blob:
        target = quote(relative_path(one.path, context.root), errors="replace")
        where = f"[{where}]({context.blob}{target}?plain=1#L{line})"
    fix = ""
    if one.fix is not None:
        unsafe = "unsafe: " if one.fix.applicability is Applicability.UNSAFE else ""
        fix = unsafe + escape(describe_fix(one.fix, one.span, outcome.source, TerminalStyle()))
    return f"| {where} | {_MARKS[one.severity]} | {escape(one.message)} | `{one.rule}` | {fix} |"
