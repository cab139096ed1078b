"""Whether edits altered only what they declared: a text's words, links and blocks, before and after.

Both trees are flattened to lexemes in document order. What no edit declared must be the same sequence;
what came and went within the zone of an edit is booked to its account and judged by its declared effect.
Blocks and links are compared even within an edit's zone, unless its effect is one of the wide ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.conservation.account import divide, judge
from shelfread.conservation.verdict import compare
from shelfread.conservation.zone import find_zones
from shelfread.diagnostic import Edit, Effect
from shelfread.syntax.node import Tree


def check(before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]) -> str | None:
    """None when the edits altered only what they declare, else what they would do, in words."""
    zones = find_zones(before, before_text, edits)
    old = divide(before, before_text, zones, is_old=True)
    new = divide(after, after_text, zones, is_old=False)
    if reason := compare(old.kept, new.kept, before_text):
        return reason
    effects: dict[int, list[Effect]] = {}
    for zone in zones:
        effects.setdefault(zone.account, []).extend(zone.effects)
    for account, declared in effects.items():
        if reason := judge(declared, new.accounts[account], old.accounts[account]):
            return reason
    return None
