"""Findings for people, each singly: the line with the problem underlined, and what a fix would write."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings
from shelfread.report.groups import errors_first
from shelfread.report.single import diagnostic_lines
from shelfread.report.summary import summary_lines
from shelfread.report.tally import tally


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of all findings, errors first, and a summary."""
    dropped = tally(run, context.min_severity).dropped
    for diagnostic, source in errors_first(findings(run, context.min_severity)):
        yield from diagnostic_lines(diagnostic, source, context.style, dropped.get(id(diagnostic)))
        yield ""
    yield from summary_lines(run, context)
