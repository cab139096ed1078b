"""Separate the tokens that must stay from those in edit scopes, judge these by the effects, and say in words what is different."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from markdown_it.common.utils import unescapeAll

from shelfread.core.diagnostics import Change, Effect
from shelfread.core.patterns import lazy
from shelfread.fixes.edit_scope import EditScope, SpanIndex, with_surrounding_space
from shelfread.fixes.tokens import GLUED, NESTED, PROSE, TEXT, URLS, WORD, Token, TokenKey, flatten, one_line
from shelfread.markdown.node import Tree

_BY_SEVERITY = ("url", "bare", "word", "raw", "text", "code", "tag", "link", "block", "list", "mark")
_NAMES = {"url": "the URL", "bare": "the URL", "code": "the code", "tag": "the HTML"}
_MAX_LENGTH = 60


class Difference(NamedTuple):
    """A difference in words, its offset in the old text, and whether all tokens are still there."""

    reason: str
    offset: int
    is_moved: bool = False


def describe_difference(old: Sequence[Token], new: Sequence[Token]) -> Difference | None:
    """Return the most severe difference between tokens that should be equal."""
    old_keys = [token[:2] for token in old]
    new_keys = [token[:2] for token in new]
    if old_keys == new_keys:
        for before, after in zip(old, new, strict=True):
            if after.joined and not before.joined:
                return Difference(f"it would join {_name(before[:2])} to the word before it", before.start)
        return None
    delta = Counter(new_keys)
    delta.subtract(old_keys)
    pairs = enumerate(zip(old_keys, new_keys, strict=False))
    index = next((i for i, (before, after) in pairs if before != after), min(len(old), len(new)))
    if not any(delta.values()):
        return Difference(f"it would move {_name(old_keys[index])}", old[index].start, is_moved=True)
    removed = [i for i in range(index, len(old)) if delta[old_keys[i]] < 0]
    index = min(removed, key=lambda i: _severity(old_keys[i]), default=index)
    token = old[index] if index < len(old) else old[-1] if old else None
    return Difference(describe_damage(delta), token.start if token else 0)


def describe_damage(delta: Mapping[TokenKey, int]) -> str:
    """Return the most severe of the added (positive) and removed (negative) tokens in words."""
    removed = min((key for key in delta if delta[key] < 0), key=_severity, default=None)
    added = min((key for key in delta if delta[key] > 0), key=_severity, default=None)
    if removed and added and removed[0] == added[0]:
        if removed[0] in PROSE and removed[1] == GLUED + added[1]:
            return f"it would separate {_name(removed)} from the word before it"
        if removed[0] in PROSE and added[1] == GLUED + removed[1]:
            return f"it would join {_name(removed)} to the word before it"
        if _name(removed) == _name(added):
            return f"it would change the nesting of {_name(removed)}"
        return f"it would turn {_name(removed)} into {_name(added)}"
    if added and (not removed or _severity(added) < _severity(removed)):
        return f"it would add {_name(added)}"
    return f"it would lose {_name(removed)}" if removed else "it would change nothing"


def _severity(key: TokenKey) -> int:
    return _BY_SEVERITY.index(key[0])


def _name(key: TokenKey) -> str:
    """Return what users call a token."""
    kind, value = key
    if kind in ("block", "list", "link", "mark"):
        return value.split(NESTED)[0]
    shown = value.removeprefix(GLUED)
    if len(shown) > _MAX_LENGTH:
        shown = shown[: _MAX_LENGTH - 3] + "..."
    return f'{_NAMES.get(kind, "the word")} "{shown}"'


_ADDRESS = lazy(r"[^\s()<>\[\]]+")

Accounts: TypeAlias = defaultdict[int, Counter[TokenKey]]  # the tokens in the scopes of each account, counted


class Side:
    """One of the two texts. URLs of the old one are replaced as the effects declare."""

    def __init__(self, tree: Tree, text: str, scopes: Sequence[EditScope], *, is_old: bool) -> None:
        self.tree = tree
        self.text = text
        self.scopes = scopes
        self.is_old = is_old
        self.spans = SpanIndex(scope.before if is_old else scope.after for scope in scopes)
        # The first definition of a label is the one that counts.
        self.references = {
            definition.label: self._new_url(definition.url, *definition.destination)
            for definition in reversed(tree.definitions)
        }

    def divide(self, *, coarse: bool) -> tuple[list[Token], Accounts]:
        """Return the tokens that must stay, in order, and the accounts of those in edit scopes."""
        scopes, spans = self.scopes, self.spans
        # Moving the first item of a list moves the beginning of the list.
        wide_spans = SpanIndex(
            with_surrounding_space(
                self.text, (span for scope, span in zip(scopes, spans, strict=True) if scope.wide)
            )
        )
        kept: list[Token] = []
        accounts: Accounts = defaultdict(Counter)
        for token in flatten(self.tree, self.text, spans, self.references, coarse=coarse):
            kind, value, start, end, _ = token
            if kind == "list" and wide_spans.touching(start - 1, start + 1) >= 0:
                continue
            if kind in URLS:
                value = self._new_url(value, start, end)
                token = token._replace(value=value)
            index = spans.at(start)
            if index >= 0 and (scopes[index].wide or (kind in PROSE and scopes[index].rewords)):
                accounts[scopes[index].account][kind, value] += 1
            elif kind != "mark" or spans.touching(start, end) < 0:
                kept.append(token)
        return kept, accounts

    def _new_url(self, url: str, start: int, end: int) -> str:
        """Return what the effects make of a URL at `text[start:end]`."""
        index = self.spans.touching(start, end) if self.is_old else -1
        if index >= 0:
            for change, old, new in self.scopes[index].effects:
                if change is Change.DESTINATION and url in (old, unescapeAll(old)):
                    return unescapeAll(new)
        return url


def find_undeclared(
    effects: Sequence[Effect], added: Mapping[TokenKey, int], removed: Mapping[TokenKey, int]
) -> str | None:
    """Return what was added to or removed from an account without a declared effect, in words."""
    changes = {effect.change for effect in effects}
    delta = Counter(added)
    delta.subtract(removed)
    undeclared: Counter[TokenKey] = Counter()
    for (kind, value), count in delta.items():
        if kind in PROSE and not changes & {Change.STRUCTURE, Change.MOVED}:
            undeclared["word", value.removeprefix(GLUED)] += count
        elif Change.STRUCTURE not in changes or kind in TEXT or (kind == "url" and count < 0):
            undeclared[kind, value] += count
        elif kind == "url":
            # The URL of a new link was text before.
            _add_words(undeclared, value, count)
    for effect in effects:
        if effect.change is Change.WORDS:
            _add_words(undeclared, effect.before, 1)
            _add_words(undeclared, effect.after, -1)
    for effect in effects:
        # The words of a URL that is text itself change with it.
        if effect.change is Change.DESTINATION and any(undeclared.values()):
            _add_words(undeclared, effect.before, 1)
            _add_words(undeclared, effect.after, -1)
            if effect.before.startswith(effect.after) and any(undeclared.values()):
                # What a bare URL had swallowed is text again.
                _add_words(undeclared, effect.before[len(effect.after) :], -1)
    for effect in effects:
        if effect.change in (Change.REMOVED, Change.INSERTED):
            is_stated = _stated_by(effect)
            undeclared = Counter(
                {key: count for key, count in undeclared.items() if not is_stated(key, count)}
            )
    return describe_damage(undeclared) if any(undeclared.values()) else None


def _add_words(account: Counter[TokenKey], text: str, count: int) -> None:
    for match in WORD.finditer(text):
        account["word", match.group()] += count


def _stated_by(effect: Effect) -> Callable[[TokenKey, int], bool]:
    """Return what says whether a removal or insertion states that a token is removed or added, at least so many times."""
    looked_at = {False: _Stated(effect.before), True: _Stated(effect.after)}

    def is_stated(key: TokenKey, count: int) -> bool:
        kind, value = key
        stated = looked_at[count > 0]
        if not stated.texts or kind not in TEXT | URLS:
            return bool(stated.texts)
        return stated.has(one_line(value.removeprefix(GLUED)), abs(count))

    return is_stated


class _Stated:
    """A stated text, in one line and as shown; its words and addresses are counted once, as it may have thousands."""

    def __init__(self, text: str) -> None:
        self.texts = (one_line(text), unescapeAll(text)) if text else ()
        self.counted: Counter[str] = Counter()
        for shown in self.texts:
            self.counted |= Counter(WORD.findall(shown)) | Counter(_ADDRESS.findall(shown))

    def has(self, value: str, count: int) -> bool:
        return self.counted[value] >= count or any(text.count(value) >= count for text in self.texts)
