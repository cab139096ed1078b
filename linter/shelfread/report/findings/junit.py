"""Findings as JUnit's XML: a suite for each file, a case for each finding."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as ET

from shelfread.core.diagnostics import Severity
from shelfread.core.support.regex import lazy
from shelfread.engine.model import FileResult, RunResult
from shelfread.report.context import RenderContext
from shelfread.report.findings.text import advice, headline
from shelfread.report.terminal import printable

_FORBIDDEN = lazy("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write."""


def render(run: RunResult, context: RenderContext) -> Iterator[str]:
    """The report as XML."""
    suites = ET.Element("testsuites", name="shelfread")
    for error in run.errors:
        suite = _suite(suites, error.path or "shelfread", tests=1, errors=1)
        case = _case(suite, error.path or "shelfread", "can be read")
        _told(case, "error", "unreadable", error.message, str(error))
    for outcome in run.outcomes:
        _outcome(suites, outcome, context)
    for count in ("tests", "failures", "errors"):
        suites.set(count, str(sum(int(suite.get(count, 0)) for suite in suites)))
    ET.indent(suites)
    # GitHub's runner looks for commands in every line of a log.
    text = ET.tostring(suites, encoding="unicode").replace("##[", "##&#91;")
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def _outcome(suites: ET.Element, outcome: FileResult, context: RenderContext) -> None:
    found = [one for one in outcome.diagnostics if one.severity >= context.min_severity]
    infos = sum(one.severity is Severity.INFO for one in found)
    suite = _suite(suites, outcome.path, tests=max(len(found), 1), failures=len(found) - infos, skipped=infos)
    if not found:
        _case(suite, outcome.path, "all in its place")
    for one in found:
        line, column = outcome.source.position(one.span.start)
        case = _case(suite, outcome.path, f"{one.rule} at {line}:{column}")
        kind = "skipped" if one.severity is Severity.INFO else "failure"
        body = f"{headline(one, outcome.source, context.style._replace(colour=False))}\n{advice(one, outcome.source, context.fix_command)}"
        _told(case, kind, one.severity.label, one.message, body)


def _suite(suites: ET.Element, path: str, **counts: int) -> ET.Element:
    suite = ET.SubElement(suites, "testsuite", name=_clean(path))
    for name in ("tests", "failures", "errors", "skipped"):
        suite.set(name, str(counts.get(name, 0)))
    return suite


def _case(suite: ET.Element, path: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_clean(path), name=_clean(name))


def _told(case: ET.Element, tag: str, kind: str, message: str, body: str) -> None:
    said = ET.SubElement(case, tag, type=kind, message=_clean(message))
    said.text = "\n".join(map(_clean, body.split("\n")))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("", printable(text))
