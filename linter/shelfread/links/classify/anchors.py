"""The ids and names of a page, to which fragments refer."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

from shelfread.core.support.regex import lazy
from shelfread.links.classify.charset import decode_page
from shelfread.links.request import Reply

_MARKUP = ("text/html", "application/xhtml+xml")

_ANCHOR = lazy(
    r"""(?i)\s(?:id|name)\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})'|([^\s"'<>=`]{1,500}))"""
)
"""An id anywhere in the source, also in a script that creates it. Bounded, to search in linear time."""

_HIDDEN = (
    ("<!--", "-->"),
    *((f"<{name}", f"</{name}") for name in ("script", "style", "noscript", "template", "svg", "title")),
)
"""What is no text of a page: from one string to the next."""
_TAG = lazy(r"<[^<>]*>")
_WORD = lazy(r"\w+")
_MOUNT = lazy(
    r"<(div|main|app-root|my-app)\b[^<>]{0,200}?\bid\s{0,9}=\s{0,9}[\"']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app"
    r"|react-root|application|main-app|ember-app)\b[^<>]{0,200}>\s{0,99}(?:loading[. ]{0,9})?</\1>"
)
"""The empty element that a script fills."""
_FEW_WORDS = 20
"""A page with scripts and fewer words of text is a shell."""


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
