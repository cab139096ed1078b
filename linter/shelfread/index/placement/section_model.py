"""In which section of a list a text belongs: a linear model, learned from the list in one pass over its entries.

A text is the beginnings of the stems of its words, its venue, its year, the hosts of its links, and whether it is described
and what it links to first. What a section has more of than the list speaks for it, and the less the rarer it was seen. Headings count as
entries of their sections.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import chain
from math import exp, log
from string import ascii_lowercase, digits
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry, Section
from shelfread.document.read import read
from shelfread.taxonomy.label_forms import stem
from shelfread.taxonomy.phrases import JOINING, PREPOSITIONS
from shelfread.taxonomy.vocabulary import Vocabulary

# From this share on, nearly nine of ten entries of real lists belong where the model says
# (benchmarks/results/placement.md).
SURE = 0.8
# Letters of a stem that count, so that `library` and `libraries` are one, as in languages whose endings nobody knows.
_BEGINNING = 5
_LAST, _LONG = "sngdret", 8  # a longer word, or one that ends otherwise, begins as its stem does
_MAX_CHARACTERS = 250  # of a description; what comes later is seldom its subject
_MAX_LINKS = 4
# Words that count nowhere, and single letters.
_SILENT = (PREPOSITIONS | JOINING).union(
    "the is are be has have had do does can could will would should may it its they their them that this these those"
    " there here which what who why when where how your you we our all any some each every many more most much other"
    " others only just also very so no not than then up out off over into make makes made making get gets use used"
    " uses via based such like both http https www com + #".split(),
    ascii_lowercase + digits,
)
_HEADINGS = (4, 2, 1)  # for how many entries a heading counts, and those above it
# How much a word counts as if it stood anywhere; what discounts one that was seen once; how much it speaks
# against the others.
_PRIOR, _ONCE, _COMMON = 2.0, 1.0, 0.35
# Entries of the list on which the shares are calibrated: fewer if it has many sections.
_SAMPLE, _LEAST_SAMPLE, _MOST_SCORES = 60, 25, 3200
_TEMPERATURES = (4.0, 2.8, 2.0, 1.4, 1.0, 0.7, 0.5, 0.35, 0.25, 0.17, 0.12)
_USUAL = 3  # the place of the usual one
_MOST_KEYS = 1500  # that count of a text
_REPETITION = 0.3  # by which power of their number words say the same again
_STRAYS = 0.04  # of the entries of any list, how many stand where their words would not have them
_MOST_COPIES = 20
_MOST_WORDS = 3
_WORD = lazy(r"[\w+#]+")
_BLANKS = bytes(code if chr(code) in f"{ascii_lowercase}{digits}_+#" else 32 for code in range(256))
_UNSPACED = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


class Text(NamedTuple):
    """What is to be placed."""

    title: str
    description: str = ""
    venue: str | None = None  # its id
    year: int | None = None
    urls: tuple[str, ...] = ()
    form: str = ""  # whether it has a description, and the role of its first link; empty if that is not known


class Place(NamedTuple):
    """A section by its index, the share of such texts that belong there, and the words that speak for it."""

    section: int
    share: float
    words: tuple[str, ...]

    def surety(self, quote: Callable[[str], str] = str) -> str:
        words = ", ".join(f"'{quote(word)}'" for word in self.words)
        return f"{100 * self.share:.0f} % sure" + (f", because of {words}" if words else "")


def text_of(entry: Entry) -> Text:
    described = entry.description.value[:_MAX_CHARACTERS] if entry.description is not None else ""
    venue = entry.citation.venue if entry.citation is not None else None
    urls = tuple([link.link.url for link in entry.links[:_MAX_LINKS]])
    title = entry.title.value
    if entry.name is not None and entry.name.value not in title:
        title = f"{entry.name.value} {title}"
    role = entry.links[0].role if entry.links else None
    form = f"{role.id if role else ''} {'' if entry.description is None else 'described'}"
    return Text(title, described, venue.id if venue else None, entry.year, urls, form)


def text_of_heading(section: Section) -> Text:
    venue = section.citation.venue if section.citation is not None else None
    return Text(section.title, venue=venue.id if venue else None, year=section.year)


def read_text(text: str, vocabulary: Vocabulary) -> Text:
    """Return what an entry would say that is written so, as Markdown or not."""
    entries = read(Source(f"- {text}\n"), vocabulary).entries
    found = text_of(entries[0]) if entries else Text(text)
    return found if found.urls else found._replace(form="")


def keys_of(text: Text) -> list[str]:
    """Return what counts of a text: the keys of its words, then its venue, its year, hosts and form, each after a colon."""
    keys = dict.fromkeys(map(_key, _split(f"{text.title} {text.description}")))
    keys.pop("", None)
    if text.venue is not None:
        keys[f"venue:{text.venue}"] = None
    if text.year is not None:
        keys[f"year:{text.year}"] = None
    for url in text.urls:
        parts = url.split("/", 3)
        if len(parts) > 2:
            keys[f"host:{parts[2].lower().removeprefix('www.')}"] = None
    if text.form:
        keys[f"form:{text.form}"] = None
    return list(keys)[-_MOST_KEYS:]


@lru_cache(16384)
def _key(word: str) -> str:
    """Return the beginning of the stem of a word in lower case, empty if it counts nowhere."""
    if word in _SILENT:
        return ""
    return (stem(word) if word[-1] in _LAST and len(word) <= _LONG else word)[:_BEGINNING]


def _split(text: str) -> list[str]:
    """Return the words of a text in lower case; scripts without spaces are split into pairs of characters."""
    if text.isascii():
        return text.lower().encode().translate(_BLANKS).decode().split()
    words: list[str] = _WORD.findall(text.lower())
    return list(chain.from_iterable(_pairs(word) if _UNSPACED.search(word) else (word,) for word in words))


def _pairs(word: str) -> Iterator[str]:
    for run in _UNSPACED.findall(word):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    yield from _UNSPACED.sub(" ", word).split()


@dataclass(frozen=True, eq=False)
class SectionModel:
    """What the entries of a list say about its sections."""

    document: Document
    keys: Sequence[Sequence[str]]  # for each entry what counts of it
    entries: Mapping[int, Sequence[int]]  # the indexes of the entries that stand in each section itself
    sizes: Mapping[int, int]  # how much was counted in each section
    counts: Mapping[str, Mapping[int, int]]  # for each key the sections that have it, and how often

    def places(self, text: Text, most: int = 3) -> list[Place]:
        """Return the best sections for a text, the best first; none if the list has no sections with entries."""
        return self._places(text, keys_of(text), None, most)

    def places_of(self, entry: int, most: int = 3) -> list[Place]:
        """Return the best sections for an entry of the list, going by the others."""
        stands = self.document.entries[entry]
        return self._places(text_of(stands), self.keys[entry], stands.section, most)

    def shares_of(self, entry: int, *, hidden: bool = False) -> dict[int, float]:
        """Return each section's share for an entry, going by the others."""
        return self._shares(self.keys[entry], None if hidden else self.document.entries[entry].section)

    def said(self, section: int, share: float) -> float:
        """Return the share that people are told: lists have strays, so nothing is certain."""
        return (1 - _STRAYS) * share + _STRAYS * self.part(section)

    def part(self, section: int) -> float:
        """Return which part of the entries stands in a section."""
        return len(self.entries[section]) / self.placed

    def _places(self, text: Text, keys: Sequence[str], own: int | None, most: int) -> list[Place]:
        shares = {section: self.said(section, share) for section, share in self._shares(keys, own).items()}
        best = nlargest(most, shares, key=lambda section: (shares[section], -section))
        written = {_key(word): word for word in reversed(_split(f"{text.title} {text.description}"))}
        telling = ((section, self.telling(keys, own, section)) for section in best)
        return [
            Place(section, shares[section], tuple(written.get(key) or key.partition(":")[2] for key in found))
            for section, found in telling
        ]

    def telling(self, keys: Sequence[str], own: int | None, section: int) -> Iterator[str]:
        """Yield the keys that speak most for a section, beside what they say for all."""
        telling = {}
        for key in keys:
            weights = self._weights(key, own is not None)
            telling[key] = weights.get(section, 0.0) - sum(weights.values()) / len(self.entries)
        best = nlargest(_MOST_WORDS, telling, key=telling.__getitem__)
        yield from (key for key in best if telling[key] > log(2) and not key.startswith("form:"))

    def _shares(self, keys: Sequence[str], own: int | None) -> dict[int, float]:
        """Return the share of each section, by their scores."""
        scores, scale = self._scores(keys, own), self.temperature * _scale(keys)
        best = max(scores, default=0)
        odds = [exp((score - best) / scale) for score in scores]
        total = sum(odds)
        return {section: each / total for section, each in zip(self.entries, odds, strict=True)}

    def _scores(self, keys: Iterable[str], own: int | None) -> list[float]:
        """Return how much speaks for each section, without an entry that has these keys in the section `own`."""
        scores = {section: log(len(indexes)) for section, indexes in self.entries.items()}
        for key in keys:
            for section, weight in self._weights(key, own is not None).items():
                scores[section] += weight
        if own is not None:
            scores[own] = self._own_score(keys, own)
        return list(scores.values())

    def _own_score(self, keys: Iterable[str], own: int) -> float:
        """Return how much speaks for a section, without an entry of it that has these keys."""
        score = log(max(0.3, len(self.entries[own]) - 1))
        for key in keys:
            counts = self.counts.get(key, {})
            if (seen := counts.get(own, 0) - 1) > 0:
                score += self._weigh({own: seen}, sum(counts.values()) - 1)[own]
        return score

    def _weights(self, key: str, is_left_out: bool) -> Mapping[int, float]:
        """Return how much a key speaks for the sections that have it, perhaps with one entry fewer in all."""
        kept = (key, is_left_out)
        weights = self._known.get(kept)
        if weights is None:
            counts = self.counts.get(key, {})
            weights = self._known[kept] = self._weigh(counts, sum(counts.values()) - is_left_out)
        return weights

    @cached_property
    def _known(self) -> dict[tuple[str, bool], Mapping[int, float]]:
        return {}

    def _weigh(self, counts: Mapping[int, int], total: int) -> dict[int, float]:
        """Return how much a key speaks for sections that have it so often, if the list has it so often in all."""
        if total <= 0:
            return {}
        usual, rest = self._usual, log(total + _PRIOR)
        against = _COMMON * total / (total + _ONCE) * (rest - log(_PRIOR))
        return {
            section: seen / (seen + _ONCE) * (log(seen / usual[section] + _PRIOR) - rest) + against
            for section, seen in counts.items()
        }

    @cached_property
    def _usual(self) -> Mapping[int, float]:
        """Which part of all that was counted stands in each section."""
        size = sum(self.sizes.values())
        return {section: (own + 1) / size for section, own in self.sizes.items()}

    @cached_property
    def _order(self) -> Mapping[int, int]:
        return {section: place for place, section in enumerate(self.entries)}

    @cached_property
    def placed(self) -> int:
        """How many entries stand in sections."""
        return sum(map(len, self.entries.values()))

    @cached_property
    def temperature(self) -> float:
        """By what scores are divided, so that entries that were left out stand in a section as often as its share says."""
        shared = [index for indexes in self.entries.values() if len(indexes) > 1 for index in indexes]
        most = max(_LEAST_SAMPLE, min(_SAMPLE, _MOST_SCORES // max(1, len(self.entries))))
        sample = sorted(shared)[:: -(-len(shared) // most) or 1]
        held_out = []
        for index in sample:
            own = self.document.entries[index].section
            assert own is not None
            scores, scale = self._scores(self.keys[index], own), _scale(self.keys[index])
            best = max(scores)
            gaps = [(score - best) / scale for score in scores]
            held_out.append((self.part(own), gaps[self._order[own]], gaps))

        def likelihood(place: int) -> float:
            temperature = _TEMPERATURES[place]
            said = -(log(temperature / _TEMPERATURES[_USUAL]) ** 2)
            for part, own, gaps in held_out:
                share = exp(own / temperature) / sum([exp(gap / temperature) for gap in gaps])
                said += log((1 - _STRAYS) * share + _STRAYS * part)
            return said

        place, likely = _USUAL, likelihood(_USUAL)
        for step in (1, -1):  # it has one peak
            while 0 <= place + step < len(_TEMPERATURES) and (said := likelihood(place + step)) > likely:
                place, likely = place + step, said
            if place != _USUAL:
                break
        return _TEMPERATURES[place]

    @cached_property
    def copies(self) -> Mapping[int, frozenset[int]]:
        """For each entry that the list has several times the sections where its copies stand."""
        entries = self.document.entries
        by_key: dict[str, list[int]] = {}
        for index, entry in enumerate(entries):
            for key in identity_keys(entry, fold_title(entry.title.value)):
                by_key.setdefault(key, []).append(index)
        found: dict[int, set[int]] = {}
        for same in by_key.values():
            if 1 < len(same) <= _MOST_COPIES:
                for index in same:
                    stand = (entries[other].section for other in same if other != index)
                    found.setdefault(index, set()).update(section for section in stand if section is not None)
        return {index: frozenset(sections) for index, sections in found.items()}


def _scale(keys: Sequence[str]) -> float:
    return float(max(1, len(keys)) ** _REPETITION)


def learn(document: Document, left_out: frozenset[int] = frozenset()) -> SectionModel:
    """Return what a list says about its sections; the entries in `left_out`, by index, say nothing."""
    keys = [keys_of(text_of(entry)) for entry in document.entries]
    headings = [keys_of(text_of_heading(section)) for section in document.sections]
    entries: dict[int, list[int]] = {}
    for index, entry in enumerate(document.entries):
        if entry.section is not None and index not in left_out:
            entries.setdefault(entry.section, []).append(index)
    counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
    sizes: dict[int, int] = {}
    for section, indexes in entries.items():
        counted = Counter(chain.from_iterable(map(keys.__getitem__, indexes)))
        for weight, above in zip(_HEADINGS, document.above(section), strict=False):
            for key in headings[above]:
                counted[key] += weight
        sizes[section] = counted.total()
        for key, count in counted.items():
            counts[key][section] = count
    return SectionModel(document, keys, entries, sizes, counts)
