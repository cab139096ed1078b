"""`make rule` in a copy of the tree: what it writes fails until it is written, and then passes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.new_rule import NewRuleError, start
from support.paths import ROOT

ID = "link/http-only"
BODY = """\
    for link in document.links:
        start = link.start if link.destination is None else link.destination.start
        if link.url.startswith("http:"):
            yield RawDiagnostic(Span(start, start + 5), {"text": "http:"})
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for folder in ("linter", "rules", "schema", "tests/checks/link", "tests/rulebook", "tests/support"):
        shutil.copytree(ROOT / folder, tmp_path / folder)  # with the bytecode, which is slow to make again
    shutil.copy(ROOT / "tests/conftest.py", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def run_tests(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rf",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *words,
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree / "linter")}
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)


def rewrite(path: Path, replacements: dict[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in replacements.items():
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_a_new_rule_fails_until_it_is_written(tree: Path) -> None:
    page, check, test = start(ID, tree)
    assert [path.relative_to(tree).as_posix() for path in (page, check, test)] == [
        "rules/link/http-only.md",
        "linter/shelfread/checks/link/http_only.py",
        "tests/checks/link/test_http_only.py",
    ]
    words = ("tests/rulebook/test_pages.py", str(test), "-k", "http-only or http_only")
    begun = run_tests(tree, *words)
    assert begun.returncode == 1, begun.stdout
    assert "FAILED tests/rulebook/test_pages.py::test_examples[link/http-only]" in begun.stdout
    assert "FAILED tests/checks/link/test_http_only.py::test_http_only" in begun.stdout

    rewrite(
        page, {"https://example.org) - An": "http://example.org) - An", "1:4": "1:10", "'TODO'": "'http:'"}
    )
    rewrite(check, {"RawDiagnostic\n": "RawDiagnostic, Span\n", check.read_text().splitlines()[-1]: BODY})
    rewrite(test, {"https:": "http:", '(1, "TODO")': '(1, "http:")'})
    done = run_tests(tree, *words)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("", "name the rule as in"),
        ("link", "name the rule as in"),
        ("link/Two Words", "name the rule as in"),
        ("../link/up", "name the rule as in"),
        ("lnk/new", "there is no family 'lnk', only awesome, "),
        ("link/malformed", "rules/link/malformed.md exists already"),
    ],
)
def test_an_id_that_will_not_do(id: str, reason: str) -> None:
    with pytest.raises(NewRuleError, match=reason):
        start(id)
