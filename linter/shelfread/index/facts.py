"""The facts of one file: they depend only on its text and the vocabulary; and where a paper was published."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from shelfread.core.diagnostics import Span, around
from shelfread.core.patterns import lazy
from shelfread.document.generated import Generated, find_generated, read_generated
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Citation, Document, Entry
from shelfread.index.anchors import AnchorReference, Landmark, find_landmarks, find_references
from shelfread.index.conventions import Observation, Question
from shelfread.index.observations import observe

_MINOR_WORDS = (
    r"workshop|\bws\b|@|poster|\bdemo\b|competition|challenge|tutorial|companion|adjunct|abstract|findings"
    r"|\bshort\b|doctoral|industry|student"
)
_MINOR = lazy(_MINOR_WORDS, re.IGNORECASE)
_MINOR_HINTS = _MINOR_WORDS.replace(r"\b", "").split("|")
_PROSE = lazy(r"['’s]{0,2} (?:papers?|work|version|method)\b")
_CONTEXT = 20


class Publication(NamedTuple):
    """A venue and year as an entry states them, or the heading above it."""

    venue: str  # the vocabulary's id
    kind: str  # the venue's kind; `minor` for a poster or a workshop at a conference
    name: str  # as printed
    year: int | None
    text: str  # venue and year as printed
    from_heading: bool = False  # a heading states it, which may not hold for all entries below


def entry_publication(entry: Entry, heading: Publication | None, text: str) -> Publication | None:
    """Return where a paper was published, by its entry, else by the heading above it."""
    cited = entry.citation
    if cited is None:
        return heading
    start, end = cited.span
    if cited.venue is None or _PROSE.match(text, end) or _is_row_of_papers(entry):
        return None  # unknown, or another paper's venue: `applies the ICLR 2017 paper`
    return _publication(cited, around(text, start, end, _CONTEXT, _CONTEXT))


def _is_row_of_papers(entry: Entry) -> bool:
    """Return whether an entry is a word and several papers: `Conferences: [[ICML](u)] [[KDD](v)] [[WWW](w)]`."""
    papers = [label for label in entry.links if label.role is not None and label.role.id == "paper"]
    return len(papers) > 2 and " " not in entry.title.value


def heading_publication(document: Document, section: int) -> Publication | None:
    """Return the venue that the nearest heading states, from that of `section` (an index) upwards."""
    for index in document.above(section):
        heading = document.sections[index]
        if heading.citation is not None and heading.citation.venue is not None:
            return _publication(heading.citation, heading.title)._replace(from_heading=True)
    return None


def _publication(cited: Citation, context: str) -> Publication:
    assert cited.venue is not None
    kind = cited.venue.kind
    if kind == "conference" and _is_minor(context):
        kind = "minor"
    name = cited.name.value if cited.name is not None else cited.venue.label
    return Publication(cited.venue.id, kind, name, cited.year, cited.text)


def _is_minor(context: str) -> bool:
    """Return whether the text around a venue names a lesser one."""
    lower = context.lower()  # words alone are found faster than the pattern
    return any(hint in lower for hint in _MINOR_HINTS) and _MINOR.search(context) is not None


_AWESOME = lazy(r"awesome\.re|sindresorhus/awesome(?:@|/|$|\?)", re.IGNORECASE)
_AWESOME_NAME = lazy(r"\bawesome\b", re.IGNORECASE)


class Listing(NamedTuple):
    """An entry at its place in the project, for rules that look across entries and files."""

    path: str
    entry: int  # the index among the entries of its file
    span: Span  # the title's
    line: int
    section: tuple[str, ...]  # the titles of the sections and of the entries around it, outermost first
    title: str  # the title, folded
    details: tuple[str, int | None, str]  # citation, year, and description, else authors, as written
    keys: tuple[str, ...] = ()  # the identity keys of a paper, the most reliable first
    name: str = ""  # the name at the start of a paper's title, folded
    publication: Publication | None = None  # where a paper was published
    printed_title: str = ""  # the title as written
    linked: bool = False  # whether a paper has links
    nested: bool = False  # whether the entry is within another one

    @property
    def text(self) -> str:
        """The title and the details, folded; equal for two listings that agree."""
        citation, year, description = self.details
        return " | ".join((self.title, citation.casefold(), str(year or ""), fold_title(description)))

    @property
    def where(self) -> str:
        """The file and line: `papers.md:41`."""
        return f"{self.path}:{self.line}" if self.path else f"line {self.line}"


@dataclass(frozen=True)
class Facts:
    """Counters and identities of one file."""

    path: str
    entries: int
    papers: int
    awesome: bool
    landmarks: tuple[Landmark, ...]
    references: tuple[AnchorReference, ...]
    observations: Counter[Observation]
    identities: tuple[tuple[str, Listing], ...]  # identity keys in document order
    generated: Generated | None = None  # what the file says it is generated from, if it does
    # the lists beside a contributing guide that it says are generated: see `document.generated`.
    generated_lists: Mapping[str, Generated] = field(default_factory=dict)

    @cached_property
    def listings(self) -> dict[int, Listing]:
        """The listing of each entry that has an identity, by the entry's index."""
        return {listing.entry: listing for _, listing in self.identities}

    def forms(self, question: Question) -> frozenset[str]:
        return self._forms.get(question, frozenset())

    @cached_property
    def _forms(self) -> dict[Question, frozenset[str]]:
        forms: dict[Question, set[str]] = {}
        for question, form in self.observations:
            forms.setdefault(question, set()).add(form)
        return {question: frozenset(answers) for question, answers in forms.items()}


