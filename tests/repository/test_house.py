"""The layers of the packages, as `[tool.importlinter]` in pyproject.toml defines them."""

from __future__ import annotations

import os
import subprocess
import sys

from support.paths import LINTER, ROOT


def test_imports_keep_to_the_layers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(LINTER)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
