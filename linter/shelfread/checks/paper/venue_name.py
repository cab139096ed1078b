"""Venues that the vocabulary does not have: misspelt ones, and any others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from shelfread.checks.common import WORDS
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Conventions
from shelfread.index.observations import VENUE_NAME

_NAME_AND_YEAR = lazy(
    r"(?<![\w/.=&?%#@-])(?P<name>[A-Za-z][A-Za-z&]{2,14})(?P<year>[\s,'’‘`-]{0,3}(?:20[0-3]\d|19[5-9]\d|\d\d)(?![\w/]|[.,]\d))"
)
_BEFORE_VENUE = lazy(r"[(\[（【`|>.?!,;:@*_\n]\s*$")


class _PrintedName(NamedTuple):
    """A word in the place of a venue."""

    name: str
    span: Span
    entry: Entry


def venue_unknown(document: Document, context: RuleContext, *, least: int = 3) -> RawDiagnostics:
    """Report unknown venues that are a slip away from one that the list has at least `least` times."""
    used = _used(context.conventions, least)
    if not used:
        return
    words = [word for entry in document.entries for word in _words(entry, document.source.text)]
    words = [word for word in words if context.vocabulary.venue(word.name) is None]
    counts = Counter(word.name.casefold() for word in words)
    for word in words:
        folded = word.name.casefold()
        if folded in WORDS["real_venues"] or folded in used or counts[folded] >= least:
            continue  # a name that the list has often is meant
        right = _nearest(folded, used)
        if right is None:
            continue
        usual = used[right].most_common(1)[0][0]
        edits = (Edit.reword(word.span, word.name, usual),)
        values = {"name": word.name, "usual": usual, "count": used[right].total()}
        yield RawDiagnostic(word.span, values, edits, Applicability.UNSAFE, Severity.WARNING)


@lru_cache(maxsize=1)
def _used(conventions: Conventions, least: int) -> dict[str, Counter[str]]:
    """Return the names of one word that the list has at least so often, folded, with their spellings."""
    used: dict[str, Counter[str]] = {}
    for _, forms in conventions.questions(VENUE_NAME):
        for name, count in forms.items():
            if " " not in name and len(name) > 2:
                used.setdefault(name.casefold(), Counter())[name] += count
    return {name: forms for name, forms in used.items() if forms.total() >= least}


def _words(entry: Entry, text: str) -> Iterator[_PrintedName]:
    """Return the words beside a year, in the place of a venue, of an entry that states no known venue."""
    cited = entry.citation
    if entry.kind != "paper" or (cited is not None and cited.venue is not None):
        return
    spans = [entry.title_line]
    if cited is not None and not entry.title_line.start <= cited.span.start < entry.title_line.end:
        spans.append(cited.span)
    for start, end in spans:
        for match in _NAME_AND_YEAR.finditer(text, start, end):
            span = Span(*match.span("name"))
            is_cited = cited is not None and cited.name is not None and cited.name.span == span
            if not is_cited and not _is_place_of_venue(span, start, entry, text):
                continue
            if is_cited or sum(map(str.isupper, match["name"])) > 1:
                yield _PrintedName(match["name"], span, entry)


def _is_place_of_venue(span: Span, start: int, entry: Entry, text: str) -> bool:
    """Whether a word follows a bracket or punctuation or begins the line, outside of URLs and titles."""
    destinations = [label.link.destination for label in entry.links if label.link.destination]
    if any(start <= span.start < end for start, end in destinations):
        return False
    if span.start == entry.title.span.start:
        return False
    return span.start == start or bool(_BEFORE_VENUE.search(text, max(start, span.start - 4), span.start))


def _nearest(word: str, used: Iterable[str]) -> str | None:
    """Return the venue that a word is a slip away from, or None if there is no single one."""
    found = [name for name in used if _is_misspelled(word, name)]
    return found[0] if len(found) == 1 else None


def _is_misspelled(word: str, name: str) -> bool:
    """Return whether a word is a slip away from a venue; with `w` at its end it is a workshop, with `s` a plural."""
    # In a shorter word one letter is mostly that of another venue, unless two are swapped.
    is_clear = min(len(word), len(name)) > 4 or sorted(word) == sorted(name)
    return is_clear and word not in (name + "w", name + "s") and is_slip(word, name)


def venue_known(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report venues that the vocabulary does not have."""
    for entry in document.entries:
        cited = entry.citation
        if cited is not None and cited.venue is None and cited.name is not None:
            yield RawDiagnostic(cited.name.span, {"name": cited.name.value})
