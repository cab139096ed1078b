"""The facts of one file: they depend on its text and the vocabulary alone, and they merge."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry
from shelfread.survey.anchors import Landmark, find_landmarks

_AWESOME = re.compile(r"awesome\.re|sindresorhus/awesome(?:@|/|$|\?)", re.IGNORECASE)
_AWESOME_NAME = re.compile(r"\bawesome\b", re.IGNORECASE)


class Listing(NamedTuple):
    """Where an entry is listed, for rules that look across entries and files."""

    path: str
    entry: int
    """The index among the entries of its file."""
    span: Span
    """The title's."""
    line: int
    section: tuple[str, ...]
    text: str
    """The title, folded, and what is stated: two listings that agree have the same."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Counters and identities of one file."""

    path: str
    entries: int
    papers: int
    awesome: bool
    landmarks: tuple[Landmark, ...]
    labels: Counter[tuple[str, str]]
    """How often a label is written so: (folded label, as printed)."""
    gaps: Counter[tuple[str, str]]
    """What stands between the parts of entries: (`label-label`, `title-label` ..., the blanks)."""
    venues: Counter[tuple[str, str]]
    """How often a venue is named so: (venue's id, as printed)."""
    identities: tuple[tuple[str, Listing], ...]
    """Identity keys in document order."""


def facts(document: Document) -> Facts:
    """The facts of a document."""
    path = document.source.path or ""
    labels: Counter[tuple[str, str]] = Counter()
    venues: Counter[tuple[str, str]] = Counter()
    gaps: Counter[tuple[str, str]] = Counter()
    identities: list[tuple[str, Listing]] = []
    papers = 0
    for index, entry in enumerate(document.entries):
        if entry.kind == "paper":
            papers += 1
            if entry.citation is not None and entry.citation.venue is not None and entry.citation.name is not None:
                venues[entry.citation.venue.id, entry.citation.name.value] += 1
            first = 1 if entry.dialect in ("linked-title", "paragraph") else 0
            for link in entry.links[first:]:
                labels[link.label.casefold(), link.label] += 1
        gaps.update(entry_gaps(entry, document.source.text))
        keys = identity_keys(entry)
        if keys:
            section = document.sections[entry.section].path if entry.section is not None else ()
            listing = Listing(path, index, entry.title.span, entry.line, section, _statement(entry))
            identities.extend((key, listing) for key in keys)
    landmarks = tuple(find_landmarks(document))
    return Facts(
        path, len(document.entries), papers, is_awesome(document), landmarks, labels, gaps, venues,
        tuple(identities),
    )  # fmt: skip


def entry_gaps(entry: Entry, text: str) -> list[tuple[str, str]]:
    """What stands between consecutive links of an entry's title line, where it is nothing but blanks and brackets."""
    found: list[tuple[str, str]] = []
    links = [link.link for link in entry.links if entry.head.start <= link.link.start < entry.head.end]
    for before, after in zip(links, links[1:], strict=False):
        between = text[before.end : after.start]
        if not between.strip(" \t[]()\\"):
            found.append(("label-label", between))
    return found


def _statement(entry: Entry) -> str:
    cited = entry.citation.text.casefold() if entry.citation else ""
    described = entry.description.value if entry.description else ""
    return " | ".join((fold_title(entry.title.value), cited, str(entry.year or ""), fold_title(described)))


def is_awesome(document: Document) -> bool:
    """Whether a list says that it is one in the tradition of sindresorhus/awesome: by badge or title."""
    if any(link.image and _AWESOME.search(link.url) for link in document.links[:40]):
        return True
    return bool(document.sections) and bool(_AWESOME_NAME.search(document.sections[0].title))
