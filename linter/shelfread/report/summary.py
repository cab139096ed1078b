"""What was found, what can be fixed, and how much was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.support.plurals import counted
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext
from shelfread.report.single import COLOURS
from shelfread.report.tally import hidden_lines, tally
from shelfread.report.terminal import printable

_GENERAL_PRESETS = ("core", "taxonomy")
"""Presets that do not tell kinds of lists apart."""


def summary_lines(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield what was found, what can be fixed, and how much was read."""
    style, min_severity = context.style, context.min_severity
    counts = tally(run, min_severity)
    severities = Counter(diagnostic.severity for diagnostic in counts.shown)
    if counts.fixed:
        yield style.paint(f"{counted(counts.fixed, 'finding')} fixed.", "green")
    if counts.shown:
        kinds = [
            style.paint(counted(number, severity.label), COLOURS[severity], "bold")
            for severity, number in sorted(severities.items(), reverse=True)
        ]
        yield f"{', '.join(kinds)} in {_scope(run)}"
        yield from counts.fixable_lines(context.fix_command, context.unsafe_fix_command)
    elif run.files:
        yield style.paint(f"No problems found in {_scope(run)}", "green")
    yield from hidden_lines(counts.hidden)
    if run.since and run.files:
        older = sum(item.severity >= min_severity for file in run.files for item in file.older)
        yield f"{counted(older, 'finding')} from before {printable(run.since)} not shown."
    if run.baseline:
        known = sum(item.severity >= min_severity for file in run.files for item in file.known)
        yield f"{counted(known, 'finding')} of the baseline {printable(run.baseline)} not shown."
    if counts.shown:
        rule, _ = Counter(diagnostic.rule for diagnostic in counts.shown).most_common(1)[0]
        yield style.paint(f"For an explanation of a rule: shelfread rule {rule}", "dim")


def _scope(run: RunResult) -> str:
    """Return how many entries of which files were read, with the presets that apply to them."""
    entries = counted(sum(result.entries for result in run.files), "entry", "entries")
    if len(run.files) == 1:
        result = run.files[0]
        return f"{entries} of {printable(result.path)} ({', '.join(result.presets)})."
    presets = Counter(preset for result in run.files if result.entries for preset in result.presets)
    kinds = ", ".join(f"{n} {name}" for name, n in presets.most_common() if name not in _GENERAL_PRESETS)
    return f"{entries} of {counted(len(run.files), 'file')}{f' ({kinds})' if kinds else ''}."
