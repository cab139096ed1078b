"""Finds the title in a title line."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeVar

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED
from shelfread.document.entry.prefix import (
    BRACKETED_TITLE,
    MAX_NAME_WORDS,
    names_nothing,
    read_leading_citation,
)
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.title_ends import (
    LINE_END,
    TitleEnd,
    in_title_case,
    marked_title_end,
    unmarked_title_end,
)
from shelfread.document.identity import is_paper_url, names_address
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.leading_people import find_leading_people
from shelfread.document.recognizers.people import (
    ONE_INVERTED,
    are_authors,
    are_named,
    are_surely_people,
    is_list_of_people,
)
from shelfread.document.recognizers.unlisted_venues import VENUE_WORD, find_unlisted, states_citation
from shelfread.document.recognizers.venues import CITATION_WORDS, find_mentions, is_citation
from shelfread.document.years import DATE, find_year
from shelfread.taxonomy.vocabulary import Vocabulary

QUOTES = {'"': '"', "“": "”", "「": "」", "《": "》", "„": "“", "«": "»"}
_SEPARATOR = lazy(r"[\s\0]*(?::|：|-+|–|—|－|\||｜|/|,|~|→)?[\s\0]*")
NAME_COLON = lazy(r"[*_]*\s*[:：]\s*(?=[^\s\0])")
_ATTRIBUTION = lazy(r"(?P<authors>[^()\d]{2,200}?),?\s*\(?(?:19|20)\d\d[a-z]?\)?\.?")
MAKERS_AT_END = lazy(
    r"(?:\s(?:by|[-–—])|:(?=[^:]{2,60}\bet al\.?\Z))\s(?P<people>[^\W\d_][^\0\n:()\[\]]{2,80}?)(?:,\s\d(?:st|nd|rd|th)\sed(?:ition|\.))?\Z"
)
_LEAD_STOP = lazy(r"(?<!\s)\s+--?\s+|(?:(?<!\s)\s+)?[,|–—]\s+")

_DESCRIBED = lazy(r"[*_]{0,3}(?::|\s[-–—])\s+\w")
# `"Who Reads?" Sorting Shelves by Their Readers.`
_FURTHER_WORDS = lazy(r" [A-Z][\w'’-]*(?: (?=[\w'’-]{0,40}[^\W\d_])[\w'’-]+){2,20}(?=\.?\s{0,3}(?:[\0\n]|$))")
_FURTHER_BEHIND_QUESTION = lazy(
    r" [A-Z][\w'’-]*(?: [\w'’-]+){2,20}(?=\.?\s{0,3}(?:[\0\n]|$)|\. [A-Z]|\s?[(\[])"
)
_IN_TITLE = lazy(r":\s\w|\s[a-z]")  # behind a year: `Shelves in 2030: a vision`, `The KDD Cup 2012 revisited`
_BEHIND_QUOTES = lazy(r"[\"”»》」]\s?(?:[—–-]{1,2}|:)\s?\w")  # where a title goes on
_NAMED_AND_CITED = lazy(
    r"(?P<name>[^()\n\0:：]{2,80}?)\s?\((?P<cited>(?P<people>[^()\d]{2,60}?),?\s(?:19|20)\d\d[a-z]?|(?:19|20)\d\d\s(?P<people2>[^()\d]{2,60})|(?:19|20)\d\d)\)\s{0,2}[:：–-]\s{0,2}"
)
_DESCRIBES = lazy(
    r"[\"”»》」](?:,? (?:is|an?|the) |, (?!and|at|by|from|in|on|with)[a-z]+ [a-z])"
)  # `**Oak** "Shelves for all", a library of shelves.`
_MAKER = lazy(r"(?!(?:Here|How|It|Let|That|There|What|Who)\b)[^\W\d_a-z][\w-]*(?: [\w.-]+){0,3}['’]s?")
LED_ON = lazy(r"(?:and|as|for|from|in|of|on|through|to|under|using|via|with|without) ")
_HYPHENATED = lazy(r"\w-\w")
_LEADS_ON = lazy(r"\b(?:a|an|and|at|by|for|from|in|of|on|or|see|the|to|with)$")
_LINE_BEHIND = lazy(r"\s{0,3}(?:\((?:19|20)\d\d\)\s{0,3})?\n")  # `[**Tidy Shelves** (2019)<br>Ada Stone](u)`
_PART_END = lazy(r"[\0\n(\[|]|\s[-–—]\s")
_MAX_BEHIND = 300  # characters behind a title in which people or a venue stand
_MIN_TITLE, _MAX_EVENT = 3, 8

_Range = TypeVar("_Range", TextRange, TextLink)


class Title(NamedTuple):
    """A title's shape, range, stated name and link, and the authors before it in a bibliography."""

    shape: str
    range: TextRange | None
    name: TextRange | None = None
    link: TextLink | None = None
    authors: TextRange | None = None
    proved: bool = True  # whether more than its position shows where the title ends


