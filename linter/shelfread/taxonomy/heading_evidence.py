"""Weighs what speaks for what a heading seems to name: its own words, the headings around it, the entries below it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from math import log

from shelfread.taxonomy.concept import Concepts, Label, Labels, Resolution, Surroundings, label_words
from shelfread.taxonomy.label_forms import is_ideograph, is_word, singular, stem, tokens
from shelfread.taxonomy.near_labels import NearLabels
from shelfread.taxonomy.phrases import FIELDS, PLAIN, TREATMENTS, is_common

_WEIGHTS = {
    "name": 2.0,  # a label of several words, the preferred one or an acronym seldom means two things
    "word": 1.0,  # another word for it does: `Media`, `Sampling`
    "whole": 1.0,  # the heading says nothing else
    "inflected": -2.0,  # `Driver` is not `Driving`, nor `Computer` `Computation`
    "shared": -2.0,  # unrelated concepts have the word in their names: `Server`, `Memory`
    "common": -1.0,  # the words say how any subject is treated: `Theory`, `Framework`
    "within": 2.0,  # a heading above names a broader concept, the more so the narrower that is
    "beside": 2.0,  # the headings beside it name concepts near it
    "apart": -0.5,  # a heading above names a concept that has nothing to do with it
    "strange": -1.0,  # the taxonomy does not know the headings beside it
    "entries": 1.5,  # the entries below speak of the concept, in other words than the heading
}
_SURE, _KNOWN = 2.5, 1.0
# What is sure of a narrower subject without a concept of its own, which may be only near: `Chaos Engineering`
# of testing.
_SURE_INCLUDED = 3.1
_MANY_ENTRIES = 0.5  # if so many of the entries speak of a concept, more would say no more
_MOST_CHARACTERS = 300  # of an entry


class Evidence:
    """Weighs what headings name in a taxonomy. What is looked up of a concept is kept."""

    def __init__(
        self,
        labels: Labels,
        near: NearLabels,
        concepts: Concepts,
        own: Collection[str],
        ancestors: Callable[[str], Sequence[str]],
    ) -> None:
        """Take the parts of a taxonomy; `own` are the concepts that the list's own files state."""
        self._labels, self._near, self._concepts = labels, near, concepts
        self._own, self._ancestors = own, ancestors
        self._words: dict[str, frozenset[str]] = {}

    @cached_property
    def _narrower(self) -> dict[str, list[str]]:
        """The ids of all narrower concepts."""
        narrower: dict[str, list[str]] = {}
        for id in self._concepts:
            for above in self._ancestors(id):
                narrower.setdefault(above, []).append(id)
        return narrower

    def weighed(self, found: Resolution, heading: str, around: Surroundings) -> Resolution:
        """Return what a heading names as surely as it does: subjects that too little speaks for become guesses."""
        labels = found.subjects or found.forms
        if found.certainty == "broader" or all(label.concept in self._own for label in labels):
            return found  # the maintainers of a taxonomy know what they mean
        is_sure = not _is_one_word(labels[0])
        if found.certainty == "named" and not found.subjects and _is_about_more(labels, heading):
            return Resolution(certainty="guess", guesses=labels)
        if found.subjects:
            weights = [self._weight(label, found, heading, around) for label in labels]
            known = tuple(label for label, weight in zip(labels, weights, strict=True) if weight >= _KNOWN)
            if not known:
                return Resolution(forms=found.forms, certainty="guess", guesses=labels)
            if len(known) < len(labels):
                return found._replace(subjects=known, certainty="partly")
            is_sure = is_sure and weights[0] >= _sure(labels[0])
        return found._replace(certainty="word") if found.is_label and not is_sure else found

    def _weight(self, label: Label, found: Resolution, heading: str, around: Surroundings) -> float:
        """Return the weight of the evidence, of which the costly is looked at only if it can decide."""
        needed = _sure(label) if found.is_label and not _is_one_word(label) else _KNOWN
        weight = _sum(self._words_of(label, found, heading))
        if weight + _WEIGHTS["apart"] + _WEIGHTS["strange"] >= needed:
            return weight
        weight += _sum(self._headings_around(label.concept, around))
        if weight >= needed or weight + _WEIGHTS["entries"] < _KNOWN:
            return weight
        return weight + _sum(self._entries_below(label.concept, heading, around))

    def _words_of(self, label: Label, found: Resolution, heading: str) -> Iterator[tuple[str, float]]:
        """Yield what the heading's own words say, and how strongly, from 0 to 1."""
        contracted = self._labels.contracted
        words = contracted(label_words(label.text))
        preferred = self._concepts[label.concept].label_in(label.language)
        is_preferred = words == contracted(label_words(preferred))
        is_single = _is_one_word(label)
        is_acronym = sum(map(str.isupper, label.text)) > 1
        yield ("name" if is_preferred or is_acronym or not is_single else "word"), 1
        if found.is_label:
            yield "whole", 1
        read = [word for word in tokens(heading) if is_word(word)]
        if "".join(words) not in "".join(contracted(read)):
            yield "inflected", 1 if is_single else 0.5
        if is_single:
            related = {label.concept, *self._ancestors(label.concept)}
            others = self._near.concepts_with(words) - related
            others.difference_update(self._narrower.get(label.concept, ()))
            shared = min(1, log(1 + len(others), 16))
            yield "shared", shared / 2 if is_preferred else shared
        if all(word in PLAIN or word in TREATMENTS or stem(word) in TREATMENTS for word in words):
            yield "common", 1 / len(words)

    def _headings_around(self, concept: str, around: Surroundings) -> Iterator[tuple[str, float]]:
        """Yield what the headings above and beside it say, and how strongly."""
        if around.above:
            broader = {concept, *self._ancestors(concept)}
            yield "within", max((self._narrowness(id) for id in around.above if id in broader), default=0)
            if not around.is_below_title and not self._nearness(concept, around.above):
                yield "apart", 1
        beside = around.beside()
        if beside:
            named = [[label.concept for label in each.subjects] for each in beside if each.subjects]
            yield "beside", sum(self._nearness(concept, each) for each in named) / (len(beside) + 1)
            yield "strange", sum(not each.certainty for each in beside) / (len(beside) + 2)

    def _entries_below(self, concept: str, heading: str, around: Surroundings) -> Iterator[tuple[str, float]]:
        """Yield what the entries below say, and how strongly."""
        entries = around.entries()
        if entries:
            words = self._words_about(concept) - {stem(word) for word in tokens(heading)}
            count = sum(not words.isdisjoint(map(stem, tokens(text[:_MOST_CHARACTERS]))) for text in entries)
            yield "entries", min(1, count / len(entries) / _MANY_ENTRIES)

    def _narrowness(self, concept: str) -> float:
        """Return how much a concept says, from 0 for one that holds all others to 1 for one that holds none."""
        return 1 - log(1 + len(self._narrower.get(concept, ()))) / log(1 + len(self._concepts))

    def _nearness(self, concept: str, others: Sequence[str]) -> float:
        """Return how much the nearest concept says that one and another are part of; 0 if there is none."""
        own = (concept, *self._ancestors(concept))
        shared = (id for other in others for id in (other, *self._ancestors(other)) if id in own)
        return max(map(self._narrowness, shared), default=0)

    def _words_about(self, concept: str) -> frozenset[str]:
        """Return the stems of the words of a concept's labels and definition, and of the labels of narrower ones."""
        if concept not in self._words:
            known = [self._concepts[id] for id in (concept, *self._narrower.get(concept, ()))]
            texts = [label.text for each in known for label in each.labels]
            texts.append(known[0].definition or "")
            self._words[concept] = frozenset(
                stem(word)
                for text in texts
                for word in tokens(text)
                if len(word) > 1 and not (is_common(singular(word)) or word in FIELDS)
            )
        return self._words[concept]


def _is_about_more(forms: Sequence[Label], heading: str) -> bool:
    """Return whether forms are named only by what qualifies the last word: `Basic Models` need not be `Basics`."""
    last = next((singular(word) for word in reversed(tokens(heading)) if is_word(word)), "")
    return last in TREATMENTS and all(
        _is_one_word(form)
        and form.kind != "prefLabel"
        and word != last
        and (word in TREATMENTS or word not in PLAIN)
        for form in forms
        if (word := singular(label_words(form.text)[-1]))
    )


def _sure(label: Label) -> float:
    return _SURE_INCLUDED if label.kind == "includes" else _SURE


def _sum(evidence: Iterable[tuple[str, float]]) -> float:
    return sum(_WEIGHTS[kind] * degree for kind, degree in evidence)


def _is_one_word(label: Label) -> bool:
    words = label_words(label.text)
    return len(words) < 2 or (len(words) == 2 and all(map(is_ideograph, words)))
