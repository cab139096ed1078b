"""The findings of each rule, for overviews of many."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Severity
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.report.context import RenderContext
from shelfread.report.groups import Finding, Group, by_cause, line_of
from shelfread.report.terminal import printable


class RuleFindings(NamedTuple):
    """The findings of a rule and severity; those of one cause in one file together, the most frequent first."""

    id: str
    severity: Severity
    subject: str
    """What the rule checks for, in the plural."""
    groups: Sequence[Group]

    @property
    def size(self) -> int:
        return sum(group.size for group in self.groups)


def collect_rules(found: Sequence[Finding], context: RenderContext) -> list[RuleFindings]:
    """Return the findings by severity and rule: errors first, the most frequent rule first."""
    catalogue = context.catalogue()
    by_rule: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in found:
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
