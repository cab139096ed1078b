"""The facts of one file: they depend on its text and the vocabulary alone, and they merge."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.identity.keys import fold_title, identity_keys
from shelfread.document.model import Document, Entry
from shelfread.index.anchors.anchors import Landmark, find_landmarks
from shelfread.index.anchors.references import Reference, find_references
from shelfread.index.conventions.observations import observe
from shelfread.index.conventions.question import Observation, Question
from shelfread.index.publication import Publication, entry_publication, heading_publication

_AWESOME = lazy(r"awesome\.re|sindresorhus/awesome(?:@|/|$|\?)", re.IGNORECASE)
_AWESOME_NAME = lazy(r"\bawesome\b", re.IGNORECASE)


class Listing(NamedTuple):
    """Where an entry is listed, for rules that look across entries and files."""

    path: str
    entry: int
    """The index among the entries of its file."""
    span: Span
    """The title's."""
    line: int
    section: tuple[str, ...]
    """The titles of the sections that it is in, and of the entries that it is nested in."""
    title: str
    """The title, folded."""
    said: tuple[str, int | None, str]
    """Citation, year and description, as they stand."""
    keys: tuple[str, ...] = ()
    """The identity keys, the most telling first."""
    name: str = ""
    """The name that a paper's title begins with, folded."""
    publication: Publication | None = None
    """Where a paper was published."""
    printed_title: str = ""
    """A paper's title as printed."""
    linked: bool = False
    """Whether a paper has links."""

    @property
    def text(self) -> str:
        """The title and what is stated, folded: two listings that agree have the same."""
        cited, year, described = self.said
        return " | ".join((self.title, cited.casefold(), str(year or ""), fold_title(described)))

    @property
    def where(self) -> str:
        """Its file and line: `papers.md:41`."""
        return f"{self.path}:{self.line}" if self.path else f"line {self.line}"


@dataclass(frozen=True)
class Facts:
    """Counters and identities of one file."""

    path: str
    entries: int
    papers: int
    awesome: bool
    landmarks: tuple[Landmark, ...]
    references: tuple[Reference, ...]
    observations: Counter[Observation]
    identities: tuple[tuple[str, Listing], ...]
    """Identity keys in document order."""

    def forms(self, question: Question) -> frozenset[str]:
        """Return the forms in which this file answers a question."""
        return self._forms.get(question, frozenset())

    @cached_property
    def _forms(self) -> dict[Question, frozenset[str]]:
        forms: dict[Question, set[str]] = {}
        for question, form in self.observations:
            forms.setdefault(question, set()).add(form)
        return {question: frozenset(found) for question, found in forms.items()}


def facts(document: Document) -> Facts:
    """The facts of a document."""
    path = document.source.path or ""
    identities: list[tuple[str, Listing]] = []
    around: list[Entry] = []
    above: dict[int, Publication | None] = {}
    papers = 0
    text = document.source.text
    for index, entry in enumerate(document.entries):
        if entry.kind == "paper":
            papers += 1
        title = fold_title(entry.title.value)
        keys = identity_keys(entry, title)
        if keys:
            while around and around[-1].span.end <= entry.span.start:
                around.pop()
            section = document.sections[entry.section].path if entry.section is not None else ()
            if around:
                section += tuple([outer.title.value for outer in around])
            around.append(entry)
            known = path, index, entry.title.span, entry.line, section, title, _said(entry)
            if entry.kind == "paper":
                if entry.section is not None and entry.section not in above:
                    above[entry.section] = heading_publication(document, entry.section)
                name = fold_title(entry.name.value) if entry.name is not None else ""
                stated = entry_publication(entry, above.get(entry.section or 0), text)
                listing = Listing(*known, tuple(keys), name, stated, entry.title.value, bool(entry.links))
            else:
                listing = Listing(*known)
            identities += [(key, listing) for key in keys]
    landmarks = tuple(find_landmarks(document))
    return Facts(
        path,
        len(document.entries),
        papers,
        is_awesome(document),
        landmarks,
        tuple(find_references(document)),
        observe(document),
        tuple(identities),
    )


def _said(entry: Entry) -> tuple[str, int | None, str]:
    cited, described = entry.citation, entry.description
    return cited.text if cited else "", entry.year, described.value if described else ""


def is_awesome(document: Document) -> bool:
    """Whether a list says that it is one in the tradition of sindresorhus/awesome: by badge or title."""
    if any(link.image and _AWESOME.search(link.url) for link in document.links[:40]):
        return True
    return bool(document.sections) and bool(_AWESOME_NAME.search(document.sections[0].title))
