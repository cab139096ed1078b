"""Findings for people: each with its line, an overview that fits on two screens if there are many, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Applicability
from shelfread.core.wording import counted
from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import COLOURS, diagnostic_lines, headline
from shelfread.report.groups import MANY, Group, by_cause, errors_first
from shelfread.report.rendering import (
    RenderContext,
    TerminalStyle,
    findings,
    fit,
    hidden_lines,
    printable,
    tally,
    width,
)

_GENERAL_PRESETS = ("core", "taxonomy")  # presets that do not tell kinds of lists apart


def summary_lines(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield what was found, what can be fixed, and how much was read."""
    style, min_severity = context.style, context.min_severity
    counts = tally(run, min_severity)
    severities = Counter(diagnostic.severity for diagnostic in counts.shown)
    yield from (style.paint(line, "green") for line in counts.fixed_lines())
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
    entries = counted(sum(result.entries for result in run.files), "entry", "entries")
    if len(run.files) == 1:
        result = run.files[0]
        return f"{entries} of {printable(result.path)} ({', '.join(result.presets)})."
    presets = Counter(preset for result in run.files if result.entries for preset in result.presets)
    kinds = ", ".join(
        f"{name}: {counted(n, 'file')}" for name, n in presets.most_common() if name not in _GENERAL_PRESETS
    )
    return f"{entries} of {counted(len(run.files), 'file')}{f' ({kinds})' if kinds else ''}."


def statistics(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a table of rules and the summary."""
    lines = list(_rule_rows(run, context))
    yield from lines
    if lines:
        yield ""
    yield from summary_lines(run, context)


def _rule_rows(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a row for each rule, the most frequent first; with a baseline also its counts."""
    style, min_severity, rules = context.style, context.min_severity, context.catalogue()
    shown = tally(run, min_severity).shown
    in_baseline = [item for file in run.files for item in file.known if item.severity >= min_severity]
    counts = Counter(diagnostic.rule for diagnostic in shown)
    known = Counter(diagnostic.rule for diagnostic in in_baseline)
    fixes_of = [(item.rule, item.fix.applicability) for item in shown if item.fix]
    safe, unsafe = (
        Counter(rule for rule, applicability in fixes_of if applicability is kind)
        for kind in (Applicability.SAFE, Applicability.UNSAFE)
    )
    by_severity = sorted([*shown, *in_baseline], key=lambda diagnostic: diagnostic.severity)
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
    if safe:
        return "fixable" if safe == number else f"{safe} fixable"
    return "unsafe fix" if unsafe and unsafe == number else f"{unsafe} unsafe" if unsafe else ""


def _cut(text: str, room: int, style: TerminalStyle) -> str:
    if width(text) <= room:
        return text
    kept, _ = fit(text, room - len(style.ellipsis))
    return "".join(kept).rstrip() + style.ellipsis


def text(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report, errors first; findings below the context's severity are only counted."""
    shown = errors_first(findings(run, context.min_severity))
    if len(shown) <= MANY:
        groups = by_cause(shown)
        yield from _singly(run, groups, context)
        yield from summary_lines(run, context)
        if len(groups) < len(shown):
            yield context.style.paint(
                "Findings with one cause are shown once; all: --output-format full", "dim"
            )
    else:
        from shelfread.report.overview import next_steps, overview

        yield from overview(run, shown, context)
        yield from statistics(run, context)
        yield from next_steps(run, context)


def _singly(run: RunResult, groups: Sequence[Group], context: RenderContext) -> Iterator[str]:
    dropped = tally(run, context.min_severity).dropped
    for group in groups:
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
