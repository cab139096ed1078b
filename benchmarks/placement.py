#!/usr/bin/env python3
"""How often the proposed section of an entry is the one that it stands in: placement.py CORPUS [--apart] [--sample N]

Each folder in CORPUS is a list. The taxonomy of a list is `software` if most of its entries are classic ones, else
`ml-systems` if that knows a quarter more of its sections than `machine-learning`, else the latter. An entry and its
copies do not count as evidence for it. Prints the curve, and how many entries the rule finds if each is put into
another section of its list. --apart prints the entries for which the rule speaks, --sample N proposals to be read.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.heading_subjects import resolve_section
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.index.conventions.line_style import sections_with_entries
from shelfread.index.placement.misplaced import Strays, better_place, identity_of, is_sure
from shelfread.index.placement.subject_sections import find_targets
from shelfread.index.placement.term_evidence import ListEvidence, Placement, gather
from shelfread.index.subject_pages import original_of
from shelfread.taxonomy.load import load, vocabulary
from shelfread.taxonomy.taxonomy import Taxonomy

MOST_OF_LIST = 500
"""Entries of a list that count, evenly spread, so that one large list does not decide the figures."""
MOST_COPIES = 20
"""Of one thing; a link that more entries have is not that of each."""
CERTAINTIES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
RIVALS = (0.36, 0.5, 1.0)


class Case(NamedTuple):
    """An entry whose section was hidden, and what became of it."""

    evidence: ListEvidence
    name: str
    entry: int
    is_classic: bool
    proposal: Placement | None
    is_sure: bool
    outcome: str
    """same, above, below or apart; none without a proposal."""
    found: Placement | None
    """What the rule says."""
    moved_from: int
    """Another section of the list, drawn at random."""
    moved: Placement | None
    """What the rule would say if the entry stood there."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--lists", type=Path, help="a file with the names of the only folders to read")
    options = parser.parse_args()
    names = options.lists.read_text().split() if options.lists else None
    folders = sorted(each for each in options.corpus.iterdir() if names is None or each.name in names)
    cases = [case for folder in folders for case in hide_sections(folder)]
    for title, is_classic in (("paper lists", False), ("classic lists", True)):
        print_curve(title, [case for case in cases if case.is_classic == is_classic])
    if options.apart:
        for case in cases:
            if case.found is not None:
                print_case(case, case.found)
    sure = [case for case in cases if case.is_sure]
    for case in random.Random(1).sample(sure, min(options.sample, len(sure))):
        print_case(case, case.proposal)


