"""Venues that are written with their year in another form than the list's."""

from __future__ import annotations

from collections import Counter

from shelfread.checks.common.local_style import local_styles
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import Convention, When
from shelfread.index.conventions.venue_style import VENUE_FORM, VenueForm, find_venue_form

_GOES_ON = lazy(r"[ \t]+[^\W\d_]")


def venue_form(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report venues that are written with their year in another form than the list's."""
    text = document.source.text
    usual = context.departures(document, VENUE_FORM, when)
    if not usual:
        return
    papers = [entry for entry in document.entries if entry.kind == "paper" and entry.citation is not None]
    written = [(entry, form) for entry in papers if (form := find_venue_form(entry, text)) is not None]
    counts = Counter((form.group, form.text) for _, form in written)
    styles = local_styles(document, ((entry, form.group, form.text) for entry, form in written))
    for entry, form in written:
        convention = usual.get(form.group)
        if convention is None or convention.form == form.text:
            continue
        if counts[form.group, form.text] > counts[form.group, convention.form]:
            continue  # this file has a form of its own
        if entry.block.kind != "heading":  # other words in a heading change its anchor
            for raw in _diagnostic(entry, form, convention, text, when):
                yield styles.lower(raw, entry, form.group, form.text, when)


def _diagnostic(
    entry: Entry, form: VenueForm, convention: Convention, text: str, when: When
) -> RawDiagnostics:
    cited = entry.citation
    assert cited is not None and cited.name is not None
    separator, digits = convention.form.rstrip("Y"), convention.form.count("Y")
    span = Span(cited.name.span.start, form.span.end)
    before = text[span.start : span.end]
    after = f"{cited.name.value}{separator}{str(cited.year)[-digits:]}"
    if _GOES_ON.match(text, span.end):
        return  # `NeurIPS 2020 Offline RL Workshop`
    shown = before.replace("  ", "\u2423\u2423")  # messages have single spaces only
    values = {"before": shown, "after": after, "count": convention.cases, "total": convention.total}
    edits = (Edit.reword(span, before, after),)
    # Full names are copied with their citations, each in the style of its source.
    clear = convention.is_strict and not form.group.startswith("words")
    if when == "always" or clear:
        yield RawDiagnostic(span, values, edits)
    else:
        yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO)
