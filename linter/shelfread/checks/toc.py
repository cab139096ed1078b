"""The table of contents that a page may have: its parts, their items, and the headings that these lead to."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.diagnostic import Span
from shelfread.document.links import all_links
from shelfread.document.model import Document
from shelfread.document.printed import plain
from shelfread.pattern import lazy
from shelfread.survey.anchors import Landmark, find_landmarks, slug_landmarks
from shelfread.syntax.node import Block, Link

LEAST_ITEMS = 3
_ANCHOR = re.compile(r"""(?:\]\(<?|\bhref\s*=\s*["']?)#""", re.IGNORECASE)
_ONLY_MARKS = lazy(r"(?:[\s#>*_|-]|<[^<>]*>)*")
_FARTHEST = 300
_GENERATOR = lazy(
    r"<!--\s*(?:START\s+(doctoc)\b|(?:toc|ts|MarkdownTOC|vim-markdown-toc|AUTO-GENERATED|TOC_START)\b)",
    re.IGNORECASE,
)


class Heading(NamedTuple):
    """A heading of the page: `parent` is the index of the one above it, -1 if there is none."""

    title: str
    slug: str
    level: int
    span: Span
    parent: int


class Item(NamedTuple):
    """A link of the contents to a place of the page.

    `block` is its list item, if it has one to itself, and `inside` the list that this is in; `parent` is the index
    of the item that it is nested in, -1 if there is none. `heading` is the index of the heading that it leads to, -1 where it leads to another place
    of the page, None where it leads nowhere.
    """

    text: str
    link: Link
    parent: int
    heading: int | None
    block: Block | None = None
    inside: Block | None = None


class Part(NamedTuple):
    """A block of contents; `generator` is the tool that writes it, if one does."""

    block: Block
    items: tuple[Item, ...]
    generator: str


class Contents(NamedTuple):
    """The contents of a page, and all its headings in order."""

    headings: tuple[Heading, ...]
    parts: tuple[Part, ...]


def fold(text: str) -> str:
    """A title without what contents leave out: case, punctuation, emoji."""
    return "".join(filter(str.isalnum, text.casefold()))


@lru_cache(maxsize=1)  # one rule after the other asks for those of one document
def contents_of(document: Document, slugs: str = "github") -> Contents | None:
    """The contents of a page, if it has some; `slugs` is how anchors are made."""
    text = document.source.text
    found = _ANCHOR.finditer(text)
    if sum(1 for _, _ in zip(found, range(LEAST_ITEMS), strict=False)) < LEAST_ITEMS:
        return None
    page: _Page | None = None
    parts = []
    for block in document.tree.blocks:
        if (
            block.kind not in ("list", "table", "html", "paragraph")
            or "#" not in text[block.start : block.end]
        ):
            continue
        links = [link for link in all_links((block,)) if not link.image]
        anchors = sum(1 for link in links if _is_anchor(link))
        if anchors < LEAST_ITEMS or anchors * 10 < len(links) * 7:
            continue
        page = page or _page(document, slugs)
        items = tuple(_items(block, page))
        if len(items) >= LEAST_ITEMS and _leads_below(items, block, page.headings):
            parts.append(Part(block, items, _generator(document, block)))
    return Contents(page.headings, tuple(parts)) if page is not None and parts else None


def _is_anchor(link: Link) -> bool:
    return len(link.url) > 1 and link.url[0] == "#" and not link.image


def _leads_below(items: Sequence[Item], block: Block, headings: Sequence[Heading]) -> bool:
    """Whether nearly all that a block leads to stands below it."""
    known = [
        headings[item.heading].span.start for item in items if item.heading is not None and item.heading >= 0
    ]
    return sum(1 for start in known if start >= block.end) * 5 >= len(known) * 4


# ------------------------------------------------------------------------------------------- the page


class _Page(NamedTuple):
    """The headings of a page, and what its anchors lead to: a heading's index, or -1."""

    headings: tuple[Heading, ...]
    anchors: dict[str, int]
    folded: dict[str, int | None]
    """By the anchor folded; None where two have the same."""

    def find(self, url: str) -> int | None:
        anchor = unquote(url[1:]).removeprefix("user-content-")
        found = self.anchors.get(anchor)
        return found if found is not None else self.folded.get(fold(anchor))


def _page(document: Document, slugs: str) -> _Page:
    landmarks = tuple(find_landmarks(document))
    headings: list[Heading] = []
    above: list[int] = []
    anchors: dict[str, int] = {}
    for landmark, slug in zip(landmarks, slug_landmarks(landmarks, slugs), strict=True):
        if landmark.heading:
            while above and headings[above[-1]].level >= landmark.level:
                above.pop()
            anchors.setdefault(slug, len(headings))
            span = Span(landmark.start, landmark.end)
            title = " ".join(landmark.text.split())
            headings.append(Heading(title, slug, landmark.level, span, above[-1] if above else -1))
            above.append(len(headings) - 1)
    starts = [heading.span.start for heading in headings]
    for landmark in landmarks:
        if not landmark.heading:
            anchors.setdefault(landmark.text, _marked(landmark, headings, starts, document.source.text))
    folded: dict[str, int | None] = {}
    for anchor, heading in anchors.items():
        key = fold(anchor)
        folded[key] = heading if folded.get(key, heading) == heading else None
    return _Page(tuple(headings), anchors, folded)


def _marked(landmark: Landmark, headings: Sequence[Heading], starts: Sequence[int], text: str) -> int:
    """The heading that an id stands for: the one that it is in, right above or right below; -1 for none."""
    at = bisect_right(starts, landmark.start)
    before = headings[at - 1].span if at else None
    if before is not None and landmark.start < before.end:
        return at - 1
    if at < len(headings) and _adjoin(landmark.end, headings[at].span.start, text):
        return at
    return at - 1 if before is not None and _adjoin(before.end, landmark.start, text) else -1


def _adjoin(start: int, end: int, text: str) -> bool:
    return start <= end <= start + _FARTHEST and bool(_ONLY_MARKS.fullmatch(text, start, end))


# ------------------------------------------------------------------------------------------- the items


def _items(block: Block, page: _Page) -> Iterator[Item]:
    if block.kind == "list":
        found: list[Item] = []
        _collect(block, -1, page, found)
        yield from found
    else:
        for link in all_links((block,)):
            if _is_anchor(link):
                yield Item(plain(link.children), link, -1, page.find(link.url))


def _collect(block: Block, parent: int, page: _Page, found: list[Item]) -> None:
    """The items of a list: the first link of each, and the further ones, which have none to themselves."""
    for item in block.blocks:
        own = len(found)
        for inner in item.blocks:
            if inner.kind == "list":
                _collect(inner, own if own < len(found) else parent, page, found)
            elif inner.inlines:
                links = [link for link in all_links((inner,)) if not link.image]
                alone = len(links) == 1 and own == len(found)
                for link in links:
                    if _is_anchor(link):
                        place = (item, block) if alone else ()
                        found.append(Item(plain(link.children), link, parent, page.find(link.url), *place))


def _generator(document: Document, block: Block) -> str:
    """The tool that writes a block: the comment above it says so."""
    comments = document.tree.comments
    at = bisect_right(comments, block.start, key=lambda comment: comment.start)
    for comment in reversed(comments[max(0, at - 2) : at]):
        match = _GENERATOR.match(comment.value)
        if match is not None and block.start - comment.end < _FARTHEST:
            return match[1] or "its generator"
    return ""
