"""Items of classic entries: where their link stands, how long their text is, whether it repeats the name."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.description_style import is_described
from shelfread.index.conventions.majority import When

_LEAST_ITEMS = 10
# What makes the name before it a subject or a label, up to where a text without it begins.
_REPEATED = lazy(
    r" (?:is|are) (?=\w)| ?: (?=\S)| [-–—] (?=\S)|, (?=an? |the )|(?=[.!]?$)"
    r"| (?=(?:provides|allows|lets|makes|helps|hosts|offers|gives|supports|enables|adds|brings|simplifies|aims"
    r"|combines|turns|automatically|easily)\b)"
)
_WORD = lazy(r"\w{1,100}")
_LETTERS = lazy(r"[^\W\d_]{2}")


def description_repeats(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Texts that begin with the name of their thing: `[Foo](u) - Foo is a tool`."""
    text = document.source.text
    for entry in document.entries:
        if not is_described(entry) or entry.description is None:
            continue
        name, said = entry.title.value, entry.description.value
        if said[: len(name)].casefold() != name.casefold() or not name:
            continue
        match = _REPEATED.match(said, len(name))
        if match is None:
            continue
        start = entry.description.span.start
        span = Span(start, start + len(name))
        if text[slice(*span)] != said[: len(name)]:
            yield RawDiagnostic(entry.description.span, {"name": name})
            continue
        yield RawDiagnostic(span, {"name": name}, _without(span, text, entry), Applicability.UNSAFE)


def _without(span: Span, text: str, entry: Entry) -> tuple[Edit, ...]:
    """The edit that lets a text begin with what it says of its thing."""
    assert entry.description is not None
    match = _REPEATED.match(text, span.end, entry.description.span.end)
    if match is None or match.end() >= entry.description.span.end:
        return ()
    kept = text[match.end()]
    if not kept.isalpha():
        return ()
    word = _WORD.match(text, match.end())
    assert word is not None
    after = word[0][0].upper() + word[0][1:]
    gone = text[span.start : word.end()]
    return (Edit(span.start, word.end(), after, Effect(Change.WORDS, gone, after)),)


def link_first(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Items whose link stands behind words, in lists whose items begin with it."""
    text = document.source.text
    items = [entry for entry in document.entries if entry.dialect in ("classic", "plain-name")]
    late = []
    for entry in items:
        if (
            text[entry.title_line.start] != "["
            and (span := _first_link(entry))
            and _is_late(entry, span, text)
        ):
            late.append((entry, span))
    if not late or when == "never":
        return
    if when == "learned" and (len(items) < _LEAST_ITEMS or len(late) * 10 > len(items)):
        return
    counts = {"count": len(items) - len(late), "total": len(items)}
    for entry, span in late:
        if sum(1 for label in entry.links if not label.link.image) == 1:
            yield RawDiagnostic(span, counts)


def _first_link(entry: Entry) -> Span | None:
    links = [label.link for label in entry.links if not label.link.image]
    first = min(links, key=lambda link: link.start, default=None)
    return Span(first.start, first.end) if first is not None else None


def _is_late(entry: Entry, link: Span, text: str) -> bool:
    start = entry.title_line.start
    opened = text.find("[", start, link.start + 1)  # a picture or an icon may lead
    return opened > start and text[opened - 1] != "!" and _LETTERS.search(text, start, opened) is not None


def description_length(
    document: Document, context: RuleContext, *, max: int = 200
) -> Iterator[RawDiagnostic]:
    """Texts that are longer than a line or two."""
    for entry in document.entries:
        said = entry.description
        if is_described(entry) and said is not None and len(said.value) > max:
            yield RawDiagnostic(said.span, {"length": len(said.value), "max": max})
