"""Legends above a table: lists of the keys that stand in its cells, `- J: Journal`, and the bold line that introduces them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shelfread.core.patterns import lazy
from shelfread.document.item_reader import first_inlines
from shelfread.document.non_entries import leads_elsewhere
from shelfread.document.outline import bold_title
from shelfread.document.plain_text import plain_text
from shelfread.markdown.node import Block, all_links

_KEY = lazy(r"\W{0,2}([^\s:=|,–—-]{1,3})\W{0,2}?\s?(?:[:=：]|\s[–—-])\s")
_BETWEEN_KEYS = lazy(r"[\s,;/|&+]+")


def find_legends(blocks: Sequence[Block]) -> frozenset[int]:
    """Return the indexes of the legends' lists and of their bold lines."""
    found: set[int] = set()
    for table in (index for index, block in enumerate(blocks) if block.kind == "table"):
        cells = [plain_text(cell.inlines) for row in blocks[table].blocks[1:] for cell in row.blocks[1:]]
        used = {key for cell in cells for key in _BETWEEN_KEYS.split(cell.strip())}
        lists = set[int]()
        top = table - 1
        while top >= 0 and bold_title(blocks[top]) is None:
            if _explains(blocks[top], used):
                lists.add(top)
            elif blocks[top].kind != "paragraph" or any(map(leads_elsewhere, all_links((blocks[top],)))):
                break
            top -= 1
        is_introduced = bool(lists) and top >= 0 and bold_title(blocks[top]) is not None
        found |= lists | ({top} if is_introduced else set())
    return frozenset(found)


def _explains(block: Block, used: Collection[str]) -> bool:
    """Return whether a list explains keys, of which the table uses the most."""
    if block.kind != "list" or len(block.blocks) < 2:
        return False
    keys = [_KEY.match(plain_text(first_inlines(item))) for item in block.blocks]
    return all(keys) and 2 * sum(key is not None and key[1] in used for key in keys) >= len(keys)
