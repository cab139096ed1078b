"""Normalises labels for comparison."""

from __future__ import annotations

from unicodedata import normalize

from shelfread.core.support.regex import lazy

_MARKUP = lazy(r"!?\[([^\[\]]*)\]\([^()\s]*\)|<[^<>]*>|:[a-z0-9_+-]+:")
_APOSTROPHE = lazy(r"['\u2019`*~]")
_NUMBERING = lazy(r"^\W*\d{1,3}(?:\.\d{1,3})*[.)](?!\d)\s*(?=\S)|^\W*\d{1,2}(?:\.\d{1,2})+\s+(?=\S)")
_NOT_WORD = lazy(r"[\W_]+")


def fold(label: str) -> str:
    """Return a heading or label without case, markup, punctuation, emoji and leading numbers. `&` becomes `and`."""
    text = _APOSTROPHE.sub("", without_markup(label)).replace("&", " and ")
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def without_markup(label: str) -> str:
    """Return a heading or label without links, HTML, emoji shortcodes and leading numbers."""
    text = normalize("NFKC", label)
    if "[" in text or "<" in text or ":" in text:
        text = _MARKUP.sub(r" \1 ", text)
    numbering = _NUMBERING.match(text)
    return text[numbering.end() :] if numbering else text


def squash(name: str) -> str:
    """Return only the letters and digits of a venue's name, case-folded: the same for `S&P`, `s & p` and `SP`."""
    if not name.isascii():
        name = normalize("NFKC", name)
    return _NOT_WORD.sub("", name.casefold())
