"""Whether edits altered only what they declared: a text's words, links and blocks, before and after.

Both trees are flattened to lexemes in document order. What no edit declared must be the same sequence;
what came and went within the zone of an edit is booked to its account and judged by its declared effect.
Blocks and links are compared even within an edit's zone, unless its effect is one of the wide ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Edit, Effect
from shelfread.fixes.verify.account import Side, judge
from shelfread.fixes.verify.describe import compare
from shelfread.fixes.verify.edit_scope import find_edit_scopes
from shelfread.markdown.node import Tree


def find_damage(
    before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]
) -> str | None:
    """None when the edits altered only what they declare, else what they would do, in words."""
    zones = find_edit_scopes(before, before_text, edits)
    old = Side(before, before_text, zones, is_old=True)
    new = Side(after, after_text, zones, is_old=False)
    # Lines that nobody touched are the same when all else is; only what differs is read word by word.
    if old.references == new.references and _examine(old, new, coarse=True) is None:
        return None
    return _examine(old, new, coarse=False)


def _examine(old: Side, new: Side, *, coarse: bool) -> str | None:
    kept, lost = old.divide(coarse=coarse)
    still_there, gained = new.divide(coarse=coarse)
    if reason := compare(kept, still_there, old.text):
        return reason
    effects: dict[int, list[Effect]] = {}
    for zone in old.zones:
        effects.setdefault(zone.account, []).extend(zone.effects)
    for account, declared in effects.items():
        if reason := judge(declared, gained[account], lost[account]):
            return reason
    return None
