"""Links without a URL or without text, slips in URLs and what was meant, and links that are shown as text."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator, Mapping
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import NamedTuple

from shelfread.checks.common import WORDS
from shelfread.checks.link.references import is_dated
from shelfread.checks.link.unparsed import begins_item, find_blocked, is_blocked, unparsed
from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import edit_address, is_plain, is_text, odd_addresses, opening
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Code, Emphasis, Html, Inline, Link, Text, walk_blocks


class Fault(NamedTuple):
    """A slip in a URL: the name of its message, with the values that the message needs."""

    message: str
    fixed: str | None = None  # the URL without the slip, if that is likely
    is_certain: bool = False  # the fixed URL is the only possible one
    values: Mapping[str, object] = MappingProxyType({})


_LONGEST = 4096
_WEB = lazy(r"(?i)https?://[^/?#]")
_SCHEME = lazy(r"([A-Za-z]{2,9})([:;：]?)(/{1,4}|／{2}|\\{1,2})(?=[^/\\])")
_GLUED_SCHEME = lazy(r"(?i)(https?):(?=[a-z0-9-]+\.[a-z])")
_SCHEME_TWICE = lazy(r"(?i)(?:https?:?/{0,3}(?:www\.)?)+(https?)(?::/{1,3}|//)(?=[^/])")
_NESTED = lazy(r"\[([^\[\]]*)\]\((.*)\)")
_AROUND = {"(": ")", '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`", "<": ">", "（": "）"}
_INVISIBLE = "\ufeff\u200b\u2060\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_ENDS = _INVISIBLE + "\u200c\u200d\u00a0\u3000"
_ASCII = str.maketrans("：／．？＝＆＃％＿－～", ":/.?=&#%_-~")
_FULL_WIDTH_HOST = lazy(r"(?i)https?[:：][/／]{2}[^/／?？#＃]*[：／．－＿][^/?#]*|https?：//")
_STRAY = {")": "(", "]": "[", "}": "{", "）": "（", "】": "【", "」": "「", "』": "『", "》": "《"}
_STRAY_ALWAYS = ",;>\"'`|\\<“”‘’。，、；：！？"
_FULL_STOP = lazy(r"(?i)\.(?:pdf|html?|php|aspx?|md|zip|pptx?)\.+$")
# Of a host, and of a word that is no abbreviation: `https://shelf.dev.`, `/acme/Box.`
_STOP_OF_SENTENCE = lazy(
    r"(?i)https?://[^/?#]+(?P<path>/[^#]*(?:[a-z0-9-]{3}(?<!inc)(?<!ltd)(?<!corp)(?<!etc)|#[\w-]{3,}))?(?<=[a-z0-9-])\.$"
)
_SECOND_URL = lazy(r"(?i)(?<!%[0-9a-f])[a-z0-9_)\]]https?://")
_CUT = lazy(r"[^\W_](?:\.{3}|…)$")
_HOST = lazy(r"(?i)https?://(?:[^/?#@]*@)?([^/?#:]*)")
_MAIL = lazy(r"[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}", re.IGNORECASE | re.ASCII)
_WWW = lazy(r"(?i)www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#:][^\s]*)?")
_HOST_AND_PATH = lazy(r"(?i)([a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.([a-z]{2,}))(?::\d+)?(?:([/?#])\S*)?")


def find_fault(url: str) -> Fault | None:
    """Return the slip in the URL of a link; None if none is certain."""
    if is_plain(url):
        return None
    if not 0 < len(url) < _LONGEST or url[0] in "#/.?":
        return None
    if "{" in url or "<" in url[1:]:
        return None
    fault = _around(url) or _scheme(url)
    if fault is None and _WEB.match(url):
        fault = _end(url) or _inside(url)
    return fault


def missing_scheme(url: str, hosts: Container[str]) -> Fault | None:
    """Return the fault of a URL without a scheme; `hosts` are known ones. The caller checks that it is not a file."""
    if _WWW.fullmatch(url):
        return Fault("no-scheme", f"https://{url}", True)
    if _MAIL.fullmatch(url):
        return Fault("no-mailto", f"mailto:{url}", True)
    match = _HOST_AND_PATH.fullmatch(url)
    if match is None or match[1].lower().startswith(("readme.", "license.", "changelog.", "contributing.")):
        return None
    if match[2].lower() in WORDS["top_domains"] or match[1].lower() in hosts:
        return Fault("no-scheme", f"https://{url}", True)
    return None


def _around(url: str) -> Fault | None:
    """Return the fault of quotes around a URL, of a link in it, or of characters that do not belong into URLs."""
    trimmed = url.strip(_ENDS)
    if trimmed != url:
        return Fault("invisible", trimmed, True)
    if _NESTED.fullmatch(url):
        return Fault("nested")
    if _AROUND.get(url[0]) == url[-1] and len(url) > 2 and re.match(r"https?:|www\.", url[1:]):
        return Fault("enclosed", url[1:-1], True, {"opening": url[0], "closing": url[-1]})
    if host := _FULL_WIDTH_HOST.match(url):
        return Fault("full-width", host[0].translate(_ASCII) + url[host.end() :], True)
    return None


def _scheme(url: str) -> Fault | None:
    """Return the fault of a scheme that is repeated, misspelled or has the wrong punctuation after it."""
    if match := _SCHEME_TWICE.match(url):
        return Fault("two-schemes", f"{match[1]}://{url[match.end() :]}", True)
    if url.startswith("://"):
        return Fault("no-scheme", f"https{url}", True)
    if match := _GLUED_SCHEME.match(url):
        return Fault("no-slashes", f"{match[1]}://{url[match.end() :]}", True)
    match = _SCHEME.match(url)
    if match is None:
        return None
    scheme, colon, slashes = match[1].lower(), match[2], match[3]
    if scheme in ("http", "https"):
        if (colon == ":" and slashes == "//") or (not colon and len(slashes) < 2):
            return None
        expected = f"{scheme}://"
    elif scheme in WORDS["schemes"] or not (colon or len(slashes) > 1):
        return None
    elif len(scheme) > 2 and set(scheme) <= set("htps") and scheme.startswith(("h", "tt")):
        expected = "https://" if scheme.endswith("s") else "http://"
    else:
        return None
    values = {"found": match[0], "expected": expected}
    return Fault("wrong-scheme", expected + url[match.end() :], True, values)


def _end(url: str) -> Fault | None:
    """Return the fault of punctuation at the end that belongs to the text or to Markdown."""
    last = url[-1]
    trimmed = url
    while trimmed and (
        (trimmed[-1] in _STRAY_ALWAYS and not (trimmed[-1] in "'\"`" and trimmed.count(trimmed[-1]) % 2 == 0))
        or (trimmed[-1] in _STRAY and trimmed.count(trimmed[-1]) > trimmed.count(_STRAY[trimmed[-1]]))
    ):
        trimmed = trimmed[:-1]
    if trimmed != url:
        return Fault("stray-end", trimmed, True, {"stray": last}) if _WEB.match(trimmed) else None
    if _FULL_STOP.search(url):
        return Fault("stray-end", url.rstrip("."), True, {"stray": "."})
    if url[-1] == "." and (match := _STOP_OF_SENTENCE.fullmatch(url)):
        return Fault("stray-end", url[:-1], match["path"] is None, {"stray": "."})
    return None


def _inside(url: str) -> Fault | None:
    """Return the fault of a URL that is cut off, or has something in it that cannot be right."""
    if _CUT.search(url):
        return Fault("cut-off")
    if _SECOND_URL.search(url.partition("?")[0], 8):
        return Fault("two-urls")
    if url.count("[") != url.count("]") or '">' in url:
        return Fault("unpaired")
    host = _HOST.match(url)
    if host is not None and "," in host[1]:
        fixed = url[: host.start(1)] + host[1].replace(",", ".") + url[host.end(1) :]
        return Fault("comma-in-host", fixed)
    return None


_IN_BRACKETS = lazy(r"\[[^\[\]]+\]")
_LEAST_LINKED = 4  # as many cells with links, for each without, show what a column is for
_URL = lazy(r"https?://[\w.~:/?#@!$&'*+,;=%-]+")


def empty(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links without a URL, and links that show nothing to click on."""
    pictures = [link for link in document.links if not link.url and _has_picture(link)]
    for link in document.links:
        url = link.url
        if not url and link.form != "reference":
            if not _has_picture(link):
                message = "no-picture" if link.image else "no-url"
                yield RawDiagnostic(
                    Span(link.start, link.end), edits=_own_url(link, document), message=message
                )
            elif len(pictures) == 1:
                # GitHub links a picture that is in no link to its own file, so several are on purpose.
                yield RawDiagnostic(Span(link.start, link.end), severity=Severity.INFO, message="no-url")
        elif not link.image and link.form != "autolink" and all(map(_shows_nothing, link.children)):
            tag = document.source.text[link.start : link.text.start].lower() if link.form == "html" else ""
            is_anchor = url.startswith("#") or "id=" in tag or "name=" in tag
            if (url == "#" and link.form == "inline") or not is_anchor:
                yield RawDiagnostic(Span(link.start, link.end), message="no-text")
    if "|" in document.source.text:
        yield from _bare_cells(document)


