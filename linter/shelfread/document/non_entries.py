"""Recognises what is not an entry: sections about the list itself, tables of contents, internal links, prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED, has_words
from shelfread.document.entry.sub_lines import read_labelled_field
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity import names_address
from shelfread.document.model import NonEntry
from shelfread.document.plain_text import PlainText, plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import is_citation
from shelfread.document.years import MONTH
from shelfread.markdown.node import Block, Link
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

CONTENTS = "a table of contents"
ABOUT_LIST = "about the list itself"
NEWS = "news, or a log of changes"
INTERNAL = "a link to another part of the list"
RESULT = "a result in a leaderboard"
PART = "a part of the entry above"
CONTACT = "an address for contact"
PROSE = "prose"
QUOTE = "a quoted note"
BARE = "words without a link"
REPEATED = "an overview of entries that are listed elsewhere"
VENUES = "an index of venues"
LEGEND = "a legend, or a summary"

# Titles of sections whose blocks are doubted. Headings may say a little more: `How to read this list`.
_PEOPLE = r"(?:our |core |project |the )?(?:team|contributors|authors|maintainers?|sponsors?(?:hip)?|backers|supporters)"
_OWN = lazy(
    rf"(?:{_PEOPLE}|previously sponsored.*|thanks(?: to.*)?|acknowledg\w*|(?:list of )?licen[cs]es?|copyright|"
    r"citations?|cite(?: us)?|citing.*|bibtex|star ?history|stargazers.*|contact(?: us| me| info\w*)?|"
    r"about (?:me|us|myself)|support (?:us|me|(?:this|the) .*)|donat\w*|translations|stay in touch|follow (?:me|us)|"
    r"licen(?:cia|ça)|lizenz|лицензия|agradec\w*|remerciements|danksagung\w*|благодарности|"
    r"(?:本?项目的?)?(?:主要)?(?:参与者|贡献者|维护者|开发者|作者|成员)(?:名单|列表)?|コントリビューター|기여자|"
    r"许可.*|致谢.*|联系.*|引用.*|赞助.*|捐赠.*|打赏.*|交流群|友情链接|라이선스|ライセンス)",
    re.IGNORECASE,
)
_ABOUT_LIST = lazy(
    r"(?:(?:c[oó]mo |comment )?contribu\w*(?: guide\w*| to .*)?|mitwirken\w*|beitragen|(?:contributing )?guidelines?|how to (?:add|cite|contribute|edit|get|help|join|participate|read|submit|suggest|update|use)(?: (?:an?|in|it|new|the|this|to|us|your)\b.*)?|about(?: this.*)?|issues|pull requests|"
    r"legend|glossary|dictionary|abbreviations|acronyms|terminology|术语.*|用語集|todos?|to-do|footnotes?|disclaimer|faqs?|(?:(?:frequently asked|key|open|research) )?questions|贡献.*|기여.*|貢献.*)",
    re.IGNORECASE,
)
_CHANGES = lazy(
    r"(?:(?:recent |latest )?(?:news|updates?|changes|announcements?)|change ?log|what['’]?s new|"
    r"(?:update|version|release|revision) (?:log|notes|history)(?: ?/ ?\w+ (?:log|notes|history))?|更新.*)",
    re.IGNORECASE,
)
_CONTENTS = lazy(r"(?:(?:table of )?contents?|toc|目录|目次)", re.IGNORECASE)
_DATED = lazy(
    r"[\W_]*(?:(?:19|20)\d\d[-./年]\d{1,2}(?:[-./月]\d{1,2})?日?|\d{1,2}[-./]\d{1,2}[-./](?:19|20)?\d\d|"
    rf"{MONTH}\.? (?:[\d &,–-]{{1,12}} )?(?:19|20)\d\d)\b[\W_]*",
    re.IGNORECASE,
)
_DONE = lazy(
    r"\A(?:we|our)\b|\b(?:add(?:ed|s)?|update[ds]?|refresh(?:ed)?|remove[ds]?|release[ds]?|creat(?:ed?|es)|upload(?:ed)?|fix(?:ed)?|"
    r"includ(?:e|ed)|publish(?:ed)?|(?:is|are|was|were|has been|have been) (?:\w+ )?\w+ed|(?-i:we|our)|this repo(?:sitory)?|"
    r"first (?:version|commit)|init(?:ial)?)\b|更新|添加|增加|发布|创建",
    re.IGNORECASE,
)
# A page of the list itself: a Markdown or HTML file, or a folder; but `example.com/a` is a host without a scheme.
_PAGE = lazy(r"[^:]*\.(?:md|mdx|rst|html)(?:#.*)?|[^:]*/[\w-]*|[\w-]+")
_HOST = lazy(r"/?/?(?:[\w-]+\.)+[a-z]{2,}/")
_SHARES = lazy(
    r"https?://(?:www\.|api\.)?(?:facebook\.com/share|(?:twitter|x)\.com/(?:intent|share)|linkedin\.com/shar|reddit\.com/submit|"
    r"t\.me/share|telegram\.me/share|whatsapp\.com/send|wa\.me/\?|news\.ycombinator\.com/submitlink)",
    re.IGNORECASE,
)
_EDGES = lazy(r"^(?:[\W_]|\d{1,2}\.){1,40}|[\W_]{1,40}$")

# What the title of a section says against entries in it, and what its blocks say for or against them. A block has
# entries if the sum is not negative.
# Sponsors, people and licences are links with descriptions, as entries are: there the title decides.
_NEVER = -9.0
_DOUBT = -2.0  # `Guidelines`, `News`: three lines in the form of entries outweigh the title
# The share of lines that begin with a link to elsewhere, or are papers; it is less for few lines.
_ENTRY = 3.0
_LOG = -4.0  # the share of lines with a date and then what was done
# The share of lines that are sentences, which link in their middle or not at all: `Add the venue (if there is
# one).`
_SENTENCES = -2.0


class Doubt(NamedTuple):
    """How much the title of a section says against entries in it (a negative number), and what it says they are."""

    weight: float
    reason: str


NO_DOUBT = Doubt(0.0, "")
_TITLES = (
    (_OWN, Doubt(_NEVER, ABOUT_LIST)),
    (_ABOUT_LIST, Doubt(_DOUBT, ABOUT_LIST)),
    (_CHANGES, Doubt(_DOUBT, NEWS)),
    (_CONTENTS, Doubt(_DOUBT, CONTENTS)),
)
_FORM = lazy(r"(?i)(?:paper|article|dataset|project)?[ _-]?(?:name|title)")
_MAX_BESIDE = 4  # words beside the links of a line that only points to other parts of the list
POINTERS = ("here", "this", "link", "this link", "website")  # texts of links in sentences, which name nothing
_DESCRIBED = lazy(r"[)\] ]{0,3}\s[-–—]\s")
_MAKERS = lazy(r"[\s,\"”]{0,3}\bby\s(?P<makers>[^()\[\]:;!?]{4,120}?)(?:\s[-–—(\[]|\.?\s{0,3}$)")
_MAKERS_BEHIND_QUOTE = lazy(r"[\"”“»]\s[-–—]\s(?P<makers>[^()\[\]:;!?]{4,80}?)\.?\s{0,3}$")
_MAKERS_IN_BRACKETS = lazy(r"\s{1,3}\((?P<makers>[^()\[\]:;!?]{4,80})\)\s{0,3}$")
_FIRST_WORDS = r"[^\W_][^\s,;:：(\[]{0,40}(?: [^\s,;:：(\[]{1,40}){0,4}"
_BEHIND_NAME = r"(?: [(\[](?:\w{2,12}: ?)?|\s?[:：]\s?|\s(?:[-–—]{1,2}|\|)\s|\n)"
_NAME_AHEAD = _FIRST_WORDS + _BEHIND_NAME
_NAME_AND_LINK = lazy(_NAME_AHEAD + r"[\[(<]?")
_BOLD_AND_LINK = lazy(rf"(?: ?[^\w\s]{{1,2}}[\d.,]{{1,9}}[kK]?)?{_BEHIND_NAME}[\[(<]?")  # `**Oak** ★3,718 ([`
_NAME_AND_ADDRESS = lazy(rf"(?:{_NAME_AHEAD}[\[(<]?|{_FIRST_WORDS} )")
_NAME_AHEAD_OF_TEXT = lazy(_NAME_AHEAD)
_LED_TO = lazy(r"[\W_]{0,3}[^\W\d_a-z].*\w\W{0,2}\s?[:：]\s{1,3}")
_NAME_AND_TEXT = lazy(
    r"(?P<name>[^\W_](?:[^\s,;:.]|[.,;:](?=\S)){0,40}(?: [^\s,;:]{1,40}){0,4}?)\s{1,3}[-–—]{1,2}\s+\S+ \S"
)
_NAME_AND_BAR = lazy(r"([^\W\d_].*\S)\s[-–—|]\s{1,3}")
_SET_APART = lazy(r"\s(?:\||[-–—]{1,2})\s|,\s")
_MID_SENTENCE = tuple(f" {word}" for word in "of the a an by to on in with from at for and see".split())

_PROSE = lazy(r"\s(?!(?:at|by|for|from|in|with)\s)[a-z]+(?: [\w'’-]+){3,}")


def non_entry(block: Block, reason: str) -> NonEntry:
    """Return a block that has no entry, and why."""
    return NonEntry(Span(block.start, block.end), block.first + 1, block.last, reason)


def doubt_of(title: str) -> Doubt:
    """Return what a section's title, or a paragraph above a list, says against entries: `Licence`, `Maintainers:`."""
    words = _EDGES.sub("", title) if len(title) < 80 else ""
    return (
        next((doubt for pattern, doubt in _TITLES if pattern.fullmatch(words)), NO_DOUBT)
        if words
        else NO_DOUBT
    )


