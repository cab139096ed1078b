"""What pages say: the ids to which fragments refer, and that there is no such site."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from html import unescape

from shelfread.core.patterns import lazy
from shelfread.links.exchange import Reply
from shelfread.taxonomy.hosts import host_of

# Those of browsers. Python knows more, some of which raise on any input (`undefined`) or take quadratic time
# (`punycode`), and which one decodes a page is its author's choice.
_CODECS = frozenset(
    (
        *(f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        *(f"cp{page}" for page in (866, 874, 932, 949, *range(1250, 1259))),
        *("utf-8", "utf-16-be", "utf-16-le", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *("gb18030", "big5hkscs", "euc_jp", "iso2022_jp"),
    )
)
# What browsers use instead of a codec of Python (<https://encoding.spec.whatwg.org/#names-and-labels>).
_LARGER_CODECS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-16": "utf-16-le",
}
# Labels on the web that Python does not know.
_MORE_LABELS = {"windows-31j": "cp932", "x-sjis": "cp932", "windows-949": "cp949", "windows-874": "cp874"}
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
_CHARSET = lazy(r"(?i)charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_META = lazy(r"(?i)<meta[\s/][^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_PRESCANNED = 1024  # bytes at the start of a page in which browsers search for its charset

_MARKUP = ("text/html", "application/xhtml+xml")
# An id anywhere in the source, also in a script that creates it. Bounded, to search in linear time.
_ANCHOR = lazy(
    r"""(?i)\s(?:id|name)\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})'|([^\s"'<>=`]{1,500}))"""
)
# What is no text of a page: from one string to the next.
_HIDDEN = (
    ("<!--", "-->"),
    *((f"<{name}", f"</{name}") for name in ("script", "style", "noscript", "template", "svg", "title")),
)
_TAG = lazy(r"<[^<>]*>")
_WORD = lazy(r"\w+")
# The empty element that a script fills.
_MOUNT = lazy(
    r"<(div|main|app-root|my-app)\b[^<>]{0,200}?\bid\s{0,9}=\s{0,9}[\"']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app"
    r"|react-root|application|main-app|ember-app)\b[^<>]{0,200}>\s{0,99}(?:loading[. ]{0,9})?</\1>"
)
_FEW_WORDS = 20  # a page with scripts and fewer words of text is a shell

# By the domain in which each user has a host: the name of the service, and the words by which it says that it
# has no such site. They count as those of a registry: the own page of such a host is gone too, which
# elsewhere may mean that the host refuses robots.
_SERVICES = {
    "github.io": ("GitHub Pages", lazy(r"There isn(?:'|&#0?39;|\u2019)t a GitHub Pages site here")),
}
NO_SITE_BYTES = 64 << 10  # bytes of a page that are read for these words


def decode_page(body: bytes, content_type: str) -> str:
    """Return a page as text: by its byte order mark, else by its header, else by its `<meta>`, else as UTF-8."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    header = _CHARSET.search(content_type)
    codec = _codec(header[1]) if header else ""
    if not codec and (meta := _META.search(body[:_PRESCANNED].decode("ascii", "replace"))):
        codec = _codec(meta[1])
        if codec.startswith("utf-16"):  # then the element itself could not have been read
            codec = "utf-8"
    return body.decode(codec or "utf-8", "replace")


def _codec(label: str) -> str:
    """Return the codec that browsers use for a label; empty if they have none."""
    try:
        name = codecs.lookup(_MORE_LABELS.get(label.lower(), label)).name
    except LookupError:
        return ""
    codec = _LARGER_CODECS.get(name, name)
    return codec if codec in _CODECS else ""


def anchors_of(reply: Reply, limit: int) -> frozenset[str] | None:
    """Return the ids and names of a page; None if it is not HTML, or longer than `limit` bytes.

    A shell, which a script fills in the browser, has none: those that it will have are not known.
    """
    kind = reply.headers.get("content-type", "")
    if reply.status != 200 or not kind.lower().startswith(_MARKUP) or not 0 < len(reply.body) < limit:
        return None
    text = decode_page(reply.body, kind)
    if _is_shell(text):
        return frozenset()
    return frozenset(unescape("".join(quoted)) for quoted in _ANCHOR.findall(text))


def _is_shell(text: str) -> bool:
    """Whether a page is hardly more than scripts, which make its content in the browser."""
    text = text.lower()
    if "<script" not in text:
        return False
    if _MOUNT.search(text):
        return True
    for start, end in _HIDDEN:
        text = " ".join(_outside(text, start, end))
    return len(_WORD.findall(_TAG.sub(" ", text))) < _FEW_WORDS


def _outside(text: str, start: str, end: str) -> Iterator[str]:
    """Yield the parts of a text that are not between two strings, in linear time."""
    index = 0
    while (opened := text.find(start, index)) >= 0:
        yield text[index:opened]
        closed = text.find(end, opened)
        if closed < 0:
            return
        index = closed + len(end)
    yield text[index:]


def has_service(url: str) -> bool:
    """Whether the host of a URL is one of a service whose words for a missing site are known."""
    return host_of(url).partition(".")[2] in _SERVICES


def no_site(reply: Reply) -> str:
    """Return what the service of a host says of its own page, if that is that there is no such site; else nothing."""
    name, words = _SERVICES[host_of(reply.url).partition(".")[2]]
    if reply.status != 404 or not words.search(reply.body.decode("utf-8", "replace")):
        return ""
    return f"{name} has no such site"
