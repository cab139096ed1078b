"""Sections and files that were added, removed, or continue under another name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from shelfread.changes.listed import Pair, SectionChange, SectionPath


def match_sections(
    pairs: Iterable[Pair],
    before: Mapping[SectionPath, None] | None = None,
    after: Mapping[SectionPath, None] | None = None,
) -> dict[SectionPath, SectionPath]:
    """Return the new sections to which at least half of an old section's entries have moved, by the old ones."""
    votes: dict[SectionPath, Counter[SectionPath]] = {}
    backward: dict[SectionPath, Counter[SectionPath]] = {}
    old: dict[SectionPath, None] = dict(before or {})
    new: dict[SectionPath, None] = dict(after or {})
    for pair in pairs:
        for source, target in _section_pairs(pair):
            votes.setdefault(source, Counter())[target] += 1
            backward.setdefault(target, Counter())[source] += 1
            old[source] = new[target] = None
    removed = [section for section in votes if section not in new]
    added = {section: None for section in new if section not in old}
    renamed: dict[SectionPath, SectionPath] = {}
    taken: set[SectionPath] = set()
    for section in sorted(removed, key=lambda section: len(section.titles)):
        successor = _by_entries(section, votes[section], backward, added)
        if successor is not None and successor not in taken:
            renamed[section] = successor
            taken.add(successor)
    return renamed


def section_after(section: SectionPath, renamed: Mapping[SectionPath, SectionPath]) -> SectionPath:
    """Return a section's path after the change: renamed itself, or below a renamed section."""
    below: tuple[str, ...] = ()
    ancestor = section
    while ancestor not in renamed:
        if not ancestor.titles:
            return section
        below = (ancestor.titles[-1], *below)
        ancestor = ancestor.parent
    path, titles = renamed[ancestor]
    return SectionPath(path, titles + below)


def section_changes(
    before: Mapping[SectionPath, None],
    after: Mapping[SectionPath, None],
    renamed: Mapping[SectionPath, SectionPath],
    counts: tuple[Counter[SectionPath], Counter[SectionPath]],
) -> Iterator[SectionChange]:
    """Yield the changes of sections, except of those that only follow the section above them."""
    following = {section_after(section, renamed) for section in before}
    for section in after:
        if section not in before and section not in following:
            yield SectionChange(None, section, counts[1][section])
    for section in before:
        if (target := renamed.get(section)) is not None:
            expected = section.titles and section_after(section.parent, renamed).child(section.titles[-1])
            if expected != target:
                yield SectionChange(section, target, counts[1][target])
        elif section not in after and section_after(section, renamed) not in after:
            yield SectionChange(section, None, counts[0][section])


def count_entries(sections: Iterable[SectionPath]) -> Counter[SectionPath]:
    """Return how many entries are in each section and below it; `sections` are those of all entries."""
    counts: Counter[SectionPath] = Counter()
    for section, count in Counter(sections).items():
        counts[section] += count
        while section.titles:
            section = section.parent
            counts[section] += count
    return counts


def _section_pairs(pair: Pair) -> Iterator[tuple[SectionPath, SectionPath]]:
    """Yield the sections of an entry before and after, and those above both up to the files."""
    old, new = pair.before.section, pair.after.section
    yield old, new
    while old.titles and new.titles:
        old, new = old.parent, new.parent
        yield old, new
    if old.titles or new.titles:
        yield SectionPath(old.path), SectionPath(new.path)


def _by_entries(
    section: SectionPath,
    votes: Counter[SectionPath],
    backward: Mapping[SectionPath, Counter[SectionPath]],
    added: Mapping[SectionPath, None],
) -> SectionPath | None:
    """Return the new section with half of an old one's entries or more, if most of its own are from there."""
    targets = [(count, target) for target, count in votes.items() if target in added]
    if not targets:
        return None
    count, target = max(targets, key=lambda vote: vote[0])
    ((source, _),) = backward[target].most_common(1)
    return target if count * 2 >= votes.total() and source == section else None
