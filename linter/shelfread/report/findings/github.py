"""Findings as workflow commands, which GitHub shows as annotations of a pull request's lines.

The runner reads every line of a step's output; what must not be read as part of the command is escaped as
its `ActionCommand.cs` unescapes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext, findings, relative_path
from shelfread.report.findings.text import advice
from shelfread.report.terminal import printable

_KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MOST = 10
"""Annotations of one kind that GitHub shows of one step."""


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """One command for each finding, the worst first: of those beyond its limit GitHub shows none."""
    for error in run.errors:
        yield _error(error, context)
    for remark in run.remarks:
        yield command("warning", printable(remark), title="shelfread: what judges this change")
    for one, source in sorted(findings(run, context.min_severity), key=lambda pair: -pair[0].severity):
        yield _command(one, source, context)


def beside_text(run: RunResult, context: RenderContext) -> Iterator[str]:
    """As many commands as GitHub shows, folded away in the log, where the text is the report."""
    shown: Counter[str] = Counter()
    commands = list(render(run, context))
    if commands:
        yield "::group::Annotations"
        for command in commands:
            kind = command.split(" ", 1)[0]
            shown[kind] += 1
            if shown[kind] <= _MOST:
                yield command
        yield "::endgroup::"


def _command(one: Diagnostic, source: Source, context: RenderContext) -> str:
    line, column = source.position(one.span.start)
    end_line, end_column = source.position(one.span.end)
    # The runner drops columns of a place of several lines, and says so.
    columns = {"col": column, "endColumn": end_column} if line == end_line else {}
    return command(
        _KINDS[one.severity],
        f"{printable(one.message)}\n{advice(one, source, context.fix_command)}",
        file=printable(relative_path(one.path, context.root)),
        line=line,
        endLine=end_line,
        **columns,
        title=f"shelfread: {one.rule}",
    )


def _error(error: UserError, context: RenderContext) -> str:
    where: dict[str, str | int] = {}
    if error.path is not None:
        where = {"file": printable(relative_path(error.path, context.root)), "line": error.line or 1}
    message = printable(error.message if error.path is not None else str(error))
    return command("error", message, **where, title="shelfread: not checked")


def command(kind: str, message: str, **properties: str | int) -> str:
    """A workflow command in one line."""
    told = ",".join(f"{name}={_escape(str(value), ':,')}" for name, value in properties.items())
    return f"::{kind} {told}::{_escape(message)}"


def _escape(text: str, more: str = "") -> str:
    text = text.replace("%", "%25")
    for character in f"\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