def result_rows(items: Iterable[NonEntry]) -> int:
    """Return how many rows of leaderboards there are among what is no entry."""
    return sum(item.rows for item in items if item.reason == RESULT)


def is_about_list(title: str) -> bool:
    """Return whether a section is about the list itself: its licence, its contributors, its changes."""
    return doubt_of(title).reason in (ABOUT_LIST, NEWS)


def names_day(title: str) -> bool:
    """Return whether a title begins with a day, some days or a month of a year."""
    return _DATED.match(title) is not None


def why_no_entries(lines: Sequence[PlainText], papers: int, doubt: Doubt) -> str | None:
    """Return why a block has no entries, or None if it may have some.

    `lines` are its items, or the paragraphs or rows, `papers` is how many of them surely are papers.
    """
    if doubt is NO_DOUBT and not any(_DATED.match(line.text) or is_text(line) for line in lines[:4]):
        return None  # most blocks
    count = max(len(lines), 1)
    logged = sum(map(_is_logged, lines))
    entries = max(papers - logged, sum(map(begins_with_link, lines)))
    sentences = sum(map(is_text, lines))
    score = doubt.weight + _ENTRY * entries / (count + 1) + (_LOG * logged + _SENTENCES * sentences) / count
    if score >= 0 or (doubt is NO_DOUBT and max(logged, sentences) < 0.5 * count):
        return None
    return NEWS if logged > 0.5 * count else doubt.reason or PROSE


