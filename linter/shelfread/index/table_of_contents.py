"""The table of contents of a page: its blocks, their items, the headings that these link to, and titles as keys."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.non_entries import is_about_list
from shelfread.document.plain_text import plain_text
from shelfread.index.anchors import Landmark
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Link, all_links

LEAST_ITEMS = 3
_WORD = lazy(r"[^\W\d_]{2,}")
_SENTENCE = 4  # so many words before the link of an item are no label
_KINDS = frozenset({"list", "table", "html", "paragraph"})
_ONLY_MARKS = lazy(r"(?:[\s#>*_|-]|<[^<>]*>)*")
_FARTHEST = 300
_GENERATOR = lazy(
    r"(?i)<!--\s*(?:START\s+(doctoc)|(toc|ts|MarkdownTOC|vim-markdown-toc|AUTO-GENERATED|TOC_START))\b"
)

_NO_WORD = lazy(r"(?:[^\w+#]|_)+")
_NUMBERING = lazy(r"\W*\d{1,3}(?:\.\d{1,3})*(?:[.):、：](?!\d)\s*|\s+)")
# A number of entries or a translation behind a title: `(12)`, `[12]`.
_AFTERTHOUGHT = lazy(r"(?:(?<!\s)\s+)?(?:\([^()]*\)|（[^（）]*）|\[\d+\])\s*$")
# The folded titles of tables of contents.
CONTENTS = frozenset(
    "contents content tableofcontents toc index 目录 目錄 目次 목차 sommaire índice indice inhalt inhaltsverzeichnis "
    "содержание оглавление içindekiler".split()
)
# Headings that a table of contents may omit, beside those about the list itself.
_OPTIONAL = lazy(
    r"(?i)\W*(?:(?:table of )?contents?|toc|index|(?:back to )?top|licen[cs]es|credits?|thanks\b.*|目录|目錄|目次)\W*"
)


@lru_cache(maxsize=4096)  # every rule folds the same titles, which most items repeat
def fold(text: str) -> str:
    """Return a title without case, punctuation and emoji; `C`, `C++` and `C#` differ."""
    return _NO_WORD.sub("", text.casefold())


def core(title: str) -> str:
    """Return a title folded, without its numbering and the parentheses behind it, such as the number of entries."""
    words = _NUMBERING.sub("", title, count=1) if _NUMBERING.match(title) else title
    return fold(_AFTERTHOUGHT.sub("", words)) or fold(title)


class Heading(NamedTuple):
    """A heading of the page: `parent` is the index of the heading that it is below, -1 if there is none."""

    title: str
    slug: str
    level: int
    span: Span
    parent: int


class Item(NamedTuple):
    """A link in the table of contents to an anchor of the page."""

    text: str
    link: Link
    parent: int  # the index of the item that it is nested in, -1 if there is none
    # the index of the heading that it links to, -1 for another anchor, None if the anchor is missing.
    heading: int | None
    block: Block | None = None  # its list item, if there is no other link in it
    inside: Block | None = None  # the list that has this list item


class ContentsPart(NamedTuple):
    """A block of the table of contents; `generator` is the name in the comment of the tool that writes it."""

    block: Block
    items: tuple[Item, ...]
    generator: str
    is_large: (
        bool  # whether it is a table of contents without the other parts: by its size, or by its heading
    )


class Contents(NamedTuple):
    """The table of contents of a page, and all headings of the page in order."""

    headings: tuple[Heading, ...]
    parts: tuple[ContentsPart, ...]


def contents_of(document: Document, context: RuleContext) -> Contents | None:
    """Return the table of contents of a page, None if it has none."""
    if not any(link.url[:1] == "#" for link in document.links):
        return None
    return _contents(document, *context.own_anchors(document))


@lru_cache(maxsize=1)
def _contents(document: Document, landmarks: tuple[Landmark, ...], slugs: tuple[str, ...]) -> Contents | None:
    starts = sorted(link.start for link in document.links if link.url[:1] == "#")
    page: _Page | None = None
    parts = []
    for above, block in pairwise((None, *document.tree.blocks)):
        if (
            block is None
            or block.kind not in _KINDS
            or bisect_left(starts, block.start) == bisect_left(starts, block.end)
        ):
            continue
        links = [link for link in all_links((block,)) if not link.image]
        anchors = sum(1 for link in links if _is_anchor(link))
        least = 1 if block.kind != "paragraph" else LEAST_ITEMS
        if anchors < least or anchors * 10 < len(links) * 7:
            continue
        if _is_prose(block, links, document.source.text):
            continue
        page = page or _page(document.source.text, landmarks, slugs)
        items = tuple(_items(block, page))
        if len(items) >= least and _leads_below(items, block, page.headings):
            is_headed = (
                above is not None and above.kind == "heading" and fold(plain_text(above.inlines)) in CONTENTS
            )
            is_large = is_headed or len(items) >= LEAST_ITEMS
            parts.append(ContentsPart(block, items, _generator(document, block), is_large))
    if page is None or not any(part.is_large for part in parts):
        return None
    body = _body(parts, page.headings)
    return Contents(page.headings, tuple(part for part in parts if part.is_large or part.block.start < body))


def _body(parts: Sequence[ContentsPart], headings: Sequence[Heading]) -> int:
    """Return the offset of the first listed heading."""
    listed = (item.heading for part in parts if part.is_large for item in part.items)
    known = (headings[index] for index in listed if index is not None and index >= 0)
    return min((heading.span.start for heading in known), default=0)


def _is_anchor(link: Link) -> bool:
    return len(link.url) > 1 and link.url[0] == "#" and not link.image


def _is_prose(block: Block, links: Sequence[Link], text: str) -> bool:
    """Return whether links to headings stand in sentences: words lead up to the last of a paragraph, or to most of a list."""
    ends = (block.start, *(link.end for link in links))
    leads = (
        text[max(end, link.start - _FARTHEST) : link.start] for end, link in zip(ends, links, strict=False)
    )
    words = [len(_WORD.findall(lead.rpartition("\n")[2].rpartition(":")[2])) for lead in leads]
    if block.kind == "list":
        return sum(count >= _SENTENCE for count in words) * 2 > len(words)
    linked = sum(len(plain_text(link.children)) for link in links)
    return block.kind == "paragraph" and (words[-1] > 0 or len(plain_text(block.inlines)) > 2 * linked)


def _leads_below(items: Sequence[Item], block: Block, headings: Sequence[Heading]) -> bool:
    """Return whether at least four of five headings that a block links to are below it, but for the page's title and its own."""
    known = [item.heading for item in items if item.heading is not None and item.heading >= 0]
    above = bisect_left(headings, block.start, key=lambda heading: heading.span.start)
    below = sum(headings[index].span.start >= block.end for index in known)
    own = {index for index in (0, above - 1) if index < above}.intersection(known)
    return below * 5 >= (len(known) - len(own)) * 4 and bool(below or not known)