def hide_sections(folder: Path) -> Iterator[Case]:
    """Yield the entries of a list whose section names a subject of its taxonomy."""
    documents = list(documents_of(folder))
    taxonomy, is_classic = taxonomy_of(documents)
    chance = random.Random(folder.name)
    every = max(1, -(-sum(len(document.entries) for document in documents) // MOST_OF_LIST))
    for document in documents:
        evidence = gather(document, taxonomy, find_targets(document, taxonomy))
        strays, copies = Strays(evidence), find_copies(document)
        stand = [sections[0] for sections in evidence.around if sections]
        for index in range(0, len(document.entries), every):
            sections = evidence.around[index]
            if not sections or not evidence.targets.by_section[sections[0]].concepts:
                continue
            proposal = evidence.propose(index, copies[index])
            other = chance.choice(stand)
            is_other = other != sections[0] and evidence.around[index].count(other) == 0
            is_other = is_other and not evidence.targets.are_related(other, sections[0])
            sure = proposal is not None and is_sure(proposal)
            yield Case(
                evidence=evidence,
                name=f"{folder.name}/{document.source.path}",
                entry=index,
                is_classic=is_classic,
                proposal=proposal,
                is_sure=sure,
                outcome=outcome_of(evidence, index, proposal, copies[index]),
                found=better_place(evidence, strays, index, sections[0]) if sure else None,
                moved_from=other if is_other else -1,
                moved=better_place(evidence, strays, index, other) if is_other and sure else None,
            )


def documents_of(folder: Path) -> Iterator[Document]:
    """Yield the lists of a folder without translations."""
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in (".md", ".markdown"))
    names = {file.relative_to(folder).as_posix() for file in files}
    for file in files:
        name = file.relative_to(folder).as_posix()
        if original_of(name, names) is None and file.is_file():
            try:
                document = read(Source.from_bytes(read_bytes(str(file)), name), vocabulary())
            except UserError:
                continue
            if document.entries:
                yield document


def taxonomy_of(documents: list[Document]) -> tuple[Taxonomy, bool]:
    kinds = Counter(entry.kind for document in documents for entry in document.entries)
    if kinds["classic"] > kinds["paper"]:
        return load("software"), True
    known = {
        name: sum(
            bool(resolve_section(document, index, load(name)).subjects)
            for document in documents
            for index in sections_with_entries(document)
        )
        for name in ("machine-learning", "ml-systems")
    }
    is_about_systems = known["ml-systems"] >= 1.25 * known["machine-learning"]
    return load("ml-systems" if is_about_systems else "machine-learning"), False


def find_copies(document: Document) -> list[set[int]]:
    """Return for each entry the indexes of the entries with a common identity key, itself included."""
    keys = list(map(identity_of, document.entries))
    by_key: dict[str, list[int]] = {}
    for index, own_keys in enumerate(keys):
        for key in own_keys:
            by_key.setdefault(key, []).append(index)
    return [
        {index}.union(*(by_key[key] for key in own_keys if len(by_key[key]) <= MOST_COPIES))
        for index, own_keys in enumerate(keys)
    ]


def outcome_of(
    evidence: ListEvidence, index: int, proposal: Placement | None, copies: Collection[int]
) -> str:
    if proposal is None:
        return "none"
    stand = evidence.around[index]
    if proposal.section in stand:
        return "same" if proposal.section == stand[0] else "above"
    if stand[0] in evidence.targets.around[proposal.section]:
        return "below"
    return "same" if any(proposal.section in evidence.around[copy] for copy in copies) else "apart"


def print_curve(title: str, cases: list[Case]) -> None:
    print(f"\n{title}: {len(cases)} entries\n")
    print("| certainty | rival below | proposals | coverage | same | above or below | right |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    rows = [
        (
            str(least),
            f"{rival:.2f}",
            [
                case
                for case in cases
                if case.proposal and case.proposal.certainty >= least and case.proposal.rival < rival
            ],
        )
        for least in CERTAINTIES
        for rival in RIVALS
    ]
    rows.append(("sure", "", [case for case in cases if case.is_sure]))
    for least, rival, chosen in rows:
        counts = Counter(case.outcome for case in chosen)
        total = max(1, len(chosen))
        print(
            f"| {least} | {rival} | {len(chosen)} | {100 * len(chosen) / max(1, len(cases)):.1f} % "
            f"| {100 * counts['same'] / total:.1f} % | {100 * (counts['above'] + counts['below']) / total:.1f} % "
            f"| {100 - 100 * counts['apart'] / total:.1f} % |"
        )
    found = sum(case.found is not None for case in cases)
    moved = [case for case in cases if case.moved_from >= 0]
    caught = [case for case in moved if case.moved is not None]
    right = sum(stands_in(case) for case in caught)
    print(f"\nthe rule speaks for {found} of {len(cases)} entries where they stand,")
    print(f"and for {len(caught)} of {len(moved)} in another section; {right} of these go back to their own")


def stands_in(case: Case) -> bool:
    stand = case.evidence.around[case.entry]
    return case.moved is not None and (
        case.moved.section in stand or stand[0] in case.evidence.targets.around[case.moved.section]
    )


def print_case(case: Case, placement: Placement | None) -> None:
    if placement is None:
        return
    document = case.evidence.document
    entry, stand = document.entries[case.entry], case.evidence.around[case.entry]
    paths = [" > ".join(document.sections[index].path[-3:]) for index in (stand[0], placement.section)]
    term = case.evidence.term(case.entry, placement)
    print(f"{case.name}:{entry.line} {entry.title.value[:120]}")
    if case.is_classic and entry.description is not None:
        print(f"    {entry.description.value[:120]}")
    print(f"    in {paths[0]}\n    to {paths[1]}")
    print(
        f"    '{term.words}' in the {term.field}, {placement.inside} of {placement.total}; rival {placement.rival:.2f}"
    )


if __name__ == "__main__":
    main()
