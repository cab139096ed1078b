"""Findings from the requests of `shelfread links`: dead links, moved pages, missing anchors and so on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from functools import lru_cache
from urllib.parse import quote, unquote

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import nearest
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, edit_address
from shelfread.index.answers import FOUND, LinkRecord, Replacement, Trouble, Verdict
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import key_of, page_anchor

_MOST_COMPARED = 2000  # the most anchors of a page that a missing one is compared with
_LONGEST = 80  # longer anchors are not compared
_LONGEST_URL = 2000
_WEB = lazy(r"(?i)https?://[^\s/?#\\@]+(?:[/?#]|$)")
# Not allowed in a URL (RFC 3986), letters of any script aside; brackets are for IPv6 hosts only.
_FOREIGN = lazy(r"[^\w\-.~:/?#@!$&'()*+,;=%]")
_ENTITY = lazy(r"&(?=#?\w+;)")
_MARKUP = lazy(r"[*`&~\[\]<>\\|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_AFTER_BARE = tuple("?!.,:;*_~'")


def dead(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield dead links, with the snapshot or the new URL that was found for them."""
    for address, record in _checked(document, context):
        if record.verdict is Verdict.DEAD:
            replacement = _replacement(record, "link/dead") or _replacement(record, "link/moved")
            values: dict[str, object] = {"reason": record.reason}
            message, since = "dead", record.first_failure
            if record.failures > 1 and since is not None:
                day = datetime.fromtimestamp(since, timezone.utc).date()
                values |= {"failures": record.failures, "day": day.isoformat()}
                message = "failing"
            if replacement and replacement.why:
                values["replacement"] = replacement.why
                message += "-replaceable"
            edits = readdress(document, address, replacement.url) if replacement else ()
            yield RawDiagnostic(address.span, values, edits, _is_safe(replacement), message=message)


