"""The title line of an entry: its prefix, name, title and label links, and the citation after the title."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import (
    CONSUMED,
    LinkLabel,
    badge_mention,
    badge_year,
    blank_out,
    clean_label,
    find_labels,
    has_words,
    names_what_is_described,
)
from shelfread.document.entry.prefix import MAX_NAME_WORDS, TitlePrefix, names_nothing, read_prefix
from shelfread.document.entry.readings import Line, Reading, find_title_as, with_name
from shelfread.document.entry.remarks import SMALL_WORDS
from shelfread.document.entry.title_ends import LINE_END, TitleEnd
from shelfread.document.entry.titles import Title, extended_end, find_title, is_attribution, range_at
from shelfread.document.model import Citation
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.leading_people import find_leading_people
from shelfread.document.recognizers.organisations import is_known_organisation
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    are_authors,
    are_surely_people,
    has_title_word,
    is_list_of_people,
)
from shelfread.document.recognizers.unlisted_venues import (
    Place,
    find_unlisted,
    find_venue_label,
    find_venues,
    has_venue_form,
    is_acronym,
    states_citation,
)
from shelfread.document.recognizers.venues import (
    Mention,
    find_mentions,
    is_citation,
    rank_mention,
    venue_index,
)
from shelfread.document.years import (
    DATE,
    SUBJECT_YEAR,
    YEAR,
    YEAR_FOLLOWS,
    YearMention,
    find_year,
    find_year_at_end,
)
from shelfread.markdown.node import Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

# A citation follows its title closely. Further on there is prose.
_MAX_CITATION_DISTANCE = 400
_LAST_PART, _MAX_VENUE = 60, 12
_MAX_PEOPLE = 300
_NEAR = 9
_NAME_OF_ONE = lazy(r"[a-z][A-Z]")
_NAME_IN_LEAD = lazy(
    r"[\s,:|–—-]{0,9}(?P<name>[^\W_][\w+&^.-]{0,40}(?: [^\W_][\w+&^.-]{0,40}){0,2})(?P<dash>\s{1,9}[-–—]{1,2})?\s{0,9}"
)
_INSIDE_NAME = lazy(r"\w[A-Z]|[^\W\d]\d|\d[^\W\d]")
# The address of a link that is none: `[Tidy Shelves]([https://a.org](v)`, `[Tidy Shelves](https://a.org https://b.org)`.
_BROKEN_ADDRESS = lazy(r"\]\(https?://(?:[^()\n\0]{0,300}\)|[^\s()]*)")
# Slips of `et al`.
_ET_AL = lazy(r"(?<=[^\W\d_][ ,])(?:(?:el|at|ed|en) al|[ea]t el)\b")
_BLANKED = lazy(r"\]\(\0+")
# What may begin a prefix, end a title early, or cannot be part of a name.
_NOT_SIMPLE_NAME = lazy(r"^[^\w]|[\s.,:;-]$|[.?!,;]\s|\s[-–—|]\s|[\n\[\](){}（）【】\"“”]")
_BRACKETED = lazy(r"[(\[（【]([^()\[\]（）【】\0]{2,100})[)\]）】]")
_YEAR_IN_BRACKETS = lazy(
    r"\s?[(\[（]\s*(?:(?:[A-Z\d&][\w&.'’-]{0,40}|et|al\.?|and|of|published)[ ,]{1,3}){0,4}?(?:\d{1,2}/){0,2}(19\d\d|20[0-3]\d)(?:[-./]\d{1,2}){0,2}\s*[)\]）]"
    r"|[,.|]\s{0,9}((?:19[5-9]|20[0-3])\d)\s{0,9}\.?\s{0,9}$"
    r"|^\s{0,3}[(（]((?:19[5-9]|20[0-3])\d)[,;:]\s[^()（）\0]{2,200}[)）]"
    r"|\n\s{0,3}((?:19[5-9]|20[0-3])\d)(?=\s?(?:[,.|\n]|$))"
)
# `[Tidy Shelves](u) 2019 Ada Stone et al. [PDF](v)`
_YEAR_FIRST = lazy(
    r"[\s,.]{0,3}(?P<year>(?:19[5-9]|20[0-3])\d)(?![\d-])[\s,.:]{0,3}(?P<people>[^|\n]{0,200}?)[\s(\[]*(?:\||$)"
)
_ABOUT_EVENT = lazy(r"\s?(?::|[-–—])\s{1,3}")
_DATED = lazy(r"\(\d{4}\)\.?$")
_YEAR_BEHIND = lazy(r"[*_]{0,2}\s{1,3}\((?P<year>(?:19[5-9]|20[0-3])\d)\)")
_BEFORE_VENUE = lazy(r"[\s,.:(–—-]*(?:\b(?:[Ii]n:?|[Pp]roc(?:eedings|\.)(?:\sof)?)(?:\sthe)?)?\s*$")
_TWO_FAMILIES = lazy(r"[A-Z][a-z][\w-]+ (?:and|&) [A-Z][a-z][\w-]+")
_SEGMENT = lazy(r"[^.,;|()\[\]（）【】\n\0]+")


class TitleLine(NamedTuple):
    """The parts of a title line. All ranges and offsets are those of `plain.text`."""

    plain: PlainText
    unread: str  # `plain.text` with CONSUMED in place of every character of labels and cited links
    shape: str  # linked, strong, emphasis, quoted, plain or none
    title: TextRange | None
    name: TextRange | None
    title_link: TextLink | None  # the link that the title is, or is part of
    labels: list[LinkLabel]
    mentions: list[Mention]  # the venues and years before and after the title, those with a year first
    year: YearMention | None  # a year without a venue
    after_title: int  # where the text after the title begins
    # the end of a title that begins with a linked name: `[Orca](u): A Serving System`.
    extended_end: TitleEnd | None
    leading_authors: TextRange | None = None  # authors before the title, as in a bibliography
    badge: Citation | None = None  # the venue on a badge
    # the link to the paper whose text is its authors and year: `Tidy Shelves. [Stone, Field (1999)](u)`.
    attribution: TextLink | None = None
    organisation: TextRange | None = None  # the organisation in brackets before the title
    lead: TextRange | None = None  # words before a colon and the title that other lines repeat
    title_proved: bool = True  # whether more than its position shows where the title ends

    @property
    def title_text(self) -> str:
        """The title's text, empty if there is no title."""
        return self.plain.text[self.title.start : self.title.end] if self.title else ""


