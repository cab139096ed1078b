"""Words in the place of a venue that no vocabulary has: misspelt ones, and any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.index import Survey
from shelfread.taxonomy.vocabulary import Vocabulary

_NAMED = lazy(
    r"(?<![\w/.=&?%#@-])(?P<name>[A-Za-z][A-Za-z&]{2,14})(?P<year>[\s,'’‘`-]{0,3}(?:20[0-3]\d|19[5-9]\d|\d\d)(?![\w/]|[.,]\d))"
)
_SHOWN = lazy(r"[(\[（【`|>.?!,;:@*_\n]\s*$")
_LOOKALIKES = str.maketrans("l1|0", "iiio")
_REPEATED = lazy(r"(.)\1+")
# Venues that the vocabulary does not have, and that are near to one that it has.
_REAL = frozenset(
    """acns acpr ajcai amai apsec ares avss caip case cns compsac cvpr-w dicta ease ecir ecis emsoft esem esop fase
    focs hase icad icar iccs icdar icdcn icds iced icem ices iciap iciar icic icis icmc icmla icmlc iconip icpc icsa
    icsi icsm icsoc icsr icsc icta ictai icvgip icwe icws icwsm ijcar ijcb ipcai ipmi isaac isac iscc ismar ismir isms
    ispa ispd isqed issac isvc iswc itsc iwslt iwst mdm micai mmm mmsys modelsward mascots mass nlpcc nossdav pricai
    prcv recomb sacmat siggrapha sigdial sigcse sigsoft soda stoc tase tase tetc tcyb tcss tgrs tits tnse tsmc tvt
    umap vcip vmcai wcnc wise wisec""".split()
)


class _Nearness(IntEnum):
    """How near a word is to a venue; greater is nearer."""

    ONE_LETTER = 0
    """One letter is another or too many, in a short word: mostly another venue."""
    LETTER_MISSING = 1
    SLIP = 2
    """Two letters are swapped or one is doubled, or one is wrong in a long word."""
    LOOKS_EQUAL = 3
    """A small L in place of a capital I."""


class _Word(NamedTuple):
    """A word in the place of a venue, where it stands, and the entry."""

    name: str
    span: Span
    entry: Entry


def venue_unknown(document: Document, survey: Survey, *, least: int = 3) -> Iterator[RawDiagnostic]:
    """Words in the place of a venue that are a slip away from a venue which the list has `least` times."""
    used: dict[str, Counter[str]] = {}
    for _, forms in survey.questions("venue"):
        for name, count in forms.items():
            if " " not in name and len(name) > 2:
                used.setdefault(name.casefold(), Counter())[name] += count
    used = {name: forms for name, forms in used.items() if forms.total() >= least}
    if not used:
        return
    words = [word for entry in document.entries for word in _words(entry, document.source.text)]
    words = [word for word in words if survey.vocabulary.venue(word.name) is None]
    nearest: dict[str, tuple[str, _Nearness] | None] = {}
    times = Counter(word.name.casefold() for word in words)
    for word in words:
        folded = word.name.casefold()
        if folded not in nearest:
            is_other = folded in _REAL or folded in used
            nearest[folded] = None if is_other else _nearest(folded, used)
        found = nearest[folded]
        if found is None:
            continue
        right, nearness = found
        if times[folded] >= least and nearness is not _Nearness.LOOKS_EQUAL:
            continue  # what a list has often is meant
        if nearness >= _Nearness.SLIP or _is_proven(word.entry, right, survey.vocabulary):
            severity = Severity.WARNING
        elif nearness is _Nearness.LETTER_MISSING:
            severity = Severity.INFO
        else:
            continue
        usual = used[right].most_common(1)[0][0]
        edits = (Edit(*word.span, usual, Effect(Change.WORDS, word.name, usual)),)
        values = {"name": word.name, "usual": usual, "count": used[right].total()}
        yield RawDiagnostic(word.span, values, edits, Applicability.UNSAFE, severity)


def _words(entry: Entry, text: str) -> Iterator[_Word]:
    """The words beside a year in an entry that states no known venue, where a venue may stand."""
    cited = entry.citation
    if entry.kind != "paper" or (cited is not None and cited.venue is not None):
        return
    spans = [entry.head]
    if cited is not None and not entry.head.start <= cited.span.start < entry.head.end:
        spans.append(cited.span)
    for start, end in spans:
        for match in _NAMED.finditer(text, start, end):
            span = Span(*match.span("name"))
            is_cited = cited is not None and cited.name is not None and cited.name.span == span
            if not is_cited and not _is_venues_place(span, start, entry, text):
                continue
            if is_cited or sum(map(str.isupper, match["name"])) > 1:
                yield _Word(match["name"], span, entry)


def _is_venues_place(span: Span, start: int, entry: Entry, text: str) -> bool:
    """Whether a word stands after a bracket or mark, or begins the line, but no title, and is in no address."""
    if any(
        one.link.destination and one.link.destination.start <= span.start < one.link.destination.end
        for one in entry.links
    ):
        return False
    if span.start == entry.title.span.start:
        return False
    return span.start == start or bool(_SHOWN.search(text, max(start, span.start - 4), span.start))


def _nearest(word: str, used: Mapping[str, object]) -> tuple[str, _Nearness] | None:
    """The one venue that is nearest to a word, where there is one."""
    found: dict[_Nearness, list[str]] = {}
    for name in used:
        if (nearness := _nearness(word, name)) is not None:
            found.setdefault(nearness, []).append(name)
    best = max(found, default=None)
    return (found[best][0], best) if best is not None and len(found[best]) == 1 else None


def _nearness(word: str, name: str) -> _Nearness | None:
    """How near a word is to a venue; `w` and `s` at its end make a workshop of it, and more than one."""
    if abs(len(word) - len(name)) > 1 or word in (name + "w", name + "s"):
        return None
    if word.translate(_LOOKALIKES) == name.translate(_LOOKALIKES):
        return _Nearness.LOOKS_EQUAL
    if max(len(word), len(name)) > 3 and _REPEATED.sub(r"\1", word) == _REPEATED.sub(r"\1", name):
        return _Nearness.SLIP
    if not is_slip(word, name):
        return None
    short = min(len(word), len(name))
    if short > 4 or (short == 4 and sorted(word) == sorted(name)):
        return _Nearness.SLIP
    return _Nearness.LETTER_MISSING if len(word) < len(name) else _Nearness.ONE_LETTER


def _is_proven(entry: Entry, name: str, vocabulary: Vocabulary) -> bool:
    """Whether a link of the entry proves that it is of the venue of that name."""
    venue = vocabulary.venue(name)
    proofs = (vocabulary.evidence(one.link.url) for one in entry.links)
    return venue is not None and any(
        proof.venue is not None and vocabulary.same(proof.venue, venue) for proof in proofs if proof
    )


def venue_known(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """Venues that the vocabulary does not have."""
    for entry in document.entries:
        cited = entry.citation
        if cited is not None and cited.venue is None and cited.name is not None:
            yield RawDiagnostic(cited.name.span, {"name": cited.name.value})
