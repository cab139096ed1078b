"""Links to anchors that no page of the project has."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote, unquote

from shelfread.checks.link.filesystem import find_root
from shelfread.checks.link.local_url import TEMPLATE, is_local
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import Address, odd_addresses
from shelfread.document.model import Document
from shelfread.index.anchors.anchors import find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.project.files import SUFFIXES

# Anchors that GitHub adds to every page.
_BUILT_IN = lazy(
    r"(?i)top|readme|[\w-]+-ov-file|start-of-content|repo-content-\w+-container|js-repo-pjax-container|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?"
    r"|fn(?:ref)?[-:]?[\w-]+|:~:.*"
)
_READMES = ("README.md", "readme.md", "Readme.md")
_MOST_COMPARED = 100
"""The most anchors of one file that are compared with all others, which is slow."""


def missing_anchor(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield links to `#x` where no heading, id or name of the page makes this anchor."""
    pages: dict[str, _Page | None] = {}
    comparisons = _MOST_COMPARED
    linked = [
        address
        for address in context.table(odd_addresses, document)
        if "#" in address.url and "://" not in address.url
    ]
    is_template = bool(linked) and any("{" in link.url for link in document.links)
    path = document.source.path or ""
    for address in linked:
        url = address.url
        if is_template and url[0] == "#":
            continue
        file, _, fragment = url.partition("#")
        anchor = unquote(fragment)
        if not fragment or _BUILT_IN.fullmatch(anchor) or anchor[0] in "/!" or TEMPLATE.search(url):
            continue
        if file not in pages:
            pages[file] = _page(file, path, document, context)
        page = pages[file]
        if page is None or page.has(anchor):
            continue
        near = page.same_letters(anchor)
        is_certain = near is not None
        if near is None and comparisons > 0:
            comparisons -= 1
            near = page.similar(anchor)
        yield _diagnostic(address, near, is_certain, document.source.text)


class _Page:
    """The anchors of a page."""

    def __init__(self, anchors: Sequence[str]) -> None:
        self.anchors = frozenset(anchors)
        self._folded: dict[str, list[str]] | None = None

    def has(self, anchor: str) -> bool:
        return anchor in self.anchors or anchor.removeprefix("user-content-") in self.anchors

    def same_letters(self, anchor: str) -> str | None:
        """Return the only anchor that differs in nothing but case and punctuation."""
        if self._folded is None:
            self._folded = {}
            for known in sorted(self.anchors):
                self._folded.setdefault(_fold(known), []).append(known)
        same = self._folded.get(_fold(anchor), []) if _fold(anchor) else []
        lower = [known for known in same if known.casefold() == anchor.casefold()]
        if len(lower) == 1:
            return lower[0]
        return same[0] if len(same) == 1 else None

    def similar(self, anchor: str) -> str | None:
        """Return the most similar anchor that is similar enough."""
        from difflib import get_close_matches

        anchor = anchor.lower()
        near = get_close_matches(anchor, self.anchors, n=3, cutoff=0.8)
        return next((known for known in near if _may_be_meant(anchor, known)), None)


def _may_be_meant(anchor: str, other: str) -> bool:
    """Return whether anchors differ in the spelling of a word or in words that one of them lacks."""
    from difflib import SequenceMatcher

    first, second = anchor.split("-"), other.split("-")
    left = "".join(word for word in first if word not in second)
    right = "".join(word for word in second if word not in first)
    if not left or not right:
        return True
    return not (left.isdigit() or right.isdigit()) and SequenceMatcher(None, left, right).ratio() >= 0.5


def _fold(anchor: str) -> str:
    return "".join(filter(str.isalnum, anchor.casefold()))


def _page(file: str, path: str, document: Document, context: RuleContext) -> _Page | None:
    """Return the page that a URL without its fragment leads to; None if the project has none."""
    if not file:
        own = context.project.anchors(path)
        return _Page(slug_landmarks(find_landmarks(document), context.project.slugs) if own is None else own)
    if not is_local(file):
        return None
    if file.startswith("/"):
        root, is_git_root = find_root(path, context.project.location.folder)
        if not is_git_root:
            return None
        name = os.path.relpath(os.path.join(root, unquote(file).lstrip("/"))).replace(os.sep, "/")
    else:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
    if not name.lower().endswith(SUFFIXES):  # GitHub shows the README of a folder
        readmes = [readme for readme in _READMES if f"{name}/{readme}" in context.project.facts]
        name = f"{name}/{readmes[0]}" if len(readmes) == 1 else name
    anchors = context.project.anchors(name)
    return None if anchors is None else _Page(anchors)


def _diagnostic(address: Address, near: str | None, is_certain: bool, text: str) -> RawDiagnostic:
    if near is None:
        return RawDiagnostic(address.span, {"target": address.url}, message="missing")
    file, _, fragment = address.url.partition("#")
    anchor = quote(near, safe="") if "%" in fragment or re.search(r"[\s()<>%\\]", near) else near
    start, end = address.span
    edits: tuple[Edit, ...] = ()
    if text[start:end] == address.url:
        effect = Effect(Change.DESTINATION, address.url, f"{file}#{anchor}")
        edits = (Edit(end - len(fragment), end, anchor, effect),)
    differs_in_case = near.casefold() == unquote(fragment).casefold()
    return RawDiagnostic(
        address.span,
        {"target": address.url, "anchor": anchor},
        edits,
        Applicability.SAFE if is_certain else Applicability.UNSAFE,
        Severity.INFO if differs_in_case else Severity.ERROR,
        message="case" if differs_in_case else "misspelled" if is_certain else "similar",
    )
