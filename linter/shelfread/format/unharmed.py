"""Find what a rewritten line loses or breaks: fields of its entry, and marks, emphasis, punctuation that no field shows."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from re import Pattern
from typing import Any, NamedTuple, TypeAlias

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry_data import entry_data
from shelfread.document.model import Document, LabelledLink
from shelfread.fixes.conservation import Damage, find_damage
from shelfread.fixes.tokens import WORD
from shelfread.markdown.node import Emphasis, Inline, Link, Text
from shelfread.markdown.parse import parse
from shelfread.taxonomy.taxonomy import Taxonomy

PAPER = "paper"


class Variant(NamedTuple):
    """One way to write an entry's line, with the words that it removes and adds: labels, column names."""

    text: str
    removed: str = ""
    added: str = ""
    # whether the link to an entry's paper gets another label: its title, a word, its venue.
    relabels: bool = True
    is_line: bool = True  # whether this is one entry's line, not a run of entries


class Rewrite(NamedTuple):
    """The span of some entries, known by their indexes, and the variant that replaces it."""

    entries: tuple[int, ...]
    span: Span
    variant: Variant


def is_paper(link: LabelledLink) -> bool:
    return link.role is not None and link.role.id == PAPER


_NO_WORDS = str.maketrans("01", ".,")
_TORN = lazy(r"[@&/+,:-]\s*[\])]|[\[(]\s*[@&/+,:-]")  # a bracket of which a part was removed: `[EuroMLSys@]`
_IGNORED = ("dialect", "line", "end_line")
_NAMES = {"name": "short name", "venue_text": "venue", "concept": "subject"}

Fields: TypeAlias = Mapping[str, Any]


def read_fields(document: Document, taxonomy: Taxonomy) -> Sequence[Fields]:
    """Return for each entry all that export gives, except how and where it is written."""
    found = []
    for entry in document.entries:
        data = {**entry_data(entry, document, taxonomy), "kind": entry.kind}
        for key in _IGNORED:
            del data[key]
        data["links"] = Counter((link["label"], link["role"], link["url"]) for link in data["links"])
        found.append(data)
    return found


def find_misread(
    rewrites: Sequence[Rewrite],
    before: Document,
    old: Sequence[Fields],
    after: Document,
    new: Sequence[Fields],
) -> dict[int, str]:
    """Return the rewritten entries, by index, of which a field changed, or next to which one did, each with the reason."""
    starts, ends, shift = [], [], 0
    for rewrite in rewrites:
        starts.append(rewrite.span.start + shift)
        ends.append(starts[-1] + len(rewrite.variant.text))
        shift += len(rewrite.variant.text) - (rewrite.span.end - rewrite.span.start)
    inside: dict[int, list[int]] = {}
    outside: list[int] = []
    for index, entry in enumerate(after.entries):
        nearest = bisect_right(starts, entry.title.span.start) - 1
        is_inside = nearest >= 0 and entry.title.span.start <= ends[nearest]
        (inside.setdefault(nearest, []) if is_inside else outside).append(index)
    misread: dict[int, str] = {}
    for position, rewrite in enumerate(rewrites):
        found = inside.get(position, [])
        if len(found) != len(rewrite.entries):
            misread.update(dict.fromkeys(rewrite.entries, "it would be read as another number of entries"))
            continue
        for index, new_index in zip(rewrite.entries, found, strict=True):
            if field := _changed_field(old[index], new[new_index], rewrite.variant.relabels):
                misread[index] = f"its {field} would be read differently"
    if misread or not rewrites:
        return misread
    rewritten = {index for rewrite in rewrites for index in rewrite.entries}
    others = [index for index in range(len(old)) if index not in rewritten]
    pairs = zip(others, outside, strict=False)
    first = next((index for index, other in pairs if _changed_field(old[index], new[other], False)), None)
    if first is None and len(others) != len(outside):
        first = others[-1] if others else 0
    if first is not None:
        start = before.entries[first].span.start
        nearest = bisect_right(rewrites, start, key=lambda rewrite: rewrite.span.start)
        for rewrite in rewrites[max(0, nearest - 1) : nearest + 1]:
            misread.update(dict.fromkeys(rewrite.entries, "an entry beside it would be read differently"))
    return misread


def _changed_field(before: Fields, after: Fields, relabelled: bool) -> str | None:
    """Return the name of a field that differs; `relabelled` says that one link may have another label."""
    for key, value in before.items():
        if key == "links":
            removed, added = value - after[key], after[key] - value
            # Without their labels; a link has a role, or None.
            old, new = (Counter(link[1:] for link in links.elements()) for links in (removed, added))
            if old != new or removed.total() > relabelled:
                return "links"
        elif value != after[key]:
            return _NAMES.get(key, key)
    return None


def find_lost_word(rewrite: Rewrite, text: str) -> str | None:
    """Return the reason if a rewrite breaks something, or removes or adds a word that it does not state."""
    before, after = text[rewrite.span.start : rewrite.span.end], rewrite.variant
    if len(_TORN.findall(after.text)) > len(_TORN.findall(before)):
        return "the bracket of its venue has more than the venue"
    if after.is_line and (blemish := find_blemish(before, after.text)) is not None:
        return blemish
    old = Counter(WORD.findall(before)) + Counter(WORD.findall(after.added))
    new = Counter(WORD.findall(after.text)) + Counter(WORD.findall(after.removed))
    return None if old == new else "a word of it would be lost"


