"""Full stops at the end of titles."""

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
# What may follow a title whose full stop is removed: the end of the line, links, another cell, but no sentence.
_MAY_FOLLOW = lazy(r"[ \t]*(?:$|[\r\n]|\(https?:|\(\.{0,2}/|\\?\[|[|<])")


def title_end(document: Document, context: RuleContext, *, when: When = "learned") -> Iterator[RawDiagnostic]:
    """Report titles with a full stop if the list's have none, and titles without one if the list's have one."""
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
        yield _diagnostic(span, convention, edits, when)


def _with_and_without(forms: Counter[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for form, count in forms.items():
        counts["without" if form.translate(_NO_STOPS) == form else "with"] += count
    return counts


def _stopped(bare: str, forms: Counter[str]) -> str | None:
    """Return closing markers with the full stop where the list has it, or None if the list has no such markers."""
    stopped = [form for form, _ in forms.most_common() if form != bare and form.translate(_NO_STOPS) == bare]
    return stopped[0] if stopped else None


def _edits(span: Span, found: str, right: str) -> tuple[Edit, ...]:
    """Return edits of the full stop alone, which leave emphasis markers as they are."""
    effect = Effect(Change.MARKUP)
    if len(right) > len(found):
        index = next(index for index, character in enumerate(right) if character in STOPS)
        return (Edit(span.start + index, span.start + index, right[index], effect),)
    stops = (span.start + index for index, character in enumerate(found) if character in STOPS)
    return tuple(Edit(start, start + 1, "", effect) for start in stops)


def _diagnostic(span: Span, convention: Convention, edits: tuple[Edit, ...], when: When) -> RawDiagnostic:
    values = {"count": convention.cases, "total": convention.total}
    start = edits[0].start if edits else span.start
    if convention.form == "with":  # a missing full stop is reported at the character before its place
        diagnostic = RawDiagnostic(Span(start - 1, start), values, edits, message="missing")
    else:
        diagnostic = RawDiagnostic(Span(start, start + 1), values, edits, message="extra")
    if when == "always" or convention.is_strict:
        return diagnostic
    return diagnostic._replace(applicability=Applicability.UNSAFE, severity=Severity.INFO)
