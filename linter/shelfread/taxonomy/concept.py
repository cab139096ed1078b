"""Concepts in SKOS's terms, made from the merged terms of files when they are asked for, and all their labels."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from shelfread.taxonomy.label_forms import (
    is_misspelt,
    is_state,
    is_word,
    label_key,
    singular,
    stem,
    tokens,
    verb_stem,
)

# The limits of comparing headings with labels, here and in phrases, heading_resolver and near_labels.
# The most words of a label that is found inside a heading. A heading that is a longer label is found too.
MAX_WORDS = 10
MAX_TOKENS = 60  # longer headings are sentences
MAX_SHARED = 3  # the most words that parts of a heading share: `Data, Tensor and Pipeline Parallelism`
MIN_SIMILARITY = 0.8  # a heading this similar to a label is likely meant to be it: "did you mean"
MIN_NEAR = 0.55  # a label this similar is worth a look
MIN_WORD = 6  # of two shorter words that differ by a letter, both are likely right
MAX_LENGTH = 80  # longer headings are like no label
PART_LETTERS = 3  # the letters at the start and end of a label by which it is found if no word is the same
MAX_PARTS = 12  # the most words of a heading by which labels are looked up: the rarest
# The most labels that are compared because of one word, so that the work does not grow with the taxonomy.
MAX_OF_PART = 400
MAX_CANDIDATES = 10  # the most labels that are compared letter by letter
_SMALL = frozenset("and or of the a an for in to on with und y e de do da et ve".split())
_RANK = {"prefLabel": 0, "altLabel": 1, "hiddenLabel": 2, "includes": 3}


class Label(NamedTuple):
    """A label of a concept. `kind` is prefLabel, altLabel, hiddenLabel, or includes for a narrower subject's name."""

    concept: str
    kind: str
    text: str
    language: str


_WIDTH = len(Label._fields)


class Resolution(NamedTuple):
    """What a heading names.

    `certainty` is `label` if the heading is a label as written; `variant` if it differs in number, hyphens, order or
    an abbreviation; `word` if it is a label that may mean something else; `named` if all of it is understood; `partly`
    if one of several subjects is not known; `broader` if the heading names a kind of the subject that has no concept
    of its own; `guess` if too little speaks for its `guesses`; empty if nothing is known.
    """

    # the concepts that the heading is about. More than one if they are joined: `Pruning and Quantization`.
    subjects: tuple[Label, ...] = ()
    # concepts that narrow these: Large Language Models in `Quantization of LLMs`.
    qualifiers: tuple[Label, ...] = ()
    forms: tuple[Label, ...] = ()  # kinds of things rather than subjects: `Survey`, `Benchmarks`
    certainty: str = ""
    guesses: tuple[Label, ...] = ()  # the concepts that it would name if more spoke for them
    # whether a part of a heading says enough beside others: it is not a word such as `Design` or `Theory`.
    is_telling: bool = True

    @property
    def is_label(self) -> bool:
        """Whether the heading is a label, but for number, hyphens, order and abbreviations."""
        return self.certainty in ("label", "variant", "word")

    @property
    def is_known(self) -> bool:
        """Whether the heading is known: it names subjects or forms, and is no kind of a subject without a concept."""
        return self.certainty not in ("", "broader", "guess")


class Surroundings(NamedTuple):
    """What stands around a heading."""

    above: Sequence[str] = ()  # the concepts of the nearest heading above that names any
    # whether that is the title of the page, below which all kinds of subjects stand.
    is_below_title: bool = True
    beside: Callable[[], Sequence[Resolution]] = tuple  # what the headings beside it name
    entries: Callable[[], Sequence[str]] = tuple  # the words of some of the entries below it


