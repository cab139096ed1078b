"""The zones of a text that no edit may touch: they are another language, or belong to a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.markdown.inlines import Seen

# A template's tag stays on one line, as in Liquid, Jinja and GitBook.
_TEMPLATE = lazy(r"\{%(?:(?!\{%|%\})[^\r\n])*%\}|\{\{(?:(?!\{\{|\}\})[^\r\n])*\}\}")
# Math is GitHub's: in `$` on one line, not where prices are meant; in `$$` up to a blank line.
_MATH = lazy(r"\$(?<![\\$\w]\$)(?![\s$])[^$\r\n]*(?<![\s\\$])\$(?![\w$])")
_MATH_BLOCK = lazy(r"\$\$(?<!\$\$\$)(?!\$)(?:[^$\r\n]|(?:\r\n|\r|\n)(?![ \t]*[\r\n]))+\$\$(?!\$)")
# doctoc's, all-contributors', and the like: <!-- START x --> ... <!-- END x -->, or x:START ... x:END.
_BEGIN = lazy(r"<!--\s*(?:START\s+(?P<a>[\w.-]+)|(?P<b>[\w.-]+):START)", re.IGNORECASE)
_END = lazy(r"<!--\s*(?:END\s+(?P<a>[\w.-]+)|(?P<b>[\w.-]+):END)", re.IGNORECASE)
# What front matter begins with, comments apart. Else `---` is a rule.
_KEY = {"---": lazy(r"""["'\w][^:]*:(?:\s|$)"""), "+++": lazy(r"""["'\w][^=]*=|\[.*\]\s*$""")}


def find_front_matter(source: Source) -> int:
    """How many lines the YAML (`---`) or TOML (`+++`) front matter takes; 0 if there is none."""
    fence = source.lines[0].rstrip()
    key = _KEY.get(fence)
    begin = next((line for line in source.lines[1:] if not line.startswith("#")), "")
    if key is None or not key.match(begin):
        return 0
    closing = (fence, "...") if fence == "---" else (fence,)
    for number, line in enumerate(source.lines[1:], 1):
        if line.rstrip() in closing:
            return number + 1
    return 0


def find_zones(source: Source, front: int, seen: Seen) -> tuple[Span, ...]:
    """All zones, sorted and joined; `front` is the number of lines of front matter."""
    text = source.text
    zones = [*seen.code, *(Span(comment.start, comment.end) for comment in seen.comments)]
    if front:
        zones.append(Span(0, source.starts[front] if front < len(source.starts) else len(text)))
    zones += _generated(seen)
    if "{%" in text or "{{" in text:
        zones += [Span(*match.span()) for match in _TEMPLATE.finditer(text)]
    if "$" in text:
        zones += [Span(*match.span()) for match in _MATH.finditer(text)]
        zones += [Span(*match.span()) for match in _MATH_BLOCK.finditer(text)]
    return _join(zones)


def _generated(seen: Seen) -> Iterator[Span]:
    """From each opening comment of a generator to its closing one."""
    opened: dict[str, int] = {}
    for comment in seen.comments:
        if match := _BEGIN.match(comment.value):
            opened.setdefault((match["a"] or match["b"]).casefold(), comment.start)
        elif match := _END.match(comment.value):
            start = opened.pop((match["a"] or match["b"]).casefold(), None)
            if start is not None:
                yield Span(start, comment.end)


def _join(zones: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for zone in sorted(zones):
        if joined and zone.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, zone.end))
        else:
            joined.append(zone)
    return tuple(joined)
