"""Venues by other names than those of the vocabulary: abbreviated as journals are, or without the societies before them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import dropwhile
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.model import Entry
from shelfread.document.recognizers.venues import TOKEN
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

# Words that one name of a venue has and another lacks: `23rd ACM SIGPLAN Symposium on ...`, `Annual IEEE/ACM ...`.
_SOCIETY = lazy(
    r"(?:acm|ieee|cvf|usenix|ifip|siam|aaas|cs|sig[a-z]{2,6}|annual|the|proceedings|proc|of|\d+|st|nd|rd|th|twenty|thirty|forty|fifty|"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth|fortieth|fiftieth))"
)
# So many words are enough to know a name by: without its societies, and abbreviated.
_FEWEST_WORDS, _FEWEST_ABBREVIATED = 4, 3
_JOINING = frozenset("of on in for and the to a an".split())


class VenueNames(NamedTuple):
    """The names of all venues, by what a cut, a bare and an abbreviated name have of them."""

    by_first_word: dict[str, list[tuple[tuple[str, ...], Venue]]]
    by_core: dict[tuple[str, ...], Venue | None]  # none if several venues have it
    # by the first letters of the words that abbreviations keep.
    by_letters: dict[tuple[str, ...], list[tuple[list[str], Venue]]]


@lru_cache(maxsize=2)
def venue_names(vocabulary: Vocabulary) -> VenueNames:
    """Return the names of all venues of a vocabulary (cached)."""
    names = VenueNames({}, {}, {})
    for venue in vocabulary.venues.values():
        for label in venue.labels:
            words = tuple(map(str.casefold, TOKEN.findall(label)))
            core = _without_societies(words)
            for kept in filter(None, map(_kept_in_abbreviations, {words, core})):
                names.by_letters.setdefault(tuple(word[0] for word in kept), []).append((kept, venue))
            if len(words) > 2:
                names.by_first_word.setdefault(words[0], []).append((words, venue))
                names.by_core[core] = venue if names.by_core.get(core, venue) is venue else None
    return names


def _without_societies(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a venue's name without those of its societies, edition and year before it."""
    return tuple(dropwhile(_SOCIETY.fullmatch, words))


def _kept_in_abbreviations(words: Iterable[str]) -> list[str]:
    """Return the words of a name without those that abbreviations leave out: `IEEE Trans. Pattern Anal. Mach. Intell.`"""
    return [word for word in words if word not in _JOINING]


def known_otherwise(name: str, vocabulary: Vocabulary) -> Venue | None:
    """Return the only venue with a name but for the societies before it, or with one that it abbreviates."""
    words = tuple(map(str.casefold, TOKEN.findall(name.partition("(")[0])))
    if len(words) < _FEWEST_ABBREVIATED:
        return None
    core = _without_societies(words)
    if len(core) >= _FEWEST_WORDS and (venue := venue_names(vocabulary).by_core.get(core)):
        return venue
    by_letters = venue_names(vocabulary).by_letters
    return only_venue(
        venue
        for first in range(len(words) - len(core) + 1)
        if len(kept := _kept_in_abbreviations(words[first:])) >= _FEWEST_ABBREVIATED
        for whole, venue in by_letters.get(tuple(word[0] for word in kept), ())
        if all(map(str.startswith, whole, kept))
    )


def only_venue(venues: Iterable[Venue]) -> Venue | None:
    """Return the venue of some that all are the same one, else None."""
    by_id = {venue.id: venue for venue in venues}
    return by_id.popitem()[1] if len(by_id) == 1 else None


def with_known_venue(entry: Entry, vocabulary: Vocabulary) -> Entry:
    """Return an entry, of which the venue is that of the vocabulary if it is written otherwise: `IEEE Trans. Big Data`."""
    citation = entry.citation
    if citation is None or citation.venue is not None or citation.name is None:
        return entry
    venue = known_otherwise(citation.name.value, vocabulary)
    return entry if venue is None else entry._replace(citation=citation._replace(venue=venue))
