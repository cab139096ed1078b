"""Check that edits change only what they declare: a text's words, links and blocks, before and after.

Both trees are flattened to tokens in document order. Tokens that no edit declares must be the same sequence.
What is added and removed within the scope of an edit is counted, and judged by the edit's declared effect.
Blocks and links are compared even within the scope of an edit, unless its effect is one of the wide ones.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, Effect, Span
from shelfread.fixes.account import Accounts, Side, describe_difference, find_undeclared
from shelfread.fixes.edit_scope import NEWLINE, EditScope, find_edit_scopes
from shelfread.fixes.tokens import Token
from shelfread.markdown.node import Tree

_STRUCTURE = frozenset({"block", "list"})


class Damage(NamedTuple):
    """What edits change without declaring it, in words; `place` is where the edits that do it are, None if anywhere."""

    reason: str
    place: Span | None = None


def find_damage(
    before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]
) -> list[Damage]:
    """Return what edits change without declaring it, an empty list if nothing.

    If all blocks stay, the damage in a block is done by edits in that block, so each damaged block is named. Otherwise
    only the most severe damage is returned.
    """
    scopes = find_edit_scopes(before, before_text, edits)
    old = Side(before, before_text, scopes, is_old=True)
    new = Side(after, after_text, scopes, is_old=False)
    # Lines that no edit touches are read word by word only if there is a difference.
    if old.references == new.references and not _compare(old, new, coarse=True):
        return []
    return _compare(old, new, coarse=False)


def _compare(old: Side, new: Side, *, coarse: bool) -> list[Damage]:
    kept, removed = old.divide(coarse=coarse)
    still_there, added = new.divide(coarse=coarse)
    damage = list(_in_scopes(old.scopes, added, removed))
    difference = describe_difference(kept, still_there)
    if difference is None:
        return damage
    lines = [0, *(match.end() for match in NEWLINE.finditer(old.text))]
    if old.references == new.references and _structure(kept) == _structure(still_there):
        in_blocks = list(_in_blocks(kept, still_there, lines))
        if not difference.is_moved or len(in_blocks) == 1:
            return [*in_blocks, *damage]
    return [Damage(f"{difference.reason} (line {bisect_right(lines, difference.offset)})")]


def _structure(tokens: Sequence[Token]) -> list[str]:
    return [token.value for token in tokens if token.kind in _STRUCTURE]


def _in_blocks(old: Sequence[Token], new: Sequence[Token], lines: Sequence[int]) -> Iterator[Damage]:
    """Yield the damage in each of the blocks, which are the same in both texts; `lines` are the offsets of lines."""
    for before, after in zip(_blocks(old), _blocks(new), strict=True):
        if difference := describe_difference(before, after):
            end = max((token.end for token in before), default=0)
            place = Span(before[0].start, end) if before and before[0].kind in _STRUCTURE else None
            yield Damage(f"{difference.reason} (line {bisect_right(lines, difference.offset)})", place)


def _blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens in front of the blocks, and those of each block."""
    first = 0
    for index, token in enumerate(tokens):
        if token.kind in _STRUCTURE:
            yield tokens[first:index]
            first = index
    yield tokens[first:]


def _in_scopes(scopes: Sequence[EditScope], added: Accounts, removed: Accounts) -> Iterator[Damage]:
    """Yield what edits add and remove without declaring it."""
    effects: dict[int, list[Effect]] = {}
    places: dict[int, list[Span]] = {}
    for scope in scopes:
        effects.setdefault(scope.account, []).extend(scope.effects)
        places.setdefault(scope.account, []).append(scope.before)
    for account, declared in effects.items():
        if reason := find_undeclared(declared, added[account], removed[account]):
            places_of = places[account]
            yield Damage(reason, places_of[0] if len(places_of) == 1 else None)
