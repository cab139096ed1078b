"""Constants: each is assigned once in its module."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from support.paths import LINTER


def test_no_constant_is_assigned_twice() -> None:
    assert [repeated for path in sorted(LINTER.rglob("*.py")) for repeated in _repeated(path)] == []


def test_a_repeated_constant_is_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("A = 1\nB: int = 2\nname = A\nname = B\nA, C = 3, 4\n")
    assert list(_repeated(module)) == ["module.py: A"]


def _repeated(path: Path) -> Iterator[str]:
    """Yield the names in capitals that a module assigns more than once at its top level."""
    counts: Counter[str] = Counter()
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        names = (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
        counts.update(name for name in names if name.isupper())
    for name, count in counts.items():
        if count > 1:
            yield f"{path.name}: {name}"
