"""What stands between the parts of an entry: separators and spaces."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shelfread.checks.common.styles import LocalStyles, expected_style
from shelfread.core.diagnostics import MARKUP, Applicability, Edit, RawDiagnostic, RawDiagnostics
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, Question, When
from shelfread.index.description_style import BLANKS, SEPARATOR, Separator, is_described, lacks_space_before
from shelfread.index.description_style import separator as find_separator
from shelfread.index.line_style import Gap, gaps
from shelfread.index.observations import GAP

_SPACES = lazy(" {2,}")
_MESSAGES = {"": "missing", "–": "en-dash", "—": "em-dash"}
"""Dashes have messages of their own, because they look like hyphens."""
_PARTS = {"link": "name", "label": "link", "text": "description"}
"""The parts of an entry as its readers call them: the main link is its name."""

_WIDE_MARKS = frozenset("。，、；：！？．）】」』》〉”")
"""Marks that have a space of their own on their right."""


def separator(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report separators between link and description that differ from the expected one."""
    style = expected_style(document, context, Question(SEPARATOR), (" - ",), when)
    if style is None or not (mark := style.form.strip(BLANKS)):
        return
    text = document.source.text
    usual = style.form
    cases = list(_separators(document))
    styles = LocalStyles(document, ((entry, "", found.form) for entry, found in cases))
    for entry, found in cases:
        if found.form == usual:
            continue
        if found.mark and styles.has(entry, "", found.form, usual, when):
            continue
        if not found.mark and not _is_sentence(entry, text, found):
            continue
        if found.mark == "," and "," not in usual:
            continue  # `[Foo](u), by Bar` continues the sentence
        if found.mark != mark:
            yield _diagnostic(found, _MESSAGES.get(found.mark, "other"), style, text)
        # The usual form may be the odd one.
        elif not lacks_space_before(found.form, usual) and not _look_alike(found.form, usual):
            yield _diagnostic(found, "spacing", style, text)


def _look_alike(form: str, other: str) -> bool:
    """Return whether two forms look alike on the page, which shows two spaces as one."""
    return _SPACES.sub(" ", form) == _SPACES.sub(" ", other)


def _separators(document: Document) -> Iterator[tuple[Entry, Separator]]:
    for entry in document.entries:
        if is_described(entry) and (found := find_separator(entry, document.source.text)) is not None:
            yield entry, found


def _is_sentence(entry: Entry, text: str, found: Separator) -> bool:
    """Return whether a text directly after its link is a sentence of its own, and does not continue the link's."""
    start = found.span.end
    if entry.description is None or entry.description.span.start != start or not text[start].isupper():
        return False
    return found.form != "" and not any(f" {mark} " in text[start : entry.title_line.end] for mark in "-–—|")


def _diagnostic(found: Separator, message: str, convention: Convention, text: str) -> RawDiagnostic:
    """Return a diagnostic whose edit writes the usual separator and keeps a line break."""
    written = text[slice(*found.span)]
    applicability = Applicability.UNSAFE if "\n" in written or "\r" in written else Applicability.SAFE
    counts = {"count": convention.cases, "total": convention.total}
    values = {"separator": found.mark, "usual": f"'{convention.form}'", **counts}
    edits = (Edit(*found.span, convention.form, MARKUP),)
    return RawDiagnostic(found.span, values, edits, applicability, message=message)


def glued(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report parts of an entry with fewer, more or other spaces between them than the list has there."""
    text = document.source.text
    conventions = context.departures(document, GAP, when)
    if not conventions:
        return
    found = list(_gaps(document, frozenset(conventions)))
    styles = LocalStyles(document, ((entry, gap.kind, gap.form) for entry, gap in found))
    for entry, (kind, between, span) in found:
        convention = conventions[kind]
        form = convention.form
        if _look_alike(between, form) or (not between and text[span.start - 1 : span.start] in _WIDE_MARKS):
            continue
        if lacks_space_before(between, form) or styles.has(entry, kind, between, form, when):
            continue  # the usual form is the odd one, or the part has a style of its own
        missing = len(form) - len(between)
        message = "missing" if missing > 0 else "extra" if missing else "other"
        values = {"parts": _in_words(kind), "count": convention.cases, "total": convention.total}
        if missing != -1 or " " in form or " " not in between:  # a space where others have none is no worse
            yield RawDiagnostic(span, values, (Edit(*span, form, MARKUP),), message=message)


def _gaps(document: Document, kinds: Collection[str]) -> Iterator[tuple[Entry, Gap]]:
    """Yield the gaps of some kinds, each with its entry."""
    for entry in document.entries:
        if entry.block.kind != "heading":  # its spaces are part of its anchor
            for gap in gaps(entry, document.source.text):
                if gap.kind in kinds:
                    yield entry, gap


def _in_words(kind: str) -> str:
    """Return what a gap is between: `title and link`."""
    before, after = (_PARTS.get(part, part) for part in kind.partition(" ")[0].split("-"))
    return "two links" if before == after == "link" else f"{before} and {after}"
