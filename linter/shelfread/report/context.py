"""What every format is rendered from besides the run, and the findings as all formats see them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.report.terminal import TerminalStyle
from shelfread.rulebook.metadata import RuleMetadata


class RenderContext(NamedTuple):
    """Where a report is read; findings below `least` are left out, except by what is not for display."""

    style: TerminalStyle = TerminalStyle()
    min_severity: Severity = Severity.WARNING
    root: str = ""
    """The checkout's absolute path, which a service counts paths from; empty: the working directory."""
    blob: str = ""
    """What goes before such a path in the address of its page; empty: files have none."""
    catalogue: Callable[[], Mapping[str, RuleMetadata]] = dict
    """The cards of the rules, read when asked for."""
    fix_command: str = "shelfread fix"
    """The command that makes the fixes."""


def findings(run: RunResult, min_severity: Severity) -> Iterator[tuple[Diagnostic, Source]]:
    """The findings of all files with the text that each is about."""
    for outcome in run.outcomes:
        for one in outcome.diagnostics:
            if one.severity >= min_severity:
                yield one, outcome.source


def relative_path(path: str, root: str) -> str:
    """A path counted from the checkout's root, where it lies below that; else as it is."""
    if not root:
        return path
    try:
        inside = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    except ValueError:  # on another drive
        return path
    return path if inside.split("/")[0] == ".." else inside


def replace_undecodable(text: str) -> str:
    """A text as Unicode: of a file's name that is not UTF-8, the bytes that are not are replaced."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if _broken(text) else text


def _broken(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
