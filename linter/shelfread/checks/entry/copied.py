"""The rule `entry/description-copied`."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext

_TEMPLATE = lazy(
    r"(?i)(?:(?:an?|the|your|short|brief|concise|one-line|project|tool|repo|repository) ){0,4}description"
    r"(?: (?:goes )?here| of (?:the|your|this) (?:project|tool|repo|repository|app|library|entry|resource))?[.!…]{0,3}"
    r"|(?:todo|tbd|fixme)[.:]?|lorem ipsum\b.*"
)
_WORD = lazy(r"[^\W_]{3,}")
_LEAST = 25
"""Shorter descriptions may be the same by chance."""


def description_copied(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report descriptions that stand twice, that the entry above has too, or that a template has."""
    text = document.source.text
    counts = Counter(entry.description.value for entry in document.entries if entry.description is not None)
    severity = Severity.INFO if context.base is None else Severity.ERROR
    for above, entry in pairwise((None, *document.entries)):
        if entry is None or entry.description is None or document.kind.explains_entries:
            continue
        value, span = entry.description
        if _TEMPLATE.fullmatch(value):
            yield RawDiagnostic(span, message="template")
        elif (cut := _half(value)) is not None and text[slice(*span)] == value:
            edit = Edit.remove(text, span.start + cut, span.end)
            yield RawDiagnostic(Span(span.start + cut, span.end), {}, (edit,), message="twice")
        elif (
            above is not None
            and above.description is not None
            and above.description.value == value
            and above.section == entry.section
            and len(value) >= _LEAST
            and _is_prose(value)
            and counts[value] == 2
            and not _words(above) & _words(entry)
        ):
            yield RawDiagnostic(span, {"line": above.line}, severity=severity, message="neighbour")


def _is_prose(value: str) -> bool:
    """Return whether a text is more than names: courses may well have one lecturer."""
    words = [word for word in value.split() if word[0].isalpha() and not word[0].isupper()]
    return sum(map(len, words)) >= _LEAST // 2


def _words(entry: Entry) -> set[str]:
    """Return the words of an entry's title: two parts of one thing may be described alike."""
    return set(_WORD.findall(entry.title.value.casefold()))


def _half(value: str) -> int | None:
    """Return where a text begins again that is one text and a space twice."""
    half = len(value) // 2
    twice = (
        len(value) % 2 == 1
        and half >= _LEAST // 2
        and value[half] == " "
        and value[:half] == value[half + 1 :]
    )
    return half if twice else None
