"""Entries that lack what papers have: a link, a year, a venue, code."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import RawDiagnostic, Span
from shelfread.document.model import Citation, Document, Entry
from shelfread.document.recognizers.citation import find_year
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When, learn

_PUBLICATIONS = ("conference", "journal", "workshop", "preprint")
_NEAR = 30
_LABEL = 30
"""So soon a line below an entry says what it holds, if it does."""


def incomplete(
    document: Document, context: RuleContext, *, links: When = "learned", years: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Papers with no link at all, and venues without a year, where a file's others have them."""
    papers = [entry for entry in document.entries if entry.kind == "paper"]
    if links != "never":
        yield from _without_links(document, papers, links)
    if years != "never":
        yield from _without_years(document, papers, years)


def _without_links(document: Document, papers: Sequence[Entry], when: When) -> Iterator[RawDiagnostic]:
    bare = [entry for entry in papers if not entry.links]
    if not bare or (when == "learned" and not _nearly_all(len(papers) - len(bare), len(papers))):
        return
    starts = [link.start for link in document.links]
    outer = {entry.span for entry in _outermost(document.entries)}
    bare = [entry for entry in bare if entry.span in outer and not _has_any(entry.span, starts)]
    lacking = Counter(entry.section for entry in bare)
    sizes = Counter(entry.section for entry in papers)
    for entry in bare:
        if when == "learned":
            # Without venue and authors it may be no paper; and a section of bare titles is meant.
            if entry.citation is None and not entry.authors:
                continue
            if lacking[entry.section] > 1 and lacking[entry.section] * 3 > sizes[entry.section]:
                continue
        yield RawDiagnostic(entry.title.span, {"lack": "no link", "others": "papers"})


def _has_any(span: Span, starts: Sequence[int]) -> bool:
    at = bisect_left(starts, span.start)
    return at < len(starts) and starts[at] < span.end


def _outermost(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that are not below another: what is there may be a remark."""
    outer: list[Entry] = []
    for entry in entries:
        if not outer or entry.span.start >= outer[-1].span.end:
            outer.append(entry)
    return outer


def _without_years(document: Document, papers: Sequence[Entry], when: When) -> Iterator[RawDiagnostic]:
    text = document.source.text
    stated: Counter[bool] = Counter()
    lacking: dict[bool, list[Citation]] = {True: [], False: []}
    for entry in papers:
        cited = entry.citation
        if cited is None or cited.venue is None or not _is_publication(cited):
            continue
        in_head = (
            entry.title_line.start <= cited.span.start < entry.title_line.end
        )  # a venue below may be a person's
        if _is_labelled(document, entry, cited.span.start):
            continue  # `Researcher: Ada Lovelace, MLSys, https://example.org`
        stated[in_head] += 1
        if cited.year is not None or (entry.year is not None and not entry.year_from_arxiv_id):
            continue
        if (
            not _is_dated(document, entry)
            and find_year(text[cited.span.end : cited.span.end + _NEAR]) is None
        ):
            lacking[in_head].append(cited)
    for in_head, cases in lacking.items():
        total = stated[in_head]
        if when == "always" or _nearly_all(total - len(cases), total):
            for cited in cases:
                yield RawDiagnostic(cited.span, {"lack": f"no year for {cited.text}", "others": "venues"})


def _is_labelled(document: Document, entry: Entry, at: int) -> bool:
    """Whether a place is in a line below an entry's first that says what it holds."""
    source = document.source
    line = source.line_at(at)
    return line > source.line_at(entry.title_line.start) and ":" in source.lines[line][:_LABEL]


def _is_publication(cited: Citation) -> bool:
    """Whether a venue is one that has years, written as a name is: a `cluster` may be any."""
    assert cited.venue is not None
    printed = cited.name.value if cited.name is not None else ""
    if cited.venue.kind not in _PUBLICATIONS:
        return False
    return printed in cited.venue.labels or sum(map(str.isupper, printed)) > 1 or cited.venue.id == "arxiv"


def _is_dated(document: Document, entry: Entry) -> bool:
    """Whether a heading above an entry states a year."""
    at = entry.section
    while at is not None:
        if document.sections[at].year is not None:
            return True
        at = document.sections[at].parent
    return False


def _nearly_all(having: int, total: int) -> bool:
    return learn(Counter({"having": having, "lacking": total - having})) == ("having", having, total)


# ------------------------------------------------------------------------------------------- strict
def missing_venue(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Papers that state no venue."""
    for entry in document.entries:
        if entry.kind == "paper" and entry.citation is None:
            yield RawDiagnostic(entry.title.span)


def missing_code(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Papers without a link to code."""
    for entry in document.entries:
        if entry.kind != "paper" or "github" in entry.identifiers:
            continue
        if not any(one.role is not None and one.role.id == "code" for one in entry.links):
            yield RawDiagnostic(entry.title.span)
