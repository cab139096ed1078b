"""Check that rewritten entries have the same fields: all that `export` gives."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from shelfread.core.diagnostics import Change, Edit, Effect
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.entry_data import entry_data
from shelfread.document.model import Document
from shelfread.fixes.verify.conservation import Damage, find_damage
from shelfread.fixes.verify.tokens import WORD
from shelfread.format.entries.intact import find_blemish
from shelfread.format.entries.rewrite import Rewrite
from shelfread.markdown.parse import parse
from shelfread.taxonomy.taxonomy import Taxonomy

_NO_WORDS = str.maketrans("01", ".,")
_TORN = lazy(r"[@&/+,:-]\s*[\])]|[\[(]\s*[@&/+,:-]")
"""A bracket of which a part was removed: `[EuroMLSys@]`."""
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
    """Return the entries, by index, whose rewriting changed a field, each with the reason.

    If only entries that were not rewritten are read otherwise, the rewrites next to the first of them are
    returned.
    """
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
    new = Counter(WORD.findall(after.text)) + Counter(WORD.findall(after.removed + after.breaks))
    return None if old == new else "a word of it would be lost"


def find_page_damage(before: Document, after: Source, rewrites: Sequence[Rewrite]) -> list[Damage]:
    """Return what the whole page would lose or gain beyond what the rewrites state."""
    breaks = "".join(rewrite.variant.breaks for rewrite in rewrites)
    edits = []
    for number, (_, (start, end), variant) in enumerate(rewrites):
        edits.append(Edit(start, end, variant.text, Effect(Change.STRUCTURE)))
        if variant.removed or variant.added:
            # Equal effects in adjacent lines would count once: punctuation makes them differ.
            unique = f" {number:b}".translate(_NO_WORDS)
            effect = Effect(Change.WORDS, variant.removed + unique, variant.added)
            edits.append(Edit(start, start, "", effect))
        if variant.breaks:
            # A removal is judged by its whole scope; find_lost_word has checked each rewrite.
            edits.append(Edit(start, start, "", Effect(Change.REMOVED, breaks)))
    return find_damage(before.tree, before.source.text, parse(after), after.text, edits)
