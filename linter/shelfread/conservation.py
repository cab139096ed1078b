"""Whether an edit altered only what it declared: a text's words, links and blocks, before and after.

Both trees are flattened to lexemes in document order. What no edit declared must be the same sequence;
what happened within the zone of an edit is booked to its account and judged by its declared effect.
Blocks and links are compared even within an edit's zone, unless its effect is one of the wide ones.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice
from operator import itemgetter
from typing import NamedTuple

from markdown_it.common.utils import unescapeAll

from shelfread.diagnostic import Change, Edit, Effect, Span
from shelfread.syntax.node import Block, Break, Code, Emphasis, Html, Inline, Link, Text, Tree

# A word is what is no blank, punctuation or typographic mark: `C++`, `C#` and vowel signs stay whole.
_WORD = re.compile(
    r"[^\s\x00-/:-@\[-`{-\xa1\xab\xad\xb4\xb7\xbb\xbf\u2000-\u206f\u25a0-\u25ff"
    r"\u3000-\u3003\u3008-\u3020\ufe00-\ufe0f\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+[+#]*"
)
_NUMBERED = (".", ")")
# In HTML blocks, which are read as they are written, an entity is a word.
_RAW_WORD = re.compile(rf"&#?\w+;|{_WORD.pattern}")
_EMPHASIS = {"*": "emphasis", "_": "emphasis", "**": "bold", "__": "bold", "~": "strikethrough"}
_PROSE = frozenset({"word", "raw"})
_TEXTUAL = frozenset({"word", "raw", "code", "tag"})
_GRAVEST = ("url", "bare", "word", "raw", "code", "tag", "link", "block", "list", "mark")
"""What to name first of several things that are wrong."""
_WIDE = frozenset({Change.STRUCTURE, Change.MOVED, Change.REMOVED})
_GLUED = "+"  # before the value of a word that goes on one which an edit's border cuts
_NESTED = " @"  # between a block's name and how deep it is nested
_BLANKS = " \t\r\n>"
_NEWLINE = re.compile(r"\r\n|\n|\r")


_Key = tuple[str, str]
"""The kind and the value of a lexeme; the value of prose is one word."""


class Lexeme(NamedTuple):
    """One thing that a page shows: `kind` is one of `_GRAVEST`, raw that of words in HTML blocks.

    The words of a text that no zone's border divides are one lexeme, parted by blanks.
    """

    kind: str
    value: str
    start: int
    end: int
    joined: bool = False
    """Of a word: no blank parts it from the one before, only markup does."""
    at: tuple[int, ...] = ()
    """Of a word that is not written as it is shown: where each of its characters stands."""


_SHOWN = itemgetter(0, 1, 4)  # all but the place


class _Zone(NamedTuple):
    """Where edits may show their effects, before and after."""

    before: Span
    after: Span
    effects: tuple[Effect, ...]

    @property
    def wide(self) -> bool:
        return any(effect.change in _WIDE for effect in self.effects)

    @property
    def moved(self) -> bool:
        return any(effect.change is Change.MOVED for effect in self.effects)


def check(before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]) -> str | None:
    """None when the edits altered only what they declare, else what they would do, in words."""
    zones = _zones(before, before_text, sorted(edits, key=lambda edit: (edit.start, edit.end)))
    old, lost = _divide(before, before_text, zones, is_old=True)
    new, gained = _divide(after, after_text, zones, is_old=False)
    if reason := _compare(old, new, before_text):
        return reason
    accounts: dict[int, list[Effect]] = {}
    for number, zone in enumerate(zones):
        accounts.setdefault(-1 if zone.moved else number, []).extend(zone.effects)
    for number, effects in accounts.items():
        delta = gained.get(number, Counter())
        delta.subtract(lost.get(number, Counter()))
        if reason := _judge(effects, delta):
            return reason
    return None


# ------------------------------------------------------------------------------------------- lexemes


def _flatten(tree: Tree, text: str, borders: Sequence[int], renamed: Mapping[str, str]) -> list[Lexeme]:
    """All lexemes in document order, the definitions' last; `renamed` gives labels a new address."""
    walk = _Walk(text, borders, renamed)
    if tree.opaque and tree.opaque[0].start == 0 and not (tree.blocks and tree.blocks[0].start == 0):
        walk.add("code", text[: tree.opaque[0].end], *tree.opaque[0])  # front matter
    walk.blocks(tree.blocks, 0)
    for definition in tree.definitions:
        walk.add("block", f"a definition of [{definition.label}]", definition.start, definition.end)
        walk.verbatim("word", definition.text)
        walk.add("url", definition.url, *definition.destination)
        if definition.title:
            walk.verbatim("word", definition.title)
    return walk.lexemes


