"""Which entries of a file repeat something that the project lists earlier, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.identity import fold_title
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.facts import Facts, Listing
from shelfread.index.pages import are_one_list
from shelfread.index.repeats import (
    NEAR,
    STOP_WORDS,
    Repeat,
    are_separate_publications,
    are_similar_titles,
    is_extension,
    is_same_name,
    is_same_paper,
    is_wrong_identifier,
)
from shelfread.taxonomy.hosts import CODE_HOSTS

_DIGITS = lazy(r"\d+")
_LONG_TITLE = 5  # in spaces
_NUMBERED = ("arxiv:", "doi:")
_STEM = lazy(r"(?<!\w)\w{4,6}")  # `bandit` and `bandits` have one
_LEAST_STEMS = 3
_TOPIC = 10  # a stem of one in so many titles is that of the list's subject
_SHORTEST = 3  # letters of a word that an address may have


class RepeatedEntry(NamedTuple):
    """An entry of a file by its index, and how it repeats an earlier listing of the same thing."""

    entry: int
    repeat: Repeat
    kind: str  # duplicate, another-name, another-title, similar-title or wrong-link
    is_certain: bool
    is_apart: bool  # whether the two may be two publications of one title, or an extension

    @property
    def other(self) -> Listing:
        return self.repeat.other


def repeated_entries(document: Document, context: RuleContext) -> Iterator[RepeatedEntry]:
    """Yield the entries that the project lists earlier, certain if in one section, or if the change added the repetition."""
    path = document.source.path or ""
    facts = context.own_facts(document)
    if facts is None:
        return
    times = Counter([key for key, _ in facts.identities])
    for index, repeat in context.project.duplicates.repeats(path).items():
        entry, other, listing = document.entries[index], repeat.other, facts.listings[index]
        if are_one_list(path, other.path, context.project.facts) or _are_versions(listing.name, other.name):
            continue
        if entry.kind == "classic" and _are_of_two_years(listing, other):
            continue
        kind, apart, certain = "duplicate", False, repeat.near and not repeat.design
        if entry.kind == "classic":
            if not is_same_name(listing.title, other.title, repeat.key):
                if not _may_be_wrong(document, listing, repeat, context):
                    continue
                kind = "another-name"
                certain = not repeat.design and times[repeat.key] <= 2 and _is_own_page(listing, repeat)
        elif repeat.key.startswith("title:"):
            if not _is_same(listing, other):
                continue
            apart = are_separate_publications(listing, other)
            certain = certain and not apart
        elif repeat.key.startswith(NEAR):
            kind, certain = "similar-title", False
            apart = is_extension(listing, other) or not is_same_paper(listing, other, repeat.key)
        elif is_wrong_identifier(listing, other, repeat.key):
            kind, certain = "wrong-link", True
        elif not are_similar_titles(listing.title, other.title):
            if repeat.key.startswith("url:"):
                continue
            kind = "another-title"
            if not certain and not leads_to_code(entry):
                certain = _is_another_paper(listing, other, facts)
        if not (certain or kind not in ("duplicate", "another-name") or apart or repeat.design):
            certain = _is_new(listing, repeat, context)
        yield RepeatedEntry(index, repeat, kind, certain, apart)


def leads_to_code(entry: Entry) -> bool:
    """Return whether the title links to code or data, whose paper has another title."""
    first = entry.links[0].role if entry.links else None
    return entry.dialect == "linked-title" and first is not None and first.id != "paper"


def _is_another_paper(listing: Listing, other: Listing, facts: Facts) -> bool:
    """Return whether two titles have no stem in common but those of the list's subject, as few renamed preprints have."""
    titles = (listing.printed_title, other.printed_title)
    if not all(title[:1].isupper() and title.isascii() for title in titles):
        return False  # a description, a translation
    stems, others = (set(_STEM.findall(one.title)) - STOP_WORDS for one in (listing, other))
    if min(len(stems), len(others)) < _LEAST_STEMS or listing.name == other.name != "":
        return False  # a short name
    common = stems & others
    if common:
        counts = Counter(stem for each in facts.listings.values() for stem in set(_STEM.findall(each.title)))
        common = {stem for stem in common if counts[stem] * _TOPIC < facts.entries}
    return not common


def is_in_address(name: str, other: str, key: str) -> bool:
    """Return whether an address has a word of a name that another name lacks, and none the other way round."""
    first, second = _distinct_words(name, other)
    address = key.casefold()
    return any(word in address for word in first) and not any(word in address for word in second)


def _distinct_words(name: str, other: str) -> tuple[set[str], set[str]]:
    """Return the words that only the first, and that only the second of two names has."""
    first, second = (
        {word for word in each.split() if len(word) >= _SHORTEST and word not in STOP_WORDS}
        for each in (name, other)
    )
    return first - second, second - first


def are_variants(name: str, other: str) -> bool:
    """Return whether two names have a word in common, and each a few that the other lacks: `Flutter 2`, `Blazor 2`."""
    first, second = _distinct_words(name, other)
    return 0 < len(first) <= 2 and 0 < len(second) <= 2 and share_a_word(name, other)