class OpenLine(NamedTuple):
    """The labels of a line, what stands before its title, and the title by its own marks: what series are told by."""

    plain: PlainText
    labels: list[LinkLabel]
    cited: list[TextLink]
    unread: str
    prefix: TitlePrefix
    title: Title

    @property
    def in_series(self) -> Line:
        """What of it tells how its series is read."""
        return Line(self.plain, self.unread, self.prefix.title_start, self.title, bool(self.prefix.mentions))


def open_line(
    plain: PlainText, vocabulary: Vocabulary, named: bool = False, usual: frozenset[str] = frozenset()
) -> OpenLine:
    """Read the beginning of a title line. `named` is that of `read_title_line`, `usual` has the labels of many lines."""
    labels, cited = find_labels(plain, vocabulary, named, usual) if plain.links else ([], [])
    unread = _without_last_marks(blank_out(plain.text, labels, cited) if labels or cited else plain.text)
    if "](http" in unread:
        unread = _BROKEN_ADDRESS.sub(lambda match: match[0][:2] + CONSUMED * (len(match[0]) - 2), unread)
    unread = _ET_AL.sub("et al", unread)
    unread = _with_tags_apart(unread, plain) if plain.code and not range_at(plain.links, 0) else unread
    prefix = _without_event(_without_tags(read_prefix(unread, vocabulary), unread, plain), unread, plain)
    first = range_at(plain.links, prefix.name.start) if prefix.name is not None else None
    if first is not None and (first.start, first.end) == prefix.name:  # `[[Oak](u)] A box for books.`
        after = unread[first.end + 1 :].strip()
        if names_what_is_described(first.link, unread[first.start : first.end], after, vocabulary):
            prefix = prefix._replace(title_start=first.start, name=None)
    title = find_title(unread, prefix.title_start, plain, vocabulary)
    return OpenLine(plain, labels, cited, unread, prefix, title)