class _Walk:
    """One walk over a tree; `in_word` says whether the last character shown belongs to a word."""

    def __init__(self, text: str, borders: Sequence[int], renamed: Mapping[str, str]) -> None:
        self.text = text
        self.borders = borders
        self.renamed = renamed
        self.lexemes: list[Lexeme] = []
        self.in_word = False

    def add(self, kind: str, value: str, start: int, end: int) -> None:
        self.lexemes.append(Lexeme(kind, value, start, end))

    def blocks(self, blocks: Iterable[Block], depth: int) -> None:
        for block in blocks:
            self.in_word = False
            # Where one bulleted list ends and the next begins is a matter of marks; numbers count anew.
            if block.kind != "list":
                self.add("block", _block_name(block, depth), block.start, block.end)
            elif block.mark in _NUMBERED:
                self.add("list", _block_name(block, depth), block.start, block.end)
            if block.kind == "code":
                self.add("code", self.unindented(block), block.start, block.end)
            self.inlines(block.inlines, "raw" if block.kind == "html" else "word")
            self.blocks(block.blocks, depth + 1)

    def unindented(self, block: Block) -> str:
        """A code block's lines as they are without the blanks that only place them."""
        line = self.text.rfind("\n", 0, block.start)
        if "\r" in self.text:
            line = max(line, self.text.rfind("\r", 0, block.start))
        margin = rf"(?:\r\n|\n|\r)[ \t>]{{0,{block.start - line - 1}}}"
        return re.sub(margin, "\n", self.text[block.start : block.end])

    def inlines(self, nodes: Iterable[Inline], prose: str) -> None:
        run: list[Text] = []
        for node in nodes:
            if isinstance(node, Text):
                if run and run[-1].end != node.start:
                    self.words(run, prose)
                    run = []
                run.append(node)
                continue
            self.words(run, prose)
            run = []
            self.inline(node, prose)
        self.words(run, prose)

    def inline(self, node: Inline, prose: str) -> None:
        if isinstance(node, Link):
            self.link(node, prose)
        elif isinstance(node, Emphasis):
            name, size = _EMPHASIS.get(node.mark, "strikethrough"), len(node.mark)
            self.add("mark", name, node.start, node.start + size)
            self.inlines(node.children, prose)
            self.add("mark", f"the end of {name}", node.end - size, node.end)
        elif isinstance(node, Code):
            self.add("code", _one_line(node.value), node.start, node.end)
            self.in_word = False
        elif isinstance(node, Html):
            self.add("tag", _one_line(node.value), node.start, node.end)
            self.in_word = False
        elif isinstance(node, Break):
            if node.hard:
                start = node.start
                while start and self.text[start - 1] in " \t\\":
                    start -= 1
                self.add("mark", "a line break", start, node.end)
            self.in_word = False

    def link(self, link: Link, prose: str) -> None:
        """The link's opening, its address, its text and title, its end; a plain address has no brackets."""
        if link.form in ("autolink", "bare"):
            self.add("bare", link.url, link.start, link.end)
            self.inlines(link.children, prose)
            return
        self.add("link", "an image" if link.image else "a link", link.start, link.start + 1)
        url = self.renamed.get(link.label, link.url) if link.form == "reference" else link.url
        self.add("url", url, *(link.destination or (link.text.end, link.end)))
        if link.form == "html" and link.destination:
            # All of the tags that is neither address nor text.
            rest = (link.start, link.destination.start), (link.destination.end, link.text.start)
            tags = " ".join(self.text[start:end] for start, end in (*rest, (link.text.end, link.end)))
            self.add("tag", _one_line(tags), link.start, link.end)
        self.inlines(link.children, prose)
        if link.title:
            self.verbatim("word", link.title)
        self.add("link", "the end of a link", link.end - 1, link.end)

    def verbatim(self, kind: str, span: Span) -> None:
        """The words of a stretch of source, read as they are written."""
        for match in _WORD.finditer(self.text, *span):
            self.add(kind, match.group(), *match.span())

    def words(self, run: Sequence[Text], kind: str) -> None:
        """The words of adjoining texts: an escape or an entity does not end a word."""
        if not run:
            return
        start, end = run[0].start, run[-1].end
        value = self.text[start:end] if kind == "raw" else "".join([node.value for node in run])
        pattern = _RAW_WORD if kind == "raw" else _WORD
        joined = self.in_word and _WORD.match(value) is not None
        if value:
            self.in_word = _WORD.match(value[-1]) is not None
        if bisect_right(self.borders, start) >= bisect_left(self.borders, end):
            if words := pattern.findall(value):
                self.lexemes.append(Lexeme(kind, " ".join(words), start, end, joined))
            return
        at = list(range(start, end + 1)) if kind == "raw" else [*chain(*map(_places, run)), end]
        for match in pattern.finditer(value):
            first, last = match.span()
            joins = joined and first == 0
            self.lexemes.append(
                Lexeme(kind, match.group(), at[first], at[last], joins, tuple(at[first:last]))
            )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _places(node: Text) -> Iterable[int]:
    """Where each character of a text's value stands; those of an entity all where it begins."""
    if len(node.value) == node.end - node.start:
        return range(node.start, node.end)
    return (node.start,) * len(node.value)