def facts(document: Document) -> Facts:
    return Facts(
        path=document.source.path or "",
        entries=len(document.entries),
        papers=sum(entry.kind == "paper" for entry in document.entries),
        awesome=is_awesome(document),
        landmarks=tuple(find_landmarks(document)),
        references=tuple(find_references(document)),
        observations=Counter() if document.kind.is_left_alone else observe(document),
        identities=tuple(_identities(document)),
        generated=read_generated(document.source.text),
        generated_lists=find_generated(document.kind, document.source.text),
    )


def _identities(document: Document) -> Iterator[tuple[str, Listing]]:
    outer_entries: list[Entry] = []
    headings: dict[int, Publication | None] = {}
    for index, entry in enumerate(document.entries):
        title = fold_title(entry.title.value)
        keys = identity_keys(entry, title)
        if not keys:
            continue
        while outer_entries and outer_entries[-1].span.end <= entry.span.start:
            outer_entries.pop()
        section = document.sections[entry.section].path if entry.section is not None else ()
        section += tuple([outer.title.value for outer in outer_entries])
        nested = bool(outer_entries)
        outer_entries.append(entry)
        citation, description = entry.citation, entry.description
        people = " ".join(author.value for author in entry.authors)
        is_paper, publication = entry.kind == "paper", None
        if is_paper:
            if entry.section is not None and entry.section not in headings:
                headings[entry.section] = heading_publication(document, entry.section)
            heading = headings[entry.section] if entry.section is not None else None
            publication = entry_publication(entry, heading, document.source.text)
        listing = Listing(
            path=document.source.path or "",
            entry=index,
            span=entry.title.span,
            line=entry.line,
            section=section,
            title=title,
            details=(
                citation.text if citation else "",
                entry.year,
                description.value if description else people,
            ),
            keys=tuple(keys) if is_paper else (),
            name=fold_title(entry.name.value) if is_paper and entry.name is not None else "",
            publication=publication,
            printed_title=entry.title.value,
            linked=is_paper and bool(entry.links),
            nested=nested,
        )
        for key in keys:
            yield key, listing


def is_awesome(document: Document) -> bool:
    """Return whether a list says by a badge or its title that it is an awesome list."""
    return any(link.image and _AWESOME.search(link.url) for link in document.links[:40]) or any(
        _AWESOME_NAME.search(section.title) for section in document.sections[:1]
    )
