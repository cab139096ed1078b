"""The issues of a taxonomy, for people and for programs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Severity
from shelfread.core.wording import counted
from shelfread.report.finding_lines import COLOURS, rule_label
from shelfread.report.json_text import dumps
from shelfread.report.terminal import TerminalStyle, printable
from shelfread.taxonomy.integrity import Issue


def issues_text(issues: Sequence[Issue], name: str, least: Severity, style: TerminalStyle) -> Iterator[str]:
    """Yield `path:line:column: severity[name] message` for each issue of at least a severity, and a summary."""
    shown = [issue for issue in issues if issue.severity >= least]
    for issue in shown:
        error = issue.error
        place = ":".join(str(part) for part in (_path(issue), error.line, error.column) if part is not None)
        label = rule_label(issue.name, issue.severity, style)
        yield f"{style.paint(f'{printable(place)}:', 'bold')} {label} {printable(error.message)}"
    counts = Counter(issue.severity for issue in shown)
    kinds = [
        style.paint(counted(number, severity.label), COLOURS[severity], "bold")
        for severity, number in sorted(counts.items(), reverse=True)
    ]
    if kinds:
        yield f"{', '.join(kinds)} in {printable(_relative(name))}."
    else:
        yield style.paint(f"No problems found in {printable(_relative(name))}.", "green")
    if hidden := len(issues) - len(shown):
        yield f"{counted(hidden, 'info')} hidden (--show-info)."


def issues_json(issues: Sequence[Issue]) -> str:
    """Return all issues as JSON text; a change of its structure changes `version`."""
    counts = Counter(issue.severity for issue in issues)
    return dumps(
        {
            "version": 1,
            "diagnostics": [
                {
                    "rule": issue.name,
                    "severity": issue.severity.label,
                    "message": issue.error.message,
                    "path": _path(issue),
                    "line": issue.error.line,
                    "column": issue.error.column,
                }
                for issue in issues
            ],
            "summary": {
                "errors": counts[Severity.ERROR],
                "warnings": counts[Severity.WARNING],
                "infos": counts[Severity.INFO],
            },
        }
    )


def _path(issue: Issue) -> str:
    return _relative(issue.error.path or "")


def _relative(path: str) -> str:
    """Return a path from the working directory, if it is below that."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))
