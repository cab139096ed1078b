"""Titles that differ only by a typo or a name, found by how they begin and end, in linear time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple, TypeAlias

from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.index.facts import Facts, Listing

_MIN_WORDS = 5
_MAX_LENGTH = 400
_AFFIX = 20  # a title with one typo keeps its first or its last so many characters
_MAX_BLOCK = 12  # at most so many titles may begin or end in the same way
_MIN_LETTERS = 5  # shorter words may not have a typo
STOP_WORDS = frozenset("a an and the of for in on to with via by using from at as its is are or".split())
_ENDINGS = frozenset(["", "s", "es", "e", "ed", "d", "ing", "er", "r", "or", "ion", "y", "ies"])


def near_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the folded titles, given with the names that they begin with, that nearly equal others, each with the first of them."""
    near: dict[str, str] = {}
    cores: dict[str, str] = {}
    for title, name in titles.items():
        core = title[len(name) + 1 :] if name and title.startswith(f"{name} ") else title
        if core.count(" ") + 1 >= _MIN_WORDS:
            first = cores.setdefault(core, title)
            if first != title:
                near[title] = near[first] = first
    for title, other in _candidates(titles):
        first = near.get(title, title)
        if near.get(other) != first and is_near(title, other):
            near[title] = near[other] = first
    return near


