"""What lists call themselves and their subjects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.document.model import Document
from shelfread.document.subjects import heading_words, is_general
from shelfread.taxonomy.words import fold, without_extras

MAX_LENGTH = 300


def label_of(title: str) -> str:
    """Return a heading without numbering, emoji, counts and links back; empty if no label can be made of it."""
    words = without_extras(title)
    label = heading_words(words)
    if not fold(words).endswith(fold(label)) or not _has_paired_brackets(label):
        label = words.strip()
    return label if len(label) <= MAX_LENGTH else ""


def _has_paired_brackets(label: str) -> bool:
    return all(label.count(opening) == label.count(closing) for opening, closing in ("()", "[]", "（）"))


def project_title(documents: Sequence[Document]) -> str:
    """Return the title of the readme, or of the only list; else, or if it names nothing, an empty text."""
    by_depth = sorted(documents, key=lambda document: (document.source.path or "").count("/"))
    readmes = [document for document in by_depth if is_readme(document)]
    first = (readmes or (documents if len(documents) == 1 else []))[:1]
    title = next((title.strip()[:MAX_LENGTH] for document in first for title in page_title(document)), "")
    return "" if is_general(title) else title


def is_readme(document: Document) -> bool:
    """Return whether a file is the first page of its folder."""
    name = (document.source.path or "").rpartition("/")[2].lower()
    return name.startswith(("readme", "index"))


def page_title(document: Document) -> Iterator[str]:
    """Yield the title of a page, if it has one."""
    if document.sections and document.sections[0].level == 1:
        yield document.sections[0].title
