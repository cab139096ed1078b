"""Entries that are listed more than once, over all files of a project, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple, TypeAlias

from shelfread.core.support.regex import lazy
from shelfread.index.duplicates.near_titles import near_titles
from shelfread.index.facts import Facts, Listing

_NOT_WORD = lazy(r"[\W_]+")
NEAR = "near:"
"""A key that begins so is that of nearly the same title."""
_NEARBY_LINES = 3
_LEAST_REPEATS = 10
# A part of a file's entries, and what it means when more of them are listed elsewhere too.
_BY_DESIGN = 5
_SECOND_ORDER = 3
_COPY = 2


Added: TypeAlias = Mapping[str, frozenset[str]]
"""The identity keys that a change has brought into each file."""
_NOTHING: Added = {}


class Repeat(NamedTuple):
    """A further listing of something: where the other one is, and by which identity it is known."""

    other: Listing
    key: str
    near: bool
    """In the same section, or a few lines above."""
    design: bool
    """In a file that repeats by design."""


def near_titles_of(facts: Mapping[str, Facts]) -> dict[str, str]:
    """The folded titles of papers that are nearly others', each with the first of its kind."""
    titles: dict[str, str] = {}
    for path in sorted(facts):
        for _, listing in facts[path].identities:
            if listing.keys:
                titles.setdefault(listing.title, listing.name)
    return near_titles(titles)


def added_keys(
    facts: Mapping[str, Facts], past: Mapping[str, Facts], former: Mapping[str, str | None]
) -> dict[str, frozenset[str]]:
    """What each file lists and did not before, under the name that it had."""
    before = {path: frozenset([key for key, _ in one.identities]) for path, one in past.items()}
    return {
        path: frozenset([key for key, _ in one.identities]) - before.get(former.get(path) or "", frozenset())
        for path, one in facts.items()
    }


def first_listings(
    facts: Mapping[str, Facts], near: Mapping[str, str], added: Added = _NOTHING
) -> dict[str, Listing]:
    """Where each identity is listed first, by the order of the files' names and of their lines.

    What a change has `added` to a file comes after what the others had.
    """
    firsts: dict[str, Listing] = {}
    late: dict[str, Listing] = {}
    for path in sorted(facts):
        new = added.get(path, frozenset())
        for key, listing in identities(facts[path], near):
            (late if key in new else firsts).setdefault(key, listing)
    return late | firsts


def identities(facts: Facts, near: Mapping[str, str]) -> Iterator[tuple[str, Listing]]:
    """A file's identity keys in document order, and after these the keys of titles that are nearly others'."""
    return chain(
        facts.identities,
        (
            (f"{NEAR}{near[listing.title]}", listing)
            for key, listing in (facts.identities if near else ())
            if listing.title in near and listing.keys[:1] == (key,)
        ),
    )


def find_repeats(
    facts: Facts, firsts: Mapping[str, Listing], near: Mapping[str, str], added: Added = _NOTHING
) -> dict[int, Repeat]:
    """A file's entries that are listed before, here or elsewhere, by their index.

    `near` are the titles that are nearly others'. Of several listings the one in the same section is named.
    Left out is what a file that is mostly a copy (a translation, a backup) has in common with the others,
    and the second order of a file that lists its things in two, by topic and by date.
    """

    def comes_before(other: str, key: str) -> bool:
        ours, theirs = (key in added.get(path, frozenset()) for path in (facts.path, other))
        return (theirs, other) < (ours, facts.path)

    keyed = list(identities(facts, near))
    repeats = _within(keyed)
    if _is_design(repeats, facts.entries, _SECOND_ORDER):
        repeats = {}
    elsewhere = {
        listing.entry: Repeat(firsts[key], key, False, False)
        for key, listing in reversed(keyed)
        if key in firsts and firsts[key].path != facts.path and comes_before(firsts[key].path, key)
    }
    if not _is_design(elsewhere, facts.entries, _COPY):
        repeats = elsewhere | repeats
    if _is_design(repeats, facts.entries, _BY_DESIGN):
        repeats = {entry: repeat._replace(design=True) for entry, repeat in repeats.items()}
    return repeats


def _is_design(repeats: Mapping[int, Repeat], entries: int, part: int) -> bool:
    """Whether repeats are no slips: ten and more than that part of all entries, and of many things."""
    if len(repeats) < _LEAST_REPEATS or len(repeats) * part <= entries:
        return False
    return len({repeat.other[:2] for repeat in repeats.values()}) * 3 >= len(repeats)


def _is_below(one: Listing, other: Listing) -> bool:
    """Whether one stands in the other's section or further within it, or the other way round."""
    shorter, longer = sorted((one.section, other.section), key=len)
    return longer[: len(shorter)] == shorter


def _within(keyed: list[tuple[str, Listing]]) -> dict[int, Repeat]:
    """The repeats within one file."""
    repeats: dict[int, Repeat] = {}
    sections: dict[tuple[str, tuple[str, ...]], Listing] = {}
    first: dict[str, Listing] = {}
    latest: dict[str, Listing] = {}
    times = Counter([key for key, _ in keyed])
    for key, listing in keyed:
        if times[key] == 1:
            continue  # as nearly all
        other, near = sections.setdefault((key, listing.section), listing), True
        if other is listing and key in latest:
            close = listing.line - latest[key].line <= _NEARBY_LINES and _is_below(listing, latest[key])
            other, near = (latest[key], True) if close else (first[key], False)
        first.setdefault(key, listing)
        latest[key] = listing
        known = repeats.get(listing.entry)
        if other.entry != listing.entry and (
            known is None or (near and not known.near and not key.startswith(NEAR))
        ):
            repeats[listing.entry] = Repeat(other, key, near, False)
    return repeats


def is_same_name(one: str, other: str, address: str) -> bool:
    """Whether two folded names of one address name one thing: several tools may live in one repository.

    They are equal, or all their words are of the address: `xilem` and `linebender xilem`, not `uv build`.
    """
    if one == other:
        return True
    first, second = set(one.split()), set(other.split())
    return (first <= second or second <= first) and first | second <= set(_NOT_WORD.split(address.casefold()))


def are_similar_titles(one: str, other: str) -> bool:
    """Whether two folded titles may be of one paper: one is in the other, or most words are the same."""
    if one in other or other in one:
        return True
    first, second = set(one.split()), set(other.split())
    return len(first & second) * 3 >= min(len(first), len(second)) * 2
