"""The sub-lines of an entry: authors, affiliations, citations, labels and notes below its title line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.entry_fields import clean_field
from shelfread.document.entry.link_labels import (
    CONSUMED,
    LinkLabel,
    badge_mention,
    blank_out,
    clean_label,
    find_labels,
    has_words,
)
from shelfread.document.entry.prefix import MAX_NAME_WORDS, names_something
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Citation, Field
from shelfread.document.plain_text import PlainText, TextRange, render_plain_text
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    names_organisation,
    organisations_in_brackets,
)
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    are_authors,
    are_named,
    are_names,
    find_people,
    is_list_of_people,
    people_and_organisations,
)
from shelfread.document.recognizers.unlisted_venues import find_unlisted, find_venues
from shelfread.document.recognizers.venues import (
    WORD,
    Mention,
    blank_mentions,
    find_mentions,
    is_citation,
    only_cites,
)
from shelfread.document.years import DATE_AT_END, MONTH, find_year
from shelfread.markdown.node import Block, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

_WORDS = {
    "authors": r"authors?|author\(s\)|researchers?|by|speakers?|作者",
    "teachers": r"instructors?|lecturers?|teachers?|hosts?|讲师",
    "affiliations": r"affiliations?|institut(?:e|ion)s?(?: affiliations?)?|organi[sz]ations?|labs?|机构|单位",
    "venue": r"(?:venue|conference|journal)(?: info(?:rmation)?)?|publi(?:shed|cation)(?: (?:in|at|venue))?|会议|期刊|来源|发表[于在]",
    "year": r"years?(?: of publication)?|publication year|date|published on|publication date|publish date|(?:发表)?(?:时间|日期)|(?:发表)?年份",
    "links": r"links?|urls?|papers?(?: links?| urls?)?|pdf|arxiv|doi|codes?|github|repo(?:sitory)?|source(?: code)?|project(?: page)?|"
    r"home ?page|web ?site|page|demo|dataset|data|video|slides|blog(?: post)?|poster|openreview|model|weights|implementation|"
    r"official code|论文|链接|代码|项目|主页",
    "note": r"abstract|summary|tl;?dr|key ?words?|key (?:ideas?|contributions?|insights?|findings?|results?)|contributions?|"
    r"notes?|comments?|description|motivation|methods?|main idea|highlights?|problem|results?|trace|example|"
    r"e\.g|status|tags?|topics?|bib ?tex|citation|摘要|简介|概[述要]|总结|关键词|备注",
}
_FIELD = lazy(
    r"[^\w\0]*(?:[^\W\d_]{2,12}/)?(?:"
    + "|".join(f"(?P<{kind}>{words})" for kind, words in _WORDS.items())
    + r")(?:\s?[:：](?!\d{4}\.\d)|(?<=e\.g)\.,?)\s*",  # `arXiv:2101.00001` is a number
    re.IGNORECASE,
)
_FIELD_NAME = lazy(r"[^\w\0:：]{0,9}(?P<name>[^\W\d][^:：\n]{0,30}?)[ *_]{0,4}[:：](?!//)[ *_]{0,4}")
_DESCRIBING = lazy(
    r"(?:short )?(?:descriptions?|about|summary|overview|introduction|intro)|tl;?dr|abstract|\w{0,6}(?:简介|介绍|描述|説明|说明|簡介|摘要|概[述要]|总结)",
    re.IGNORECASE,
)
UNFILLED = lazy(r"\W*(?:to ?do|tb[ad]|n/?a|none|coming soon)\W*", re.IGNORECASE)
_SENTENCE = lazy(r"(?<=\w\.)\s")
_BRACKETED = lazy(r"\s{0,9}\(([^()]{2,100})\)\s{0,9}")
_IN_BRACKETS = lazy(r"[(（][^()（）]{2,100}[)）]")
_EMPTY_BRACKETS = lazy(r"[(\[{][\0\s.,;}]*[)\]]")
# The year behind people: `Ada Stone (2016)`, `Ada Stone, 5/1988`.
_DATED = lazy(r"(?:(?<!\b[A-Z])\.)?[\s,]{0,3}\(?(?:\d{1,2}/)?(?P<year>(?:19[5-9]|20[0-3])\d)\)?[\s.,]{0,3}$")
_REFERENCE = lazy(
    r"[^.\0\n]{10,200}\.\s(?P<people>[A-Z][^\0\n:]{4,300}?)\.\s\(?(?P<year>(?:19[5-9]|20[0-3])\d)\)?\.\s?"
)
_LABELLED_VENUE = lazy(
    r"(?P<name>[^\W\d_a-z][^\0\n,;|()]{2,100}?)(?:,\s(?:vol|no|pp)\b[^\0\n]{1,60}?)?(?P<year>[\s,(]{1,3}"
    rf"(?:(?i:{MONTH})\.?\s)?(?:19|20)\d\d)?(?:\s?\(\d{{1,3}}\))?[)\s.]{{0,3}}$"
)
_NOT_LETTERS = lazy(r"[\W\d_]+")
_BEFORE_TEXT = lazy(r":\s|\s[-–—]\s")
_GROUP, _BLANK = r"[(\[][^()\[\]\0]{1,40}[)\]]", r"[\0\s*_|,]*"
_ROW = lazy(
    rf"[\W_]{{0,9}}?(?P<name>[^\W_][^\0\n.,:]{{0,40}})\0{_BLANK}(?P<rest>{_GROUP}(?:{_BLANK}{_GROUP})*)?{_BLANK}"
)
_MAX_LENGTH = 2000
_MAX_DATED = 200
_SCORES = lazy(r":\s{0,3}\d{1,2}(?:,\s?\d{1,2})+$")  # `OpenReview: 8, 6, 6`


def read_labelled_field(text: str) -> tuple[str, int] | None:
    """Return the kind of a labelled field and the offset of its value, or None for any other line."""
    if ":" not in text[:40] and "：" not in text[:40]:
        return None
    match = _FIELD.match(text)
    if match is None or _is_in_brackets(text, match.start(match.lastgroup or 0)):
        return None
    return match.lastgroup or "", match.end()


def _is_in_brackets(text: str, start: int) -> bool:
    """Return whether a label is in brackets that end before the line does: `(Dataset: Oak) Tidy Shelves`."""
    return "(" in text[:start] and not text.rstrip(" .").endswith(")")


def read_field_name(plain: PlainText) -> str | None:
    """Return the words before the colon that a line begins with: `Live demo: [here](u)`, or None."""
    found = _find_label(plain)
    return found[0] if found is not None else None


def part_label(plain: PlainText) -> str:
    """Return the label that a nested item begins with, without its number: `Screenshot`, `地址`. Empty if there is none."""
    label = read_field_name(plain) or ""
    first = plain.links[0] if plain.links else None
    if not label and first is not None and not plain.text[: first.start].strip(" [(*_"):
        label = _BEFORE_TEXT.split(plain.text[first.start : first.end], maxsplit=1)[0]
        label = "" if first.link.url.startswith("#") else label
    return " ".join(_NOT_LETTERS.split(label.casefold())).strip() if len(label.split()) <= 4 else ""


def _find_label(plain: PlainText) -> tuple[str, int] | None:
    """Return the words before a colon, or those in bold that say that the others describe: `**Abstract.** Sorts`; and where those begin."""
    bold = plain.strong[0] if plain.strong and plain.strong[0].start == 0 else None
    words = plain.text[: bold.end].strip(" .:") if bold is not None else ""
    if bold is not None and _DESCRIBING.fullmatch(words):
        return words, len(plain.text) - len(plain.text[bold.end :].lstrip(" .:：-–—"))
    match = _FIELD_NAME.match(plain.text)
    if match is None or any(link.start < match.end("name") < link.end for link in plain.links):
        return None
    if _is_in_brackets(plain.text, match.start("name")):
        return None
    return match["name"].strip(), match.end()


def describes(inlines: tuple[Inline, ...]) -> bool:
    """Return whether a text says that it describes what stands above it: `Description: Keeps books in order.`"""
    name = read_field_name(render_plain_text(inlines))
    return name is not None and _DESCRIBING.fullmatch(name) is not None


class SubLine(NamedTuple):
    """The first line of a further paragraph or nested item of an entry."""

    block: Block
    inlines: tuple[Inline, ...]
    plain: PlainText
    labels: list[LinkLabel]
    unread: str  # `plain.text` with CONSUMED in place of every character of its labels


class SubLineFields:
    """The fields that the sub-lines of an entry state. `guessed` are those that only their position suggests."""

    def __init__(self) -> None:
        self.mentions: list[tuple[PlainText, Mention]] = []
        self.badge: Citation | None = None  # the venue on a badge
        self.name: Field | None = None  # the one before the labels of a row
        self.authors: list[Field] = []
        self.affiliations: list[Field] = []
        self.notes: list[Field] = []
        self.text: Field | None = None  # the plain text of the first note, if it may describe the entry
        # the text behind the first label that says that it describes the entry, or the prose of the first paragraph.
        self.summary: Field | None = None
        self.labels: list[LinkLabel] = []
        self.year: int | None = None
        self.guessed: set[str] = set()

    def add_mentions(self, line: SubLine, mentions: list[Mention]) -> None:
        """Add the mentions and labels of a line."""
        self.mentions += [(line.plain, mention) for mention in mentions]
        self.labels += line.labels


def parse_sub_line(
    block: Block, vocabulary: Vocabulary, usual: frozenset[str] = frozenset()
) -> SubLine | None:
    """Return the first line of a block below a title, or None if the block does not begin with a paragraph.

    `usual` has the labels that many lines of the list have.
    """
    first = block if block.kind == "paragraph" else block.blocks[0] if block.blocks else None
    if first is None or first.kind != "paragraph":
        return None
    plain = render_plain_text(first.inlines)
    if not plain.links:
        return SubLine(block, first.inlines, plain, [], plain.text)
    if label := _leading_label(plain, vocabulary):
        return SubLine(block, first.inlines, plain, [label], CONSUMED * len(plain.text))
    labels, cited = find_labels(plain, vocabulary, False, usual)
    if len(labels) < len(plain.links) > 1:
        labels = _only_links(plain, vocabulary) or labels
    return SubLine(block, first.inlines, plain, labels, blank_out(plain.text, labels, cited))


def _leading_label(plain: PlainText, vocabulary: Vocabulary) -> LinkLabel | None:
    """Return the label before the only link of a line: `paper [Tidy Shelves](u)`."""
    link, text = plain.links[0], plain.text
    before = text[: link.start].strip(" :：-*_")
    if len(plain.links) > 1 or not before or len(before) > 40 or has_words(text[link.end :]):
        return None
    if vocabulary.role(text[link.start : link.end].strip("[]() ")) is not None:
        return None  # `Paper: [PDF](u)`
    role = vocabulary.role(before)
    return LinkLabel(before, role, link) if role is not None else None


def is_label_line(line: TitleLine | SubLine) -> bool:
    """Return whether a line has nothing but labels, one of them for a paper."""
    papers = (label.role is not None and label.role.id == "paper" for label in line.labels)
    return any(papers) and not has_words(line.unread)


def labelled_title(name: Field, lines: Iterable[SubLine]) -> Field | None:
    """Return the title of the one paper whose name stands above its label: `Paper: [Tidy Shelves](u)`."""
    if len(name.value.split()) > MAX_NAME_WORDS:
        return None
    titles = [
        clean_field(line.plain, TextRange(label.link.start, label.link.end))
        for line in lines
        for label in line.labels
        if label.role is not None and label.role.id == "paper"
    ]
    is_title = len(titles) == 1 and in_title_case(titles[0].value) and len(titles[0].value.split()) > 2
    return titles[0] if is_title else None


def collect_fields(
    lines: list[SubLine], source: str, vocabulary: Vocabulary, of_paper: bool = True
) -> SubLineFields:
    """Return the fields of the lines below a title: of a paper, or else those that a label states. Others are notes."""
    fields = SubLineFields()
    for index, line in enumerate(lines):
        if not line.inlines:
            continue
        if line.plain.images and fields.badge is None:
            fields.badge = badge_mention(line.plain.images, vocabulary)
        if line.labels and not has_words(line.unread):
            fields.add_mentions(line, [])
        elif (
            len(line.plain.links) == 1
            and (of_paper or is_address(line))
            and (labels := _only_links(line.plain, vocabulary))
        ):
            fields.labels += labels
        elif _SCORES.search(line.plain.text) or not (
            _read_labelled(line, fields, vocabulary)
            or (of_paper and _read_citation(line, fields, vocabulary))
            or (of_paper and _read_people_and_organisations(line, fields, vocabulary))
            or (of_paper and _read_reference(line, fields, vocabulary))
            or (of_paper and index == 0 and _read_organisations(line.plain, fields))
            or (of_paper and _read_people_and_venue(line, fields, vocabulary))
            or (of_paper and len(lines) == 1 and _read_row(line, fields))
        ):
            span = Span(line.inlines[0].start, line.inlines[-1].end)
            text = _describing_text(line.plain)
            is_named = read_field_name(line.plain) is not None
            if not fields.notes or is_named:
                fields.text = fields.text or text
            if is_named or (line.block.kind == "paragraph" and text is not None and is_prose(text.value)):
                fields.summary = fields.summary or text
            fields.notes.append(Field(source[span.start : span.end].strip(), span))
            fields.labels += [label for label in line.labels if label.role is not None or not of_paper]
            if line.block.kind == "paragraph":
                fields.labels += _links_in_text(line, vocabulary)
    return fields


def _links_in_text(line: SubLine, vocabulary: Vocabulary) -> list[LinkLabel]:
    """Return the links in a text that are no labels: `Sorts books, as [Elm](u) does.`"""
    known = {label.link.start for label in line.labels}
    found = ((" ".join(line.plain.text[link.start : link.end].split()), link) for link in line.plain.links)
    return [
        LinkLabel(text, vocabulary.role(text), link)
        for text, link in found
        if text and link.start not in known
    ]


def is_address(line: SubLine) -> bool:
    """Return whether a line is the address of one thing and no other words."""
    links, text = line.plain.links, line.plain.text
    is_one = len(links) == 1 and links[0].link.form in ("bare", "autolink")
    return is_one and not has_words(text[: links[0].start] + text[links[0].end :])


def _only_links(plain: PlainText, vocabulary: Vocabulary) -> list[LinkLabel]:
    """Return the links that a line consists of, as labels: `[Reading note by Ada](u)`, `[Paper](u) | [Code (soon)](v)`."""
    if has_words(blank_out(plain.text, [], plain.links)):
        return []
    labels: list[LinkLabel] = []
    for link in plain.links:
        label = " ".join(plain.text[link.start : link.end].split())
        words = clean_label(label).split()
        if not 0 < len(words) <= 6:
            return []
        roles = (vocabulary.role(" ".join(words[:size])) for size in (3, 2, 1))
        role = next(filter(None, roles), None) or vocabulary.role("", link.link.url)
        labels.append(LinkLabel(label if len(plain.links) == 1 else clean_label(label), role, link))
    return labels


# `Edits meshes`, `Fast rays.`; but no `Windows only`
_SHORT_SENTENCE = lazy(
    r"(?!(?:Windows|Docs|Details|Notes|Slides|Requires|Needs)\b)(?:[A-Z][a-z]+[^s\W]s [a-z]{3,}|[A-Z][\w-]+ [a-z][\w-]{2,}\.)"
)


def _describing_text(plain: PlainText) -> Field | None:
    """Return a line's text without the word that labels it, or None if it has another label, or none and is no prose."""
    name, start = _find_label(plain) or (None, 0)
    if name is not None and not plain.text[start:].strip() and name.startswith(("A ", "An ", "The ")):
        name, start = None, 0  # `A tool for many things:`
    if name is not None and not _DESCRIBING.fullmatch(name):
        return None
    text = plain.text[start:].rstrip()
    bare = plain.text
    for first, end in (*((link.start, link.end) for link in plain.links), *plain.code):
        bare = bare[:first] + " " * (end - first) + bare[end:]
    words = bare[start:].split()
    lower = sum(word[0].islower() for word in words)
    is_text = lower > 1 if text.isascii() else len("".join(words)) > 5
    is_text = is_text or (lower == 1 and not plain.links and _SHORT_SENTENCE.fullmatch(text) is not None)
    is_text = is_text or (name is not None and not plain.links and has_words(text))
    return Field(" ".join(text.split()), plain.span(start, start + len(text))) if is_text else None


