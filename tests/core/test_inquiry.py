"""What is asked of the world outside of a document is recorded, and nothing is asked behind its back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

from shelfread.core import inquiry
from shelfread.core.inquiry import Asked, Inquiry, digest, look, note_all, question, recorded, still_hold
from support.paths import LINTER

_PACKAGE = LINTER / "shelfread"
_PURE = {
    "basename",
    "dirname",
    "join",
    "normpath",
    "relpath",
    "abspath",
    "split",
    "splitext",
    "sep",
    "curdir",
}
"""What `os` and `os.path` tell without looking at the disk; the working directory identifies a run."""
_OUTSIDE = {"open", "subprocess", "datetime", "time", "environ", "Path", "random"}
_ASKS = {"look", "question", "asks"}
_ALLOWED = {
    ("index/anchors.py", "load_without_docstrings"),  # a library's code
    ("index/location.py", "common_folder"),  # identifies a project
    ("index/location.py", "_origin"),  # for a look
    ("checks/link/filesystem.py", "find_renames"),  # for a question, with the stamp of git's history
    ("checks/link/online.py", "dead"),  # what the network answered is not kept
}
_PROJECT = {"project", "conventions"}


class _World:
    """A context with a project that may be changed."""

    def __init__(self, **files: str) -> None:
        self._files = files

    @property
    def files(self) -> dict[str, str]:
        note_all()
        return self._files

    @question
    def has(self, name: str) -> bool:
        return name in self.files and peek(name) is not None


_DISK = {"a": "one"}


@look
def peek(name: str) -> str | None:
    return _DISK.get(name)


@pytest.fixture(autouse=True)
def _in_this_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inquiry, "_OWN", "")


def test_an_answer_holds_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded() as asked:
        assert _World(a="text").has("a")
    assert not asked.needs_all, "what a question reads is part of its answer"
    questions, looks = list(asked.questions), list(asked.looks)
    assert [each.arguments for each in (*questions, *looks)] == [("a",), ("a",)]
    assert still_hold(questions, _World(a="another", b="more"))
    assert not still_hold(questions, _World(b="more"))
    assert still_hold(looks)
    monkeypatch.setitem(_DISK, "a", "two")
    assert not still_hold(looks)


def test_reading_past_the_questions_needs_all_of_the_project() -> None:
    with recorded() as asked:
        assert _World(a="text").files
    assert asked.needs_all
    with recorded() as asked:
        pass
    assert not asked.needs_all


def test_what_changes_while_it_is_asked_never_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded() as asked:
        peek("a")
        monkeypatch.setitem(_DISK, "a", "two")
        peek("a")
    assert not still_hold(asked.looks)


def test_only_questions_and_looks_are_asked_again() -> None:
    for name in ("os:getcwd", "shelfread.core.inquiry:digest", "nowhere:nothing", "os:a.b"):
        assert not still_hold([Asked(name, (), digest(None))])


def test_names_of_other_packages_are_not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert not still_hold([Asked("antigravity:look", (), "")])


class _Colour(Enum):
    RED = "red"


class _Pair(NamedTuple):
    name: str
    colour: _Colour


def test_a_digest_is_of_plain_values_only() -> None:
    assert digest(frozenset("ab")) == digest(frozenset("ba")) != digest(frozenset("a"))
    assert digest(_Pair("a", _Colour.RED)) == digest(("a", "red"))
    with pytest.raises(TypeError):
        digest(Inquiry())


def _functions(tree: ast.AST, within: str = "", asks: bool = False) -> Iterator[tuple[ast.AST, str, bool]]:
    """Yield all nodes with the function that they are in, and whether it is a question or a look."""
    for node in ast.iter_child_nodes(tree):
        name, asked = within, asks
        if isinstance(node, ast.FunctionDef):
            name = node.name
            asked = asks or any(
                isinstance(each, ast.Name) and each.id in _ASKS for each in node.decorator_list
            )
        yield node, name, asked
        yield from _functions(node, name, asked)


def _modules(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    for folder in folders:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            yield path.relative_to(_PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _looks_outside(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        owner = ast.unparse(node.value)
        if owner in ("os", "os.path", "posixpath"):
            return node.attr not in _PURE and node.attr != "path"
        return (
            owner in _OUTSIDE
            or (owner, node.attr) == ("date", "today")
            or (owner == "git" and node.attr == "run")
        )
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OUTSIDE


def test_no_rule_reads_the_disk_but_by_a_look() -> None:
    """Such as `os.path.exists` in a check: what it finds would be believed for as long as the text is the same."""
    found = {
        (path, name)
        for path, tree in _modules("checks", "index", "document", "markdown")
        for node, name, asks in _functions(tree)
        if not asks and _looks_outside(node) and (path, name) not in _ALLOWED
    }
    assert not found, "decorate it with `look`, or ask by a function of checks/link/filesystem.py"


def test_checks_read_the_project_by_questions() -> None:
    """Otherwise the findings of a file are looked for anew after each change of another one."""
    found = {
        (path, name, ast.unparse(node))
        for path, tree in _modules("checks")
        for node, name, asks in _functions(tree)
        if isinstance(node, ast.Attribute) and node.attr in _PROJECT and not asks
        if ast.unparse(node.value) in ("context", "self.context")
    }
    assert found <= {("checks/entry/duplicate.py", "_is_new", "context.project")}, "put it into a `question`"


def test_the_guard_finds_what_it_looks_for() -> None:
    texts = ("os.path.exists(a)", "os.listdir(a)", "open(a)", "date.today()", "git.run(a)", "time.time()")
    for text in texts:
        assert any(_looks_outside(node) for node in ast.walk(ast.parse(text))), text
    assert not any(_looks_outside(node) for node in ast.walk(ast.parse("os.path.join(a, b)")))
    assert Path(inquiry.__file__ or "").is_relative_to(_PACKAGE)
