"""arXiv's ids by themselves: whether there can be such a one, and what year it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from shelfread.checks.paper.venue import year_of
from shelfread.core.diagnostics import RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import addresses
from shelfread.document.model import Document, Entry
from shelfread.document.recognizers.citation import arxiv_year
from shelfread.index.context import RuleContext

_HINTS = ("rxiv", "rXiv", "haxiv", "r5iv", "lanl.gov")
_ADDRESS = lazy(
    r"https?://(?:(?:[a-z]+\.)?(?:arxiv\.org|lanl\.gov|ar5iv\.org|alphaxiv\.org)|ar5iv\.labs\.arxiv\.org)"
    r"/(?:abs|pdf|html|format|ps|e-print)(?:/(?P<id>[^?#]*))?(?=[?#]|$)"
    r"|https?://(?:dx\.)?doi\.org/10\.48550/arxiv\.(?P<doi>[^?#]*)",
    re.IGNORECASE,
)
# What nearly all are: nothing but the month remains to be held against today's.
_USUAL = lazy(
    r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/"
    r"(?:(?=(?:0[89]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}(?!\d))|(?=(?:1[5-9]|[2-4]\d)(?:0[1-9]|1[0-2])\.\d{5}(?!\d)))"
    r"(\d{4})\.\d+(?<!\.00000)(?:v\d+)?(?:\.pdf)?(?=[?#]|$)"
)
_PRINTED = lazy(
    r"\barxiv(?:\s+preprint)?(?:\s+arxiv)?[\s:\[(]{1,3}(\d{4}\.\d{3,6})(?:v\d+)?(?![\d./])", re.IGNORECASE
)
_VERSION = lazy(r"(?:v\d+)?(?:\.pdf)?/?$")
_TO_COME = lazy(r"\d{2,4}[xX]*\.\d*[xX]+")
_NEW = lazy(r"(\d\d)(\d\d)\.(\d+)")
_OLD = lazy(r"([A-Za-z-]+)(?:\.[A-Za-z-]+)?/(\d+)")
_ARCHIVES = frozenset(
    """acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga
    funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph
    q-alg q-bio quant-ph solv-int stat supr-con""".split()
)
_LAST_NIGHT = 2000
"""Ids of January up to this one may be of papers that were submitted on the last days of December."""


# --------------------------------------------------------------------------------------------- form
def arxiv_form(document: Document, context: RuleContext, *, today: str = "") -> Iterator[RawDiagnostic]:
    """Ids in addresses and in print that arXiv never gave; `today` is an ISO date."""
    text = document.source.text
    if not _is_hinted(text):
        return
    now = date.fromisoformat(today) if today else date.today()
    latest = (now.year % 100) * 100 + now.month + 1 if now.month < 12 else (now.year % 100 + 1) * 100 + 1
    until = str(latest)
    for address in context.table(addresses, document):
        usual = _USUAL.match(address.url)
        if usual is not None and usual[1] <= until:
            continue
        match = _ADDRESS.match(address.url) if usual or _is_hinted(address.url) else None
        if match is None:
            continue
        found = _VERSION.sub("", match["doi"] or match["id"] or "", count=1)
        found = found[6:] if found[:6].lower() == "arxiv:" else found
        if found and not any(map(str.isdigit, found)):
            continue  # `xxxx.xxxxx` of a template
        if fault := _fault(found, latest):
            at = text.find(found, *address.span) if found else -1
            span = Span(at, at + len(found)) if at >= 0 else address.span
            severity = Severity.INFO if _TO_COME.fullmatch(found) else Severity.ERROR
            yield RawDiagnostic(span, {"id": found, "fault": fault}, severity=severity)
    for entry in document.entries:
        if entry.kind != "paper" or ("arxiv" in entry.identifiers and _is_linked(entry)):
            continue  # arxiv_agrees holds the one against the other
        if text.find("rxiv", *entry.title_line) < 0 and text.find("rXiv", *entry.title_line) < 0:
            continue
        for printed in _PRINTED.finditer(text, *entry.title_line):
            fault = _fault(printed[1], latest)
            if fault and not any(one.link.start <= printed.start() < one.link.end for one in entry.links):
                yield RawDiagnostic(Span(*printed.span(1)), {"id": printed[1], "fault": fault})


def _is_hinted(text: str) -> bool:
    return any(hint in text for hint in _HINTS)


def _is_linked(entry: Entry) -> bool:
    identifier = entry.identifiers["arxiv"]
    return any(identifier in one.link.url for one in entry.links)


def _fault(identifier: str, latest: int) -> str:
    """Why arXiv can have given no such id; `latest` is the last month, as ids have it."""
    if match := _NEW.fullmatch(identifier):
        return _fault_of_new(int(match[1]) * 100 + int(match[2]), match[3], latest)
    if match := _OLD.fullmatch(identifier):
        return _fault_of_old(match[1].lower(), match[2])
    return "it would be YYMM.NNNNN" if identifier else "nothing is there"


def _fault_of_new(month: int, number: str, latest: int) -> str:
    if not 1 <= month % 100 <= 12:
        return f"there is no month {month % 100:02}"
    if month < 704 or month >= 9100:
        return "ids of this form began in April 2007"
    if month > latest:
        return "that month is yet to come"
    digits = 5 if month >= 1501 else 4
    if len(number) != digits:
        since = "since 2015" if digits == 5 else "until 2014"
        return f"{since} there are {digits} digits after the dot"
    return "numbers begin with 1" if not int(number) else ""


def _fault_of_old(archive: str, number: str) -> str:
    if archive not in _ARCHIVES:
        return f"arXiv has no archive {archive}"
    if len(number) != 7:
        return "ids of archives have 7 digits"
    month = int(number[:4])
    if not 1 <= month % 100 <= 12:
        return f"there is no month {month % 100:02}"
    return "" if month >= 9107 or month <= 703 else "ids of this form are of 1991 to March 2007"


# --------------------------------------------------------------------------------------------- year
def year_agrees(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Preprints whose stated year is not that of their arXiv id; a later one may be that of a version."""
    text = document.source.text
    for entry in document.entries:
        citation, identifier = entry.citation, entry.identifiers.get("arxiv")
        if identifier is None or citation is None or citation.venue is None or citation.year is None:
            continue
        if citation.venue.id != "arxiv" or identifier in citation.text:
            continue
        year = arxiv_year(identifier)
        if year is None or year == citation.year or _is_of_december(identifier, year, citation.year):
            continue
        span = year_of(citation, text) or citation.span
        severity = Severity.WARNING if citation.year < year else Severity.INFO
        yield RawDiagnostic(
            span, {"stated": citation.year, "id": identifier, "year": year}, severity=severity
        )


def _is_of_december(identifier: str, year: int, stated: int) -> bool:
    """Whether an id of January may be of a paper that was submitted in the year stated, the one before."""
    month, _, number = identifier.partition(".")
    return stated == year - 1 and month.endswith("01") and number.isdigit() and int(number) <= _LAST_NIGHT
