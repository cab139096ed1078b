"""The plan of the house: imports run one way along the corridor, and no room is too big."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.paths import ROOT

PACKAGE = ROOT / "linter" / "shelfread"

CORRIDOR = [
    {"errors", "home", "guess", "bundle", "compiled", "pattern", "interruption"},
    {"diagnostic", "source"},
    {"git"},
    {"ci", "alignment"},
    {"verdict"},
    {"yamlfile"},
    {"validation"},
    {"taxonomy"},
    {"syntax"},
    {"document"},
    {"export"},  # an entry as data, which a taxonomy's schemas are held against
    {"survey"},
    {"export"},
    {"rule"},
    {"page", "option"},
    {"binding"},
    {"checks", "remark"},
    {"suppression"},
    {"lint"},
    {"fingerprint"},
    {"conservation"},
    {"fix", "format"},
    {"configfile", "configtree"},
    {"config"},
    {"aside"},
    {"project", "selection"},
    {"since", "yardstick"},
    {"links"},
    # One room: in this process, in several, last what edits several files; and what was found before.
    {"run", "parallel", "joint", "hindsight"},
    {"infer", "debt", "compare"},
    {"report", "write"},
    {"baseline"},
    {"cli"},
    {"__main__"},
]
"""A module imports its own step and those before it."""

BIG = 300
"""Lines at which to think again."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(module: Path) -> Iterator[str]:
    """All that a module imports, within functions and for types too."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module.name}:{node.lineno}: a relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def test_every_room_has_its_place() -> None:
    assert {room(module) for module in MODULES} - {"__init__"} == set().union(*CORRIDOR)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.relative_to(PACKAGE).as_posix())
def test_imports_run_one_way(module: Path) -> None:
    here = room(module)
    places = {name: step for step, names in enumerate(CORRIDOR) for name in names}
    for name in imported(module):
        first, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if first == "shelfread" and other in places:
            assert places[other] <= places[here], f"{here} imports {name}"
        assert first != "click" or here == "cli", f"{here} imports click: only cli speaks to people"


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.relative_to(PACKAGE).as_posix())
def test_no_module_is_too_big(module: Path) -> None:
    lines = module.read_text(encoding="utf-8").count("\n")
    assert lines < BIG
