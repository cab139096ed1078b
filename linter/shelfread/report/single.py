"""The lines of one finding: the place underlined, and what a fix would write."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.report.describe_fix import describe_fix
from shelfread.report.snippet import snippet
from shelfread.report.terminal import TerminalStyle, printable

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


def diagnostic_lines(
    diagnostic: Diagnostic, source: Source, style: TerminalStyle, dropped: str | None = None, others: str = ""
) -> Iterator[str]:
    """Yield the lines of one finding.

    `dropped` says why its fix was not applied, and `others` where there are more of its cause.
    """
    yield headline(diagnostic, source, style)
    number = str(source.position(diagnostic.span.start)[0])
    gutter = " " * len(number)
    shown = snippet(source, diagnostic.span, max(style.width - len(number) - 3, 40), style)
    yield f"{style.paint(f'{number} |', 'blue')} {shown.text}".rstrip()
    carets = style.paint("^" * shown.length, COLOURS[diagnostic.severity], "bold")
    yield f"{style.paint(f'{gutter} |', 'blue')} {' ' * shown.indent}{carets}"
    yield from fix_lines(diagnostic, source, style, gutter)
    yield from dropped_lines(dropped, style, gutter)
    if others:
        yield f"{gutter} = {others}"


def snippet_line(diagnostic: Diagnostic, source: Source, style: TerminalStyle, indent: str) -> str:
    """Return the line of a finding, as much of it as there is room for."""
    number = source.position(diagnostic.span.start)[0]
    shown = snippet(source, diagnostic.span, max(style.width - len(f"{indent}{number}") - 3, 40), style)
    return f"{indent}{style.paint(f'{number} |', 'blue')} {shown.text}".rstrip()


def fix_lines(diagnostic: Diagnostic, source: Source, style: TerminalStyle, indent: str) -> Iterator[str]:
    """Yield the line that describes the fix of a finding, if it has one."""
    if diagnostic.fix is not None:
        safe = diagnostic.fix.applicability is Applicability.SAFE
        label = style.paint("= fix:", "green") if safe else style.paint("= unsafe fix:", "yellow")
        yield f"{indent} {label} {describe_fix(diagnostic.fix, diagnostic.span, source, style)}"


def dropped_lines(reason: str | None, style: TerminalStyle, indent: str) -> Iterator[str]:
    """Yield the line that says why a fix was not applied, if there is a reason."""
    if reason is not None:
        yield f"{indent} {style.paint('= not fixed:', 'yellow')} {printable(reason)}"


def headline(diagnostic: Diagnostic, source: Source, style: TerminalStyle) -> str:
    """Return `path:line:column: severity[rule] message`."""
    place = style.paint(f"{location(diagnostic, source)}:", "bold")
    label = rule_label(diagnostic.rule, diagnostic.severity, style)
    return f"{place} {label} {printable(diagnostic.message)}"


def location(diagnostic: Diagnostic, source: Source) -> str:
    """Return `path:line:column`."""
    line, column = source.position(diagnostic.span.start)
    return f"{printable(diagnostic.path)}:{line}:{column}"


def rule_label(rule: str, severity: Severity, style: TerminalStyle) -> str:
    """Return `severity[rule]`."""
    colour = COLOURS[severity]
    return style.paint(severity.label, colour, "bold") + style.paint(f"[{rule}]", colour)
