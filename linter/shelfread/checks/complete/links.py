"""Papers without a link that most papers of the list have: to code, or by DOI."""

from __future__ import annotations

from collections.abc import Callable

from shelfread.checks.complete.insertion import insert_link
from shelfread.checks.complete.sources import is_usual, papers_of, works_of
from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.answers import Work
from shelfread.index.context import RuleContext


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
    papers = papers_of(document) if context.answers.works else []
    having = [has(entry) for entry in papers]
    if not is_usual(having):
        return
    for entry, has_it in zip(papers, having, strict=True):
        if has_it:
            continue
        found: dict[str, dict[str, None]] = {}
        for work in works_of(entry, context):
            if address := url(work):
                found.setdefault(address, {})[work.source] = None
        shown = ", ".join(f"{address} ({', '.join(sources)})" for address, sources in found.items())
        if len(found) == 1:
            edits = insert_link(entry, document, is_kind, next(iter(found)))
            yield RawDiagnostic(
                entry.title.span, {"shown": shown}, edits, Applicability.UNSAFE, message="agreed"
            )
        elif found:
            yield RawDiagnostic(entry.title.span, {"shown": shown}, severity=Severity.INFO, message="differ")