def _bare_cells(document: Document) -> RawDiagnostics:
    """Yield the words in brackets that alone are in a cell, among cells with links."""
    text = document.source.text
    tables = (block for block in walk_blocks(document.tree.blocks) if block.kind == "table")
    columns = (zip_longest(*(row.blocks for row in table.blocks[1:])) for table in tables)
    for column in chain.from_iterable(columns):
        cells = [(cell, cell.inlines[0]) for cell in column if cell is not None and cell.inlines]
        words = [Span(cell.start, cell.end) for cell, node in cells if isinstance(node, Text)]
        bare = [span for span in words if _IN_BRACKETS.fullmatch(text, *span)]
        if sum(isinstance(node, Link) for _, node in cells) >= _LEAST_LINKED * len(bare):
            yield from (RawDiagnostic(span, message="no-url") for span in bare)


def _own_url(link: Link, document: Document) -> tuple[Edit, ...]:
    """Return the edit that makes the text of a link its destination, if that is a URL."""
    text = document.source.text
    url, at = text[slice(*link.text)], link.destination.start if link.destination else 0
    if link.form != "inline" or link.image or not _URL.fullmatch(url) or text[at - 1 : at + 1] != "()":
        return ()
    return (Edit.relink(Span(at - 1, at + 1), "", url, f"({url})"),)


