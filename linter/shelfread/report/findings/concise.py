"""Findings one a line, for editors, `grep` and logs."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings
from shelfread.report.findings.text import headline


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """`path:line:column: severity[rule] message`."""
    for one, source in findings(run, context.min_severity):
        yield headline(one, source, context.style)