def find_page_damage(before: Document, after: Source, rewrites: Sequence[Rewrite]) -> list[Damage]:
    """Return what the whole page would lose or gain beyond what the rewrites state."""
    edits = []
    for number, (_, (start, end), variant) in enumerate(rewrites):
        edits.append(Edit(start, end, variant.text, Effect(Change.STRUCTURE)))
        if variant.removed or variant.added:
            # Equal effects in adjacent lines would count once: punctuation makes them differ.
            unique = f" {number:b}".translate(_NO_WORDS)
            effect = Effect(Change.WORDS, variant.removed + unique, variant.added)
            edits.append(Edit(start, start, "", effect))
    return find_damage(before.tree, before.source.text, parse(after), after.text, edits)


_SHORTCODE = r":[a-z0-9][a-z0-9_+-]*:"
_SHORTCODES = lazy(_SHORTCODE)
_TARGETS = lazy(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: [\"'][^\"'\n]*[\"'])?\)")
_DOUBLED = lazy(r"[.,;:]\s*[.,;:]|\(\s*\)|(?:^|\s)[,;](?=\s)")
# Brackets with a space inside, and HTML elements without a text.
_HOLLOW = lazy(r"[\[(]\s+\w|\w\s+[\])]|<(\w+)></\1>")
_TAG = lazy(r"<(/?)([A-Za-z]+)\b[^<>]*(?<!/)>")
_VOID = frozenset({"br", "hr", "img", "input", "wbr"})
_GLUED = lazy(r"\]\(\)\w"), lazy(r"\]\(\)[\])][\w:]")
_MARK = lazy(
    rf"(?:{_SHORTCODE}|[^\w\s!-/:-@\[-`{{-~\u00a0-\u00bf\u2010-\u206f\u3000-\u303f\uff00-\uff65])\ufe0f?(?=\s*[\[(\\]*$)"
)
_SYMBOL = lazy(r"[^\w\s!-~\u00a0-\u00bf\u2010-\u206f\u3000-\u303f\uff00-\uff65]")
_QUOTE = lazy(r"[\"“”]")


def find_blemish(before: str, after: str) -> str | None:
    """Return what a line loses or breaks when `after` replaces `before`; None if nothing."""
    old, new = (_TARGETS.sub("]()", text) for text in (before, after))
    for pattern in (_SHORTCODES, _SYMBOL):
        if Counter(pattern.findall(old)) != Counter(pattern.findall(new)):
            return "a mark of it would be lost"

    def more(pattern: Pattern[str]) -> int:
        """Return how many more matches the new line has."""
        return len(pattern.findall(new)) - len(pattern.findall(old))

    if more(_QUOTE):
        return "a quotation mark of it would be lost"
    if more(_DOUBLED) > 0:
        return "punctuation would be left over where its link was"
    if more(_HOLLOW) > 0:
        return "brackets or HTML around its venue would be left over"
    if any(more(pattern) > 0 for pattern in _GLUED):
        return "its link ends within its title"
    old_nodes, new_nodes = (_inlines(text) for text in (before, after))
    if _loose_markers(new_nodes) > _loose_markers(old_nodes):
        return "its emphasis would be broken"
    if _torn_tags(after, new_nodes) > _torn_tags(before, old_nodes):
        return "an HTML element would begin or end within its title's link"
    if _outer_links(new_nodes) < _outer_links(old_nodes):
        return "an address within its title would be no link"
    if Counter(_marks(after, new_nodes)) - Counter(_marks(before, old_nodes)):
        return "a mark of one link would be before another"
    return None


def _inlines(text: str) -> Sequence[Inline]:
    """Return the nodes of a line as if it were a paragraph."""
    blocks = parse(Source(f"x {text}")).blocks
    return blocks[0].inlines if blocks else ()


def _loose_markers(nodes: Sequence[Inline]) -> int:
    """Return how many `*` and backticks are shown as text."""
    count = 0
    for node in nodes:
        if isinstance(node, Text):
            count += node.value.count("*") + node.value.count("`")
        elif isinstance(node, Emphasis | Link):
            count += _loose_markers(node.children)
    return count


def _outer_links(nodes: Sequence[Inline]) -> int:
    """Return how many links are in no other one: GitHub draws none in the text of a link."""
    return sum(
        1 if isinstance(node, Link) else _outer_links(node.children) if isinstance(node, Emphasis) else 0
        for node in nodes
    )


def _torn_tags(text: str, nodes: Sequence[Inline]) -> int:
    """Return how many links have the tag of an HTML element in their text, but not both its tags."""
    count = 0
    for node in nodes:
        if isinstance(node, Link):
            tags = [tag for tag in _TAG.findall(text[node.start - 2 : node.end - 2]) if tag[1] not in _VOID]
            begins, ends = (
                Counter(name for end, name in tags if bool(end) is closes) for closes in (False, True)
            )
            count += begins != ends
        elif isinstance(node, Emphasis):
            count += _torn_tags(text, node.children)
    return count


def _marks(text: str, nodes: Sequence[Inline]) -> Iterator[tuple[str, str]]:
    """Yield the URL of each link with the mark right before it, unless the line begins with that."""
    for node in nodes:
        if isinstance(node, Link):
            mark = _MARK.search(text[: node.start - 2])
            if mark is not None and text[: mark.start()].strip():
                yield node.url, mark[0]
        elif isinstance(node, Emphasis):
            yield from _marks(text, node.children)
