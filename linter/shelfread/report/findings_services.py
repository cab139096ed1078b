"""Findings for services that show them: GitHub's annotations, and SARIF 2.1.0 for code scanning and editors."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from shelfread import __version__
from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.model import RunResult
from shelfread.report.finding_lines import Group, advice, by_cause, by_rule
from shelfread.report.rendering import RenderContext, dumps, findings, printable, relative_path
from shelfread.rulebook.metadata import RuleMetadata, read_prose

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ROOT = "%SRCROOT%"


def sarif(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text."""
    keyed = list(keyed_findings(run, context.min_severity))
    catalogue = context.catalogue()
    used = sorted({diagnostic.rule for diagnostic, _, _ in keyed} & catalogue.keys())
    results = [
        {
            **_result(diagnostic, source, context),
            "ruleId": diagnostic.rule,
            **({"ruleIndex": used.index(diagnostic.rule)} if diagnostic.rule in used else {}),
            "partialFingerprints": {"entry/v1": key},
        }
        for diagnostic, source, key in keyed
    ]
    log = {
        "tool": {
            "driver": {
                "name": "shelfread",
                "semanticVersion": __version__,
                "rules": [_descriptor(catalogue[id]) for id in used],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not run.errors,
                "toolExecutionNotifications": [
                    *(_notification(error, "error", context) for error in run.errors),
                    *(_notification(note, "note", context) for note in run.notes),
                ],
            }
        ],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The checkout's root."}}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": results,
    }
    yield dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [log]})


def keyed_findings(run: RunResult, min_severity: Severity) -> Iterator[tuple[Diagnostic, Source, str]]:
    """Yield the findings with their sources and unique keys; `run` must have its fingerprints."""
    for result in run.files:
        seen: Counter[tuple[str, ...]] = Counter()
        for diagnostic, print in zip(result.diagnostics, result.fingerprints, strict=True):
            seen[print] += 1
            if diagnostic.severity >= min_severity:
                text = "\0".join([result.path, *print, str(seen[print])])
                yield diagnostic, result.source, sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _descriptor(rule: RuleMetadata) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": printable(rule.summary)},
        "fullDescription": {"text": printable(rule.summary)},
        "help": {"text": f"shelfread rule {rule.id}", "markdown": read_prose(rule.page)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": list(dict.fromkeys([rule.family, *rule.presets]))},
    }


def _result(diagnostic: Diagnostic, source: Source, context: RenderContext) -> dict[str, Any]:
    data: dict[str, Any] = {
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": _plain(diagnostic.message)},
        "locations": [_location(diagnostic.path, context, _region(diagnostic.span, source))],
    }
    if diagnostic.fix is not None:
        edits = sorted(diagnostic.fix.edits, key=lambda edit: edit[:2])
        data["fixes"] = [
            {
                "description": {"text": _plain(advice(diagnostic, source, context))},
                "artifactChanges": [
                    {
                        "artifactLocation": _artifact(diagnostic.path, context),
                        "replacements": [
                            {
                                "deletedRegion": _region(Span(edit.start, edit.end), source),
                                "insertedContent": {"text": edit.text},
                            }
                            for edit in edits
                        ],
                    }
                ],
            }
        ]
    return data


def _region(span: Span, source: Source) -> dict[str, int]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _notification(error: UserError, level: str, context: RenderContext) -> dict[str, Any]:
    data: dict[str, Any] = {"level": level, "message": {"text": _plain(error.message)}}
    if error.path is not None:
        region = None if error.line is None else {"startLine": error.line}
        data["locations"] = [_location(error.path, context, region)]
    return data


def _location(path: str, context: RenderContext, region: Mapping[str, int] | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(path, context)}
    return {"physicalLocation": physical if region is None else {**physical, "region": region}}


def _artifact(path: str, context: RenderContext) -> dict[str, str]:
    """Return a file's URI: relative to the root, or absolute if it is outside."""
    path = relative_path(path, context.root)
    if os.path.isabs(path) or path.split("/")[0] == "..":
        return {"uri": Path(os.path.abspath(path)).as_uri()}
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _plain(text: str) -> str:
    """Return a text in which the brackets of SARIF links, `[text](target)`, are escaped."""
    shown = printable(text)
    return shown.replace("[", "\\[").replace("]", "\\]") if "](" in shown else shown


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
