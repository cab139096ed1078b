"""The rule `text/repeated-punctuation`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.passages import entry_spans, find_text, within
from shelfread.index.context import RuleContext

# After a word only: `(,,x,,)` is an emoticon.
_WORD = lazy(r"(?:[A-Za-z]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\d.)\]])[ \t]?$")
_AFTER = lazy(r"\s|$|[^\W_]|[\"'*_)\]）」]")
_ASCII_MARKS = ",;!?"
_WIDE_MARKS = "，、；。！？"
_ALL_BUT_MARKS = bytes(code if chr(code) in _ASCII_MARKS else 32 for code in range(256))
_LOUD = frozenset("!！?？")


def repeated_punctuation(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report commas, full stops and exclamation marks that are repeated."""
    text = document.source.text
    marks = _doubled(text)
    if not marks:
        return
    described = sorted(
        entry.description.span
        for entry in document.entries
        if entry.kind == "classic" and entry.description is not None
    )
    # One pattern for each mark, which it begins with, is faster than one pattern for all.
    runs = [match for mark in marks for match in re.finditer(re.escape(mark) + "{2,}", text)]
    for match in sorted(runs, key=re.Match.start):
        run, start, end = match[0], *match.span()
        loud = run[0] in _LOUD
        if run == "。。。" or not (_WORD.search(text, max(0, start - 3), start) and _AFTER.match(text, end)):
            continue
        position = find_text(document, start)
        if position is None or position.link is not None or position.emphasised:
            continue
        in_entry = within(entry_spans(document), start)
        if within(document.tree.protected, start) or (in_entry and loud and not within(described, start)):
            continue  # `Yahoo!!` may be a name, and `Certified!!` part of a title
        edits = (Edit(start, end, run[0], Effect(Change.MARKUP)),)
        span, values = Span(start, end), {"run": run, "mark": run[0]}
        if loud and not in_entry:  # maintainers address their readers
            yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO)
        else:
            yield RawDiagnostic(span, values, edits)


def _doubled(text: str) -> list[str]:
    """Return the marks that are repeated somewhere in a text; all other ASCII is blanked in one call."""
    runs = set(text.encode("utf-8", "replace").translate(_ALL_BUT_MARKS).split())
    found = [mark for mark in _ASCII_MARKS if any(mark.encode() * 2 in run for run in runs)]
    return found if text.isascii() else found + [mark for mark in _WIDE_MARKS if mark * 2 in text]
