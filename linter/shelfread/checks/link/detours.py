"""Addresses that no reader needs: shorteners, trackers, detours through another site, placeholders, one's own machine."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator
from urllib.parse import parse_qs, unquote, urlsplit

from markdown_it.common.utils import unescapeAll

from shelfread.checks.common import WORDS
from shelfread.core.diagnostics import (
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
    TextEdit,
    apply_edits,
)
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, edit_address, entry_spans, is_plain, within
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import SHORTENERS, TRACKING, TRACKING_OF_HOST, host_of, is_reserved

# Words that somebody chose, so they say where they lead and live as long as their owner likes: `spec-tutorial-slides`.
_CHOSEN = lazy(
    r"(?:[a-z]+\d{0,4}|[A-Z][a-z]+\d{0,4}|[A-Z]+)(?:[-_](?:[a-z]+|[A-Z](?:[a-z]+|[A-Z]*))?\d{0,4})+|[a-z]{9,}"
)
_MARKS = lazy(r"[\W_]+")
# Shorteners that lead to one site only, amzn.to mostly as a link that pays the list.
_OF_ONE_SITE = frozenset(("amzn.to", "wp.me"))
_LONGEST = 60
_MANY = 10  # from so many short URLs on, half of them repeated, they are the style of the list
_CANDIDATE = lazy(rf"(?i)[?&;](?:{'|'.join((TRACKING, *TRACKING_OF_HOST))})=")
_OF_HOST = [
    (names, lazy(rf"(?i)https?://(?:[\w-]+\.)*{hosts}[/?]")) for names, hosts in TRACKING_OF_HOST.items()
]
# A campaign that names the list's place is agreed on, as with sponsors.
_AGREED = lazy(r"(?i)git-?hub|awesome|sponsor|readme|affiliat|referral|partner")


def shortener(document: Document, context: RuleContext, *, allow: tuple[str, ...] = ()) -> RawDiagnostics:
    """Yield links through a URL shortener; `allow` names the hosts of shorteners that are accepted."""
    found = [each for each in _short_urls(document) if each[2] not in allow]
    if not found:
        return
    counts = Counter(url for url, *_ in found)
    if len(found) >= _MANY and len(counts) * 2 <= len(found):
        return  # the style of the list
    entries = entry_spans(document)
    definitions = {one.destination for one in document.tree.definitions}
    for _, span, host, chosen in found:
        if not within(entries, span.start) and span not in definitions:
            continue  # what stands around the entries is the maintainer's own word
        severity = Severity.INFO if host in _OF_ONE_SITE or chosen else Severity.ERROR
        yield RawDiagnostic(span, {"host": host}, severity=severity)


def _short_urls(document: Document) -> Iterator[tuple[str, Span, str, bool]]:
    """Yield the short URLs that readers follow, with their spans and hosts, and whether their words were chosen."""
    pictures = set()
    for link in document.links:
        if link.image:
            pictures.add(link.label)
        elif link.destination is not None and len(link.url) < _LONGEST and (host := _shortener_of(link.url)):
            chosen = _is_chosen(link.url, document.source.text[slice(*link.text)])
            yield link.url, link.destination, host, chosen
    for definition in document.tree.definitions:
        if definition.label not in pictures and (host := _shortener_of(definition.url)):
            yield definition.url, definition.destination, host, _is_chosen(definition.url, definition.label)


def _is_chosen(url: str, text: str) -> bool:
    """Return whether the path of a short URL is words instead of a random code, or what the link says."""
    word = url.split("/", 4)[3].partition("#")[0].partition("?")[0]
    return _CHOSEN.fullmatch(word) is not None or _MARKS.sub("", text).casefold() == word.casefold()


def _shortener_of(url: str) -> str | None:
    """Return the host of a short URL, which has a single word as its path; None for any other URL."""
    parts = url.split("/", 4)
    if len(parts) < 4 or parts[1] or (len(parts) > 4 and parts[4][:1] not in ("", "?", "#")):
        return None
    host = parts[2].lower().removeprefix("www.")
    if host not in SHORTENERS:
        return None
    word = parts[3].partition("#")[0].partition("?")[0].lower()
    return host if word and word not in WORDS["shortener_pages"] else None


def tracking(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield URLs with query parameters that only track visitors."""
    folder: str | None = None
    for address in addresses(document):
        url = address.url
        if "?" not in url or not _CANDIDATE.search(url):
            continue
        if folder is None:
            folder = _folder_name(document)
        names = "|".join(["", *(name for name, host in _OF_HOST if host.match(url))])
        pattern = re.compile(rf"[?&]((?:{TRACKING}{names}))=([^&#]*)", re.IGNORECASE)
        query = url[url.index("?") :].partition("#")[0]
        found = pattern.findall(query)
        if not found or any(_is_agreed(name, value, folder) for name, value in found):
            continue
        parameters = dict.fromkeys(name for name, _ in found)
        edits = _removal(address, parameters, document.source.text)
        yield RawDiagnostic(address.span, {"parameters": ", ".join(parameters)}, edits)


