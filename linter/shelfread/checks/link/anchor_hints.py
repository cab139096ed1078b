"""What a missing anchor may mean: one that resembles it, or one in a file beside it."""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.model import Document
from shelfread.document.passages import Address
from shelfread.document.plain_text import plain_text
from shelfread.index.anchors import Landmark
from shelfread.index.context import RuleContext
from shelfread.index.pages import linked_page
from shelfread.index.table_of_contents import CONTENTS, core, fold
from shelfread.markdown.node import Link

_COUNT = lazy(r"-\d+$")
_COUNTED = lazy(r"[(（\[]\s*\d+\s*[)）\]]\W*$")
_TOP = lazy(r"(?i)[\W_]*(?:(?:back|go|return|jump|scroll) )?(?:to (?:the )?)?top(?: of (?:the )?page)?[\W_]*")
_MARKS = frozenset("[]()（）<>*`$:")  # an id with one of them is a slip itself: no link should get it
_JOINERS = "-\ufe0f\u200d"
_MOST_BESIDE = 50
_LEAST_LETTERS = 4
_LEAST_IN_LONGER = 3  # letters of an anchor that is a part of one other
# The most files with missing anchors that one file links to, beside which other files are looked at.
_MOST_FILES = 20
# What bounds the search for similar anchors, as comparing two is slow: the characters of one, the anchors with one word or
# beginning that are looked at, and those that are compared.
_MOST_LETTERS, _MOST_WITH_PART, _MOST_COMPARED = 120, 50, 20
_PART_LETTERS = 3


class Hint(NamedTuple):
    """The anchor that a missing one is to be replaced by."""

    message: str
    anchor: str = ""
    is_certain: bool = False
    file: str = ""


