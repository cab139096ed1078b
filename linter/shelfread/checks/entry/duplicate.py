"""What stands twice: entries that the project lists earlier, and descriptions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.repeated_entries import repeated_entries

_LONGEST = 60  # characters of a title that a message shows
# A list that repeats so many entries elsewhere lists them under several headings, which is said once.
_MANY = 3
_TEMPLATE = lazy(
    r"(?i)(?:(?:an?|the|your|short|brief|concise|one-line|project|tool|repo|repository) ){0,4}description"
    r"(?: (?:goes )?here| of (?:the|your|this) (?:project|tool|repo|repository|app|library|entry|resource))?[.!…]{0,3}"
    r"|(?:todo|tbd|fixme)[.:]?|lorem ipsum\b.*"
)
_WORD = lazy(r"[^\W_]{3,}")
_LEAST = 25  # shorter descriptions may be the same by chance


def duplicate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that the project lists earlier, for information where that may be meant."""
    path = document.source.path
    repeated = list(repeated_entries(document, context))
    elsewhere = [each for each in repeated if each.kind == "duplicate" and not each.is_certain]
    abroad = [each for each in elsewhere if each.other.path != path]
    are_shared = bool(abroad) and context.project.duplicates.is_shared
    if are_shared:
        elsewhere = [each for each in elsewhere if each.other.path == path]
    told = {each.entry for each in elsewhere[1:]} if len(elsewhere) >= _MANY else set()
    for each in repeated:
        index, other, kind, is_certain = each
        is_abroad = not is_certain and other.path != path
        if each.entry in told or (is_abroad and (kind != "duplicate" or are_shared)):
            continue  # another page lists things in its own way
        severity = Severity.WARNING if is_certain else Severity.INFO
        title = other.printed_title
        shown = title if len(title) <= _LONGEST else f"{title[:_LONGEST].rstrip()}..."
        values = {"where": other.where, "title": shown, "count": len(elsewhere)}
        edits = _remove(document, index, other.entry) if other.path == path else ()
        message = "cross-listed" if told and each is elsewhere[0] else kind
        yield RawDiagnostic(
            document.entries[index].title.span, values, edits, severity=severity, message=message
        )


def _remove(document: Document, index: int, other: int) -> tuple[Edit, ...]:
    """Return the edit that removes an entry if it is the same text as the one directly above it."""
    source, entry, above = document.source, document.entries[index], document.entries[other]
    text = source.text
    first, last = source.line_at(entry.span.start), source.line_at(entry.span.end - 1)
    own = source.lines[first : last + 1]
    if source.line_at(above.span.end - 1) != first - 1 or source.lines[first - len(own) : first] != own:
        return ()
    end = source.starts[last + 1] if last + 1 < len(source.lines) else len(text)
    return (Edit.remove(text, source.starts[first], end),)


def description_copied(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report descriptions that stand twice, that the entry above has too, or that a template has."""
    text = document.source.text
    counts = Counter(entry.description.value for entry in document.entries if entry.description is not None)
    base = context.base.text(document) if context.base is not None else None
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
            base is not None  # without a change, two things may well be described alike
            and above is not None
            and above.description is not None
            and min(base.lines[above.line - 1], base.lines[entry.line - 1]) < 0
            and above.description.value == value
            and above.section == entry.section
            and len(value) >= _LEAST
            and _is_prose(value)
            and counts[value] == 2
            and not _words(above) & _words(entry)
        ):
            is_new = base.lines[entry.line - 1] < 0
            place, line = (span, above.line) if is_new else (above.description.span, entry.line)
            yield RawDiagnostic(place, {"line": line}, message="neighbour")


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