class Labels:
    """Labels by their words without number and blanks (`Fine-Tuning`, `Finetuning`), and by stems that only one concept has."""

    def __init__(
        self,
        fields: Sequence[str],
        singulars: Mapping[str, int],
        others: Mapping[str, Sequence[int]],
        stems: Mapping[str, int],
        abbreviations: Mapping[str, Sequence[tuple[tuple[str, ...], str]]],
    ) -> None:
        """Take the fields of all labels in one row, which is read fast, with indexes by words, stems and first words meant."""
        self.parts = fields, singulars, others, stems, abbreviations
        self._fields, self._singulars, self._others, self._stems, self._abbreviations = self.parts
        self._written: dict[str, Label | None] = {}

    def __len__(self) -> int:
        return len(self._fields) // _WIDTH

    def __iter__(self) -> Iterator[Label]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Label:
        return Label(*self._fields[_WIDTH * index : _WIDTH * (index + 1)])

    def written(self, text: str) -> Label | None:
        """Return the label that a text is but for case, numbers, emoji and punctuation."""
        if text not in self._written:
            self._written[text] = self._find_written(text)
        return self._written[text]

    def _find_written(self, text: str) -> Label | None:
        words = "".join(self.contracted(_words(text)))
        index = self._singulars.get(words)
        if index is None:
            return None
        key = label_key(text)
        same = (index, *self._others.get(words, ()))
        return next((label for each in same if label_key((label := self[each]).text) == key), None)

    def contracted(self, words: Sequence[str]) -> list[str]:
        """Return words in the singular, those that have an abbreviation replaced by it."""
        words = [singular(word) for word in words]
        found: list[str] = []
        index = 0
        while index < len(words):
            for full, short in self._abbreviations.get(words[index], ()):
                if tuple(words[index : index + len(full)]) == full:
                    found.append(short)
                    index += len(full)
                    break
            else:
                found.append(words[index])
                index += 1
        return found

    def find(self, words: Sequence[str]) -> Label | None:
        """Return the label of contracted words, by their stems if need be."""
        return self.find_same(words) or self.find_stems(_stems(words), words)

    def find_same(self, words: Sequence[str]) -> Label | None:
        """Return the label of contracted words, not by their stems."""
        return self.find_joined("".join(words))

    def find_joined(self, key: str) -> Label | None:
        index = self._singulars.get(key)
        return None if index is None else self[index]

    def find_stems(self, key: str, words: Sequence[str]) -> Label | None:
        """Return the label of joined stems; None if these are the stems of misspelt words, or of words about another thing."""
        index = self._stems.get(key)
        if index is None:
            return None
        label = self[index]
        if len(words) == 1 and is_state(words[0], label.text):
            return None
        pairs = zip(words, self.contracted(_words(label.text)), strict=False)
        return None if any(word != other and is_misspelt(word, other) for word, other in pairs) else label


def make_labels(labels: Iterable[Label], languages: Sequence[str], own: Collection[str] = ()) -> Labels:
    """Return labels by their words. Those of `own` concepts, the first language and preferred ones win over others."""
    order = {language: index for index, language in enumerate(languages)}

    def rank(label: Label) -> tuple[bool, int, int]:
        return label.concept not in own, order.get(label.language, len(order)), _RANK[label.kind]

    ranked = sorted(labels, key=rank)
    split = [(label, label_words(label.text)) for label in ranked]
    abbreviations = _abbreviations(split)
    without = Labels((), {}, {}, {}, abbreviations)
    singulars: dict[str, int] = {}
    others: dict[str, list[int]] = {}
    stems: dict[str, int | None] = {}
    for index, (label, words) in enumerate(split):
        contracted = without.contracted(words)
        if not contracted:
            continue
        key = "".join(contracted)
        first = ranked[singulars.setdefault(key, index)]
        if first is not label and (first.concept not in own or label.concept in own):
            others.setdefault(key, []).append(index)
        known = stems.setdefault(_stems(contracted), index)
        if known is not None and ranked[known].concept != label.concept:
            stems[_stems(contracted)] = None
    certain = {key: index for key, index in stems.items() if index is not None and key not in singulars}
    return Labels([field for label in ranked for field in label], singulars, others, certain, abbreviations)


def _stems(words: Sequence[str]) -> str:
    """Return a key of the stems of words. That of a single word is kept apart, as `Trains` are not `Training`."""
    if len(words) == 1:
        return f"{verb_stem(words[0])}-"
    return "".join(map(stem, words))


def _words(text: str) -> list[str]:
    """Return the words of a label, `and` left out, and without an abbreviation in brackets."""
    words: list[str] = []
    depth = 0
    for token in tokens(text):
        if token in "()":
            depth += 1 if token == "(" else -1
        elif is_word(token) and token not in ("and", "the") and (depth <= 0 or not words):
            words.append(token)
    return words


def _abbreviations(
    labels: Sequence[tuple[Label, Sequence[str]]],
) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    by_concept: dict[str, list[list[str]]] = {}
    for label, words in labels:
        if label.kind in ("prefLabel", "altLabel") and label.text.isascii():
            by_concept.setdefault(label.concept, []).append([singular(word) for word in words])
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for names in by_concept.values():
        shorts = [name[0] for name in names if len(name) == 1 and 2 <= len(name[0]) <= 6]
        for full in names:
            for short in shorts:
                if len(full) > 1 and is_abbreviation(short, full):
                    found.setdefault(full[0], []).append((tuple(full), short))
    for choices in found.values():
        choices.sort(key=lambda choice: (-len(choice[0]), choice))
    return found


def is_abbreviation(short: str, words: Sequence[str]) -> bool:
    """Return whether a word is made of the first letters of others: `moe` of `mixture of experts`."""
    short = singular(short)
    initials = "".join(word[0] for word in words)
    return short in (initials, "".join(word[0] for word in words if word not in _SMALL))