def _without_last_marks(unread: str) -> str:
    """Return a line in which the symbols at its end are taken for labels: `[Tidy Shelves](u) by Ada Stone 🔥`."""
    end = len(unread)
    while end and (
        unread[end - 1] in " \ufe0f"
        or "\u2190" <= unread[end - 1] <= "\u2bff"
        or unread[end - 1] >= "\U0001f000"
    ):
        end -= 1
    is_marked = end > 0 and unread[end : end + 1] == " " and bool(unread[end:].strip())
    return unread[:end] + CONSUMED * (len(unread) - end) if is_marked else unread


def _with_tags_apart(unread: str, plain: PlainText) -> str:
    """Return a line with bars instead of the blanks around the tags that it ends with: ``Tidy Shelves `IV` `Oak` ``."""
    last, characters = len(unread), list(unread)
    for start, end in reversed(plain.code):
        before = unread[max(start - _NEAR, 0) : start].rstrip(" [*_").rpartition(" ")[2]
        is_behind = before[-1:].isalnum() or before.endswith(("?", "!"))
        begins = unread[start : start + 1].isupper() or unread.startswith("arxiv", start)
        is_tag = is_behind and before not in SMALL_WORDS and begins
        if not is_tag or any(map(str.isalnum, unread[end:last])):
            break
        last = start
        for blank in (start - 1, end):
            characters[blank : blank + 1] = unread[blank : blank + 1].replace(" ", "|").replace("[", "|")
    return "".join(characters)


def _name_in_lead(
    lead: str, start: int, mentions: list[Mention], year: YearMention | None, vocabulary: Vocabulary
) -> TextRange | None:
    """Return the name before a linked title, behind a venue or before a dash: `ICML FLAP [...](u)`, `FLAP - [...](u)`."""
    first = max((mention.end - start for mention in mentions if mention.venue is not None), default=0)
    match = _NAME_IN_LEAD.fullmatch(lead, max(first, 0))
    if match is None or not (first > 0 or (match["dash"] and year is None)):
        return None
    words = match["name"]
    is_name = len(words.split()) <= MAX_NAME_WORDS and _INSIDE_NAME.search(words) and not names_nothing(words)
    if not is_name or vocabulary.role(words) is not None or is_known_organisation(words):
        return None
    if find_year(words) or find_unlisted(words, "short") or find_mentions(words, vocabulary):
        return None
    return TextRange(start + match.start("name"), start + match.end("name"))


def _before_venue(people: TextRange | None, unread: str, vocabulary: Vocabulary) -> TextRange | None:
    """Return people before a title without the venue and year behind them: `A. Stone, B. Field, KDD 2014, "Tidy Shelves"`."""
    if people is None:
        return None  # most lines
    text = unread[slice(*people)].rstrip(' ,.:;-–—"“')
    venue = find_unlisted(text.partition("\n")[0], "line")
    if venue is not None and venue.start == 0 and is_acronym(text[: venue.name_end]):
        return None  # `ACGS 2014`, and people below it
    cited = next((mention for mention in find_mentions(text, vocabulary) if mention.year), None)
    cited = cited or (find_unlisted(text, "people") if text[-1:].isdigit() else None)
    end = cited.start if cited is not None else text.rfind("(") if text.endswith(")") else -1
    if end < 0 or not (cited or states_citation(text[end + 1 : -1], vocabulary)):
        return people
    return people._replace(end=people.start + end)


def _blank(text: str, start: int, end: int) -> str:
    """Return a text with blanks in a range."""
    start, end = max(start, 0), min(end, len(text))
    return text[:start] + " " * (end - start) + text[end:] if start < end else text


