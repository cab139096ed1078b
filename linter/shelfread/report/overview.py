"""Many findings: for each rule how many, the first places, and one fix; then the next steps."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.wording import counted
from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import (
    Finding,
    Group,
    by_cause,
    dropped_lines,
    fix_lines,
    headline,
    line_of,
    location,
    rule_label,
    snippet,
)
from shelfread.report.rendering import RenderContext, TerminalStyle, printable, tally, width


class RuleFindings(NamedTuple):
    """The findings of a rule and severity; those of one cause in one file together, the most frequent first."""

    id: str
    severity: Severity
    subject: str  # what the rule checks for, in the plural
    groups: Sequence[Group]

    @property
    def size(self) -> int:
        return sum(group.size for group in self.groups)


def collect_rules(findings: Sequence[Finding], context: RenderContext) -> list[RuleFindings]:
    """Return the findings by severity and rule: errors first, the most frequent rule first."""
    catalogue = context.catalogue()
    by_rule: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault((finding[0].severity, finding[0].rule), []).append(finding)
    rules = []
    for (severity, id), same in by_rule.items():
        groups = sorted(by_cause(same, few=1), key=lambda group: -group.size)
        subject = catalogue[id].subject if id in catalogue else "findings"
        rules.append(RuleFindings(id, severity, subject, groups))
    return sorted(rules, key=lambda rule: (-rule.severity, -rule.size))


def rest_of(groups: Sequence[Group], shown: int) -> str:
    """Return how many findings follow the first ones that are shown, and where they are."""
    findings = [finding for group in groups for finding in group.findings]
    rest = findings[shown:]
    more, paths = f"and {len(rest):,} more", {diagnostic.path for diagnostic, _ in rest}
    if len(paths) > 1:
        return f"{more} in {len(paths):,} files"
    path = rest[0][0].path
    named = "" if path == findings[0][0].path else f"{printable(path)}, "
    first, last = min(map(line_of, rest)), max(map(line_of, rest))
    return f"{more} in {named}{f'line {first}' if first == last else f'lines {first} to {last}'}"


_PLACES = 3  # at most so many places, or groups of places, of a rule are shown


def overview(run: RunResult, findings: Sequence[Finding], context: RenderContext) -> Iterator[str]:
    """Yield a paragraph for each rule: how many findings, the first places, and what to do about the first."""
    dropped = tally(run, context.min_severity).dropped
    style = context.style
    for rule in collect_rules(findings, context):
        shown = rule.groups[:_PLACES]
        if rule.size == 1:
            yield headline(*rule.groups[0].first, style)
        else:
            label = rule_label(rule.id, rule.severity, style)
            yield f"{label} {rule.size:,} {printable(rule.subject)}"
        for index, group in enumerate(shown):
            if rule.size > 1:
                yield from _place(group, style)
            if index == 0:
                yield from _what_to_do(group.first, style, dropped)
        number = sum(group.size for group in shown)
        if number < rule.size:
            yield f"  {rest_of(rule.groups, number)}"
        yield ""


def _place(group: Group, style: TerminalStyle) -> Iterator[str]:
    diagnostic, source = group.first
    place, message = location(diagnostic, source), printable(diagnostic.message)
    others = f"({group.others()})" if group.size > 1 else ""
    beside = others and width(f"  {place}: {message} {others}") <= style.width
    yield f"  {style.paint(f'{place}:', 'bold')} {message}{f' {others}' if beside else ''}"
    if others and not beside:
        yield f"    {others}"


def _what_to_do(finding: Finding, style: TerminalStyle, dropped: Mapping[Diagnostic, str]) -> Iterator[str]:
    diagnostic, source = finding
    if diagnostic.fix is None:
        number = source.position(diagnostic.span.start)[0]
        shown = snippet(source, diagnostic.span, max(style.width - len(f"    {number}") - 3, 40), style)
        yield f"    {style.paint(f'{number} |', 'blue')} {shown.text}".rstrip()
    yield from fix_lines(diagnostic, source, style, "   ")
    yield from dropped_lines(dropped.get(diagnostic), style, "   ")


_BASELINE = ".shelfread/known.json"


def next_steps(run: RunResult, context: RenderContext) -> Iterator[str]:
    steps = list(_steps(run, context))
    if steps:
        yield ""
        yield context.style.paint("Next steps:", "bold")
        column = max(len(what) for what, _ in steps) + 2
        for what, command in steps:
            yield f"  {what:<{column}}{context.style.paint(command, 'cyan')}"


def _steps(run: RunResult, context: RenderContext) -> Iterator[tuple[str, str]]:
    if context.arguments is None:
        return
    paths = f" {shlex.join(context.arguments)}" if context.arguments else ""
    safe, _ = tally(run, context.min_severity).fixable()
    if safe:
        yield f"see the {counted(safe, 'safe fix', 'safe fixes')}", f"shelfread fix --diff{paths}"
    yield "see each finding with its line", f"shelfread check --output-format full{paths}"
    if not context.configured:
        yield "choose the rules for this list", f"shelfread init{paths}"
    if not run.baseline and not run.since:
        yield "report only new findings", f"shelfread check --write-baseline {_BASELINE}{paths}"