def unreachable(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links that nobody has answered for days."""
    for address, record in _checked(document, context):
        if record.verdict is Verdict.UNREACHABLE and record.first_failure is not None:
            days = int((record.checked_at - record.first_failure) / 86400)
            yield RawDiagnostic(address.span, {"days": days, "reason": record.reason})


def moved(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links whose page has moved permanently."""
    for address, record in _checked(document, context):
        # Without a replacement the URL is made to stay, as a DOI, or leads where nobody wants to link.
        replacement = None if record.verdict is Verdict.DEAD else _replacement(record, "link/moved")
        if replacement is not None:
            values = {"url": replacement.url, "reason": replacement.why}
            message = "elsewhere" if replacement.why else "moved"
            edits = readdress(document, address, replacement.url)
            yield RawDiagnostic(address.span, values, edits, _is_safe(replacement), message=message)


def suspect(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links that answer, but perhaps not with the page that was listed."""
    for address, record in _checked(document, context):
        if record.verdict is Verdict.ALIVE and record.reason.startswith(Trouble.APP.value):
            yield RawDiagnostic(
                address.span, {"reason": record.reason}, severity=Severity.INFO, message="app"
            )
        if record.verdict is Verdict.SUSPECT:
            values = {"reason": record.reason, "url": record.end}
            message = "suspect" if record.end == record.url else "redirected"
            yield RawDiagnostic(address.span, values, message=message)


def upgradable(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `http:` URLs whose page was found with `https:` as well."""
    for address, record in _checked(document, context):
        replacement = _replacement(record, "link/upgradable")
        if replacement is not None and record.verdict in FOUND and not _replacement(record, "link/moved"):
            edits = readdress(document, address, replacement.url)
            yield RawDiagnostic(address.span, {"url": replacement.url}, edits, _is_safe(replacement))


def insecure_certificate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links to hosts whose certificate is not valid."""
    for address, record in _checked(document, context):
        if record.certificate:
            yield RawDiagnostic(address.span, {"reason": record.certificate})


def archived_repository(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links to repositories that are archived."""
    for address, record in _checked(document, context):
        if record.archived:
            yield RawDiagnostic(address.span, {"state": record.archived})


def fragment(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links to an anchor that the page does not have."""
    for address, record in _checked(document, context):
        name = page_anchor(address.url)
        # A page without any anchor makes them in the browser, or has none.
        if name is None or not record.anchors or record.verdict not in FOUND:
            continue
        if not _has(record.anchors, name):
            near = _nearest(record.anchors, name)
            values = {"fragment": name, "similar": near}
            yield RawDiagnostic(address.span, values, message="similar" if near else "missing")


def unsafe(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links that were not requested: they lead to a private network or have the form of an attack."""
    for address, record in _checked(document, context):
        if record.verdict is Verdict.UNSAFE:
            # An unusual port is seldom an attack: readers can open such a page.
            severity = Severity.INFO if record.reason.startswith("port ") else Severity.ERROR
            yield RawDiagnostic(address.span, {"reason": record.reason}, severity=severity)


def _checked(document: Document, context: RuleContext) -> Iterator[tuple[Address, LinkRecord]]:
    """Yield every occurrence of a URL that was checked, with what is known of it."""
    if context.answers.links:
        for address in addresses(document):
            record = context.answers.links.get(key_of(address.url) or "")
            if record is not None:
                yield address, record


def _replacement(record: LinkRecord, rule: str) -> Replacement | None:
    return next((replacement for replacement in record.replacements if replacement.rule == rule), None)


def _is_safe(replacement: Replacement | None) -> bool:
    return replacement is not None and replacement.applicability is Applicability.SAFE


def _has(anchors: frozenset[str], name: str) -> bool:
    """Return whether a page has an anchor, as written or decoded, with or without GitHub's prefix."""
    plain = unquote(name)
    forms = {name, plain, plain.lower(), f"user-content-{plain}", f"user-content-{plain.lower()}"}
    return not forms.isdisjoint(anchors)


def _nearest(anchors: frozenset[str], name: str) -> str | None:
    candidates = sorted(anchor for anchor in anchors if len(anchor) <= _LONGEST)
    return nearest(unquote(name)[:_LONGEST], candidates[:_MOST_COMPARED])


def readdress(document: Document, address: Address, to: str) -> tuple[Edit, ...]:
    """Return the edits that replace a URL by `to` and keep its fragment; none if `to` cannot be written there."""
    text, span = document.source.text, address.span
    raw, fragment = text[slice(*span)], address.url.partition("#")[2]
    to = clean(f"{to}#{fragment}" if fragment and "#" not in to else to) or address.url
    written = _written(to, address.form)
    if to == address.url or written is None or (address.form == "bare" and raw != address.url):
        return ()
    if raw == address.url and written == to:
        edits = edit_address(address, to, text)
    else:
        # Effects are compared after parsing as Markdown, so `&` is escaped where it looks like an entity.
        edits = (Edit.relink(span, address.url, _ENTITY.sub("&amp;", to), written),)
    return (*edits, *_shown(document, address, to))


def clean(url: str) -> str | None:
    """Return a URL from a server with all characters encoded that a URL may not have; None if it is no web URL."""
    if len(url) > _LONGEST_URL or not _WEB.match(url) or not url.isprintable():
        return None
    url = _FOREIGN.sub(lambda match: quote(match[0]), url)
    return url if _is_balanced(url) else url.replace("(", "%28").replace(")", "%29")


def _written(url: str, form: str) -> str | None:
    """Return a URL as it is written in a link of this form; None if it cannot be written."""
    if form == "autolink":
        return None if _ENTITY.search(url) else url
    if form == "html":
        return url.replace("&", "&amp;").replace("'", "&#39;")
    if form == "bare":
        return None if _ENTITY.search(url) or url.endswith(_AFTER_BARE) else url
    return _ENTITY.sub("&amp;", url)


def _is_balanced(url: str) -> bool:
    depth = 0
    for character in url:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _shown(document: Document, address: Address, to: str) -> tuple[Edit, ...]:
    """Return the edit of a link text that repeats the URL; none if the new text could be read as markup."""
    start = _repeated(document).get(address.span)
    if start is None or _MARKUP.search(to):
        return ()
    return (Edit.reword(Span(start, start + len(address.url)), address.url, to),)


@lru_cache(maxsize=1)
def _repeated(document: Document) -> dict[Span, int]:
    """Return where link texts repeat their URL, by the span of the destination."""
    text = document.source.text
    return {
        link.destination: text.index(link.url, link.text.start)
        for link in document.links
        if link.destination is not None
        and link.form in ("inline", "html")
        and link.url
        and text[slice(*link.text)].strip() == link.url
    }
