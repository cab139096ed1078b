"""The rule `text/emoji`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from shelfread.core.diagnostics import RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.passages import entry_spans, find_text, within
from shelfread.index.context import RuleContext

Places: TypeAlias = Literal["everywhere", "entries", "headings"]

# Characters that are emoji by themselves, those that a variation selector makes emoji, and short codes.
_EMOJI = lazy(
    r"(?:(?:[\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1"
    r"\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b"
    r"\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    r"\U0001f000-\U0001faff]|[\u2190-\u2bff](?=\ufe0f))[\ufe0f\u200d\u20e3]*)+"
    r"|(?<![\w:]):[a-z][a-z0-9_+-]{1,30}:(?![\w:])"
)


def emoji(
    document: Document, context: RuleContext, *, places: Places = "everywhere", allow: Sequence[str] = ()
) -> Iterator[RawDiagnostic]:
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
