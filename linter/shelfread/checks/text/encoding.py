"""Characters that a list should not hold: garbled, hidden, or blanks that Markdown takes for letters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from shelfread.checks.common.prose import leaf
from shelfread.checks.text.invisible import find_hidden, may_hide
from shelfread.checks.text.mojibake import find_garbled, is_suspect
from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_PLAIN = bytes((*b"\t\n\f\r", *range(0x20, 0x7F)))
_ODD = "\xa0\u2000-\u200a\u202f\u205f\u3000"
_HAS_ODD = lazy(f"[{_ODD}]")
_AFTER_MARK = lazy(
    rf"^[ \t>]*((?:[-*+]|\d{{1,3}}[.)])|#{{1,6}})([ \t]*)([{_ODD}][ \t{_ODD}]*)(?=[^\s*_+-])", re.MULTILINE
)
_ITEM = lazy(rf"[ \t>]*([-*+]|\d{{1,3}}[.)])[ \t{_ODD}]+\S")
_SPEAKS_OF_IT = lazy(r"U\+[0-9A-F]{4}|\\u[0-9a-f]{4}|mojibake|zero.width|&zw", re.IGNORECASE)


def encoding(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Mojibake, lost and invisible characters, and odd blanks after the mark of an item or heading."""
    text = document.source.text
    # Nearly all is plain ASCII, which is no business of this rule: what is not is looked at by itself.
    data = text.encode("utf-8", "ignore")
    rest = data.translate(None, _PLAIN).decode()
    if not rest:
        return
    found: list[tuple[Span, str]] = []
    if is_suspect(text, data):
        for match, meant in find_garbled(text):
            was = f", which was '{meant}'" if meant else ""
            found.append((Span(*match.span()), f"'{match[0]}'{was}"))
    taken = {at for span, _ in found for at in range(*span)}
    if may_hide(rest):
        found += [(Span(at, at + 1), name) for at, name in find_hidden(text) if at not in taken]
    if found:
        yield from _told_once(document, context, sorted(found))
    if _HAS_ODD.search(rest):
        yield from _odd_blanks(document)


def _told_once(
    document: Document, context: RuleContext, found: list[tuple[Span, str]]
) -> Iterator[RawDiagnostic]:
    """A place for each line and kind, not in code and comments, nor in addresses, which link/malformed reads."""
    source = document.source
    apart = sorted(
        [
            *document.tree.protected,
            *(address.span for address in context.table(addresses, document) if address.form != "bare"),
        ]
    )
    ends = [span.end for span in apart]
    lines: dict[int, dict[str, list[Span]]] = {}
    for span, fault in found:
        number = bisect_right(ends, span.start)
        if number == len(apart) or apart[number].start > span.start:
            lines.setdefault(source.line_at(span.start), {}).setdefault(fault, []).append(span)
    for line, faults in lines.items():
        if _SPEAKS_OF_IT.search(source.lines[line]):
            continue
        for fault, spans in faults.items():
            more = f", {len(spans)} times in this line" if len(spans) > 1 else ""
            yield RawDiagnostic(spans[0], {"fault": fault + more})


def _odd_blanks(document: Document) -> Iterator[RawDiagnostic]:
    """Blanks after a mark that only look like one: Markdown shows the mark, or a gap behind it."""
    source = document.source
    for match in _AFTER_MARK.finditer(source.text):
        mark, gap, blanks = match.groups()
        block = leaf(document, match.start(3))
        if block is None or block.kind not in ("paragraph", "heading") or len(blanks.strip("\xa0")) > 1:
            continue  # two full-width blanks are an indentation
        line = source.line_at(match.start(1))
        if not gap and mark[0] != "#" and not any(_is_item(document, mark, line, step) for step in (-1, 1)):
            continue  # a dash of speech, a remark
        change = Effect(Change.MARKUP if gap else Change.STRUCTURE)
        # A number that comes to be a mark is a word no more: that is for a person.
        counted = mark[0].isdigit() and not gap
        edits = () if counted else (Edit(*match.span(3), "" if gap else " ", change),)
        fault = f"a blank after '{mark}' that is none for Markdown (U+{ord(blanks[0]):04X})"
        yield RawDiagnostic(Span(match.start(1), match.end(3)), {"fault": fault}, edits)


def _is_item(document: Document, mark: str, line: int, step: int) -> bool:
    """Whether the next line with something in it, up or down, is or was to be an item with such a mark."""
    lines = document.source.lines
    for near in range(line + step, line + 3 * step, step):
        if not 0 <= near < len(lines):
            return False
        if lines[near].strip():
            item = _ITEM.match(lines[near])
            return item is not None and item[1][-1] == mark[-1]
    return False
