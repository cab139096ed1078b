"""How the CPU time of each command grows on texts that once took more than linear time, beside a bare parse.

    PYTHONPATH=linter:tests .venv/bin/python benchmarks/hostile.py [--sizes KB,KB,...] [--commands NAME,...] [NAME...]

Prints for each text and command the seconds of the largest size, its times of a bare parse with markdown-it-py, and the
exponent between the two largest sizes: 1 is linear. Each measure has a process of its own and ends after two minutes.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import sys
import time
from collections.abc import Callable

from markdown_it import MarkdownIt

from fuzz import commands
from fuzz.generators.repeated import Recipe
from fuzz.targets.growth import COMMANDS

LONGEST = 120
TEXTS = {
    "entries": Recipe(("entries",), False),
    "links to missing headings": Recipe(("missing anchors",), False),
    "tasks, then open details": Recipe(("tasks", "details"), False),
    "definitions apart, entries": Recipe(("parted definitions", "entries"), True),
    "definitions, headings, formulas": Recipe(
        ("definitions", "underlined headings", "blocks of formulas"), False
    ),
    "sub-items, details, quotes, formulas": Recipe(("sub-items", "details", "quotes", "formulas"), True),
    "rows without a table": Recipe(("rows without a table",), False),
    "comments that ignore": Recipe(("open disable",), False),
    "blanks on one line": Recipe(("blanks",), False, "x\n"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", default="125,500")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    sizes = [int(size) * 1000 for size in args.sizes.split(",")]
    chosen = args.commands.split(",")
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    print(f"| text | parse, s | {' | '.join(chosen)} |\n|---|---:|{'---:|' * len(chosen)}")
    with commands.folder():
        for name in chosen:
            COMMANDS[name]("# A\n\n- [a](https://a.org) - b.\n")  # what is imported and read once
        for name, recipe in TEXTS.items():
            if args.names and name not in args.names:
                continue
            texts = [recipe.text(size) for size in sizes]
            bare = measure(markdown.parse, texts[-1])
            cells = []
            for command in chosen:
                times = [measure(COMMANDS[command], text) for text in texts[-2:]]
                exponent = math.log(times[1] / times[0]) / math.log(len(texts[-1]) / len(texts[-2]))
                cells.append(f"{times[1]:.1f} ({times[1] / bare:.1f}x) {exponent:.2f}")
            print(f"| {name} | {bare:.2f} | {' | '.join(cells)} |", flush=True)


def measure(do: Callable[[str], object], text: str) -> float:
    """Return the CPU seconds of a call in a process of its own, infinity if it is not done in time."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST + 1))
        start = time.process_time()
        do(text)
        os.write(writer, f"{time.process_time() - start}".encode())
        os._exit(0)
    os.close(writer)
    told = os.read(reader, 64)
    os.close(reader)
    os.waitpid(child, 0)
    return max(float(told), 0.001) if told else math.inf


if __name__ == "__main__":
    sys.exit(main())
