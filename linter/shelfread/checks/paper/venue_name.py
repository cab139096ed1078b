"""Venues under a name that they no longer have or that the list writes in another way, and those that nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from shelfread.checks.common import WORDS
from shelfread.checks.common.styles import LocalStyles
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.model import Document, Entry, Field
from shelfread.document.recognizers.venues import PART
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Conventions, Question, When, learn
from shelfread.index.observations import VENUE_NAME
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

# Conferences that were held together: ACL-IJCNLP, ESEC/FSE.
_JOINT = lazy(r"[A-Z][A-Z0-9]+(?:[-–/+&][A-Z][A-Z0-9]+)+|[^/\n]*/.*")
_ORGANISERS = frozenset("acm ieee usenix ifip siam int international preprint".split())


def venue_alias(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report venues under a name that they no longer had, or that the list writes in another way."""
    usual: dict[tuple[str, str], str | None] = {}
    printed = list(_printed_venues(document))
    styles = LocalStyles(document, ((entry, venue.id, name) for entry, venue, (name, _), _ in printed))
    for entry, venue, (name, span), year in printed:
        values: dict[str, object] = {"name": name}
        known = context.conventions.forms(Question(VENUE_NAME, venue.id))
        right, since = venue.renamed(name, year)
        message = "renamed"
        if right is not None:
            values["since"] = since
        elif when != "never":
            if (name, venue.id) not in usual:
                usual[name, venue.id] = _usual_name(name, venue, known, when) if len(known) > 1 else None
            right, message = usual[name, venue.id], "usual"
        if right is None:
            continue
        same = name.casefold() == right.casefold()
        if message == "usual":
            compared = _spellings(name, known) if same else known
            values |= {"count": compared[right], "total": compared.total()}
        # Another word in a heading changes its anchor.
        possible = same or not entry.is_heading
        edits = (Edit.reword(span, name, right),) if possible else ()
        severity = Severity.INFO if _is_slight(name, right) else Severity.WARNING
        if message != "usual" or same or not styles.has(entry, venue.id, name, right, when):
            yield RawDiagnostic(span, {**values, "right": right}, edits, same, severity, message)


def _printed_venues(document: Document) -> Iterator[tuple[Entry, Venue, Field, int | None]]:
    """Yield the entries that print the name of a known venue, with the venue, its name and the year."""
    for entry in document.entries:
        cited = entry.citation
        if cited is None or cited.venue is None or cited.name is None:
            continue
        if document.source.text[slice(*cited.name.span)] == cited.name.value:
            yield entry, cited.venue, cited.name, cited.year


def _usual_name(name: str, venue: Venue, known: Counter[str], when: When) -> str | None:
    """Return how the list names a venue, if that is clear and not the given name."""
    folded = name.casefold()
    spellings = _spellings(name, known)
    official = next((label for label in venue.labels if label in spellings and not label.islower()), None)
    if official != name:
        # Names are often set in capitals throughout (PPOPP, INTERSPEECH): only a habit speaks against it.
        if official is not None and (not name.isupper() or official.isupper()):
            if spellings[official] * 3 >= spellings.total() * 2:
                return official if spellings[official] > 1 or when == "always" else None
        elif (spelling := learn(spellings, when)) is not None and spelling.form != name:
            return spelling.form
    if (
        _JOINT.fullmatch(name)
        or PART.search(name)
        or any(former.label.casefold() == folded for former in venue.names)
    ):
        return None  # a joint edition, a part of the venue, or its name at that time
    convention = learn(known, when)
    return None if convention is None or convention.form.casefold() == folded else convention.form


def _spellings(name: str, known: Counter[str]) -> Counter[str]:
    """Return how often the list has each spelling of a name."""
    folded = name.casefold()
    return Counter({form: count for form, count in known.items() if form.casefold() == folded})


def _is_slight(name: str, right: str) -> bool:
    """Return whether names differ in the case of several words, or in the organiser, only: `USENIX OSDI` and `OSDI`."""
    if name.casefold() == right.casefold():
        return " " in name
    words, others = (
        [word for word in each.casefold().replace("/", " ").split() if word not in _ORGANISERS]
        for each in (name, right)
    )
    return words == others