def _people_in_brackets(lead: str) -> TextRange | None:
    """Return the people in brackets before a title: `KDD 2014 (Stone, A., Field, B.) **Tidy Shelves**`."""
    people = (
        match.span(1)
        for match in _BRACKETED.finditer(lead)
        if are_surely_people(match[1])
        or (
            _TWO_FAMILIES.fullmatch(match[1]) and is_list_of_people(match[1]) and not has_title_word(match[1])
        )
    )
    return next((TextRange(*span) for span in people), None)


def _people_in_lead(lead: str, mentions: list[Mention], start: int) -> TextRange | None:
    """Return the people that a lead begins with, alone or before a venue: `Ada Stone, Ben Field, Proc. KDD, 2014. [Tidy Shelves](u)`."""
    end = mentions[0].start if mentions else len(lead)
    people = _BEFORE_VENUE.sub("", lead[:end])
    return TextRange(start, start + len(people)) if is_list_of_people(people.strip(" .,:*")) else None


def _venue_in_lead(lead: str, shape: str, has_people: bool) -> Mention | None:
    """Return the unlisted venue and year before a title: all words beside its people, all before a marked one, or in brackets."""
    words = lead.strip()
    first = lead.find(words)
    venue = find_unlisted(words, "line") if has_people or shape != "plain" else None
    if venue is not None and (has_people or has_venue_form(words[venue.name_start : venue.name_end])):
        return venue.shift(first)
    undated = DATE.sub(lambda date: " " * len(date[0]), lead)
    if venue := find_unlisted(undated, "short"):
        return venue
    for match in _BRACKETED.finditer(lead):  # `Stone, A. (ACGS 2014): [Tidy Shelves](u)`
        if venue := find_unlisted(match[1], "citation"):
            return venue.shift(match.start(1))
    return None


def _without_tags(prefix: TitlePrefix, unread: str, plain: PlainText) -> TitlePrefix:
    """Return a prefix with the tags that stand before people: `` `RNN` Stone, Ada, et al. "Tidy Shelves" ``."""
    start, tags = prefix.title_start, list[TextRange]()
    for code in plain.code:
        if code.start != start:
            break
        tags.append(code)
        start = len(unread) - len(unread[code.end :].lstrip())
    if not tags or not find_leading_people(unread[start : start + _MAX_PEOPLE]).proved:
        return prefix
    name = next((tag for tag in tags if _NAME_OF_ONE.search(unread, *tag)), None)
    return prefix._replace(title_start=start, name=prefix.name or name)


def _without_event(prefix: TitlePrefix, unread: str, plain: PlainText) -> TitlePrefix:
    """Return a prefix without the event that is linked before a text about it: `[Shelves@KDD 2014](u): workshop on order`."""
    first = range_at(plain.links, 0) if prefix.mentions else None
    is_event = first is not None and _ABOUT_EVENT.fullmatch(unread, first.end, prefix.title_start)
    if first is None or not is_event or not unread[prefix.title_start : prefix.title_start + 1].islower():
        return prefix
    return TitlePrefix(0, None, [], None, None)


def read_title_line(plain: PlainText, vocabulary: Vocabulary, named: bool = False) -> TitleLine:
    """Parse a title line. Text that belongs to no field stays in `unread`.

    With `named`, a link at the beginning of the line is a name even if its text could be a label (`GitLab`).
    """
    return read_open_line(open_line(plain, vocabulary, named), vocabulary)


