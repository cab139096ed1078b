"""The works that sources know by an entry's identifiers or title, and what they agree on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Entry
from shelfread.document.recognizers.venues import find_mentions
from shelfread.index.answers import Answers, Work
from shelfread.index.facts import Publication
from shelfread.taxonomy.vocabulary import Vocabulary

_SAME_BY_TITLE = 97
# Percent of equal letters. A paper may change its title on its way to a venue, where an identifier proves it.
_SAME_BY_IDENTIFIER = 80
# The part of a title before or after its colon has so many words, if it stands for the whole.
_LEAST_WORDS = 3
_YEARS_ON_THE_WAY = 3  # from a preprint to its publication
_LONGEST_NAME = 14  # letters of a venue's name that a list may print although the vocabulary does not know it


class Stated(NamedTuple):
    """What one or more sources say alike."""

    publication: Publication
    sources: tuple[str, ...]

    @property
    def by(self) -> str:
        """The sources, for people."""
        *others, last = self.sources
        return f"{', '.join(others)} and {last}" if others else last


def works_of(entry: Entry, answers: Answers) -> list[Work]:
    """Return the works that are this entry's paper, those that its identifiers name first."""
    if not answers.works or entry.kind != "paper":
        return []
    found: dict[Work, None] = {}
    for key in identity_keys(entry, fold_title(entry.title.value)):
        for work in answers.works.get(key, ()):
            if is_same(entry, work, by_title=key.startswith("title:")):
                found[work] = None
    return list(found)


def is_same(entry: Entry, work: Work, by_title: bool) -> bool:
    """Return whether a work is an entry's paper; by its title alone only if title, authors and year agree."""
    ours, theirs = fold_title(entry.title.value), fold_title(work.title)
    if not ours or not theirs:
        return False
    equal = ours.replace(" ", "") == theirs.replace(" ", "")
    if not by_title:
        return (
            equal
            or _is_part(entry.title.value, theirs)
            or _is_part(work.title, ours)
            or (_similarity(ours, theirs) >= _SAME_BY_IDENTIFIER)
        )
    if not equal and (_numbers(ours) != _numbers(theirs) or _similarity(ours, theirs) < _SAME_BY_TITLE):
        return False
    if entry.year is not None and work.year is not None and abs(work.year - entry.year) > _YEARS_ON_THE_WAY:
        return False
    if entry.authors and work.authors:
        known = {name for author in work.authors for name in fold_title(author).split()}
        return not known.isdisjoint(fold_title(entry.authors[0].value).split())
    return True


def published(works: Sequence[Work], vocabulary: Vocabulary) -> list[Stated]:
    """Return where a paper was published: one statement if all sources agree, several if not."""
    groups: dict[tuple[str, int | None], tuple[Publication, dict[str, None]]] = {}
    for work in works:
        publication = publication_of(work, vocabulary)
        if publication is not None:
            key = publication.venue or fold_title(publication.name), publication.year
            groups.setdefault(key, (publication, {}))[1][work.source] = None
    stated = [Stated(publication, tuple(sources)) for publication, sources in groups.values()]
    # A name that the vocabulary does not know may be another one for the same venue.
    known = [one for one in stated if one.publication.venue]
    years = {one.publication.year for one in known}
    return known + [one for one in stated if not one.publication.venue and one.publication.year not in years]


def publication_of(work: Work, vocabulary: Vocabulary) -> Publication | None:
    """Return the venue, perhaps an unknown one, and year of a work; None for a preprint and for a work without a venue."""
    if work.is_preprint or not work.venue:
        return None
    mentions = [mention for mention in find_mentions(work.venue, vocabulary) if mention.venue is not None]
    venues = {mention.venue.id: mention.venue for mention in mentions if mention.venue is not None}
    if len(venues) == 1:
        (venue,) = venues.values()
        if venue.kind == "preprint":
            return None
        year = work.year or next((mention.year for mention in mentions if mention.year), None)
        return Publication(venue.id, venue.kind, venue.label, year, _printed(venue.label, year))
    return Publication("", "other", work.venue, work.year, _printed(work.venue, work.year))


def is_printable(publication: Publication) -> bool:
    """Return whether a list may print the venue's name: the vocabulary knows it, or it is a short one."""
    return bool(publication.venue) or len(publication.name) <= _LONGEST_NAME


def _printed(name: str, year: int | None) -> str:
    return f"{name} {year}" if year else name


def _is_part(title: str, folded: str) -> bool:
    """Return whether a title's part before or after its colon is another, folded title."""
    before, colon, after = title.partition(":")
    parts = (fold_title(before), fold_title(after)) if colon else ()
    return any(part == folded and part.count(" ") >= _LEAST_WORDS - 1 for part in parts)


def _numbers(folded: str) -> list[str]:
    """Return the words with digits: a sequel has another one than the first paper."""
    return [word for word in folded.split() if not word.isalpha()]


def _similarity(a: str, b: str) -> float:
    from rapidfuzz.fuzz import ratio

    return float(ratio(a, b))
