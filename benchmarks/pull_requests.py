#!/usr/bin/env python3
"""How many faulty pull requests the rules about sections notice: pull_requests.py LIST... [--seed N]

Each LIST is a folder. It gets the taxonomy that `init` writes, and is committed. Then 23 changes are made to its largest file, one
at a time: eleven entries are moved to a section drawn at random, and as if they were new; four sections are invented,
three misspelt, two renamed, and three stand twice. Noticed is a change with a finding of at least a warning that the
list does not have without it.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.document.model import Document, Entry, Section
from shelfread.document.read import read
from shelfread.taxonomy.load import vocabulary

STRAYS, MISSPELT, RENAMED, REPEATED = 11, 3, 2, 3
INVENTED = ("Gardening", "Board Games", "Sourdough Recipes", "Travel by Night Train")
LEAST_LETTERS = 6


class Change(NamedTuple):
    kind: str
    text: str
    """Of the whole file."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("lists", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    noticed, made = Counter[str](), Counter[str]()
    for folder in options.lists:
        with tempfile.TemporaryDirectory() as home:
            copy = Path(home) / "list"
            shutil.copytree(folder, copy)
            for kind, is_noticed in try_changes(copy, random.Random(f"{folder.name} {options.seed}")):
                made[kind] += 1
                noticed[kind] += is_noticed
    for kind in made:
        print(f"{kind:10} {noticed[kind]:3} of {made[kind]}")
    print(f"{'all':10} {noticed.total():3} of {made.total()}")


def try_changes(folder: Path, chance: random.Random) -> Iterator[tuple[str, bool]]:
    """Yield the kind of each change, and whether it was noticed."""
    shelfread(folder, "init", "--taxonomy", "--force")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "list"]):
        author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.hooksPath=/dev/null"]
        subprocess.run(["git", *author, *words], cwd=folder, check=True)
    file = max(folder.glob("**/*.md"), key=lambda path: path.stat().st_size)
    text = file.read_text("utf-8")
    for change in changes_of(read(Source(text, file.name), vocabulary()), chance):
        file.write_text(change.text, "utf-8")
        selected = ("--select", "taxonomy,heading/duplicate", "--since", "HEAD", "--output-format", "json")
        found = json.loads(shelfread(folder, "check", *selected))["diagnostics"]
        yield change.kind, any(each["severity"] != "info" for each in found)
    file.write_text(text, "utf-8")


def shelfread(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "shelfread", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def changes_of(document: Document, chance: random.Random) -> Iterator[Change]:
    text = document.source.text
    items = [entry for entry in document.entries if entry.block.kind == "item" and entry.section is not None]
    headings = [each for each in document.sections[1:] if each.kind == "heading" and each.title in text]
    for _ in range(STRAYS if len({entry.section for entry in items}) > 1 else 0):
        yield Change("stray", moved(text, items, chance))
    for name in INVENTED:
        yield Change(
            "invented", f"{text.rstrip()}\n\n## {name}\n\n- [Owl](https://example.org/owl) - Sees by night.\n"
        )
    long = [each for each in headings if len(each.title) >= LEAST_LETTERS and each.title.isascii()]
    for heading in chance.sample(long, min(MISSPELT, len(long))):
        at = chance.randrange(2, len(heading.title) - 2)
        yield Change("misspelt", renamed(text, heading, heading.title[:at] + heading.title[at + 1 :]))
    for heading, name in zip(chance.sample(long, min(RENAMED, len(long))), INVENTED, strict=False):
        yield Change("renamed", renamed(text, heading, name))
    for heading in chance.sample(long, min(REPEATED, len(long))):
        entry = "- [Owl](https://example.org/owl) - Sees by night."
        yield Change("repeated", f"{text.rstrip()}\n\n## {heading.title}\n\n{entry}\n")


def moved(text: str, items: list[Entry], chance: random.Random) -> str:
    """Return the text with an entry behind one of another section."""
    entry = chance.choice(items)
    other = chance.choice([each for each in items if each.section != entry.section])
    first, second = sorted((entry, other), key=lambda each: each.block.start)
    stray = text[entry.block.start : entry.block.end]
    after = f"{text[other.block.start : other.block.end]}\n{stray}"
    replaced = {entry.block.start: "", other.block.start: after}
    return "".join(
        (
            text[: first.block.start],
            replaced[first.block.start],
            text[first.block.end : second.block.start],
            replaced[second.block.start],
            text[second.block.end :],
        )
    )


def renamed(text: str, heading: Section, name: str) -> str:
    start, end = heading.span
    return text[:start] + text[start:end].replace(heading.title, name, 1) + text[end:]


if __name__ == "__main__":
    main()
