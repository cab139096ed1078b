"""What `--since` costs: CPU time of `check --since HEAD` after one line was added, against that of `check`.

python benchmarks/since.py LIST.md ...
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LINTER = Path(__file__).parents[1] / "linter"
TIMES = 5
ADDED = "- [Shelf](https://example.org/shelf) - Holds books\n"


def cpu(folder: str, *words: str) -> float:
    """The least CPU seconds of several runs in processes of their own."""
    command = [sys.executable, "-m", "shelfread", "check", "-j1", *words]
    best = float("inf")
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(LINTER)},
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def measure(path: Path) -> tuple[float, float]:
    """CPU seconds of a check, and of one since the commit before a line was added in the middle."""
    with tempfile.TemporaryDirectory() as folder:
        text = path.read_text(encoding="utf-8")
        file = Path(folder, "README.md")
        file.write_text(text, encoding="utf-8")
        who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
        for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "List"]):
            subprocess.run(["git", *words], cwd=folder, check=True)
        lines = text.splitlines(keepends=True)
        items = [at for at, line in enumerate(lines) if line.startswith(("- ", "* "))]
        lines.insert(items[len(items) // 2] if items else len(lines), ADDED)
        file.write_text("".join(lines), encoding="utf-8")
        return cpu(folder), cpu(folder, "--since", "HEAD")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        whole, since = measure(Path(name))
        print(f"{name}: check {whole:.2f} s, since {since:.2f} s, {since / whole:.2f} times")
