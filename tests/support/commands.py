"""Commands run as a user would, and git repositories made by them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[str]]


def commit_all(run: Run, folder: Path) -> None:
    """Make a git repository of a folder."""
    run(["git", "init", "--quiet", "."], folder)
    run(["git", "add", "--all"], folder)
    run(["git", "commit", "--quiet", "--message", "Everything"], folder)
