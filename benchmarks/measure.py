#!/usr/bin/env python3
"""Measure what `shelfread check` costs, in CPU time and memory, beside a bare parse of the same Markdown.

    measure.py [CORPUS] [--stages]

CORPUS is a folder with a folder for each list; without it, lists are generated. Each list is copied away
first, so that it is checked as a project of its own. The table is Markdown. The exit status is 1 if a
figure is beyond its limit. With --stages a second table shows which rooms and rules the time is spent in.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import lists

SHELFREAD = str(Path(sys.executable).with_name("shelfread"))
CHECK = [SHELFREAD, "check", "--output-format", "json", "--exit-zero", "--no-cache", "--isolated", "-j", "1"]
READY = (
    "import sys\nfrom markdown_it import MarkdownIt\n"
    "parser = MarkdownIt('commonmark').enable(['table', 'strikethrough'])\n"
)
# The trees are kept, as a check keeps the documents of a project, whose rules look across files.
PARSE = READY + "[parser.parse(open(f, encoding='utf-8', errors='replace').read()) for f in sys.argv[1:]]"
# Bytecode is kept, as on any user's machine.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
LENGTH = 64
ENTRIES = 200


class Cost(NamedTuple):
    """What one process took."""

    cpu: float
    peak: int


def spend(command: Sequence[str], cwd: Path, runs: int = 1) -> Cost:
    """The least that some runs of a command took."""
    costs = []
    for _ in range(runs):
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                command, cwd=cwd, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=said
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                said.seek(0)
                sys.exit(f"failed: {' '.join(command)[:300]}\n{said.read().decode()[-2000:]}")
        costs.append(Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss))
    return Cost(min(cost.cpu for cost in costs), min(cost.peak for cost in costs))


class Bench:
    """Checks and parses of lists in a scratch folder, less what the same takes of next to nothing."""

    def __init__(self, scratch: Path, runs: int) -> None:
        self.scratch, self.runs = scratch, runs
        (scratch / "empty.md").write_text("# Nothing\n")
        self.idle_check = spend([*CHECK, "empty.md"], scratch, 5).cpu
        self.idle_parse = spend([sys.executable, "-c", READY], scratch, 5).cpu

    def check(self, folder: Path, files: Sequence[str]) -> Cost:
        cost = spend([*CHECK, *files], folder, self.runs)
        return Cost(max(cost.cpu - self.idle_check, 1e-4), cost.peak)

    def parse(self, folder: Path, files: Sequence[str]) -> Cost:
        cost = spend([sys.executable, "-c", PARSE, *files], folder, self.runs)
        return Cost(max(cost.cpu - self.idle_parse, 1e-4), cost.peak)


class Figure(NamedTuple):
    """A line of the table."""

    what: str
    measured: float
    limit: float


def over_corpus(bench: Bench, corpus: Path) -> list[Figure]:
    """Time summed over all lists, and memory of the one that does worst."""
    spent = parsed = worst = 0.0
    folders = sorted(path for path in corpus.iterdir() if path.is_dir())
    for source in folders:
        folder = bench.scratch / "corpus" / source.name
        shutil.copytree(source, folder)
        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
        if files:
            check, parse = bench.check(folder, files), bench.parse(folder, files)
            spent, parsed = spent + check.cpu, parsed + parse.cpu
            worst = max(worst, check.peak / parse.peak)
            print(f"{source.name}: time x{check.cpu / parse.cpu:.2f} of {parse.cpu:.2f} s,"
                  f" memory x{check.peak / parse.peak:.2f}", file=sys.stderr)  # fmt: skip
        shutil.rmtree(folder)
    return [
        Figure(f"CPU time of a check, {len(folders)} lists together : a bare parse", spent / parsed, 1.6),
        Figure("peak memory of a check, the worst of these lists : a bare parse", worst, 2.5),
    ]


def of_short_list(bench: Bench) -> list[Figure]:
    """Start-up, as felt with every keystroke and every commit."""
    lists.write_list(bench.scratch / "short.md", "papers", 9)
    lines = (bench.scratch / "short.md").read_text().splitlines()[:20]
    (bench.scratch / "short.md").write_text("\n".join(lines) + "\n")
    check = spend([*CHECK, "short.md"], bench.scratch, 10).cpu
    nothing = spend([sys.executable, "-c", "pass"], bench.scratch, 10).cpu
    return [Figure("CPU time of a check of 20 lines : `python -c pass`", check / nothing, 12)]


def of_length(bench: Bench) -> list[Figure]:
    """A list 64 times as long: what an entry costs there, beside what it costs in the short one."""
    costs = {}
    for times in (1, LENGTH):
        lists.write_list(bench.scratch / f"{times}.md", "papers", ENTRIES * times)
        costs[times] = bench.check(bench.scratch, [f"{times}.md"])
    parse = bench.parse(bench.scratch, [f"{LENGTH}.md"])
    long = f"{ENTRIES * LENGTH:,} entries"
    one = costs[LENGTH].cpu / costs[1].cpu / LENGTH
    return [
        Figure(f"CPU time for each entry, of {long} : of {ENTRIES}", one, 1.25),
        Figure(f"CPU time of a check, {long} : a bare parse", costs[LENGTH].cpu / parse.cpu, 1.6),
        Figure(f"peak memory of a check, {long} : a bare parse", costs[LENGTH].peak / parse.peak, 2.5),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpus", nargs="?", type=Path, help="a folder with a folder for each list")
    parser.add_argument("--runs", type=int, default=2, help="the least of so many counts (default: 2)")
    parser.add_argument("--stages", action="store_true", help="show where the time of a check is spent")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        corpus = args.corpus
        if corpus is None:
            lists.write_corpus(corpus := scratch / "generated")
        bench = Bench(scratch, args.runs)
        parts: list[Callable[[], list[Figure]]] = [
            lambda: over_corpus(bench, corpus), lambda: of_short_list(bench), lambda: of_length(bench)
        ]  # fmt: skip
        figures = [figure for part in parts for figure in part()]
        print("| measured | times | at most |\n|---|---:|---:|")
        for figure in figures:
            print(f"| {figure.what} | {figure.measured:.2f} | {figure.limit:g} |")
        if args.stages:
            stages = Path(__file__).with_name("stages.py")
            files = [str(path) for path in sorted(corpus.rglob("*.md"))]
            print(flush=True)
            subprocess.run([sys.executable, stages, *files], check=True)
    return int(any(figure.measured > figure.limit for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