def extended_end(
    unread: str, title: TextRange | None, link: TextLink | None, plain: PlainText, vocabulary: Vocabulary
) -> TitleEnd | None:
    """Return the end of a title that begins with a linked name: `[Orca](u): A Serving System`, else None."""
    if title is None or link is None or len(unread[title.start : title.end].split()) > MAX_NAME_WORDS:
        return None
    end = link.end - unread.endswith((":", "："), 0, link.end)  # `[Orca:](u) A Serving System`
    match = NAME_COLON.match(unread, end)
    if match and unread[match.end() :].casefold().startswith(
        unread[title.start : title.end].casefold() + " "
    ):
        return None  # `[Oak](u): Oak is a library of shelves`
    found = unmarked_title_end(unread, match.end(), plain, vocabulary) if match else None
    behind = unread[found.offset :].partition(CONSUMED)[0].lstrip(" .") if found is not None else ""
    # `[Oak](u) : Recently, shelves became popular for books. They are made of wood.`
    return None if is_prose(behind) and not find_mentions(behind.partition(". ")[0], vocabulary) else found


def find_title(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title:
    """Return the title that begins at an offset of a line."""
    if start >= len(unread):
        return Title("none", None)
    link = range_at(plain.links, start)
    if link is not None:
        return _linked_title(unread, start, link, plain, vocabulary)
    if (cited := _behind_citation(unread, start, plain, vocabulary)) is not None:
        return cited
    strong = range_at(plain.strong, start)
    slanted = range_at(plain.emphasis, start)
    # `*Tidy*-*Shelves: from Books to* Readers`
    marked = strong or (None if slanted and _HYPHENATED.match(unread, slanted.end - 1) else slanted)
    quoted = _quoted(unread, start, vocabulary)
    if quoted and not (marked and goes_on_behind_quotes(unread, quoted.end, marked.end, vocabulary)):
        return Title("quoted", quoted)
    if bracketed := BRACKETED_TITLE.match(unread, start):
        address = range_at(plain.links, bracketed.end() + 1)
        shape = "quoted" if address is None else "linked"
        return Title(shape, TextRange(*bracketed.span("title")), link=address)
    words = unread[marked.start : marked.end] if marked is not None else ""
    if (
        marked is not None
        and marked.end - start > 1
        and not (len(words.split()) <= 4 and is_citation(words, vocabulary))  # a citation before the title
    ):
        if (title := _after_name(unread, start, marked, plain, vocabulary)) is not None:
            return title
        cited = _cited_title(unread[: marked.end], start, vocabulary)
        if cited is not None and cited.authors is not None:
            return cited
        inner = next((link for link in plain.links if start < link.start < marked.end <= link.end + 2), None)
        if inner is not None and is_attribution(unread[inner.start : inner.end]):
            marked = TextRange(marked.start, inner.start)
        shape = "strong" if strong else "emphasis"
        if (by := MAKERS_AT_END.search(unread, start + 1, marked.end)) and _are_makers(by, plain):
            return Title(shape, TextRange(start, by.start()))
        if strong and (further := _next_part(unread, strong, plain)):
            marked = TextRange(marked.start, further.end)
        end = marked_title_end(unread, start, marked.end, vocabulary)
        if (
            end.offset == marked.end
            and unread.startswith(" ", end.offset)
            and LED_ON.match(unread, end.offset + 1)
        ):
            whole = unmarked_title_end(unread, start, plain, vocabulary)
            if in_title_case(unread[marked.end : whole.offset]):  # `**Tidy Shelves** for Readers of Novels`
                end = TitleEnd(whole.offset, False)
        return Title(shape, TextRange(start, end.offset), proved=end.proved)
    title = _cited_title(unread, start, vocabulary) or _after_lead(unread, start, plain, vocabulary)
    return title or _unmarked_title(unread, start, plain, vocabulary)


def _behind_citation(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title | None:
    """Return the linked title behind a name or people, and people or a venue, and their year: `**Oak (Stone et al., 2014)**: [Growing Tidy Shelves](u)`."""
    link = next((link for link in plain.links if link.start > start), None)
    cited = _NAMED_AND_CITED.fullmatch(unread, start, link.start) if link is not None else None
    if link is None or cited is None or len(unread[link.start : link.end].split()) < _MIN_TITLE:
        return None
    title, name = _marked(unread, link.start, link.end, vocabulary), TextRange(*cited.span("name"))
    if is_list_of_people(cited["name"]):
        return Title(
            "linked", title, link=link, authors=name
        )  # `Stone, A., Field, B. (KDD 2014): [Tidy Shelves](u)`
    group = next((group for group in ("people", "people2") if cited[group]), None)  # or only a year
    if group is not None and states_citation(cited["cited"], vocabulary, "citation"):
        group = None
    if names_nothing(cited["name"]) or (group and not are_authors(cited[group], minimum=0)):
        return None
    return Title("linked", title, name, link, TextRange(*cited.span(group)) if group else None)


def _next_part(unread: str, strong: TextRange, plain: PlainText) -> TextRange | None:
    """Return the next words in bold if a title goes on in them: `**Tidy Shelves: from books** **to readers.**`"""
    part = next((mark for mark in plain.strong if mark.start >= strong.end), None)
    is_next = (
        part is not None and not unread[strong.end : part.start].strip() and unread[part.start].islower()
    )
    return part if is_next and unread[strong.end - 1] not in ".:!?" else None


def is_attribution(text: str) -> bool:
    """Return whether a text is people and a year: `Stone, Field (1999)`."""
    match = _ATTRIBUTION.fullmatch(text.strip())
    if match is None or match["authors"].casefold().strip() in CITATION_WORDS:
        return False  # Spring 2016
    return are_authors(match["authors"], minimum=0)


def range_at(ranges: list[_Range], offset: int) -> _Range | None:
    """Return the first of some ranges that an offset lies in."""
    for candidate in ranges:
        if candidate.start <= offset < candidate.end:
            return candidate
    return None


def _marked(unread: str, start: int, end: int, vocabulary: Vocabulary) -> TextRange:
    return TextRange(start, marked_title_end(unread, start, end, vocabulary).offset)


def _linked_title(unread: str, start: int, link: TextLink, plain: PlainText, vocabulary: Vocabulary) -> Title:
    """Return the title in a link: `["Title"](u)`, `[Authors (2019). Title](u)`, or all of its text."""
    title = _quoted(unread, start, vocabulary)
    if title is not None and title.end <= link.end and title.end - title.start > 0.3 * (link.end - start):
        if goes_on_behind_quotes(unread, title.end, link.end, vocabulary):
            title = TextRange(start, link.end)  # `[《Shelves》—— Books](u)`
        return Title("linked", title, link=link)
    cited = _cited_title(unread[: link.end], start, vocabulary)
    if cited is not None and cited.range is not None:
        people = unread[start : cited.authors.end].strip(" ,.") if cited.authors else ""
        is_cited = find_year(unread[start : cited.range.start]) is not None and not people
        if is_cited or is_list_of_people(people) or are_authors(people, minimum=2):
            return cited._replace(shape="linked", link=link)
    for slanted in plain.emphasis:  # `[Stone and Field, *Tidy Shelves*](u)`
        people = unread[start : slanted.start].strip(" ,.")
        is_behind = unread[start : slanted.start].endswith((", ", ": ")) and slanted.end <= link.end
        if is_behind and (is_list_of_people(people) or are_named(people)):
            title, before = _marked(unread, *slanted, vocabulary), TextRange(start, slanted.start)
            return Title("linked", title, link=link, authors=before)
    authors = _authors_before(unread, start, link.end, is_linked=True)
    if authors is None:
        bold = range_at(plain.strong, start)
        if bold is not None and _LINE_BEHIND.match(unread, bold.end, link.end):
            return Title("linked", _marked(unread, start, bold.end, vocabulary), link=link)
        end = marked_title_end(unread, start, link.end, vocabulary)
        by = MAKERS_AT_END.search(unread, start + 1, end.offset)
        is_dated = find_year(unread[end.offset : link.end]) is not None
        if by and (_are_makers(by, plain) or (is_dated and is_list_of_people(by["people"]))):
            return Title("linked", TextRange(start, by.start()), link=link)
        return Title("linked", TextRange(start, end.offset), link=link, proved=end.proved)
    title = _quoted(unread, authors.end, vocabulary) or _marked(unread, authors.end, link.end, vocabulary)
    # A whole citation may be linked.
    whole = unmarked_title_end(unread[: link.end], authors.end, plain, vocabulary)
    title = title._replace(end=whole.offset) if authors.end < whole.offset < title.end else title
    return Title("linked", title, link=link, authors=authors)


def goes_on_behind_quotes(unread: str, close: int, end: int, vocabulary: Vocabulary) -> bool:
    """Return whether a linked title goes on behind a quotation that closes at an offset: `["Tidy Shelves" in five lessons](u)`."""
    if _BEHIND_QUOTES.match(unread, close, end) is not None:
        return True
    words = unread[close + 1 : end].strip()
    if unread[close - 1] in ".," or not words[:1].isalnum() or words.startswith("by "):
        return False
    return not (are_authors(words) or find_year(words) or find_mentions(words, vocabulary))


def _are_makers(by: re.Match[str], plain: PlainText) -> bool:
    """Return whether people stand behind `by` at the end of a link: `[Tidy Shelves by *Stone*](u)`, `[... by Ada Stone](u)`."""
    if by["people"].endswith(("et al.", "et al")):  # `[Tidy Shelves: Stone et al.](u)`
        return are_authors(by["people"], minimum=0)
    is_marked = any(marked.start == by.start("people") for marked in plain.emphasis)
    return are_authors(by["people"], minimum=0) if is_marked else are_named(by["people"])


def _quoted(unread: str, start: int, vocabulary: Vocabulary) -> TextRange | None:
    """Return the title in quotes that open at an offset. It does not end where `"Who Reads?": Shelves Revisited` goes on."""
    start += unread.startswith(('["', "[“"), start)  # its address is lost: `["Tidy Shelves"], 2019`
    close = closing_quote(unread, start)
    behind = _PART_END.split(unread[close + 3 : close + _MAX_BEHIND], maxsplit=1)[0].strip(" .,")
    is_field = is_list_of_people(behind) or states_citation(behind, vocabulary, "citation")
    if unread.startswith(": ", close + 1) and behind[:1].isupper() and not is_field:
        return None
    if close > 0 and _goes_on(unread, close, vocabulary):
        return None
    return _marked(unread, start + 1, close, vocabulary) if close > start + 1 else None


def closing_quote(unread: str, opening: int) -> int:
    """Return the offset of the quote that closes the one at an offset, -1 if there is none: `"Learning "Good" Shelves"`."""
    mark = QUOTES.get(unread[opening : opening + 1])
    first = close = unread.find(mark, opening + 1) if mark else -1
    if mark != '"':
        return first
    depth = 1
    while close >= 0:
        is_inner = unread[close - 1] == " " and unread[close + 1 : close + 2].isalnum()
        depth += 1 if is_inner else -1
        if depth == 0:
            return close
        close = unread.find(mark, close + 1)
    return first


def _goes_on(unread: str, close: int, vocabulary: Vocabulary) -> bool:
    """Return whether a title goes on behind a quotation that closes at an offset: `"Who Falls?" A study of books. KDD 2014`."""
    is_question = unread[close - 1] in "?!"
    further = (_FURTHER_BEHIND_QUESTION if is_question else _FURTHER_WORDS).match(unread, close + 1)
    if further is None or not (is_question or in_title_case(further[0])):
        return False
    words = further[0]
    return not (are_authors(words) or VENUE_WORD.search(words) or find_mentions(words, vocabulary))


def _after_authors(
    unread: str, start: int, end: int, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """Return the title in bold after its authors: `Ann Lee, Bob Ray, **Title**`."""
    if "," not in unread[start:end] and " and " not in unread[start:end]:
        return None
    strong = next((strong for strong in plain.strong if end <= strong.start <= end + 4), None)
    if strong is None or len(unread[strong.start : strong.end].split()) < 3:
        return None
    people = unread[start:end]
    are_several = is_list_of_people(people) or are_authors(people, minimum=2)
    if not are_several or any(map(str.isalpha, people.partition("et al")[2])):
        return None
    title = _marked(unread, strong.start, strong.end, vocabulary)
    return Title("strong", title, authors=TextRange(start, strong.start))


def _after_name(
    unread: str, start: int, marked: TextRange, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """Return the title after a short name in bold: `**Name**: "Title"`, `**Name**: [Title](u)`, `**Name**: Title`."""
    separator = _SEPARATOR.match(unread, marked.end)
    after = separator.end() if separator else marked.end
    words = unread[start : marked.end].strip(" *:")
    if after >= len(unread) or len(words.split()) > (
        _MAX_EVENT if unread[after] in QUOTES else MAX_NAME_WORDS + 1
    ):
        return None
    authors = TextRange(start, marked.end) if "et al" in words and are_authors(words, minimum=0) else None
    name = None if authors or names_nothing(words) else TextRange(start, marked.end)
    least = 4
    quoted = _quoted(unread, after, vocabulary)
    if quoted and not _DESCRIBES.match(unread, quoted.end):
        return Title("quoted", quoted, name, authors=authors)
    link = range_at(plain.links, after)
    linked = unread[after : link.end] if link is not None else ""
    if vocabulary.role(words) is not None and vocabulary.role(linked) is None and "://" not in linked:
        name, least = None, 2  # `**DATA** [Shelf Corpus](u)`
    if link is not None and len(linked.split()) >= least:
        return Title("linked", _marked(unread, after, link.end, vocabulary), name, link, authors)
    if ":" in unread[marked.end - 1 : after]:
        text = LINE_END.split(unread[after:], maxsplit=1)[0].strip()
        if name is not None and link is None and text[:1].islower() and text.endswith(".") and is_prose(text):
            return Title("strong", TextRange(start, marked.end))  # `**Tidy Shelves**: books in order.`
        if (cited := _cited_title(unread, after, vocabulary)) is not None and cited.authors:
            return cited._replace(name=name)  # `**TS:** Ada Stone, Ben Field. "Tidy Shelves"`
        start = start if name else after
        end = unmarked_title_end(unread, start, plain, vocabulary)
        return Title("strong", TextRange(start, end.offset), authors=authors, proved=end.proved)
    return None


def _cited_title(unread: str, start: int, vocabulary: Vocabulary) -> Title | None:
    """Return the title in quotes of a citation: `Authors. "Title." Venue 53.1 (2020): 1-37.`, `Name: "Title"`."""
    quote = min((quote for mark in '"“«' if (quote := unread.find(mark, start)) > 0), default=-1)
    close = closing_quote(unread, quote) if quote > 0 else -1
    if close < 0 or len(unread[quote:close].split()) < 2 or _goes_on(unread, close, vocabulary):
        return None
    title = _marked(unread, quote + 1, close, vocabulary)
    lead = unread[start:quote].rstrip(" :：").rpartition("：")[0]
    start += len(lead) + (lead != "")  # a label in Chinese before people
    before = unread[start:quote].strip(" ,.:")
    opening = unread[start:quote].rstrip()
    are_named = are_authors(before) or (opening.endswith(",") and is_list_of_people(before))
    is_inverted = ONE_INVERTED.fullmatch(before) is not None
    if (are_named or is_inverted) and not opening.endswith(":"):
        return Title("quoted", title, authors=TextRange(start, quote))
    is_dated = find_year(before) is not None  # `2019, Shelf Day: "Tidy Shelves"`
    if not opening.endswith((":", "-", "–")) or len(before.split()) > (
        _MAX_EVENT if is_dated else MAX_NAME_WORDS + 1
    ):
        return None
    name = (
        None if is_dated or names_nothing(before) else TextRange(start, start + len(opening.rstrip(" :-–")))
    )
    return Title("quoted", title, name)


def _after_lead(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title | None:
    """Return the linked title after words that are no title: `20181113 NIPS-18 [Title](u)`, `code [Title](u)`.

    Words with a colon lead to a title too, if it links to a paper: `A survey of 2020: [Title](u)`.
    """
    link = next((link for link in plain.links if link.start > start), None)
    if link is None or link.start - start > 120:
        return None
    lead = unread[start : link.start]
    least = 2 if any(map(str.isdigit, lead)) else 4
    if CONSUMED in lead or len(unread[link.start : link.end].split()) < least:
        return None
    authors = None
    offset = 0
    for match in (*_LEAD_STOP.finditer(lead), None):
        piece = TextRange(start + offset, start + (match.start() if match else len(lead)))
        offset = match.end() if match else offset
        words = DATE.sub(" ", unread[piece.start : piece.end]).strip(" :：-–—|,.>")
        if "et al" in words and are_authors(words, minimum=0) and authors is None:
            authors = piece
        elif (
            words
            and piece not in plain.code
            and vocabulary.role(words) is None
            and not states_citation(words, vocabulary, "short")
        ):
            is_led_in = lead.rstrip().endswith((":", "：")) and (
                len(lead.split()) > MAX_NAME_WORDS or not lead.rstrip("： ").isascii() or names_nothing(words)
            )
            if not (is_led_in and is_paper_url(link.link.url, vocabulary)):
                return None
    end = marked_title_end(unread, link.start, link.end, vocabulary)
    return Title("linked", TextRange(link.start, end.offset), link=link, authors=authors, proved=end.proved)


def _unmarked_title(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title:
    """Return a title without any markup of its own."""
    strong = next((strong for strong in plain.strong if strong.start > start), None)
    if strong is not None and not any(start < mark.start < strong.start - 1 for mark in plain.emphasis):
        length = len(unread[start : strong.start].rstrip(" .,:"))
        title_after = _after_authors(unread, start, start + length, plain, vocabulary)
        if title_after is not None:
            return title_after
    authors = _authors_before(unread, start, len(unread))
    if authors is not None:
        start = authors.end
        if cited := read_leading_citation(unread, start, vocabulary):
            start = cited[1]
        if quoted := _quoted(unread, start, vocabulary):
            return Title("quoted", quoted, authors=authors)
        link = range_at(plain.links, start)
        if link is not None:
            return Title("linked", _marked(unread, start, link.end, vocabulary), link=link, authors=authors)
    for link in plain.links:
        if link.start > start and is_attribution(unread[link.start : link.end]):
            before = unread[start : link.start].rstrip(" .,:-–")
            return Title("plain", TextRange(start, start + len(before)), authors=authors)
    if named := _named_link(unread, start, plain, vocabulary):
        return named
    if described := described_link(unread, start, plain, vocabulary):
        title = _marked(unread, described.start, described.end, vocabulary)
        return Title("linked", title, link=described, authors=authors)
    end, proved = unmarked_title_end(unread, start, plain, vocabulary)
    inner = [link for link in plain.links if start < link.start < end]
    link = next((link for link in inner if link.end - link.start > 0.5 * (end - start)), None)
    is_last_one = len(inner) == 1 and not any(map(str.isalnum, unread[inner[0].end : end]))
    address = link or (inner[0] if is_last_one else None)
    if address is not None and unread.startswith("http", address.start):
        end = address.start
    return Title("plain", TextRange(start, end), link=link, authors=authors, proved=proved)


def _named_link(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title | None:
    """Return the name and title of a paper that a text describes: `Oak: [Growing Tidy Shelves](u): shelves from seeds`."""
    link = next((link for link in plain.links if link.start > start), None)
    if link is None or not _DESCRIBED.match(unread, link.end) or not is_paper_url(link.link.url, vocabulary):
        return None
    lead, words = unread[start : link.start].rstrip(), unread[link.start : link.end].split()
    is_name = lead.endswith((":", "：")) and len(lead.split()) <= MAX_NAME_WORDS and not names_nothing(lead)
    if not is_name or len(words) < _MIN_TITLE or vocabulary.role(lead) is not None:
        return None
    title = _marked(unread, link.start, link.end, vocabulary)
    return Title("linked", title, TextRange(start, start + len(lead) - 1), link)


def described_link(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> TextLink | None:
    """Return the link with the title of a line that begins with a text about it, or with its maker.

    `Ada Stone's [Tidy Shelves](u)`, `A toolkit for shelves: [Grip](https://github.com/stone/grip)`
    """
    link = next((link for link in plain.links if link.start > start), None)
    if link is None or link.link.form in ("bare", "autolink"):
        return None
    lead, words = unread[start : link.start].strip(), unread[link.start : link.end]
    if _MAKER.fullmatch(lead):
        return link
    is_last = len(plain.links) == 1 and not any(map(str.isalnum, unread[link.end :]))
    if not is_last or not is_description(lead) or find_mentions(lead, vocabulary):
        return None
    return link if vocabulary.role(words) is None and names_address(words, link.link.url) else None


def is_description(lead: str) -> bool:
    """Return whether words before a link say what it leads to, and do not go on in it: `A toolkit for shelves: [Grip](u)`."""
    words = lead.rstrip(" :：-–—").split()
    is_led_in = lead.rstrip().endswith((":", "：", "-", "–", "—")) or words[:1] in (["A"], ["An"])
    lower = sum(map(str.islower, words))
    is_whole = not _LEADS_ON.search(" ".join(words)) and lead.count("(") == lead.count(")")
    return is_led_in and lower > 1 and 2 * lower >= len(words) and is_whole and "et al" not in lead


def _authors_before(unread: str, start: int, end: int, *, is_linked: bool = False) -> TextRange | None:
    """Return the authors before a title in a bibliography."""
    lead = unread[start : min(end, start + 60)]
    if not any(mark in lead for mark in (",", ";", " and ", "et al", ". ")):
        return None
    line = unread[start : min(end, start + 500)]
    found = find_leading_people(line)
    people, after = line[: found.end].rstrip(), line[found.end :]
    if not found.proved or len(after.split()) <= 2 or are_surely_people(after):
        return None
    may_be_phrases = people.endswith(":") and not are_surely_people(people)
    if may_be_phrases and (is_linked or any(" " not in person for person in found.people)):
        return None  # `Seeing Voices and Hearing Faces: ...`
    dated = find_year(after[:30]) if found.year is None else None
    if find_unlisted(after, "citation") or (dated and not _IN_TITLE.match(after, dated.end)):
        return None  # a byline: people and their venue
    return TextRange(start, start + found.end)
