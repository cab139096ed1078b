"""Printed arXiv ids that differ from the linked ones."""

from __future__ import annotations

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.regex import lazy
from shelfread.document.identity import identify
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext

_PRINTED = lazy(r"(?i)arxiv\b(?:[\s:(\[]|preprint\b|abs/)*?(\d{4}\.\d{2,6})(?![\d/])")
_MAY_BE_PRINTED = lazy(r"arxiv\b(?:[\s:(\[]|preprint\b|abs/)*?\d{4}\.\d\d")
_LINKED = lazy(r"(?i)[\s\[(]*(?:arxiv[:\s]*)?(\d{4}\.\d{3,6})(?:v\d+)?[\s\])]*")


def arxiv_agrees(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report arXiv ids in a title line, a citation or a link's text that are not the linked id."""
    text = document.source.text
    seen: set[Span] = set()
    for link in document.links:
        if "arxiv" in link.url and (printed := _LINKED.fullmatch(text, *link.text)):
            yield from _compare(Span(*printed.span(1)), {identify(link.url).get("arxiv", "")}, text, seen)
    if not _MAY_BE_PRINTED.search(text.lower()):
        return
    for entry in document.entries:
        linked = _linked_ids(entry)
        if linked:
            for printed in _PRINTED.finditer(text, *_own_line(entry)):
                span = Span(*printed.span(1))
                if not any(label.link.start <= span.start < label.link.end for label in entry.links):
                    yield from _compare(span, linked, text, seen)


def _linked_ids(entry: Entry) -> set[str]:
    """Return the new-style ids of all links of an entry."""
    urls = (label.link.url for label in entry.links if "arxiv" in label.link.url)
    return {id for url in urls if "." in (id := identify(url).get("arxiv", ""))}


def _own_line(entry: Entry) -> Span:
    """Return the citation's span if it is not in the title line, else the title line; notes may cite other papers."""
    cited = entry.citation
    if cited is not None and not entry.title_line.start <= cited.span.start < entry.title_line.end:
        return cited.span
    return entry.title_line


def _compare(span: Span, linked: set[str], text: str, seen: set[Span]) -> RawDiagnostics:
    printed = text[span.start : span.end]
    if printed in linked or span in seen or not linked or not all(linked):
        return
    near = [id for id in linked if _is_near(printed, id)]
    if not near and not _may_be_id(printed):
        return  # a date: arXiv 2023.10
    seen.add(span)
    right = near[0] if len(near) == 1 else next(iter(linked)) if len(linked) == 1 else None
    edits = (Edit.reword(span, printed, right),) if right is not None and _may_be_id(right) else ()
    applicability = Applicability.SAFE if near else Applicability.UNSAFE
    values = {"printed": printed, "linked": " or ".join(sorted(linked))}
    yield RawDiagnostic(span, values, edits, applicability)


def _may_be_id(text: str) -> bool:
    """Whether a new-style id has a valid month and number of digits: four until 2014, five since."""
    year, month, number = text[:2], text[2:4], text[5:]
    return year >= "07" and "01" <= month <= "12" and len(number) == (4 if year < "15" else 5)


def _is_near(printed: str, linked: str) -> bool:
    """Whether the printed id is cut short, or one digit or one swap away from the linked one."""
    return (linked.startswith(printed) and len(printed) >= 6) or is_slip(printed, linked)