def read_open_line(line: OpenLine, vocabulary: Vocabulary, reading: Reading | None = None) -> TitleLine:
    """Parse a title line of which the beginning is read. `reading` is that of the series, if the line has one."""
    plain, labels, cited, unread, prefix, own_title = line
    text = plain.text
    mentions: list[Mention] = []
    for link in cited:
        is_behind = own_title.range is not None and own_title.range.end <= link.start
        words = text[link.start : link.end]
        mentions += [found.shift(link.start) for found in _cited(words, vocabulary, is_behind)]
    start, name, prefix_mentions, year, organisation, people = prefix
    mentions += prefix_mentions
    is_read = reading is None or (reading.order == "citation" and bool(prefix_mentions))
    read_as = find_title_as(reading, unread, start, plain, vocabulary) if reading and not is_read else None
    if read_as is not None and read_as.name is not None:
        read_as = with_name(read_as, unread, read_as.name.start, plain)
    shape, title, stated_name, title_link, authors, proved = read_as or own_title
    authors = _before_venue(authors or people, unread, vocabulary)
    if shape in ("none", "plain") and (picture := _link_of_picture(plain, labels)) is not None:
        shape, title, title_link = "linked", TextRange(picture.start, picture.end), picture
    after_title = title.end if title else start
    if title is not None and title_link is None:
        title_link = next((link for link in plain.links if _is_within(title, link, unread)), None)
    if title is not None and title.start > start:
        lead = unread[start : title.start]
        for taken in filter(None, (authors, stated_name)):
            lead = _blank(lead, taken.start - start, taken.end - start)
        if authors is None and (found_people := _people_in_brackets(lead)) is not None:
            lead = _blank(lead, found_people.start - 1, found_people.end + 1)
            authors = TextRange(start + found_people.start, start + found_people.end)
        found = find_mentions(lead, vocabulary)
        if authors is None and shape == "linked" and name is None:
            authors = _people_in_lead(lead, found, start)
        if not (found or mentions) and (venue := _venue_in_lead(lead, shape, authors is not None)):
            found = [venue]
        mentions += [mention.shift(start) for mention in found]
        dated = find_year(lead)
        year = year or (dated.shift(start) if dated else None)
        if authors is None and shape == "linked" and name is None and stated_name is None:
            name = _name_in_lead(lead, start, mentions, year, vocabulary)
        labels = [*labels, *_labels_before(plain, title.start, labels, vocabulary)]
    if title is not None:
        if title_link is not None and title_link.end > after_title and title_link.start <= title.start:
            after_title = title_link.end
        if authors is not None and year is None:
            year = find_year(text[: title.start])
        after = unread[title.end : title.end + _MAX_CITATION_DISTANCE].replace(CONSUMED, "|")
        is_more = len(after) > 3 and has_words(after)
        if is_more:
            is_cited = authors is not None and year is not None
            behind = _mentions_behind(plain, unread, title, shape, is_cited, vocabulary)
            first = broken.end() if (broken := _BLANKED.match(unread, title.end)) else title.end
            mentions = [*mentions, *behind] or _venue_in_emphasis(plain, unread, title.end, vocabulary)
            mentions = mentions or _venue_beside_emphasis(plain, unread, first, is_cited)
            mentions = mentions or _venue_after_people(unread, first, vocabulary)
            mentions = [_to_beginning_of_emphasis(mention, plain, title.end) for mention in mentions]
        year = year or _year_in_link(unread, title.end, after_title)
        if is_more and year is None and not any(map(_states_year, mentions, repeat(unread))):
            is_prose = shape == "linked" and not mentions
            year = _year_behind(plain, unread, title.end, is_prose, mentions[0].end if mentions else 0)
    if year is None and not mentions:  # `Tidy Shelves [[2019]](u)`
        links = (label.link for label in labels if DATE.fullmatch(label.label))
        year = next((find_year(text[link.start : link.end]) for link in links), None)
        year = year or (badge_year(plain.images) if plain.images else None)
    if len(mentions) > 1:
        mentions.sort(key=rank_mention)
    stated = name or stated_name
    return TitleLine(
        plain=plain,
        unread=unread,
        shape=shape,
        title=title,
        name=stated,
        title_link=title_link,
        labels=labels,
        mentions=mentions,
        year=year,
        after_title=after_title,
        extended_end=extended_end(unread, title, title_link, plain, vocabulary) if stated is None else None,
        leading_authors=authors,
        badge=badge_mention(plain.images, vocabulary) if plain.images and not mentions else None,
        attribution=_find_attribution(plain, [*cited, *(label.link for label in labels)], title)
        if title_link is None
        else None,
        title_proved=proved,
        organisation=organisation,
    )


