"""Findings, one a line, for editors, `grep` and logs."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings
from shelfread.report.single import headline


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield `path:line:column: severity[rule] message` for each finding."""
    for diagnostic, source in findings(run, context.min_severity):
        yield headline(diagnostic, source, context.style)
