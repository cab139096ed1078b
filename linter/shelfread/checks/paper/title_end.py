"""Full stops at the end of titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from shelfread.checks.common.local_style import Case, LocalStyles
from shelfread.core.diagnostics import (
    MARKUP,
    Applicability,
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
)
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import Convention, When, learn
from shelfread.index.conventions.paper_style import STOPS, TITLE_END, find_title_end

_NO_STOPS = str.maketrans("", "", STOPS)
# What may follow a title whose full stop is removed: the end of the line, links, another cell, but no sentence.
_LAST_WORD = lazy(r"\w[\w'’-]*\W?\Z")
_LONGEST_WORD = 40
_MAY_FOLLOW = lazy(r"[ \t]*(?:$|[\r\n]|\(https?:|\(\.{0,2}/|\\?\[|[|<])")


def title_end(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report titles with a full stop if the list's have none, and titles without one if the list's have one."""
    usual = _usual_ends(document, context, when)
    if not usual:
        return
    text = document.source.text
    dialects = frozenset(usual)
    styles = LocalStyles(document, _forms(document, dialects))
    for entry, span in _ends(document, dialects):
        found = text[slice(*span)]
        convention, forms = usual[entry.dialect]
        if _kind(found) == convention.form:
            continue
        bare = found.translate(_NO_STOPS)
        if found != bare and not _MAY_FOLLOW.match(text, span.end):
            continue
        right = bare if found != bare else _stopped(bare, forms)
        raw = _diagnostic(span, convention, () if right is None else _edits(span, found, right), when, text)
        yield styles.lower(raw, entry, entry.dialect, _kind(found), convention.form, when)


def _ends(document: Document, dialects: Collection[str]) -> Iterator[tuple[Entry, Span]]:
    """Yield the ends of the titles of entries of some dialects."""
    for entry in document.entries:
        if entry.dialect in dialects and entry.block.kind != "heading":
            span = find_title_end(entry, document.source.text)
            if span is not None:
                yield entry, span


def _forms(document: Document, dialects: Collection[str]) -> Iterator[Case]:
    for entry, span in _ends(document, dialects):
        yield entry, entry.dialect, _kind(document.source.text[slice(*span)])


def _usual_ends(
    document: Document, context: RuleContext, when: When
) -> dict[str, tuple[Convention, list[str]]]:
    """Return the usual ends of titles by the dialects of the entries in which a file departs from them.

    Each comes with the forms that the list has, the most frequent one first.
    """
    facts = context.own_facts(document)
    found: dict[str, tuple[Convention, list[str]]] = {}
    for asked, forms in context.conventions.disputed(TITLE_END):
        convention = learn(_with_and_without(forms), when)
        own = forms if facts is None else facts.forms(asked)
        if convention is not None and any(_kind(form) != convention.form for form in own):
            found[asked.subject] = convention, [form for form, _ in forms.most_common()]
    return found


def _kind(form: str) -> str:
    """Return whether the end of a title is `with` or `without` a full stop."""
    return "without" if form.translate(_NO_STOPS) == form else "with"


def _with_and_without(forms: Counter[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for form, count in forms.items():
        counts[_kind(form)] += count
    return counts


def _stopped(bare: str, forms: Sequence[str]) -> str | None:
    """Return closing markers with the full stop where the list has it, or None if the list has no such markers."""
    return next((form for form in forms if form != bare and form.translate(_NO_STOPS) == bare), None)


def _edits(span: Span, found: str, right: str) -> tuple[Edit, ...]:
    """Return edits of the full stop alone, which leave emphasis markers as they are."""
    if len(right) > len(found):
        index = next(index for index, character in enumerate(right) if character in STOPS)
        return (Edit(span.start + index, span.start + index, right[index], MARKUP),)
    stops = (span.start + index for index, character in enumerate(found) if character in STOPS)
    return tuple(Edit(start, start + 1, "", MARKUP) for start in stops)


def _diagnostic(
    span: Span, convention: Convention, edits: tuple[Edit, ...], when: When, text: str
) -> RawDiagnostic:
    values = {"count": convention.cases, "total": convention.total}
    start = edits[0].start if edits else span.start
    place, message = Span(start, start + 1), "extra"
    if convention.form == "with":  # a missing full stop is reported at the word before its place
        word = _LAST_WORD.search(text, max(0, start - _LONGEST_WORD), start)
        place, message = Span(word.start() if word else start - 1, start), "missing"
    diagnostic = RawDiagnostic(place, values, edits, message=message)
    if when == "always" or convention.is_strict:
        return diagnostic
    return diagnostic._replace(applicability=Applicability.UNSAFE, severity=Severity.INFO)
