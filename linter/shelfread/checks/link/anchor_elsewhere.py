"""Where else a missing anchor may be: at the top of the page, or in a file beside it."""

from __future__ import annotations

import posixpath
from itertools import takewhile
from urllib.parse import unquote

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.index.heading_names import CONTENTS, fold
from shelfread.markdown.html import attributes

_TOP = lazy(
    r"(?i)[\W_]*(?:(?:(?:back|go|return|jump|scroll) )?(?:to (?:the )?)?top(?: of (?:the )?page)?|nach oben|zum anfang|"
    r"(?:retour )?en haut|haut de page|(?:volver )?arriba|(?:torna )?su|наверх|(?:回到|返回)(?:顶部|頂部|最上)|"
    r"(?:ページ)?トップ(?:[にへ]戻る)?|맨 위로(?: 가기)?)[\W_]*"
)
_UP = lazy(r"[\s⬆️↑⇧⇪⏫🔝🔼▲△^↥]*[⬆↑⇧⇪⏫🔝🔼▲△^↥][\s⬆️↑⇧⇪⏫🔝🔼▲△^↥]*")
_TOP_ANCHORS = frozenset(("", "top", "backtotop", "totop", "pagetop", "topofpage", "header", "start"))
_MOST_FILES = 50
_LEAST_LETTERS = 4


def says_top(text: str) -> bool:
    """Return whether the text of a link tells that it leads to the top of the page."""
    return _TOP.fullmatch(text) is not None or _UP.fullmatch(text) is not None


def is_surely_top(text: str, anchor: str) -> bool:
    """Return whether a link that says so can lead to nothing but the top of the page."""
    return _TOP.fullmatch(text) is not None and fold(anchor) in _TOP_ANCHORS


def is_title(document: Document, anchor: str) -> bool:
    """Return whether an anchor is made of the words of the picture that the page has as its title."""
    first = next(iter(document.links), None)
    if first is None or not first.image or document.source.text[: first.start].strip(" \t\r\n#"):
        return False
    tag = attributes(document.source.text[first.start : first.end]) if first.form == "html" else {}
    words = tag["alt"].value if "alt" in tag else plain_text(first.children)
    return fold(words or "") == fold(anchor) != ""


def anchors_beside(path: str, written: str, context: RuleContext) -> dict[str, str]:
    """Return the anchors of the files beside a file, beside the one that its link names, and above, with their file.

    `written` is the URL in the link without its fragment.
    """
    folder = posixpath.dirname(path)
    named = posixpath.normpath(posixpath.join(folder, unquote(written))) if written else path
    found: dict[str, str] = {}
    for place in dict.fromkeys((posixpath.dirname(named), folder, posixpath.dirname(folder))):
        beside = context.files_in(place)
        for file in sorted(beside, key=lambda file: _remoteness(file, named))[:_MOST_FILES]:
            for anchor in context.anchors(file) or () if file != named else ():
                found.setdefault(anchor, file)
    return found


def is_telling(anchor: str) -> bool:
    """Return whether an anchor is no short one that many files have."""
    return len(fold(anchor)) >= _LEAST_LETTERS and fold(anchor) not in CONTENTS


def _remoteness(file: str, path: str) -> tuple[bool, int, str]:
    """Return a key by which files with a similar name come first: of `guide-fr.md` `guide.md`, then `guide-it.md`."""
    stem, own = (posixpath.splitext(posixpath.basename(name))[0] for name in (file, path))
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(stem, own, strict=False)))
    return not own.startswith(stem), -common, file
