"""Whether rewritten entries still say what they said: every field that export gives."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from shelfread.core.diagnostics import Change, Edit, Effect
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.export import entry_data
from shelfread.document.model import Document
from shelfread.fixes.verify.conservation import find_damage
from shelfread.fixes.verify.tokens import WORD
from shelfread.format.entries.rewrite import Rewrite
from shelfread.markdown.parse import parse
from shelfread.taxonomy.taxonomy import Taxonomy

_NO_WORDS = str.maketrans("01", ".,")
_TORN = lazy(r"[@&/+,:-]\s*[\])]|[\[(]\s*[@&/+,:-]")
"""A bracket of which a part was taken out: `[EuroMLSys@]`."""
_PLACES = ("dialect", "line", "end_line")
_NAMES = {"name": "short name", "venue_text": "venue", "concept": "subject"}


def data_of(document: Document, taxonomy: Taxonomy) -> list[dict[str, Any]]:
    """What each entry says: all that export gives but how and where it is written."""
    found = []
    for entry in document.entries:
        data = {
            key: value for key, value in entry_data(entry, document, taxonomy).items() if key not in _PLACES
        }
        data["kind"] = entry.kind
        data["links"] = Counter((one["label"], one["role"], one["url"]) for one in data["links"])
        found.append(data)
    return found


def difference(before: Mapping[str, Any], after: Mapping[str, Any], relabelled: bool) -> str | None:
    """The field that is another, in words; `relabelled` says that one link may have another label."""
    for key, value in before.items():
        if key == "links":
            gone, come = value - after[key], after[key] - value
            same = sorted(one[1:] for one in gone.elements()) == sorted(one[1:] for one in come.elements())
            if not same or gone.total() > relabelled:
                return "links"
        elif value != after[key]:
            return _NAMES.get(key, key)
    return None


def blame(
    rewrites: Sequence[Rewrite],
    before: Document,
    old: Sequence[Mapping[str, Any]],
    after: Document,
    new: Sequence[Mapping[str, Any]],
) -> dict[int, str]:
    """The entries, by their number, whose rewriting altered what is said, and which field.

    Where entries that stayed are read otherwise, those rewritten next to them are to blame.
    """
    starts, ends, shift = [], [], 0
    for one in rewrites:
        starts.append(one.span.start + shift)
        ends.append(starts[-1] + len(one.written))
        shift += len(one.written) - (one.span.end - one.span.start)
    within: dict[int, list[int]] = {}
    beside: list[int] = []
    for number, entry in enumerate(after.entries):
        at = bisect_right(starts, entry.title.span.start) - 1
        inside = at >= 0 and entry.title.span.start <= ends[at]
        (within.setdefault(at, []) if inside else beside).append(number)
    wrong: dict[int, str] = {}
    for at, one in enumerate(rewrites):
        found = within.get(at, [])
        if len(found) != len(one.entries):
            wrong.update(dict.fromkeys(one.entries, "it would be read as another number of entries"))
            continue
        for number, other in zip(one.entries, found, strict=True):
            if field := difference(old[number], new[other], one.relabels):
                wrong[number] = f"its {field} would be read otherwise"
    if wrong or not rewrites:
        return wrong
    ours = {number for one in rewrites for number in one.entries}
    others = [number for number in range(len(old)) if number not in ours]
    pairs = zip(others, beside, strict=False)
    first = next((one for one, other in pairs if difference(old[one], new[other], False)), None)
    if first is None and len(others) != len(beside):
        first = others[-1] if others else 0
    if first is not None:
        at = bisect_right(rewrites, before.entries[first].span.start, key=lambda one: one.span.start)
        for one in rewrites[max(0, at - 1) : at + 1]:
            wrong.update(dict.fromkeys(one.entries, "an entry beside it would be read otherwise"))
    return wrong


def why_spoilt(rewrite: Rewrite, text: str) -> str | None:
    """What is wrong with a rewrite that tears a bracket apart, or loses or adds a word that it does not state."""
    before = text[rewrite.span.start : rewrite.span.end]
    if len(_TORN.findall(rewrite.written)) > len(_TORN.findall(before)):
        return "the bracket of its venue says more"
    was = Counter(WORD.findall(text[rewrite.span.start : rewrite.span.end])) + Counter(
        WORD.findall(rewrite.come)
    )
    come = Counter(WORD.findall(rewrite.written)) + Counter(WORD.findall(rewrite.gone + rewrite.tags))
    return None if was == come else "a word of it would be lost"


def conserves(before: Document, after: Source, rewrites: Sequence[Rewrite]) -> str | None:
    """What the whole page would lose or gain beyond what the rewrites state; None where nothing."""
    tags = "".join(rewrite.tags for rewrite in rewrites)
    edits = []
    for number, rewrite in enumerate(rewrites):
        start, end = rewrite.span
        edits.append(Edit(start, end, rewrite.written, Effect(Change.STRUCTURE)))
        if rewrite.gone or rewrite.come:
            # Lines below each other are one zone, in which equal effects count once: marks make them differ.
            own = f" {number:b}".translate(_NO_WORDS)
            edits.append(Edit(start, start, "", Effect(Change.WORDS, rewrite.gone + own, rewrite.come)))
        if rewrite.tags:
            # A removal is judged by what its whole zone states; each rewrite's own share why_spoilt has counted.
            edits.append(Edit(start, start, "", Effect(Change.REMOVED, tags)))
    return find_damage(before.tree, before.source.text, parse(after), after.text, edits)
