"""Findings for people: each with its line, or an overview that fits on two screens if there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.engine.model import RunResult
from shelfread.report import overview
from shelfread.report.context import RenderContext, findings
from shelfread.report.findings import statistics
from shelfread.report.groups import MANY, Finding, by_cause, errors_first
from shelfread.report.next_steps import next_steps
from shelfread.report.single import diagnostic_lines
from shelfread.report.summary import summary_lines
from shelfread.report.tally import tally


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report, errors first; findings below the context's severity are only counted."""
    found = errors_first(findings(run, context.min_severity))
    if len(found) <= MANY:
        yield from _singly(run, found, context)
        yield from summary_lines(run, context)
    else:
        yield from overview.render(run, found, context)
        yield from statistics.render(run, context)
        yield from next_steps(run, context)


def _singly(run: RunResult, found: Sequence[Finding], context: RenderContext) -> Iterator[str]:
    """Yield the lines of each finding; many of one cause only once."""
    dropped = tally(run, context.min_severity).dropped
    for group in by_cause(found):
        diagnostic, source = group.first
        more = group.others()
        yield from diagnostic_lines(diagnostic, source, context.style, dropped.get(id(diagnostic)), more)
        yield ""
