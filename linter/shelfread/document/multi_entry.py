"""Blocks that hold several entries: one a line, or several papers in a row."""

from __future__ import annotations

from itertools import pairwise

from shelfread.core.support.regex import lazy
from shelfread.document.entry.links import is_paper_url
from shelfread.document.plain_text import plain_text
from shelfread.document.recognizers.citation import is_citation
from shelfread.document.recognizers.people import are_authors
from shelfread.markdown.node import Break, Emphasis, Html, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_BETWEEN = lazy(r"[\s,;/&|+·•]*(?:and|und|et|or)?[\s,;/&|+·•]*")
_MARK = lazy(r"[^\w\[(（【\"“]*(?:[\[(（【][^\[\]()]{1,40}[\])）】])?[^\w\"“]*")
_LEAD_IN = lazy(r"\s*[\w][\w .+-]{0,60}[:：]\s*")


def split_entries(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """The entries that a paragraph holds, each from the line on which its title stands; one if it is one."""
    if not any(type(node) is Break or (type(node) is Html and node.tag == "br") for node in inlines):
        return _in_a_row(inlines, vocabulary)
    lines = _lines(inlines)
    starts = [at for at, line in enumerate(lines) if _begins_entry(line, vocabulary)]
    if not starts:
        return [inlines]
    if len(starts) == 1 and starts[0] == 0:
        return [inlines]
    parts: list[tuple[Inline, ...]] = []
    for start, end in pairwise([*starts, len(lines)]):
        until = end
        if end < len(lines) and end - 1 > start and _LEAD_IN.fullmatch(plain_text(lines[end - 1])):
            until = end - 1  # `FedAvg:` says what the next one is, and is none of this
        body = [node for line in lines[start:until] for node in line]
        while body and isinstance(body[-1], Break):
            body.pop()
        parts.append(tuple(body))
    led_in = starts[0] == 1 and _LEAD_IN.fullmatch(plain_text(lines[0]))
    if starts[0] > 0 and len(starts) == 1 and not led_in:
        return [inlines]
    return parts


def _lines(inlines: tuple[Inline, ...]) -> list[tuple[Inline, ...]]:
    """The nodes of each line, its break at its end."""
    lines: list[tuple[Inline, ...]] = []
    line: list[Inline] = []
    for node in inlines:
        line.append(node)
        if isinstance(node, Break) or (isinstance(node, Html) and node.tag == "br"):
            lines.append(tuple(line))
            line = []
    if line or not lines:
        lines.append(tuple(line))
    return lines


def _begins_entry(line: tuple[Inline, ...], vocabulary: Vocabulary) -> bool:
    """Whether a title stands at the beginning of a line, marked as one: in bold, or a link to a paper."""
    first = next((node for node in line if not isinstance(node, (Text, Html)) or _says(node)), None)
    if not isinstance(first, (Link, Emphasis)) or (isinstance(first, Link) and first.image):
        return False
    if isinstance(first, Emphasis) and len(first.delimiter) != 2:
        return False
    text = plain_text((first,)).strip(" []().")
    if len(text) > 400 or len(text.split()) < 3 or is_citation(text, vocabulary) or are_authors(text):
        return False
    if isinstance(first, Emphasis):
        return any(isinstance(node, Link) for node in line)
    return is_paper_url(first.url, vocabulary) and vocabulary.role(text) is None


def _says(node: Text | Html) -> bool:
    return isinstance(node, Text) and not _MARK.fullmatch(node.value[:200])


def _in_a_row(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """Several linked titles with nothing but commas between them: each is a paper of its own."""
    if not isinstance(inlines[0], Link) or len(inlines) < 2 or not isinstance(inlines[-1], (Link, Text)):
        return [inlines]
    links = [node for node in inlines if isinstance(node, Link) and not node.image]
    if len(links) < 2:
        return [inlines]
    addresses = {link.url for link in links}
    if len(addresses) < len(links):
        return [inlines]
    for node in inlines:
        if isinstance(node, Link):
            if len(plain_text((node,)).split()) < 4 or not is_paper_url(node.url, vocabulary):
                return [inlines]
        elif not isinstance(node, Text) or not _BETWEEN.fullmatch(node.value[:200]):
            return [inlines]
    return [(link,) for link in links]
