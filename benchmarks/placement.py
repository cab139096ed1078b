#!/usr/bin/env python3
"""How often the section proposed for an entry is its own: placement.py CORPUS [--lists FILE] [--most N] [--apart]

Each folder in CORPUS is a list. Five folds of the entries of each file: the model learns from four, with copies in one fold,
and is asked for the fifth. Each entry is then put into the section of another one, drawn at random. --apart prints the entries
that the rule would doubt where they stand.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.index.pages import original_of
from shelfread.index.placement.misplaced import DOUBTED, UNLIKE, WRONG, Doubts
from shelfread.index.placement.section_model import SURE, learn
from shelfread.taxonomy.load import vocabulary

FOLDS = 5
MOST_FILES, MOST_BYTES = 12, 1_500_000
LEAST_ENTRIES = 10


class Case(NamedTuple):
    """An entry whose section was hidden, and what the model says."""

    where: str
    rank: int
    """Of its section among those proposed, from 0."""
    share: float
    relation: str
    """Of the best section to its own: same, above or below, sibling, apart."""
    doubt: float | None
    """Where it stands; None if the best section is its own."""
    moved: float | None
    """In another section; None if the best section is that one, or a copy stands there."""
    is_moved: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--lists", type=Path, help="a file with the names of the only folders to read")
    parser.add_argument("--most", type=int, default=60, help="entries of a list that are asked for")
    parser.add_argument("--apart", action="store_true")
    options = parser.parse_args()
    names = options.lists.read_text().split() if options.lists else None
    folders = sorted(each for each in options.corpus.iterdir() if names is None or each.name in names)
    cases = [case for folder in folders for case in hide_sections(folder, options.most)]
    print_figures(cases)
    if options.apart:
        for case in cases:
            if case.doubt is not None and case.doubt >= DOUBTED:
                print(f"{case.doubt:.1f} {case.where}")


def hide_sections(folder: Path, most: int) -> Iterator[Case]:
    documents = list(documents_of(folder))
    every = max(1, -(-sum(len(document.entries) for document in documents) // most))
    for document in documents:
        chance = random.Random(f"{folder.name}/{document.source.path}")
        groups = copies_of(document)
        folds = {group: chance.randrange(FOLDS) for group in dict.fromkeys(groups)}
        asked = range(0, len(document.entries), every)
        for fold in range(FOLDS):
            hidden = frozenset(index for index, group in enumerate(groups) if folds[group] == fold)
            model = learn(document, hidden)
            doubts = Doubts(model)
            if len(model.entries) > 1:
                for index in hidden.intersection(asked):
                    if document.entries[index].section is not None:
                        yield ask(doubts, index, groups, chance, folder.name)


def ask(doubts: Doubts, index: int, groups: list[int], chance: random.Random, name: str) -> Case:
    model, document, entries = doubts.model, doubts.model.document, doubts.model.document.entries
    shares = model.shares_of(index, hidden=True)
    ranked = sorted(shares, key=shares.__getitem__, reverse=True)
    own = entries[index].section
    assert own is not None
    rights = {entries[other].section for other, group in enumerate(groups) if group == groups[index]}
    rank = next((rank for rank, section in enumerate(ranked) if section in rights), 999)
    standing = [section for section, indexes in model.entries.items() for _ in indexes]
    other = chance.choice(standing)
    is_moved = other not in rights
    sections = document.sections
    best = ranked[0]

    def doubt(section: int) -> float | None:
        if section == best or section not in shares or len(model.entries[section]) < 3:
            return None
        shorter = min(len(sections[section].path), len(sections[best].path))
        if sections[section].path[:shorter] == sections[best].path[:shorter]:
            return None
        return doubts.of(index, section, shares)

    return Case(
        where=f"{name}/{document.source.path}:{entries[index].line} {entries[index].title.value[:60]}"
        f" | {sections[own].title} | {sections[best].title} {shares[best]:.2f}",
        rank=rank,
        share=model.said(best, shares[best]),
        relation="same" if rank == 0 else relation(document, best, own),
        doubt=doubt(own) if rank else None,
        moved=doubt(other) if is_moved else None,
        is_moved=is_moved,
    )


def relation(document: Document, one: int, other: int) -> str:
    paths = [document.sections[section].path for section in (one, other)]
    shorter = min(map(len, paths))
    if paths[0][:shorter] == paths[1][:shorter]:
        return "above or below"
    return "sibling" if document.sections[one].parent == document.sections[other].parent else "apart"


def documents_of(folder: Path) -> Iterator[Document]:
    """Yield the largest lists of a folder without translations."""
    files = [
        file for file in folder.rglob("*") if file.suffix.lower() in (".md", ".markdown") and file.is_file()
    ]
    names = {file.relative_to(folder).as_posix() for file in files}
    for file in sorted(files, key=lambda file: -file.stat().st_size)[:MOST_FILES]:
        name = file.relative_to(folder).as_posix()
        if original_of(name, names) is None and file.stat().st_size <= MOST_BYTES:
            try:
                document = read(Source.from_bytes(read_bytes(str(file)), name), vocabulary())
            except UserError:
                continue
            if len(document.entries) >= LEAST_ENTRIES:
                yield document


def copies_of(document: Document) -> list[int]:
    """Return for each entry the first one that lists the same thing."""
    groups: list[int] = []
    known: dict[str, int] = {}
    for index, entry in enumerate(document.entries):
        keys = identity_keys(entry, fold_title(entry.title.value))
        group = next((known[key] for key in keys if key in known), index)
        known.update((key, group) for key in keys if key not in known)
        groups.append(group)
    return groups


def print_figures(cases: list[Case]) -> None:
    number = len(cases)

    def percent(count: int, of: int = number) -> str:
        return f"{100 * count / max(1, of):.1f} %"

    print(f"{number} entries")
    for most, name in ((1, "first"), (3, "in the first three"), (5, "in the first five")):
        print(f"{name}: {percent(sum(case.rank < most for case in cases))}")
    for name, count in Counter(case.relation for case in cases).most_common():
        print(f"the first is {name}: {percent(count)}")
    ranked = sorted(cases, key=lambda case: -case.share)
    for level in (0.9, 0.95):
        right, covered = 0, 0
        for place, case in enumerate(ranked, 1):
            right += case.rank == 0
            if right >= level * place:
                covered = place
        print(
            f"answered at {level:.0%}: {percent(covered)}, from a share of {ranked[max(0, covered - 1)].share:.2f}"
        )
    sure = [case for case in cases if case.share >= SURE]
    print(f"sure: {percent(len(sure))}, right {percent(sum(case.rank == 0 for case in sure), len(sure))}")
    print("\n| share | entries | said | right |\n|---|---:|---:|---:|")
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.85), (0.85, 0.95), (0.95, 1.01)):
        some = [case for case in cases if low <= case.share < high]
        said = sum(case.share for case in some) / max(1, len(some))
        right = sum(case.rank == 0 for case in some)
        print(f"| from {low} | {len(some)} | {100 * said:.0f} % | {100 * right / max(1, len(some)):.0f} % |")
    moved = [case for case in cases if case.is_moved]
    doubts = sorted((case.doubt for case in cases if case.doubt is not None), reverse=True)
    limits = [
        ("UNLIKE", UNLIKE),
        ("DOUBTED", DOUBTED),
        ("3 %", doubts[3 * number // 100]),
        ("WRONG", WRONG),
        ("1.5 %", doubts[3 * number // 200]),
        ("1 %", doubts[number // 100]),
        ("0.5 %", doubts[number // 200]),
    ]
    for name, least in limits:
        flagged = sum(doubt >= least for doubt in doubts)
        found = [case for case in moved if case.moved is not None and case.moved >= least]
        right = sum(case.rank == 0 for case in found)
        wrong, caught = 9 * flagged / number, len(found) / max(1, len(moved))
        print(
            f"{name} {least:.2f}: {flagged} ({percent(flagged)}) of the others, {percent(len(found), len(moved))} of those "
            f"moved; {percent(right, len(found))} of these go back; if a tenth is misplaced, "
            f"{100 * caught / max(1e-9, caught + wrong):.0f} of 100 are right"
        )


if __name__ == "__main__":
    main()
