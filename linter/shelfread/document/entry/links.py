"""The links of an entry: labels, roles, and the identifiers that their addresses hold."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.document.entry.labels import Label
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity.identifiers import identify
from shelfread.document.model import LabelledLink
from shelfread.document.plain_text import PlainText, TextLink
from shelfread.markdown.node import Block, Emphasis, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_PAST_HOST = lazy(r"^(?:https?:)?//[^/]+/")
_NAMED_PAPER = lazy(r"\d|forum|\.pdf$|papers?/.|[\w-]{12}", re.IGNORECASE)


def entry_links(
    title_line: TitleLine, labels: list[tuple[PlainText, Label]], vocabulary: Vocabulary
) -> tuple[LabelledLink, ...]:
    """The links of a title line and of the lines below it: the title's own first."""
    found: list[LabelledLink] = []
    if title_line.title_link is not None:
        found.append(unlabelled_link(title_line.plain, title_line.title_link, vocabulary))
    for label in [*title_line.labels, *(label for _, label in labels)]:
        role = label.role or vocabulary.role("", label.link.link.url)
        found.append(LabelledLink(label.label, role, label.link.link))
    return tuple(found)


def unlabelled_link(plain: PlainText, link: TextLink, vocabulary: Vocabulary) -> LabelledLink:
    """A link whose text is no label: its address alone tells its role."""
    text = " ".join(plain.text[link.start : link.end].split())
    return LabelledLink(text, vocabulary.role("", link.link.url), link.link)


def is_paper_url(url: str, vocabulary: Vocabulary) -> bool:
    """Whether papers live at an address: arXiv, a DOI, proceedings ..., and one of them at this one."""
    role = vocabulary.role("", url)
    if role is None or role.id not in ("paper", "review"):
        return url.endswith(".pdf")
    place = _PAST_HOST.match(url)
    return place is None or bool(_NAMED_PAPER.search(url, place.end()))


def entry_identifiers(links: tuple[LabelledLink, ...]) -> dict[str, str]:
    """The identifiers that an entry's links hold, the paper's links first."""
    found: dict[str, str] = {}
    if not links:
        return found
    if len(links) > 1:
        links = tuple(sorted(links, key=lambda link: link.role is None or link.role.id != "paper"))
    for link in links:
        for kind, value in identify(link.link.url).items():
            if kind == "github" and (link.role is None or link.role.id != "code"):
                continue
            found.setdefault(kind, value)
    return found


def all_links(blocks: tuple[Block, ...]) -> list[Link]:
    """Every link and image of some blocks, in order, those within others too."""
    found: list[Link] = []
    left = list(reversed(blocks))
    while left:
        block = left.pop()
        if block.blocks:
            left.extend(reversed(block.blocks))
        elif block.inlines:
            _collect(block.inlines, found)
    return found


def _collect(inlines: tuple[Inline, ...], found: list[Link]) -> None:
    for node in inlines:
        kind = type(node)
        if kind is Text:
            continue
        if isinstance(node, Link):
            found.append(node)
            if node.children:
                _collect(node.children, found)
        elif isinstance(node, Emphasis):
            _collect(node.children, found)
