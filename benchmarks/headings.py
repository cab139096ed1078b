#!/usr/bin/env python3
"""How many sections of lists a taxonomy knows: headings.py [-u] [-s N [--seed N]] TAXONOMY|best FOLDER...

Each folder is a project of its own; `best` is the bundled taxonomy that knows most of its headings. Of the headings that
name a subject (no years, venues or kinds of things), this prints the share that name concepts, and how certain they are; -u
lists those that name none, -s a sample of N to be read by a person. Headings that name a form only, such as Survey, count
as no subject; guesses count as not known.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.heading_subjects import is_subject, resolve_section
from shelfread.document.read import read
from shelfread.index.line_style import sections_with_entries
from shelfread.index.pages import original_of
from shelfread.taxonomy.heading_resolver import Resolution
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy


class Named(NamedTuple):
    """A heading, as the end of its path, and what it names."""

    place: str
    path: tuple[str, ...]
    found: Resolution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("taxonomy")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("-u", "--unknown", action="store_true")
    parser.add_argument("-s", "--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = (
        ("machine-learning", "ml-systems", "software") if options.taxonomy == "best" else (options.taxonomy,)
    )
    named = [each for folder in options.folders for each in best(folder, list(map(load, names)))]
    subjects = [each for each in named if each.found.subjects or not each.found.is_known]
    known = [each for each in subjects if each.found.is_known]
    share = 100 * len(known) / max(1, len(subjects))
    print(
        f"{len(known)} of {len(subjects)} headings name a concept ({share:.1f} %), {dict(certainties(known))}"
    )
    print(f"{len(named) - len(subjects)} headings name a form only")
    if options.unknown:
        for each in subjects:
            if not each.found.is_known:
                print(f"  {each.place}: {' > '.join(each.path[-2:])}")
    for each in random.Random(options.seed).sample(known, min(options.sample, len(known))):
        concepts = ", ".join(label.concept for label in each.found.subjects)
        print(f"  {' > '.join(each.path[-2:])}  =>  {concepts} ({each.found.certainty})")


def best(folder: Path, taxonomies: Sequence[Taxonomy]) -> list[Named]:
    """Return the headings of a project, with the taxonomy that knows most of them."""
    found = [list(headings(folder, taxonomy)) for taxonomy in taxonomies]
    return max(found, key=lambda named: sum(each.found.is_known for each in named))


def headings(folder: Path, taxonomy: Taxonomy) -> Iterator[Named]:
    """Yield the headings of a project's lists that name subjects or forms; those of translations only once."""
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in (".md", ".markdown"))
    names = {file.relative_to(folder).as_posix() for file in files}
    for file in files:
        name = file.relative_to(folder).as_posix()
        if original_of(name, names) is not None or not file.is_file():
            continue
        try:
            document = read(Source.from_bytes(read_bytes(str(file)), name), taxonomy.vocabulary)
        except UserError:
            continue
        for index in sorted(sections_with_entries(document)):
            section = document.sections[index]
            if is_subject(section, index, document, taxonomy.vocabulary):
                yield Named(f"{folder.name}/{name}", section.path, resolve_section(document, index, taxonomy))


def certainties(known: list[Named]) -> list[tuple[str, int]]:
    return Counter(each.found.certainty for each in known).most_common()


if __name__ == "__main__":
    main()