class _Page:
    """The headings of a page, and the index of the heading for each anchor; -1 for anchors of no heading."""

    def __init__(self, headings: tuple[Heading, ...], anchors: dict[str, int]) -> None:
        self.headings, self.anchors = headings, anchors

    @cached_property
    def folded(self) -> dict[str, int | None]:
        """The headings by folded anchor; None if two differ only by folding."""
        folded: dict[str, int | None] = {}
        for anchor, heading in self.anchors.items():
            key = fold(anchor)
            folded[key] = heading if folded.get(key, heading) == heading else None
        return folded

    def find(self, url: str) -> int | None:
        anchor = unquote(url[1:]).removeprefix("user-content-")
        found = self.anchors.get(anchor)
        return found if found is not None else self.folded.get(fold(anchor))


def _page(text: str, landmarks: Sequence[Landmark], slugs: Sequence[str]) -> _Page:
    headings: list[Heading] = []
    above: list[int] = []
    anchors: dict[str, int] = {}
    for landmark, slug in zip(landmarks, slugs, strict=True):
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
            anchors.setdefault(landmark.text, _heading_of_id(landmark, headings, starts, text))
    return _Page(tuple(headings), anchors)


def _heading_of_id(landmark: Landmark, headings: Sequence[Heading], starts: Sequence[int], text: str) -> int:
    """Return the index of the heading that an id is in, right above or right below; -1 for none."""
    after = bisect_right(starts, landmark.start)
    before = headings[after - 1].span if after else None
    if before is not None and landmark.start < before.end:
        return after - 1
    if after < len(headings) and _adjoin(landmark.end, headings[after].span.start, text):
        return after
    return after - 1 if before is not None and _adjoin(before.end, landmark.start, text) else -1


def _adjoin(start: int, end: int, text: str) -> bool:
    return start <= end <= start + _FARTHEST and bool(_ONLY_MARKS.fullmatch(text, start, end))


def _items(block: Block, page: _Page) -> Iterator[Item]:
    if block.kind == "list":
        found: list[Item] = []
        _collect(block, -1, page, found)
        yield from found
    else:
        for link in filter(_is_anchor, all_links((block,))):
            yield Item(plain_text(link.children), link, -1, page.find(link.url))


def _collect(block: Block, parent: int, page: _Page, found: list[Item]) -> None:
    """Collect the items of a list: every link to an anchor; one that is alone in its list item has it as `block`."""
    for item in block.blocks:
        own = len(found)
        for inner in item.blocks:
            if inner.kind == "list":
                _collect(inner, own if own < len(found) else parent, page, found)
            elif inner.inlines:
                links = [link for link in all_links((inner,)) if not link.image]
                blocks = (item, block) if len(links) == 1 and own == len(found) else ()
                for link in filter(_is_anchor, links):
                    text = plain_text(link.children)
                    found.append(Item(text, link, parent, page.find(link.url), *blocks))


def _generator(document: Document, block: Block) -> str:
    """Return the name in a generator's comment above a block; empty if there is none."""
    comments = document.tree.comments
    before = bisect_right(comments, block.start, key=lambda comment: comment.start)
    for comment in reversed(comments[max(0, before - 2) : before]):
        match = _GENERATOR.match(comment.value)
        if match is not None and block.start - comment.end < _FARTHEST:
            return match[1] or match[2]
    return ""


def is_section(title: str) -> bool:
    """Return whether a heading is one that a table of contents lists."""
    return bool(fold(title)) and not is_about_list(title) and not _OPTIONAL.fullmatch(title)
