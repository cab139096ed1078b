"""Findings as JUnit XML."""

from __future__ import annotations

import pytest

from shelfread.core.errors import InputError
from shelfread.engine.model import RunResult
from support.reports import (
    NAMES,
    NASTY,
    SCHEMAS,
    made,
    written,
)


def test_a_junit_report_fits_jenkins_schema() -> None:
    xmlschema = pytest.importorskip("xmlschema")
    reader = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    errors = (InputError("not UTF-8 at byte 3", "broken.md", 1), InputError("away"))
    for run in (made(dict.fromkeys(NAMES, NASTY), errors), made({"list.md": []}), RunResult((), ())):
        reader.validate(written("junit", run))
