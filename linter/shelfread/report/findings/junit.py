"""Findings as JUnit XML: a test suite for each file, a test case for each finding."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from shelfread.core.diagnostics import Severity
from shelfread.core.support.regex import lazy
from shelfread.engine.model import FileResult, RunResult
from shelfread.report.context import RenderContext
from shelfread.report.describe_fix import advice
from shelfread.report.single import headline
from shelfread.report.terminal import printable

_FORBIDDEN = lazy("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot express."""


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
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
    found = [diagnostic for diagnostic in result.diagnostics if diagnostic.severity >= context.min_severity]
    infos = sum(diagnostic.severity is Severity.INFO for diagnostic in found)
    suite = _suite(suites, result.path, tests=max(len(found), 1), failures=len(found) - infos, skipped=infos)
    if not found:
        _case(suite, result.path, "no problems found")
    for diagnostic in found:
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
