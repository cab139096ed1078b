"""What follows a name: the description, who made the thing, and remarks in brackets."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED, OPENING, blank_out
from shelfread.document.entry.prefix import MAX_NAME_WORDS
from shelfread.document.entry.remarks import MAX_LAST_LABEL
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.entry.titles import QUOTES
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.organisations import (
    is_organisation_alone,
    names_organisation,
)
from shelfread.document.recognizers.people import are_named

_TAG = "\x01"
"""Replaces every character of a code span."""
_SYMBOLS = (
    r"\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2b00-\u2bff\u3030\ufe0f\u200b-\u200f\U0001f000-\U0001faff"
)
_SEPARATOR = (
    r"(?:[\s\0\x01](?:[-–—－=]{1,3}|[|~»›•·/]|\.{3}|…)(?=[\s\0\x01])|[–—－｜:：|→⇒\n]|\.\s(?=[^\W_]|[-–—])(?!(?:19|20)\d\d)|[,;][\s\0]|[，。]|,(?=[^\x00-\xff])"
    r"|--?(?!(?:based|compatible|driven|like|powered|style)\b)(?=[^\W\d]|\s))"
)
# What may stand between a name and the separator: labels, tags, pictures, numbers of stars, prices, remarks in brackets.
_REMARK = (
    rf"(?:[\s\0\x01*^†‡){_SYMBOLS}]|\([^()\n]{{0,200}}\)|\([^()\n\0]{{1,20}}\0+|\[[^\[\]\n]{{0,80}}\]|（[^（）\n]{{0,80}}）|\d[\d.,]{{0,6}}[kKM]?(?=\s)"
    rf"|@[\w-]{{1,40}}|(?:and|or|[&+])\s?(?=\0)|/(?=[\0{_SYMBOLS}])"
    r"|[$€£]\d[\d.,]{0,9}\+?(?:/\w{1,12})?(?:-(?=[$€£]))?|(?:[Ff]ree(?:mium)?|FREE|[Pp]aid|[Cc]ommercial)(?=\s[-–—|]|\|))"
)
_SET_APART = lazy(rf"(?:{_REMARK}{{0,1000}}{_SEPARATOR}){{1,6}}")
# A tag before a text that begins like a sentence is none of its words.
_BLANKS = lazy(rf"(?:[\s\0{_SYMBOLS}]|/(?=\0)|\x01{{1,80}}[\s\0]{{1,9}}(?=[A-Z]))*")
OCCASION = r"\s?(?:at|in|@)\s(?P<occasion>[A-Z][\w’'-]{1,40}(?: (?!by )[\w&’'-]{1,40}){0,6})"
_CREDIT = lazy(
    rf"{_REMARK}{{0,40}}(?:{OCCASION}(?=\sby\s))?[,，]?[\s(\[]{{0,3}}(?:(?:[Ww]ritten )?[Bb]y|[Pp]or|[Pp]ar|[Vv]on)\s{{1,3}}(?:and\s)?"
    r"(?P<names>(?!the )[@A-Z](?:(?!\bal\. [a-z])[^\0\x01\n()\[\]:;!?，。]){1,200}?|[\u4e00-\u9fff]{2,6})(?:[)\]]|(?=\s[-–—|]{1,2}\s|,\s(?!and\b|et\b|v[ao]n\b|d[aei]\b|de[lnr]\b)[a-z]|[:;(\[\0\x01\n，。]|(?<=\w\w)(?<!Prof)(?<!Dr)\.\s)|\.?[\s*†‡]{0,9}$)"
)
_BY_HANDLE = lazy(r"\sby\s(?P<name>[a-z][\w-]{2,38})[\s.*†‡]{0,9}")
_OF = lazy(r"d[ei] (?=[A-Z]\S* [A-Z])")
_DATED_MAKER = lazy(r"\s{0,2}\((?P<names>[^()\d]{4,80}), (?:19|20)\d\d\)")
_BEHIND_NAME = lazy(r"[(\[（](?P<remark>[^()\[\]（）\n\0\x01]{2,80})[)\]）]")
_GROUP = lazy(r"\0{2,}")
_FIRST_WORD = lazy(r"[^\W_][^\s/:：]{2,40}")
_NEXT_LINK = lazy(r"[ *_]{0,20}\n|[\s*_]{0,20}(?:[-–—|,，、;:：/·&+•()（）\[\]\0]|$)")
_BEFORE_MAKER = lazy(r"\b[Bb]y\s{1,3}\Z")
_AFTER_MAKER = lazy(r"[\s*_]{0,9}(?:[-–—|,;:.()\[\]&\0]|and\b|$)")
# Read from the end: labels, tags, marks, and the number of stars.
_TAIL = lazy(rf"(?:[\s\0\x01,;:：/|·&•–—{_SYMBOLS}-]|[kKM]?\d[\d.,]{{0,6}}\s?[{_SYMBOLS}])*")
# What ends a text before an address; one in a sentence stands behind a small word or a colon.
_ENDS_TEXT = lazy(r"(?:[.!?。！？–-]|[^\x00-\xff]) *$")
LEADS_ON = lazy(r"\b(?:see|at|from|in|on|to|by|via|with|and|or|of|for|the|is):?\s*\Z", re.IGNORECASE)
_BEFORE_LABEL = lazy(r"(?:\s[–—-]|\w[.!?]) \Z")
_ENDS = tuple(".!?。！？)）]…")
_MARKS = ("|", "·", "•", " - ", " – ", " — ")
_PRICE = lazy(
    r"(?i)\W{0,9}?(?P<price>[$€£¥₹]{1,5}|(?:usd|eur|[$€£¥₹])? ?\d[\d.,]*\+?(?: ?(?:usd|eur|[$€£¥₹]))?(?: ?(?:/|per) ?\w+)?|(?:free|paid)(?: ?(?:/|per) ?\w+)?)\W{0,9}"
)
_COSTS = lazy(r"(?i)[$€£¥₹]|free|paid|usd|eur")
_ADDRESS = lazy(r"https?://\S+")
_LAST_JOIN = lazy(r"(?:^|\s)(?:and|by|or|ou|oder|[&+])$")  # `[Oak](u) and [Elm](v)`
_JOINS = lazy(r"\b(?:and|or|ou|oder)\b")
_BRACKETS = lazy(r"[(\[（][^()\[\]（）]*[)\]）]|@[\w-]+")
_IN_BRACKETS = lazy(r"（[^（）：:]{8,400}）|\((?!by )[^()]{6,400}\)\.?")
_SPACED_STOPS = (" .", " ,", " ;", " :", " !", " ?")
_SPACE_BEFORE_STOP = lazy(r" (?<=\S )([.,;:!?])(?=\s|$)")


class BehindName(NamedTuple):
    """What follows a name: the description, who made the thing, and whether a separator stands before it.

    `remarks` are what stands in brackets before that, or the price that stands in its place.
    """

    description: Field | None
    credit: TextRange | None
    is_set_apart: bool
    remarks: tuple[TextRange, ...] = ()


def is_described(title_line: TitleLine, link: TextLink) -> bool:
    """Return whether a link behind a name in bold says what it is: `**Shelves** - [Very tidy in winter](u)`."""
    name, plain = title_line.name, title_line.plain
    words = plain.text[link.start : link.end]
    is_text = words[:1].isupper() and len(words.split()) >= MAX_NAME_WORDS and not in_title_case(words)
    if name is None or name not in plain.strong or not is_text:
        return False
    is_set_apart = plain.text[name.end : link.start].strip() in ("-", "–", "—")
    return is_set_apart and not are_named(plain.text[name.start : name.end])


def read_behind_name(
    title_line: TitleLine, start: int, credit: TextRange | None, is_tagged: bool
) -> BehindName:
    """Return what follows the name that ends at an offset. `credit` is who spoke or made it, if it is in a markup.

    `is_tagged` says whether code at the end is a tag, as it is in the other lines.
    """
    plain, link = title_line.plain, title_line.title_link
    if link is not None and start < link.start and is_described(title_line, link):
        end = _text_end(plain, title_line.unread, link.start, is_tagged)
        value = _visible(plain.text, title_line.unread, link.start, end)
        return BehindName(Field(value, plain.span(link.start, end)), None, True)
    start += plain.text[start : start + 1] in QUOTES.values() or plain.text.startswith("](", start)
    is_credited = plain.text.startswith(" by ", start) and not (credit and link and credit.end <= link.end)
    if link is not None and title_line.shape == "linked" and not is_credited:
        start = max(start, title_line.after_title)
        if (
            start == link.end
            and OPENING.get(plain.text[link.start - 1 : link.start]) == plain.text[start : start + 1]
        ):
            start += 1  # `[[Oak](u)] A box for books.`
    if (dated := _DATED_MAKER.match(plain.text, start)) and are_named(dated["names"]):
        credit, start = TextRange(*dated.span("names")), dated.end()
    masked = _mask(title_line, start, [credit] if credit is not None else [])
    first, is_set_apart = start, False
    in_link = link.end if link is not None and start < link.end else 0
    for _ in range(2):  # the credit stands before or behind the separator, or in the link and behind it
        end = in_link if start < in_link else len(masked)
        if (credit is None or credit.end <= in_link) and (by := _CREDIT.match(masked, start, end)):
            credit, start = credit or TextRange(*by.span("names")), by.end()
        if separator := _SET_APART.match(masked, start):
            start, is_set_apart = separator.end(), True
    by = _BY_HANDLE.fullmatch(masked, start) if credit is None and start >= in_link else None
    if by is not None and not names_organisation(by["name"]):
        credit, start = TextRange(*by.span("name")), by.end()
    start = blanks.end() if (blanks := _BLANKS.match(masked, start)) else start
    before = _first_line(plain, masked, start)
    start = masked.index("\n", before.end) + 1 if before is not None else start
    end = _text_end(plain, masked, start, is_tagged)
    if credit is not None and start < credit.start < end and not plain.text[credit.end : end].strip(" ."):
        end = len(plain.text[: credit.start].rstrip(" ,"))  # `Sorts books *Ada Stone*.`
    value = _LAST_JOIN.sub("", _visible(plain.text, masked, start, end))
    separated = masked[first:start].strip()
    is_bracketed = _IN_BRACKETS.fullmatch(value) is not None and (
        value[0] == "（" or _are_words(value) or (is_set_apart and " " in value)
    )
    if is_bracketed:
        start, end = start + 1, start + len(plain.text[start:end].rstrip(". ")) - 1
        value, is_set_apart = value.rstrip(".")[1:-1], True
    may_be_maker = separated == "," or (is_bracketed and not separated)
    led = of.end() if (of := _OF.match(value)) else 0
    if credit is None and (may_be_maker or led) and are_named(value[led:]):
        return BehindName(None, TextRange(start + led, end), is_set_apart)
    is_label = any(link.start <= start and end <= link.end <= start + MAX_LAST_LABEL for link in plain.links)
    is_text = not is_label and _is_text(value, is_set_apart)
    remarks = _remarks(masked, first, start if is_text else len(masked), credit)
    if credit is None:
        credit = next((remark for remark in remarks if is_maker(plain.text[slice(*remark)])), None)
    remarks = tuple(remark for remark in (*remarks, before) if remark not in (credit, None))
    priced = None if is_text or remarks else _PRICE.fullmatch(masked, start, end)
    if priced is not None and _COSTS.search(priced["price"]):
        remarks = (TextRange(*priced.span("price")),)
    return BehindName(
        Field(value, plain.span(start, end)) if is_text else None, credit, is_set_apart, remarks
    )


def _first_line(plain: PlainText, masked: str, start: int) -> TextRange | None:
    """Return the first line of a text if it is links and a few other words: `part of [Oak](u)`, and below it `Sorts books.`"""
    end = masked.find("\n", start)
    linked = [link for link in plain.links if start <= link.start < link.end <= end]
    if not linked or not masked[end:].strip():
        return None
    beside = blank_out(masked, [], linked)[start:end].replace(CONSUMED, " ").split()
    return TextRange(start, len(masked[:end].rstrip(" ,"))) if len(beside) <= MAX_NAME_WORDS else None


def is_maker(words: str) -> bool:
    """Return whether words in brackets behind a name surely are people or an organisation: `[Oak](u) (Microsoft Research)`."""
    return is_organisation_alone(words) or are_named(words)


def _remarks(masked: str, start: int, end: int, credit: TextRange | None) -> tuple[TextRange, ...]:
    """Return what stands in brackets behind a name and is no maker: `[Oak](u) (formerly Elm) - Sorts books.`"""
    found = (TextRange(*match.span("remark")) for match in _BEHIND_NAME.finditer(masked, start, end))
    return tuple(
        remark
        for remark in found
        if sum(map(str.isalpha, masked[remark.start : remark.end])) > 1
        and (credit is None or remark.end <= credit.start or credit.end <= remark.start)
    )


def _are_words(words: str) -> bool:
    """Return whether words in brackets are a text, and no number, list of tags or maker: `(2 parts)`, `(Go, Rust)`, `(MIT)`."""
    parts = [part.split() for part in words.strip("(). ").replace("/", " ").split(",")]
    spelt = sum(1 for part in parts for word in part if word.isalpha())
    return spelt > 1 and max(map(len, parts)) > 1 and not names_organisation(words)


def _is_text(value: str, is_set_apart: bool) -> bool:
    """Return whether words are a description, and no price, address, tag or remark: `$5`, `(2 parts)`, `FREE`, `#free`."""
    words = value if is_set_apart else _BRACKETS.sub("", value)
    no_texts = (_PRICE, _ADDRESS)
    if not any(map(str.isalpha, words)) or any(pattern.fullmatch(value) for pattern in no_texts):
        return False
    return is_set_apart or not (words.isascii() and words.isupper()) or len(words.split()) > 2


def _mask(title_line: TitleLine, start: int, others: list[TextRange]) -> str:
    """Return a line with its labels, its code, the links directly behind its name and other ranges masked."""
    plain, masked = title_line.plain, title_line.unread
    done = start
    behind: list[TextLink] = []
    for link, after in zip_longest(plain.links, plain.links[1:]):
        if link.start < done:
            continue
        if any(map(str.isalnum, _JOINS.sub("", _BRACKETS.sub("", masked[done : link.start])))):
            break
        before_next = after is not None and not masked[link.end : after.start].strip()
        # behind the stops of Chinese: the labels of the other links before the text
        is_listed = masked[done : link.start] in ("，", "、") and masked.startswith(" ", link.end)
        is_line = masked.startswith("\n", link.end) and masked[: link.start].rstrip(" ").endswith("\n")
        if (
            is_line
            or _is_address_of_name(link, title_line)
            or (
                link.end - link.start <= 40
                and (before_next or is_listed or _NEXT_LINK.match(masked, link.end))
            )
        ):
            behind.append(link)
            done = link.end
    if CONSUMED in masked:
        linked = blank_out(plain.text, [], plain.links)
        groups = (TextRange(*group.span()) for group in _GROUP.finditer(linked, start))
        others += [group for group in groups if CONSUMED in masked[group.start : group.end]]
    stop, last = len(masked), list[TextLink]()
    is_closed = bool(plain.links) and ")" in masked[plain.links[-1].end :]  # `(PDF - [code](u))`
    # The addresses at the end of a line that has no other links are those of its name.
    is_named = title_line.shape != "linked" and all(
        link.link.form in ("bare", "autolink") for link in plain.links
    )
    for link in reversed(plain.links):
        said = masked[done : link.start] if is_named else ""
        is_own = said and not any(map(str.isalnum, masked[link.end : stop])) and not LEADS_ON.search(said)
        if is_own and said.count("(") <= said.count(")"):
            behind.append(link)
            stop = link.start
            continue
        is_written_out = not last and link.link.form in ("bare", "autolink")
        if link.start <= done or (not is_written_out and any(map(str.isalnum, masked[link.end : stop]))):
            break
        if not is_written_out and link.end - link.start > MAX_LAST_LABEL:
            break
        last.append(link)
        stop = link.start
        before = _ENDS_TEXT if is_written_out else _BEFORE_LABEL
        if (is_written_out or not is_closed) and before.search(masked, max(done, stop - 6), stop):
            behind += last
            break
        if masked[stop - 1] in "(（":
            others.append(TextRange(stop - 1, len(masked)))
            break
    if behind or others:
        masked = blank_out(masked, [], [*behind, *others])
    for link in plain.links:  # behind `by` it is a name, however it is written
        is_maker = _BEFORE_MAKER.search(masked, max(start, link.start - 6), link.start)
        if is_maker and _AFTER_MAKER.match(masked, link.end):
            masked = masked[: link.start] + "A" * (link.end - link.start) + masked[link.end :]
            break
    for code in plain.code:
        if code.start >= start:
            masked = masked[: code.start] + _TAG * (code.end - code.start) + masked[code.end :]
    return masked


def _is_address_of_name(link: TextLink, title_line: TitleLine) -> bool:
    """Return whether a link behind a name is its address, or says the name again: `Oak: [Oak Shelves](u) for books`."""
    if title_line.shape == "linked":
        return False
    text, name = title_line.plain.text, _FIRST_WORD.match(title_line.title_text)
    says_again = name is not None and text.casefold().startswith(name[0].casefold(), link.start, link.end)
    return says_again or link.link.form in ("bare", "autolink")


def _text_end(plain: PlainText, masked: str, start: int, is_tagged: bool) -> int:
    """Return where a text ends: before the labels and tags behind it, unless they are words of its last sentence."""
    end = len(masked.rstrip(" \n|"))
    is_stopped = masked.endswith(f"{CONSUMED}.", start, end)  # `Board of shelves. [Website](u).`
    tail = _TAIL.match(masked[start : end - is_stopped][::-1])
    first = end - is_stopped - (tail.end() if tail else 0)
    is_enclosed = plain.text[first:end].lstrip().startswith(("(", "[", "（"))
    is_label = is_enclosed and len(plain.text[first:end].split()) <= MAX_NAME_WORDS
    if is_stopped and not is_label and not masked.endswith(_ENDS, start, first):
        return end
    behind, before = masked[first:end], masked[start:first]
    if behind.isascii() and CONSUMED not in behind and _TAG not in behind:
        return end
    if not before or before.endswith(_ENDS) or any(mark in behind for mark in _MARKS):
        return first
    if is_enclosed:
        return first
    if CONSUMED in behind:
        leads = LEADS_ON.search(before)
        return end if leads and leads.start() else first  # `Sorts books with [code](u)`
    # `Wraps box`; but no mark of symbols alone
    is_code = _TAG in behind and f"{_TAG} {_TAG}" not in behind and not is_tagged
    is_code = is_code and any(map(str.isalnum, plain.text[first:end]))
    return end if is_code else first


def _visible(text: str, masked: str, start: int, end: int) -> str:
    """Return a range of a line without its labels in brackets. A label within a sentence is one of its words."""
    offset = masked.find(CONSUMED, start, end)
    if offset < 0:
        return _tidy(text[start:end])
    kept = list(text[start:end])
    while offset >= 0:
        stop = offset
        while stop < end and masked[stop] == CONSUMED:
            stop += 1
        if text[offset] in "([（":
            kept[offset - start : stop - start] = " " * (stop - offset)
        offset = masked.find(CONSUMED, stop, end)
    return _tidy("".join(kept))


def _tidy(text: str) -> str:
    value = " ".join(text.split())
    if any(stop in value for stop in _SPACED_STOPS):
        value = _SPACE_BEFORE_STOP.sub(r"\1", value)
    return value.replace("( ", "(").replace(" )", ")").strip("\u200b\u200e\u200f ")
