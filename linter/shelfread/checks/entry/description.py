"""Descriptions of classic entries: how they end, how long they are, and whether they repeat the name."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shelfread.checks.common.expected_style import expected_style
from shelfread.checks.common.local_style import Case, LocalStyles
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import Question, When
from shelfread.index.conventions.description_style import (
    DESCRIPTION_END,
    DescriptionEnd,
    find_description_end,
    is_described,
)

_STOPS = {"stop": ".", "。": "。", ".": "."}
"""The full stop to write for each form of DESCRIPTION_END that is one."""
# What follows a name that is only a subject or a label, up to where the description without it begins.
_REPEATED = lazy(
    r" (?:is|are) (?=\w)| ?: (?=\S)| [-–—] (?=\S)|, (?=an? |the )|(?=[.!]?$)"
    r"| (?=(?:provides|allows|lets|makes|helps|hosts|offers|gives|supports|enables|adds|brings|simplifies|aims"
    r"|combines|turns|automatically|easily)\b)"
)
_WORD = lazy(r"\w{1,100}")


def description_end(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Report descriptions without a full stop where most have one."""
    styles = {
        script: style
        for script, awesome in (("latin", ("stop",)), ("cjk", ("。", ".")))
        if (style := expected_style(document, context, Question(DESCRIPTION_END, script), awesome, when))
        and style.convention.form in _STOPS
    }
    text = document.source.text
    if not styles:
        return
    scripts = frozenset(styles)
    local = LocalStyles(document, _forms(document, scripts))
    for entry, ended in _ends(document, scripts):
        # A single word as `Android/iOS` is a label.
        if ended.form != "none" or (
            ended.script != "cjk" and (entry.description is None or " " not in entry.description.value)
        ):
            continue
        end = ended.offset
        start = end - 1 if text[end - 1] in ",;，；" else end
        first = text.rfind(" ", entry.title_line.start, start) + 1
        span = Span(max(first, end - 40, entry.title_line.start), end)
        convention, severity, applicability = styles[ended.script]
        values = {"count": convention.cases, "total": convention.total}
        edits = (Edit(start, end, _STOPS[convention.form], Effect(Change.MARKUP)),)
        raw = RawDiagnostic(span, values, edits, applicability, severity)
        yield local.lower(raw, entry, ended.script, ended.form, convention.form, when)


def _ends(document: Document, scripts: Collection[str]) -> Iterator[tuple[Entry, DescriptionEnd]]:
    """Yield how the descriptions in some scripts end."""
    text = document.source.text
    for entry in document.entries:
        if entry.description is None or not is_described(entry):
            continue
        if text[entry.description.span.end - 1] == ".":
            yield entry, DescriptionEnd("latin", "stop", entry.description.span.end)
        elif (ended := find_description_end(entry, text)) is not None and ended.script in scripts:
            yield entry, ended


def _forms(document: Document, scripts: Collection[str]) -> Iterator[Case]:
    for entry, ended in _ends(document, scripts):
        yield entry, ended.script, ended.form


def description_length(
    document: Document, context: RuleContext, *, max: int = 200
) -> Iterator[RawDiagnostic]:
    """Report descriptions of more than `max` characters as shown."""
    for entry in document.entries:
        text = entry.description
        if is_described(entry) and text is not None and len(text.value) > max:
            yield RawDiagnostic(text.span, {"length": len(text.value), "max": max})


def description_repeats(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report descriptions that begin with the name of their entry: `[Foo](u) - Foo is a tool`."""
    text = document.source.text
    for entry in document.entries:
        if not is_described(entry) or entry.description is None:
            continue
        name, words = entry.title.value, entry.description.value
        if words[: len(name)].casefold() != name.casefold() or not name:
            continue
        match = _REPEATED.match(words, len(name))
        if match is None:
            continue
        start = entry.description.span.start
        span = Span(start, start + len(name))
        if text[slice(*span)] != words[: len(name)]:
            yield RawDiagnostic(entry.description.span, {"name": name})
            continue
        yield RawDiagnostic(
            span, {"name": name}, _remove_name(span, entry.description.span.end, text), Applicability.UNSAFE
        )


def _remove_name(span: Span, end: int, text: str) -> tuple[Edit, ...]:
    """Return the edit that removes a name and the verb or punctuation after it."""
    match = _REPEATED.match(text, span.end, end)
    if match is None or match.end() >= end or not text[match.end()].isalpha():
        return ()
    word = _WORD.match(text, match.end())
    assert word is not None
    after = word[0][0].upper() + word[0][1:]
    before = text[span.start : word.end()]
    return (Edit(span.start, word.end(), after, Effect(Change.WORDS, before, after)),)
