"""Findings as Markdown: a table for each file, of many first one of rules; no text of a list is markup, a link or a mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from shelfread.core.diagnostics import Applicability, Severity
from shelfread.core.wording import counted
from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import MANY, Finding, Group, by_cause, by_rule, describe_fix, errors_first
from shelfread.report.findings_text import summary_lines
from shelfread.report.overview import collect_rules, rest_of
from shelfread.report.rendering import RenderContext, TerminalStyle, escape, findings

MAX_BYTES = 900_000  # GitHub drops a step's summary of more than 1 MiB
_LABELS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "ℹ️ info"}
_DETAILS = "\n<details><summary>All findings, by file</summary>"
_END = "\n</details>"


def markdown(run: RunResult, context: RenderContext, most: int = MAX_BYTES) -> Iterator[str]:
    """Yield the summary, then tables of at most `most` bytes; findings left out are counted."""
    shown = errors_first(findings(run, context.min_severity))
    many = len(shown) > MANY
    start = list(_start(run, context))
    if many:
        start += [*_rules(shown, context), _DETAILS]
    yield from start
    room, left = most - _size([*start, _END]), 0
    for path, groups in groupby(_groups(run, context, many), lambda group: group.first[0].path):
        head = [f"\n### {escape(path)}\n\n| line | | finding | rule | fix |\n|---|---|---|---|---|"]
        for group in groups:
            lines = [*head, _row(group, context)]
            size = _size(lines)
            if size > room:
                left += group.size
                continue
            yield from lines
            head, room = [], room - size
    if many:
        yield _END
    if left:
        yield f"\n{counted(left, 'more finding')} in the log: this summary has no room."


def _start(run: RunResult, context: RenderContext) -> Iterator[str]:
    yield "## shelfread\n"
    for error in run.errors:
        yield f"- **not checked:** {escape(str(error))}"
    for change in run.policy_changes:
        yield f"- ⚠️ {escape(change)}"
    if run.errors or run.policy_changes:
        yield ""
    for line in summary_lines(run, context._replace(style=TerminalStyle())):
        yield f"{escape(line)}  "


def _rules(shown: Sequence[Finding], context: RenderContext) -> Iterator[str]:
    yield "\n| findings | | | rule | first places |\n|---:|---|---|---|---|"
    for rule in collect_rules(shown, context):
        first = rule.groups[0]
        places = f"{_place(first, context, path=True)} {_message(first)}"
        rest = f" <br> {escape(rest_of(rule.groups, first.size))}" if rule.size > first.size else ""
        subject = escape(rule.subject) if rule.size > 1 else ""
        yield f"| {rule.size:,} | {_LABELS[rule.severity]} | {subject} | `{rule.id}` | {places}{rest} |"


def _groups(run: RunResult, context: RenderContext, many: bool) -> Iterator[Group]:
    for result in run.files:
        shown = [item for item in result.diagnostics if item.severity >= context.min_severity]
        groups = by_cause(errors_first((item, result.source) for item in shown))
        yield from by_rule(groups) if many else groups


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _row(group: Group, context: RenderContext) -> str:
    diagnostic, source = group.first
    fix = ""
    if diagnostic.fix is not None:
        unsafe = "unsafe: " if diagnostic.fix.applicability is Applicability.UNSAFE else ""
        fix = unsafe + escape(describe_fix(diagnostic.fix, diagnostic.span, source, TerminalStyle()))
    label = _LABELS[diagnostic.severity]
    return f"| {_place(group, context)} | {label} | {_message(group)} | `{diagnostic.rule}` | {fix} |"


def _place(group: Group, context: RenderContext, path: bool = False) -> str:
    diagnostic, source = group.first
    line, column = source.position(diagnostic.span.start)
    place = f"{line}:{column}"
    if path:
        place = escape(f"{diagnostic.path}:{place}")
    url = context.line_url(diagnostic.path, line)
    return f"[{place}]({url})" if url else place


def _message(group: Group) -> str:
    diagnostic, _ = group.first
    others = f" <br> {group.others()}" if group.size > 1 else ""
    return f"{escape(diagnostic.message)}{others}"
