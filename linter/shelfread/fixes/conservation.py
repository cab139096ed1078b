"""Check that edits change only what they declare: a text's words, links and blocks, before and after.

Both trees are flattened to tokens in document order. Tokens that no edit declares must be the same sequence.
What is added and removed within the scope of an edit is counted, and judged by the edit's declared effect.
Blocks and links are compared even within the scope of an edit, unless its effect is one of the wide ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from markdown_it.common.utils import unescapeAll

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.patterns import lazy
from shelfread.fixes.edit_scope import NEWLINE, EditScope, SpanIndex, find_edit_scopes, with_surrounding_space
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
            # What HTML had swallowed is text again.
            is_freed = kind == "raw" and count < 0 and Change.STRUCTURE in changes
            undeclared["word" if is_freed else kind, value] += count
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


_STRUCTURE = frozenset({"block", "list"})


class Damage(NamedTuple):
    """What edits change without declaring it, in words; `place` is where the edits that do it are, None if anywhere."""

    reason: str
    place: Span | None = None


def find_damage(
    before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]
) -> list[Damage]:
    """Return what edits change without declaring it: each damaged block if all blocks stay, else only the most severe damage."""
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


_UNTRIED = "too many changes at once would do damage: it was not tried"
_Change = TypeVar("_Change")


class Suspects(NamedTuple):
    """The changes in a place where damage shows, by their indexes, and whether others that are kept are there too."""

    indexes: Sequence[int]
    have_company: bool
    reason: str


class Search(Generic[_Change]):
    """Tries groups of changes of one text.

    The damage in a place is done by the changes of that place, and what is tried is tried in all places at once: few
    texts are read, however many changes are harmful. If the place is not known, groups are halved.
    """

    def __init__(
        self,
        places_of: Callable[[_Change], Iterable[Span]],
        find_damage: Callable[[Sequence[_Change]], Sequence[Damage]],
        most_tries: int,
    ) -> None:
        """`find_damage` returns the damage that changes do together; it is called `most_tries` times at most."""
        self.kept: list[_Change] = []  # changes that do no damage together
        # changes that do it alone, or were not tried, with the reason.
        self.harmful: list[tuple[_Change, str]] = []
        # changes that do it only beside those that are kept.
        self.harmful_together: list[tuple[_Change, str]] = []
        self._places_of, self._find_damage = places_of, find_damage
        self._tries_left = most_tries

    def run(self, groups: Iterable[Sequence[_Change]]) -> None:
        """Try all changes; those that do damage beside others at last, when all others are kept."""
        self._run(groups)
        late, self.harmful_together = self.harmful_together, []
        if late:
            self._run([[change for change, _ in late]])

    def find_suspects(self, group: Sequence[_Change], damage: Iterable[Damage]) -> list[Suspects]:
        """Return the suspects of each damage; none if one of them may be done anywhere."""
        tried, beside = _Places(map(self._places_of, group)), _Places(map(self._places_of, self.kept))
        found = []
        for reason, place in damage:
            if place is None or not (indexes := tried.at(place)):
                return []
            found.append(Suspects(indexes, bool(beside.at(place)), reason))
        return found

    def judge(self, group: Sequence[_Change], suspects: Iterable[Suspects]) -> list[list[_Change]]:
        """Reject the changes that are the only suspects of a place, and return groups of the others to be tried."""
        guilty: dict[int, Suspects] = {}
        halves: tuple[set[int], set[int]] = set(), set()
        for suspect in suspects:
            indexes = suspect.indexes
            if len(indexes) == 1:
                guilty.setdefault(indexes[0], suspect)
            else:
                halves[0].update(indexes[: len(indexes) // 2])
                halves[1].update(indexes[len(indexes) // 2 :])
        for index, suspect in guilty.items():
            rejected = self.harmful_together if suspect.have_company else self.harmful
            rejected.append((group[index], suspect.reason))
        first = halves[0] - guilty.keys()
        second = halves[1] - halves[0] - guilty.keys()
        others = set(range(len(group))) - halves[0] - halves[1] - guilty.keys()
        return [[group[index] for index in sorted(part)] for part in (others, first, second) if part]

    def _run(self, groups: Iterable[Sequence[_Change]]) -> None:
        pending = deque(groups)
        while pending:
            group = pending.popleft()
            if not self._tries_left:
                self.harmful += [(change, _UNTRIED) for change in group]
                continue
            self._tries_left -= 1
            tried = sorted([*self.kept, *group], key=lambda change: min(self._places_of(change)))
            if damage := self._find_damage(tried):
                anywhere = Suspects(range(len(group)), bool(self.kept), damage[0].reason)
                pending += self.judge(group, self.find_suspects(group, damage) or [anywhere])
            else:
                self.kept = tried


class _Places:
    """Where changes edit a text."""

    def __init__(self, changes: Iterable[Iterable[Span]]) -> None:
        self._places = sorted(
            (place.end, place.start, index) for index, places in enumerate(changes) for place in places
        )

    def at(self, place: Span) -> list[int]:
        """Return the indexes of the changes that edit or touch a place."""
        found = set()
        for position in range(bisect_left(self._places, (place.start,)), len(self._places)):
            _, start, index = self._places[position]
            if start > place.end:
                break
            found.add(index)
        return sorted(found)