def begins_with_link(line: PlainText) -> bool:
    """Return whether a line begins with a link that leads out of the list, perhaps behind a date."""
    text = line.text
    if not line.links or is_internal_url(line.links[0].link.url):
        return False
    first = line.links[0]
    dated = _DATED.match(text)
    lead = text[dated.end() if dated else 0 : first.start]
    return sum(map(str.isalpha, lead)) < 2


def is_named_first(line: PlainText) -> bool:
    """Return whether a line begins with a link to elsewhere, whatever follows: `[Shelf](u) is a tool for dust.`"""
    first = line.links[0] if line.links else None
    if first is None or first.end == first.start or not leads_elsewhere(first.link):
        return False
    return not line.text[: first.start].strip() and line.text[: first.end].casefold() not in POINTERS


def _is_logged(line: PlainText) -> bool:
    """Return whether a line is a date and then what was done, and not a link."""
    dated = _DATED.match(line.text)
    return bool(dated and _DONE.search(line.text[dated.end() : 120])) and not begins_with_link(line)


def is_text(line: PlainText) -> bool:
    """Return whether a line is words of which few begin with a capital, up to a full stop or around a link."""
    text = line.text.strip()
    if not text.endswith((".", "!", "。")) or (line.links and not _links_inside(line)):
        return False
    if _NAME_AND_TEXT.match(text):
        return False
    words = [word for word in text[:400].split() if len(word) > 3 and word[0].isalpha()]
    return len(words) > 3 and sum(word[0].isupper() for word in words) < 0.4 * len(words)


