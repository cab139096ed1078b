"""Addresses that nobody can have meant for readers: one's own machine, placeholders, detours through another site."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, edit_address, entry_spans, is_plain, within
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import host_of, is_reserved

_SUSPECT = lazy(
    r"(?i)(?:https?:)?//(?:\[|localhost[/:?#]|localhost$|\d+\.\d+\.\d+\.\d+(?![\w.])|[^/?#]*\.(?:local|internal|lan|localhost)(?:[/:?#]|$)"
    r"|(?:staging|stage|preprod|uat)\.|(?:[^/?#]*\.)?example\.(?:com|org|net)(?:[/:?#]|$))"
    r"|https?://(?:www\.)?git(?:hub|lab)\.com/[^/?#]*/[^/?#]*(?:[/?#]|$)|[^:/.#?]*$"
)
_LOCAL = lazy(r"localhost|.+\.(?:local|internal|lan|localhost)")
_STAGING = lazy(r"(?:staging|stage|preprod|uat)\..[^.\n]*\..+")
# What a template has in the place of an address.
_BLANK = lazy(
    r"(?i)(?:your[-_ ]?|the[-_ ]?|insert[-_ ]?|project[-_ ]?|github[-_ ]?|some[-_ ]?)*(?:link|url|address|homepage|website)(?:[-_ ]?here)?"
)
_OWNER = lazy(
    r"(?i)(?:your|my|some)[-_]?(?:user[-_]?)?(?:name|org|organi[sz]ation)?|user(?:[-_]?name)?|owner|org(?:ani[sz]ation)?|example"
)
_REPOSITORY = lazy(r"(?i)(?:(?:your|my|some)[-_]?)?(?:repo(?:sitory)?|project)(?:[-_]?(?:name|url))?|name")
_FIRST = lazy(r"[-*+] \[[^\[\]\n]*\]\(")
# A reserved host is a slip if at most one address in so many has one: other lists are examples themselves.
_SHARE = 20
_REDIRECTS = (
    (lazy(r"(?i)https?://(?:www\.)?google\.[a-z.]{2,6}/url\?"), ("url", "q")),
    (lazy(r"(?i)https?://[\w.-]+\.safelinks\.protection\.outlook\.com/"), ("url",)),
    (lazy(r"(?i)https?://lm?\.facebook\.com/l\.php\?"), ("u",)),
    (lazy(r"(?i)https?://(?:www\.)?youtube\.com/redirect\?"), ("q",)),
    (lazy(r"(?i)https?://(?:link\.zhihu\.com|link\.csdn\.net|link\.juejin\.cn|www\.jianshu\.com/go-wild)/?\?"), ("target", "url")),
    (lazy(r"(?i)https?://(?:duckduckgo\.com/l/|steamcommunity\.com/linkfilter/|slack-redir\.net/link|vk\.com/away\.php)\?"), ("uddg", "url", "to", "u")),
    (lazy(r"(?i)https?://(?:www\.)?linkedin\.com/(?:safety/go|redir/redirect)\?"), ("url",)),
)  # fmt: skip
_MAY_REDIRECT = lazy(
    r"(?i)/url\?|safelinks\.|l\.php\?|/redirect\?|//link\.|go-wild\?|/l/\?|linkfilter|slack-redir|away\.php|/safety/go\?"
)
_VIEW = lazy(r"https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+/?(?P<query>\?tab=readme-ov-file)(?=#|$)")
_EDIT = lazy(r"(https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+/)edit(/[^?#]+)")


def placeholder(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report addresses in entries that only the author can reach, or that a template left."""
    if document.kind.explains_entries:
        return
    inside = entry_spans(document)
    every = addresses(document)
    reserved: list[Address] = []
    for address in every:
        if address.form in ("bare", "autolink") or not _SUSPECT.match(address.url):
            continue
        if not within(inside, address.span.start) and not (_is_first(document, address) and inside):
            continue
        if is_reserved(address.url) and not host_of(address.url).endswith("localhost"):
            reserved.append(address)
        elif (message := _fault(address.url)) is not None and not _is_file(document, context, address.url):
            yield RawDiagnostic(address.span, {"host": host_of(address.url)}, message=message)
    if len(reserved) * _SHARE <= len(every):
        for address in reserved:
            yield RawDiagnostic(address.span, {"host": host_of(address.url)}, message="reserved")


def _fault(url: str) -> str | None:
    """Return what is wrong with an address: the name of its message; None for nothing."""
    if "//" not in url:
        return "template" if _BLANK.fullmatch(url) else None
    host = host_of(url)
    if _LOCAL.fullmatch(host) or _is_private(host):
        return "local"
    if _STAGING.fullmatch(host):
        return "staging"
    path = url.split("/")
    if host.removeprefix("www.") in ("github.com", "gitlab.com") and len(path) > 4:
        name = re.split("[?#]", path[4])[0]
        if _OWNER.fullmatch(path[3]) and _REPOSITORY.fullmatch(name):
            return "template"
    return None


def _is_first(document: Document, address: Address) -> bool:
    """Return whether an address is that of the link that begins a bulleted line: with a placeholder it is no entry."""
    start = document.source.starts[document.source.line_at(address.span.start)]
    return _FIRST.fullmatch(document.source.text, start, address.span.start) is not None


def _is_private(host: str) -> bool:
    """Return whether a host is an address of a private network, or of this machine."""
    if not host[:1].isdigit() and ":" not in host:
        return False
    from ipaddress import ip_address  # few lists need it

    try:
        return ip_address(host).is_private
    except ValueError:
        return False


def _is_file(document: Document, context: RuleContext, url: str) -> bool:
    """Return whether a word is the name of a file beside the list."""
    if "//" in url:
        return False
    folder, _, _ = (document.source.path or "").rpartition("/")
    return context.disk.exists(f"{folder}/{url}" if folder else url)


def detour(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report addresses that lead through another site, or to a view or an editor of the page that is meant."""
    text = document.source.text
    inside = entry_spans(document)
    for address in addresses(document):
        if (found := _direct(address.url)) is None:
            continue
        message, part, after = found
        if message == "edit" and not within(inside, address.span.start):
            continue  # an invitation to edit the list
        yield RawDiagnostic(address.span, {"part": part}, edit_address(address, after, text), message=message)


def _direct(url: str) -> tuple[str, str, str] | None:
    """Return what is wrong with an address that is a detour, the part to blame, and the direct address."""
    if "github.com/" in url and (match := _VIEW.match(url)):
        return "view", match["query"], url[: match.start("query")] + url[match.end("query") :]
    if "github.com/" in url and (match := _EDIT.match(url)):
        return "edit", "/edit/", f"{match[1]}blob{match[2]}{url[match.end() :]}"
    if "?" in url and _MAY_REDIRECT.search(url):
        for pattern, names in _REDIRECTS:
            if pattern.match(url) and (target := _target(url, names)):
                return "redirect", host_of(url), target
    return None


def _target(url: str, names: tuple[str, ...]) -> str | None:
    """Return the address in the first of some query parameters; None if it is not one that can be written as it is."""
    try:
        query = parse_qs(urlsplit(url).query)
    except ValueError:
        return None
    target = next((query[name][0] for name in names if name in query), "")
    return (
        target
        if target.startswith(("https://", "http://")) and is_plain(target) and "(" not in target
        else None
    )
