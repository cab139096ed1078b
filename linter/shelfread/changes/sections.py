"""Sections and files that came, went, or go on under another name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from shelfread.changes.model import Pair, SectionChange, SectionPath

# Sections without entries are one if their titles are so much (of 100) the same: of a few, of so many letters.
_ALIKE = 80
_MOST = 20
_LONGEST = 200


def match_sections(
    pairs: Iterable[Pair],
    before: Mapping[SectionPath, None] | None = None,
    after: Mapping[SectionPath, None] | None = None,
) -> dict[SectionPath, SectionPath]:
    """The sections that half of a section's entries have gone to together, by the section that is no more.

    Without the sections of both sides only those are known that hold pairs.
    """
    votes: dict[SectionPath, Counter[SectionPath]] = {}
    backward: dict[SectionPath, Counter[SectionPath]] = {}
    old: dict[SectionPath, None] = dict(before or {})
    new: dict[SectionPath, None] = dict(after or {})
    for pair in pairs:
        for one, other in _upward(pair):
            votes.setdefault(one, Counter())[other] += 1
            backward.setdefault(other, Counter())[one] += 1
            old[one] = new[other] = None
    gone = [shelf for shelf in old if shelf not in new]
    come = {shelf: None for shelf in new if shelf not in old}
    empty: dict[SectionPath, list[SectionPath]] = {}
    for shelf in come:
        if shelf.titles and shelf not in backward:
            empty.setdefault(shelf.above, []).append(shelf)
    renamed: dict[SectionPath, SectionPath] = {}
    taken: set[SectionPath] = set()
    for shelf in sorted(gone, key=lambda shelf: len(shelf.titles)):
        if shelf in votes:
            target = _elected(shelf, votes[shelf], backward, come)
        else:
            target = _implied(shelf, renamed, empty, come)
        if target is not None and target not in taken:
            renamed[shelf] = target
            taken.add(target)
    return renamed


def section_after(shelf: SectionPath, renamed: Mapping[SectionPath, SectionPath]) -> SectionPath:
    """What a section is called after the change: by its own new name, or that of one above."""
    rest: tuple[str, ...] = ()
    at = shelf
    while at not in renamed:
        if not at.titles:
            return shelf
        rest = (at.titles[-1], *rest)
        at = at.above
    path, section = renamed[at]
    return SectionPath(path, section + rest)


def section_changes(
    before: Mapping[SectionPath, None],
    after: Mapping[SectionPath, None],
    renamed: Mapping[SectionPath, SectionPath],
    sizes: tuple[Counter[SectionPath], Counter[SectionPath]],
) -> Iterator[SectionChange]:
    """What to say of sections: of one that goes with the section above it, nothing."""
    targets = set(renamed.values())
    for shelf in after:
        if shelf not in before and shelf not in targets:
            yield SectionChange(None, shelf, sizes[1][shelf])
    for shelf in before:
        target = renamed.get(shelf)
        if target is not None:
            above = section_after(shelf.above, renamed)
            implied = shelf.titles and SectionPath(above.path, (*above.titles, shelf.titles[-1])) == target
            if not implied:
                yield SectionChange(shelf, target, sizes[1][target])
        elif shelf not in after:
            yield SectionChange(shelf, None, sizes[0][shelf])


def count_entries(shelves: Iterable[SectionPath]) -> Counter[SectionPath]:
    """How many entries are in each section, and below it; `shelves` are those of all entries."""
    found: Counter[SectionPath] = Counter()
    for shelf, number in Counter(shelves).items():
        found[shelf] += number
        while shelf.titles:
            shelf = shelf.above
            found[shelf] += number
    return found


def _upward(pair: Pair) -> Iterator[tuple[SectionPath, SectionPath]]:
    """The sections of an entry before and after, and those above both as far as both have any."""
    one, other = pair.before.section, pair.after.section
    yield one, other
    while one.titles and other.titles:
        one, other = one.above, other.above
        yield one, other
    if one.titles or other.titles:
        yield SectionPath(one.path), SectionPath(other.path)


def _elected(
    shelf: SectionPath,
    votes: Counter[SectionPath],
    backward: Mapping[SectionPath, Counter[SectionPath]],
    come: Mapping[SectionPath, None],
) -> SectionPath | None:
    """The new section that has half of the old one's entries or more, most of its own being from there."""
    found = [(number, target) for target, number in votes.items() if target in come]
    if not found:
        return None
    number, target = max(found, key=lambda one: one[0])
    ((source, _),) = backward[target].most_common(1)
    return target if number * 2 >= votes.total() and source == shelf else None


def _implied(
    shelf: SectionPath,
    renamed: Mapping[SectionPath, SectionPath],
    empty: Mapping[SectionPath, list[SectionPath]],
    come: Mapping[SectionPath, None],
) -> SectionPath | None:
    """For a section whose entries tell nothing: below the renamed section above it, by its title."""
    if not shelf.titles:
        return None
    above, title = section_after(shelf.above, renamed), shelf.titles[-1]
    same = SectionPath(above.path, (*above.titles, title))
    if same in come:
        return same
    from rapidfuzz.fuzz import ratio

    others = empty.get(above, [])
    if len(others) > _MOST:
        return None
    alike = (one for one in others if ratio(title[:_LONGEST], one.titles[-1][:_LONGEST]) >= _ALIKE)
    return next(alike, None)
