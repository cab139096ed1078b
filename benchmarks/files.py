"""What many files cost: CPU seconds of `check` and `fix --diff` by the number of files, and their ratio.

    .venv/bin/python benchmarks/files.py [FILES...]

Each file is a small list of its own with one thing to fix. The ratio is to stay below 3, whatever the number of files.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    print(f"{'files':>7} {'check':>8} {'fix':>8}  fix : check")
    for count in map(int, sys.argv[1:] or ("1000", "4000", "10000")):
        with tempfile.TemporaryDirectory() as name:
            write_lists(Path(name), count)
            check, fix = (measure(name, *words) for words in (("check",), ("fix", "--diff")))
        print(f"{count:7} {check:8.1f} {fix:8.1f}  {fix / check:.2f}")


def write_lists(folder: Path, count: int) -> None:
    """Write lists of nine entries, the last of which has an old address of the DOI resolver."""
    (folder / ".git").mkdir()
    for number in range(count):
        path = folder / f"part{number % 50}" / f"list{number}.md"
        path.parent.mkdir(exist_ok=True)
        entries = "".join(
            f"- [Tool {number}-{each}](https://example.com/{number}/{each}) - Does thing {each} of {number}.\n"
            for each in range(8)
        )
        last = f"- [Tool {number}-x](http://dx.doi.org/10.1145/{number}) - Does all of {number}.\n"
        path.write_text(f"# List {number}\n\n## One\n\n{entries}{last}")


def measure(folder: str, *words: str) -> float:
    """Return the CPU seconds of a run in one process."""
    command = [sys.executable, "-m", "shelfread", *words, "--no-cache", "-j", "1", "."]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, env=os.environ, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