def _has_picture(link: Link) -> bool:
    return any(isinstance(child, Link) and child.image for child in link.children)


def _shows_nothing(node: Inline) -> bool:
    if isinstance(node, Text):
        return not node.value.strip(" \t\u200b\ufeff")
    if isinstance(node, Emphasis):
        return all(map(_shows_nothing, node.children))
    return not isinstance(node, Code | Link | Html)


_NO_PARENTHESIS = lazy(r"(?i)\]https?://[^\s()<>\[\]]+\)")
_SPACE_BEFORE = lazy(r"(?i)\]([ \t]+)\((https?://[^\s()<>]+)\)")
# Only `http://`, `https://` and `www.` make a link of an address without brackets.
_MISTYPED = lazy(
    r"(?i)(?<![\w/:.@#?=&%+-])(?!https?://)([htps]{3,7})([:;：]?[/／]{1,4})(?=[\w-]+\.[a-z])[^\s<>()\[\]|\"'`，。）]+"
)
_BRACKETED = lazy(r"(?i)(?<![\]!\\])\[(https?://[^\s\[\]<>()]+)\](?![(\[:])")
_TIMES_RARER = 10  # a list with so many links for each space before a URL writes none there
# A task's check box, or a number.
_TAG = lazy(r"\[[ xX]$|\[\d+$")
_LONGEST_TEXT = 500