def _folder_name(document: Document) -> str:
    """Return the name of the list's folder, which a campaign for the list would have."""
    path = os.path.abspath(document.source.path or ".")
    return os.path.basename(os.path.dirname(path)).rpartition("__")[2].partition("@")[0].lower()


def _is_agreed(name: str, value: str, folder: str) -> bool:
    if not name.lower().startswith("utm_"):
        return False
    value = unquote(value).lower()
    return bool(_AGREED.search(value)) or (len(value) > 3 and value in folder)


def _removal(address: Address, names: Collection[str], text: str) -> tuple[Edit, ...]:
    """Return the edits that remove parameters; none if the URL has escapes that hide them."""
    written = text[slice(*address.span)]
    first = len(written.partition("?")[0])
    last = first + len(written[first:].partition("#")[0])
    cuts: list[TextEdit] = []
    is_first_kept = True
    for match in re.finditer(r"([?]|&amp;|&)((?:(?!&)[^?])*|[^&]*)", written[first:last]):
        start, end = first + match.start(), first + match.end()
        if match[2].partition("=")[0] in names:
            if cuts and cuts[-1].end == start:
                start = cuts.pop().start
            cuts.append(TextEdit(start, end, ""))
        elif is_first_kept:
            is_first_kept = False
            if cuts:  # the first parameter that stays comes right after `?`
                cuts = [TextEdit(first + 1, first + match.start(2), "")]
    if not cuts or unescapeAll(written) != address.url:
        return ()
    after = unescapeAll(apply_edits(written, cuts))
    start = address.span.start
    return tuple(
        Edit.relink(Span(start + cut.start, start + cut.end), address.url, after, "") for cut in cuts
    )


_SUSPECT = lazy(
    r"(?i)(?:https?:)?//(?:\[|localhost[/:?#]|localhost$|\d+\.\d+\.\d+\.\d+(?![\w.])|[^/?#]*\.(?:local|internal|lan|localhost)(?:[/:?#]|$)"
    r"|(?:staging|stage|preprod|uat)\.|(?:[^/?#]*\.)?example\.(?:com|org|net)(?:[/:?#]|$))"
    r"|https?://(?:www\.)?git(?:hub|lab)\.com/[^/?#]*/[^/?#]*(?:[/?#]|$)|[^:/.#?]*$|[.?…]{1,5}$|n/a$"
)
_LOCAL = lazy(r"localhost|.+\.(?:local|internal|lan|localhost)")
_STAGING = lazy(r"(?:staging|stage|preprod|uat)\..[^.\n]*\..+")
# What a template has in the place of an address.
_BLANK = lazy(
    r"(?i)(?:your[-_ ]?|the[-_ ]?|insert[-_ ]?|project[-_ ]?|github[-_ ]?|some[-_ ]?)*(?:link|url|address|homepage|website)(?:[-_ ]?here)?"
)
_TO_DO = lazy(r"(?i)\?{1,5}|\.{2,5}|…|[-–—_]{1,3}|to[-_ ]?do|tb[ad]|x{3,5}|n/?a|none|null|coming[-_ ]?soon")
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
        start = address.span.start
        line = document.source.starts[document.source.line_at(start)]
        # A link with a placeholder that begins a bulleted line is no entry.
        begins_item = bool(inside) and _FIRST.fullmatch(document.source.text, line, start) is not None
        if not (within(inside, start) or begins_item):
            continue
        if is_reserved(address.url) and not host_of(address.url).endswith("localhost"):
            reserved.append(address)
        elif (message := _fault(address.url)) is not None and not _is_file(document, context, address.url):
            yield RawDiagnostic(
                address.span, {"host": host_of(address.url), "url": address.url}, message=message
            )
    if len(reserved) * _SHARE <= len(every):
        for address in reserved:
            yield RawDiagnostic(address.span, {"host": host_of(address.url)}, message="reserved")


def _fault(url: str) -> str | None:
    """Return what is wrong with an address: the name of its message; None for nothing."""
    if "//" not in url:
        return "template" if _BLANK.fullmatch(url) else "missing" if _TO_DO.fullmatch(unquote(url)) else None
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
    is_whole = target.startswith(("https://", "http://")) and is_plain(target) and "(" not in target
    return target if is_whole else None
