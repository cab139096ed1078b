#!/usr/bin/env python3
"""What a taxonomy of 5,000 concepts adds to a check: taxonomy.py [--runs N] [--profile LIST].

A taxonomy and three lists of 400 KB are generated, the same ones every time: one whose headings are all labels of it,
one with none that is, and one with few headings. Each is checked with the taxonomy and without in one process, and the
difference is compared with a bare parse of it. Start-up is what the taxonomy adds to the first check of a list with
one heading, in a process of its own. The exit status is 1 if a figure is beyond its limit.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import lists

CONCEPTS = 5_000
CHARACTERS = 400_000
HEADINGS = {"known headings": 300, "unknown headings": 300, "few headings": 10}
MOST_PARSES, MOST_START_UP = 0.1, 15.0
LETTERS = "bcdfghjklmnprstvw", "aeiou"
CHECK = """
import gc, sys
from time import process_time
from shelfread.core.source import Source
from shelfread.engine.load import load
"""


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
    """A concept for every other label, with the next one as another name; one in eight is at the top."""
    lines = ["concepts:"]
    for number in range(concepts):
        name, other = names[2 * number : 2 * number + 2]
        broader = f", broader: c{number // 8}" if number % 8 or number >= 64 else ""
        is_broader = f"{broader}" if number >= 8 else ""
        lines.append(f"  c{number}: {{prefLabel: {name}, altLabel: [{other}]{is_broader}}}")
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
