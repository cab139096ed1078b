#!/usr/bin/env python3
"""What it costs to import large vocabularies: vocabularies.py [--concepts N] [--write FOLDER]

Three are generated, the same ones every time, in the style of the UNESCO Thesaurus (labels in four languages, scope notes, related
terms), EuroVoc (labels in 24 languages, notations, some concepts in two branches) and MeSH (inverted names, many concepts in several
branches, long notes, qualifiers in a scheme of their own, names that several branches have). Each is imported in a quarter, half and
whole of its size, and a part of it by --root. Printed is the processor time, and the exponent with which it grows. The exit
status is 1 if an import fails or grows faster than its vocabulary. --write only writes the vocabularies.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import NamedTuple

MOST_GROWTH = 1.25
BASE = "http://vocabulary.example.org/"
LANGUAGES = {
    "unesco": "en fr es ru".split(),
    "eurovoc": "bg es cs da de et el en fr ga hr it lv lt hu mt nl pl pt ro sk sl fi sv".split(),
    "mesh": ["en"],
}
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
RELATED, TWO_BRANCHES, SHARED = 0.4, {"unesco": 0.0, "eurovoc": 0.05, "mesh": 0.5}, 0.02
PREFIXES = f"""@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <{BASE}> .
:scheme a skos:ConceptScheme ; dct:title "Generated"@en .
"""


class Made(NamedTuple):
    text: str
    root: str
    """The IRI of a concept that has others below it."""


def make(style: str, count: int) -> Made:
    """Return a vocabulary of so many concepts as Turtle."""
    chance = random.Random(f"{style} {count}")
    nodes = list(concepts(style, count, chance))
    if style == "mesh":
        nodes += [
            f':q{n} a skos:Concept ; skos:inScheme :qualifiers ; skos:prefLabel "{name(n)} aspects"@en .'
            for n in range(80)
        ]
    return Made(PREFIXES + "\n".join(nodes) + "\n", f"{BASE}c1")


def concepts(style: str, count: int, chance: random.Random) -> Iterator[str]:
    width = 10
    for number in range(count):
        shared = style == "mesh" and number > width and chance.random() < SHARED
        main = name(chance.randrange(number)) if shared else name(number)
        parts = [f":c{number} a skos:Concept", "skos:inScheme :scheme"]
        for language in LANGUAGES[style]:
            parts.append(f'skos:prefLabel "{main if language == "en" else f"{main} {language}"}"@{language}')
        if style == "mesh":
            first, _, rest = name(number).rpartition(" ")
            parts.append(f'skos:altLabel "{rest}, {first} of"@en')
        above = {(number - 1) // width} if number else set()
        if number > width and chance.random() < TWO_BRANCHES[style]:
            above.add(chance.randrange(number))
        parts += [f"skos:broader :c{other}" for other in sorted(above)] or ["skos:topConceptOf :scheme"]
        if style != "unesco":
            parts.append(f'skos:notation "{number:06}"')
        if (
            style != "mesh"
            and number % width != 1
            and not {0, number - 1} & above
            and chance.random() < RELATED
        ):
            parts.append(f"skos:related :c{number - 1}")
        if style != "eurovoc":
            parts.append(
                f'skos:scopeNote "{"Used for what is like it. " * (8 if style == "mesh" else 2)}"@en'
            )
        yield " ;\n  ".join(parts) + " ."


def name(number: int) -> str:
    """Return two words that no other number has."""
    letters = []
    for _ in range(4):
        number, place = divmod(number, len(SYLLABLES))
        letters.append(SYLLABLES[place])
    return f"{''.join(letters[:2])} {''.join(letters[2:])}"


def seconds(command: list[str], output: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with output.open("w") as file:
        subprocess.run(command, stdout=file, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--concepts", type=int, default=50_000 - 80)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    is_wrong = False
    for style in LANGUAGES:
        if options.write:
            (options.write / f"{style}.ttl").write_text(make(style, options.concepts).text, "utf-8")
            continue
        with tempfile.TemporaryDirectory() as home:
            file = Path(home) / f"{style}.ttl"
            times = []
            for count in (options.concepts // 4, options.concepts // 2, options.concepts):
                made = make(style, count)
                file.write_text(made.text, "utf-8")
                command = [sys.executable, "-m", "shelfread", "taxonomy", "import", str(file)]
                for words in ([], ["--root", made.root]):
                    time = seconds([*command, *words], Path(home) / "taxonomy.yaml")
                    if not words:
                        times.append(time)
            growth = log(times[2] / times[0]) / log(4)
            is_wrong |= growth > MOST_GROWTH
            shown = ", ".join(f"{time:.1f}" for time in times)
            size = file.stat().st_size / 1e6
            print(f"{style:8} {size:5.1f} MB: {shown} s, exponent {growth:.2f}; by --root {time:.1f} s")
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
