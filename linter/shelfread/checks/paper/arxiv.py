"""arXiv ids that arXiv cannot have given, and printed ones that differ from the linked ones."""

from __future__ import annotations

from shelfread.checks.common import WORDS
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.identity import identify
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, edit_address
from shelfread.index.context import RuleContext

_HINTS = ("rxiv", "rXiv", "haxiv", "r5iv", "lanl.gov")
_ADDRESS = lazy(
    r"(?i)https?://(?:(?:[a-z0-9]+\.)?(?:arxiv\.org|lanl\.gov|ar5iv\.org|alphaxiv\.org)|ar5iv\.labs\.arxiv\.org)"
    r"/(?:(?:abs|pdf|format|ps|e-print)(?:/(?P<id>[^?#]*))?|html(?:/(?P<page>(?:[a-z-]+(?:\.[a-z]{2})?/)?[^/?#]*)[^?#]*)?)"
    r"(?=[?#]|$)"
    r"|https?://(?:dx\.)?doi\.org/10\.48550/arxiv\.(?P<doi>[^?#]*)"
)
# The usual URLs of well-formed ids: only the month is left to compare with today's.
_WELL_FORMED = lazy(
    r"https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/"
    r"(?:(?=(?:0[89]|1[0-4])(?:0[1-9]|1[0-2])\.\d{4}(?!\d))|(?=(?:1[5-9]|[2-4]\d)(?:0[1-9]|1[0-2])\.\d{5}(?!\d)))"
    r"(\d{4})\.\d+(?<!\.00000)(?:v\d+)?(?:\.pdf)?(?=[?#]|$)"
)
_VERSION = lazy(r"(?:v\d+)?(?:\.pdf)?/?$")
# An id, and what stands behind it by mistake: its version twice, a bare `v`, a full stop, other text.
_BEGINNING = lazy(
    r"(?i)(?P<linked>(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?!\d)(?P<version>v\d{1,3})?)"
    r"(?P<again>(?P=version)+|v(?![a-z0-9]))?(?P<pdf>\.pdf)?(?P<rest>.*)"
)
_PUNCTUATION = frozenset(".,;:!)}]>*_'\"`")
_LONGEST_EXTRA = 40
_NEW = lazy(r"(\d{4})\.(\d+)")
_OLD = lazy(r"([A-Za-z-]+)(?:\.[A-Za-z-]+)?/(\d+)")
_PRINTED_ID = lazy(r"(?i)arxiv\b(?:[\s:(\[]|preprint\b|abs/)*?(\d{4}\.\d{2,6})(?![\d/])")
_MAY_BE_PRINTED = lazy(r"arxiv\b(?:[\s:(\[]|preprint\b|abs/)*?\d{4}\.\d\d")
_LINKED = lazy(r"(?i)[\s\[(]*(?:arxiv[:\s]*)?(\d{4}\.\d{3,6})(?:v\d+)?[\s\])]*")


def arxiv_form(document: Document, context: RuleContext, *, today: str = "") -> RawDiagnostics:
    """Report linked and printed ids that arXiv cannot have given; `today` is an ISO date."""
    text = document.source.text
    if not _is_hinted(text):
        return
    year, month = map(int, today.split("-")[:2]) if today else context.disk.this_month()
    latest = (year % 100 + month // 12) * 100 + month % 12 + 1
    until = str(latest)
    for address in addresses(document):
        usual = _WELL_FORMED.match(address.url)
        if usual is not None and usual[1] <= until:
            continue
        match = _ADDRESS.match(address.url) if usual or _is_hinted(address.url) else None
        if match is None:
            continue
        linked = match["doi"] or match["id"] or match["page"] or ""
        id = _VERSION.sub("", linked, count=1)
        if any(map(str.isdigit, id or address.url[match.end() :])) is not bool(id):
            continue  # `xxxx.xxxxx` of a template, or `/abs/?id=2301.00001`
        if message := _problem(id, latest):
            yield _diagnostic(address, linked, id, message, latest, text)


def _diagnostic(
    address: Address, linked: str, id: str, message: str, latest: int, text: str
) -> RawDiagnostic:
    """Return the diagnostic about a linked id, with the id that is meant where only one can be."""
    archive, _, number = id.rpartition("/")
    values = {"id": id, "month": number[2:4], "archive": archive.partition(".")[0].lower()}
    safe, right = False, ""
    beginning = _BEGINNING.fullmatch(linked)
    if beginning is not None and not _problem(beginning["id"], latest):
        message, rest = "extra", beginning["rest"]
        extra = (beginning["again"] or "") + rest
        shown = extra if len(extra) <= _LONGEST_EXTRA else extra[:_LONGEST_EXTRA] + "…"
        values, id = {"id": beginning["id"], "extra": shown}, linked
        if not rest[:1].isalnum():
            right = beginning["linked"] + (beginning["pdf"] or "")
        safe = _PUNCTUATION.issuperset(rest)
    start = text.find(id, *address.span) if id and message != "extra" else -1
    span = Span(start, start + len(id)) if start >= 0 else address.span
    edits = edit_address(address, address.url.replace(linked, right, 1), text) if right else ()
    return RawDiagnostic(span, values, edits, safe, message=message)


def _is_hinted(text: str) -> bool:
    return any(hint in text for hint in _HINTS)


def _problem(id: str, latest: int) -> str:
    """Return the name of the message about an id, or ""; `latest` is the last possible month as YYMM."""
    if match := _NEW.fullmatch(id):
        return _new_style_problem(int(match[1]), match[2], latest)
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
    if archive not in WORDS["arxiv_archives"]:
        return "archive"
    if len(number) != 7:
        return "seven-digits"
    month = int(number[:4])
    if not 1 <= month % 100 <= 12:
        return "month"
    return "" if month >= 9107 or month <= 703 else "outside-old-form"


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
        urls = (label.link.url for label in entry.links if "arxiv" in label.link.url)
        linked = {id for url in urls if "." in (id := identify(url).get("arxiv", ""))}
        for printed in _PRINTED_ID.finditer(text, *entry.title_line) if linked else ():
            span = Span(*printed.span(1))
            if not any(label.link.start <= span.start < label.link.end for label in entry.links):
                yield from _compare(span, linked, text, seen)


def _compare(span: Span, linked: set[str], text: str, seen: set[Span]) -> RawDiagnostics:
    printed = text[span.start : span.end]
    if printed in linked or span in seen or not linked or not all(linked):
        return
    is_cut = len(printed) >= 6
    near = [id for id in linked if (is_cut and id.startswith(printed)) or is_slip(printed, id)]
    if not near and not _may_be_id(printed):
        return  # a date: arXiv 2023.10
    seen.add(span)
    right = near[0] if len(near) == 1 else next(iter(linked)) if len(linked) == 1 else None
    edits = (Edit.reword(span, printed, right),) if right is not None and _may_be_id(right) else ()
    values = {"printed": printed, "linked": " or ".join(sorted(linked))}
    yield RawDiagnostic(span, values, edits, safe=bool(near))


def _may_be_id(text: str) -> bool:
    """Whether a new-style id has a valid month and number of digits: four until 2014, five since."""
    year, month, number = text[:2], text[2:4], text[5:]
    return year >= "07" and "01" <= month <= "12" and len(number) == (4 if year < "15" else 5)
