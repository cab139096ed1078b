"""Infers the subjects of lists from the headings of their sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from shelfread.document.model import Document
from shelfread.document.subjects import heading_words, is_general, is_subject, names_subject
from shelfread.engine.diagnose import is_backup
from shelfread.index.context import RuleContext
from shelfread.index.conventions.title_line import sections_with_entries
from shelfread.index.subject_pages import has_subjects
from shelfread.taxonomy.fold import fold

MAX_LENGTH = 300
_MIN_SUBJECTS = 2
_MAX_PAGE_WORDS = 8
"""A page with a longer title is likely about one paper."""
_MIN_SHARE = 0.5
"""So many of all entries must be in sections that subjects name."""


@dataclass(slots=True)
class Subject:
    """The spellings of a heading, and the keys of the subjects that its sections are below."""

    spellings: Counter[str] = field(default_factory=Counter)
    broader: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The spelling that most sections have."""
        return self.spellings.most_common(1)[0][0]


def find_subjects(documents: Sequence[Document], context: RuleContext) -> dict[str, Subject]:
    """Return the subjects by key, in the order of the sections; empty if most headings are no subjects."""
    found: dict[str, Subject] = {}
    entries = named = 0
    titles = {
        fold(title) for document in documents if _is_readme(document) for title in _page_title(document)
    }
    for document in documents:
        if is_backup(document.source.path or "") or not has_subjects(document, context):
            continue
        keys = _add_subjects(document, titles, found, context)
        entries += len(document.entries)
        named += sum(_parent(document, entry.section, keys) is not None for entry in document.entries)
    return found if len(found) >= _MIN_SUBJECTS and named >= entries * _MIN_SHARE else {}


def _add_subjects(
    document: Document, titles: set[str], found: dict[str, Subject], context: RuleContext
) -> dict[int, str]:
    """Add the subjects of a document to `found`; return the keys of its sections by their index."""
    keys: dict[int, str] = {}
    for index in sorted(sections_with_entries(document)):
        section = document.sections[index]
        key, label = fold(section.title), heading_words(section.title)
        if not is_subject(section, index, document, context.vocabulary):
            is_page = index == 0 and section.level == 1 and not _is_readme(document) and key not in titles
            is_page = is_page and len(label.split()) <= _MAX_PAGE_WORDS
            if not (is_page and names_subject(section, context.vocabulary)):
                continue
        if fold(label) != key or not _has_paired_brackets(label):
            label = section.title.strip()
        if not key or len(label) > MAX_LENGTH:
            continue
        keys[index] = key
        subject = found.setdefault(key, Subject())
        subject.spellings[label] += 1
        broader = _parent(document, section.parent, keys)
        if broader and broader not in subject.broader and not _is_broader(key, broader, found):
            subject.broader.append(broader)
    return keys


def _parent(document: Document, index: int | None, keys: Mapping[int, str]) -> str | None:
    """Return the subject of a section, or of the nearest one above it."""
    while index is not None and index not in keys:
        index = document.sections[index].parent
    return keys[index] if index is not None else None


def _has_paired_brackets(label: str) -> bool:
    return all(label.count(opening) == label.count(closing) for opening, closing in ("()", "[]", "（）"))


def _is_readme(document: Document) -> bool:
    name = (document.source.path or "").rpartition("/")[2].lower()
    return name.startswith(("readme", "index"))


def _page_title(document: Document) -> Iterator[str]:
    if document.sections and document.sections[0].level == 1:
        yield document.sections[0].title


def _is_broader(key: str, other: str, subjects: Mapping[str, Subject]) -> bool:
    """Return whether a subject is equal to the other one, or broader."""
    seen = [other]
    for subject in seen:  # grows while it is read
        seen += [broader for broader in subjects[subject].broader if broader not in seen]
    return key in seen


def project_title(documents: Sequence[Document]) -> str:
    """Return the title of the readme, or of the only list; else, or if it names nothing, an empty text."""
    by_depth = sorted(documents, key=lambda document: (document.source.path or "").count("/"))
    readmes = [document for document in by_depth if _is_readme(document)]
    first = (readmes or (documents if len(documents) == 1 else []))[:1]
    title = next((title.strip()[:MAX_LENGTH] for document in first for title in _page_title(document)), "")
    return "" if is_general(title) else title
