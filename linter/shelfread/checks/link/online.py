"""What the web said of a list's links: dead, moved, and what else their pages tell. `links` alone asks it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from urllib.parse import unquote

from shelfread.checks.link.rewrite import readdress
from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.core.link_record import FOUND, LinkRecord, Replacement, Verdict
from shelfread.core.web_url import key_of, page_anchor
from shelfread.document.addresses import Address, addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_LOOKED_AT = 2000
"""So many of a page's anchors are compared with one that it has not,"""
_LONGEST = 80
"""and none that is longer."""


def dead(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Links that lead nowhere, each with the snapshot that an archive has."""
    for address, record in _asked(document, context):
        if record.verdict is Verdict.DEAD:
            better = _better(record, "link/dead") or _better(record, "link/moved")
            instead = f"; {better.why}" if better else ""
            yield _place(
                document,
                context,
                address,
                better,
                {"why": record.reason + _since(record), "instead": instead},
            )


def moved(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Links whose page has another address for good."""
    for address, record in _asked(document, context):
        if record.verdict is Verdict.DEAD:
            continue
        # Without a better one it is an address made to stay, as a DOI's, or leads where nobody wants to link.
        better = _better(record, "link/moved")
        if better is not None:
            why = f", {better.why}" if better.why else ""
            yield _place(document, context, address, better, {"to": better.url, "why": why})


def suspect(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Links that answer, but perhaps not with what was listed."""
    for address, record in _asked(document, context):
        if record.verdict is Verdict.SUSPECT:
            to = f": {record.end}" if record.end != record.url else ""
            yield RawDiagnostic(address.span, {"why": record.reason, "to": to})


def upgradable(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """`http:` addresses whose page was found by https as well."""
    for address, record in _asked(document, context):
        better = _better(record, "link/upgradable")
        if better is not None and record.verdict in FOUND and not _better(record, "link/moved"):
            yield _place(document, context, address, better, {"to": better.url})


def insecure_certificate(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Hosts whose certificate proves nothing: browsers warn of them."""
    for address, record in _asked(document, context):
        if record.certificate:
            yield RawDiagnostic(address.span, {"what": record.certificate})


def archived_repository(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Repositories that nobody works on any more."""
    for address, record in _asked(document, context):
        if record.archived:
            yield RawDiagnostic(address.span, {"what": record.archived})


def fragment(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Links to a part of a page that has no such part."""
    for address, record in _asked(document, context):
        name = page_anchor(address.url)
        # A page without any anchor makes them in the browser, or has none to say.
        if name is None or not record.anchors or record.verdict not in FOUND:
            continue
        if not _has(record.anchors, name):
            yield RawDiagnostic(address.span, {"fragment": name, "hint": _hint(record.anchors, name)})


def unsafe(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Links that were not asked, since they lead into a private network or have a form of attack."""
    for address, record in _asked(document, context):
        if record.verdict is Verdict.UNSAFE:
            # A page at a port of its own is seldom asked for by attackers only: readers open it.
            odd_port = record.reason.startswith("port ")
            severity = Severity.INFO if odd_port else Severity.ERROR
            yield RawDiagnostic(address.span, {"why": record.reason}, severity=severity)


def _asked(document: Document, context: RuleContext) -> Iterator[tuple[Address, LinkRecord]]:
    """Every address of which the web was asked, wherever it stands."""
    if context.link_records:
        for address in context.table(addresses, document):
            record = context.link_records.get(key_of(address.url) or "")
            if record is not None:
                yield address, record


def _better(record: LinkRecord, rule: str) -> Replacement | None:
    return next((better for better in record.replacements if better.rule == rule), None)


def _place(
    document: Document,
    context: RuleContext,
    address: Address,
    better: Replacement | None,
    values: dict[str, object],
) -> RawDiagnostic:
    if better is None:
        return RawDiagnostic(address.span, values)
    edits = readdress(document, context, address, better.url)
    return RawDiagnostic(address.span, values, edits, better.applicability)


def _since(record: LinkRecord) -> str:
    """How often a link failed, where its reason does not say so already."""
    if record.failures < 2 or record.first_failure is None or " runs since " in record.reason:
        return ""
    day = datetime.fromtimestamp(record.first_failure, timezone.utc).date().isoformat()
    return f", in {record.failures} runs since {day}"


def _has(anchors: frozenset[str], name: str) -> bool:
    """Whether a page has an anchor, as written or decoded; GitHub puts its prefix before them."""
    plain = unquote(name)
    forms = {name, plain, plain.lower(), f"user-content-{plain}", f"user-content-{plain.lower()}"}
    return not forms.isdisjoint(anchors)


def _hint(anchors: frozenset[str], name: str) -> str:
    from shelfread.core.support.suggest import did_you_mean

    near = sorted(anchor for anchor in anchors if len(anchor) <= _LONGEST)
    return did_you_mean(unquote(name)[:_LONGEST], near[:_LOOKED_AT])