def _block_name(block: Block, depth: int) -> str:
    name = block.kind
    if name in ("list", "item"):
        name = f"{'numbered' if block.mark in _NUMBERED else 'bulleted'} {name}"
    elif name == "heading":
        name = f"heading of level {block.level}"
    elif name == "row":
        name = "body row" if block.level else "head row"
    return f"a {name}{_NESTED}{depth}"


# --------------------------------------------------------------------------------------------- zones


def _zones(tree: Tree, text: str, edits: Sequence[Edit]) -> list[_Zone]:
    """The zones of sorted edits, not overlapping; what overlaps is one zone with both effects."""
    shifts = list(accumulate((len(edit.text) - edit.end + edit.start for edit in edits), initial=0))
    rough: list[tuple[Span, int, int]] = []  # a span before, and which edits it holds
    for number, edit in enumerate(edits):
        span, first = _reach(tree, text, edit), number
        while rough and _meet(rough[-1][0], span, edits[rough[-1][1] : number + 1]):
            other, first, _ = rough.pop()
            span = Span(min(other.start, span.start), max(other.end, span.end))
        rough.append((span, first, number + 1))
    return [
        _Zone(
            span,
            Span(span.start + shifts[first], span.end + shifts[last]),
            tuple(dict.fromkeys(edit.effect for edit in edits[first:last])),
        )
        for span, first, last in rough
    ]


def _meet(one: Span, other: Span, edits: Sequence[Edit]) -> bool:
    """Whether two zones share their effects: a repaired structure also with what touches it."""
    if any(edit.effect.change is Change.STRUCTURE for edit in edits):
        return other.start <= one.end
    return other.start < one.end


def _reach(tree: Tree, text: str, edit: Edit) -> Span:
    """The stretch before in which an edit's effect shows."""
    change, stated, _ = edit.effect
    start, end = edit.start, edit.end
    if change is Change.STRUCTURE:
        # A repair shows in the blocks that it touches, or joins: blanks between them are no border.
        start, end = _with_blanks(text, Span(start, end))
        line = _NEWLINE.search(text, end)
        end = line.start() if line else len(text)
        for block in _leaves(tree.blocks, start, end):
            start, end = min(start, block.start), max(end, block.end)
    elif stated and change in (Change.WORDS, Change.DESTINATION):
        # An edit of `http` alone may state the whole address that it alters.
        at = text.find(stated, max(0, end - len(stated)), start + len(stated))
        if at >= 0:
            return Span(at, max(end, at + len(stated)))
    return Span(start, end)


def _leaves(blocks: Sequence[Block], start: int, end: int) -> Iterator[Block]:
    """The blocks without blocks in them that touch a stretch."""
    for block in islice(blocks, bisect_left(blocks, start, key=lambda block: block.end), None):
        if block.start > end:
            break
        if block.blocks:
            yield from _leaves(block.blocks, start, end)
        else:
            yield block


def _renamed(tree: Tree, zones: Sequence[_Zone]) -> dict[str, str]:
    """The new addresses of labels whose definition declares one."""
    renamed: dict[str, str] = {}
    starts = [zone.before.start for zone in zones]
    for definition in reversed(tree.definitions):
        number = bisect_left(starts, max(definition.destination.end, 1)) - 1
        url = definition.url
        if number >= 0 and zones[number].before.end > definition.destination.start:
            url = _readdressed(url, zones[number].effects)
        renamed[definition.label] = url
    return renamed


