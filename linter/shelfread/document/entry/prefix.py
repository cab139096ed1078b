"""What a title line has before its title: decoration, `[EuroSys'25]`, `[2023/02]`, `(Gavel)`, and short names."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED, DECORATION, OPENING
from shelfread.document.plain_text import TextRange
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.organisations import is_organisation_alone
from shelfread.document.recognizers.people import are_surely_people, is_list_of_people
from shelfread.document.recognizers.unlisted_venues import Place, find_unlisted, find_venues, states_citation
from shelfread.document.recognizers.venues import Mention, blank_mentions, find_mentions, is_citation
from shelfread.document.years import DATE, DATE_AT_END, YearMention, find_year
from shelfread.taxonomy.vocabulary import Vocabulary

MAX_NAME_WORDS = 3  # the maximum number of words of a name before a colon
_COLON = lazy(r":\s|：|(?<=[\w)]):(?=[A-Z][a-z]+[ -])")
# EasyScale -- Elastic ...: only before a dash that no other reading of the line explains, one word that is a name.
_DASH = lazy(r"(?P<name>\w{1,60})\s{1,9}(?:--|[-–—])\s{1,9}(?=\w+ [\w-]+ \w)")
# TokenSkip- Controllable ...: from the name of a file, which has no colon.
_HYPHEN = lazy(r"(?P<name>\w[\w-]{0,40}\w)-\s{1,9}(?=[A-Z])")
_DATED = lazy(r"\s(?:19|20)\d\d$")
_NAME = lazy(r"[a-z0-9][A-Z]|[A-Z]{2}|\w\d")
_INNER_CAPITAL = lazy(r"\w[A-Z]|\d")
_PEOPLE = lazy(
    r"(?P<people>[^\d()]{3,70}?),?\s\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?$"
)  # `(Stone et al., 1999)`
_ONE_PERSON = lazy(r"[B-Z]\.? [A-Z][a-z]+")  # `(Z Cao 2017)`
_MAX_BRACKETS = 80
_AFTER_DATE = lazy(r"(?<=[-./]\d\d), |\.\s?(?=[A-Z])|[ :–|-]*")
_SHORT_CITATION = lazy(
    r"(?:[A-Z][A-Za-z&+]{1,12}(?:['’]|-)\d\d(?:[- ](?:oral|spotlight|poster|workshop|findings|best paper))?"
    r"|(?:19|20)?\d\d-[A-Z][A-Za-z&+]{1,12})(?=\s+[\[\w(]\S* \S+ \S)",
    re.IGNORECASE,
)
_AFTER_CITATION = lazy(r"\s+--?\s+|(?<!\b[A-Z])\.\s+|\s*[:,|–—]\s+|：\s*|[-_](?=\d?[^\W\d_])")
# How a paper was presented, behind its citation: `CoRL 2022, Oral. Tidy Shelves`; and honoured: `2024 best paper, Tidy Shelves`.
_HONOUR = r"(?i:best (?:[a-z]+ ){0,2}paper(?: award)?(?:,? (?:runner[- ]up|finalist))?)[.,:]\s+"
_HONOURED = lazy(_HONOUR)
_PRESENTED = lazy(rf"(?i:oral|spotlight|highlight|poster)[.,:]\s+|{_HONOUR}")
_NEXT_WORDS = lazy(r"\W{0,4}(?!(?:19|20)\d\d\b)[^\W_]\S*\s+\S+\s+\S")
_MAX_CITATION = 40
_WORDS = lazy(r"\w+")
_OVERVIEW = lazy(
    r"\s*(?:an?|the) (?:[\w-]{2,20} ){0,3}(?:survey|review|overview|tutorial|primer|textbook)\b",
    re.IGNORECASE,
)
# A title whose address is lost or broken: `[Tidy Shelves for Readers] by Ada Stone`, `[Tidy Shelves]([https://a.org](v)`.
BRACKETED_TITLE = lazy(
    r"\[(?P<title>[^\W_](?:[^\[\]\n\0]{8,300}(?=\]\s{1,3}by\s[A-Z])|[^\[\]\n\0]{2,300}(?=\]\(\0))|(?:[^\s\[\]\0]{1,40} ){3,40}[^\s\[\]\0]{1,40}(?=\](?: \[|\.?\s*$)))\]"
)
_TITLE_LABEL = lazy(r"(?i)(?:(?:paper )?title|(?:论文)?(?:标题|题目|名称))\s?[:：]\s{0,9}(?=\S)")


# The number of an entry where Markdown has none, as in a cell: `7) Tidy Shelves`.
_NUMBER = lazy(
    r"\s*(?!(?:19|20)\d\d)\d{1,4}(?:[.)](?:\s+(?=\D)|(?=[^\W\d_a-z]|[\[“\"]))|(?<=0\d)\.(?=\d[A-Z])|[、．）]\s{0,9}(?=\D))"
)


def short_name_end(title: str) -> int | None:
    """Return the offset where the short name that a title begins with ends, or None if it states none."""
    match = _DASH.match(title) or _HYPHEN.match(title)
    if match is not None and _NAME.search(match["name"]):
        return match.end("name")
    match = _COLON.search(title) if ":" in title or "：" in title else None
    if match is None or not title[match.end() :].strip() or title[match.start() - 1] in '"”':
        return None  # `"Who Reads?": Sorting Shelves`
    words = title[: match.start()]
    if _OVERVIEW.match(title, match.end()) and not names_something_only(words):
        return None  # `Tidy Shelves: A Survey`
    is_name = 0 < len(words.split()) <= MAX_NAME_WORDS and _DATED.search(words) is None
    is_name = is_name and (words.isupper() or not names_nothing(words.removeprefix("A ")))
    return match.start() if is_name else None


def names_something(name: str) -> bool:
    """Return whether words before a colon have the form of a name: one word, or with a capital inside."""
    return " " not in name or bool(_INNER_CAPITAL.search(name))


def names_something_only(name: str) -> bool:
    """Return whether words have the form of a name whatever stands around them: `GlueX`, `BERT`, `T5`."""
    return _NAME.search(name) is not None


_GROUPS = lazy(r"[(\[（【][^()\[\]（）【】]{0,200}[)\]）】]")


class TitlePrefix(NamedTuple):
    """The offset at which the title begins, and the name, venues, year, organisation and authors before it."""

    title_start: int
    name: TextRange | None
    mentions: list[Mention]
    year: YearMention | None
    organisation: TextRange | None
    authors: TextRange | None = None


def names_nothing(words: str) -> bool:
    """Return whether words in the place of a name only tell the kind of a thing."""
    parts = _WORDS.findall(words.casefold())
    are_numbered = any(map(str.isdigit, parts))
    nothing = WORDS["not_name"] | WORDS["month"] | WORDS["part"] if are_numbered else WORDS["not_name"]
    is_footnote = words.lstrip("[").startswith("^")
    return not parts or is_footnote or all(word in nothing or word.isdigit() for word in parts)


def read_prefix(unread: str, vocabulary: Vocabulary) -> TitlePrefix:
    """Read everything before the title of a line."""
    offset = _skip_decoration(unread, 0)
    number = _NUMBER.match(unread, offset)
    offset = _skip_decoration(unread, number.end()) if number else offset
    offset = label.end() if (label := _TITLE_LABEL.match(unread, offset)) else offset
    name: TextRange | None = None
    organisation: TextRange | None = None
    authors: TextRange | None = None
    mentions: list[Mention] = []
    year: YearMention | None = None
    last_word: int | None = None
    while offset < len(unread) and not BRACKETED_TITLE.match(unread, offset):
        if unread[offset] in OPENING:
            close = unread.find(OPENING[unread[offset]], offset, offset + _MAX_BRACKETS + 2)
            if close < 0 or not unread[close + 1 :].strip(" .:-\0"):
                break
            if " " in unread[offset:close]:
                last_word = _last_word(unread) if last_word is None else last_word
                if last_word < close and not BRACKETED_TITLE.match(unread, close + 2):
                    break  # `[Sorting Tidy Shelves] [[Paper]](u)(ICLR 2017)`: no title follows
            content = unread[offset + 1 : close]
            if name is None and (comma := _end_of_citation(content, vocabulary)):
                name = TextRange(offset + 1 + comma + 2, close)  # `[KDD 2019, ShelfNet]`
                content = content[:comma]
            words = content.split()
            if unread[offset] == "(" and unread[close + 1].isalpha() and not content.isupper():
                break  # `(Un)tidy Shelves`
            people = _PEOPLE.match(content)
            are_cited = people is not None and (
                is_list_of_people(people["people"]) or _ONE_PERSON.fullmatch(people["people"])
            )
            if people is not None and are_cited and not find_mentions(content, vocabulary):
                authors = TextRange(offset + 1, offset + 1 + people.end("people"))
                year = YearMention(int(people["year"]), offset + 1 + people.start("year"), close)
            elif cited := _read_citation(content, vocabulary, dated=year is not None):
                mentions += [mention.shift(offset + 1) for mention in cited]
                if " al" in (by := content[: cited[0].start].rstrip(" ,")) and are_surely_people(by):
                    authors = TextRange(offset + 1, offset + 1 + len(by))  # `[Stone et al. TMM20]`
            elif (DATE.match(content.strip()) or DATE_AT_END.search(content)) and (
                stated := find_year(content)
            ):
                year = stated.shift(offset + 1)  # [2021/02], [Stone and Field, 2021]
            elif content.strip().isdigit():
                pass  # the number of a reference
            elif authors is None and are_surely_people(content):
                authors = TextRange(offset + 1, close)  # `[Stone et al.] Tidy Shelves`
            elif organisation is None and is_organisation_alone(content):
                organisation = TextRange(offset + 1, close)
            elif unread[offset] == "(" and vocabulary.role(content) is not None:
                pass  # `(Slides) [Sorting Books](u)`
            elif (
                name is None
                and len(words) <= 4
                and (content.isascii() or content.strip()[:1].isalnum())  # `[💬 Metrics]` is a subject
                and not names_nothing(content)
                and ":" not in content
            ):
                name = TextRange(offset + 1, close)
            elif len(words) <= 1 and not names_nothing(content):
                break
            offset = _skip_decoration(unread, close + 1)
        elif leading := read_leading_citation(unread, offset, vocabulary):
            cited, offset = leading
            mentions += cited
            offset = _skip_decoration(unread, offset)
        elif match := DATE.match(unread, offset):
            separator = _AFTER_DATE.match(unread, match.end())
            after = separator.end() if separator else match.end()
            stated = find_year(match.group())
            if stated is None or after >= len(unread):
                break
            presented = _HONOURED.match(unread, after)
            is_set_apart = presented is not None or unread[after] in "[(|【"
            if unread[match.end() - 1 : after].strip(" ").isdigit() and not is_set_apart:
                break
            year = stated.shift(offset)
            offset = _skip_decoration(unread, presented.end() if presented else after)
        else:
            break
    return TitlePrefix(offset, name, mentions, year, organisation, authors)


def _end_of_citation(content: str, vocabulary: Vocabulary) -> int:
    """Return where a citation ends in brackets that go on with the names of what the paper proposes, 0 if none do."""
    head, comma, tail = content.partition(", ")
    names = tail.split(", ")
    if not comma or not all(
        names_something_only(name) and len(name.split()) <= MAX_NAME_WORDS and not is_organisation_alone(name)
        for name in names
    ):
        return 0
    if find_mentions(tail, vocabulary) or find_year(tail):
        return 0
    return len(head) if DATE.fullmatch(head) or states_citation(head, vocabulary, "citation") else 0


def _last_word(unread: str) -> int:
    """Return the offset of the last letter or digit that is not in brackets, -1 if there is none."""
    outside = _GROUPS.sub(lambda group: " " * len(group[0]), unread)
    return next((offset for offset in reversed(range(len(outside))) if outside[offset].isalnum()), -1)


def _read_citation(content: str, vocabulary: Vocabulary, dated: bool) -> list[Mention]:
    """Return the venues in brackets before a title: `EuroSys'25`, `NAIC @ SIGCOMM'25`, `IVMEM'24`. `dated` behind a year."""
    mentions = find_venues(content, vocabulary)
    if len(content.strip()) <= 3 and not dated and not any(mention.year for mention in mentions):
        return []  # `[CF]` may be a subject
    if not mentions or is_citation(content, vocabulary) or mentions[0].venue is None:
        return mentions
    words = _WORDS.findall(blank_mentions(content, mentions))
    return mentions if len(words) <= 4 and any(mention.year for mention in mentions) else []


def read_leading_citation(
    unread: str, offset: int, vocabulary: Vocabulary
) -> tuple[list[Mention], int] | None:
    """Return the venues of a citation before a title, and the offset after it.

    A separator follows it (`NeurIPS 2020 submission: FedMGDA+`, `20-OSDI-Tidy Shelves`) or it has a short year
    (`NeurIPS'22 Tidy Shelves`).
    """
    if match := _SHORT_CITATION.match(unread, offset):
        mentions = find_mentions(match[0], vocabulary)
        if len(mentions) == 1 and mentions[0].year is not None and mentions[0].start == 0:
            return [mentions[0]._replace(end=len(match[0])).shift(offset)], match.end()
    if not any(map(str.isdigit, unread[offset : offset + _MAX_CITATION])):
        return None
    for match in _AFTER_CITATION.finditer(unread, offset, offset + _MAX_CITATION):
        text = unread[offset : match.start()]
        if any(map(str.isdigit, text)) and _NEXT_WORDS.match(unread, match.end()):
            mentions = find_mentions(text, vocabulary)
            is_before_quotes = unread[match.end()] in '"“'
            place: Place = "line" if is_before_quotes else "short"  # `2018 Annals of Shelves. "Tidy Shelves"`
            unlisted = find_unlisted(text, place) if not mentions and text[0].isdigit() else None
            mentions = [unlisted] if unlisted else mentions
            words = blank_mentions(text, mentions)
            is_inside = (
                match[0] in "-_"
                and not any(  # `KDD (2022) MM-Shelf: Tidy Books`
                    mention.year and not text[mention.end :].strip(" )]") for mention in mentions
                )
            )
            is_cited = not is_inside and any(mention.year for mention in mentions)
            if is_cited and is_citation(words, vocabulary):
                presented = _PRESENTED.match(unread, match.end())
                return [mention.shift(offset) for mention in mentions], (presented or match).end()
    return None


def _skip_decoration(unread: str, offset: int) -> int:
    while offset < len(unread):
        match = DECORATION.match(unread, offset)
        after = match.end() if match else offset
        while after < len(unread) and unread[after] == CONSUMED:
            after += 1
        if after == offset:
            break
        offset = after
    return offset
