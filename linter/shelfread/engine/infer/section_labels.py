"""The label of a subject in the words of its heading."""

from __future__ import annotations

from shelfread.document.subjects import heading_words
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.heading import without_extras

MAX_LENGTH = 300


def label_of(title: str) -> str:
    """Return a heading without numbering, emoji, counts and links back; empty if no label can be made of it."""
    words = without_extras(title)
    label = heading_words(words)
    if fold(label) != fold(words) or not _has_paired_brackets(label):
        label = words.strip()
    return label if len(label) <= MAX_LENGTH else ""


def _has_paired_brackets(label: str) -> bool:
    return all(label.count(opening) == label.count(closing) for opening, closing in ("()", "[]", "（）"))
