"""arXiv ids that arXiv cannot have given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from shelfread.core.diagnostics import RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_HINTS = ("rxiv", "rXiv", "haxiv", "r5iv", "lanl.gov")
_ADDRESS = lazy(
    r"https?://(?:(?:[a-z]+\.)?(?:arxiv\.org|lanl\.gov|ar5iv\.org|alphaxiv\.org)|ar5iv\.labs\.arxiv\.org)"
    r"/(?:abs|pdf|html|format|ps|e-print)(?:/(?P<id>[^?#]*))?(?=[?#]|$)"
    r"|https?://(?:dx\.)?doi\.org/10\.48550/arxiv\.(?P<doi>[^?#]*)",
    re.IGNORECASE,
)
# The usual URLs of well-formed ids: only the month is left to compare with today's.
_WELL_FORMED = lazy(
    r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/"
    r"(?:(?=(?:0[89]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}(?!\d))|(?=(?:1[5-9]|[2-4]\d)(?:0[1-9]|1[0-2])\.\d{5}(?!\d)))"
    r"(\d{4})\.\d+(?<!\.00000)(?:v\d+)?(?:\.pdf)?(?=[?#]|$)"
)
_PRINTED = lazy(
    r"\barxiv(?:\s+preprint)?(?:\s+arxiv)?[\s:\[(]{1,3}(\d{4}\.\d{3,6})(?:v\d+)?(?![\d./])", re.IGNORECASE
)
_VERSION = lazy(r"(?:v\d+)?(?:\.pdf)?/?$")
_PLACEHOLDER = lazy(r"\d{2,4}[xX]*\.\d*[xX]+")
_NEW = lazy(r"(\d\d)(\d\d)\.(\d+)")
_OLD = lazy(r"([A-Za-z-]+)(?:\.[A-Za-z-]+)?/(\d+)")
_ARCHIVES = frozenset(
    """acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga
    funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph
    q-alg q-bio quant-ph solv-int stat supr-con""".split()
)


def arxiv_form(document: Document, context: RuleContext, *, today: str = "") -> Iterator[RawDiagnostic]:
    """Report linked and printed ids that arXiv cannot have given; `today` is an ISO date."""
    text = document.source.text
    if not _is_hinted(text):
        return
    now = date.fromisoformat(today) if today else date.today()
    latest = (now.year % 100) * 100 + now.month + 1 if now.month < 12 else (now.year % 100 + 1) * 100 + 1
    until = str(latest)
    for address in context.table(addresses, document):
        usual = _WELL_FORMED.match(address.url)
        if usual is not None and usual[1] <= until:
            continue
        match = _ADDRESS.match(address.url) if usual or _is_hinted(address.url) else None
        if match is None:
            continue
        id = _VERSION.sub("", match["doi"] or match["id"] or "", count=1)
        id = id[6:] if id[:6].lower() == "arxiv:" else id
        if id and not any(map(str.isdigit, id)):
            continue  # `xxxx.xxxxx` of a template
        if message := _problem(id, latest):
            start = text.find(id, *address.span) if id else -1
            span = Span(start, start + len(id)) if start >= 0 else address.span
            severity = Severity.INFO if _PLACEHOLDER.fullmatch(id) else Severity.ERROR
            yield RawDiagnostic(span, _values(id), severity=severity, message=message)
    for entry in document.entries:
        linked = entry.identifiers.get("arxiv")
        if entry.kind != "paper" or (linked and any(linked in label.link.url for label in entry.links)):
            continue  # paper/arxiv-agrees compares printed and linked ids
        if text.find("rxiv", *entry.title_line) < 0 and text.find("rXiv", *entry.title_line) < 0:
            continue
        for printed in _PRINTED.finditer(text, *entry.title_line):
            message = _problem(printed[1], latest)
            if message and not any(
                label.link.start <= printed.start() < label.link.end for label in entry.links
            ):
                yield RawDiagnostic(Span(*printed.span(1)), _values(printed[1]), message=message)


def _is_hinted(text: str) -> bool:
    return any(hint in text for hint in _HINTS)


def _values(id: str) -> dict[str, object]:
    archive, _, number = id.rpartition("/")
    return {"id": id, "month": number[2:4], "archive": archive.partition(".")[0].lower()}


def _problem(id: str, latest: int) -> str:
    """Return the name of the message about an id, or ""; `latest` is the last possible month as YYMM."""
    if match := _NEW.fullmatch(id):
        return _new_style_problem(int(match[1]) * 100 + int(match[2]), match[3], latest)
    if match := _OLD.fullmatch(id):
        return _old_style_problem(match[1].lower(), match[2])
    return "form" if id else "empty"


def _new_style_problem(month: int, number: str, latest: int) -> str:
    if not 1 <= month % 100 <= 12:
        return "month"
    if month < 704 or month >= 9100:
        return "before-new-form"
    if month > latest:
        return "future"
    if len(number) != (5 if month >= 1501 else 4):
        return "five-digits" if month >= 1501 else "four-digits"
    return "" if int(number) else "zero"


def _old_style_problem(archive: str, number: str) -> str:
    if archive not in _ARCHIVES:
        return "archive"
    if len(number) != 7:
        return "seven-digits"
    month = int(number[:4])
    if not 1 <= month % 100 <= 12:
        return "month"
    return "" if month >= 9107 or month <= 703 else "outside-old-form"