def _readdressed(url: str, effects: Iterable[Effect]) -> str:
    """An address after the destination effects that name it."""
    for change, old, new in effects:
        if change is Change.DESTINATION and url in (old, unescapeAll(old)):
            return unescapeAll(new)
    return url


_Accounts = dict[int, Counter[_Key]]


def _divide(tree: Tree, text: str, zones: Sequence[_Zone], *, is_old: bool) -> tuple[list[Lexeme], _Accounts]:
    """What must be the same before and after, in order, and what the zones answer for.

    What moved has one account, -1, for the whole text. Old addresses become what the effects make of them.
    """
    spans = [zone.before if is_old else zone.after for zone in zones]
    starts = [span.start for span in spans]
    borders = sorted({offset for span in spans for offset in span})
    near = [_with_blanks(text, span) for zone, span in zip(zones, spans, strict=True) if zone.wide]
    near_starts = [span.start for span in near]
    outside: list[Lexeme] = []
    accounts: _Accounts = {}
    for whole in _flatten(tree, text, borders, _renamed(tree, zones) if is_old else {}):
        for lexeme in _cut(whole, borders) if whole.kind in _PROSE else (whole,):
            kind = lexeme.kind
            if kind == "list":
                # Moving a list's first item moves where the list begins.
                number = bisect_right(near_starts, lexeme.start) - 1
                if number < 0 or near[number].end < lexeme.start:
                    outside.append(lexeme)
                continue
            number = bisect_right(starts, lexeme.start) - 1
            inside = number >= 0 and lexeme.start < spans[number].end
            if inside and (zones[number].wide or (kind in _PROSE and _may_reword(zones[number]))):
                account = accounts.setdefault(-1 if zones[number].moved else number, Counter())
                if is_old and kind in ("url", "bare"):
                    lexeme = lexeme._replace(value=_readdressed(lexeme.value, zones[number].effects))
                for key in _keys(lexeme):
                    account[key] += 1
                continue
            touched = bisect_left(starts, lexeme.end) - 1
            if touched >= 0 and spans[touched].end > lexeme.start:
                if kind == "mark":
                    continue
                if is_old and kind in ("url", "bare"):
                    lexeme = lexeme._replace(value=_readdressed(lexeme.value, zones[touched].effects))
            outside.append(lexeme)
    return outside, accounts


def _keys(lexeme: Lexeme) -> list[_Key]:
    if lexeme.kind in _PROSE:
        return [(lexeme.kind, word) for word in lexeme.value.split(" ")]
    return [lexeme[:2]]


def _may_reword(zone: _Zone) -> bool:
    return any(effect.change is not Change.MARKUP for effect in zone.effects)


def _with_blanks(text: str, span: Span) -> Span:
    """A span and the blanks and quote marks around it."""
    start, end = span
    while start and text[start - 1] in _BLANKS:
        start -= 1
    while end < len(text) and text[end] in _BLANKS:
        end += 1
    return Span(start, end)


def _cut(word: Lexeme, borders: Sequence[int]) -> Iterator[Lexeme]:
    """A word's pieces between the borders of the zones, so that each piece is in or out."""
    first = bisect_right(borders, word.start)
    if first == len(borders) or borders[first] >= word.end:
        yield word
        return
    start, done = word.start, 0
    for border in (*borders[first : bisect_left(borders, word.end)], word.end):
        size = bisect_left(word.at, border) if word.at else border - word.start
        if border == word.end:
            size = len(word.value)
        if size > done:
            value = (_GLUED if done else "") + word.value[done:size]
            yield Lexeme(word.kind, value, start, border, word.joined and not done)
            start, done = border, size


# ------------------------------------------------------------------------------------------ judgment