def _mentions_behind(
    plain: PlainText, unread: str, title: TextRange, shape: str, is_cited: bool, vocabulary: Vocabulary
) -> list[Mention]:
    """Return the venues behind a title, without those that its own words name."""
    after = unread[title.end : title.end + _MAX_CITATION_DISTANCE].replace(CONSUMED, "|")
    is_marked = range_at([*plain.strong, *plain.emphasis], title.start) is not None
    may_go_on = shape == "plain" and not is_marked and after[:1] != "["
    place: Place = "cited title" if is_cited else "guessed title" if may_go_on else "title"
    own = unread[title.start : title.end].casefold()  # `[SemEval-2016 Task 9](u) SemEval-2016 data`
    return [
        mention.shift(title.end)
        for mention in _mentions_after(after, shape, place, vocabulary)
        if mention.year is None or after[mention.start : mention.end].casefold() not in own
    ]


def _states_year(mention: Mention, text: str) -> bool:
    """Return whether a mention has a year that is written there, and is not that of a preprint's number."""
    is_preprint = mention.venue is not None and mention.venue.kind == "preprint"
    return mention.year is not None and not (
        is_preprint and find_year(text[mention.start : mention.end]) is None
    )


def _year_in_link(unread: str, title_end: int, link_end: int) -> YearMention | None:
    """Return the year in brackets between the end of a title and that of its link: `[Tidy Shelves (2019)](u)`."""
    match = _YEAR_IN_BRACKETS.fullmatch(unread, title_end, link_end)
    return YearMention(int(match[match.lastindex or 0]), *match.span(match.lastindex or 0)) if match else None


def _year_behind(
    plain: PlainText, unread: str, title_end: int, is_prose: bool, venue_end: int
) -> YearMention | None:
    """Return the year behind a title; in prose it stands in brackets or at the end. `venue_end` is 0 without a venue."""
    bare = [link for link in plain.links if link.link.form in ("bare", "autolink")]
    after = blank_out(unread, [], bare)[title_end:] if bare else unread[title_end:]
    after = after[:_MAX_CITATION_DISTANCE].replace(CONSUMED, "|")
    found = _year_in_brackets(after) if is_prose else find_year(after[:200])
    behind = venue_end - title_end
    if found and found.end < behind and (later := find_year(after[behind:200])):
        found = later.shift(behind)  # `2024 online; *Annals of Shelves*, 2025`
    found = found or _year_in_code(plain, title_end)
    return found.shift(title_end) if found else None


def read_simple_title_line(
    inlines: tuple[Inline, ...], plain: PlainText, vocabulary: Vocabulary
) -> TitleLine | None:
    """Return what `read_title_line` returns for the most common line, `[Name](url) - Description.`, but faster.

    Returns None if the line may be anything else.
    """
    if len(plain.links) != 1 or plain.images or not isinstance(inlines[0], Link):
        return None
    link, text = plain.links[0], plain.text
    if len(text) > link.end and not text.startswith((" - ", " – ", " — "), link.end):
        return None
    if link.start or not link.end or _NOT_SIMPLE_NAME.search(text, 0, link.end):
        return None
    may_credit = " by " in text[: link.end] or " - " in text[: link.end]
    may_credit = may_credit or "et al" in text or "(published " in text
    if may_credit or vocabulary.role(text[: link.end]) is not None:
        return None
    if _DATED.search(text, max(len(text) - 8, link.end)):
        return None
    if not venue_index(vocabulary).names_no_venue(text):
        return None
    return TitleLine(plain, text, "linked", TextRange(0, link.end), None, link, [], [], None, link.end, None)


def _is_within(title: TextRange, link: TextLink, unread: str) -> bool:
    """Return whether a link has all words of a title: `"[Tidy Shelves](u)."` too."""
    return link.start <= title.start and not unread[max(link.end, title.start) : title.end].strip(" .,")


def _labels_before(
    plain: PlainText, title_start: int, labels: list[LinkLabel], vocabulary: Vocabulary
) -> Iterator[LinkLabel]:
    """Yield the links before a title whose texts say what they are: `[PDF](u) [Code](v) Tidy Shelves`."""
    known = {label.link.start for label in labels}
    for link in plain.links:
        text = plain.text[link.start : link.end].strip("[]() ")
        if link.end <= title_start and link.start not in known and (role := vocabulary.role(text)):
            yield LinkLabel(text, role, link)


