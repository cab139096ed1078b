"""Recognises what is not an entry: sections about the list itself, tables of contents, internal links, prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED
from shelfread.document.entry.sub_lines import read_labelled_field
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import NonEntry
from shelfread.document.plain_text import plain_text
from shelfread.document.years import MONTH
from shelfread.markdown.node import Block, Link
from shelfread.taxonomy.vocabulary import Vocabulary

CONTENTS = "a table of contents"
ABOUT_LIST = "about the list itself"
NEWS = "news, or a log of changes"
INTERNAL = "a link to another part of the list"
RESULT = "a result in a leaderboard"
PART = "a part of the entry above"
CONTACT = "an address for contact"
PROSE = "a sentence"
REPEATED = "an overview of entries that are listed elsewhere"
VENUES = "an index of venues"
LEGEND = "a legend, or a summary"

# Titles of sections about the list itself. Their items are not entries.
_ABOUT_LIST = lazy(
    r"^\W*(?:contribut\w*(?: guide\w*| to .*)?|how to contribute|contributing guidelines?|guidelines|"
    r"(?:(?:our|core|project|the) )?(?:team|contributors|authors|maintainers)|"
    r"(?:list of )?licen[cs]es?|copyright|thanks to.*|previously sponsored.*|issues|pull requests|about (?:me|myself)|"
    r"contact \w+ \w+|update log|acknowledg\w*|citations?|cite(?: us)?|citing.*|bibtex|star ?history|stargazers.*|"
    r"sponsors?(?:hip)?|backers|maintainers?|contact(?: us)?|legend|change ?log|what['’]?s new|recent updates?|updates?|"
    r"(?:version|release|revision) (?:history|notes|log)(?: ?[/&] ?(?:version|release|revision) (?:history|notes|log))?|"
    r"latest updates?|latest news|"
    r"how to (?:use|add|cite|read|submit).*|about(?: this.*| us)?|todos?|to-do|footnotes?|disclaimer|"
    r"更新.*|贡献.*|许可.*|联系.*|기여.*|라이선스|ライセンス|貢献.*)\W*$",
    re.IGNORECASE,
)
_CONTENTS = lazy(r"\W*(?:table of contents?|toc)\W*", re.IGNORECASE)
_NEWS = lazy(r"\W*(?:recent |latest )?(?:news|announcements?)\W*", re.IGNORECASE)
_CHANGES = lazy(
    r"\W*(?:(?:recent |latest )?(?:news|updates?|changes|announcements?)|change ?log|what['’]?s new|"
    r"(?:update|version|release|revision) (?:log|notes|history))\W*",
    re.IGNORECASE,
)
# An internal link: an anchor, another page, a folder.
_INTERNAL = lazy(r"^#|^[^:]*\.(?:md|mdx|rst|html)(?:#.*)?$|^(?!\w+:)(?:[^:]*/)?[\w-]*/?$")
_DATED = lazy(
    r"[\W_]*(?:(?:19|20)\d\d[-./年]\d{1,2}(?:[-./月]\d{1,2})?|\d{1,2}[-./]\d{1,2}[-./](?:19|20)?\d\d|"
    rf"{MONTH}\w*\.? (?:\d{{1,2}}, )?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_DAYS = lazy(rf"(?i)\W*{MONTH}\w*\.? [\d &,–-]{{1,12}} (?:19|20)\d\d\b")
_DONE = lazy(
    r"\b(?:add(?:ed|s)?|update[ds]?|refresh(?:ed)?|remove[ds]?|release[ds]?|creat(?:ed?|es)|upload(?:ed)?|fix(?:ed)?|"
    r"includ(?:e|ed)|publish(?:ed)?|(?:is|are|was|were|has been|have been) (?:\w+ )?\w+ed|we|our|this repo(?:sitory)?|"
    r"first (?:version|commit)|init(?:ial)?)\b|更新|添加|增加|发布",
    re.IGNORECASE,
)
_PERIOD = lazy(
    r"\b(?:19|20)\d\d[-./]\d{1,2}|\b(?:day|week|month|daily|weekly|monthly|latest|recent)\b", re.IGNORECASE
)
_CHANGE = lazy(
    r"[\W_]*(?:19|20)\d\d[-./年]\d{1,2}(?:[-./月]\d{1,2})?日?\W{1,6}(?:add(?:ed)?|update[ds]?|refresh(?:ed)?|remove[ds]?|fix(?:ed)?|"
    r"创建|更新|添加|增加)\b",
    re.IGNORECASE,
)
_HOST = lazy(
    r"^(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|ai|dev|app|co|me|info|us|uk|de|fr|cn|jp|kr|in|ch|ca|eu)(?:[/:]|$)"
)
_MID_SENTENCE = tuple(f" {word}" for word in "of the a an by to on in with from at for and see".split())
_WITH_NAMES = lazy(r"[^\W\d_][^()\d,]{1,60}\(([^()\d]+)\)\s*")
_VERB = lazy(
    r"[\s*_]{0,3}(?:is|are|was|were|has|have|can|uses|used|contains|consists|provides|describes|"
    r"measures|evaluates|introduced|proposed|presents|released|denotes)\s\w"
)
_YEAR = lazy(r"\W*(?:19|20)\d\d\W*")
_PROSE = lazy(r"\s*[a-z]+(?: [\w'’-]+){3,}")


def non_entry(block: Block, reason: str) -> NonEntry:
    """Return a block that has no entry, and why."""
    return NonEntry(Span(block.start, block.end), block.first + 1, block.last, reason)


def is_about_list(title: str) -> bool:
    """Return whether a section is about the list itself: its licence, its contributors, its news."""
    return len(title) < 80 and bool(_ABOUT_LIST.match(title))


def introduces_people(block: Block) -> bool:
    """Return whether a paragraph introduces a list of those who made the list: `Maintainers:`."""
    if block.kind != "paragraph" or len(block.inlines) > 4:
        return False
    text = plain_text(block.inlines)
    return text.endswith((":", "：")) and is_about_list(text)


def is_contents_title(title: str) -> bool:
    """Return whether a section is called a table of contents."""
    return bool(_CONTENTS.fullmatch(title))


def is_news_title(title: str) -> bool:
    """Return whether a section is called news. The items of news are sentences."""
    return bool(_NEWS.fullmatch(title))


def is_changes_title(title: str) -> bool:
    """Return whether a section is called news, or the history of what was changed."""
    return bool(_CHANGES.fullmatch(title))


def names_day(title: str) -> bool:
    """Return whether a title begins with a day, some days or a month of a year."""
    return (_DATED.match(title) or _DAYS.match(title)) is not None


def names_period(title: str) -> bool:
    """Return whether a title names a day, a week or a month."""
    return _PERIOD.search(title) is not None


def is_log(texts: Sequence[str]) -> bool:
    """Return whether items are news or a log of changes: most begin with a date and say what was done."""
    if not any(map(_DATED.match, texts[:4])):
        return False  # most lists
    dated = [text for text in texts if _DATED.match(text)]
    if len(dated) < 0.7 * len(texts):
        return False
    return sum(1 for text in dated if _DONE.search(text[:120])) >= 0.5 * len(dated)


def is_change_log(texts: Sequence[str]) -> bool:
    """Return whether items are surely a log of changes: most are a date and then what was done to the list."""
    if len(texts) < 2 or not any(map(_CHANGE.match, texts[:3])):
        return False
    return sum(1 for text in texts if _CHANGE.match(text)) >= 0.5 * len(texts)


def is_contents_list(links: Sequence[Link]) -> bool:
    """Return whether a list with these links is a table of contents: most lead to anchors or pages of the list."""
    destinations = [link.url for link in links if not link.image]
    anchors = sum(1 for url in destinations if url[:1] == "#" or ".md#" in url)
    if anchors > 0 and anchors >= 0.7 * len(destinations):
        return True
    return len(destinations) > 2 and sum(map(is_internal_url, destinations)) >= 0.8 * len(destinations)


def is_internal_url(url: str) -> bool:
    """Return whether a URL leads to a page of the list itself, and not to a host without a scheme."""
    if url.startswith(("https://", "http://")):
        return False  # most URLs, known without a pattern
    return bool(_INTERNAL.match(url)) and not _HOST.match(url)


def links_internally(title_line: TitleLine) -> bool:
    """Return whether a title leads to a page of the list itself, where the thing is listed."""
    link = title_line.title_link
    return link is not None and not title_line.labels and is_internal_url(link.link.url)


def is_name_with_links(title_line: TitleLine) -> bool:
    """Return whether a line is a name and then links: `Name - [Part 1](u) & [Part 2](v)`."""
    text, links = title_line.plain.text, title_line.plain.links
    if not links or len(links) > 40 or read_labelled_field(text):
        return False
    first, last = links[0].start, links[-1].end
    name = text[:first]
    described = text.startswith((" - ", " – ", " — "), last)
    other_words = text[first : last if described else None]
    for link in reversed(links):
        if text[link.start : link.end].casefold() in ("here", "this", "link", "this link", "website"):
            return False
        other_words = other_words[: link.start - first] + other_words[link.end - first :]
    if not name.strip() or len(other_words.split()) > 3 or len(name.split()) > 20:
        return False
    return not f" {name.casefold()}".rstrip().endswith(_MID_SENTENCE)


def is_venue_index(title_line: TitleLine, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a venue and its years: `[ICML](u) [2025](v), [2024](w)`."""
    years = sum(
        1 for link in title_line.plain.links if _YEAR.fullmatch(title_line.plain.text, link.start, link.end)
    )
    return years > 1 and vocabulary.venue(title_line.title_text) is not None


def names_venues_only(title_line: TitleLine, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a subject and its venues: `Data Mining (KDD, WSDM)`."""
    match = _WITH_NAMES.fullmatch(title_line.plain.text) if not title_line.plain.links else None
    if match is None:
        return False
    names = [name for part in match[1].split(",") if (name := part.strip())]
    known = sum(1 for name in names if vocabulary.venue(name) is not None)
    return known > 1 and known * 2 >= len(names)


def is_prose(title_line: TitleLine) -> bool:
    """Return whether a line is a sentence about what it links: `[BLEU](u) was proposed to ...`."""
    link = title_line.title_link
    if link is None or title_line.shape != "linked" or len(title_line.title_text.split()) > 3:
        return False
    return _VERB.match(title_line.unread, link.end) is not None


def is_sentence(title_line: TitleLine) -> bool:
    """Return whether a linked title begins a sentence: `[MArk](u) is a system that ...`."""
    link = title_line.title_link
    if link is None or title_line.shape != "linked" or title_line.labels or title_line.mentions:
        return False
    after = title_line.unread[link.end :]
    return bool(_PROSE.match(after.replace(CONSUMED, " ")[:200])) and after[:1] in (" ", "")
