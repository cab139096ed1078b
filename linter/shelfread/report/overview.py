"""Many findings on two screens: for each rule how many, the first places, and one fix; then the next steps."""

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
    snippet_line,
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


_ROWS = 86  # rows for the findings, and for a table of their rules
# How many places, or groups of places, of a rule are shown at most.
_MOST = {Severity.ERROR: 5, Severity.WARNING: 3, Severity.INFO: 3}
# The details from which the first place is shown with its message, and with what to do about it.
_PLACE, _FIX = 1, 2


def overview(run: RunResult, findings: Sequence[Finding], context: RenderContext) -> Iterator[str]:
    """Yield a paragraph for each rule: errors first, the most frequent rule first."""
    rules = collect_rules(findings, context)
    dropped = tally(run, context.min_severity).dropped
    before_compact = False
    for rule, detail in zip(rules, _details(rules, context.style), strict=True):
        compact = _is_compact(rule, detail)
        if before_compact and not compact:
            yield ""
        yield from _paragraph(rule, detail, context.style, dropped)
        if not compact:
            yield ""
        before_compact = compact
    if before_compact:
        yield ""


def _details(rules: Sequence[RuleFindings], style: TerminalStyle) -> list[int]:
    """Return how much of each rule there is room for; of errors always what to do about the first."""
    plain = style._replace(colour=False)
    details = [_FIX if rule.severity is Severity.ERROR else 0 for rule in rules]
    rows = [_rows(rule, detail, plain) for rule, detail in zip(rules, details, strict=True)]
    room = _ROWS - len({rule.id for rule in rules}) - sum(rows)
    growing = [*range(len(rules))]
    # Each rule gets a detail before another one gets its next; where there is no more room, the first ones go on.
    for detail in range(1, _FIX + max(_MOST.values())):
        growing = [index for index in growing if detail < _FIX + _most(rules[index])]
        for number, index in enumerate(growing):
            if detail <= details[index]:
                continue
            more = _rows(rules[index], detail, plain) - rows[index]
            if more > room:
                growing = growing[:number]
                break
            room -= more
            rows[index] += more
            details[index] = detail
    return details


def _most(rule: RuleFindings) -> int:
    return min(_MOST[rule.severity], len(rule.groups))


def _is_compact(rule: RuleFindings, detail: int) -> bool:
    """Return whether the lines of a rule need no blank one to the next that is so."""
    return rule.size == 1 or detail < _PLACE


def _rows(rule: RuleFindings, detail: int, style: TerminalStyle) -> int:
    lines = _paragraph(rule, detail, style, {})
    return sum(-(-width(line) // style.width) for line in lines) + (not _is_compact(rule, detail))


def _paragraph(
    rule: RuleFindings, detail: int, style: TerminalStyle, dropped: Mapping[Diagnostic, str]
) -> Iterator[str]:
    """Yield the lines of a rule: how many findings, then groups of them as far as the detail goes."""
    subject = f"{rule_label(rule.id, rule.severity, style)} {rule.size:,} {printable(rule.subject)}"
    if rule.size == 1:
        yield headline(*rule.groups[0].first, style)
    elif detail < _PLACE:
        yield f"{subject}: {style.paint(location(*rule.groups[0].first), 'bold')} {rest_of(rule.groups, 1)}"
        return
    else:
        yield subject
    number = max(detail - _FIX + 1, 1)
    for index, group in enumerate(rule.groups[:number]):
        if rule.size > 1:
            yield from _place(group, style)
        if detail >= _FIX and (index == 0 or rule.severity is Severity.ERROR):
            yield from _what_to_do(group.first, style, dropped)
    shown = sum(group.size for group in rule.groups[:number])
    if shown < rule.size:
        yield f"  {rest_of(rule.groups, shown)}"


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
        yield snippet_line(diagnostic, source, style, "    ")
    yield from fix_lines(diagnostic, source, style, "   ")
    yield from dropped_lines(dropped.get(diagnostic), style, "   ")


_BASELINE = ".shelfread/known.json"


def next_steps(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a line for each step."""
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
