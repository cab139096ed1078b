"""How many findings each rule has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext
from shelfread.report.single import COLOURS
from shelfread.report.summary import summary_lines
from shelfread.report.tally import tally
from shelfread.report.terminal import TerminalStyle, fit, printable, width


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a table of rules and the summary."""
    lines = list(table(run, context))
    yield from lines
    if lines:
        yield ""
    yield from summary_lines(run, context)


def table(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a row for each rule, the most frequent first; with a baseline also its counts."""
    style, min_severity, rules = context.style, context.min_severity, context.catalogue()
    found = tally(run, min_severity).shown
    in_baseline = [item for file in run.files for item in file.known if item.severity >= min_severity]
    counts = Counter(diagnostic.rule for diagnostic in found)
    known = Counter(diagnostic.rule for diagnostic in in_baseline)
    fixes_of = [(item.rule, item.fix.applicability) for item in found if item.fix]
    safe, unsafe = (
        Counter(rule for rule, applicability in fixes_of if applicability is kind)
        for kind in (Applicability.SAFE, Applicability.UNSAFE)
    )
    by_severity = sorted([*found, *in_baseline], key=lambda diagnostic: diagnostic.severity)
    worst = {diagnostic.rule: diagnostic.severity for diagnostic in by_severity}
    digits = len(str(max(counts.values(), default=0)))
    columns = max(digits, 3), max(len(str(max(known.values(), default=0))), 5)
    name = max(map(len, worst), default=0)
    if run.baseline and worst:
        yield style.paint(f"{'new':>{columns[0]}}  {'known':>{columns[1]}}", "dim")
    for rule in sorted(worst, key=lambda rule: (-counts[rule], -known[rule], rule)):
        number = counts[rule]
        fixes = _fixes(number, safe[rule], unsafe[rule])
        painted = style.paint(rule, COLOURS[worst[rule]]) + " " * (name - len(rule))
        subject = printable(rules[rule].subject) if rule in rules else ""
        start = f"{number:>{digits}}"
        if run.baseline:
            start = f"{number:>{columns[0]}}  {known[rule]:>{columns[1]}}"
        fixes = f"{fixes:<{max(digits + 8, 10)}}"
        room = style.width - len(start) - name - len(fixes) - 6
        yield f"{start}  {painted}  {fixes}  {_cut(subject, room, style)}".rstrip()


def _fixes(number: int, safe: int, unsafe: int) -> str:
    """Return how many of a rule's findings have a safe fix, or else an unsafe one."""
    if safe:
        return "fixable" if safe == number else f"{safe} fixable"
    return "unsafe fix" if unsafe and unsafe == number else f"{unsafe} unsafe" if unsafe else ""


def _cut(text: str, room: int, style: TerminalStyle) -> str:
    """Return as much of a text as there is room for."""
    if width(text) <= room:
        return text
    kept, _ = fit(text, room - len(style.ellipsis))
    return "".join(kept).rstrip() + style.ellipsis