def _link_of_picture(plain: PlainText, labels: list[LinkLabel]) -> TextLink | None:
    """Return the first link of a line if its text is an emoji: `[🔥](u) - Burns books`."""
    link = plain.links[0] if len(plain.links) == 1 and not labels else None
    if link is None or "://" not in link.link.url or plain.text[: link.start].strip():
        return None
    text = plain.text[link.start : link.end].strip()
    return link if text and not any(map(str.isalnum, text)) else None


def _find_attribution(plain: PlainText, read: list[TextLink], title: TextRange | None) -> TextLink | None:
    """Return the first link after a title that is people and a year."""
    if title is None or len(plain.links) == len(read):
        return None
    starts = {link.start for link in read}
    link = next((link for link in plain.links if link.start >= title.end and link.start not in starts), None)
    return link if link is not None and is_attribution(plain.text[link.start : link.end]) else None


def _cited(label: str, vocabulary: Vocabulary, is_behind: bool) -> list[Mention]:
    """Return the venues that a link names whose text is the citation; behind a title, its place shows that."""
    stripped = clean_label(label)
    mentions = find_venues(stripped, vocabulary)
    if not mentions and vocabulary.role(stripped) is None:
        unlisted = find_unlisted(stripped, "short") or find_venue_label(stripped, sure=is_behind)
        mentions = [unlisted] if unlisted else []
    return [mention.shift(label.index(stripped)) for mention in mentions]


def _mentions_after(after: str, shape: str, place: Place, vocabulary: Vocabulary) -> list[Mention]:
    """Return the venues after a title: those with a year, and those that fill the text between two stops."""
    mentions = find_mentions(after, vocabulary)
    if shape == "linked":
        mentions = [
            mention for mention in mentions if mention.year or _fills_segment(after, mention, vocabulary)
        ]
    if not mentions:
        for match in _BRACKETED.finditer(after):
            words = match.group(1)
            short = find_unlisted(words, "short") if words[0].isdigit() else None
            is_behind = is_list_of_people(BEFORE_PEOPLE.sub("", after[: match.start()], count=1).strip())
            if unlisted := short or find_unlisted(words, "citation" if is_behind else "brackets"):
                return [unlisted.shift(match.start(1))]
        if unlisted := find_unlisted(after, place):
            name = after[unlisted.name_start : unlisted.name_end]
            return [unlisted._replace(venue=vocabulary.venue(name) if place == "cited title" else None)]
    return mentions


def _venue_after_people(unread: str, start: int, vocabulary: Vocabulary) -> list[Mention]:
    """Return the venue at the end of a byline that is long, or the unlisted one of any."""
    line = LINE_END.search(unread, start)
    end = line.start() if line else len(unread)
    if found := find_unlisted(unread[start : min(end, start + _MAX_CITATION_DISTANCE)], "people"):
        return [found.shift(start)]
    end = unread.find(CONSUMED, start)
    end = end if end >= 0 else len(unread)
    if end - start <= _MAX_CITATION_DISTANCE:
        return []
    first = end - _LAST_PART
    dated = [mention for mention in find_mentions(unread[first:end], vocabulary) if mention.year]
    return [mention.shift(first) for mention in dated[-1:]]


def _venue_in_emphasis(plain: PlainText, unread: str, start: int, vocabulary: Vocabulary) -> list[Mention]:
    """Return the known venue that is all the words behind a title, in emphasis: `(2020) [[PDF]](u) — *ICLR*`."""
    for begin, end in plain.emphasis:
        if begin >= start and not any(map(str.isalpha, unread[start:begin] + unread[end:])):
            venue = vocabulary.venue(unread[begin:end])
            return [Mention(begin, end, venue, begin, end, None)] if venue is not None else []
    return []


