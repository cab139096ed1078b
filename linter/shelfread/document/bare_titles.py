"""Lists of titles and nothing else: what a conference accepted, without links."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.document.plain_text import plain_text
from shelfread.markdown.node import Block, all_links

_MIN_TITLES, _TITLES, _MAX_LINKED = 20, 0.7, 0.2
"""So many items without links are titles, and so large a share, and no more than this share have a link."""
_WORDS = range(3, 31)
_CAPITALS = 0.6
"""The share of the longer words that begin with a capital."""


def lists_titles(blocks: tuple[Block, ...], links: int) -> bool:
    """Return whether the items of a document, which has so many links, are titles without links, and no prose."""
    items = [item for block in blocks if block.kind == "list" for item in leaves(block)]
    if links > len(items):
        return False  # most lists
    firsts = [next(iter(all_links((item,))), None) for item in items]
    bare = [item for item, link in zip(items, firsts, strict=True) if link is None]
    others = sum(1 for link in firsts if link is not None and link.url[:1] != "#")
    if len(bare) < _MIN_TITLES or others > _MAX_LINKED * (len(bare) + others):
        return False
    return sum(map(_is_title, bare)) >= _TITLES * len(bare)


def leaves(block: Block) -> Iterator[Block]:
    """Yield the items of a list and of the lists in it, without those that only hold a list."""
    for item in block.blocks:
        lists = [child for child in item.blocks if child.kind == "list"]
        if lists and not any(all_links(item.blocks[:1])):
            for child in lists:
                yield from leaves(child)
        else:
            yield item


def _is_title(item: Block) -> bool:
    """Return whether an item is some words of which most begin with a capital, and no sentence."""
    text = plain_text(item.blocks[0].inlines) if item.blocks else ""
    words = text.split()
    longer = [word for word in words if len(word) > 3 and word[0].isalpha()]
    if len(words) not in _WORDS or len(longer) < 2 or text.endswith((".", ":", ";", ",", "!", "。")):
        return False
    return sum(word[0].isupper() for word in longer) >= _CAPITALS * len(longer)