@lru_cache(16384)  # more than all labels of a taxonomy
def label_words(text: str) -> tuple[str, ...]:
    """Return the words of a label, without an abbreviation in brackets."""
    return tuple(_words(text))


# The keys of labels, which hold one or several for each language.
LABELS = ("prefLabel", "altLabel", "hiddenLabel", "includes")
TEXTS = ("definition", "scopeNote")  # the keys of texts, which hold one for each language
# The SKOS properties that map a concept to one of another vocabulary.
MATCHES = ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch")


class Concept(NamedTuple):
    """A SKOS concept. `label` is its prefLabel; `broader` and `related` are ids."""

    id: str
    label: str
    alt_labels: tuple[str, ...] = ()
    definition: str | None = None
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    # concepts of other vocabularies: the SKOS property, such as exactMatch, and the IRI.
    matches: tuple[tuple[str, str], ...] = ()
    roles: tuple[str, ...] | None = None  # the ids of the link roles that its entries may have, None for all
    # a JSON Schema for its entries, in addition to that of the taxonomy.
    entry: Mapping[str, object] | None = None
    labels: tuple[Label, ...] = ()  # its labels in all languages
    # if it is not to be used any more, the id of the concept that replaces it; empty if none does.
    retired: str | None = None
    # its definitions and scope notes in all languages: the SKOS property, the text and the language.
    texts: tuple[tuple[str, str, str], ...] = ()

    def label_in(self, language: str) -> str:
        """Return the preferred label in a language; if there is none, `label`."""
        labels = self.labels
        return next((label.text for label in labels if label[1::2] == ("prefLabel", language)), self.label)


class Concepts(Mapping[str, Concept]):
    """Concepts by id, in their order. Each is made when it is first asked for, as a run needs few of a large taxonomy."""

    def __init__(self, terms: bytes = b"", languages: Sequence[str] = ()) -> None:
        """Take merged terms as `marshal` writes them; they are decoded when the first one is needed."""
        self._encoded = terms
        self._languages = languages
        self._made: dict[str, Concept] = {}

    @cached_property
    def terms(self) -> Mapping[str, Mapping[str, Any]]:
        """The merged terms that they are made of, with labels and texts by language."""
        terms: Mapping[str, Mapping[str, Any]] = marshal.loads(self._encoded) if self._encoded else {}
        return terms

    def __getitem__(self, id: str) -> Concept:
        if id not in self._made:
            self._made[id] = _concept(id, self.terms[id], self._languages)
        return self._made[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __contains__(self, id: object) -> bool:
        return id in self.terms

    def broader(self, id: str) -> tuple[str, ...]:
        return ids(self.terms[id], "broader")

    def is_retired(self, id: str) -> bool:
        return bool(self.terms[id].get("retired"))


def labels_of(id: str, term: Mapping[str, Any]) -> Iterator[Label]:
    """Yield the labels of a merged term, in all languages."""
    for kind in LABELS:
        for language, given in term.get(kind, {}).items():
            for text in (given,) if isinstance(given, str) else given:
                yield Label(id, kind, text, language)


def ids(term: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = term.get(key, ())
    return (given,) if isinstance(given, str) else tuple(given)


def successor(term: Mapping[str, Any]) -> str:
    """Return the id of the concept that replaces a retired one, empty if there is none."""
    given = term.get("retired")
    return given.removeprefix("use ").strip() if isinstance(given, str) else ""


def _concept(id: str, term: Mapping[str, Any], languages: Sequence[str]) -> Concept:
    labels = tuple(labels_of(id, term))
    spoken = {label.language for label in labels if label.kind == "prefLabel"}
    language = _spoken(spoken, languages)
    own = [label for label in labels if label.language == language]
    definitions: Mapping[str, str] = term.get("definition", {})
    return Concept(
        id=id,
        label=next((label.text for label in own if label.kind == "prefLabel"), id),
        alt_labels=tuple(label.text for label in own if label.kind == "altLabel"),
        definition=definitions.get(_spoken(definitions, languages)),
        broader=ids(term, "broader"),
        related=ids(term, "related"),
        matches=tuple((kind, iri) for kind in MATCHES for iri in term.get(kind, ())),
        roles=tuple(term["links"]) if "links" in term else None,
        entry=term.get("entry"),
        retired=successor(term) if term.get("retired") else None,
        labels=labels,
        texts=tuple((key, text, tag) for key in TEXTS for tag, text in term.get(key, {}).items()),
    )


def _spoken(spoken: Collection[str], languages: Sequence[str]) -> str:
    """Return the first of the languages that is spoken, else English, else the first by name."""
    return next((tag for tag in (*languages, "en") if tag in spoken), min(spoken, default=""))