def _links_inside(line: PlainText) -> bool:
    """Return whether the first link of a line stands in the middle of a sentence."""
    before = line.text[: line.links[0].start].rstrip()
    return f" {before.casefold()}".endswith(_MID_SENTENCE)


def is_contents_list(links: Sequence[Link], titles: Callable[[], Collection[str]] = frozenset) -> bool:
    """Return whether a list with these links is a table of contents: most lead to anchors or pages of the list.

    `titles` are those of the list's headings, folded, by which its addresses on GitHub are known.
    """
    links = [link for link in links if not link.image]
    anchors = sum(1 for link in links if _leads_to_heading(link.url))
    if anchors:
        anchors += sum(1 for link in links if not link.url)  # of headings that are to come
    pages = sum(1 for link in links if "#" not in link.url and is_internal_url(link.url))
    named = 0
    if (
        anchors + pages < 0.7 * len(links)
        and sum(1 for link in links if "#" in link.url) >= 0.7 * len(links) > 1
    ):
        known = titles()
        named = sum(1 for link in links if "#" in link.url and fold(plain_text(link.children)) in known)
    if anchors + pages + named < 0.7 * len(links) or not (anchors + named or len(links) > 2):
        return False
    return len({plain_text(link.children) for link in links}) > 0.5 * len(
        links
    )  # not `[details](x.md)` in each


def _leads_to_heading(url: str) -> bool:
    return (url[:1] == "#" and is_internal_url(url)) or ".md#" in url or ".md)#" in url


def shares_list(url: str) -> bool:
    """Return whether a URL is that of a button that shares a page."""
    return _SHARES.match(url) is not None


def is_internal_url(url: str) -> bool:
    """Return whether a URL leads to a page of the list itself, and not to a host without a scheme."""
    if url.startswith(("https://", "http://", "#https://", "#http://")):
        return False  # most URLs, known without a pattern
    return url.startswith(("#", "./#")) or (bool(_PAGE.fullmatch(url)) and not _HOST.match(url))


def leads_elsewhere(link: Link) -> bool:
    """Return whether a link is one of text that leads out of the list."""
    if link.image or not link.url or is_internal_url(link.url):
        return False
    return link.form in ("bare", "autolink") or bool(plain_text(link.children))


def links_internally(title_line: TitleLine) -> bool:
    """Return whether a title leads to a page of the list itself, where the thing is listed.

    With its venue and year beside it, or its citation in the link, it leads to notes on the paper, or nowhere yet.
    """
    link = title_line.title_link
    if link is None or title_line.labels or not is_internal_url(link.link.url):
        return False
    if links_citation(title_line) and link.link.url[:1] != "#":
        return False
    url = link.link.url
    is_cited = any(
        (mention.venue is not None or url == "#") and mention.year for mention in title_line.mentions
    )
    return (url.startswith("#") and url != "#") or not is_cited


def links_citation(title_line: TitleLine) -> bool:
    """Return whether a whole citation is a link: `[Ada Stone. "Tidy Shelves." *Annals of Shelves* 7 (2020): 13-41.](u)`."""
    link, title, people = title_line.title_link, title_line.title, title_line.leading_authors
    if link is None or title is None:
        return False
    is_dated = any(mention.year and title.end <= mention.start < link.end for mention in title_line.mentions)
    return is_dated or (people is not None and link.start <= people.start < people.end <= title.start)


