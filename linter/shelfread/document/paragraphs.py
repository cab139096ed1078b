"""Entries in paragraphs: one per line, several in a row, or paragraphs that begin with a link."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.link_labels import LABEL_WORDS
from shelfread.document.entry.paper import is_field_line, is_paper
from shelfread.document.entry.sub_lines import SubLine, parse_sub_line, read_labelled_field
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.identity import is_paper_url
from shelfread.document.non_entries import POINTERS, is_sentence, leads_elsewhere, links_internally
from shelfread.document.plain_text import PlainText, plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import is_citation
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_BETWEEN = lazy(r"[\s,;/&|+·•]*(?:and|und|et|or)?[\s,;/&|+·•]*")
_DECORATION = lazy(r"[^\w\[(（【\"“]*(?:[\[(（【][^\[\]()]{1,40}[\])）】])?[^\w\"“]*")
_LEAD_IN = lazy(r"\s*[\w][\w .+-]{0,60}[:：]\s*")
_DESCRIBED = lazy(r"\W{0,3}(?:[-–—,]\s|:)|\s/\s(?!.*\s/\s)|[\[(：]|\.\s+[A-Z]|\s+by\s+[A-Z]")
# `[7 May 2024] (Shelf) [`, `Shelf: [`, `12、[`, `2014【Shelf】[`
_NAME_AHEAD = lazy(
    r"(?:\d{1,4}\s?[.)、．]|(?:19|20)\d\d(?=\W))?[^\w\[(（【]{0,9}(?:[\[(（【][^\[\]()（）【】]{1,40}[\])）】]\W{0,3}){0,3}(?:\w[\w .+-]{0,60}[:：]\s{0,3})?[^\w\[(（【]{0,9}"
)
_REFERENCE = lazy(r"\[\d{1,4}\]\s")
_MOST = 0.6
# So many lines that begin in bold or end with labels are entries, with so many words before them.
_FEWEST_BOLD, _FEWEST_LABELLED, _FEWEST_WORDS = 2, 3, 2


def split_entries(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """Return the inlines of each entry of a paragraph, from the line of its title on. Never empty."""
    if not any(type(node) is Break or (type(node) is Html and node.tag == "br") for node in inlines):
        return _in_a_row(inlines, vocabulary)
    lines = inline_lines(inlines)
    starts = [index for index, line in enumerate(lines) if _begins_entry(line, vocabulary)]
    if not starts or starts == [0]:
        return [inlines]
    if len(starts) == 1 and not (starts[0] == 1 and _LEAD_IN.fullmatch(plain_text(lines[0]))):
        return [inlines]
    entries: list[tuple[Inline, ...]] = []
    for start, end in pairwise([*starts, len(lines)]):
        if end < len(lines) and end - 1 > start and _LEAD_IN.fullmatch(plain_text(lines[end - 1])):
            end -= 1  # `FedAvg:` introduces the next entry
        entries.append(joined_lines(lines[start:end]))
    return entries


def lead_in(block: Block) -> str:
    """Return the text of a short paragraph that ends with a colon, `Maintainers:`, else an empty one."""
    text = plain_text(block.inlines) if block.kind == "paragraph" and len(block.inlines) < 5 else ""
    return text if text.endswith((":", "：")) else ""


def split_fields(inlines: tuple[Inline, ...]) -> tuple[tuple[Inline, ...], list[tuple[Inline, ...]]]:
    """Return the inlines up to the first line that states a field, and those of each such line: `Authors: Ada Stone`."""
    if not any(type(node) is Break or (type(node) is Html and node.tag == "br") for node in inlines):
        return inlines, []
    lines = inline_lines(inlines)
    first = next((i for i, line in enumerate(lines) if i and read_labelled_field(plain_text(line))), None)
    if first is None:
        return inlines, []
    return joined_lines(lines[:first]), [line for line in lines[first:] if line]


def sub_block(inlines: tuple[Inline, ...], block: Block, source: Source, kind: str = "paragraph") -> Block:
    """Return some inlines of a block as a block of its own."""
    start, end = inlines[0].start, inlines[-1].end
    first, last = source.line_at(start), source.line_at(max(end - 1, start)) + 1
    return block._replace(kind=kind, start=start, end=end, first=first, last=last, blocks=(), inlines=inlines)


def inline_lines(inlines: tuple[Inline, ...]) -> list[tuple[Inline, ...]]:
    """Return the nodes of each line, with the line break at its end."""
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
    """Return whether a line begins with a title in bold, or with one that links to a paper."""
    first = next((node for node in line if not isinstance(node, (Text, Html)) or _has_words(node)), None)
    if not isinstance(first, (Link, Emphasis)) or (isinstance(first, Link) and first.image):
        return False
    if isinstance(first, Emphasis) and len(first.delimiter) != 2:
        return False
    text = plain_text((first,)).strip(" []().")
    if isinstance(first, Link) and isinstance(line[0], Text) and line[0].value.strip() in ("-", "*", "+"):
        return leads_elsewhere(first) and vocabulary.role(text) is None  # an item without its blank
    if len(text) > 400 or len(text.split()) < 3 or is_citation(text, vocabulary) or are_authors(text):
        return False
    if isinstance(first, Emphasis):
        return any(isinstance(node, Link) for node in line)
    return is_paper_url(first.url, vocabulary) and vocabulary.role(text) is None


def _has_words(node: Text | Html) -> bool:
    return isinstance(node, Text) and not _DECORATION.fullmatch(node.value[:200])


def _in_a_row(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """Return each of several linked titles that have only separators between them."""
    if not isinstance(inlines[0], Link) or len(inlines) < 2 or not isinstance(inlines[-1], (Link, Text)):
        return [inlines]
    links = [node for node in inlines if isinstance(node, Link) and not node.image]
    if len(links) < 2 or len({link.url for link in links}) < len(links):
        return [inlines]
    for node in inlines:
        if isinstance(node, Link):
            if len(plain_text((node,)).split()) < 4 or not is_paper_url(node.url, vocabulary):
                return [inlines]
        elif not isinstance(node, Text) or not _BETWEEN.fullmatch(node.value[:200]):
            return [inlines]
    return [(link,) for link in links]


def read_paragraph(
    block: Block, source: Source, vocabulary: Vocabulary
) -> Iterator[tuple[TitleLine, list[SubLine], Block]]:
    """Yield the title line, the lines of fields below it and the block of each paper in a paragraph."""
    if not any(isinstance(node, Link) or getattr(node, "children", ()) for node in block.inlines):
        return
    entries = split_entries(block.inlines, vocabulary)
    for inlines in entries:
        title, fields = split_fields(inlines)
        line = read_title_line(render_plain_text(title), vocabulary)
        if line.shape not in ("linked", "strong", "quoted") or not is_paper(line, [], vocabulary):
            continue
        leads_to_paper = any(is_paper_url(link.link.url, vocabulary) for link in line.plain.links)
        if line.shape != "linked" and not (line.labels or line.mentions or line.badge or leads_to_paper):
            continue
        if links_internally(line) or is_sentence(line) or is_field_line(line):
            continue
        if vocabulary.role(line.title_text) is not None:
            continue  # `[paper](u) [code&data](v)`
        if line.plain.links and not any(
            leads_elsewhere(link.link) or not link.link.url for link in line.plain.links
        ):
            continue
        sub_lines = [
            sub_line
            for field in fields
            if (sub_line := parse_sub_line(sub_block(field, block, source), vocabulary)) is not None
        ]
        yield line, sub_lines, block if len(entries) == 1 else sub_block(inlines, block, source)


def named_lines(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """Return each line of a paragraph that begins with a link to what it names, with the lines that follow it.

    The paragraph as a whole if few of its lines do. If its first line does not, its lines that are in bold before labels,
    or the lines up to each that ends with labels behind words, `Tidy Shelves [[paper](u)]`, and none if few do.
    """
    lines = inline_lines(inlines)
    numbered = [index for index, line in enumerate(lines) if _REFERENCE.match(plain_text(line[:1]))]
    if numbered[:1] == [0] and len(numbered) > 1:  # `[1] Tidy Shelves, 1964`, and below it `[2] ...`
        return [joined_lines(lines[start:end]) for start, end in pairwise([*numbered, len(lines)])]
    may_link = (any(isinstance(node, Link | Emphasis) for node in line) for line in lines)
    plains = [render_plain_text(line if may else ()) for line, may in zip(lines, may_link, strict=True)]
    named = [begins_with_name(plain, vocabulary) for plain in plains]
    linked = sum(1 for plain in plains if any(link.end > link.start for link in plain.links))
    if sum(named) >= max(_FEWEST_BOLD, 0.5 * linked):  # among them `[artifact](u) - Keeps drawings.`
        named = [begins_with_name(plain, vocabulary, may_be_label=True) for plain in plains]
    if not named[0]:
        starts = [index for index, line in enumerate(lines) if _is_bold_with_label(line, vocabulary)]
        if starts[:1] == [0] and len(starts) >= max(_FEWEST_BOLD, _MOST * len(lines)):
            return [joined_lines(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]
        ends = [index + 1 for index, line in enumerate(lines) if _ends_with_label(line, vocabulary)]
        if len(ends) < _FEWEST_LABELLED or len(ends) < _MOST * len(lines):
            return []
        return [joined_lines(lines[start:end]) for start, end in pairwise([0, *ends])]
    if sum(named) < _MOST * linked:
        return [inlines]
    starts = [index for index, is_named in enumerate(named) if is_named]
    return [joined_lines(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]


def _is_bold_with_label(line: tuple[Inline, ...], vocabulary: Vocabulary) -> bool:
    """Return whether a line begins with words in bold that are no label, and has a link that is one: `**Oak** [[Paper]](u)`."""
    first = line[0]
    if not isinstance(first, Emphasis) or len(first.delimiter) != 2:
        return False
    labels = (plain_text((node,)).strip("[]() ") for node in line[1:] if isinstance(node, Link))
    is_label = read_labelled_field(plain_text(line)) or vocabulary.role(plain_text((first,)).strip(" :"))
    return not is_label and any(vocabulary.role(label) or label.casefold() in LABEL_WORDS for label in labels)


def _ends_with_label(line: tuple[Inline, ...], vocabulary: Vocabulary) -> bool:
    """Return whether a line ends with a link that its role labels, behind the words of a title."""
    links = [node for node in line if isinstance(node, Link) and not node.image]
    if not links or vocabulary.role(plain_text(links[-1:]).strip("[]() ")) is None:
        return False
    plain = render_plain_text(line)
    before, after = plain.text[: plain.links[0].start], plain.text[plain.links[-1].end :]
    return len(before.split()) >= _FEWEST_WORDS and not any(map(str.isalnum, after))


def joined_lines(lines: list[tuple[Inline, ...]]) -> tuple[Inline, ...]:
    """Return the nodes of some lines, without breaks at the end."""
    nodes = [node for line in lines for node in line]
    while nodes and isinstance(nodes[-1], Break):
        nodes.pop()
    return tuple(nodes)


def begins_with_name(plain: PlainText, vocabulary: Vocabulary, *, may_be_label: bool = False) -> bool:
    """Return whether a line is a link and perhaps its description or labels, or has a date or a name before them.

    With `may_be_label`, the text of a link that is described is a name even if it is a label elsewhere: `[data](u) - Prints the wind.`
    """
    link = next((link for link in plain.links if link.end > link.start), None)
    is_address = link is not None and link.link.form in ("bare", "autolink")
    if link is None or is_address or (link.link.url and not leads_elsewhere(link.link)):
        return False
    text, name, after = plain.text, plain.text[link.start : link.end].strip(), plain.text[link.end :]
    if not _NAME_AHEAD.fullmatch(text, 0, link.start) or read_labelled_field(text):
        return False
    is_described = _DESCRIBED.match(after) is not None
    is_label = vocabulary.role(name) is not None and not (may_be_label and is_described)
    if not any(map(str.isalpha, name)) or name.casefold() in POINTERS or is_label:
        return False
    return len(after.split()) <= 4 or is_described
