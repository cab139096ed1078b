"""The rule `text/encoding`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from shelfread.checks.text.invisible import describe, find_hidden, has_right_to_left, may_hide
from shelfread.checks.text.mojibake import find_garbled, is_suspect
from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import addresses
from shelfread.document.model import Document
from shelfread.document.passages import leaf
from shelfread.index.context import RuleContext

_PLAIN = bytes((*b"\t\n\f\r", *range(0x20, 0x7F)))
_ODD = "\xa0\u2000-\u200a\u202f\u205f\u3000"
_HAS_ODD = lazy(f"[{_ODD}]")
_AFTER_MARKER = lazy(
    rf"(?:^|(?<=[\r\n]))[ \t>]*((?:[-*+]|\d{{1,3}}[.)])|#{{1,6}})([ \t]*)([{_ODD}][ \t{_ODD}]*)(?=[^\s*_+-])"
)
_ITEM = lazy(rf"[ \t>]*([-*+]|\d{{1,3}}[.)])[ \t{_ODD}]+\S")
_DISCUSSES_CHARACTERS = lazy(r"U\+[0-9A-F]{4}|\\u[0-9a-f]{4}|mojibake|zero.width|&zw", re.IGNORECASE)


def encoding(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report mojibake, lost and hidden characters, and Unicode spaces after the marker of an item or heading."""
    text = document.source.text
    # Most text is plain ASCII: only what is not is searched.
    data = text.encode("utf-8", "ignore")
    special = data.translate(None, _PLAIN).decode()
    if not special:
        return
    found: list[RawDiagnostic] = []
    if is_suspect(text, data):
        for match, meant in find_garbled(text):
            values = {"garbled": f"'{match[0]}'", "meant": meant}
            message = "garbled" if meant else "unreadable"
            found.append(RawDiagnostic(Span(*match.span()), values, message=message))
    taken = {offset for raw in found for offset in range(*raw.span)}
    if may_hide(special):
        for offset in find_hidden(text, lambda: has_right_to_left(text)):
            if offset not in taken:
                described, message = describe(text[offset])
                found.append(RawDiagnostic(Span(offset, offset + 1), described, message=message))
    if found:
        found.sort(key=lambda raw: raw.span)
        yield from _once_per_line(document, found)
    if _HAS_ODD.search(special):
        yield from _odd_spaces(document)


def _once_per_line(document: Document, found: list[RawDiagnostic]) -> Iterator[RawDiagnostic]:
    """Yield the first of equal findings in a line; none in code, comments and URLs (see link/malformed)."""
    source = document.source
    urls = (url.span for url in addresses(document) if url.form != "bare")
    opaque = sorted([*document.tree.protected, *urls])
    ends = [span.end for span in opaque]
    lines: dict[int, dict[tuple[object, ...], list[RawDiagnostic]]] = {}
    for raw in found:
        start = raw.span.start
        number = bisect_right(ends, start)
        if number == len(opaque) or opaque[number].start > start:
            key = (raw.message, *raw.values.values())
            lines.setdefault(source.line_at(start), {}).setdefault(key, []).append(raw)
    for line, groups in lines.items():
        if _DISCUSSES_CHARACTERS.search(source.lines[line]):
            continue
        for first, *others in groups.values():
            if others:
                values = {**first.values, "count": len(others) + 1}
                first = first._replace(values=values, message=f"{first.message}-repeated")
            yield first


def _odd_spaces(document: Document) -> Iterator[RawDiagnostic]:
    """Yield spaces after a marker that Markdown does not take for spaces, so that it shows the marker, or a gap."""
    source = document.source
    for match in _AFTER_MARKER.finditer(source.text):
        marker, gap, spaces = match.groups()
        block = leaf(document, match.start(3))
        if block is None or block.kind not in ("paragraph", "heading") or len(spaces.strip("\xa0")) > 1:
            continue  # two ideographic spaces are an indentation
        line = source.line_at(match.start(1))
        if (
            not gap
            and marker[0] != "#"
            and not any(_is_item(document, marker, line, step) for step in (-1, 1))
        ):
            continue  # dialogue after a dash, or a footnote
        change = Effect(Change.MARKUP if gap else Change.STRUCTURE)
        # A number that becomes a marker is no longer text, which needs a decision.
        is_number = marker[0].isdigit() and not gap
        edits = () if is_number else (Edit(*match.span(3), "" if gap else " ", change),)
        values = {"marker": marker, "code": f"U+{ord(spaces[0]):04X}"}
        yield RawDiagnostic(Span(match.start(1), match.end(3)), values, edits, message="space")


def _is_item(document: Document, marker: str, line: int, step: int) -> bool:
    """Return whether the nearest line above or below, at most one blank line away, looks like an item."""
    lines = document.source.lines
    near = (lines[number] for number in (line + step, line + 2 * step) if 0 <= number < len(lines))
    item = _ITEM.match(next(filter(str.strip, near), ""))
    return item is not None and item[1][-1] == marker[-1]
