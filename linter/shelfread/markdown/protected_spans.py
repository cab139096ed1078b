"""The spans of a text that no edit may touch: they are another language, or belong to a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.markdown.inlines import CommentsAndCode

# Template tags of Liquid, Jinja and GitBook, on one line.
_TEMPLATE = lazy(r"\{%(?:(?!\{%|%\})[^\r\n])*%\}|\{\{(?:(?!\{\{|\}\})[^\r\n])*\}\}")
# GitHub's math: `$...$` on one line, but not prices; `$$...$$` without blank lines.
_MATH = lazy(r"\$(?<![\\$\w]\$)(?![\s$])[^$\r\n]*(?<![\s\\$])\$(?![\w$])")
_MATH_BLOCK = lazy(r"\$\$(?<!\$\$\$)(?!\$)(?:[^$\r\n]|(?:\r\n|\r|\n)(?![ \t]*[\r\n]))+\$\$(?!\$)")
# Generated parts (doctoc, all-contributors): <!-- START x --> ... <!-- END x -->, or x:START ... x:END.
_BEGIN = lazy(r"<!--\s*(?:START\s+(?P<a>[\w.-]+)|(?P<b>[\w.-]+):START)", re.IGNORECASE)
_END = lazy(r"<!--\s*(?:END\s+(?P<a>[\w.-]+)|(?P<b>[\w.-]+):END)", re.IGNORECASE)
# What front matter begins with, comments apart. Else `---` is a rule.
_KEY = {"---": lazy(r"""["'\w][^:]*:(?:\s|$)"""), "+++": lazy(r"""["'\w][^=]*=|\[.*\]\s*$""")}


def find_front_matter(source: Source) -> int:
    """Return the number of lines of YAML (`---`) or TOML (`+++`) front matter, 0 if there is none."""
    fence = source.lines[0].rstrip()
    key = _KEY.get(fence)
    first_line = next((line for line in source.lines[1:] if not line.startswith("#")), "")
    if key is None or not key.match(first_line):
        return 0
    closing = (fence, "...") if fence == "---" else (fence,)
    for index, line in enumerate(source.lines[1:], 1):
        if line.rstrip() in closing:
            return index + 1
    return 0


def find_protected(source: Source, front_matter: int, collected: CommentsAndCode) -> tuple[Span, ...]:
    """Return the protected spans, sorted and merged. `front_matter` is its number of lines."""
    text = source.text
    spans = [*collected.code, *(Span(comment.start, comment.end) for comment in collected.comments)]
    if front_matter:
        spans.append(Span(0, source.starts[front_matter] if front_matter < len(source.starts) else len(text)))
    spans += _generated(collected)
    if "{%" in text or "{{" in text:
        spans += [Span(*match.span()) for match in _TEMPLATE.finditer(text)]
    if "$" in text:
        spans += [Span(*match.span()) for match in _MATH.finditer(text)]
        spans += [Span(*match.span()) for match in _MATH_BLOCK.finditer(text)]
    return _merge(spans)


def _generated(collected: CommentsAndCode) -> Iterator[Span]:
    """Yield the spans from the opening to the closing comment of a generator."""
    opened: dict[str, int] = {}
    for comment in collected.comments:
        if match := _BEGIN.match(comment.value):
            opened.setdefault((match["a"] or match["b"]).casefold(), comment.start)
        elif match := _END.match(comment.value):
            start = opened.pop((match["a"] or match["b"]).casefold(), None)
            if start is not None:
                yield Span(start, comment.end)


def _merge(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)
