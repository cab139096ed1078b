"""Findings for people: each with its line, or an overview that fits on two screens if there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import diagnostic_lines, headline
from shelfread.report.groups import MANY, Finding, by_cause, errors_first
from shelfread.report.overview import next_steps, overview
from shelfread.report.render_context import RenderContext, findings, tally
from shelfread.report.totals import statistics, summary_lines


def text(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report, errors first; findings below the context's severity are only counted."""
    shown = errors_first(findings(run, context.min_severity))
    if len(shown) <= MANY:
        yield from _singly(run, shown, context)
        yield from summary_lines(run, context)
    else:
        yield from overview(run, shown, context)
        yield from statistics(run, context)
        yield from next_steps(run, context)


def _singly(run: RunResult, shown: Sequence[Finding], context: RenderContext) -> Iterator[str]:
    """Yield the lines of each finding; many of one cause only once."""
    dropped = tally(run, context.min_severity).dropped
    for group in by_cause(shown):
        diagnostic, source = group.first
        more = group.others()
        yield from diagnostic_lines(diagnostic, source, context.style, dropped.get(diagnostic), more)
        yield ""


def full(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of all findings, errors first, and a summary."""
    dropped = tally(run, context.min_severity).dropped
    for diagnostic, source in errors_first(findings(run, context.min_severity)):
        yield from diagnostic_lines(diagnostic, source, context.style, dropped.get(diagnostic))
        yield ""
    yield from summary_lines(run, context)


def concise(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield `path:line:column: severity[rule] message` for each finding."""
    for diagnostic, source in findings(run, context.min_severity):
        yield headline(diagnostic, source, context.style)
