"""That a source names only some of the authors is kept, and written."""

from __future__ import annotations

import json

import pytest

from support.command_line import shelfread

SOURCES = {
    "bibtex": "@misc{a, title={Tidy Shelves of Books}, author={Stone, Ada and Field, Ben and others}, year={2020}}\n",
    "references": "[1] Stone, A., Field, B., et al. Tidy Shelves of Books. In OSDI (2020).\n",
}


@pytest.mark.parametrize("kind", SOURCES)
def test_it_is_kept(kind: str) -> None:
    done = shelfread("import", "--from", kind, "--format", "json", input=SOURCES[kind])
    (entry,) = json.loads(done.stdout)
    assert len(entry["authors"]) == 2 and entry["et_al"] is True
    again = shelfread("import", "--from", "csl-json", "--format", "json", input=done.stdout)
    assert json.loads(again.stdout)[0]["et_al"] is True


@pytest.mark.parametrize(("form", "written"), [("markdown", "Field, et al."), ("bibtex", " and others},")])
def test_it_is_written(form: str, written: str) -> None:
    assert written in shelfread("import", "--format", form, input=SOURCES["bibtex"]).stdout


def test_all_authors_are_known_otherwise() -> None:
    done = shelfread("import", "--format", "json", input=SOURCES["bibtex"].replace(" and others", ""))
    assert "et_al" not in done.stdout


def test_a_title_is_bold_only_if_nothing_else_marks_it() -> None:
    plain = SOURCES["bibtex"].replace("@misc", "@inproceedings").replace("year", "booktitle={OSDI}, year")
    assert "- Tidy Shelves of Books (OSDI 2020)\n" in shelfread("import", input=plain).stdout
    assert "- **Tidy Shelves of Books**" in shelfread("import", input=SOURCES["bibtex"]).stdout
