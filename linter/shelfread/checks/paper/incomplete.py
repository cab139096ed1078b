"""Papers without a link, a year, a venue, or code."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Citation, Document, Entry
from shelfread.document.passages import entry_spans
from shelfread.index.context import RuleContext
from shelfread.index.conventions import When, learn

_PUBLICATIONS = ("conference", "journal", "workshop", "preprint")
# Any year that a line may mean: `2010`, `pp. 249-256,2010`, `2025.09`, `ICML'20`, `ICML-20`.
_PLAUSIBLE_YEAR = lazy(r"(?<!\d)(?:19[5-9]\d|20[0-4]\d)(?!\d)|[^\W\d_][ \t]?['’‘`´-][ \t]?[0-4]\d(?!\d)")
_URL = lazy(r"\]\([^()\s]*\)?|(?:https?:)?//[^\s()<>\"']+")
_APART_BEFORE = lazy(r"(?:^|[^\w ])[ \t]*\Z")
_APART_AFTER = lazy(r"[ \t]*(?:[^\w \t(]|\Z)")
_LABEL_WITHIN = 30  # the label of a line (`Researcher:`) ends within so many characters


def incomplete(
    document: Document, context: RuleContext, *, links: When = "learned", years: When = "learned"
) -> RawDiagnostics:
    """Report papers without any link, and venues without a year, if nearly all others in the file have them."""
    papers = [entry for entry in document.entries if entry.kind == "paper"]
    if links != "never":
        yield from _without_links(document, papers, links)
    stated, lacking = _find_years(document) if years != "never" else (Counter[bool](), {})
    for in_title_line, cases in lacking.items():
        total = stated[in_title_line]
        if cases and (years == "always" or _nearly_all(total - len(cases), total)):
            for cited in cases:
                yield RawDiagnostic(cited.span, {"venue": cited.text}, message="year")


def _without_links(document: Document, papers: Sequence[Entry], when: When) -> RawDiagnostics:
    bare = [entry for entry in papers if not entry.links]
    if not bare or (when == "learned" and not _nearly_all(len(papers) - len(bare), len(papers))):
        return
    outer = set(entry_spans(document))  # an entry below another may be a remark
    bare = [entry for entry in bare if entry.span in outer and not _links_within(document, entry.span)]
    lacking = Counter(entry.section for entry in bare)
    sizes = Counter(entry.section for entry in papers)
    for entry in bare:
        if when == "learned":
            # Without venue and authors it may not be a paper; a section of bare titles is meant.
            if entry.citation is None and not entry.authors:
                continue
            if lacking[entry.section] > 1 and lacking[entry.section] * 3 > sizes[entry.section]:
                continue
        yield RawDiagnostic(entry.title.span, message="link")


def _links_within(document: Document, span: Span) -> bool:
    index = bisect_left(document.links, span.start, key=lambda link: link.start)
    return any(link.start < span.end for link in document.links[index : index + 1])


def _find_years(document: Document) -> tuple[Counter[bool], dict[bool, list[Citation]]]:
    """Return the numbers of venues of papers, and those without a year, by whether they are in the title line."""
    text = document.source.text
    stated: Counter[bool] = Counter()
    lacking: dict[bool, list[Citation]] = {True: [], False: []}
    for entry in document.entries:
        cited = entry.citation
        if entry.kind != "paper" or cited is None or cited.venue is None or not _is_publication(cited):
            continue
        # A venue below the title line may be that of a person.
        in_title_line = entry.title_line.start <= cited.span.start < entry.title_line.end
        if _is_labelled(document, entry, cited.span.start):
            continue  # `Researcher: Ada Lovelace, MLSys, https://example.org`
        if cited.year is None and " " in cited.text and not _is_apart(cited.span, text):
            continue  # `a library for graph Neural Networks and more`
        stated[in_title_line] += 1
        if cited.year is not None or (entry.year is not None and not entry.year_from_arxiv_id):
            continue
        # Without a link it may be no paper, but a subject and its venue: `Databases (SIGMOD)`.
        is_dated = any(document.sections[at].year is not None for at in document.above(entry.section))
        if entry.links and not is_dated and not _shows_year(entry, text):
            lacking[in_title_line].append(cited)
    return stated, lacking


def _is_apart(span: Span, text: str) -> bool:
    """Whether punctuation, markup or the end of the line is on both sides of a venue, so that it is no word of a phrase."""
    before, after = text[max(0, span.start - 3) : span.start], text[span.end : span.end + 3]
    return _APART_BEFORE.search(before) is not None and _APART_AFTER.match(after) is not None


def _shows_year(entry: Entry, text: str) -> bool:
    """Whether an entry's title line has any year outside of URLs."""
    return _PLAUSIBLE_YEAR.search(_URL.sub("]", text[slice(*entry.title_line)])) is not None


def _is_labelled(document: Document, entry: Entry, offset: int) -> bool:
    """Whether an offset is in a line with a label, below the title line of its entry."""
    source = document.source
    line = source.line_at(offset)
    return line > source.line_at(entry.title_line.start) and ":" in source.lines[line][:_LABEL_WITHIN]


def _is_publication(cited: Citation) -> bool:
    """Whether a venue has yearly editions and is written as a name: `cluster` may be a word."""
    assert cited.venue is not None
    printed = cited.name.value if cited.name is not None else ""
    if cited.venue.kind not in _PUBLICATIONS:
        return False
    return printed in cited.venue.labels or sum(map(str.isupper, printed)) > 1 or cited.venue.id == "arxiv"


def _nearly_all(having: int, total: int) -> bool:
    return learn(Counter({"having": having, "lacking": total - having})) == ("having", having, total)


def missing_venue(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report papers that state no venue."""
    for entry in document.entries:
        if entry.kind == "paper" and entry.citation is None:
            yield RawDiagnostic(entry.title.span)


def missing_code(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report papers without a link to code."""
    for entry in document.entries:
        if entry.kind != "paper" or "github" in entry.identifiers:
            continue
        if not any(label.role is not None and label.role.id == "code" for label in entry.links):
            yield RawDiagnostic(entry.title.span)
