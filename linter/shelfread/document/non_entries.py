"""What of a list is no entry: what speaks of the list itself, contents, places of its own pages, prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shelfread.core.support.regex import lazy
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.labels import CONSUMED
from shelfread.document.entry.title_line import TitleLine
from shelfread.markdown.node import Link

# Sections that speak of the list itself: what they list is no entry of it.
_ABOUT = lazy(
    r"^\W*(?:contribut\w*(?: guide\w*| to .*)?|how to contribute|contributing guidelines?|guidelines|"
    r"(?:(?:our|core|project|the) )?(?:team|contributors|authors|maintainers)|"
    r"licen[cs]e|copyright|acknowledg\w*|citations?|cite(?: us)?|citing.*|bibtex|star ?history|stargazers.*|"
    r"sponsors?(?:hip)?|backers|maintainers?|contact(?: us)?|legend|change ?log|what'?s new|recent updates?|updates?|"
    r"latest updates?|latest news|"
    r"how to (?:use|add|cite|read|submit).*|about(?: this.*| us)?|todos?|to-do|footnotes?|disclaimer|"
    r"更新.*|贡献.*|许可.*|联系.*|기여.*|라이선스|ライセンス|貢献.*)\W*$",
    re.IGNORECASE,
)
_CONTENTS = lazy(r"\W*(?:table of contents?|toc)\W*", re.IGNORECASE)
_NEWS = lazy(r"\W*(?:recent |latest )?(?:news|announcements?)\W*", re.IGNORECASE)
# A place of these pages: an anchor, another Markdown page, a folder.
_PLACE = lazy(r"^#|^[^:]*\.(?:md|mdx|rst|html)(?:#.*)?$|^(?!\w+:)(?:[^:]*/)?[\w-]*/?$")
_HOST = lazy(
    r"^(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|ai|dev|app|co|me|info|us|uk|de|fr|cn|jp|kr|in|ch|ca|eu)(?:[/:]|$)"
)
_MID_SENTENCE = (
    " of",
    " the",
    " a",
    " an",
    " by",
    " to",
    " on",
    " in",
    " with",
    " from",
    " at",
    " for",
    " and",
    " see",
)
_PROSE = lazy(r"\s*[a-z]+(?: [\w'’-]+){3,}")


def is_about_list(title: str) -> bool:
    """Whether a section speaks of the list itself: its licence, its contributors, its news."""
    return len(title) < 80 and bool(_ABOUT.match(title))


def is_contents_title(title: str) -> bool:
    """Whether a section is called a table of contents."""
    return bool(_CONTENTS.fullmatch(title))


def is_news_title(title: str) -> bool:
    """Whether a section is called news: of the list, where its items are sentences."""
    return bool(_NEWS.fullmatch(title))


def is_contents_list(links: Sequence[Link]) -> bool:
    """Whether a list, whose links these are, leads to places of these pages: most of them are anchors."""
    anchors = sum(1 for link in links if link.url[:1] == "#" and not link.image)
    return anchors > 0 and anchors >= 0.7 * sum(1 for link in links if not link.image)


def is_internal_url(url: str) -> bool:
    """Whether an address is a place of these pages; a host without its scheme is none."""
    return bool(_PLACE.match(url)) and not _HOST.match(url)


def links_internally(head: TitleLine) -> bool:
    """Whether a title leads to another place of these pages, where the thing itself is listed."""
    return head.title_link is not None and not head.labels and is_internal_url(head.title_link.link.url)


def is_name_with_links(head: TitleLine) -> bool:
    """Whether a line is a name and then links: `Name - [Part 1](u) & [Part 2](v)`."""
    printed = head.plain
    if not printed.links or len(printed.links) > 40 or read_labelled_field(printed.text):
        return False
    first = printed.links[0].start
    before = printed.text[:first]
    last = printed.links[-1].end
    behind = printed.text[last:]
    after = printed.text[first : last if behind.startswith((" - ", " – ", " — ")) else None]
    for link in reversed(printed.links):
        if printed.text[link.start : link.end].casefold() in ("here", "this", "link", "this link", "website"):
            return False
        after = after[: link.start - first] + after[link.end - first :]
    if not before.strip() or len(after.split()) > 3 or len(before.split()) > 20:
        return False
    return not f" {before.casefold()}".rstrip().endswith(_MID_SENTENCE)


def is_sentence(head: TitleLine) -> bool:
    """Whether a linked title is the beginning of a sentence: `[MArk](u) is a system that ...`."""
    if head.title_link is None or head.shape != "linked" or head.labels or head.mentions:
        return False
    return bool(
        _PROSE.match(head.unread[head.title_link.end :].replace(CONSUMED, " ")[:200])
    ) and head.unread[head.title_link.end : head.title_link.end + 1] in (" ", "")
