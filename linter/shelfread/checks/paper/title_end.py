"""Full stops after titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import Convention, When, learn
from shelfread.index.conventions.title_end import STOPS, TITLE_END, find_title_end

_NO_STOPS = str.maketrans("", "", STOPS)
# What follows a title whose full stop can go: the line's end, links, another cell; no sentence.
_MAY_FOLLOW = lazy(r"[ \t]*(?:$|[\r\n]|\(https?:|\(\.{0,2}/|\\?\[|[|<])")


def title_end(document: Document, context: RuleContext, *, when: When = "learned") -> Iterator[RawDiagnostic]:
    """Titles with a full stop where the list's have none, and the other way round."""
    forms = {question.subject: found for question, found in context.conventions.questions(TITLE_END)}
    usual = {
        dialect: learn(_with_and_without(forms[dialect]), when)
        for dialect in forms
        if len(forms[dialect]) > 1
    }
    if not any(usual.values()):
        return
    text = document.source.text
    for entry in document.entries:
        convention = usual.get(entry.dialect)
        span = find_title_end(entry, text) if convention is not None else None
        if convention is None or span is None or entry.block.kind == "heading":
            continue
        found = text[slice(*span)]
        bare = found.translate(_NO_STOPS)
        if (found != bare) == (convention.form == "with"):
            continue
        if found != bare and not _MAY_FOLLOW.match(text, span.end):
            continue
        right = bare if found != bare else _stopped(bare, forms[entry.dialect])
        edits = _edits(span, found, right) if right is not None else ()
        yield _place(span, convention, edits, when)


def _with_and_without(forms: Counter[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for form, count in forms.items():
        counts["without" if form.translate(_NO_STOPS) == form else "with"] += count
    return counts


def _stopped(bare: str, forms: Counter[str]) -> str | None:
    """Closing marks with the full stop where the list has it; None where it has no such marks."""
    stopped = [form for form, _ in forms.most_common() if form != bare and form.translate(_NO_STOPS) == bare]
    return stopped[0] if stopped else None


def _edits(span: Span, found: str, right: str) -> tuple[Edit, ...]:
    """The stop alone, so that no mark of emphasis is touched."""
    effect = Effect(Change.MARKUP)
    if len(right) > len(found):
        at = next(at for at, mark in enumerate(right) if mark in STOPS)
        return (Edit(span.start + at, span.start + at, right[at], effect),)
    return tuple(
        Edit(span.start + at, span.start + at + 1, "", effect)
        for at, mark in enumerate(found)
        if mark in STOPS
    )


def _place(span: Span, convention: Convention, edits: tuple[Edit, ...], when: When) -> RawDiagnostic:
    lacks = convention.form == "with"
    values = {
        "fault": "lacks a full stop" if lacks else "ends with a full stop",
        "count": convention.cases,
        "total": convention.total,
        "form": "one" if lacks else "none",
    }
    at = edits[0].start if edits else span.start
    # What lacks is shown by the mark or blank that stands in its place.
    place = RawDiagnostic(Span(at, at + 1) if not lacks else Span(at - 1, at), values, edits)
    if when == "always" or convention.is_strict:
        return place
    return place._replace(applicability=Applicability.UNSAFE, severity=Severity.INFO)
