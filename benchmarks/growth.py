"""How the time of a check grows with the size of a list and with the number of files: tables and fitted exponents.

    .venv/bin/python benchmarks/growth.py [--dialect NAME] [--most KILOBYTES] [--files N]

CPU seconds of whole processes, less what the smallest amount takes. The exponent is the slope of the line that fits best
through the logarithms: 1 is linear, and 1.05 is the limit.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import files
import lists

SIZES = (1, 4, 16, 64, 250, 1000, 4000, 16000)
"""Kilobytes."""
FILES = (1, 10, 50, 250, 1000, 2000)
LIMIT = 1.05
NOISE = 0.5
"""What takes less than this part of the smallest amount is not fitted: it cannot be told from the start-up."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dialect", choices=lists.DIALECTS, default="papers")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the largest list, in kB")
    parser.add_argument("--files", type=int, default=FILES[-1], help="the most files")
    args = parser.parse_args()
    sizes = [size for size in SIZES if size <= args.most]
    counts = [count for count in FILES if count <= args.files]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def one_list(size: int) -> None:
            write_size(folder / "list.md", args.dialect, size * 1000)

        def many(count: int) -> None:
            files.write_lists(folder, count)

        worst = 0.0
        for title, amounts, prepare, command in (
            ("kB, check", sizes, one_list, ("check",)),
            ("kB, fix --diff", sizes, one_list, ("fix", "--diff")),
            ("files, check", counts, many, ("check",)),
        ):
            worst = max(worst, table(folder, title, amounts, prepare, command))
    return int(worst > LIMIT)


def table(
    folder: Path, title: str, amounts: Sequence[int], prepare: Callable[[int], None], command: Sequence[str]
) -> float:
    """Print what each amount takes; return the exponent."""
    print(f"| {title} | seconds | per 1,000 |\n|---:|---:|---:|")
    points = []
    least = 0.0
    for amount in amounts:
        clear(folder)
        prepare(amount)
        runs = 5 if amount <= amounts[len(amounts) // 2] else 2
        cost = min(measure(folder, command) for _ in range(runs))
        least = least or cost
        spent = cost - least
        if spent > NOISE * least:
            points.append((math.log(amount - amounts[0]), math.log(spent)))
        print(f"| {amount:,} | {spent:.3f} | {spent / amount * 1000:.2f} |", flush=True)
    exponent = slope(points) if len(points) > 1 else math.nan
    print(
        f"\nexponent {exponent:.3f} over {len(points)} amounts; the smallest takes {least:.3f} s\n",
        flush=True,
    )
    return exponent


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the line with the least squares."""
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def clear(folder: Path) -> None:
    """Empty a folder."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def write_size(path: Path, dialect: str, size: int) -> None:
    """Write a list of about a size in bytes."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for line in lists.list_lines(dialect, 10**9):
            written += file.write(f"{line}\n")
            if written >= size:
                break


def measure(folder: Path, command: Sequence[str]) -> float:
    """Return the CPU seconds of a run in one process."""
    words = [sys.executable, "-m", "shelfread", *command, "--isolated", "--no-cache", "-j", "1", "."]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        sys.exit(f"failed: {' '.join(words)}")
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
