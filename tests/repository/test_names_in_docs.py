"""What pages call by a name that looks like code is in the code: paths, files, modules, rules, functions, classes."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from shelfread.rulebook.metadata import load_rules
from support.docs import PAGES as USED
from support.paths import LINTER, PACKAGE, ROOT

MORE = (
    "rules/README.md",
    "linter/README.md",
    "tests/data/README.md",
    "benchmarks/README.md",
    "benchmarks/results/*.md",
)
PAGES = USED | {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for pattern in MORE
    for path in sorted(ROOT.glob(pattern))
}
ABOUT_CODE = [
    page
    for page in PAGES
    if not page.startswith("docs/") or page in ("docs/architecture.md", "docs/writing-rules.md")
]
"""The others are for users, whose files and keys have names like ours."""
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH = re.compile(r"\.?\w[\w.-]*(?:/[\w.-]+)*/?")
_NAME = re.compile(r"_*[a-z]+(?:_[a-z]+)+|(?:[A-Z][a-z]+){2,}")
_FILE = re.compile(r"[\w-]+\.(?:css|html|js|json|md|py|svg|toml)")
_DOTTED = re.compile(r"(?:shelfread|context|document)(?:\.[A-Za-z_]+)+")
_EXCERPT = re.compile(r"^```python\n(# [^\n]+\.py\n.*?)^```$", re.MULTILINE | re.DOTALL)
THEIRS = {"GitHub", "LocalCluster", "build/site/html", ".github/workflows/lists.yml", "list.md",
          ".shelfread/rules/", ".shelfread/rules/entry/hype.md", "__pycache__", "tests/checks/paper/test_arxiv_agrees.py", "testing/example_scripts/"}  # fmt: skip
"""Names of others, and of what commands write."""


def spans(page: str) -> set[str]:
    return set(_CODE.findall(re.sub(r"(?ms)^```.*?^```$", "", PAGES[page]))) - THEIRS


def exists(path: str, page: str) -> bool:
    return any((root / path).exists() for root in (ROOT, PACKAGE, ROOT / Path(page).parent))


@cache
def file_names() -> frozenset[str]:
    folders = ("linter", "tests", "benchmarks", "docs", "rules", "schema", "site", "examples")
    below = (names for folder in folders for _, _, names in os.walk(ROOT / folder))
    return frozenset(name for names in (os.listdir(ROOT), *below) for name in names)


@cache
def code_names() -> frozenset[str]:
    """Everything that is defined in the package: functions, classes, parameters, variables, attributes, keys."""
    return frozenset(name for path in LINTER.rglob("*.py") for name in _defined(path))


def _defined(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.keyword(arg=str(name)):
                yield name


@pytest.mark.parametrize("page", PAGES)
def test_rules_exist(page: str) -> None:
    rules = load_rules()
    families = {id.partition("/")[0] for id in rules}
    named = {name for name in spans(page) if name.count("/") == 1 and name.partition("/")[0] in families}
    assert {name for name in named if name not in rules and not exists(name, page)} == set()
    selected = re.findall(r"--(?:select|ignore) ([a-z][\w/,-]+)", PAGES[page])
    assert {name for names in selected for name in names.split(",")} <= families | set(rules) | {"entry/hype"}


@pytest.mark.parametrize("page", ABOUT_CODE)
def test_paths_exist(page: str) -> None:
    paths = {name for name in spans(page) if "/" in name and _PATH.fullmatch(name)}
    assert {name for name in paths if name not in load_rules() and not exists(name, page)} == set()
    files = {name for name in spans(page) if _FILE.fullmatch(name)}
    assert files - file_names() == set()


@pytest.mark.parametrize("page", ABOUT_CODE)
def test_names_exist(page: str) -> None:
    named = {name for name in spans(page) if _NAME.fullmatch(name)}
    named |= {name.rpartition(".")[2] for name in spans(page) if _DOTTED.fullmatch(name)}
    modules = {path.stem for path in LINTER.rglob("*.py")}
    assert named - code_names() - modules == set()


@pytest.mark.parametrize("page", [page for page in ABOUT_CODE if _EXCERPT.search(PAGES[page])])
def test_excerpts_are_of_their_files(page: str) -> None:
    """Each begins with the path of its file; what it defines is defined there."""
    for excerpt in _EXCERPT.findall(PAGES[page]):
        for part in re.split(r"^# (?=\S+\.py$)", excerpt, flags=re.MULTILINE)[1:]:
            path, _, code = part.partition("\n")
            for name in re.findall(r"^ *(?:def |class )?(\w+)(?:\(|:| = )", code, re.MULTILINE):
                if name not in ("return", "if", "for"):
                    assert name in (PACKAGE / path).read_text(encoding="utf-8"), f"{path}: {name}"