_NAME_AND_YEAR = lazy(
    r"(?<![\w/.=&?%#@-])(?P<name>[A-Za-z][A-Za-z&]{2,14})(?P<year>[\s,'’‘`-]{0,3}(?:20[0-3]\d|19[5-9]\d|\d\d)(?![\w/]|[.,]\d))"
)
_IN_BRACKETS = lazy(r"\s?\((?P<acronym>[A-Za-z]{4,12})\)")
_LEAST_SWAPPED = 4  # letters of a name; shorter ones are others: `CIS`, `CSI`
_BEFORE_VENUE = lazy(r"[(\[（【`|>.?!,;:@*_\n]\s*$")


def venue_unknown(document: Document, context: RuleContext, *, least: int = 3) -> RawDiagnostics:
    """Report unknown venues that are a slip away from one that the list has at least `least` times, or two letters from a known one."""
    used = _used(context.conventions, least)
    text = document.source.text
    for entry in document.entries:
        yield from _acronym(entry, text)
    spans = [span for entry in document.entries for span in _words(entry, text)]
    words = [(span, text[slice(*span)]) for span in spans]
    words = [(span, word) for span, word in words if context.vocabulary.venue(word) is None]
    counts = Counter(word.casefold() for _, word in words)
    for span, word in words:
        folded = word.casefold()
        if folded in WORDS["real_venues"] or folded in used or counts[folded] >= least:
            continue  # a name that the list has often is meant
        near = [name for name in used if _is_misspelled(folded, name)]
        if not near and len(known := _swapped(word, context.vocabulary)) == 1:
            edits = (Edit.reword(span, word, known[0]),)
            named = {"name": word, "usual": known[0]}
            yield RawDiagnostic(span, named, edits, False, Severity.INFO, message="swapped")
        if len(near) != 1:
            continue
        right = near[0]
        usual = used[right].most_common(1)[0][0]
        edits = (Edit.reword(span, word, usual),)
        values = {"name": word, "usual": usual, "count": used[right].total()}
        yield RawDiagnostic(span, values, edits, False, Severity.WARNING, message="similar")


def _acronym(entry: Entry, text: str) -> RawDiagnostics:
    """Yield the acronym in brackets behind the full name of a known venue, if it is a slip away from its own."""
    cited = entry.citation
    behind = _IN_BRACKETS.match(text, cited.name.span.end) if cited is not None and cited.name else None
    if cited is None or cited.venue is None or behind is None:
        return
    labels = [label for label in cited.venue.labels if " " not in label]
    if any(behind["acronym"].casefold() == label.casefold() for label in labels):
        return
    if meant := [label for label in labels if _is_misspelled(behind["acronym"].casefold(), label.casefold())]:
        span = Span(*behind.span("acronym"))
        edits = (Edit.reword(span, behind["acronym"], meant[0]),)
        values = {"name": behind["acronym"], "usual": meant[0]}
        yield RawDiagnostic(span, values, edits, False, Severity.WARNING, message="swapped")


def _swapped(word: str, vocabulary: Vocabulary) -> list[str]:
    """Return the names of known conferences that a word is if two letters beside each other are swapped: ICML for `ICLM`."""
    if not (word.isupper() and len(word) >= _LEAST_SWAPPED):
        return []
    names = {f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in range(len(word) - 1)}
    venues = ((name, vocabulary.venue(name)) for name in names - {word})
    return [name for name, venue in venues if venue is not None and venue.kind == "conference"]


@lru_cache(maxsize=1)
def _used(conventions: Conventions, least: int) -> dict[str, Counter[str]]:
    """Return the names of one word that the list has at least so often, folded, with their spellings."""
    used: dict[str, Counter[str]] = {}
    for _, forms in conventions.questions(VENUE_NAME):
        for name, count in forms.items():
            if " " not in name and len(name) > 2:
                used.setdefault(name.casefold(), Counter())[name] += count
    return {name: forms for name, forms in used.items() if forms.total() >= least}


def _words(entry: Entry, text: str) -> Iterator[Span]:
    """Yield the words beside a year, in the place of a venue, of an entry that states no known venue."""
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
                yield span


def _is_place_of_venue(span: Span, start: int, entry: Entry, text: str) -> bool:
    """Whether a word follows a bracket or punctuation or begins the line, outside of URLs and titles."""
    destinations = [label.link.destination for label in entry.links if label.link.destination]
    if any(start <= span.start < end for start, end in destinations):
        return False
    if span.start == entry.title.span.start:
        return False
    return span.start == start or bool(_BEFORE_VENUE.search(text, max(start, span.start - 4), span.start))


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