def why_no_title(title_line: TitleLine, titles: Callable[[], Collection[str]]) -> str | None:
    """Return why a line names nothing of its own: it only points to headings of the list, some of its `titles`, or is a form.

    `See also: [Shelves](#shelves)`, `See the page [Shelves](topics/shelves.md)`, `[]() (et al., Journal 2023)`,
    `Paper name: [Code]()`
    """
    text, links = title_line.plain.text, [link for link in title_line.plain.links if not link.link.image]
    if links and not any(link.link.url for link in links) and _FORM.fullmatch(title_line.title_text):
        return BARE
    if not links or title_line.labels or title_line.shape == "linked" or title_line.mentions:
        return None
    if links[0].start == links[0].end and not links[0].link.url and not text[: links[0].start].strip():
        return BARE
    shown = [text[link.start : link.end] for link in links]
    if len(text.split()) - len(" ".join(shown).split()) > _MAX_BESIDE:
        return None
    pointers = zip((link.link.url for link in links), shown, strict=True)
    leads_inside = all(
        is_internal_url(url) and (url[:1] == "#" or fold(word) in titles()) for url, word in pointers
    )
    return INTERNAL if leads_inside else None


def is_name_with_links(title_line: TitleLine) -> bool:
    """Return whether a line is a name and then links: `Name - [Part 1](u) & [Part 2](v)`."""
    text, links = title_line.plain.text, title_line.plain.links
    if not links or len(links) > 40 or read_labelled_field(text):
        return False
    first, last = links[0].start, links[-1].end
    name = text[:first]
    described = _DESCRIBED.match(text, last)
    other_words = text[first : last if described else None]
    for link in reversed(links):
        if text[link.start : link.end].casefold() in POINTERS:
            return False
        other_words = other_words[: link.start - first] + other_words[link.end - first :]
    others = sum(1 for word in other_words.split() if word not in ("|", ")"))
    if not name.strip() or others > 3 or len(name.split()) > 20 or "，" in name:
        return False
    return not f" {name.casefold()}".rstrip().endswith(_MID_SENTENCE)


def is_name_before_link(title_line: TitleLine) -> bool:
    """Return whether a line is a name, a separator and a shorter text that is its only link: `Tidy Shelves | [Stanford](u)`."""
    text, links = title_line.plain.text, title_line.plain.links
    if len(links) != 1 or not leads_elsewhere(links[0].link) or has_words(text[links[0].end :]):
        return False
    name = _NAME_AND_BAR.fullmatch(text, 0, links[0].start)
    shown = text[links[0].start : links[0].end].split()
    return name is not None and len(name[1].split()) > len(shown) and is_name_with_links(title_line)


def names_link(plain: PlainText) -> bool:
    """Return whether a line is a name with its links right behind it, or with a text and the address at the end.

    `Name (web: [name.org](u)) - Does it.`, `Name: Does it. https://name.org`
    """
    if not plain.links or _DATED.match(plain.text):
        return False
    first, last = plain.links[0], plain.links[-1]
    bold = plain.strong[0] if plain.strong and plain.strong[0].start == 0 else None
    if bold is not None and _BOLD_AND_LINK.fullmatch(plain.text, bold.end, first.start) is not None:
        return leads_elsewhere(first.link)
    is_address = first.link.form in ("bare", "autolink") and not _links_inside(plain)
    if (_NAME_AND_ADDRESS if is_address else _NAME_AND_LINK).fullmatch(
        plain.text, 0, first.start
    ) is not None:
        return leads_elsewhere(first.link)
    is_written_out = last.link.form in ("bare", "autolink")
    if not is_written_out or plain.text[last.end :].strip(" .)]>") or not leads_elsewhere(last.link):
        return False
    named = _NAME_AHEAD_OF_TEXT.match(plain.text, 0, last.start) or _LED_TO.fullmatch(
        plain.text, 0, last.start
    )
    return named is not None and not _links_inside(plain)


