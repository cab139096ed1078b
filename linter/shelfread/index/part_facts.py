"""The facts of a file from those of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from shelfread.core.diagnostics import Span
from shelfread.document.assemble import shifts
from shelfread.document.generated import is_generated
from shelfread.document.parts import Part, Parts
from shelfread.index.anchors import Landmark, Reference
from shelfread.index.conventions.conventions import Observation, Question
from shelfread.index.conventions.line_style import sections_with_entries
from shelfread.index.conventions.observations import SECTION
from shelfread.index.facts import Facts, Listing, facts, is_awesome_badge, is_awesome_title

_BADGES = 40
_SPAN, _ENTRY, _LINE = (Listing._fields.index(name) for name in ("span", "entry", "line"))


def part_facts(part: Part) -> Facts:
    """Return the facts of a part, in which places count from its beginning."""
    if facts not in part.memo:
        part.memo[facts] = facts(part.document)
    found: Facts = part.memo[facts]
    return found


def merge_facts(parts: Parts) -> Facts:
    """Return the facts of a file, as `facts` does."""
    own = [part_facts(part) for part in parts.parts]
    landmarks: list[Landmark] = []
    references: list[Reference] = []
    identities: list[tuple[str, Listing]] = []
    observations: Counter[Observation] = Counter()
    titles: dict[int, str] = {}
    entries = 0
    for part, found, shift in zip(parts.parts, own, shifts(parts), strict=True):
        offset, lines = shift.offset, shift.lines
        for heading, text, start, end, level in found.landmarks:
            landmarks.append(Landmark(heading, text, start + offset, end + offset, level))
        for reference in found.references:
            references.append(reference._replace(fragment=shift.span(reference.fragment)))
        identities += _identities(part, found, entries, offset, lines)
        for observation, count in found.observations.items():
            if observation[0].topic != SECTION:
                observations[observation] += count
        sections = part.document.sections
        for index in sections_with_entries(part.document):
            titles[shift.section_index(index) or 0] = sections[index].title
        entries += found.entries
    for index in set(titles):
        observations[Question(SECTION), titles[index]] += 1
    links = chain.from_iterable(part.document.links for part in parts.parts)
    first = next((part.document.sections[0] for part in parts.parts if part.document.sections), None)
    return Facts(
        path=parts.source.path or "",
        entries=entries,
        papers=sum(found.papers for found in own),
        awesome=any(map(is_awesome_badge, islice(links, _BADGES)))
        or (first is not None and is_awesome_title(first.title)),
        landmarks=tuple(landmarks),
        references=tuple(references),
        observations=observations,
        identities=tuple(identities),
        used_definitions=_used_definitions(parts),
        is_generated=is_generated(parts.source.text),
        material_links=frozenset(chain.from_iterable(found.material_links for found in own)),
    )


def _identities(
    part: Part, found: Facts, entries: int, offset: int, lines: int
) -> Sequence[tuple[str, Listing]]:
    """Return the identities of a part at its place; those of the last time if that is the same."""
    place = entries, offset, lines
    known: tuple[tuple[int, int, int], Sequence[tuple[str, Listing]]] | None = part.memo.get(_moved)
    if known is None or known[0] != place:
        known = part.memo[_moved] = place, _moved(found.identities, *place)
    return known[1]


def _moved(
    identities: tuple[tuple[str, Listing], ...], entries: int, offset: int, lines: int
) -> list[tuple[str, Listing]]:
    """Return identities with the places of their listings in the file."""
    moved: list[tuple[str, Listing]] = []
    known: dict[int, Listing] = {}
    for key, listing in identities:
        found = known.get(id(listing))
        if found is None:
            values: list[Any] = list(listing)
            start, end = listing.span
            values[_SPAN] = Span(start + offset, end + offset)
            values[_ENTRY] += entries
            values[_LINE] += lines
            found = known[id(listing)] = tuple.__new__(Listing, values)
        moved.append((key, found))
    return moved


def _used_definitions(parts: Parts) -> frozenset[tuple[str, str]]:
    if not parts.references:
        return frozenset()
    links = chain.from_iterable(part.document.links for part in parts.parts)
    used = {link.label for link in links if link.form == "reference"}
    definitions = chain.from_iterable(part.document.tree.definitions for part in parts.parts)
    return frozenset((each.label, each.url) for each in definitions if each.label in used)
