"""The facts of all files of a project, merged: what one file's rules must know of the others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shelfread.document.model import Document
from shelfread.index.anchors.anchors import slug_landmarks
from shelfread.index.anchors.references import Reference
from shelfread.index.conventions.majority import Convention, When, learn
from shelfread.index.duplicates.papers import Papers, group_papers, others
from shelfread.index.duplicates.repeated import (
    Repeat,
    added_keys,
    find_repeats,
    first_listings,
    near_titles_of,
)
from shelfread.index.facts import Facts, Listing
from shelfread.index.presets import find_presets
from shelfread.index.repository import Repository, find_repository
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from shelfread.core.link_record import LinkRecord

_LEAST_REPEATS = 3
_NONE: Counter[str] = Counter()
_NO_FORMS: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Survey:
    """What is known of the whole project, and what the `web` said of it; tables are made when asked for."""

    facts: Mapping[str, Facts]
    taxonomy: Taxonomy
    slugs: str = "github"
    stood: Mapping[str, frozenset[str]] | None = None
    """What each folder held then, by its path from the root, in the survey of a project as it was."""
    then: Callable[[str], Document | None] | None = None
    """What tells the document that a file was before the change that is asked about, None for a new one."""
    web: Mapping[str, LinkRecord] = field(default_factory=dict)
    past: Survey | None = None
    """The project as it was before that change."""
    former: Mapping[str, str | None] = field(default_factory=dict)
    """The names that files had then."""

    @property
    def vocabulary(self) -> Vocabulary:
        return self.taxonomy.vocabulary

    @cached_property
    def habits(self) -> dict[str, Counter[str]]:
        """The forms that each question's cases have in the whole project."""
        merged: dict[str, Counter[str]] = {}
        for facts in self.facts.values():
            for (question, form), count in facts.habits.items():
                merged.setdefault(question, Counter())[form] += count
        return merged

    def forms(self, question: str) -> Counter[str]:
        """How often each form answers a question; of a question that no case has put, none."""
        return self.habits.get(question, _NONE)

    def questions(self, kind: str) -> Iterator[tuple[str, Counter[str]]]:
        """The questions that begin with a word, without it, and their forms."""
        yield from self._questions.get(kind, {}).items()

    @cached_property
    def _questions(self) -> dict[str, dict[str, Counter[str]]]:
        """The questions of each kind, which is their first word."""
        found: dict[str, dict[str, Counter[str]]] = {}
        for question, forms in self.habits.items():
            kind, parted, rest = question.partition(" ")
            if parted:
                found.setdefault(kind, {})[rest] = forms
        return found

    def varied(self, kind: str) -> Iterator[tuple[str, Counter[str]]]:
        """Those of the questions that have more than one form."""
        yield from self._varied.get(kind, {}).items()

    def departed(
        self,
        document: Document,
        kind: str,
        when: When,
        learn: Callable[[Counter[str], When], Convention | None] = learn,
    ) -> dict[str, Convention]:
        """The conventions on a kind's questions that a file departs from, by question."""
        found: dict[str, Convention] = {}
        for question, forms in self.varied(kind):
            known = learn(forms, when)
            if known is not None and self.departs(document, f"{kind} {question}", known.form):
                found[question] = known
        return found

    @cached_property
    def _varied(self) -> dict[str, dict[str, Counter[str]]]:
        return {
            kind: {question: forms for question, forms in questions.items() if len(forms) > 1}
            for kind, questions in self._questions.items()
        }

    def departs(self, document: Document, question: str, *forms: str) -> bool:
        """Whether a file has a case of a question that is of another form than these; one unknown may have."""
        path = document.source.path or ""
        if path not in self.facts:
            return True
        if path not in self._own:
            own = self._own[path] = {}
            for asked, form in self.facts[path].habits:
                own.setdefault(asked, set()).add(form)
        return not self._own[path].get(question, _NO_FORMS).issubset(forms)

    @cached_property
    def _own(self) -> dict[str, dict[str, set[str]]]:
        return {}

    @cached_property
    def firsts(self) -> dict[str, Listing]:
        """Where each identity is listed first."""
        return first_listings(self.facts, self._near_titles, self._added)

    @cached_property
    def _added(self) -> dict[str, frozenset[str]]:
        """The identities that each file has since the change that is asked about."""
        return added_keys(self.facts, self.past.facts, self.former) if self.past is not None else {}

    def repeats(self, path: str) -> dict[int, Repeat]:
        """The entries of a file that are listed before, by their index in it."""
        return find_repeats(self.facts[path], self.firsts, self._near_titles, self._added)

    @cached_property
    def times(self) -> Counter[str]:
        """How often each identity is listed."""
        return Counter([key for facts in self.facts.values() for key, _ in facts.identities])

    @cached_property
    def repeating(self) -> frozenset[str]:
        """The files that list one entry in twenty again, and so as a matter of course."""
        found = {path: len(self.repeats(path)) for path in self.facts}
        return frozenset(
            path
            for path, many in found.items()
            if many >= _LEAST_REPEATS and many * 20 > self.facts[path].entries
        )

    def others(self, listing: Listing) -> Iterator[tuple[Listing, str]]:
        """The other listings of a listed paper in the whole project, each with the key that both have."""
        return others(listing, self._papers, self._near_titles)

    def listings(self, key: str) -> list[Listing]:
        """The listings of a paper under one identity key, if there are several."""
        return self._papers.get(key, [])

    def repeated(self, path: str) -> Iterator[Listing]:
        """The papers of a file that the project lists more than once, and not in the same words."""
        papers, near = self._papers, self._near_titles
        before = -1
        for key, listing in self.facts[path].identities:
            if (key in papers or listing.title in near) and listing.entry != before and listing.keys:
                before = listing.entry
                yield listing

    @cached_property
    def _papers(self) -> Papers:
        return group_papers(self.facts, self._near_titles)

    @cached_property
    def _near_titles(self) -> dict[str, str]:
        return near_titles_of(self.facts)

    @cached_property
    def role_labels(self) -> dict[str, Counter[str]]:
        """The labels of a role's links in their usual spelling, by the role's preferred label."""
        found: dict[str, Counter[str]] = {}
        for _, spellings in self.questions("label"):
            usual = spellings.most_common(1)[0][0]
            role = self.vocabulary.role(usual)
            if role is not None:
                found.setdefault(role.label, Counter())[usual] += spellings.total()
        return found

    @cached_property
    def role_names(self) -> dict[str, list[tuple[str, str]]]:
        """The labels of roles by first letter: folded, and as the list writes them, else the vocabulary."""
        found: dict[str, list[tuple[str, str]]] = {}
        for role in self.vocabulary.roles.values():
            for label in role.labels:
                spellings, folded = self.forms(f"label {label.casefold()}"), fold(label)
                written = spellings.most_common(1)[0][0] if spellings else label
                found.setdefault(folded[:1], []).append((folded, written))
        return found

    def entry_validators(self, concept: str | None) -> tuple[Any, ...]:
        """What validates a concept's exported entries: the taxonomy's schema and its own, made once."""
        if concept not in self._validators:
            from shelfread.taxonomy.entry import entry_validator

            own = self.taxonomy.concepts.get(concept or "")
            schemas = (self.taxonomy.entry, own.entry if own else None)
            self._validators[concept] = tuple(entry_validator(one) for one in schemas if one is not None)
        return self._validators[concept]

    @cached_property
    def _validators(self) -> dict[str | None, tuple[Any, ...]]:
        return {}

    @cached_property
    def presets(self) -> dict[str, tuple[str, ...]]:
        """What each file is: core always, papers and awesome where it shows, taxonomy where one is named."""
        return find_presets(self)

    @cached_property
    def repository(self) -> Repository | None:
        """The repository that all files lie in."""
        return find_repository(self.folder)

    @cached_property
    def folder(self) -> str:
        """The folder that all files lie in, with no link on its way."""
        folders = {os.path.realpath(os.path.dirname(path) or ".") for path in self.facts}
        try:
            return os.path.commonpath(folders or {os.path.realpath(".")})
        except ValueError:  # several drives
            return os.path.realpath(".")

    def amended(self, *changed: Facts) -> Survey:
        """The survey with files read anew; all else stays as learned, so that no fix tips a majority."""
        new = replace(self, facts={**self.facts, **{facts.path: facts for facts in changed}})
        for name, table in vars(Survey).items():
            if isinstance(table, cached_property) and not name.startswith("_"):
                vars(new)[name] = getattr(self, name)
        return new

    def under(
        self, past: Survey, former: Mapping[str, str | None], then: Callable[[str], Document | None]
    ) -> Survey:
        """The survey with the conventions and presets of then, so that no new entry tips a majority.

        `former` are the names that its files had; where nothing was listed, today's hold.
        """
        if not any(facts.entries for facts in past.facts.values()):
            return self
        new = replace(self, then=then, past=past, former=former)
        presets = {path: past.presets.get(former[path] or "", own) for path, own in self.presets.items()}
        # A form that is new is a case of nothing yet, and still one that departs.
        habits = {
            question: Counter({**dict.fromkeys(self.forms(question), 0), **forms})
            for question, forms in past.habits.items()
        }
        vars(new).update(habits=habits, presets=presets)
        return new

    def anchors(self, path: str) -> tuple[str, ...] | None:
        """The anchors of a file of the project; None for a file that is not of it."""
        if path not in self.facts:
            return None
        if path not in self._anchors:
            self._anchors[path] = slug_landmarks(self.facts[path].landmarks, self.slugs)
        return self._anchors[path]

    def references(self, page: str) -> Sequence[Reference]:
        """The project's links to anchors of a page."""
        return self._references.get(page, ())

    @cached_property
    def _references(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for facts in self.facts.values():
            for reference in facts.references:
                found.setdefault(reference.page, []).append(reference)
        return found

    @cached_property
    def titles(self) -> dict[str, list[str]]:
        """The project's files by their first heading of the first level, folded to letters and digits."""
        found: dict[str, list[str]] = {}
        for file, facts in self.facts.items():
            title = next((one.text for one in facts.landmarks if one.heading and one.level == 1), "")
            found.setdefault("".join(filter(str.isalnum, title.casefold())), []).append(file)
        return found

    @cached_property
    def _anchors(self) -> dict[str, tuple[str, ...]]:
        return {}


def survey(
    facts: Mapping[str, Facts],
    taxonomy: Taxonomy,
    slugs: str = "github",
    web: Mapping[str, LinkRecord] | None = None,
) -> Survey:
    """The survey of a project, from the facts of its files by path and what the web said of its links."""
    return Survey(facts, taxonomy, slugs, web=web or {})
