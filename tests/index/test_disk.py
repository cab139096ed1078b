"""Rules look at the world outside of the texts by `context.disk` alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from support.paths import LINTER

_PACKAGE = LINTER / "shelfread"
_PURE = frozenset("abspath basename curdir dirname join normpath path relpath sep split splitext".split())
"""What `os` and `os.path` tell without looking at the disk; the working directory identifies a run."""
_OUTSIDE = {"open", "subprocess", "datetime", "time", "environ", "Path", "random"}
_ALLOWED = {
    ("checks/link/checked_links.py", "dead"),  # what the network answered
}


def _functions(tree: ast.AST, within: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Yield all nodes with the function that they are in."""
    for node in ast.iter_child_nodes(tree):
        name = node.name if isinstance(node, ast.FunctionDef) else within
        yield node, name
        yield from _functions(node, name)


def _modules(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    for folder in folders:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            yield path.relative_to(_PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _looks_outside(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        owner = ast.unparse(node.value)
        if owner in ("os", "os.path", "posixpath"):
            return node.attr not in _PURE
        return owner in _OUTSIDE or (owner, node.attr) in (("date", "today"), ("git", "run"))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OUTSIDE


def test_no_rule_looks_outside_but_by_the_disk() -> None:
    """Such as `os.path.exists` in a check: what it finds would be believed for as long as the text is the same."""
    found = {
        (path, name)
        for path, tree in _modules("checks", "index", "document", "markdown")
        for node, name in _functions(tree)
        if path != "index/disk.py" and _looks_outside(node) and (path, name) not in _ALLOWED
    }
    assert not found, "ask by a method of `context.disk`"


def test_the_guard_finds_what_it_looks_for() -> None:
    texts = ("os.path.exists(a)", "os.listdir(a)", "open(a)", "date.today()", "git.run(a)", "time.time()")
    for text in texts:
        assert any(_looks_outside(node) for node in ast.walk(ast.parse(text))), text
    assert not any(_looks_outside(node) for node in ast.walk(ast.parse("os.path.join(a, b)")))