def is_bold_name(line: TitleLine, only_address: bool = False) -> bool:
    """Return whether a line is a name in bold that links to one thing, perhaps only to an address: `**12. Shelf:** [stone/shelf](u)`."""
    links = line.plain.links
    if line.shape != "strong" or line.title is None or not links or not leads_elsewhere(links[0].link):
        return False
    if only_address and (len(links) > 1 or links[0].link.form not in ("bare", "autolink")):
        return False
    return not has_words(line.plain.text[line.title.end : links[0].start])


def is_bold_with_repository(line: TitleLine) -> bool:
    """Return whether a line is a name in bold, a text and what the address of its only link says: `**Oak**, shelves in [stone/oak](u)`."""
    links, text = line.plain.links, line.plain.text
    if line.shape != "strong" or len(links) != 1 or not leads_elsewhere(links[0].link):
        return False
    words = text[links[0].start : links[0].end]
    is_last = not has_words(text[links[0].end :])
    has_text = line.title is not None and has_words(text[line.title.end : links[0].start])
    return is_last and has_text and "/" in words and names_address(words, links[0].link.url)


def is_bold_set_apart(line: TitleLine) -> bool:
    """Return whether a line is a name in bold, a separator and a text with a link: `**Oak** | part of [Elm](u)`."""
    return (
        line.shape == "strong"
        and line.title is not None
        and _SET_APART.match(line.plain.text, line.title.end) is not None
        and any(leads_elsewhere(link.link) for link in line.plain.links)
    )


def is_bold_label(plain: PlainText) -> bool:
    """Return whether a line is words in bold, a colon and a text: `**Shelf:** Keeps books.`"""
    start, end = plain.strong[0] if plain.strong else (0, 0)
    is_first = end > start and not plain.text[:start].strip()
    return (
        is_first
        and (plain.text[end - 1] in ":：" or plain.text[end : end + 1] in (":", "："))
        and has_words(plain.text[end:])
    )


def links_label(plain: PlainText) -> bool:
    """Return whether the words in bold that a line begins with link to what they name, or stand before its address."""
    first = next((link for link in plain.links if leads_elsewhere(link.link)), None)
    end = plain.strong[0].end
    is_address = first is not None and first.link.form in ("bare", "autolink")
    return first is not None and (
        first.start < end or (is_address and not has_words(plain.text[end : first.start]))
    )


def is_name_with_text(title_line: TitleLine) -> bool:
    """Return whether a line without a link is a name, a dash and a text: `**Name** - Does it.`"""
    text, title = title_line.plain.text, title_line.title
    if title is None or title_line.plain.links or title_line.shape not in ("strong", "plain"):
        return False
    match = _NAME_AND_TEXT.match(text)
    return match is not None and (title_line.shape == "plain" or title.end == match.end("name"))


def is_credited(title_line: TitleLine) -> bool:
    """Return whether a line without a link is a name and who made it: `*Tidy Shelves* by Ada Stone`, `"Oak" - Ada Stone`."""
    title = title_line.title
    if title is None or title_line.plain.links or not title_line.title_text[:1].isalnum():
        return False
    text = title_line.plain.text
    if title_line.shape == "plain":
        match = _MAKERS.search(text, title.start)
    else:
        patterns = (_MAKERS, _MAKERS_IN_BRACKETS, _MAKERS_BEHIND_QUOTE)
        match = next(filter(None, (pattern.match(text, title.end) for pattern in patterns)), None)
    return match is not None and are_authors(match["makers"])


def is_venue_index(title_line: TitleLine, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a venue and its years: `[ICML](u) [2025](v), [2024](w)`."""
    return len(title_line.plain.links) > 2 and is_citation(title_line.plain.text, vocabulary)


def is_sentence(title_line: TitleLine) -> bool:
    """Return whether a linked title begins a sentence: `[MArk](u) is a system that ...`."""
    link = title_line.title_link
    if link is None or title_line.shape != "linked" or title_line.labels or title_line.mentions:
        return False
    return _PROSE.match(title_line.unread[link.end :].replace(CONSUMED, " ")[:200]) is not None
