"""One paper in several places: what each place states of it, over all files of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from shelfread.core.support.regex import lazy
from shelfread.index.duplicates.near_titles import LITTLE
from shelfread.index.duplicates.repeated import NEAR, are_similar_titles, identities
from shelfread.index.facts import Facts, Listing

Papers: TypeAlias = Mapping[str, list[Listing]]
"""By identity key, the listings of papers that are listed more than once; of those that agree, the first."""

_MOST = 8
"""So many different listings under one key are kept."""
_LEAST_WORDS = 5
_MANY_WORDS = 6
# What takes place again under the same title, another year.
_SERIES = lazy(r"\b(?:workshop|tutorial|symposium|challenge|competition|conference|lecture|course)\b")
_PUBLISHED = ("doi:", "acl:", "usenix:", "pmlr:", "neurips:", "mlsys:")
# Of bioRxiv, SSRN, TechRxiv, Research Square, Zenodo, Preprints, ChemRxiv, OSF.
_PREPRINTS = tuple(f"doi:10.{n}/" for n in (1101, 2139, 36227, 21203, 5281, 20944, 26434, 31219))
_IDS = (*_PUBLISHED, "arxiv:", "openreview:")


def group_papers(facts: Mapping[str, Facts], near: Mapping[str, str]) -> Papers:
    """The listings of papers by identity, in the order of the files' names and of their lines."""
    firsts: dict[str, Listing] = {}
    groups: dict[str, list[Listing]] = {}
    for path in sorted(facts):
        for key, listing in identities(facts[path], near):
            if not listing.keys or (first := firsts.setdefault(key, listing)) is listing:
                continue
            group = groups.setdefault(key, [first])
            if len(group) < _MOST and not any(_agree(listing, other) for other in group):
                group.append(listing)
    return {key: group for key, group in groups.items() if len(group) > 1}


def _agree(one: Listing, other: Listing) -> bool:
    """Whether two listings say the same of a paper."""
    return one.title == other.title and one.keys == other.keys and one.publication == other.publication


def other_listings(
    listing: Listing, papers: Papers, near: Mapping[str, str]
) -> Iterator[tuple[Listing, str]]:
    """The other listings of one paper, those by the most telling key first, each with its key."""
    known = {listing[:2]}
    for key in (*listing.keys, f"{NEAR}{near.get(listing.title)}"):
        for other in papers.get(key, ()):
            if other[:2] not in known and is_same_paper(listing, other, key):
                known.add(other[:2])
                yield other, key


def is_same_paper(one: Listing, other: Listing, key: str) -> bool:
    """Whether two listings under one key are of one paper: a link that is another's is none."""
    if key.startswith(NEAR):
        return not _SERIES.search(one.title)
    if key.startswith("title:"):
        long = one.title.count(" ") + 1 >= _LEAST_WORDS
        return bool(shared_ids(one, other)) or (long and not _SERIES.search(one.title))
    return are_similar_titles(one.title, other.title) or one.name == other.name != ""


def is_surely_same_paper(one: Listing, other: Listing) -> bool:
    """Whether two listings of one title are surely of one paper: by an identifier, or a long title.

    Links in which no identifier is may lead to the pages of a series, as of a workshop in two years.
    """
    if any(key in other.keys for key in one.keys if not key.startswith("title:")):
        return True
    if one.title.count(" ") + 1 < _MANY_WORDS:
        return False
    named = any(key.startswith(_IDS) for key in (*one.keys, *other.keys))
    return named or not (one.linked and other.linked)


def shared_ids(one: Listing, other: Listing) -> set[str]:
    """The identifiers that two listings share."""
    return {key for key in one.keys if key in other.keys and key.startswith(_IDS)}


def are_separate_publications(one: Listing, other: Listing) -> bool:
    """Whether two listings of one title may be of two publications: at a workshop, and in a journal."""
    a, b = one.publication, other.publication
    if a is None or b is None or "preprint" in (a.kind, b.kind) or shared_ids(one, other):
        return False
    return a.venue != b.venue or (a.kind == "minor") != (b.kind == "minor")


def both_published(one: Listing, other: Listing) -> bool:
    """Whether two listings lead to two publications."""
    return not shared_ids(one, other) and all(
        any(key.startswith(_PUBLISHED) for key in listing.keys) for listing in (one, other)
    )


def is_wrong_identifier(one: Listing, other: Listing, key: str) -> bool:
    """Whether one identifier under two titles is surely the wrong one: what is published keeps its title."""
    if not have_unrelated_titles(one, other):
        return False
    if key.startswith(_PUBLISHED) and not key.startswith(_PREPRINTS):
        return True
    a, b = one.publication, other.publication
    if a is None or b is None or not a.kind == b.kind == "conference":
        return False
    return (a.venue, a.year) != (b.venue, b.year)


def have_unrelated_titles(one: Listing, other: Listing) -> bool:
    """Whether two titles have nothing in common but little words, and are no mere names."""
    first, second = set(one.title.split()) - LITTLE, set(other.title.split()) - LITTLE
    least = min(len(first), len(second))
    return least >= 3 and len(first & second) * 4 <= least and (one.name != other.name or not one.name)


def is_title_within(one: Listing, other: Listing) -> bool:
    """Whether one title has all words of the other, in a row."""
    return f" {one.title} " in f" {other.title} "


def is_renamed(one: Listing, other: Listing) -> bool:
    """Whether two titles are surely of one paper: equal, one in the other, or with one name before them."""
    if is_title_within(one, other) or is_title_within(other, one):
        return True
    return one.name == other.name != "" or one.title.replace(" ", "") == other.title.replace(" ", "")


def is_listed_before(one: Listing, other: Listing) -> bool:
    """Whether a listing stands before another, by file and line."""
    return (one.path, one.entry) < (other.path, other.entry)