def _are_versions(name: str, other: str) -> bool:
    """Return whether two names differ in a number alone: one paper may describe `Set (v1)` and `Set (v2)`."""
    return name != other and _DIGITS.sub("", name) == _DIGITS.sub("", other) != ""


def _are_of_two_years(listing: Listing, other: Listing) -> bool:
    """Return whether two entries state different years, and say different things: `Set (2011)` and `Set (2022)`."""
    years = (listing.details[1], other.details[1])
    return None not in years and years[0] != years[1] and listing.details[2] != other.details[2]


def _may_be_wrong(document: Document, listing: Listing, repeat: Repeat, context: RuleContext) -> bool:
    """Return whether two names with one URL are worth a look: it is no front page, and both are names.

    A link of an entry within another one (`Website`, `Source`) is no tool of its own, and different anchors are
    different places of a page.
    """
    other = repeat.other
    if listing.nested or other.nested or "/" not in repeat.key:
        return False
    titles = (listing.printed_title, other.printed_title)
    if any("://" in title or context.vocabulary.role(title) is not None for title in titles):
        return False
    unnumbered = [[word for word in one.title.split() if not word.isdigit()] for one in (listing, other)]
    if unnumbered[0] == unnumbered[1]:
        return False  # two versions with one page
    short, long = sorted((listing.title, other.title), key=len)
    if long.startswith(short) and long[len(short) : len(short) + 1].isalpha():
        return False  # a tool and a part of it: `hatch` and `hatchling`
    if is_code(repeat.key):
        name = repeat.key.rpartition("/")[2]
        words = (word for title in titles for word in title.casefold().split())
        is_called_so = any(word in name or name in word for word in words)
        if context.project.duplicates.times[repeat.key] > 2 or not is_called_so:
            return False  # a repository of many things, that is called after none of them
    anchor = _anchor(document, listing)
    return anchor == (_anchor(document, other) if other.path == listing.path else "")


def _anchor(document: Document, listing: Listing) -> str:
    return document.entries[listing.entry].links[0].link.url.partition("#")[2]


def _is_own_page(listing: Listing, repeat: Repeat) -> bool:
    """Return whether a URL is surely that of one thing: no repository with several tools, no article of an encyclopedia."""
    other = repeat.other
    if is_code(repeat.key) or other.path != listing.path:
        return False
    if repeat.near:
        return True
    host = repeat.key.removeprefix("url:").partition("/")[0]
    if host.endswith("wikipedia.org") or "@" in (listing.printed_title[:1], other.printed_title[:1]):
        return False
    if not share_a_word(listing.title, other.title):
        return True
    # Listed below two headings, as what it does and by its name, unless one word is that of another thing.
    first, second = _distinct_words(listing.title, other.title)
    fits = (is_in_address(*names, repeat.key) for names in permutations((listing.title, other.title), 2))
    return len(first) == len(second) == 1 and any(fits)


def is_code(key: str) -> bool:
    """Return whether an identity key is a URL of a host of repositories."""
    return key.removeprefix("url:").partition("/")[0] in CODE_HOSTS


def share_a_word(name: str, other: str) -> bool:
    """Return whether two folded names have a word in common, but for stop words and numbers."""
    words = set(name.split()) & set(other.split())
    return any(word not in STOP_WORDS and not word.isdigit() for word in words)


def _is_new(listing: Listing, repeat: Repeat, context: RuleContext) -> bool:
    """Return whether the change since the base commit added one of two listings, to files that existed.

    An entry that was moved or got another link is not listed more often than before. Repetitions are intended in a
    list that has many of them, and may be in a new file.
    """
    base, other = context.base, repeat.other
    if base is None:
        return False
    before = base.context.project.duplicates
    if not before.times[repeat.key] or base.paths.get(listing.path) in before.repeating:
        return False
    if base.paths.get(listing.path) is None or base.paths.get(other.path) is None:
        return False
    return any(
        all(before.times[key] < context.project.duplicates.times[key] for key in each.keys or (repeat.key,))
        for each in (listing, other)
    )


def _is_same(listing: Listing, other: Listing) -> bool:
    """Return whether two listings with the same title and without identifiers are the same thing.

    Short titles recur (the same workshop in another year), and a listing nested in one with its own title is a part of
    it: the poster, or the journal version.
    """
    if listing.title.count(" ") < _LONG_TITLE and listing.text != other.text:
        return False
    numbers = [{key for key in one.keys if key.startswith(_NUMBERED)} for one in (listing, other)]
    words = [set(fold_title(one.details[2]).split()) for one in (listing, other)]  # people, or a description
    if all(first and second and first.isdisjoint(second) for first, second in (numbers, words)):
        return False  # other people call their paper so, too
    outer = len(other.section)
    nested = len(listing.section) > outer and listing.section[:outer] == other.section
    return not (nested and fold_title(listing.section[outer]) == other.title)
