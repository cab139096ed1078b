"""Inline content whose every mark plainly means one thing, as most lines of lists: read in one pass.

What needs the rules for nested marks, references, entities and the like is left to the parser.
"""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.markdown.bare_urls import may_contain_url, text_and_urls
from shelfread.markdown.node import Break, Code, Emphasis, Html, Inline, Link, Text
from shelfread.markdown.source_map import SourceMap

# Words, with `_` between letters only, where it is no mark.
_WORDS = r"[^\n\\`~*_\[\]!<&]*(?:(?<=[^\W_])_(?=[^\W_])[^\n\\`~*_\[\]!<&]*)*"
_ADDRESS = r"(?=[^)])[^\s()<>\\&\x00-\x1f\x7f]*(?:\([^\s()<>\\&\x00-\x1f\x7f]*\)[^\s()<>\\&\x00-\x1f\x7f]*)?"
# A character that may be more than text, and what makes its meaning plain. Each mark of an emphasis stands
# so that it can only open or only close one; a bracket is text where no definition is known and where `](`
# stands in plain links alone.
_MARK = lazy(
    rf"""[\n\\`~*_\[\]!<&](?:
        (?P<link> (?<=\[) (?P<words>{_WORDS}) \] \( (?P<url>{_ADDRESS}) \) )
      | (?P<break> (?<=[\n]) [ \t]* | (?<=\\) \n [ \t]* )
      | (?P<boxed> (?<=\[) (?P<box>{_WORDS} \[ {_WORDS} \] (?!\() {_WORDS}) \] \( (?P<at>{_ADDRESS}) \) )
      | (?P<bracket> (?<=\[) (?!!\[) )
      | (?P<text> (?<=\]) (?!\() | (?<=[^\W_]_) (?=[^\W_]) | (?<=!) (?!\[)
          | (?<=&) (?![#\w]) | (?<=<) (?![A-Za-z/!?]) | (?<=~) (?<!~~) (?!~) )
      | (?P<emphasis> (?<=\*) (?<!\*\*) (?: (?=\*?[^\W_]) | (?<![^ \n(]\*) (?=\*?[^\s*]) )
          (?P<star>\*?) (?: (?P<inner>{_WORDS}) | \[ (?P<name>{_WORDS}) \] \( (?P<page>{_ADDRESS}) \) ) (?<=[^\s*])
          (?: (?<=[^\W_]) \*(?P=star) (?!\*) | \*(?P=star) (?=[ \n.,;:)\]]|\Z) ) )
      | (?P<code> (?<=`) (?<!``) (?![ ]) (?P<codes>[^`\n]+) ` (?!`) )
      | (?P<image> (?<=!) \[ (?P<alt>{_WORDS}) \] \( (?P<src>{_ADDRESS}) \) )
      | (?P<badge> (?<=\[) !\[ (?P<shown>{_WORDS}) \] \( (?P<shot>{_ADDRESS}) \) \] \( (?P<to>{_ADDRESS}) \) )
      | (?P<line> (?<=<) br[ ]?/?> )
    )?""",
    re.VERBOSE,
)


def read_fast_inlines(
    content: str, placed: SourceMap, defined: bool, code: list[Span]
) -> tuple[Inline, ...] | None:
    """The nodes of content that has nothing to puzzle over, else None.

    `placed` has a stretch for each line. `defined` says that the text defines references; the spans of
    code found are added to `code`.
    """
    nodes: list[Inline] = []
    spans: list[Span] = []
    done = line = 0
    base = placed.source_offsets[0]  # from an offset in the content to one in the source, on this line
    for match in _MARK.finditer(content):
        what = match.lastgroup
        if what == "text" or (what == "bracket" and not defined):
            continue
        if what is None or what == "bracket" or (what == "boxed" and defined):
            return None
        at, after = match.span()
        if what == "break":
            soft = content[at] == "\n"
            words = content[done:at]
            if soft:
                words = words.rstrip(" ")
            if words:
                _add_text(nodes, words, base + done)
            start = base + done + len(words)
            line += 1
            base = placed.source_offsets[line] - placed.offsets[line]
            nodes.append(Break(start, base + after, not soft or content.endswith("  ", done, at)))
            done = after
            continue
        if at > done:
            _add_text(nodes, content[done:at], base + done)
        start, end, done = base + at, base + after, after
        if what == "link":
            nodes.append(_plain_link(start, match["words"], match["url"]))
        elif what == "emphasis":
            mark = "*" + match["star"]
            inner: list[Inline] = []
            if match["page"] is None:
                _add_text(inner, match["inner"], start + len(mark))
            else:
                inner.append(_plain_link(start + len(mark), match["name"], match["page"]))
            nodes.append(Emphasis(start, end, mark, tuple(inner)))
        elif what == "boxed":
            nodes.append(_plain_link(start, match["box"], match["at"]))
        elif what == "image":
            nodes.append(_plain_link(start, match["alt"], match["src"], image=True))
        elif what == "badge":
            image = _plain_link(start + 1, match["shown"], match["shot"], image=True)
            nodes.append(_link(start, image.end, match["to"], Span(start + 1, image.end), (image,)))
        elif what == "code":
            nodes.append(Code(start, end, match["codes"]))
            spans.append(Span(start, end))
        else:
            nodes.append(Html(start, end, "br", match[0]))
    if done < len(content):
        _add_text(nodes, content[done:] if done else content, base + done)
    code += spans
    return tuple(nodes)


def _add_text(nodes: list[Inline], value: str, start: int) -> None:
    if may_contain_url(value):
        nodes.extend(text_and_urls(value, 0, start.__add__))
    else:
        nodes.append(Text(start, start + len(value), value))


def _plain_link(start: int, words: str, url: str, image: bool = False) -> Link:
    """A link or an image of nothing but words."""
    begin = start + 1 + image
    close = begin + len(words)
    children = (Text(begin, close, words),) if words else ()
    return _link(start, close, url, Span(begin, close), children, image)


def _link(
    start: int, close: int, url: str, text: Span, children: tuple[Inline, ...], image: bool = False
) -> Link:
    """A link whose address follows the bracket at `close`."""
    end = close + 2 + len(url)
    return Link(start, end + 1, "inline", url, text, Span(close + 2, end), None, "", image, children)
