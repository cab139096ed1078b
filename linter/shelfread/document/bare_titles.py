"""Lists of titles and nothing else, without links or with links to notes: what a conference accepted, what somebody read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from shelfread.core.patterns import lazy
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.non_entries import is_internal_url
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.years import YEAR, find_year
from shelfread.markdown.node import Block, all_links
from shelfread.taxonomy.vocabulary import Vocabulary

# So many items that begin with no link are titles, or fewer that state an organisation or a year in brackets;
# so large a share are titles, and no more than this share begin with a link.
_MIN_TITLES, _MIN_STATED, _TITLES, _MAX_LINKED = 20, 5, 0.7, 0.2
_WORDS = range(3, 31)
_NOTED = 5  # words on average: chapters and pages of a list have shorter titles
_IN_BRACKETS = lazy(r"(?:\s{0,9}[(\[（][^()\[\]（）\n]{2,300}[)\]）]){1,9}\.?$|,\s(?:19|20)\d\d\.?$")
_MAX_LINE = 700


def lists_titles(blocks: tuple[Block, ...], links: int, vocabulary: Vocabulary) -> bool:
    """Return whether the items of a document, which has so many links to elsewhere, are titles without links, and no prose."""
    items = [item for block in blocks if block.kind == "list" for item in leaves(block)]
    if links > len(items):
        return False  # most lists
    bare: list[str] = []
    noted = others = 0
    for item in items:
        line = render_plain_text(item.blocks[0].inlines if item.blocks else ())
        first = line.links[0] if line.links else None
        if first is None or (first.start > 2 and _IN_BRACKETS.match(line.text, first.start - 2)):
            bare.append(line.text[:_MAX_LINE])
        elif first.link.url[:1] != "#" and is_internal_url(first.link.url):
            bare.append(line.text[:_MAX_LINE])
            noted += 1
        else:
            others += first.link.url[:1] != "#"
    if others > _MAX_LINKED * (len(bare) + others) or len(bare) < _MIN_STATED:
        return False
    if noted:
        return are_titles(bare)
    are_stated = sum(map(_states, bare)) >= _TITLES * len(bare) or _are_cited(blocks, vocabulary)
    least = _MIN_STATED if are_stated else _MIN_TITLES
    return len(bare) >= least and sum(map(_is_title, bare)) >= _TITLES * len(bare)


def are_titles(texts: Sequence[str]) -> bool:
    """Return whether the items of a list below a venue are titles without links: `## KDD 2014`, and `- Tidy Shelves`."""
    words = sum(len(text.split()) for text in texts)
    return words >= _NOTED * len(texts) and sum(map(_is_title, texts)) >= _TITLES * len(texts)


def _are_cited(blocks: tuple[Block, ...], vocabulary: Vocabulary) -> bool:
    """Return whether most lists of a document stand directly below a heading that is a venue or a year: `### KDD 2014`."""
    headings = [above for above, block in pairwise(blocks) if block.kind == "list"]
    cited = [block for block in headings if block.kind == "heading" and _is_venue(block, vocabulary)]
    return 2 * len(cited) > len(headings)


def _is_venue(heading: Block, vocabulary: Vocabulary) -> bool:
    text = plain_text(heading.inlines)
    is_year = YEAR.fullmatch(text.strip()) is not None
    return is_year or (bool(find_mentions(text, vocabulary)) and is_citation(text, vocabulary))


def leaves(block: Block) -> Iterator[Block]:
    """Yield the items of a list and of the lists in it, without those that only hold a list."""
    for item in block.blocks:
        lists = [child for child in item.blocks if child.kind == "list"]
        if lists and not any(all_links(item.blocks[:1])) and not _states(plain_text(item.blocks[0].inlines)):
            for child in lists:
                yield from leaves(child)
        else:
            yield item


def states_year(text: str) -> bool:
    """Return whether a line is some words and then a year in brackets: `Tidy Shelves for All (KDD 2014)`."""
    end = _IN_BRACKETS.search(text[-_MAX_LINE:].rstrip()) if text.rstrip().endswith((")", "）")) else None
    return end is not None and len(text[: end.start()].split()) in _WORDS and find_year(end[0]) is not None


def _states(text: str) -> bool:
    """Return whether an organisation or a year stands in brackets behind a title."""
    text = text[-_MAX_LINE:].rstrip()
    end = _IN_BRACKETS.search(text)
    if end is None or len(text[: end.start()].split()) not in _WORDS:
        return False
    return find_year(end[0]) is not None or names_organisation(end[0])


def _is_title(text: str) -> bool:
    """Return whether a text is some words of which most begin with a capital, and no sentence."""
    end = _IN_BRACKETS.search(text)
    title = text[: end.start() if end else None]
    is_sentence = end is None and text.endswith((".", ":", ";", ",", "!", "。"))
    if len(title.split()) not in _WORDS or is_sentence:
        return False
    return in_title_case(title)
