"""Titles of headings as keys: what two spellings of one name have in common."""

from __future__ import annotations

from functools import lru_cache

from shelfread.core.patterns import lazy

_NO_WORD = lazy(r"(?:[^\w+#]|_)+")
_NUMBERING = lazy(r"\W*\d{1,3}(?:\.\d{1,3})*(?:[.):、：](?!\d)\s*|\s+)")
# A number of entries or a translation behind a title: `(12)`, `[12]`.
_AFTERTHOUGHT = lazy(r"(?:(?<!\s)\s+)?(?:\([^()]*\)|（[^（）]*）|\[\d+\])\s*$")
CONTENTS = frozenset(
    "contents content tableofcontents toc index 目录 目錄 目次 목차 sommaire índice indice inhalt inhaltsverzeichnis "
    "содержание оглавление içindekiler".split()
)
"""The folded titles of tables of contents."""


@lru_cache(maxsize=4096)  # every rule folds the same titles, which most items repeat
def fold(text: str) -> str:
    """Return a title without case, punctuation and emoji; `C`, `C++` and `C#` differ."""
    return _NO_WORD.sub("", text.casefold())


def core(title: str) -> str:
    """Return a title folded, without its numbering and the parentheses behind it, such as the number of entries."""
    words = _NUMBERING.sub("", title, count=1) if _NUMBERING.match(title) else title
    return fold(_AFTERTHOUGHT.sub("", words)) or fold(title)