def _venue_beside_emphasis(plain: PlainText, unread: str, start: int, is_cited: bool) -> list[Mention]:
    """Return the unlisted venue in emphasis, or after people in emphasis: `*Ada Stone*. Annals of Shelves 2009`.

    With `is_cited`, people and a year stand before the title, and what follows it at once is the venue.
    """
    for begin, end in sorted((*plain.emphasis, *plain.strong)):
        if begin < start:
            continue
        lead = 3 if unread.startswith(("in ", "In "), begin) else 0
        words = unread[begin + lead : end].strip(" ,.")
        is_led = (lead or unread[:begin].rstrip("*_").endswith((" at ", " in "))) and words[:1].isupper()
        if is_led and len(words.split()) <= _MAX_VENUE and not are_authors(words, minimum=2):
            return [Mention(begin + lead, end, None, begin + lead, end, None)]
        is_near = begin - start < _MAX_CITATION_DISTANCE
        people = BEFORE_PEOPLE.sub("", unread[start:begin], count=1).rstrip(" –—-*_") if is_near else ""
        if (behind := _YEAR_BEHIND.match(unread, end)) and are_authors(people, minimum=0):
            # `Stone et al. — *annals of Shelves* (2009)`
            return [Mention(begin + lead, behind.end(), None, begin + lead, end, int(behind["year"]))]
        dated = YEAR_FOLLOWS.match(unread, end)
        if is_cited and is_near and (dated or words[:1].isupper()) and people in ("", "In", "in"):
            year = find_year(dated[0]) if dated else None
            last = dated.end() if dated else end
            return [Mention(begin + lead, last, None, begin + lead, end, year.year if year else None)]
        if venue := find_unlisted(", " + unread[begin : dated.end() if dated else end], "title"):
            return [venue.shift(begin - 2)]
        if venue := find_unlisted(unread[end : end + _MAX_CITATION_DISTANCE], "title"):
            return [venue.shift(end)]
    return []


def _to_beginning_of_emphasis(mention: Mention, plain: PlainText, first: int) -> Mention:
    """Return an unlisted venue with what stands before it in its emphasis: `*in Order, Shelves and Books*, 2019`.

    That of a publisher stands before it: `*Workshop on Shelves*, ACM, 2019`. The title ends at `first`.
    """
    inside = (
        mark.start
        for mark in plain.emphasis
        if mark.start >= first
        and mark.start < mention.name_start
        and (mention.name_start < mark.end or plain.text[mark.end : mention.name_start] in (", ", ". "))
    )
    start = next(inside, -1) if mention.venue is None else -1
    before = plain.text[start : mention.name_start].strip(" ,.") if start >= 0 else ""
    if not before or are_authors(before, minimum=0):
        return mention
    start += 3 if before.startswith(("in ", "In ")) else 0
    is_open = before.count("(") > before.count(")") and plain.text.startswith(")", mention.end)
    return mention._replace(start=start, name_start=start, end=mention.end + is_open)


def _fills_segment(text: str, mention: Mention, vocabulary: Vocabulary) -> bool:
    """Return whether only words of citations stand beside a mention, between one stop and the next."""
    for match in _SEGMENT.finditer(text):
        if match.end() >= mention.end:
            return match.start() <= mention.start and is_citation(match.group(), vocabulary)
    return True


def _year_in_code(plain: PlainText, start: int) -> YearMention | None:
    """Return the year of which a code span behind a title consists, by its offset from there."""
    for begin, end in plain.code:
        if begin >= start and (match := YEAR.fullmatch(plain.text[begin:end].strip())):
            return YearMention(int(match[0]), begin - start, end - start)
    return None


def _year_in_brackets(text: str) -> YearMention | None:
    """Return a year alone in brackets or at the end. In the prose of a description, a year means nothing."""
    if (first := _YEAR_FIRST.match(text)) and (not first["people"] or are_authors(first["people"])):
        return YearMention(int(first["year"]), *first.span("year"))
    match = _YEAR_IN_BRACKETS.search(text)
    if match is None:  # `[Tidy Shelves](u) Ada Stone et al. 2019`
        last = find_year_at_end(text.rstrip("| "))
        return last if last is not None and are_authors(text[: last.start].strip(" |")) else None
    if SUBJECT_YEAR.fullmatch(match[0]):
        return None
    return YearMention(int(match[match.lastindex or 0]), *match.span(match.lastindex or 0))
