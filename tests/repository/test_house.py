"""The layers of the packages, as `[tool.importlinter]` in pyproject.toml defines them, and what tests may not do."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from support.paths import LINTER, ROOT


def test_imports_keep_to_the_layers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(LINTER)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_no_test_measures_time() -> None:
    """A busy machine would fail it: `support.work` counts work. The fuzzer measures growth, outside of the tests."""
    clock = re.compile(r"\b(perf_counter|process_time|thread_time|timeit|getrusage)\b")
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    measuring = {path.relative_to(ROOT).as_posix() for path, text in pages.items() if clock.search(text)}
    allowed = {
        f"tests/{name}.py"
        for name in (
            "fuzz/patterns",
            "fuzz/properties/growth",
            "fuzz/test_properties",
            "repository/test_house",
        )
    }
    assert measuring <= allowed
