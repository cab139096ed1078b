"""What must stay, what edits answer for, and whether they keep to what they declare."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from markdown_it.common.utils import unescapeAll

from shelfread.core.diagnostics import Change, Effect
from shelfread.fixes.verify.describe import harm
from shelfread.fixes.verify.edit_scope import EditScope, SpanIndex, with_surrounding_space
from shelfread.fixes.verify.tokens import (
    ADDRESSES,
    GLUED,
    PROSE,
    TEXTUAL,
    WORD,
    Key,
    Token,
    flatten,
    one_line,
)
from shelfread.markdown.node import Tree

Accounts: TypeAlias = defaultdict[int, Counter[Key]]
"""How often each lexeme stands in the zones that have this account."""


class Side:
    """One of the two texts. The old one's addresses are read as what the effects make of them."""

    def __init__(self, tree: Tree, text: str, zones: Sequence[EditScope], *, is_old: bool) -> None:
        self.tree = tree
        self.text = text
        self.zones = zones
        self.is_old = is_old
        self.spans = SpanIndex(zone.before if is_old else zone.after for zone in zones)
        # The first definition of a label is the one that counts.
        self.references = {
            each.label: self._readdressed(each.url, *each.destination) for each in reversed(tree.definitions)
        }

    def divide(self, *, coarse: bool) -> tuple[list[Token], Accounts]:
        """The lexemes that are to stay, in order, and the accounts of those that edits answer for."""
        zones, spans = self.zones, self.spans
        # Moving a list's first item moves where the list begins.
        beginnings = SpanIndex(
            with_surrounding_space(self.text, span)
            for zone, span in zip(zones, spans, strict=True)
            if zone.wide
        )
        kept: list[Token] = []
        accounts: Accounts = defaultdict(Counter)
        for lexeme in flatten(self.tree, self.text, spans, self.references, coarse=coarse):
            kind, value, start, end, _ = lexeme
            if kind == "list" and beginnings.touching(start - 1, start + 1) >= 0:
                continue
            if kind in ADDRESSES:
                value = self._readdressed(value, start, end)
                lexeme = lexeme._replace(value=value)
            inside = spans.at(start)
            if inside >= 0 and (zones[inside].wide or (kind in PROSE and zones[inside].rewords)):
                accounts[zones[inside].account][kind, value] += 1
            elif kind != "mark" or spans.touching(start, end) < 0:
                kept.append(lexeme)
        return kept, accounts

    def _readdressed(self, url: str, start: int, end: int) -> str:
        """An address that stands here, after the effects that name it."""
        touched = self.spans.touching(start, end) if self.is_old else -1
        if touched >= 0:
            for change, old, new in self.zones[touched].effects:
                if change is Change.DESTINATION and url in (old, unescapeAll(old)):
                    return unescapeAll(new)
        return url


def judge(effects: Sequence[Effect], gained: Mapping[Key, int], lost: Mapping[Key, int]) -> str | None:
    """What came and went on an account other than the effects declare."""
    changes = {effect.change for effect in effects}
    delta = Counter(gained)
    delta.subtract(lost)
    wrong: Counter[Key] = Counter()
    for (kind, value), count in delta.items():
        if kind in PROSE and not changes & {Change.STRUCTURE, Change.MOVED}:
            wrong["word", value.removeprefix(GLUED)] += count
        elif Change.STRUCTURE not in changes or kind in TEXTUAL or (kind == "url" and count < 0):
            wrong[kind, value] += count
        elif kind == "url":
            # The link that comes to be takes its address from the text.
            _add_words(wrong, value, count)
    for effect in effects:
        if effect.change is Change.WORDS:
            _add_words(wrong, effect.before, 1)
            _add_words(wrong, effect.after, -1)
    for effect in effects:
        # An address that stands in the text itself takes its words along.
        if effect.change is Change.DESTINATION and any(wrong.values()):
            _add_words(wrong, effect.before, 1)
            _add_words(wrong, effect.after, -1)
            if effect.before.startswith(effect.after) and any(wrong.values()):
                # What an address in running text had swallowed is text again.
                _add_words(wrong, effect.before[len(effect.after) :], -1)
    for effect in effects:
        if effect.change is Change.REMOVED:
            wrong = Counter(
                {key: count for key, count in wrong.items() if not _is_stated(effect, key, count)}
            )
    return harm(wrong) if any(wrong.values()) else None


def _add_words(account: Counter[Key], text: str, count: int) -> None:
    for match in WORD.finditer(text):
        account["word", match.group()] += count


def _is_stated(effect: Effect, key: Key, count: int) -> bool:
    """Whether a removal says that this goes, or that this comes in its place, as often as it does."""
    kind, value = key
    stated = effect.after if count > 0 else effect.before
    if not stated or kind not in TEXTUAL | ADDRESSES:
        return bool(stated)
    value = one_line(value.removeprefix(GLUED))
    return max(one_line(stated).count(value), unescapeAll(stated).count(value)) >= abs(count)