def _compare(old: Sequence[Lexeme], new: Sequence[Lexeme], text: str) -> str | None:
    """The gravest difference between what should be the same."""
    if list(map(_SHOWN, old)) == list(map(_SHOWN, new)):
        return None
    one, was_joined = _sequence(old)
    other, is_joined = _sequence(new)
    if one == other:
        if joined := is_joined - was_joined:
            at = min(joined)
            return f"it would join {_name(one[at])} to the word before it{_line(old, at, text)}"
        return None
    delta = Counter(other)
    delta.subtract(one)
    pairs = enumerate(zip(one, other, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
    if not any(delta.values()):
        return f"it would put {_name(one[at])} elsewhere{_line(old, at, text)}"
    gone = [i for i in range(at, len(one)) if delta[one[i]] < 0]
    at = min(gone, key=lambda i: _gravity(one[i]), default=at)
    return _harm(delta) + _line(old, at, text)


def _sequence(lexemes: Iterable[Lexeme]) -> tuple[list[_Key], set[int]]:
    """All keys in order, and the places of the words that are joined to the one before."""
    keys: list[_Key] = []
    joined: set[int] = set()
    for lexeme in lexemes:
        if lexeme.joined:
            joined.add(len(keys))
        keys += _keys(lexeme)
    return keys, joined


def _gravity(key: _Key) -> int:
    return _GRAVEST.index(key[0])


def _harm(delta: Mapping[_Key, int]) -> str:
    """The gravest of what came (positive) and went (negative), in words."""
    gone = min((key for key in delta if delta[key] < 0), key=_gravity, default=None)
    come = min((key for key in delta if delta[key] > 0), key=_gravity, default=None)
    if gone and come and gone[0] == come[0]:
        if gone[0] in _PROSE and gone[1] == _GLUED + come[1]:
            return f"it would part {_name(gone)} from the word before it"
        if gone[0] in _PROSE and come[1] == _GLUED + gone[1]:
            return f"it would join {_name(gone)} to the word before it"
        if _name(gone) == _name(come):
            return f"it would change the nesting of {_name(gone)}"
        return f"it would turn {_name(gone)} into {_name(come)}"
    if come and (not gone or _gravity(come) < _gravity(gone)):
        return f"it would add {_name(come)}"
    return f"it would lose {_name(gone)}" if gone else "it would change nothing"


def _judge(effects: Sequence[Effect], delta: Counter[_Key]) -> str | None:
    """What came and went in a zone other than its effects declare."""
    changes = {effect.change for effect in effects}
    wrong: Counter[_Key] = Counter()
    for (kind, value), count in delta.items():
        if kind in _PROSE and not changes & {Change.STRUCTURE, Change.MOVED}:
            wrong["word", value.removeprefix(_GLUED)] += count
        elif Change.STRUCTURE not in changes or kind in _TEXTUAL or (kind == "url" and count < 0):
            wrong[kind, value] += count
        elif kind == "url":
            # The link that comes to be takes its address from the text.
            wrong.update({("word", match.group()): count for match in _WORD.finditer(value)})
    # An address that stands in the text itself takes its words along.
    for change in (Change.WORDS, Change.DESTINATION):
        for effect in effects:
            if effect.change is change and (change is Change.WORDS or any(wrong.values())):
                wrong.subtract(("word", match.group()) for match in _WORD.finditer(effect.after))
                wrong.update(("word", match.group()) for match in _WORD.finditer(effect.before))
    if Change.REMOVED in changes:
        wrong = Counter({key: count for key, count in wrong.items() if not _is_stated(effects, *key, count)})
    return _harm(wrong) if any(wrong.values()) else None


def _is_stated(effects: Iterable[Effect], kind: str, value: str, count: int) -> bool:
    """Whether a removal says that this goes, or that this comes in its place."""
    for change, old, new in effects:
        stated = new if count > 0 else old
        if change is not Change.REMOVED or not stated:
            continue
        if kind not in _TEXTUAL and kind not in ("url", "bare"):
            return True
        value = value.removeprefix(_GLUED)
        if value in _one_line(stated) or value in unescapeAll(stated):
            return True
    return False


_NAMES = {"url": "the address", "bare": "the address", "code": "the code", "tag": "the HTML"}


def _name(key: _Key) -> str:
    """A lexeme in the words of the user."""
    kind, value = key
    if kind in ("block", "list", "link", "mark"):
        return value.split(_NESTED)[0]
    name = _NAMES.get(kind, "the word")
    shown = value.removeprefix(_GLUED)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return f'{name} "{shown}"'


def _line(lexemes: Iterable[Lexeme], at: int, text: str) -> str:
    """The line of the key at a place of the sequence, in parentheses."""
    start = 0
    for lexeme in lexemes:
        start = lexeme.start
        at -= len(_keys(lexeme))
        if at < 0:
            break
    return f" (line {len(_NEWLINE.findall(text, 0, start)) + 1})"
