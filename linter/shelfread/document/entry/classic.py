"""Builds entries of the kind classic: a name, usually a link, and a description."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.entry_fields import (
    Setting,
    clean_field,
    entry_identifiers,
    entry_links,
    leading_organisations,
    short_name,
    title_line_span,
    unlabelled_link,
)
from shelfread.document.entry.link_labels import CONSUMED, OPENING, blank_out, icon_text
from shelfread.document.entry.prefix import MAX_NAME_WORDS, names_something_only
from shelfread.document.entry.sub_lines import SubLineFields
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.entry.titles import QUOTES, is_description
from shelfread.document.model import Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_known_organisation,
    is_organisation_alone,
    names_organisation,
)
from shelfread.document.recognizers.people import are_authors, are_named, find_people, is_list_of_people
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_TAG = "\x01"
"""Replaces every character of a code span."""
_SYMBOLS = (
    r"\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2b00-\u2bff\u3030\ufe0f\u200b-\u200f\U0001f000-\U0001faff"
)
_SEPARATOR = (
    r"(?:[\s\0\x01](?:[-–—－=]{1,3}|[|~»›•·/]|\.{3}|…)(?=[\s\0\x01])|[–—－｜:：|→⇒\n]|\.\s(?=[^\W_]|[-–—])(?!(?:19|20)\d\d)|,[\s\0]|[，。]|,(?=[^\x00-\xff])"
    r"|--?(?!(?:based|compatible|driven|like|powered|style)\b)(?=[^\W\d]|\s))"
)
# What may stand between a name and the separator: labels, tags, pictures, numbers of stars, prices, remarks in brackets.
_REMARK = (
    rf"(?:[\s\0\x01*^†‡){_SYMBOLS}]|\([^()\n]{{0,200}}\)|\[[^\[\]\n]{{0,80}}\]|（[^（）\n]{{0,80}}）|\d[\d.,]{{0,6}}[kKM]?(?=\s)"
    rf"|@[\w-]{{1,40}}|(?:and|or|[&+])\s?(?=\0)|/(?=[{_SYMBOLS}])"
    r"|[$€£]\d[\d.,]{0,9}\+?(?:/\w{1,12})?(?:-(?=[$€£]))?|(?:[Ff]ree(?:mium)?|FREE|[Pp]aid|[Cc]ommercial)(?=\s[-–—|]|\|))"
)
_SET_APART = lazy(rf"(?:{_REMARK}{{0,1000}}{_SEPARATOR}){{1,6}}")
# A tag before a text that begins like a sentence is none of its words.
_BLANKS = lazy(rf"(?:[\s\0{_SYMBOLS}]|\x01{{1,80}}[\s\0]{{1,9}}(?=[A-Z]))*")
_CREDIT = lazy(
    rf"{_REMARK}{{0,40}}[,，]?[\s(\[]{{0,3}}(?:(?:[Ww]ritten )?[Bb]y|[Pp]or|[Pp]ar|[Vv]on)\s{{1,3}}(?:and\s)?"
    r"(?P<names>(?!the )[@A-Z][^\0\x01\n()\[\]:;!?，。]{1,200}?|[\u4e00-\u9fff]{2,6})(?:[)\]]|(?=\s[-–—|]\s|,\s(?!and\b|et\b|v[ao]n\b|d[aei]\b|de[lnr]\b)[a-z]|[:;(\[\0\x01\n，。]|(?<=\w\w)(?<!Prof)(?<!Dr)\.\s)|\.?\s{0,9}$)"
)
_OF = lazy(r"d[ei] (?=[A-Z]\S* [A-Z])")
_DATED_MAKER = lazy(r"\s{0,2}\((?P<names>[^()\d]{4,80}), (?:19|20)\d\d\)")
_SPEAKER_LAST = lazy(
    r"\s[-–—|]\s(?:by\s)?(?!by\s)([^()\[\]|]{4,80}?)(?:\s\((?:19|20)\d\d\))?\Z"
    r"|\s\(([^(),\d]{4,60}), [^()]{0,60}\b(?:19|20)\d\d\)\Z"
)
_SPEAKER_FIRST = lazy(r"(?P<names>[^\d()\[\]|–—-]{4,60})\s[-–—|]\s(?P<title>\S.*?)\s\((?:19|20)\d\d\)")
_PARTED = lazy(r"\s[-–—|]\s|\)\Z")
_DATE_BEHIND = lazy(r"\s-\s\S*(?:19|20)\d\d\W{0,3}|\s?\((?:19|20)\d\d\)")
_JOINED = lazy(r",|&|\band\b")
_MIN_SPEAKERS, _MOST_SPEAKERS = 2, 0.4  # so many links name people that have common given names
_WORKS_AT = lazy(r"(?<!\s)\s+(?:in|at|from|of|@)\s+")
_OTHERS = lazy(r"(?:,|(?<!\s))\s+and (?:\w+ )?others\b")
_PROFESSOR = lazy(r"(?:Prof|Dr)\.?\s")
_NAME_END = lazy(
    r"\s[-–—|]{1,3}\s|：|:(?=\s|[^\x00-\xff])|\s[(\[](?![^()\[\]\0]{1,80}[)\]]\s[A-Z])|\sby\s(?=[A-Z]\S* [A-Z])|\0"
)
_BEHIND_NAME = lazy(r"[(\[（](?P<remark>[^()\[\]（）\n\0\x01]{2,80})[)\]）]")
_LAST_BRACKETS = lazy(r"\s\([^()]{2,80}\)\s?[-–—:|]?\s")
_MAX_NAME_WORDS = 6
_GROUP = lazy(r"\0{2,}")
_BEHIND_ADDRESS = lazy(r"\s{1,3}(?:[-–—:|]\s{1,3})?(?P<name>[^\W_][^\0\n]{1,100}?)(?=\s[-–—]\s|\s{0,3}$)")
_FIRST_WORD = lazy(r"[^\W_][^\s/:：]{2,40}")
_ONE_WORD = lazy(r"[A-Za-z0-9_.+-]+")
_NEXT_LINK = lazy(r"[\s*_]{0,20}(?:[-–—|,，、;:：/·&+•()（）\[\]\0]|$)")
_BEFORE_MAKER = lazy(r"\b[Bb]y\s{1,3}\Z")
_AFTER_MAKER = lazy(r"[\s*_]{0,9}(?:[-–—|,;:.()\[\]&\0]|and\b|$)")
_HANDLE = lazy(r"@ ?[\w-]+")
# Read from the end: labels, tags, marks, and the number of stars.
_TAIL = lazy(rf"(?:[\s\0\x01,;:：/|·&•–—{_SYMBOLS}-]|[kKM]?\d[\d.,]{{0,6}}\s?[{_SYMBOLS}])*")
# What ends a text before an address; one in a sentence stands behind a small word or a colon.
_ENDS_TEXT = lazy(r"(?:[.!?。！？–-]|[^\x00-\xff]) *$")
_LEADS_ON = lazy(r"\b(?:see|at|from|in|on|to|by|via|with|and|or|of|for|the|is):?\s*\Z", re.IGNORECASE)
_MAX_LABEL = 20  # the longest link behind a dash, a sentence or in brackets at the end of a text that is none of its words
_BEFORE_LABEL = lazy(r"(?:\s[–—-]|\w[.!?]) \Z")
_ENDS = tuple(".!?。！？)）]…")
_MARKS = ("|", "·", "•", " - ", " – ", " — ")
_SHORT_NAME = lazy(
    r"[\w.+#/-]{1,40}(?: [\w.+#/-]{1,40})?"
)  # `Amundsen: One Year Later`, `CS 202: Deep Shelves`
# What a link in prose leads to if its host has nothing else. Other hosts have anything: code of others, people.
_TELLING_ROLES = frozenset({"paper", "video", "slides", "dataset", "demo", "model"})
# A description without a separator is known by its own form: a capital, words, a full stop.
_SENTENCE = lazy(r"[A-Z]\S* (?:.* )?\S+[.!?]$")
_PRICE = lazy(r"(?i)\W*(?:(?:usd|eur)? ?\d[\d.,]*\+?(?: ?(?:usd|eur))?|free|paid)(?: ?(?:/|per) ?\w+)?\W*")
_ADDRESS = lazy(r"https?://\S+")
_TAGS = lazy(r"[. ]{0,3}(?:#[\w-]{1,40}[ ,]{0,3}){1,20}")
_LAST_JOIN = lazy(r"(?:^|\s)(?:and|or|[&+])$")  # `[Oak](u) and [Elm](v)`
_JOINS = lazy(r"\b(?:and|or)\b")
_BRACKETS = lazy(r"[(\[（][^()\[\]（）]*[)\]）]|@[\w-]+")
_IN_BRACKETS = lazy(r"（[^（）：:]{8,400}）|\((?!by )[^()]{6,400}\)\.?")
_SPACED_STOPS = (" .", " ,", " ;", " :", " !", " ?")
_SPACE_BEFORE_STOP = lazy(r" (?<=\S )([.,;:!?])(?=\s|$)")


class _Text(NamedTuple):
    """What follows a name: the description, who made the thing, and whether a separator stands before it.

    `remarks` are what stands in brackets before that.
    """

    description: Field | None
    credit: TextRange | None
    is_set_apart: bool
    remarks: tuple[TextRange, ...] = ()


def build_classic(
    title_line: TitleLine,
    block: Block,
    setting: Setting,
    parts: tuple[LabelledLink, ...] = (),
    fields: SubLineFields | None = None,
) -> Entry:
    """Return an entry of the kind classic: a name, usually a link, and a description.

    `parts` are links below it: `- [Lecture Notes](u)`, `fields` what other lines below it state.
    """
    vocabulary, plain = setting.vocabulary, title_line.plain
    fields = fields or SubLineFields()
    links = entry_links(title_line, [], vocabulary)
    if title_line.title_link is not None and links[0].role is vocabulary.roles.get("project"):
        links = (links[0]._replace(role=None), *links[1:])  # a book, a talk, a post: its host does not tell
    is_linked = title_line.title_link is not None and title_line.shape == "linked"
    speaker = _find_speaker(title_line, are_named)
    if speaker is None and setting.names_speakers:
        speaker = _find_speaker(title_line, are_authors)
    title = speaker[0] if speaker is not None else _name(title_line)
    credit = speaker[1] if speaker is not None else None
    credit = credit or _find_maker(title_line, are_authors if setting.names_makers else are_named)
    description, credit, is_set_apart, remarks = _read_text(title_line, title.end, credit)
    if is_linked and description is None and is_description(plain.text[: title.start]):
        lead = plain.text[: title.start].rstrip(" :：-–—")
        description, is_set_apart = Field(lead.strip(), plain.span(0, len(lead))), True
    if description is None and (description := fields.text) is not None:
        is_set_apart = True
        fields.notes = [
            note for note in fields.notes if not note.span.start <= description.span.start < note.span.end
        ]
    if not is_linked:
        listed = {link.link.start for link in links}
        others = (link for link in plain.links if link.link.start not in listed)
        links += tuple(unlabelled_link(plain, link, vocabulary) for link in others)
    links += further_links(plain, links, vocabulary)
    identifiers = entry_identifiers(links)
    below = (*parts, *(LabelledLink(label.label, label.role, label.link.link) for label in fields.labels))
    if below and "github" not in identifiers and (repository := entry_identifiers(below).get("github")):
        identifiers["github"] = repository
    links += below
    authors, affiliations = fields.authors, fields.affiliations or leading_organisations(title_line)
    people = title_line.leading_authors
    if (
        people is not None
        and not authors
        and (title_line.year is not None or _stand_before(people, title_line))
    ):
        authors = find_people(plain, plain.text, *people)
    before = title_line.name if is_linked else None
    before = before if before is not None and before.end <= title.start else None
    stated = clean_field(plain, before) if before is not None else None
    if before is None or plain.text[before.start - 1 : before.start] not in OPENING:
        before = None  # `**OIC** - [Oak Institute of Cards](u)`
    elif credit is None and _is_maker(plain.text[slice(*before)]):
        credit, before = before, None  # `[Ada Stone] [Tidy Shelves](u)`
    if credit is not None and not authors:
        authors, organisations = _makers(plain, credit)
        affiliations = affiliations or organisations
    remarks = tuple(remark for remark in remarks if vocabulary.role(plain.text[slice(*remark)]) is None)
    if authors and not affiliations:  # `by Ada Stone (University of Oaks)`
        groups = [remark for remark in remarks if is_known_organisation(plain.text[slice(*remark)])]
        affiliations = [group for remark in groups for group in find_organisations(plain, *remark)]
        remarks = tuple(remark for remark in remarks if remark not in groups)
    name = clean_field(plain, title, braces=True)
    short = short_name(plain, title) if is_linked else None
    if stated is not None and before is None and names_something_only(stated.value):
        short, before = stated, None
    said = (before, *remarks) if before is not None else remarks
    notes = [clean_field(plain, words) for words in said]
    if short is not None and not _SHORT_NAME.fullmatch(short.value):
        short = None  # the subject of a talk or a post
    guessed = {"name"} if short is not None and " " in short.value else set()
    if not is_linked and title_line.shape not in ("strong", "emphasis", "quoted") and not links:
        guessed |= {"title", "name"}
    if description is not None and not is_set_apart and not _SENTENCE.match(description.value):
        guessed.add("description")
    return Entry(
        kind="classic",
        dialect=setting.dialect,
        title=name,
        name=short or name,
        description=description,
        authors=tuple(authors),
        affiliations=tuple(affiliations),
        notes=(*notes, *fields.notes),
        links=links,
        year=title_line.year.year if title_line.year is not None and is_linked else None,
        identifiers=identifiers,
        section=setting.section,
        span=Span(block.start, block.end),
        title_line=title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=block.last,
        guessed=frozenset(guessed),
    )


def _stand_before(people: TextRange, line: TitleLine) -> bool:
    """Return whether what stands before the link of a title surely is people: `Ada Stone, Ben Field; [Tidy Shelves](u)`."""
    words = line.plain.text[slice(*people)].strip(" ,.;:")
    is_before = line.title_link is not None and people.end <= line.title_link.start
    return is_before and (is_list_of_people(words) or are_named(words))


def _name(title_line: TitleLine) -> TextRange:
    """Return the name that a line begins with: its link, its bold words, or the words before a separator."""
    plain, title = title_line.plain, title_line.title or TextRange(0, 0)
    if title_line.title_link is not None and title_line.shape == "linked":
        link = title_line.title_link
        if _is_described(title_line, link):
            return title_line.name or title
        if link.link.form in ("bare", "autolink") and (named := _name_behind_address(plain, link.end)):
            return named
        # `[Tidy Shelves by Ada Stone](u)`
        close = plain.text.find(QUOTES.get(plain.text[link.start], CONSUMED), link.start + 1, link.end)
        if close > link.start + 1 and title.end <= close + 1:
            return TextRange(link.start + 1, close)
        behind = plain.text[title.end : link.end]
        is_ended = behind.startswith(" by ") or "\n" in behind or _DATE_BEHIND.fullmatch(behind)
        is_dated = title_line.year is not None and link.start <= title_line.year.start < title.start
        return TextRange(title.start if is_dated else link.start, title.end if is_ended else link.end)
    marked = (
        mark for mark in (*plain.strong, *plain.emphasis, *plain.code) if mark.start <= title.start < mark.end
    )
    if mark := next(marked, None):
        return TextRange(title.start, min(mark.end, title.end))
    first = next((link.start for link in plain.links if link.start > title.start), title.end)
    end = min(title.end, first)
    start = next((index for index in range(title.start, end) if plain.text[index].isalnum()), end)
    separator = None if title_line.shape == "quoted" else _NAME_END.search(title_line.unread, start, end)
    if separator is not None and _LAST_BRACKETS.fullmatch(plain.text, separator.start(), first):
        separator = None  # `Sorting Books (Part 2): https://shelf.example.org`
    if separator is not None:
        words = len(plain.text[title.start : separator.start()].split())
        is_colon = separator[0] in ":："
        if words <= (MAX_NAME_WORDS if is_colon else _MAX_NAME_WORDS) and not (
            is_colon and in_title_case(plain.text[separator.end() : end])
        ):
            return TextRange(title.start, separator.start())
    return TextRange(title.start, end)


def _name_behind_address(plain: PlainText, address_end: int) -> TextRange | None:
    """Return the name behind the address that a line begins with: `https://example.org Tidy Shelves - Sorts books`."""
    match = _BEHIND_ADDRESS.match(plain.text, address_end)
    if match is None or not (in_title_case(match["name"]) or _ONE_WORD.fullmatch(match["name"])):
        return None
    return TextRange(*match.span("name"))


def _find_maker(title_line: TitleLine, are_people: Callable[[str], bool]) -> TextRange | None:
    """Return an organisation in emphasis behind a name, or people at the end of its line: `[Oak](u) - Sorts books *Ada Stone*`."""
    text, title = title_line.plain.text, title_line.title
    last = len(text.rstrip(" ."))
    for mark in title_line.plain.emphasis:
        words = text[mark.start : mark.end]
        is_last = mark.end >= last and not _LEADS_ON.search(text, 0, mark.start)
        is_maker = names_organisation(words) or (is_last and are_people(words))
        if is_maker and title is not None and mark.start > title.end:
            return mark
    return None


def _is_described(title_line: TitleLine, link: TextLink) -> bool:
    """Return whether a link behind a name in bold says what it is: `**Shelves** - [Very tidy in winter](u)`."""
    name, plain = title_line.name, title_line.plain
    words = plain.text[link.start : link.end]
    is_text = words[:1].isupper() and len(words.split()) >= MAX_NAME_WORDS and not in_title_case(words)
    if name is None or name not in plain.strong or not is_text:
        return False
    is_set_apart = plain.text[name.end : link.start].strip() in ("-", "–", "—")
    return is_set_apart and not are_named(plain.text[name.start : name.end])


def _read_text(title_line: TitleLine, start: int, credit: TextRange | None) -> _Text:
    """Return what follows the name that ends at an offset. `credit` is who spoke or made it, if it is in a markup."""
    plain, link = title_line.plain, title_line.title_link
    if link is not None and start < link.start and _is_described(title_line, link):
        end = _text_end(plain, title_line.unread, link.start)
        value = _visible(plain.text, title_line.unread, link.start, end)
        return _Text(Field(value, plain.span(link.start, end)), None, True)
    start += plain.text[start : start + 1] in QUOTES.values()
    is_credited = plain.text.startswith(" by ", start)
    if link is not None and title_line.shape == "linked" and not is_credited:
        start = max(start, title_line.after_title)
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
    start = blanks.end() if (blanks := _BLANKS.match(masked, start)) else start
    end = _text_end(plain, masked, start)
    if credit is not None and start < credit.start < end and not plain.text[credit.end : end].strip(" ."):
        end = len(plain.text[: credit.start].rstrip(" ,"))  # `Sorts books *Ada Stone*.`
    value = _LAST_JOIN.sub("", _visible(plain.text, masked, start, end))
    separated = masked[first:start].strip()
    is_bracketed = _IN_BRACKETS.fullmatch(value) is not None and (value[0] == "（" or _are_words(value))
    if is_bracketed:
        start, end = start + 1, start + len(plain.text[start:end].rstrip(". ")) - 1
        value, is_set_apart = value.rstrip(".")[1:-1], True
    may_be_maker = separated == "," or (is_bracketed and not separated)
    led = of.end() if (of := _OF.match(value)) else 0
    if credit is None and (may_be_maker or led) and are_named(value[led:]):
        return _Text(None, TextRange(start + led, end), is_set_apart)
    is_label = any(link.start <= start and end <= link.end <= start + _MAX_LABEL for link in plain.links)
    is_text = not is_label and _is_text(value, is_set_apart)
    remarks = _remarks(masked, first, start if is_text else len(masked), credit)
    if credit is None:
        credit = next((remark for remark in remarks if _is_maker(plain.text[slice(*remark)])), None)
    remarks = tuple(remark for remark in remarks if remark != credit)
    return _Text(Field(value, plain.span(start, end)) if is_text else None, credit, is_set_apart, remarks)


def _is_maker(words: str) -> bool:
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


def names_speakers(lines: Iterable[TitleLine | None]) -> bool:
    """Return whether the lines of a list link to talks and name who speaks: many given names are among what may be people."""
    return _name_people(lines, _find_speaker)


def names_makers(lines: Iterable[TitleLine | None]) -> bool:
    """Return whether lines name in emphasis who made what they list."""
    return _name_people(lines, _find_maker)


def _name_people(
    lines: Iterable[TitleLine | None], find: Callable[[TitleLine, Callable[[str], bool]], object]
) -> bool:
    linked = [line for line in lines if line is not None and line.shape == "linked"]
    tests: tuple[Callable[[str], bool], ...] = (lambda _: False, are_named, are_authors)
    groups, named, likely = (sum(find(line, test) is not None for line in linked) for test in tests)
    return named - groups >= max(_MIN_SPEAKERS, groups, _MOST_SPEAKERS * (likely - groups))


def _find_speaker(
    title_line: TitleLine, are_people: Callable[[str], bool]
) -> tuple[TextRange, TextRange] | None:
    """Return the title and the people in a link: `[Tidy Shelves - Ada Stone (2018)](u)`, `[Ada Stone - Tidy Shelves (2018)](u)`."""
    link, text = title_line.title_link, title_line.plain.text
    if link is None or title_line.shape != "linked" or not _PARTED.search(text, link.start, link.end):
        return None
    last = _SPEAKER_LAST.search(text, link.start + 1, link.end)
    if last is not None and _are_speakers(last[last.lastindex or 0], are_people):
        return TextRange(link.start, last.start()), TextRange(*last.span(last.lastindex or 0))
    first = _SPEAKER_FIRST.fullmatch(text, link.start, link.end)
    if first is not None and _are_speakers(first["names"], are_people):
        return TextRange(*first.span("title")), TextRange(*first.span("names"))
    return None


def _are_speakers(names: str, are_people: Callable[[str], bool]) -> bool:
    """Return whether words are people: one of four words and more is none, `Ada Stone Fireside Chat`."""
    is_long = names.istitle() and names.count(" ") >= MAX_NAME_WORDS and not _JOINED.search(names)
    return not is_long and " " in names and are_people(names)


def _are_words(words: str) -> bool:
    """Return whether words in brackets are a text, and no number, list of tags or maker: `(2 parts)`, `(Go, Rust)`, `(MIT)`."""
    parts = [part.split() for part in words.strip("(). ").split(",")]
    spelt = sum(1 for part in parts for word in part if word.isalpha())
    return spelt > 1 and max(map(len, parts)) > 1 and not names_organisation(words)


def _is_text(value: str, is_set_apart: bool) -> bool:
    """Return whether words are a description, and no price, address, tag or remark: `$5`, `(2 parts)`, `FREE`, `#free`."""
    words = value if is_set_apart else _BRACKETS.sub("", value)
    no_texts = (_PRICE, _ADDRESS, _TAGS)
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
        if _is_address_of_name(link, title_line) or (
            link.end - link.start <= 40 and (before_next or _NEXT_LINK.match(masked, link.end))
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
        is_own = said and not any(map(str.isalnum, masked[link.end : stop])) and not _LEADS_ON.search(said)
        if is_own and said.count("(") <= said.count(")"):
            behind.append(link)
            stop = link.start
            continue
        is_written_out = not last and link.link.form in ("bare", "autolink")
        if link.start <= done or (not is_written_out and any(map(str.isalnum, masked[link.end : stop]))):
            break
        if not is_written_out and link.end - link.start > _MAX_LABEL:
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


def _text_end(plain: PlainText, masked: str, start: int) -> int:
    """Return where a text ends: before the labels and tags behind it, unless they are words of its last sentence."""
    end = len(masked.rstrip(" \n|"))
    is_stopped = masked.endswith(f"{CONSUMED}.", start, end)  # `Board of shelves. [Website](u).`
    tail = _TAIL.match(masked[start : end - is_stopped][::-1])
    first = end - is_stopped - (tail.end() if tail else 0)
    if is_stopped and not masked.endswith(_ENDS, start, first):
        return end
    behind, before = masked[first:end], masked[start:first]
    if behind.isascii() and CONSUMED not in behind and _TAG not in behind:
        return end
    if not before or before.endswith(_ENDS) or any(mark in behind for mark in _MARKS):
        return first
    if plain.text[first:end].lstrip()[:1] in ("(", "[", "（"):
        return first
    if CONSUMED in behind:
        return first
    is_code = _TAG in behind and f"{_TAG} {_TAG}" not in behind  # `Wraps box`
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
    return value.replace("( ", "(").strip("\u200b\u200e\u200f ")


def _makers(plain: PlainText, credit: TextRange) -> tuple[list[Field], list[Field]]:
    """Return the people and the organisations of a credit: `by Ada Stone`."""
    start, end = credit.start, len(plain.text[: credit.end].rstrip(" -–—|"))
    names = plain.text[start:end].strip()
    if names.startswith("@"):
        handles = _HANDLE.finditer(plain.text, start, end)
        return [Field(handle[0], plain.span(*handle.span())) for handle in handles], []
    at = _WORKS_AT.search(plain.text, start, end)
    others = _OTHERS.search(plain.text, start, at.start() if at else end)
    people_end = others.start() if others else at.start() if at else end
    title = _PROFESSOR.match(plain.text, start)
    first = title.end() if title else start
    if are_authors(plain.text[first:people_end], minimum=0):
        is_occasion = at is None or find_year(plain.text[at.end() : end]) is not None
        organisations = [] if at is None or is_occasion else find_organisations(plain, at.end(), end)
        return find_people(plain, plain.text, first, people_end), organisations
    comma = plain.text.rfind(", ", first, end)
    if comma > 0 and names_organisation(plain.text[comma:end]) and are_authors(plain.text[first:comma]):
        return find_people(plain, plain.text, first, comma), find_organisations(plain, comma + 2, end)
    if any((link.start, link.end) == credit for link in plain.links) and not names_organisation(names):
        return [Field(names, plain.span(start, end))], []
    return [], find_organisations(plain, start, end) if are_organisations(names.rstrip(".")) else []


def _shortcodes(link: TextLink) -> str:
    """Return what an emoji in a link is written as, if it is all of its text: `[:scroll:](u)`."""
    return "".join(node.value for node in link.link.children if isinstance(node, Text))


def further_links(
    plain: PlainText, links: tuple[LabelledLink, ...], vocabulary: Vocabulary
) -> tuple[LabelledLink, ...]:
    """Return the links of a line that are not among `links`. Those in prose have a role only if their text has one."""
    if len(plain.links) <= len(links):
        return ()
    listed = {link.link.start for link in links}
    further: list[LabelledLink] = []
    for link in plain.links:
        if link.link.start in listed:
            continue
        shown = plain.text[link.start : link.end] or _shortcodes(link)
        if label := " ".join(shown.split()):
            role = vocabulary.role(label)
            is_icon = link.start == link.end or not any(map(str.isalnum, label))
            if role is None and (by_host := vocabulary.role("", link.link.url)):
                role = by_host if is_icon or by_host.id in _TELLING_ROLES else None
            further.append(LabelledLink(label, role, link.link))
        elif (role := vocabulary.role("", link.link.url)) and (label := icon_text(link.link)):
            further.append(LabelledLink(label, None if "awesome" in label.casefold() else role, link.link))
    return tuple(further)
