"""What must stay, what edits answer for, and whether they keep to what they declare."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_it.common.utils import unescapeAll

from shelfread.conservation.lexeme import ADDRESSES, GLUED, PROSE, TEXTUAL, WORD, Key, Lexeme, flatten
from shelfread.conservation.verdict import harm
from shelfread.conservation.zone import Spans, Zone, with_blanks
from shelfread.diagnostic import Change, Effect, Span
from shelfread.syntax.node import Tree


class Division(NamedTuple):
    """A text's lexemes: those that are to stay, in order, and the accounts of those that edits answer for."""

    kept: list[Lexeme]
    accounts: Mapping[int, Counter[Key]]


def divide(tree: Tree, text: str, zones: Sequence[Zone], *, is_old: bool) -> Division:
    """Divide one of the two texts; the old one's addresses become what the effects make of them."""
    spans = Spans(zone.before if is_old else zone.after for zone in zones)

    def readdressed(url: str, destination: Span) -> str:
        touched = spans.touching(*destination) if is_old else -1
        return url if touched < 0 else _readdressed(url, zones[touched].effects)

    # The first definition of a label is the one that counts.
    renamed = {each.label: readdressed(each.url, each.destination) for each in reversed(tree.definitions)}
    # Moving a list's first item moves where the list begins.
    beginnings = Spans(with_blanks(text, span) for zone, span in zip(zones, spans, strict=True) if zone.wide)
    kept: list[Lexeme] = []
    accounts: defaultdict[int, Counter[Key]] = defaultdict(Counter)
    for lexeme in flatten(tree, text, sorted({*spans.starts, *spans.ends}), renamed):
        kind, value, start, end, _ = lexeme
        if kind == "list" and beginnings.touching(start - 1, start + 1) >= 0:
            continue
        if kind in ADDRESSES:
            value = readdressed(value, Span(start, end))
            lexeme = lexeme._replace(value=value)
        inside = spans.at(start)
        if inside >= 0 and (zones[inside].wide or (kind in PROSE and zones[inside].rewords)):
            accounts[zones[inside].account][kind, value] += 1
        elif kind != "mark" or spans.touching(start, end) < 0:
            kept.append(lexeme)
    return Division(kept, accounts)


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
        # An address that stands in the text itself takes its words along.
        address = effect.change is Change.DESTINATION and any(wrong.values())
        if address or effect.change is Change.WORDS:
            _add_words(wrong, effect.before, 1)
            _add_words(wrong, effect.after, -1)
    for effect in effects:
        if effect.change is Change.REMOVED:
            wrong = Counter(
                {key: count for key, count in wrong.items() if not _is_stated(effect, key, count)}
            )
    return harm(wrong) if any(wrong.values()) else None


def _readdressed(url: str, effects: Iterable[Effect]) -> str:
    """An address after the destination effects that name it."""
    for change, old, new in effects:
        if change is Change.DESTINATION and url in (old, unescapeAll(old)):
            return unescapeAll(new)
    return url


def _add_words(account: Counter[Key], text: str, count: int) -> None:
    for match in WORD.finditer(text):
        account["word", match.group()] += count


def _is_stated(effect: Effect, key: Key, count: int) -> bool:
    """Whether a removal says that this goes, or that this comes in its place."""
    kind, value = key
    stated = effect.after if count > 0 else effect.before
    if kind not in TEXTUAL | ADDRESSES:
        return bool(stated)
    value = value.removeprefix(GLUED)
    return value in " ".join(stated.split()) or value in unescapeAll(stated)
