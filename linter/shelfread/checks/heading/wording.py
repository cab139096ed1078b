"""The capitals of headings and titles, and punctuation at the end of headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from shelfread.checks.common.prose import texts
from shelfread.core.diagnostics import MARKUP, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.anchors.anchors import heading_text, slug_of
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import learn
from shelfread.markdown.node import Block, Text

Style: TypeAlias = Literal["learned", "title", "sentence"]

_STOP = lazy(r"[ \t]*[.,:;。，：；、]+[ \t]*$")
# `Foo Inc.`, `U.S.`, `...`
_ABBREVIATED = lazy(
    r"(?i)(?:\.\.|(?:^|[^A-Za-z])(?:[A-Za-z]|etc|vs|inc|ltd|co|corp|jr|sr|al|misc|no|vol|ed|eds|approx|dept|est))\.$"
)
_LETTER = lazy(r"[^\W\d_]")
_WORD = lazy(r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z'’]+)*(?![\w.+#/@])")
_LOWER = lazy(r"(?<=[ (])[a-z]{4,}(?=[ ,.;:)])")
_SMALL = frozenset(
    """about above across after against along among around at before behind below beneath beside between beyond
    but by despite down during except for from in inside into like near nor of off on onto or out outside over past
    per since so than that the then through throughout till to toward towards under until up upon versus via vs
    when with within without yet based using and as if is are be not how it its do does""".split()
)
_LEAST_LETTERS = 4
"""Shorter words may have small letters in any style."""


# ------------------------------------------------------------------------------------- punctuation
def punctuation(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings that end in a full stop, a comma or a colon."""
    for block in document.tree.blocks:
        if block.kind != "heading" or not block.inlines:
            continue
        last = block.inlines[-1]
        if not isinstance(last, Text) or last.end - last.start != len(last.value):
            continue
        match = _STOP.search(last.value)
        words = heading_text(block.inlines)
        if match is None or _ABBREVIATED.search(words) or not _LETTER.search(words):
            continue
        span = Span(last.start + match.start(), last.start + match.end())
        edits, safe = _shortened(document, context, block, words, span)
        yield RawDiagnostic(span, {"mark": match[0].strip()}, edits, safe)


def _shortened(
    document: Document, context: RuleContext, block: Block, words: str, span: Span
) -> tuple[tuple[Edit, ...], Applicability]:
    """Return the edits that remove the end of a heading and, if its anchor changes, update the links to it."""
    edits = [Edit(*span, "", MARKUP)]
    old = slug_of(words, context.project.slugs)
    new = slug_of(words[: len(words) - (span.end - span.start)], context.project.slugs)
    if old == new:
        return tuple(edits), Applicability.SAFE
    anchors = context.project.anchors(document.source.path or "") or ()
    if anchors.count(old) != 1 or any(anchor == new or anchor.startswith(f"{old}-") for anchor in anchors):
        return (), Applicability.UNSAFE
    for link in document.links:
        if link.url == f"#{old}" and link.destination is not None:
            edits.append(Edit.relink(link.destination, link.url, f"#{new}"))
    return tuple(edits), Applicability.UNSAFE


# ---------------------------------------------------------------------------------------- capitals
class _Word(NamedTuple):
    """A word that is capitalized in title case and not in sentence case."""

    start: int
    text: str


class _Title(NamedTuple):
    """The span of a heading or an entry's title, and the words that show its style."""

    span: Span
    words: list[_Word]


def heading_case(document: Document, context: RuleContext, *, style: Style = "learned") -> RawDiagnostics:
    """Yield headings whose capitals are not those of the style."""
    titles = []
    for block in document.tree.blocks:
        if block.kind == "heading" and block.inlines:
            span = Span(block.inlines[0].start, block.inlines[-1].end)
            titles.append(_Title(span, list(_words(texts(block.inlines)))))
    yield from _cased(document, titles, style)


def entry_case(document: Document, context: RuleContext, *, style: Style = "learned") -> RawDiagnostics:
    """Yield titles of papers, not names of other things, whose capitals are not those of the style."""
    text = document.source.text
    titles = []
    for entry in document.entries:
        span = entry.title.span
        if entry.kind == "paper" and text[slice(*span)] == entry.title.value:
            titles.append(_Title(span, list(_words([Text(*span, entry.title.value)]))))
    yield from _cased(document, titles, style)


def _cased(document: Document, titles: Sequence[_Title], style: Style) -> RawDiagnostics:
    wanted, why = str(style), ""
    if style == "learned":
        convention = learn(Counter(_style(title) for title in titles if title.words))
        if convention is None or convention.form == "mixed":
            return
        wanted, why = convention.form, f", as {convention.cases} of {convention.total} here are"
    # A word that the list also writes in small letters is not a name.
    common = _common(document) if wanted != "title" else frozenset()
    for title in titles:
        wrong = _wrong(title, wanted, common)
        if not wrong:
            continue
        swapped = ((Span(start, start + len(word)), word) for start, word in wrong)
        edits = tuple(Edit.reword(span, word, word[0].swapcase() + word[1:]) for span, word in swapped)
        values = {"words": ", ".join(f"'{word.text}'" for word in wrong[:5]), "style": wanted, "why": why}
        yield RawDiagnostic(title.span, values, edits, Applicability.UNSAFE)


def _style(title: _Title) -> str:
    """Return the style of a title that has words which show it: title, sentence or mixed."""
    capitals = sum(1 for word in title.words if word.text[0].isupper())
    return "title" if capitals == len(title.words) else "mixed" if capitals else "sentence"


def _wrong(title: _Title, wanted: str, common: frozenset[str]) -> list[_Word]:
    if wanted == "title":
        return [word for word in title.words if word.text[0].islower()]
    return [word for word in title.words if word.text[0].isupper() and word.text.lower() in common]


def _common(document: Document) -> frozenset[str]:
    """Return the words that a list has in small letters more than once."""
    counts = Counter(_LOWER.findall(document.source.text))
    return frozenset(word for word, count in counts.items() if count > 1)


def _words(nodes: Iterable[Text]) -> Iterator[_Word]:
    """Yield the words of a title that show its style: long ones, and not the first."""
    first = True
    for node in nodes:
        if node.end - node.start != len(node.value):
            continue
        for match in _WORD.finditer(node.value):
            word = match[0]
            before = node.value[max(0, match.start() - 3) : match.start()].rstrip()[-1:]
            if first or before in ":：.?!–—" or (before and before in "/@"):
                first = False
                continue
            if len(word) >= _LEAST_LETTERS and word.lower() not in _SMALL and word[1:].islower():
                yield _Word(node.start + match.start(), word)
