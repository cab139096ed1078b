"""How often each rule spoke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext
from shelfread.report.findings.text import COLOURS, summary_lines
from shelfread.report.terminal import printable


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """A table of rules, the most frequent first, then the summary; with a baseline what it knows too."""
    style, min_severity, cards = context.style, context.min_severity, context.catalogue()
    found = [one for outcome in run.outcomes for one in outcome.diagnostics if one.severity >= min_severity]
    waiting = [one for outcome in run.outcomes for one in outcome.known if one.severity >= min_severity]
    counts = Counter(one.rule for one in found)
    known = Counter(one.rule for one in waiting)
    fixable = Counter(one.rule for one in found if one.fix)
    worst = {one.rule: one.severity for one in sorted(found + waiting, key=lambda one: one.severity)}
    digits = len(str(max(counts.values(), default=0)))
    columns = max(digits, 3), max(len(str(max(known.values(), default=0))), 5)
    name = max(map(len, worst), default=0)
    if run.baseline and worst:
        yield style.paint(f"{'new':>{columns[0]}}  {'known':>{columns[1]}}", "dim")
    for rule in sorted(worst, key=lambda rule: (-counts[rule], -known[rule], rule)):
        number = counts[rule]
        some = f"{fixable[rule]} fixable" if fixable[rule] else ""
        some = "fixable" if number and fixable[rule] == number else some
        painted = style.paint(rule, COLOURS[worst[rule]]) + " " * (name - len(rule))
        said = printable(cards[rule].summary) if rule in cards else ""
        start = f"{number:>{digits}}"
        if run.baseline:
            start = f"{number:>{columns[0]}}  {known[rule]:>{columns[1]}}"
        yield f"{start}  {painted}  {some:<{digits + 8}}  {said}".rstrip()
    if worst:
        yield ""
    yield from summary_lines(run, style, min_severity)
