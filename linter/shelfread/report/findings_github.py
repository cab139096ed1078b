"""Findings as workflow commands, which GitHub shows as annotations on the lines of a pull request.

Values are escaped as the runner's `ActionCommand.cs` unescapes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import UserError
from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import Group, advice, by_cause, by_rule
from shelfread.report.rendering import RenderContext, findings, printable, relative_path

_KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MAX_SHOWN = 10  # annotations of one severity that GitHub shows for a step


def github(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a command for each cause, the most severe first: GitHub drops those beyond its limit."""
    for error in run.errors:
        yield _error(error, context)
    for change in run.policy_changes:
        yield command("warning", printable(change), title="shelfread: changed settings")
    shown = list(findings(run, context.min_severity))
    for severity in reversed(Severity):
        same = [finding for finding in shown if finding[0].severity is severity]
        groups = by_cause(same)
        for group in groups if len(groups) <= _MAX_SHOWN else by_rule(by_cause(same, few=1)):
            yield _command(group, context)


def beside_text(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield as many commands as GitHub shows, folded in the log, for a run whose report is the text."""
    shown: Counter[str] = Counter()
    commands = list(github(run, context))
    if commands:
        yield "::group::Annotations"
        for command in commands:
            kind = command.split(" ", 1)[0]
            shown[kind] += 1
            if shown[kind] <= _MAX_SHOWN:
                yield command
        yield "::endgroup::"


def _command(group: Group, context: RenderContext) -> str:
    diagnostic, source = group.first
    line, column = source.position(diagnostic.span.start)
    end_line, end_column = source.position(diagnostic.span.end)
    # The runner ignores columns, with a warning, if a place has several lines.
    columns = {"col": column, "endColumn": end_column} if line == end_line else {}
    number = f" ({group.size:,} findings)" if group.size > 1 else ""
    message = [printable(diagnostic.message), group.others(), advice(diagnostic, source, context)]
    return command(
        _KINDS[diagnostic.severity],
        "\n".join(filter(None, message)),
        file=printable(relative_path(diagnostic.path, context.root)),
        line=line,
        endLine=end_line,
        **columns,
        title=f"shelfread: {diagnostic.rule}{number}",
    )


def _error(error: UserError, context: RenderContext) -> str:
    properties: dict[str, str | int] = {}
    if error.path is not None:
        properties = {"file": printable(relative_path(error.path, context.root)), "line": error.line or 1}
    message = printable(error.message if error.path is not None else str(error))
    return command("error", message, **properties, title="shelfread: not checked")


def command(kind: str, message: str, **properties: str | int) -> str:
    """Return a workflow command: one line."""
    pairs = ",".join(f"{name}={_escape(str(value), ':,')}" for name, value in properties.items())
    return f"::{kind} {pairs}::{_escape(message)}"


def _escape(text: str, more: str = "") -> str:
    text = text.replace("%", "%25")
    for character in f"\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
