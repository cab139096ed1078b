"""The blocks of GitHub's parser while they are read."""

from __future__ import annotations


class Node:
    """A block: `attributes` are what it shows beside its content, `lines` its content as far as it was read."""

    __slots__ = (
        "attributes",
        "blocks",
        "ends_blank",
        "first",
        "is_open",
        "kind",
        "lines",
        "numbers",
        "parent",
    )

    def __init__(self, kind: str, parent: Node | None, first: int) -> None:
        self.kind = kind
        self.parent = parent
        self.first = first
        self.is_open = True
        self.ends_blank = False
        self.attributes: tuple[object, ...] = ()
        self.numbers: tuple[int, ...] = ()
        """Of an item its marker's column and width; of a fence its indentation and length; the kind of HTML."""
        self.blocks: list[Node] = []
        self.lines: list[str] = []

    def can_contain(self, kind: str) -> bool:
        """Return whether a block of a kind can be below this one."""
        if self.kind in ("document", "quote", "footnote", "item"):
            return kind not in ("item", "row")
        return (self.kind, kind) in (("list", "item"), ("table", "row"))

    @property
    def is_tight(self) -> bool:
        """Return whether no blank line is between the items of this list or the blocks of one."""
        for index, item in enumerate(self.blocks):
            has_next = index + 1 < len(self.blocks)
            if item.ends_blank and has_next:
                return False
            for number, block in enumerate(item.blocks):
                if (has_next or number + 1 < len(item.blocks)) and _ends_with_blank_line(block):
                    return False
        return True


def _ends_with_blank_line(node: Node) -> bool:
    while node.kind in ("list", "item") and node.blocks:
        node = node.blocks[-1]
    return node.ends_blank
