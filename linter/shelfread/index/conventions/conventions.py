"""The forms that a project's lists have, counted over all of their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from shelfread.index.conventions.label_spelling import LABEL
from shelfread.index.conventions.question import Observation, Question, Topic
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.vocabulary import Vocabulary

_NO_FORMS: Counter[str] = Counter()


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
        found: dict[Topic, dict[Question, Counter[str]]] = {}
        for question, forms in self.counts.items():
            found.setdefault(question.topic, {})[question] = forms
        return found

    @cached_property
    def _disputed(self) -> dict[Topic, dict[Question, Counter[str]]]:
        return {
            topic: {question: forms for question, forms in questions.items() if len(forms) > 1}
            for topic, questions in self._by_topic.items()
        }

    @cached_property
    def role_labels(self) -> dict[str, Counter[str]]:
        """The labels of each role's links in their usual spelling, by the role's preferred label."""
        found: dict[str, Counter[str]] = {}
        for _, spellings in self.questions(LABEL):
            usual = spellings.most_common(1)[0][0]
            if (role := self.vocabulary.role(usual)) is not None:
                found.setdefault(role.label, Counter())[usual] += spellings.total()
        return found

    @cached_property
    def role_names(self) -> dict[str, list[tuple[str, str]]]:
        """The labels of roles by first letter: folded, and as the lists spell them, else the vocabulary."""
        found: dict[str, list[tuple[str, str]]] = {}
        for role in self.vocabulary.roles.values():
            for label in role.labels:
                spellings, folded = self.forms(Question(LABEL, label.casefold())), fold(label)
                written = spellings.most_common(1)[0][0] if spellings else label
                found.setdefault(folded[:1], []).append((folded, written))
        return found

    def as_of(self, base: Conventions) -> Conventions:
        """Return the conventions of `base`, with the forms that are new since then as forms without a case."""
        counts = {}
        for question, forms in base.counts.items():
            counts[question] = Counter({**dict.fromkeys(self.forms(question), 0), **forms})
        return replace(self, counts=counts)


def count_observations(files: Iterable[Counter[Observation]], vocabulary: Vocabulary) -> Conventions:
    """Return the conventions of a project from the observations of its files."""
    counts: dict[Question, Counter[str]] = {}
    for observations in files:
        for (question, form), count in observations.items():
            counts.setdefault(question, Counter())[form] += count
    return Conventions(counts, vocabulary)
