"""Punctuation of prose: marks that are repeated, pairs that are incomplete, and emoji."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from shelfread.checks.common.pairs import CURLY, FULL_WIDTH
from shelfread.checks.common.styles import has_copied_descriptions
from shelfread.checks.common.unpaired import unpaired
from shelfread.core.diagnostics import MARKUP, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
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
Places: TypeAlias = Literal["everywhere", "entries", "headings"]

# Characters that are emoji by themselves, those that a variation selector makes emoji, and short codes.
_EMOJI = lazy(
    r"(?:(?:[\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1"
    r"\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b"
    r"\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    r"\U0001f000-\U0001faff]|[\u2190-\u2bff](?=\ufe0f))[\ufe0f\u200d\u20e3]*)+"
    r"|(?<![\w:]):[a-z][a-z0-9_+-]{1,30}:(?![\w:])"
)


def repeated_punctuation(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report commas, full stops and exclamation marks that are repeated."""
    text = document.source.text
    marks = _doubled(text)
    if not marks:
        return
    # Maintainers address their readers loudly, copy what others wrote, and list `Yahoo!!` and `Certified!!`.
    described = sorted(
        entry.description.span
        for entry in document.entries
        if entry.kind == "classic" and entry.description is not None and not has_copied_descriptions(document)
    )
    # One pattern for each mark, which it begins with, is faster than one pattern for all.
    runs = [match for mark in marks for match in re.finditer(re.escape(mark) + "{2,}", text)]
    for match in sorted(runs, key=re.Match.start):
        run, start, end = match[0], *match.span()
        if run == "。。。" or not (_WORD.search(text, max(0, start - 3), start) and _AFTER.match(text, end)):
            continue
        position = find_text(document, start)
        if position is None or position.link is not None or position.emphasised:
            continue
        if within(document.tree.protected, start) or (run[0] in _LOUD and not within(described, start)):
            continue
        edits = (Edit(start, end, run[0], MARKUP),)
        yield RawDiagnostic(Span(start, end), {"run": run, "mark": run[0]}, edits)


def _doubled(text: str) -> list[str]:
    """Return the marks that are repeated somewhere in a text; all other ASCII is blanked in one call."""
    runs = set(text.encode("utf-8", "replace").translate(_ALL_BUT_MARKS).split())
    found = [mark for mark in _ASCII_MARKS if any(mark.encode() * 2 in run for run in runs)]
    return found if text.isascii() else found + [mark for mark in _WIDE_MARKS if mark * 2 in text]


def punctuation_pairs(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report curly quotes and brackets of CJK scripts that do not pair."""
    if document.source.text.isascii():
        return
    for diagnostic in unpaired(document):
        signs = map(str, diagnostic.values.values())
        if any(sign in FULL_WIDTH or CURLY.match(sign) for sign in signs):
            yield diagnostic


def emoji(
    document: Document, context: RuleContext, *, places: Places = "everywhere", allow: Sequence[str] = ()
) -> RawDiagnostics:
    """Report emoji and their short codes in entries and headings."""
    spans = entry_spans(document)
    for match in _EMOJI.finditer(document.source.text):
        if match[0] in allow or match[0].rstrip("\ufe0e\ufe0f") in allow:
            continue
        position = find_text(document, match.start())
        if position is None:
            continue
        heading = position.block.kind == "heading"
        if places == ("entries" if heading else "headings") or not (heading or within(spans, match.start())):
            continue
        message = "heading" if heading else "entry"
        yield RawDiagnostic(Span(*match.span()), {"emoji": match[0]}, message=message)