# The functions below add what a line states to the fields, and return whether they recognised the line.


def _read_labelled(line: SubLine, fields: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Read a labelled field: `Authors: ...`, `Link: ...`."""
    plain = line.plain
    labelled = read_labelled_field(plain.text)
    if labelled is None or (labelled[0] == "affiliations" and plain.links):  # `Labs: [Course Labs](u)`
        return _read_unknown_label(line, fields, vocabulary)
    kind, start = labelled
    value, end = plain.text[start:], len(plain.text)
    if value.strip() and not plain.links and (not has_words(value) or UNFILLED.fullmatch(value)):
        return True  # `Institutions: —`, `Summary: TODO`
    if plain.links and (kind == "links" or (kind == "venue" and value.startswith("http"))):
        word = plain.text[:start].strip(" :：*_-")
        for link in plain.links:
            label = plain.text[link.start : link.end].strip()
            told = label if len(label) < 40 and vocabulary.role(label) else word
            fields.labels.append(LinkLabel(label or word, vocabulary.role(told, link.link.url), link))
        behind = plain.links[-1].end
        if cited := _BRACKETED.fullmatch(plain.text, behind):  # `Publication: https://... (ICML 2021)`
            mentions = find_venues(cited[1], vocabulary)
            fields.mentions += [(plain, mention.shift(cited.start(1))) for mention in mentions]
        return True
    if kind in ("authors", "teachers") and not fields.authors:
        if (dated := _DATED.search(value)) and fields.year is None:
            fields.year, value = int(dated["year"]), value[: dated.start()]
            end = start + len(value)
        text = plain.text
        if groups := organisations_in_brackets(plain, text, start, end):  # `Ada Stone et al. (Oxford)`
            fields.affiliations += groups
            text = _IN_BRACKETS.sub(lambda match: CONSUMED * len(match[0]), text)
            value = text[start:end].replace(CONSUMED, " ")
        mixed = people_and_organisations(plain, " " * start + value.rstrip(" .*"), minimum=1)
        if mixed is not None:
            fields.authors, fields.affiliations = mixed
            return True
        names_groups = names_organisation(value) or not are_names(value)  # family names alone are as short
        if names_groups and are_organisations(value) and not are_authors(value):
            fields.affiliations += find_organisations(plain, start, end)
        elif are_authors(value, minimum=0) or are_names(value):
            fields.authors += find_people(plain, text, start, end)
        else:
            return False
        return True
    if kind == "affiliations":
        fields.affiliations += find_organisations(plain, start, end)
        return True
    if kind in ("venue", "links"):
        mentions = find_venues(value, vocabulary)
        if kind == "venue" and not mentions and (written := _LABELLED_VENUE.match(value)):
            year = find_year(written["year"] or "")
            mentions = [Mention(*written.span(), None, *written.span("name"), year.year if year else None)]
        fields.mentions += [(plain, mention.shift(start)) for mention in mentions]
        return bool(mentions)
    if kind == "year" and (stated := find_year(value)):
        fields.year = stated.year
        return True
    return False


def _read_unknown_label(line: SubLine, fields: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Read links or a venue behind a word that is no known label: `Seat: https://github.com/stone/shelf`, `Intro: ICML 2021`."""
    plain, found = line.plain, _find_label(line.plain)
    if found is None:
        return False
    name, start = found
    for piece in _SENTENCE.split(plain.text[start:]):  # `ICML 2021. University of Shelves`
        if (mentions := find_mentions(piece, vocabulary)) and is_citation(piece, vocabulary):
            fields.mentions += [(plain, mention.shift(start)) for mention in mentions]
            return True
        start += len(piece) + 1
    if not plain.links or has_words(plain.text[plain.links[-1].end :]):
        return False
    if plain.text[: plain.links[0].start].rstrip(" *_")[-1:] not in (":", "："):
        return False
    for link in plain.links:
        fields.labels.append(LinkLabel(name, vocabulary.role(name, link.link.url), link))
    return True


def _read_citation(line: SubLine, fields: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Read a line that is nothing but a venue and a year: `ICML'19`, `In *Annals of Shelves*, 2019`."""
    text = line.unread.replace(CONSUMED, " ")
    mentions = find_mentions(text, vocabulary) if len(text) <= _MAX_DATED else ()
    whole = None if mentions else find_unlisted(text, "line")
    if whole is None and not (mentions and is_citation(text, vocabulary)):
        return False
    fields.add_mentions(line, [*mentions] if whole is None else [whole])
    if not any(mention.year for mention in mentions) and (stated := find_year(text)):
        fields.year = fields.year or stated.year  # `[KDD] (2014)`
    return True


def _read_people_and_organisations(line: SubLine, fields: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Read a line of people and their organisations, with or without a venue."""
    if fields.authors or len(line.unread) > _MAX_LENGTH:
        return False
    mentions = find_mentions(line.unread, vocabulary)
    text = blank_mentions(line.unread, mentions, CONSUMED)
    text = _EMPTY_BRACKETS.sub(lambda match: CONSUMED * len(match.group()), text)
    byline = people_and_organisations(line.plain, text.replace(CONSUMED, " ").rstrip(" .*"))
    if byline is None:
        return False
    fields.authors, fields.affiliations = byline
    fields.add_mentions(line, mentions)
    return True


def _read_reference(line: SubLine, fields: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Read a title, its people and its citation, each ended by a full stop: `Tidy Shelves. Ada Stone, Ben Field. 2019. KDD.`"""
    match = _REFERENCE.match(line.unread) if len(line.unread) <= _MAX_LENGTH else None
    if match is None or fields.authors or not are_authors(match["people"], minimum=1):
        return False
    fields.authors = find_people(line.plain, line.unread, *match.span("people"))
    fields.year = fields.year or int(match["year"])
    start = match.end()
    for piece in _SENTENCE.split(line.unread[start:]):
        if mentions := find_venues(piece, vocabulary):
            fields.add_mentions(line, [mention.shift(start) for mention in mentions])
            return True
        start += len(piece) + 1
    fields.add_mentions(line, [])
    return True


def _read_organisations(plain: PlainText, fields: SubLineFields) -> bool:
    """Read a first line of organisations only."""
    text = plain.text
    are_tags = bool(plain.code) and not names_organisation(text)
    if (
        are_tags
        or not are_organisations(text)
        or only_cites(text)
        or (text.count(",") > 1 and are_authors(text, minimum=3))
    ):
        return False
    fields.affiliations += find_organisations(plain, 0, len(text))
    return True


def _marked_people(plain: PlainText) -> tuple[int, int]:
    """Return the range of the people in emphasis at the beginning of a line, or (0, 0)."""
    for start, end in (*plain.emphasis, *plain.strong):
        if not plain.text[:start].strip() and are_authors(plain.text[start:end], minimum=1):
            goes_on = plain.text[start:end].endswith(",") and are_authors(
                plain.text[start:].replace("*", " ")
            )
            return start, len(plain.text) if goes_on else end  # `*Ada Stone,* Ben Field,* Lin Wu*`
    return 0, 0


def _read_people_and_venue(line: SubLine, fields: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Read a line of authors, a citation, or both."""
    plain, text = line.plain, line.unread.rstrip(" :")
    name = _FIELD_NAME.match(text)
    if name is not None and is_prose(text[name.end() :]):
        return False  # `**Key Contributions**: Shows that books keep their order.`
    is_label = len(line.block.blocks) > 1 and plain.text.rstrip()[-1:] in (":", "：")
    if is_label and not (are_named(text) or is_list_of_people(text)):
        return False  # `**Key Results**:`, and the results below it
    mentions = find_mentions(text, vocabulary)
    people, stop, venue = text.rpartition(". ")
    if not mentions and are_authors(people) and (cited := find_unlisted(stop + venue, "title")):
        mentions = [cited.shift(len(people))]  # `... Nathan Kallus. JASA, 2020.`
    without_venue = blank_mentions(text, mentions, CONSUMED)
    if mentions and len(plain.emphasis) == 1 and 0 < plain.emphasis[0].start < mentions[0].start:
        without_venue = blank_out(without_venue, [], plain.emphasis)  # `Ada Stone, *Tidy Shelves*, KDD 2014`
    bare = _EMPTY_BRACKETS.sub(" ", without_venue).replace(CONSUMED, " ")
    bare = bare.strip(" ,;*").lstrip(".")
    undated = DATE_AT_END.sub("", bare)
    cites = mentions and (is_citation(text, vocabulary) or not WORD.search(undated))
    start, end = _marked_people(plain)
    if end and not mentions and (whole := find_unlisted(text[end:], "line")):
        mentions = [whole.shift(end)]  # `**Ada Stone** *(Annals of Shelves, 2019)*`
    is_led = False
    if not end and (lead := BEFORE_PEOPLE.match(without_venue)) and (is_led := lead[0][-1:].isspace()):
        start, undated = lead.end(), BEFORE_PEOPLE.sub("", undated, count=1)
    if not cites and not end and not are_authors(undated, minimum=0 if mentions else 1 if is_led else 2):
        is_one = bare.istitle() and 1 < len(bare.split()) < 5 and are_authors(bare)
        if fields.authors or not is_one or are_organisations(bare):
            return False
        fields.guessed.add("authors")
    if not cites and not fields.authors:
        end = end or len(without_venue)
        fields.authors += find_people(plain, without_venue, start, end)
        if not fields.affiliations:
            labelled = min((label.link.start for label in line.labels), default=end)
            fields.affiliations += organisations_in_brackets(plain, without_venue, start, min(end, labelled))
        if not mentions and fields.year is None and (stated := find_year(text)):
            fields.year = stated.year
    fields.add_mentions(line, mentions)
    return True


def _read_row(line: SubLine, fields: SubLineFields) -> bool:
    """Read a name before a row of labels, with what stands in brackets behind them as a note: `TS [[paper]](u) **(no code)**`."""
    match = _ROW.fullmatch(line.unread) if line.labels else None
    if match is None or not names_something(name := match["name"].rstrip(" [(:")):
        return False
    fields.name = clean_field(line.plain, TextRange(match.start("name"), match.start("name") + len(name)))
    if match["rest"] is not None:
        rest = match.span("rest")
        fields.notes.append(Field(match["rest"].replace(CONSUMED, ""), line.plain.span(*rest)))
    fields.add_mentions(line, [])
    return True
