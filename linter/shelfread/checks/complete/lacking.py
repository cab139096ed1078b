"""What papers lack that most papers of the list have, and sources know: a venue, a year, a DOI, a link to code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from shelfread.checks.paper.same_paper import restate
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.answers import Work
from shelfread.index.context import RuleContext
from shelfread.index.facts import Publication, heading_publication
from shelfread.index.known_works import Stated, is_printable, works_of
from shelfread.index.known_works import published as published_at
from shelfread.index.observations import find_venue_form


def published(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers that are cited as preprints and have been published."""
    text = document.source.text
    for entry in _papers_of(document):
        cited = entry.citation
        if cited is None or cited.venue is None or cited.venue.kind != "preprint":
            continue
        stated = published_at(works_of(entry, context.answers), context.vocabulary)
        printable = _printable(stated)
        edits = restate(entry, cited, printable, text) if printable else ()
        yield from _diagnostic(cited.span, stated, edits, {"here": cited.text})


def venue(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a venue, if half of the list's papers have one."""
    papers = _papers_of(document) if context.answers.works else []
    if not _is_usual(entry.citation is not None for entry in papers):
        return
    for entry in papers:
        if entry.citation is None and not _is_in_section_of_venue(entry, document):
            stated = published_at(works_of(entry, context.answers), context.vocabulary)
            printable = _printable(stated)
            edits = insert_citation(entry, document, printable) if printable else ()
            yield from _diagnostic(entry.title.span, stated, edits, {})


def year(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield venues without a year, if half of the list's venues have one."""
    cited = [entry for entry in _papers_of(document) if entry.citation is not None and entry.citation.venue]
    if not context.answers.works or not _is_usual(entry.year is not None for entry in cited):
        return
    for entry in cited:
        assert entry.citation is not None and entry.citation.venue is not None
        if entry.year is not None or _is_in_section_of_venue(entry, document):
            continue
        here = entry.citation.venue.id
        same = [
            stated
            for stated in published_at(works_of(entry, context.answers), context.vocabulary)
            if stated.publication.venue == here and stated.publication.year is not None
        ]
        edits = insert_year(entry, document, same[0].publication.year or 0) if len(same) == 1 else ()
        yield from _diagnostic(entry.citation.span, same, edits, {})


def _printable(stated: Sequence[Stated]) -> Publication | None:
    """Return what all sources state, if a list may print it."""
    publication = stated[0].publication if len(stated) == 1 else None
    return publication if publication is not None and is_printable(publication) else None


def _is_in_section_of_venue(entry: Entry, document: Document) -> bool:
    """Return whether a heading above states the venue."""
    return entry.section is not None and heading_publication(document, entry.section) is not None


def _diagnostic(
    span: Span, stated: Sequence[Stated], edits: tuple[Edit, ...], values: Mapping[str, object]
) -> RawDiagnostics:
    """Yield what one or more sources state; if they differ, without a fix."""
    if len(stated) == 1:
        publication = stated[0].publication
        values = {**values, "there": publication.text, "year": publication.year, "sources": stated[0].by}
        yield RawDiagnostic(span, values, edits, safe=False, message="agreed")
    elif stated:
        shown = ", ".join(f"{each.publication.text} ({each.by})" for each in stated)
        yield RawDiagnostic(span, {**values, "shown": shown}, severity=Severity.INFO, message="differ")


def _papers_of(document: Document) -> list[Entry]:
    return [entry for entry in document.entries if entry.kind == "paper"]


def _is_usual(cases: Iterable[bool]) -> bool:
    """Return whether half of some papers or more have something, so that the others lack it."""
    counted = list(cases)
    return 2 * sum(counted) >= len(counted)


def code(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a link to code, if half of the list's papers have one."""
    yield from _lacking(
        document,
        context,
        has=lambda entry: "github" in entry.identifiers or any(map(_is_code, entry.links)),
        is_kind=_is_code,
        url=lambda work: work.code,
    )


def doi(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a DOI, if half of the list's papers have one."""
    yield from _lacking(
        document,
        context,
        has=lambda entry: "doi" in entry.identifiers,
        is_kind=lambda link: "doi.org/" in link.link.url,
        url=lambda work: f"https://doi.org/{work.doi}" if work.doi and not work.is_preprint else "",
    )


def _is_code(link: LabelledLink) -> bool:
    return link.role is not None and link.role.id == "code"


def _lacking(
    document: Document,
    context: RuleContext,
    *,
    has: Callable[[Entry], bool],
    is_kind: Callable[[LabelledLink], bool],
    url: Callable[[Work], str],
) -> RawDiagnostics:
    papers = _papers_of(document) if context.answers.works else []
    having = [has(entry) for entry in papers]
    if not _is_usual(having):
        return
    for entry in (entry for entry, has_it in zip(papers, having, strict=True) if not has_it):
        found: dict[str, dict[str, None]] = {}
        for work in works_of(entry, context.answers):
            if address := url(work):
                found.setdefault(address, {})[work.source] = None
        shown = ", ".join(f"{address} ({', '.join(sources)})" for address, sources in found.items())
        if len(found) == 1:
            edits = insert_link(entry, document, is_kind, next(iter(found)))
            yield RawDiagnostic(entry.title.span, {"shown": shown}, edits, safe=False, message="agreed")
        elif found:
            yield RawDiagnostic(entry.title.span, {"shown": shown}, severity=Severity.INFO, message="differ")


_GAP = lazy(r"[ \t,.;:|(\[\u2013\u2014*_-]{1,6}")
_LINK_GAP = lazy(r"[ \t\\\])(\[|,/\u00b7\u2022]{1,8}")
_LINK_CLOSING = lazy(r"(?:\\?[\])])*")
_CLOSING = {"(": ")", "[": "]", "*": "*", "_": "_"}
_MARKS = "*_\"'”’"


_Pattern = TypeVar("_Pattern", bound=tuple[object, ...])


class _CitationPattern(NamedTuple):
    """How a citation stands beside a title: ` (OSDI 2020)` behind it, `[OSDI'20] ` in front of it."""

    is_behind: bool
    before: str  # the text between the title, or the beginning of the line, and the venue
    between: str  # the text between the venue and the year
    digits: int  # those of the year
    after: str

    def text(self, publication: Publication) -> str:
        year = str(publication.year)[-self.digits :]
        return f"{self.before}{publication.name}{self.between}{year}{self.after}"


def insert_citation(entry: Entry, document: Document, publication: Publication) -> tuple[Edit, ...]:
    """Return the edit that states a venue and year as most papers of the section do; none if they do not agree."""
    text = document.source.text
    pattern = _commonest(entry, document, lambda other: _citation_pattern(other, text))
    if pattern is None or publication.year is None:
        return ()
    start, end = _title_range(entry, text)
    if pattern.is_behind:
        added = pattern.text(publication)
        return (Edit.insert(end, added.rstrip(".") if text.startswith(".", end) else added),)
    if start != entry.title_line.start:
        return ()
    title = text[start:end]
    after = pattern.text(publication) + title
    return (Edit.extend(Span(start, end), title, after),)


def insert_year(entry: Entry, document: Document, year: int) -> tuple[Edit, ...]:
    """Return the edit that adds a year to a venue in the form of most papers of the section."""
    cited, text = entry.citation, document.source.text
    if cited is None or cited.name is None or cited.name.span.end != cited.span.end:
        return ()
    pattern = _commonest(entry, document, lambda other: _year_pattern(other, text))
    if pattern is None:
        return ()
    between, digits = pattern
    return (Edit.insert(cited.span.end, f"{between}{str(year)[-digits:]}"),)


def insert_link(
    entry: Entry, document: Document, is_kind: Callable[[LabelledLink], bool], url: str
) -> tuple[Edit, ...]:
    """Return the edit that adds a link behind that to the paper, as most papers of the section have it."""
    text = document.source.text
    pattern = _commonest(entry, document, lambda other: _link_pattern(other, is_kind, text))
    last = next((link for link in reversed(entry.links) if _is_paper(link)), None)
    if pattern is None or last is None or last.link.form != "inline" or last.link.image:
        return ()
    gap, label = pattern
    closing = _LINK_CLOSING.match(gap)
    if closing is None or not text.startswith(closing[0], last.link.end):
        return ()
    return (Edit.insert(last.link.end, f"{gap}[{label}]({url})"),)


def _commonest(entry: Entry, document: Document, find: Callable[[Entry], _Pattern | None]) -> _Pattern | None:
    """Return the pattern of most papers in the section, else in the list; None if there is none."""
    others = (other for other in _papers_of(document) if other is not entry)
    found = [(other.section, pattern) for other in others if (pattern := find(other))]
    own = Counter(pattern for section, pattern in found if section == entry.section)
    counts = own or Counter(pattern for _, pattern in found)
    for pattern, count in counts.most_common(1):
        return pattern if 2 * count > counts.total() else None
    return None


def _citation_pattern(entry: Entry, text: str) -> _CitationPattern | None:
    cited, form = entry.citation, find_venue_form(entry, text)
    if cited is None or cited.name is None or form is None or cited.name.span.start != cited.span.start:
        return None
    if any(link.link.start <= cited.span.start < link.link.end for link in entry.links):
        return None
    start, end = _title_range(entry, text)
    if end <= cited.span.start:
        before = text[end : cited.span.start]
        after = "".join(_CLOSING[char] for char in reversed(before) if char in _CLOSING)
        stop = cited.span.end + len(after)
        if text.startswith(".", stop):
            after += "."
        if _GAP.fullmatch(before) and text.startswith(after, cited.span.end):
            return _CitationPattern(True, before, form.gap, form.digits, after)
    elif cited.span.end <= start:
        before, after = text[entry.title_line.start : cited.span.start], text[cited.span.end : start]
        closing = "".join(_CLOSING.get(char, "?") for char in reversed(before))
        separator = after[len(closing) :]
        if after.startswith(closing) and len(separator) <= 3 and not separator.strip(" \t:-|"):
            return _CitationPattern(False, before, form.gap, form.digits, after)
    return None


def _year_pattern(entry: Entry, text: str) -> tuple[str, int] | None:
    """Return what stands between a venue and its year, and the digits of that: `'20`, ` 2020`."""
    form = find_venue_form(entry, text)
    return (form.gap, form.digits) if form is not None and form.group.startswith("name") else None


def _link_pattern(entry: Entry, is_kind: Callable[[LabelledLink], bool], text: str) -> tuple[str, str] | None:
    """Return what stands between the link to the paper and one of a kind, and the label of that: `] [`, `Code`."""
    for first, second in pairwise(entry.links):
        gap = text[first.link.end : second.link.start]
        if _is_paper(first) and is_kind(second) and second.link.form == "inline" and not second.link.image:
            label = text[slice(*second.link.text)]
            return (gap, label) if _LINK_GAP.fullmatch(gap) and label == second.label else None
    return None


def _is_paper(link: LabelledLink) -> bool:
    return link.role is not None and link.role.id == "paper"


def _title_range(entry: Entry, text: str) -> tuple[int, int]:
    """Return where a title begins and ends, with the link and the marks around it."""
    start, end = entry.title.span
    for link in entry.links:
        if link.link.start <= start and end <= link.link.end:
            start, end = link.link.start, link.link.end
    while end < entry.title_line.end and text[end] in _MARKS:
        end += 1
    while start > entry.title_line.start and text[start - 1] in _MARKS:
        start -= 1
    return start, end