def _candidates(titles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of titles that begin or end in the same way; too many of a kind are about one subject, and left out."""
    blocks: dict[str, list[str]] = {}
    for title in titles:
        if _AFFIX + 8 < len(title) < _MAX_LENGTH:
            blocks.setdefault(title[:_AFFIX], []).append(title)
            blocks.setdefault(f"-{title[-_AFFIX:]}", []).append(title)
    for block in blocks.values():
        if not 1 < len(block) <= _MAX_BLOCK:
            continue
        words = [set(title.split()) - STOP_WORDS for title in block]
        for first, second in combinations(range(len(block)), 2):
            removed = words[first] - words[second]
            if len(removed) <= 1 and len(removed) == len(words[second] - words[first]):
                yield block[first], block[second]


def is_near(title: str, other: str) -> bool:
    """Return whether two folded titles differ in one long word, by a typo or its ending; GPT-3 and GPT-4 are different."""
    first, second = title.split(), other.split()
    differing = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    return len(first) == len(second) >= _MIN_WORDS and len(differing) == 1 and _is_same_word(*differing[0])


def _is_inflected(word: str, other: str) -> bool:
    """Return whether two words have the same stem and different endings."""
    from rapidfuzz.distance import Prefix  # few lists need it

    stem = Prefix.similarity(word, other)
    return stem >= 4 and word[stem:] in _ENDINGS and other[stem:] in _ENDINGS


def _is_same_word(word: str, other: str) -> bool:
    """Return whether two long words differ only in the ending, or in one letter that is not the first."""
    if min(len(word), len(other)) < _MIN_LETTERS or word[0] != other[0]:
        return False
    return word.isalpha() and other.isalpha() and (_is_inflected(word, other) or is_slip(word, other))


_NOT_WORD = lazy(r"[\W_]+")
NEAR = "near:"  # the prefix of the keys of nearly equal titles
_NEARBY_LINES = 3
_MIN_REPEATS = 10
# If more than one entry in so many is repeated, it is by design, or the file has a second order, or it is a copy.
_BY_DESIGN = 5
_SECOND_ORDER = 3
_COPY = 2
# By identity key, the listings of papers with more than one; of listings that agree only the first.
Papers: TypeAlias = Mapping[str, list[Listing]]

_MAX_LISTINGS = 8  # at most so many different listings of one key are kept
_LONG_TITLE = 5
_UNIQUE_TITLE = 6  # titles of at least so many words are hardly ever used twice
# Events that take place again under the same title.
_SERIES = lazy(r"\b(?:workshop|tutorial|symposium|challenge|competition|conference|lecture|course)\b")
_PUBLISHED = ("doi:", "acl:", "usenix:", "pmlr:", "neurips:", "mlsys:")
# Of bioRxiv, SSRN, TechRxiv, Research Square, Zenodo, Preprints, ChemRxiv, OSF.
_PREPRINTS = tuple(f"doi:10.{n}/" for n in (1101, 2139, 36227, 21203, 5281, 20944, 26434, 31219))
_IDS = (*_PUBLISHED, "arxiv:", "openreview:")


class Repeat(NamedTuple):
    """A further listing of something: the other listing, and the identity key that both have."""

    other: Listing
    key: str
    near: bool  # whether the other listing is in the same section, or a few lines above
    design: bool  # whether the file repeats entries by design


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
    twice, by topic and by date, but for what one section has twice. `added` are the keys of each file that are new since the base commit, `new` the
    file's new entries, which repeat the old ones wherever they are.
    """

    def comes_before(other: str, key: str) -> bool:
        own_new, other_new = (key in added.get(path, frozenset()) for path in (facts.path, other))
        return (other_new, other) < (own_new, facts.path)

    keyed = list(identities(facts, near))
    repeats = _within(sorted(keyed, key=lambda pair: pair[1].entry in new) if new else keyed)
    if _is_design(repeats, facts.entries, _SECOND_ORDER):
        repeats = {entry: repeat for entry, repeat in repeats.items() if repeat.near}
    elsewhere = {
        listing.entry: Repeat(firsts[key], key, False, False)
        for key, listing in reversed(keyed)
        if key in firsts and firsts[key].path != facts.path and comes_before(firsts[key].path, key)
    }
    if not _is_design(elsewhere, facts.entries, _COPY):
        repeats = elsewhere | repeats
    if _is_design(repeats, facts.entries, _BY_DESIGN):
        # What one section has twice may be a mistake in any list.
        close = {entry: repeat for entry, repeat in repeats.items() if repeat.near}
        kept = {} if _is_design(close, facts.entries, _BY_DESIGN) else close
        repeats = {entry: repeat._replace(design=True) for entry, repeat in repeats.items()} | kept
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
    """Return whether two folded names with one URL are of one thing: equal, or all their words are in it (`linebender xilem`)."""
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


def is_extension(listing: Listing, other: Listing) -> bool:
    """Return whether nearly equal titles are of two papers, one an extension of the other: `Sorter` and `Sorter++`."""
    names = {one.name for one in (listing, other) if one.name}
    kinds = [{one.partition(":")[0] for one in each.keys} for each in (listing, other)]
    return len(names) > 1 or "arxiv" in kinds[0] & kinds[1]


def group_papers(facts: Mapping[str, Facts], near: Mapping[str, str]) -> Papers:
    """Return the listings of papers by identity key, in order of paths and lines."""
    firsts: dict[str, Listing] = {}
    groups: dict[str, list[Listing]] = {}
    for path in sorted(facts):
        for key, listing in identities(facts[path], near):
            if not listing.keys or (first := firsts.setdefault(key, listing)) is listing:
                continue
            group = groups.setdefault(key, [first])
            known = ((other.title, other.keys, other.publication) for other in group)
            if len(group) < _MAX_LISTINGS and (listing.title, listing.keys, listing.publication) not in known:
                group.append(listing)
    return {key: group for key, group in groups.items() if len(group) > 1}


def is_same_paper(listing: Listing, other: Listing, key: str) -> bool:
    """Return whether two listings with a common key are of one paper; one may have a wrong link."""
    if key.startswith(NEAR):
        return not _SERIES.search(listing.title)
    if key.startswith("title:"):
        is_long = listing.title.count(" ") + 1 >= _LONG_TITLE
        return bool(shared_ids(listing, other)) or (is_long and not _SERIES.search(listing.title))
    return are_similar_titles(listing.title, other.title) or listing.name == other.name != ""


def is_surely_same_paper(listing: Listing, other: Listing) -> bool:
    """Return whether two listings of one title are surely of one paper: by an identifier, or a long title."""
    if any(key in other.keys for key in listing.keys if not key.startswith("title:")):
        return True
    if listing.title.count(" ") + 1 < _UNIQUE_TITLE:
        return False
    identified = any(key.startswith(_IDS) for key in (*listing.keys, *other.keys))
    return identified or not (listing.linked and other.linked)


def shared_ids(listing: Listing, other: Listing) -> set[str]:
    """Return the identifiers that both listings have."""
    return {key for key in listing.keys if key in other.keys and key.startswith(_IDS)}


def are_separate_publications(listing: Listing, other: Listing) -> bool:
    """Return whether two listings of one title may be of two publications: at a workshop, and in a journal."""
    a, b = listing.publication, other.publication
    if a is None or b is None or "preprint" in (a.kind, b.kind) or shared_ids(listing, other):
        return False
    return a.venue != b.venue or (a.kind == "minor") != (b.kind == "minor")


def both_published(listing: Listing, other: Listing) -> bool:
    """Return whether two listings have identifiers of two publications."""
    if shared_ids(listing, other):
        return False
    return all(any(key.startswith(_PUBLISHED) for key in keys) for keys in (listing.keys, other.keys))


def is_wrong_identifier(listing: Listing, other: Listing, key: str) -> bool:
    """Return whether one of two titles surely has the wrong identifier: a publication keeps its title, its venue and its year."""
    is_published = key.startswith(_PUBLISHED) and not key.startswith(_PREPRINTS)
    a, b = listing.publication, other.publication
    if have_unrelated_titles(listing, other):
        if is_published or key.startswith("url:") or a is None or b is None:
            return is_published
        return a.kind == b.kind == "conference" and (a.venue, a.year) != (b.venue, b.year)
    if not is_published or a is None or b is None or listing.title == other.title:
        return False
    are_full = {a.kind, b.kind} <= {"conference", "journal"} and not (a.from_heading or b.from_heading)
    return are_full and a.venue != b.venue and a.year is not None and b.year not in (None, a.year)


def have_unrelated_titles(listing: Listing, other: Listing) -> bool:
    """Return whether two titles of at least three words share hardly any, stop words apart."""
    first, second = set(listing.title.split()) - STOP_WORDS, set(other.title.split()) - STOP_WORDS
    shorter = min(len(first), len(second))
    same_name = listing.name == other.name != ""
    return shorter >= 3 and len(first & second) * 4 <= shorter and not same_name


def is_title_within(listing: Listing, other: Listing) -> bool:
    """Return whether the words of the first title occur in a row in the other."""
    return f" {listing.title} " in f" {other.title} "


def is_renamed(listing: Listing, other: Listing) -> bool:
    """Return whether two titles are surely of one paper: equal, one within the other, or with the same name."""
    if is_title_within(listing, other) or is_title_within(other, listing):
        return True
    return listing.name == other.name != "" or listing.title.replace(" ", "") == other.title.replace(" ", "")
