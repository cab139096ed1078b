"""The forms that a project's lists have, counted over all of their files; a convention is a clear majority among enough cases."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal, NamedTuple, NewType, TypeAlias

from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

# What several questions have in common, such as the spelling of labels; a rule page names it as `convention`.
Topic = NewType("Topic", str)
LABEL: Final = Topic("label")
# Whether a rule follows the list's clear majority, any majority, or reports nothing.
When: TypeAlias = Literal["learned", "always", "never"]

LEAST_CASES = 10
_NO_FORMS: Counter[str] = Counter()


class Question(NamedTuple):
    """One question: how is the label `github` spelt?"""

    topic: Topic
    subject: str = ""  # which case of the topic; empty for a topic with one question


question = lru_cache(maxsize=1024)(Question)  # returns a question; every entry answers the same few

# One case: a question, and the form in which an entry or a file answers it.
Observation: TypeAlias = tuple[Question, str]


class Convention(NamedTuple):
    """The form that most cases have: `cases` of `total`."""

    form: str
    cases: int
    total: int

    @property
    def is_strict(self) -> bool:
        """Whether hardly any case differs: at most two, or one in 20."""
        return self.total - self.cases <= max(2, self.total // 20)


def learn(forms: Counter[str], when: When = "learned") -> Convention | None:
    """Return the form of nine of ten cases, of at least ten; with `always` the most common one, or None."""
    first = forms.most_common(2)
    if when == "never" or not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None  # no form is more common than all others
    convention = Convention(*first[0], forms.total())
    is_clear = convention.total >= LEAST_CASES and convention.cases * 10 >= convention.total * 9
    return convention if is_clear or when == "always" else None


@dataclass(frozen=True, eq=False)
class Conventions:
    """How often each form answers a question. Fixes do not change it, so that no fix tips a majority."""

    counts: Mapping[Question, Counter[str]]
    vocabulary: Vocabulary

    def forms(self, question: Question) -> Counter[str]:
        """Return how often each form answers a question; an empty counter if there is no case."""
        return self.counts.get(question, _NO_FORMS)

    def questions(self, topic: Topic) -> Iterator[tuple[Question, Counter[str]]]:
        """Yield the questions of a topic and their forms, in the order in which they were first met."""
        yield from self._by_topic.get(topic, {}).items()

    def disputed(self, topic: Topic) -> Iterator[tuple[Question, Counter[str]]]:
        """Yield the questions of a topic that have more than one form."""
        yield from self._disputed.get(topic, {}).items()

    @cached_property
    def _by_topic(self) -> dict[Topic, dict[Question, Counter[str]]]:
        topics: dict[Topic, dict[Question, Counter[str]]] = {}
        for question, forms in self.counts.items():
            topics.setdefault(question.topic, {})[question] = forms
        return topics

    @cached_property
    def _disputed(self) -> dict[Topic, dict[Question, Counter[str]]]:
        return {
            topic: {question: forms for question, forms in questions.items() if len(forms) > 1}
            for topic, questions in self._by_topic.items()
        }

    @cached_property
    def role_labels(self) -> dict[str, Counter[str]]:
        """The labels of each role's links in their usual spelling, by the role's preferred label."""
        labels: dict[str, Counter[str]] = {}
        for _, spellings in self.questions(LABEL):
            usual = spellings.most_common(1)[0][0]
            if (role := self.vocabulary.role(usual)) is not None:
                labels.setdefault(role.label, Counter())[usual] += spellings.total()
        return labels

    @cached_property
    def role_names(self) -> dict[str, list[tuple[str, str]]]:
        """The labels of roles by first letter: folded, and as the lists spell them, else the vocabulary."""
        names: dict[str, list[tuple[str, str]]] = {}
        for role in self.vocabulary.roles.values():
            for label in role.labels:
                spellings, folded = self.forms(Question(LABEL, label.casefold())), fold(label)
                written = spellings.most_common(1)[0][0] if spellings else label
                names.setdefault(folded[:1], []).append((folded, written))
        return names

    def as_of(self, base: Conventions) -> Conventions:
        """Return the conventions of `base`, with the forms that are new since then as forms without a case."""
        counts = {}
        for question, forms in base.counts.items():
            counts[question] = Counter({**dict.fromkeys(self.forms(question), 0), **forms})
        return dataclasses.replace(self, counts=counts)


def count_observations(files: Iterable[Counter[Observation]], vocabulary: Vocabulary) -> Conventions:
    """Return the conventions of a project from the observations of its files."""
    counts: dict[Question, Counter[str]] = {}
    for observations in files:
        for (question, form), count in observations.items():
            counts.setdefault(question, Counter())[form] += count
    return Conventions(counts, vocabulary)
