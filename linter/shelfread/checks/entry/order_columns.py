"""Tables that are sorted by another column than that of the names."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.checks.common.sequence import in_order, ranks
from shelfread.checks.entry.order_collations import fold
from shelfread.checks.entry.order_detection import Order
from shelfread.document.model import Entry
from shelfread.document.plain_text import plain_text


def is_by_another_column(run: Sequence[Entry], order: Order) -> bool:
    """Return whether the words of another column of a table are in order with fewer exceptions than its names."""
    if any(entry.block.kind != "row" for entry in run):
        return False
    cells = [[fold(plain_text(cell.inlines).strip()) for cell in entry.block.blocks] for entry in run]
    for column in zip(*cells, strict=False):
        words = [cell for cell in column if cell[:1].isalpha()]
        if len(words) < len(run) or len(set(words)) * 10 < len(words) * 9:
            continue
        values = ranks(words)
        sign = 1 if values[0] <= values[-1] else -1
        kept = in_order([sign * value for value in values])
        if len(run) - len(kept) < order.exceptions:
            return True
    return False
