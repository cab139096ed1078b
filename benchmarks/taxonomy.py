#!/usr/bin/env python3
"""What a taxonomy of 5,000 concepts adds to a check: taxonomy.py [--runs N].

A taxonomy and three lists of 400 KB are generated, the same ones every time: one whose headings are all labels of it,
one with none that is, and one with few headings. Each is checked with the taxonomy and without in one process, and the
difference is compared with a bare parse of it. Start-up is what the taxonomy adds to a check of a list with one
heading, which is subtracted from the others. The exit status is 1 if a figure is beyond its limit.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

from markdown_it import MarkdownIt

import lists
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.index.pages import find_presets
from shelfread.project.config import EMPTY
from shelfread.rulebook.selection import bind_rules, presets_of, select
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy

CONCEPTS = 5_000
CHARACTERS = 400_000
MOST_PARSES, MOST_START_UP = 0.1, 15.0
LETTERS = "bcdfghjklmnprstvw", "aeiou"


def words(chance: random.Random, count: int) -> list[str]:
    """Made-up words that differ, as subjects have words of their own, and the words of `lists`."""
    syllables = [a + b for a in LETTERS[0] for b in LETTERS[1]]
    made = {"".join(chance.choices(syllables, k=chance.choice((2, 3, 3, 4)))) for _ in range(count)}
    return [*sorted(made), *lists.WORDS]


def labels(chance: random.Random, count: int) -> list[str]:
    """Labels of one to four words, no two the same; common words are in many of them, as they are in English."""
    known = words(chance, 1_500)
    weights = [1 / (rank + 10) for rank in range(len(known))]
    chance.shuffle(known)
    found: dict[str, None] = {}
    while len(found) < count:
        chosen = chance.choices(known, weights, k=chance.choice((1, 2, 2, 3, 3, 4)))
        found[" ".join(word.title() for word in dict.fromkeys(chosen))] = None
    return list(found)


def write_taxonomy(path: Path, names: Sequence[str], concepts: int) -> None:
    """A concept for every other label, with the next one as another name; eight are at the top."""
    lines = ["concepts:"]
    for number in range(concepts):
        name, other = names[2 * number : 2 * number + 2]
        broader = f", broader: c{number // 8}" if number >= 8 else ""
        lines.append(f"  c{number}: {{prefLabel: {name}, altLabel: [{other}]{broader}}}")
    path.write_text("\n".join([*lines, ""]))


def list_text(headings: Sequence[str], characters: int) -> str:
    """A list of papers and projects of some length, its entries divided among headings."""
    chance = random.Random(5)
    each = characters // len(headings)
    return "# Awesome Subjects\n" + "".join(_section(chance, heading, each) for heading in headings)


def _section(chance: random.Random, heading: str, characters: int) -> str:
    lines = [f"\n## {heading}\n"]
    size = 0
    while size < characters:
        write = chance.choice((lists.paper, lists.project))
        lines.append(write(chance, chance.randint(1, 99_999)))
        size += len(lines[-1]) + 1
    return "\n".join([*lines, ""])


def make(folder: Path, concepts: int = CONCEPTS, characters: int = CHARACTERS) -> dict[str, Path]:
    """Write the taxonomy `own.yaml` and the lists to a folder; return the lists by what their headings are."""
    chance = random.Random(7)
    names = labels(chance, 2 * concepts + 300)
    write_taxonomy(folder / "own.yaml", names, concepts)
    chosen = {
        "known headings": chance.sample(names[: 2 * concepts], 300),
        "unknown headings": names[2 * concepts :],
        "few headings": chance.sample(names[: 2 * concepts], 10),
    }
    found = {}
    for kind, headings in chosen.items():
        found[kind] = folder / f"{kind.split()[0]}.md"
        found[kind].write_text(list_text(headings, characters))
    return found


# -------------------------------------------------------------------------------------------- measuring
def least(runs: int, deed: Callable[[], object]) -> float:
    """The least CPU time that a deed took, in seconds."""
    spent = []
    for _ in range(runs):
        gc.collect()
        start = process_time()
        deed()
        spent.append(process_time() - start)
    return min(spent)


def check(path: Path, taxonomy: Taxonomy) -> None:
    """Check a list as a project of its own, without the network."""
    selection = select(EMPTY)
    document = read(Source.from_bytes(path.read_bytes(), path.name), taxonomy.vocabulary)
    context = build_context({path.name: facts(document)}, taxonomy)
    bound = bind_rules(selection, presets_of(selection, find_presets(context).get(path.name, ())))
    lint(document, context, bound, selection.rules)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=7, help="the least of so many runs (default: 7)")
    runs = parser.parse_args().runs
    gc.disable()
    figures = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found = make(folder)
        own, short = str(folder / "own.yaml"), folder / "short.md"
        short.write_text("# A List\n\n## Something Else\n\n- [Name](https://example.org/x) - A thing.\n")
        load(own)  # prepares it
        for path in (short, *found.values()):
            check(path, load(own))  # reads patterns, and imports what is imported when used
        bare = least(runs, lambda: check(short, load(None)))
        start_up = least(runs, lambda: check(short, load(own))) - bare
        figures.append(("start-up, ms", 1000 * start_up, MOST_START_UP))
        for kind, path in found.items():
            parser_ = MarkdownIt("commonmark").enable(["table", "strikethrough"])
            text = path.read_text()
            parse = least(runs, lambda text=text, parser_=parser_: parser_.parse(text))
            without = least(runs, lambda path=path: check(path, load(None)))
            added = least(runs, lambda path=path: check(path, load(own))) - without - start_up
            figures.append((f"{kind}, parses", added / parse, MOST_PARSES))
    print(f"| what a taxonomy of {CONCEPTS:,} concepts adds | measured | at most |\n|---|---:|---:|")
    for what, measured, most in figures:
        print(f"| {what} | {measured:.2f} | {most:g} |")
    return int(any(measured > most for _, measured, most in figures))


if __name__ == "__main__":
    sys.exit(main())
