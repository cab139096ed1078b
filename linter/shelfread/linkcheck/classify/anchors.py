"""The ids and names of a page, to which fragments refer."""

from __future__ import annotations

from html import unescape

from shelfread.core.support.regex import lazy
from shelfread.linkcheck.request import Reply

_MARKUP = ("text/html", "application/xhtml+xml")

_ANCHOR = lazy(
    r"""(?i)\s(?:id|name)\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})'|([^\s"'<>=`]{1,500}))"""
)
"""An id anywhere in the source, also in a script that creates it. Bounded, to search in linear time."""

_CHARSET = lazy(r"(?i)charset=[\"']?([\w-]{2,20})")
# Those of the Encoding Standard that Python has; Python's others decode no text, or fail whatever the bytes are.
_CHARSETS = frozenset(
    """utf-8 utf8 utf-16 utf-16le utf-16be us-ascii ascii latin1 ibm866 koi8-r koi8-u macintosh gbk gb2312 gb18030 big5
    euc-jp iso-2022-jp shift_jis euc-kr iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7
    iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-1250 windows-1251
    windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258""".split()
)


def anchors_of(reply: Reply, limit: int) -> frozenset[str] | None:
    """Return the ids and names of a page; None if it is not HTML, or longer than `limit` bytes."""
    kind = reply.headers.get("content-type", "")
    if reply.status != 200 or not kind.lower().startswith(_MARKUP) or not 0 < len(reply.body) < limit:
        return None
    named = _CHARSET.search(kind)
    charset = named[1].lower() if named else "utf-8"
    text = reply.body.decode(charset if charset in _CHARSETS else "utf-8", "replace")
    return frozenset(unescape("".join(quoted)) for quoted in _ANCHOR.findall(text))
