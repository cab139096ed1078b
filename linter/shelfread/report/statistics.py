"""How often each rule spoke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from shelfread.diagnostic import Severity
from shelfread.report.look import Look, printable
from shelfread.report.text import COLOURS, summary
from shelfread.run import Run


def render(
    run: Run, look: Look, summaries: Mapping[str, str], least: Severity = Severity.WARNING
) -> Iterator[str]:
    """A table of rules, the most frequent first, then the summary."""
    found = [one for outcome in run.outcomes for one in outcome.diagnostics if one.severity >= least]
    counts = Counter(one.rule for one in found)
    fixable = Counter(one.rule for one in found if one.fix)
    worst = {one.rule: one.severity for one in sorted(found, key=lambda one: one.severity)}
    digits = len(str(max(counts.values(), default=0)))
    name = max(map(len, counts), default=0)
    for rule, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        some = "fixable" if fixable[rule] == number else f"{fixable[rule]} fixable" if fixable[rule] else ""
        painted = look.paint(rule, COLOURS[worst[rule]]) + " " * (name - len(rule))
        said = printable(summaries.get(rule, ""))
        yield f"{number:>{digits}}  {painted}  {some:<{digits + 8}}  {said}".rstrip()
    if counts:
        yield ""
    yield from summary(run, look, least)
