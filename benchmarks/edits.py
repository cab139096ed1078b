#!/usr/bin/env python3
"""Measure what findings cost after an edit, in CPU time, beside a full check of the same text in the same process.

    edits.py [--edits N] [--profile KIND] [LIST.md ...]

Without lists, one of each dialect is generated. Each figure is the median of N edits of a kind at random places, after
each of which the findings are compared with those of the full check: a difference ends the program. `--profile` shows
where the time of one kind is spent.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import lists
from shelfread.core.source import Source
from shelfread.engine.analysis import Reading, analyse
from shelfread.engine.model import RunRequest
from shelfread.engine.run import run
from shelfread.project.config import EMPTY
from shelfread.rulebook.selection import select
from shelfread.taxonomy.load import load

PATH = "README.md"
ENTRIES = 4000
Edit = Callable[[random.Random, list[str]], None]


def entry_line(chance: random.Random, lines: list[str]) -> int:
    """The index of a line that is likely an entry."""
    found = [index for index, line in enumerate(lines) if line[:1] in "-*+|" and len(line) > 30]
    return chance.choice(found or range(len(lines)))


def type_character(chance: random.Random, lines: list[str]) -> None:
    index = entry_line(chance, lines)
    line = lines[index]
    end = line.rfind(" ", 0, len(line) - 2)
    lines[index] = line[: end + 1] + "x" + line[end + 1 :]


def change_title(chance: random.Random, lines: list[str]) -> None:
    index = entry_line(chance, lines)
    first, bracket, rest = lines[index].partition("[")
    lines[index] = f"{first}{bracket}New {rest}"


def add_line(chance: random.Random, lines: list[str]) -> None:
    index = entry_line(chance, lines)
    lines.insert(index, lines[index].replace("a", "o").replace("://", "://new."))


def remove_line(chance: random.Random, lines: list[str]) -> None:
    del lines[entry_line(chance, lines)]


def rename_heading(chance: random.Random, lines: list[str]) -> None:
    headings = [index for index, line in enumerate(lines) if line.startswith("##")]
    if headings:
        lines[chance.choice(headings)] += " More"


def open_fence(chance: random.Random, lines: list[str]) -> None:
    lines.insert(entry_line(chance, lines), "```")


def add_definition(chance: random.Random, lines: list[str]) -> None:
    lines.append(f"\n[new-{len(lines)}]: https://example.org/new")


ORDINARY: dict[str, Edit] = {
    "a character typed": type_character,
    "a title changed": change_title,
    "a line added": add_line,
    "a line removed": remove_line,
}
WORST: dict[str, Edit] = {
    "a heading renamed": rename_heading,
    "a fence opened": open_fence,
    "a definition added": add_definition,
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--edits", type=int, default=7)
    arguments.add_argument("--profile", choices=[*ORDINARY, *WORST])
    arguments.add_argument("lists", nargs="*", type=Path)
    given = arguments.parse_args()
    texts = {path.parent.name: path.read_text("utf-8", "replace") for path in given.lists}
    if not texts:
        texts = {
            dialect: "".join(f"{line}\n" for line in lists.list_lines(dialect, ENTRIES))
            for dialect in lists.DIALECTS
        }
    kinds = {**ORDINARY, **WORST}
    print("| list | KB |", " | ".join(kinds), "|\n|---|" + "---:|" * (len(kinds) + 1))
    ratios: list[float] = []
    for name, text in texts.items():
        cells = []
        for kind, edit in kinds.items():
            if given.profile in (None, kind):
                found = measure(text, edit, given.edits, profile=given.profile is not None)
                cells.append(f"{statistics.median(found):.3f}")
                ratios += found if kind in ORDINARY else ()
        print(f"| {name} | {len(text) // 1000} |", " | ".join(cells), "|", flush=True)
    if ratios:
        print(f"\nmedian of all ordinary edits: {statistics.median(ratios):.3f}")


def measure(text: str, edit: Edit, count: int, profile: bool = False) -> list[float]:
    """The CPU time of findings after edits, each as a share of that of a full check."""
    taxonomy, selection = load(None), select(EMPTY)

    def request(text: str) -> RunRequest:
        return RunRequest((PATH,), (), selection, taxonomy, unsaved={PATH: text.encode()})

    first = request(text)
    reading = Reading(Source(text, PATH), taxonomy.vocabulary)
    analysis = analyse(first, {PATH: reading}, {})
    chance = random.Random(len(text))
    ratios = []
    profiler = cProfile.Profile()
    for number in range(count + 1):
        lines = text.split("\n")
        edit(chance, lines)
        text = "\n".join(lines)
        gc.collect()
        start = time.process_time()
        if profile and number:
            profiler.enable()
        reading = Reading(Source(text, PATH), taxonomy.vocabulary, reading)
        analysis = analyse(first, {PATH: reading}, {}, analysis)
        profiler.disable()
        quick = time.process_time() - start
        gc.collect()
        start = time.process_time()
        full = run(request(text))
        slow = time.process_time() - start
        if list(full.files[0].diagnostics) != list(analysis.found[PATH]):
            sys.exit("the findings are not those of a full check")
        if number:  # the first one is to warm up
            ratios.append(quick / slow)
    if profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(35)
    return ratios


if __name__ == "__main__":
    main()
