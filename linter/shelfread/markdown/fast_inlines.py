"""A one-pass reader for inline content in which every special character is unambiguous.

Most lines of lists are such content. Content that needs CommonMark's rules for nested delimiters, references
or entities is left to the parser.
"""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.markdown.gfm import may_contain_url, text_and_urls, url_end
from shelfread.markdown.inlines import SourceMap
from shelfread.markdown.node import Break, Code, Emphasis, Html, Inline, Link, Text

# Words. `_` may stand between letters only, where it is not a delimiter.
_WORDS = r"[^\n\\`~*_\[\]!<&]*(?:(?<=[^\W_])_(?=[^\W_])[^\n\\`~*_\[\]!<&]*)*"
_DESTINATION = (
    r"(?=[^)])[^\s()<>\\&\x00-\x1f\x7f]*(?:\([^\s()<>\\&\x00-\x1f\x7f]*\)[^\s()<>\\&\x00-\x1f\x7f]*)?"
)
# A special character and the context that makes it unambiguous. A delimiter of emphasis can either only open
# or only close it. A bracket is text if the document has no definitions and `](` occurs in plain links only.
_SPECIAL = lazy(
    rf"""[\n\\`~*_\[\]!<&](?:
        (?P<link> (?<=\[) (?P<words>{_WORDS}) \] \( (?P<url>{_DESTINATION}) \) )
      | (?P<break> (?<=[\n]) [ \t]* | (?<=\\) \n [ \t]* )
      | (?P<bracketed> (?<=\[) (?P<label>{_WORDS} \[ {_WORDS} \] (?!\() {_WORDS}) \] \( (?P<target>{_DESTINATION}) \) )
      | (?P<bracket> (?<=\[) (?!!\[) )
      | (?P<text> (?<=\]) (?!\() | (?<=[^\W_]_) (?=[^\W_]) | (?<=!) (?!\[)
          | (?<=&) (?![#\w]) | (?<=<) (?![A-Za-z/!?]) | (?<=~) (?<!~~) (?!~) )
      | (?P<emphasis> (?<=\*) (?<!\*\*) (?: (?=\*?[^\W_]) | (?<![^ \n(]\*) (?=\*?[^\s*]) )
          (?P<star>\*?) (?: (?P<inner>{_WORDS}) | \[ (?P<name>{_WORDS}) \] \( (?P<page>{_DESTINATION}) \) ) (?<=[^\s*])
          (?: (?<=[^\W_]) \*(?P=star) (?!\*) | \*(?P=star) (?=[ \n.,;:)\]]|\Z) ) )
      | (?P<code> (?<=`) (?<!``) (?![ ]) (?P<content>[^`\n]+) ` (?!`) )
      | (?P<image> (?<=!) \[ (?P<alt>{_WORDS}) \] \( (?P<src>{_DESTINATION}) \) )
      | (?P<badge> (?<=\[) !\[ (?P<badge_alt>{_WORDS}) \] \( (?P<badge_src>{_DESTINATION}) \) \] \( (?P<badge_url>{_DESTINATION}) \) )
      | (?P<line> (?<=<) br[ ]?/?> )
    )?""",
    re.VERBOSE,
)


def read_fast_inlines(
    content: str, source_map: SourceMap, has_definitions: bool, code: list[Span]
) -> tuple[Inline, ...] | None:
    """Return the nodes of unambiguous content, or None if it needs the parser.

    `source_map` has one segment per line. The spans of code spans are appended to `code`.
    """
    nodes: list[Inline] = []
    code_spans: list[Span] = []
    done = line = 0
    base = source_map.source_offsets[0]  # from an offset in the content to one in the source, on this line
    for match in _SPECIAL.finditer(content):
        kind = match.lastgroup
        if kind == "text" or (kind == "bracket" and not has_definitions):
            continue
        if kind is None or kind == "bracket" or (kind == "bracketed" and has_definitions):
            return None
        first, after = match.span()
        if kind == "break":
            soft = content[first] == "\n"
            words = content[done:first]
            if soft:
                words = words.rstrip(" ")
            if words:
                _add_text(nodes, words, base + done)
            start = base + done + len(words)
            line += 1
            base = source_map.source_offsets[line] - source_map.offsets[line]
            nodes.append(Break(start, base + after, not soft or content.endswith("  ", done, first)))
            done = after
            continue
        if first > done:
            _add_text(nodes, content[done:first], base + done)
        start, end, done = base + first, base + after, after
        if kind == "link":
            nodes.append(_plain_link(start, match["words"], match["url"]))
        elif kind == "emphasis":
            if url_end(content, first, len(content)) > first:
                return None  # its delimiter is a part of a URL
            delimiter = "*" + match["star"]
            inner: list[Inline] = []
            if match["page"] is None:
                _add_text(inner, match["inner"], start + len(delimiter))
            else:
                inner.append(_plain_link(start + len(delimiter), match["name"], match["page"]))
            nodes.append(Emphasis(start, end, delimiter, tuple(inner)))
        elif kind == "bracketed":
            nodes.append(_plain_link(start, match["label"], match["target"]))
        elif kind == "image":
            nodes.append(_plain_link(start, match["alt"], match["src"], image=True))
        elif kind == "badge":
            image = _plain_link(start + 1, match["badge_alt"], match["badge_src"], image=True)
            nodes.append(_link(start, image.end, match["badge_url"], Span(start + 1, image.end), (image,)))
        elif kind == "code":
            nodes.append(Code(start, end, match["content"]))
            code_spans.append(Span(start, end))
        else:
            nodes.append(Html(start, end, "br", match[0]))
    if done < len(content):
        _add_text(nodes, content[done:] if done else content, base + done)
    code += code_spans
    return tuple(nodes)


def _add_text(nodes: list[Inline], value: str, start: int) -> None:
    if may_contain_url(value):
        nodes.extend(text_and_urls(value, 0, start.__add__))
    else:
        nodes.append(Text(start, start + len(value), value))


def _plain_link(start: int, words: str, url: str, image: bool = False) -> Link:
    """Return a link or an image whose text is plain words."""
    begin = start + 1 + image
    close = begin + len(words)
    children = (Text(begin, close, words),) if words else ()
    return _link(start, close, url, Span(begin, close), children, image)


def _link(
    start: int, close: int, url: str, text: Span, children: tuple[Inline, ...], image: bool = False
) -> Link:
    """Return a link whose destination follows the bracket at offset `close`."""
    end = close + 2 + len(url)
    return Link(start, end + 1, "inline", url, text, Span(close + 2, end), None, "", image, children)
