"""Every format: valid to its own readers, every finding in it, and nothing that a list can forge."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.cli.options import FORMATS
from shelfread.core.errors import InputError
from shelfread.engine.model import RunResult
from shelfread.report.findings_text import text
from shelfread.report.rendering import RenderContext
from support.command_line import LIST, here, process, sample, shelfread, write_page
from support.paths import LINTER
from support.reports import NAMES, NASTY, READERS, holds_all, made, written
from support.workflow import commands

__all__ = ["here", "sample"]


def test_every_format_is_tested() -> None:
    assert {*READERS, "text"} == set(FORMATS)


@pytest.mark.parametrize("form", READERS)
def test_nothing_is_forged_and_nothing_hidden(form: str) -> None:
    for name in NAMES:  # so few that no format tells several together
        holds_all(form, made({name: NASTY}))


@pytest.mark.parametrize("form", READERS)
def test_no_findings(form: str) -> None:
    holds_all(form, made({"list.md": []}))
    holds_all(form, RunResult((), ()))


TITLES = st.lists(st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(NASTY), max_size=4)

PATHS = st.text(st.characters(exclude_characters="/\0\\", codec="utf-8"), min_size=1, max_size=8).filter(
    lambda name: name == name.strip() and name not in (".", "..")
)


@pytest.mark.slow
@pytest.mark.parametrize("form", READERS)
@given(files=st.dictionaries(PATHS, TITLES, max_size=3))
def test_any_title_and_any_name(form: str, files: dict[str, list[str]]) -> None:
    holds_all(form, made({f"{path}.md": titles for path, titles in files.items()}))


@pytest.mark.parametrize("form", ["sarif", "json", "markdown"])
def test_the_runner_finds_no_command_in_what_programs_read(form: str) -> None:
    assert list(commands(written(form, made(dict.fromkeys(NAMES, NASTY))))) == []


@pytest.mark.parametrize("form", READERS)
def test_what_could_not_be_read_is_said(form: str) -> None:
    errors = (InputError("not UTF-8 at byte 3", "brök en.md", 7), InputError("@me is away"))
    report = written(form, made({"list.md": ["x"]}, errors))
    if form in ("concise", "full", "json"):
        return  # standard error says it
    READERS[form](report)
    said = (
        report.replace("&#45;", "-")
        .replace("&#8203;", "")
        .replace("&#64;", "@")
        .replace("\\u2060", "")
        .replace("\u2060", "")
    )
    assert "not UTF-8 at byte 3" in said and "@me is away" in said


def test_each_format_through_the_front_door(here: Path) -> None:
    for form in FORMATS:
        done = shelfread("check", "list.md", "--output-format", form)
        assert done.exit_code == 1 and "teh" in done.stdout and not done.stderr, form
        if form in READERS:
            assert READERS[form](done.stdout) == [("list.md", '"teh" is misspelt')]


def test_names_that_are_not_utf8(here: Path) -> None:
    name = os.fsdecode(b"\xff\n.md")
    try:
        (here / name).write_text(LIST.replace("https:", "htps:", 1))
    except OSError:
        pytest.skip("names are UTF-8 here")
    for form, told in READERS.items():
        done = shelfread("check", "--isolated", "--select", "link/malformed", "--output-format", form)
        assert done.exit_code == 1 and len(told(done.stdout)) == 1
    done = process("check", "--isolated", "--output-format", "sarif", cwd=here)
    assert b'"uri": "%FF%0A.md"' in done.stdout


def test_a_report_costs_only_its_own_format(here: Path) -> None:
    code = (
        "import sys; from shelfread.cli import group; group(['check', '--isolated'], standalone_mode=False);"
        "print(*sys.modules, file=sys.stderr)"
    )
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=here, env=env, capture_output=True, text=True, check=True
    )
    formats = {f"shelfread.report.findings_{name}" for name in FORMATS}
    assert formats & set(done.stderr.split()) == {"shelfread.report.findings_text"}
    assert "xml.etree" not in done.stderr.split()


def test_text_is_as_before(here: Path) -> None:
    write_page(here, "word/the", severity="info")
    hidden = shelfread("check", "--output-format", "concise")
    assert (hidden.exit_code, hidden.stdout) == (0, "")
    assert shelfread("check", "--output-format", "concise", "--show-info").stdout.count("\n") == 1
    assert "".join(text(made({}), RenderContext())) == ""
