"""Findings for services: a GitLab Code Quality report, reviewdog's diagnostic format, and JUnit XML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from xml.etree import ElementTree as ET

from shelfread.core.diagnostics import Diagnostic, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.spans import apply_edits
from shelfread.engine.model import FileResult, RunResult
from shelfread.report.finding_lines import advice, headline
from shelfread.report.json_text import dumps
from shelfread.report.render_context import (
    RenderContext,
    findings,
    relative_path,
    replace_undecodable,
)
from shelfread.report.terminal import printable

_GITLAB_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
"""Of GitLab's five severities; `critical` and `blocker` do not apply to lists."""


def keyed_findings(run: RunResult, min_severity: Severity) -> Iterator[tuple[Diagnostic, Source, str]]:
    """Yield the findings with their sources and unique keys; `run` must have its fingerprints."""
    for result in run.files:
        seen: Counter[tuple[str, ...]] = Counter()
        for diagnostic, print in zip(result.diagnostics, result.fingerprints, strict=True):
            seen[print] += 1
            if diagnostic.severity >= min_severity:
                text = "\0".join([result.path, *print, str(seen[print])])
                yield diagnostic, result.source, sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def gitlab(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text."""
    yield dumps([*_gitlab_errors(run, context), *_gitlab_issues(run, context)])


def _gitlab_errors(run: RunResult, context: RenderContext) -> Iterator[dict[str, Any]]:
    for error in run.errors:
        path = replace_undecodable(relative_path(error.path or ".", context.root))
        yield {
            "description": printable(error.message),
            "check_name": "shelfread",
            "fingerprint": sha256(f"{path}\0{error.message}".encode("utf-8", "replace")).hexdigest(),
            "severity": "major",
            "location": {"path": path, "lines": {"begin": error.line or 1}},
        }


def _gitlab_issues(run: RunResult, context: RenderContext) -> Iterator[dict[str, Any]]:
    for diagnostic, source, key in keyed_findings(run, context.min_severity):
        yield {
            "description": printable(diagnostic.message),
            "check_name": diagnostic.rule,
            "content": {"body": advice(diagnostic, source, context)},
            "fingerprint": key,
            "severity": _GITLAB_SEVERITIES[diagnostic.severity],
            "location": {
                "path": replace_undecodable(relative_path(diagnostic.path, context.root)),
                "lines": {
                    "begin": source.position(diagnostic.span.start)[0],
                    "end": source.position(max(diagnostic.span.start, diagnostic.span.end - 1))[0],
                },
            },
        }


_LIVE = lazy(r"[@<]|\](?=[(\[:])")


def rdjson(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as JSON text; paths are relative to the working directory, as in reviewdog."""
    pairs = findings(run, context.min_severity)
    results = [_rdjson_finding(diagnostic, source, context) for diagnostic, source in pairs]
    data = {"source": {"name": "shelfread"}, "diagnostics": [*_rdjson_errors(run), *results]}
    yield dumps(data)


def _rdjson_errors(run: RunResult) -> Iterator[dict[str, Any]]:
    for error in run.errors:
        location: dict[str, Any] = {"path": replace_undecodable(error.path or ".")}
        if error.line is not None:
            location["range"] = {"start": {"line": error.line}}
        yield {"message": _inert(printable(error.message)), "location": location, "severity": "ERROR"}


def _rdjson_finding(diagnostic: Diagnostic, source: Source, context: RenderContext) -> dict[str, Any]:
    data: dict[str, Any] = {
        "message": f"{_inert(printable(diagnostic.message))}\n{_inert(advice(diagnostic, source, context))}",
        "location": {"path": replace_undecodable(diagnostic.path), "range": _range(diagnostic.span, source)},
        "severity": diagnostic.severity.name,
        "code": {"value": diagnostic.rule},
    }
    if diagnostic.fix is not None:
        # reviewdog applies one edit: from the start of the first to the end of the last.
        edits = diagnostic.fix.edits
        span = Span(min(edit.start for edit in edits), max(edit.end for edit in edits))
        text = apply_edits(source.text, edits, *span)
        data["suggestions"] = [{"range": _range(span, source), "text": text}]
    return data


def _inert(message: str) -> str:
    """Return a message in which a word joiner breaks mentions, links and HTML: reviewdog posts it as a comment."""
    return _LIVE.sub("\\g<0>\u2060", message)


def _range(span: Span, source: Source) -> dict[str, dict[str, int]]:
    return {"start": _position(span.start, source), "end": _position(span.end, source)}


def _position(offset: int, source: Source) -> dict[str, int]:
    line = source.position(offset)[0]
    return {"line": line, "column": len(source.text[source.starts[line - 1] : offset].encode()) + 1}


_FORBIDDEN = lazy("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot express."""


def junit(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield the report as XML."""
    suites = ET.Element("testsuites", name="shelfread")
    for error in run.errors:
        suite = _suite(suites, error.path or "shelfread", tests=1, errors=1)
        case = _case(suite, error.path or "shelfread", "can be read")
        _add_result(case, "error", "unreadable", error.message, str(error))
    for result in run.files:
        _suite_of_file(suites, result, context)
    for count in ("tests", "failures", "errors"):
        suites.set(count, str(sum(int(suite.get(count, 0)) for suite in suites)))
    ET.indent(suites)
    # GitHub's runner looks for `##[` in every line of a log.
    text = ET.tostring(suites, encoding="unicode").replace("##[", "##&#91;")
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _suite_of_file(suites: ET.Element, result: FileResult, context: RenderContext) -> None:
    shown = [diagnostic for diagnostic in result.diagnostics if diagnostic.severity >= context.min_severity]
    infos = sum(diagnostic.severity is Severity.INFO for diagnostic in shown)
    suite = _suite(suites, result.path, tests=max(len(shown), 1), failures=len(shown) - infos, skipped=infos)
    if not shown:
        _case(suite, result.path, "no problems found")
    for diagnostic in shown:
        line, column = result.source.position(diagnostic.span.start)
        case = _case(suite, result.path, f"{diagnostic.rule} at {line}:{column}")
        kind = "skipped" if diagnostic.severity is Severity.INFO else "failure"
        title = headline(diagnostic, result.source, context.style._replace(colour=False))
        body = f"{title}\n{advice(diagnostic, result.source, context)}"
        _add_result(case, kind, diagnostic.severity.label, diagnostic.message, body)


def _suite(suites: ET.Element, path: str, **counts: int) -> ET.Element:
    suite = ET.SubElement(suites, "testsuite", name=_clean(path))
    for name in ("tests", "failures", "errors", "skipped"):
        suite.set(name, str(counts.get(name, 0)))
    return suite


def _case(suite: ET.Element, path: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_clean(path), name=_clean(name))


def _add_result(case: ET.Element, tag: str, kind: str, message: str, body: str) -> None:
    element = ET.SubElement(case, tag, type=kind, message=_clean(message))
    element.text = "\n".join(map(_clean, body.split("\n")))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("", printable(text))