class AnchoredPage:
    """The anchors of a page. The landmarks are what they are made of, in the same order."""

    def __init__(self, landmarks: Sequence[Landmark], anchors: Sequence[str]) -> None:
        self.landmarks, self.anchors = landmarks, anchors
        # the missing anchors that were compared with all others, with those that they resemble.
        self.compared: dict[str, list[str]] = {}
        self._known = frozenset(anchors)

    def has(self, anchor: str) -> bool:
        return anchor in self._known or anchor.removeprefix("user-content-") in self._known

    def same_letters(self, anchor: str) -> str | None:
        """Return the only anchor that differs in nothing but case, punctuation and emoji."""
        same = self._folded.get(_letters(anchor), []) if _letters(anchor) else []
        lower = [known for known in same if known.casefold() == anchor.casefold()]
        if len(lower) == 1:
            return lower[0]
        return same[0] if len(same) == 1 else None

    def named(self, anchor: str, text: str) -> str | None:
        """Return the anchor of the only heading with the words of an anchor or text, without numbering, emoji and counts."""
        words = anchor.replace("-", " ")
        for name in (core(words), core(_COUNT.sub("", anchor).replace("-", " ")), core(text)):
            found = self._by_core.get(name, [])
            if len(found) == 1:
                return found[0]
        return None

    def similar(self, anchor: str, taken: Collection[str]) -> str | None:
        """Return the most similar anchor that is similar enough, and not one of those that other links name."""
        from difflib import get_close_matches

        wanted = anchor.lower().strip(_JOINERS)
        if anchor not in self.compared:
            candidates = self._candidates(wanted)
            close = get_close_matches(wanted, candidates, n=3, cutoff=0.8)
            self.compared[anchor] = close or _longer(wanted, candidates)
        for near in self.compared[anchor]:
            found = self._trimmed[near]
            if len(found) == 1 and found[0] not in taken and _may_be_meant(wanted, near):
                return found[0]
        return None

    def _candidates(self, wanted: str) -> list[str]:
        """Return the anchors that share most words, beginnings and endings with a missing one."""
        if len(wanted) > _MOST_LETTERS:
            return []
        shares = Counter(
            near for part in _parts(wanted) for near in self._by_part.get(part, ())[:_MOST_WITH_PART]
        )
        return [near for near, _ in shares.most_common(_MOST_COMPARED)]

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        folded: dict[str, list[str]] = defaultdict(list)
        for known in sorted(filter(_MARKS.isdisjoint, self._known)):
            folded[_letters(known)].append(known)
        return folded

    @cached_property
    def _by_core(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for landmark, anchor in zip(self.landmarks, self.anchors, strict=True):
            if landmark.heading:
                found[core(landmark.text)].append(anchor)
        found.pop("", None)
        return found

    @cached_property
    def _by_part(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for known in self._trimmed:
            for part in _parts(known) if len(known) <= 2 * _MOST_LETTERS else ():
                found[part].append(known)
        return found

    @cached_property
    def _trimmed(self) -> dict[str, list[str]]:
        """The anchors by what is left of them without the remains of emoji and of the number of entries."""
        found: dict[str, list[str]] = defaultdict(list)
        for landmark, anchor in zip(self.landmarks, self.anchors, strict=True):
            is_counted = landmark.heading and _COUNTED.search(landmark.text) is not None
            if _MARKS.isdisjoint(anchor):
                found[(_COUNT.sub("", anchor) if is_counted else anchor).strip(_JOINERS)].append(anchor)
        return found


def _parts(anchor: str) -> Iterable[str]:
    """Return the words of an anchor, with what each begins and ends with."""
    words = anchor.lower().split("-")
    ends = (
        part for word in words for part in (word, f"{word[:_PART_LETTERS]}-", f"-{word[-_PART_LETTERS:]}")
    )
    return dict.fromkeys(ends)


def _longer(wanted: str, others: Iterable[str]) -> list[str]:
    """Return the only anchor that has the words of another one and at most as many more."""
    most = 2 * len(wanted.split("-"))  # blanks around a sign make `cli--code` of two words
    found = [
        each
        for each in others
        if f"-{wanted}-" in f"-{each}-" and len([*filter(None, each.split("-"))]) <= most
    ]
    return found if len(found) == 1 and len(wanted) >= _LEAST_IN_LONGER and wanted not in CONTENTS else []


def _letters(anchor: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFC", anchor).casefold()))


def _may_be_meant(anchor: str, other: str) -> bool:
    """Return whether anchors differ in the spelling of a word or in words that one of them lacks."""
    from difflib import SequenceMatcher

    first, second = anchor.split("-"), other.split("-")
    left = "".join(word for word in first if word not in second)
    right = "".join(word for word in second if word not in first)
    if not left or not right:
        return True
    return not (left.isdigit() or right.isdigit()) and SequenceMatcher(None, left, right).ratio() >= 0.5


def anchors_beside(path: str, written: str, context: RuleContext) -> dict[str, str]:
    """Return the anchors, with their files, beside a file, beside the one that its link (`written`) names, and above."""
    folder = posixpath.dirname(path)
    named = posixpath.normpath(posixpath.join(folder, unquote(written))) if written else path
    found: dict[str, str] = {}
    for place in dict.fromkeys((posixpath.dirname(named), folder, posixpath.dirname(folder))):
        beside = context.project.location.by_folder.get(place, ())
        for file in sorted(beside, key=lambda file: _remoteness(file, named))[:_MOST_BESIDE]:
            for anchor in context.anchors(file) or () if file != named else ():
                found.setdefault(anchor, file)
    return found


def is_telling(anchor: str) -> bool:
    """Return whether an anchor is no short one that many files have."""
    return len(fold(anchor)) >= _LEAST_LETTERS and fold(anchor) not in CONTENTS


def _remoteness(file: str, path: str) -> tuple[bool, int, str]:
    """Return a key by which files with a similar name come first: of `guide-fr.md` `guide.md`, then `guide-it.md`."""
    from rapidfuzz.distance import Prefix  # few lists have missing anchors

    stem, own = (posixpath.splitext(posixpath.basename(name))[0] for name in (file, path))
    return not own.startswith(stem), -Prefix.similarity(stem, own), file


class Hints:
    """What a missing anchor of a file may mean."""

    def __init__(self, document: Document, context: RuleContext) -> None:
        self.document = document
        self.context = context
        self.beside: dict[str, dict[str, str]] = {}

    def find(self, address: Address, anchor: str, page: AnchoredPage) -> Hint:
        """Return the best hint for a link to a page that lacks its anchor."""
        if near := page.same_letters(anchor):
            return Hint("misspelled", near, is_certain=True)
        link = self._links.get(address.span)
        text = plain_text(link.children) if link is not None else ""
        if near := page.named(anchor, text):
            return Hint(
                "similar", near, is_certain=fold(text) == fold(near) and is_slip(anchor.lower(), near)
            )
        if near := page.similar(anchor, self._taken(link, text, anchor)):
            return Hint("similar", near)
        if address.url[0] == "#" and _TOP.fullmatch(text):
            return Hint("top", "top")
        file = self._beside(address.url.partition("#")[0]).get(anchor) if is_telling(anchor) else None
        return Hint("elsewhere", file=file) if file is not None else Hint("missing")

    def _beside(self, written: str) -> dict[str, str]:
        path = self.document.source.path or ""
        if written not in self.beside and len(self.beside) < _MOST_FILES:
            self.beside[written] = anchors_beside(path, written, self.context)
        return self.beside.get(written, {})

    def _taken(self, link: Link | None, text: str, anchor: str) -> Collection[str]:
        """Return the anchors that other links beside a link name, if its own text names its anchor."""
        if link is None or fold(text) != fold(anchor):
            return frozenset()
        return self._named.get(self._section_of(link), frozenset())

    def _section_of(self, link: Link) -> int:
        return bisect_right(self.document.sections, link.start, key=lambda section: section.span.start)

    @cached_property
    def _links(self) -> dict[Span, Link]:
        return {link.destination: link for link in self.document.links if link.destination is not None}

    @cached_property
    def _named(self) -> dict[int, set[str]]:
        """The anchors that are named by the text of their link, by the heading that it is below."""
        found: dict[int, set[str]] = {}
        for link in self.document.links:
            if link.url[:1] == "#" and fold(plain_text(link.children)) == fold(unquote(link.url[1:])):
                found.setdefault(self._section_of(link), set()).add(unquote(link.url[1:]))
        return found


def page_of(file: str, path: str, document: Document, context: RuleContext) -> AnchoredPage | None:
    """Return the page that a URL without its fragment leads to; None if the project has none."""
    name = linked_page(file, path, context) if file else context.project.collector(path)
    if name is None:
        return None if file else AnchoredPage(*context.own_anchors(document))
    anchors = context.anchors(name)
    if anchors is None and file:
        return None
    return AnchoredPage(context.landmarks(name), anchors or ())
