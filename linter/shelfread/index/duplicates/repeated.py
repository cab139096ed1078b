"""Finds entries that are listed more than once, over all files of a project, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.index.facts import Facts, Listing

_NOT_WORD = lazy(r"[\W_]+")
NEAR = "near:"
"""The prefix of the keys of nearly equal titles."""
_NEARBY_LINES = 3
_MIN_REPEATS = 10
# If more than one entry in so many is repeated, it is by design, or the file has a second order, or it is a copy.
_BY_DESIGN = 5
_SECOND_ORDER = 3
_COPY = 2


class Repeat(NamedTuple):
    """A further listing of something: the other listing, and the identity key that both have."""

    other: Listing
    key: str
    near: bool
    """Whether the other listing is in the same section, or a few lines above."""
    design: bool
    """Whether the file repeats entries by design."""


def identities(facts: Facts, near: Mapping[str, str]) -> Iterator[tuple[str, Listing]]:
    """Return a file's identity keys in document order, followed by the keys of nearly equal titles."""
    yield from facts.identities
    for key, listing in facts.identities if near else ():
        if listing.title in near and listing.keys[:1] == (key,):
            yield f"{NEAR}{near[listing.title]}", listing


def find_repeats(
    facts: Facts,
    firsts: Mapping[str, Listing],
    near: Mapping[str, str],
    added: Mapping[str, frozenset[str]],
    new: frozenset[int] = frozenset(),
) -> dict[int, Repeat]:
    """Return the entries of a file that repeat an earlier one, in this file or another, by their index.

    Of several listings the one in the same section is named. Left out is what a file that is mostly a copy (a
    translation, a backup) has in common with the others, and the second order of a file that lists its entries
    twice, by topic and by date. `added` are the keys of each file that are new since the base commit, `new` the
    file's new entries, which repeat the old ones wherever they are.
    """

    def comes_before(other: str, key: str) -> bool:
        own_new, other_new = (key in added.get(path, frozenset()) for path in (facts.path, other))
        return (other_new, other) < (own_new, facts.path)

    keyed = list(identities(facts, near))
    repeats = _within(sorted(keyed, key=lambda pair: pair[1].entry in new) if new else keyed)
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


def _is_design(repeats: Mapping[int, Repeat], entries: int, divisor: int) -> bool:
    """Return whether repeats are intended: at least ten, more than one entry in `divisor`, of many things."""
    if len(repeats) < _MIN_REPEATS or len(repeats) * divisor <= entries:
        return False
    return len({repeat.other[:2] for repeat in repeats.values()}) * 3 >= len(repeats)


def _in_same_branch(listing: Listing, other: Listing) -> bool:
    """Return whether the section of one listing is that of the other, or within it."""
    shorter, longer = sorted((listing.section, other.section), key=len)
    return longer[: len(shorter)] == shorter


def _within(keyed: list[tuple[str, Listing]]) -> dict[int, Repeat]:
    """Return the repeats within one file, by the index of the entry."""
    repeats: dict[int, Repeat] = {}
    sections: dict[tuple[str, tuple[str, ...]], Listing] = {}
    first: dict[str, Listing] = {}
    latest: dict[str, Listing] = {}
    times = Counter([key for key, _ in keyed])
    for key, listing in keyed:
        if times[key] == 1:
            continue  # the usual case
        other, near = sections.setdefault((key, listing.section), listing), True
        if other is listing and key in latest:
            close = abs(listing.line - latest[key].line) <= _NEARBY_LINES and _in_same_branch(
                listing, latest[key]
            )
            other, near = (latest[key], True) if close else (first[key], False)
        first.setdefault(key, listing)
        latest[key] = listing
        known = repeats.get(listing.entry)
        better = known is None or (near and not known.near and not key.startswith(NEAR))
        if better and other.entry != listing.entry:
            repeats[listing.entry] = Repeat(other, key, near, False)
    return repeats


def is_same_name(name: str, other: str, url: str) -> bool:
    """Return whether two folded names with one URL are of one thing: a repository may hold several tools.

    They are equal, or all their words are in the URL: `xilem` and `linebender xilem`, but not `uv build`.
    """
    first, second = set(name.split()), set(other.split())
    if name == other or not (first <= second or second <= first):
        return name == other
    return first | second <= set(_NOT_WORD.split(url.casefold()))


def are_similar_titles(title: str, other: str) -> bool:
    """Return whether two folded titles may be of one paper: one is within the other, or most words are equal."""
    if title in other or other in title:
        return True
    first, second = set(title.split()), set(other.split())
    return len(first & second) * 3 >= min(len(first), len(second)) * 2
