"""Blocks with their siblings."""

from __future__ import annotations

from functools import lru_cache

from shelfread.document.model import Document
from shelfread.markdown.node import Block


@lru_cache(maxsize=1)
def levels(document: Document) -> list[tuple[Block, ...]]:
    """Return the blocks of the document, and of each quote and item with several blocks, at any depth."""
    found = []
    waiting = [document.tree.blocks]
    while waiting:
        found.append(waiting.pop())
        for block in found[-1]:
            if block.kind == "list":
                waiting += [item.blocks for item in block.blocks if len(item.blocks) > 1]
            elif block.kind == "quote":
                waiting.append(block.blocks)
    return found