def malformed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield URLs that cannot work as written, and links that are shown as text."""
    text = document.source.text
    hosts: frozenset[str] | None = None
    shown = list(unparsed(document, context))
    for address in odd_addresses(document):
        url = address.url
        if address.form == "bare":
            continue
        fault = find_fault(url)
        if fault is None and "://" not in url and "." in url:
            if hosts is None:
                web = [link.url for link in document.links if link.url[:4] == "http" and "://" in link.url]
                hosts = frozenset(link.split("/", 3)[2].lower() for link in web)
            if (fault := missing_scheme(url, hosts)) is not None and _is_file(document, context, url):
                continue
        if fault is not None:
            edits = () if fault.fixed is None else edit_address(address, fault.fixed, text)
            yield RawDiagnostic(address.span, fault.values, edits, fault.is_certain, message=fault.message)
    yield from shown
    yield from _apart(document, context)
    yield from _without_opening(document)
    yield from _mistyped(document)
    for match in _BRACKETED.finditer(text):
        if is_text(document, match.start()):
            span = Span(*match.span(1))
            yield RawDiagnostic(span, severity=Severity.WARNING, message="bracketed")


def _is_file(document: Document, context: RuleContext, url: str) -> bool:
    """Return whether a URL without a scheme begins with the name of a file or folder beside the list."""
    name = re.split(r"[/?#]", url, maxsplit=1)[0]
    return context.disk.exists(os.path.join(os.path.dirname(document.source.path or ""), name))


def _apart(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links that are shown as text because of a space between text and URL."""
    text = document.source.text
    apart = list(_labels(document, _SPACE_BEFORE))
    references = {link.end for link in document.links if link.form == "reference"} if apart else ()
    is_rare = len(apart) * _TIMES_RARER <= sum(link.form == "inline" for link in document.links)
    for match, start in apart:
        close = match.start()
        if close + 1 in references or _TAG.search(text[max(0, close - 5) : close]):
            continue
        edit = Edit(*match.span(1), "", STRUCTURE)
        # A label of links cannot be meant otherwise.
        is_label = context.vocabulary.role(text[start:close].strip("[] ")) is not None
        is_rather_link = is_rare and not is_dated(text[start:close], document)
        is_sure = is_label or is_rather_link or begins_item(document.source, start)
        yield RawDiagnostic(Span(start, match.end()), {}, (edit,), is_sure, message="space-before")


def _labels(document: Document, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the matches of a pattern that begins with the `]` of a text in brackets, with where that begins."""
    text = document.source.text
    matches = list(pattern.finditer(text))
    blocked = find_blocked(document) if matches else []
    for match in matches:
        start = opening(text, match.start(), "[]", _LONGEST_TEXT)
        if 0 <= start < match.start() - 1 and not is_blocked(blocked, match.start()):
            yield match, start


def _without_opening(document: Document) -> RawDiagnostics:
    """Yield links without the `(` before their URL: `[text]https://example.org)`."""
    for match, _ in _labels(document, _NO_PARENTHESIS):
        close, end = match.start(), match.end()
        line = document.source.starts[document.source.line_at(close)]
        before = document.source.text[max(line, close - _LONGEST_TEXT) : end]
        if before.count(")") <= before.count("("):
            continue  # its `)` may be that of a parenthesis around it
        edit = Edit(close + 1, close + 1, "(", STRUCTURE)
        yield RawDiagnostic(Span(end - 1, end), {}, (edit,), message="no-parenthesis")


def _mistyped(document: Document) -> RawDiagnostics:
    """Yield addresses without brackets that are shown as text because of their beginning: `htps://example.org`."""
    for match in _MISTYPED.finditer(document.source.text):
        url = match[0].rstrip(".,;:!?*_~")
        fault = _scheme(url)
        if fault is None or fault.fixed is None or not is_text(document, match.start()):
            continue
        start, middle, end = match.start(), match.end(1), match.start() + len(url)
        edits = (
            Edit.relink(Span(start, middle), url, fault.fixed, fault.fixed.partition(":")[0]),
            Edit(middle, match.end(2), "://", STRUCTURE),
        )
        yield RawDiagnostic(Span(start, end), fault.values, edits, message=fault.message)
