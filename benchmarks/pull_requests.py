#!/usr/bin/env python3
"""How many faulty pull requests the rules about sections notice: pull_requests.py LIST... [--seed N] [--judged]

Each LIST is a folder. It gets the taxonomy that `init` writes, with a retired concept and a schema. Then 25 faulty changes are made to
its largest file, one at a time: eleven entries that the list did not have are added to a section drawn at random; four sections are
invented, three misspelt, two renamed, and three stand twice; a section has the name of the retired concept, and an entry breaks the
schema. Noticed is a change with a finding of at least a warning; how many have at least an info is printed behind it, and of how many
`diff` says more than what it did: a finding, or nearer sections. As many sound changes follow, and whatever is noticed there is wrong:
eleven entries and two sections are added where the list has them. Entries that stand in their section are moved to another one apart.
--judged prints each change with its findings.
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

STRAYS, MISSPELT, RENAMED, REPEATED, WHOLE = 11, 3, 2, 3, 2
INVENTED = ("Gardening", "Board Games", "Sourdough Recipes", "Travel by Night Train")
RETIRED, LONGEST = "Gopher Servers", 200
LEAST_LETTERS = 6
SOUND = ("sound entry", "sound section")
FAULTY = ("stray", "invented", "misspelt", "renamed", "repeated", "retired", "schema")


class Change(NamedTuple):
    kind: str
    what: str
    before: str
    """The text of the whole file."""
    after: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("lists", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--judged", action="store_true")
    options = parser.parse_args()
    noticed, said, told, made = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for folder in options.lists:
        with tempfile.TemporaryDirectory() as home:
            copy = Path(home) / "list"
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"))
            for change, found, is_told in try_changes(copy, random.Random(f"{folder.name} {options.seed}")):
                made[change.kind] += 1
                noticed[change.kind] += any(each["severity"] != "info" for each in found)
                said[change.kind] += bool(found)
                told[change.kind] += is_told
                if options.judged:
                    messages = "; ".join(f"{each['severity']}: {each['message']}" for each in found)
                    print(f"{folder.name}: {change.kind}: {change.what}: {messages}")
    for kind in made:
        print(f"{kind:13} {noticed[kind]:3} ({said[kind]}, {told[kind]}) of {made[kind]}")
    for name, kinds in (("faulty", FAULTY), ("sound", SOUND)):
        counts = [sum(count[kind] for kind in kinds) for count in (noticed, said, told, made)]
        print("{}: {} ({}, {}) of {}".format(name, *counts))


def try_changes(folder: Path, chance: random.Random) -> Iterator[tuple[Change, list[dict[str, str]], bool]]:
    """Yield each change, what was found, and whether `diff` says more than what the change did."""
    run(folder, "shelfread", "init", "--taxonomy", "--force")
    taxonomy = folder / "taxonomy.yaml"
    terms = f"concepts:\n  gopher: {{prefLabel: {RETIRED}, retired: true}}\n"
    schema = f"entry: {{properties: {{title: {{maxLength: {LONGEST}}}}}}}\n"
    taxonomy.write_text(schema + taxonomy.read_text("utf-8").replace("concepts:\n", terms, 1), "utf-8")
    run(folder, "git", "init", "-q")
    file = max(folder.glob("**/*.md"), key=lambda path: path.stat().st_size)
    text = file.read_text("utf-8")
    committed = None
    for change in changes_of(read(Source(text, file.name), vocabulary()), chance):
        if change.before != committed:
            file.write_text(change.before, "utf-8")
            run(folder, "git", "add", "-A")
            run(folder, "git", "commit", "-qm", "list")
            committed = change.before
        file.write_text(change.after, "utf-8")
        selected = ("--select", "taxonomy,heading/duplicate", "--output-format", "json")
        found = json.loads(run(folder, "shelfread", "check", *selected, "--since", "HEAD"))["diagnostics"]
        report = json.loads(run(folder, "shelfread", "diff", "HEAD", "--output-format", "json"))
        keys = ("added", "moved", "changed")
        entries = [each for key in keys for each in report[key]]
        is_told = any(
            "placement" in each or "nearest" in each or any("taxonomy" in f["rule"] for f in each["findings"])
            for each in entries
        )
        yield change, found, bool(found) or is_told


def run(folder: Path, program: str, *words: str) -> str:
    settings = ("user.name=a", "user.email=a@example.org", "core.hooksPath=/dev/null")
    command = (
        [sys.executable, "-m", program]
        if program == "shelfread"
        else [program, *(word for each in settings for word in ("-c", each))]
    )
    return subprocess.run([*command, *words], cwd=folder, capture_output=True, text=True).stdout


def changes_of(document: Document, chance: random.Random) -> Iterator[Change]:
    text = document.source.text
    yield from changed_entries(document, chance)
    for name in (*INVENTED, RETIRED):
        after = f"{text.rstrip()}\n\n## {name}\n\n- [Owl](https://example.org/owl) - Sees by night.\n"
        yield Change("retired" if name == RETIRED else "invented", name, text, after)
    headings = [each for each in document.sections[1:] if each.kind == "heading" and each.title in text]
    long = [each for each in headings if len(each.title) >= LEAST_LETTERS and each.title.isascii()]
    for heading in chance.sample(long, min(MISSPELT, len(long))):
        at = chance.randrange(2, len(heading.title) - 2)
        name = heading.title[:at] + heading.title[at + 1 :]
        yield Change("misspelt", name, text, renamed(text, heading, name))
    for heading, name in zip(chance.sample(long, min(RENAMED, len(long))), INVENTED, strict=False):
        yield Change("renamed", f"{heading.title} to {name}", text, renamed(text, heading, name))
    for heading in chance.sample(long, min(REPEATED, len(long))):
        entry = "- [Owl](https://example.org/owl) - Sees by night."
        after = f"{text.rstrip()}\n\n## {heading.title}\n\n{entry}\n"
        yield Change("repeated", heading.title, text, after)
    whole = [
        (section.line - 1, following.line - 1)
        for section, following in zip(document.sections[1:], document.sections[2:], strict=False)
        if section in headings and following.kind == "heading" and following.level == section.level
    ]
    for first, end in chance.sample(whole, min(WHOLE, len(whole))):
        start, stop = document.source.starts[first], document.source.starts[end]
        title = text[start:stop].partition("\n")[0]
        yield Change("sound section", title, text[:start] + text[stop:], text)


def changed_entries(document: Document, chance: random.Random) -> Iterator[Change]:
    text = document.source.text
    items = [entry for entry in document.entries if entry.block.kind == "item" and entry.section is not None]
    if len({entry.section for entry in items}) < 2:
        return
    end = items[0].block.end
    title = "Owl " * LONGEST
    after = f"{text[:end]}\n- [{title.strip()}](https://example.org/owl) - Sees by night.{text[end:]}"
    yield Change("schema", "a long title", text, after)
    for _ in range(STRAYS):
        entry = chance.choice(items)
        other = chance.choice([each for each in items if each.section != entry.section])
        what = f"{entry.title.value} ({document.sections[entry.section or 0].title})"
        where = document.sections[other.section or 0].title
        without = text[: entry.block.start] + text[entry.block.end :]
        after = moved(text, entry, other)
        yield Change("stray", f"{what} to {where}", without, after)
        yield Change("sound entry", what, without, text)
        yield Change("moved", f"{what} to {where}", text, after)


def moved(text: str, entry: Entry, other: Entry) -> str:
    """Return the text with an entry behind one of another section."""
    stray = text[entry.block.start : entry.block.end]
    if entry.block.start < other.block.start:
        first, second = text[: entry.block.start], text[entry.block.end : other.block.end]
        return f"{first}{second}\n{stray}{text[other.block.end :]}"
    first, second = text[: other.block.end], text[other.block.end : entry.block.start]
    return f"{first}\n{stray}{second}{text[entry.block.end :]}"


def renamed(text: str, heading: Section, name: str) -> str:
    start, end = heading.span
    return text[:start] + text[start:end].replace(heading.title, name, 1) + text[end:]


if __name__ == "__main__":
    main()
