"""Check that edits change only what they declare: a text's words, links and blocks, before and after.

Both trees are flattened to tokens in document order. Tokens that no edit declares must be the same sequence.
What is added and removed within the scope of an edit is counted, and judged by the edit's declared effect.
Blocks and links are compared even within the scope of an edit, unless its effect is one of the wide ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Edit, Effect
from shelfread.fixes.verify.account import Side, find_undeclared
from shelfread.fixes.verify.describe import describe_difference
from shelfread.fixes.verify.edit_scope import find_edit_scopes
from shelfread.markdown.node import Tree


def find_damage(
    before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]
) -> str | None:
    """Return what edits change without declaring it, in words; None if nothing."""
    scopes = find_edit_scopes(before, before_text, edits)
    old = Side(before, before_text, scopes, is_old=True)
    new = Side(after, after_text, scopes, is_old=False)
    # Lines that no edit touches are read word by word only if there is a difference.
    if old.references == new.references and _compare(old, new, coarse=True) is None:
        return None
    return _compare(old, new, coarse=False)


def _compare(old: Side, new: Side, *, coarse: bool) -> str | None:
    kept, removed = old.divide(coarse=coarse)
    still_there, added = new.divide(coarse=coarse)
    if reason := describe_difference(kept, still_there, old.text):
        return reason
    effects: dict[int, list[Effect]] = {}
    for scope in old.scopes:
        effects.setdefault(scope.account, []).extend(scope.effects)
    for account, declared in effects.items():
        if reason := find_undeclared(declared, added[account], removed[account]):
            return reason
    return None
