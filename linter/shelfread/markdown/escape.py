"""Plain text and URLs as Markdown."""

from __future__ import annotations

from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line

_ACTIVE = lazy(r"[\\`*\[\]<]|(?<!\w)_+|_+(?!\w)|&(?=#?\w{1,40};)|~(?=~)|(?<=~)~|\$")
_BLOCK_START = lazy(r"(?:[-+#>=]|\d{1,9}(?=[.)](?: |$)))")


def escape(text: str, *, in_table: bool = False) -> str:
    """Return the Markdown of a text in one line, in which nothing is markup."""
    text = one_line(text)
    text = _ACTIVE.sub(lambda match: "".join(f"\\{sign}" for sign in match[0]), text)
    if in_table:
        return text.replace("|", "\\|")
    if start := _BLOCK_START.match(text):
        sign = start[0]
        return (f"{sign}\\" if sign.isdigit() else f"\\{sign}") + text[start.end() :]
    return text


def destination(url: str, *, in_table: bool = False) -> str:
    """Return a URL as the destination of a link; `##[` in it would be a command to a runner that shows the text in a log."""
    url = (
        one_line(url)
        .replace("##[", "##%5B")
        .replace("\\", "%5C")
        .replace(" ", "%20")
        .replace("<", "%3C")
        .replace(">", "%3E")
    )
    url = url.replace("|", "%7C") if in_table else url
    return url.replace("(", "\\(").replace(")", "\\)") if url.count("(") != url.count(")") else url
