"""Builds entries of the kind classic: a name, usually a link, and a description."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.behind_name import (
    LEADS_ON,
    OCCASION,
    is_described,
    is_maker,
    read_behind_name,
)
from shelfread.document.entry.entry_fields import (
    Habits,
    Setting,
    clean_field,
    entry_identifiers,
    entry_links,
    leading_organisations,
    short_name,
    title_line_span,
    unlabelled_link,
)
from shelfread.document.entry.link_labels import OPENING, blank_out, has_words, icon_text
from shelfread.document.entry.prefix import MAX_NAME_WORDS, names_something_only
from shelfread.document.entry.sub_lines import SubLineFields
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.entry.titles import closing_quote, is_description
from shelfread.document.model import Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_known_organisation,
    names_organisation,
)
from shelfread.document.recognizers.people import are_authors, are_named, find_people, is_list_of_people
from shelfread.document.recognizers.venues import abbreviates
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_SPEAKER_LAST = lazy(
    r"\s[-–—|]\s(?:by\s)?(?!by\s)([^()\[\]|]{4,80}?)(?:\s\((?:19|20)\d\d\))?\Z"
    r"|\s\(([^(),\d]{4,60}), [^()]{0,60}\b(?:19|20)\d\d\)\Z"
    r"|\sby\s([^()\[\]|]{4,80}?)(?:,\s\d(?:st|nd|rd|th)\sed(?:ition|\.))?\s\((?:[^\W\d_]+\s)?(?:19|20)\d\d\)\Z"
)
_SPEAKER_FIRST = lazy(r"(?P<names>[^\d()\[\]|–—-]{4,60})\s[-–—|]\s(?P<title>\S.*?)\s\((?:19|20)\d\d\)")
_PARTED = lazy(r"\s[-–—|]\s|\)\Z")
_DATE_BEHIND = lazy(r"\s-\s\S*(?:19|20)\d\d\W{0,3}|\s?\((?:19|20)\d\d\)")
_JOINED = lazy(r",|&|\band\b")
_MIN_SPEAKERS, _MOST_SPEAKERS = 2, 0.4  # so many links name people that have common given names
_MIN_BOOKS = 3
_MIN_ENDINGS, _MOST_ENDINGS = 5, 0.8  # so many links, or what stands behind them, end with `by` and a maker
_MIN_ADDRESSES, _MOST_NAMED = 6, 0.7  # so many words behind addresses and dashes are all names, or all texts
_WORKS_AT = lazy(r"(?<!\s)\s+(?:in|at|from|of|@)\s+")
_OCCASION_BEFORE, _REACH = lazy(rf"{OCCASION}\sby\s\Z"), 200
_NAME_END = lazy(
    r"\s[-–—|]{1,3}\s|：|(?<!:):(?=\s|[^\x00-\xff]|[A-Z][a-z]+[ -])|\s[(\[](?![^()\[\]\0]{1,80}[)\]]\s[A-Z])|\sby\s(?=[A-Z]\S* [A-Z])|\0"
)
_LAST_BRACKETS = lazy(r"\s\([^()]{2,80}\)\s?[-–—:|]?\s")
_MAX_NAME_WORDS = 6
_BEHIND_ADDRESS = lazy(
    r"\s{1,3}(?P<dash>[-–—:|]\s{1,3})?(?P<name>[^\W_][^\0\n]{1,100}?)(?=\s[-–—]\s|\s{0,3}$)"
)
_DASH = lazy(r"\s{1,3}[-–—:|]\s")
_ONE_WORD = lazy(r"[A-Za-z0-9_.+-]+")
_HANDLE = lazy(r"@ ?[\w-]+")
_OWNER = lazy(r"[*_ ]{0,3}(?P<names>[A-Z][^\n\0()\[\]:;]{2,60}?)['’]s?[*_ ]{1,4}")
# Who made it, at the end of a link or of a line: `Tidy Shelves by ada42`.
_LAST_BY = lazy(
    r"\s[Bb]y\s(?P<names>(?![a-z]+ing\b)[^\W_][^\s()\[\]:;,]{1,40}(?: (?!by )[^\s()\[\]:;,]{1,40}){0,3})\.?\Z"
)
_SHORT_NAME = lazy(
    r"[\w.+#/-]{1,40}(?: [\w.+#/-]{1,40})?"
)  # `Amundsen: One Year Later`, `CS 202: Deep Shelves`
# What a link in prose leads to if its host has nothing else. Other hosts have anything: code of others, people.
_TELLING_ROLES = frozenset({"paper", "video", "slides", "dataset", "demo", "model"})
# A description without a separator is known by its own form: a capital, words, a full stop.
_SENTENCE = lazy(r"[A-Z]\S* (?:.* )?\S+[.!?]$")


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
    is_linked = title_line.title_link is not None and title_line.shape == "linked"
    title, credit = _title_and_credit(title_line, setting)
    description, credit, is_set_apart, remarks = read_behind_name(
        title_line, title.end, credit, setting.habits.ends_with_tags
    )
    if description is None:
        description = (_text_before(plain, title) if is_linked else None) or fields.text
        is_set_apart = is_set_apart or description is not None
    before = title_line.name if is_linked else None
    before = before if before is not None and before.end <= title.start else None
    bracketed = None
    if before is not None and plain.text[before.start - 1 : before.start] in OPENING:
        if credit is None and is_maker(plain.text[slice(*before)]):
            credit = before  # `[Ada Stone] [Tidy Shelves](u)`
        else:
            bracketed = before
    authors, affiliations = _who_made(title_line, fields, credit, setting.habits)
    remarks = tuple(remark for remark in remarks if vocabulary.role(plain.text[slice(*remark)]) is None)
    if authors and not affiliations:  # `by Ada Stone (University of Oaks)`
        groups = [remark for remark in remarks if is_known_organisation(plain.text[slice(*remark)])]
        affiliations = [group for remark in groups for group in find_organisations(plain, *remark)]
        remarks = tuple(remark for remark in remarks if remark not in groups)
    occasion = _occasion(plain, credit, title.end) if credit is not None else None
    said = [words for words in (title_line.lead, bracketed, occasion, *remarks) if words is not None]
    name = clean_field(plain, title, braces=True)
    short = short_name(plain, title) if is_linked else None
    if before is not None and bracketed is None:  # `**OIC** - [Oak Institute of Cards](u)`
        stated = clean_field(plain, before)
        is_said_again = name.value.partition(": ")[0].rpartition("/")[2] == stated.value != name.value
        short = stated if is_said_again or names_something_only(stated.value) else short
    if short is not None and not _SHORT_NAME.fullmatch(short.value):
        short = None  # the subject of a talk or a post
    below = (*parts, *(LabelledLink(label.label, label.role, label.link.link) for label in fields.labels))
    links, identifiers = _links(title_line, is_linked, below, vocabulary)
    guessed = {"name"} if short is not None and " " in short.value else set()
    if not is_linked and title_line.shape not in ("strong", "emphasis", "quoted") and not links:
        guessed |= {"title", "name"}
    if description is not None and not is_set_apart and not _SENTENCE.match(description.value):
        guessed.add("description")
    notes = (note for note in fields.notes if description is None or not _holds(note, description))
    dated = title_line.year if is_linked else None
    dated = dated or (find_year(plain.text[slice(*occasion)]) if occasion is not None else None)
    return Entry(
        kind="classic",
        dialect=setting.dialect,
        title=name,
        name=short or name,
        description=description,
        authors=tuple(authors),
        affiliations=tuple(affiliations),
        notes=(*(clean_field(plain, words) for words in said), *notes),
        links=links,
        year=dated.year if dated is not None else None,
        identifiers=identifiers,
        section=setting.section,
        span=Span(block.start, block.end),
        title_line=title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=block.last,
        guessed=frozenset(guessed),
    )


def _title_and_credit(title_line: TitleLine, setting: Setting) -> tuple[TextRange, TextRange | None]:
    """Return the title of a line, and who spoke or made it if the link or a markup names them."""
    speaker = _find_speaker(title_line, are_named)
    if speaker is None and setting.names_speakers:
        speaker = _find_speaker(title_line, are_authors)
    if speaker is not None:
        return speaker
    title, habits = _name(title_line, setting.habits), setting.habits
    if habits.ends_with_makers and (by := _find_last_maker(title_line)):
        return TextRange(title.start, min(title.end, by.start())), TextRange(*by.span("names"))
    maker = _find_owner(title_line) or _find_maker(
        title_line, are_authors if habits.names_makers else are_named
    )
    return title, maker


def _find_owner(title_line: TitleLine) -> TextRange | None:
    """Return who made what is linked if the line begins with that: `Ada Stone's [Tidy Shelves](u)`."""
    link = title_line.title_link if title_line.shape == "linked" else None
    owner = _OWNER.fullmatch(title_line.plain.text, 0, link.start) if link is not None else None
    if owner is None or not (
        is_maker(owner["names"]) or (" " in owner["names"] and are_authors(owner["names"]))
    ):
        return None
    return TextRange(*owner.span("names"))


def _text_before(plain: PlainText, title: TextRange) -> Field | None:
    """Return the description that stands before a title: `Sorts books by their colour: [Oak](u)`."""
    if not is_description(plain.text[: title.start]):
        return None
    lead = plain.text[: title.start].rstrip(" :：-–—")
    return Field(lead.strip(), plain.span(0, len(lead)))


def _holds(note: Field, description: Field) -> bool:
    return note.span.start <= description.span.start < note.span.end


def _links(
    title_line: TitleLine, is_linked: bool, below: tuple[LabelledLink, ...], vocabulary: Vocabulary
) -> tuple[tuple[LabelledLink, ...], dict[str, str]]:
    """Return the links of an entry, `below` those below its line, and its identifiers."""
    plain, links = title_line.plain, entry_links(title_line, [], vocabulary)
    if title_line.title_link is not None and links[0].role is vocabulary.roles.get("project"):
        links = (links[0]._replace(role=None), *links[1:])  # a book, a talk, a post: its host does not tell
    if not is_linked:
        listed = {link.link.start for link in links}
        others = (link for link in plain.links if link.link.start not in listed)
        links += tuple(unlabelled_link(plain, link, vocabulary) for link in others)
    links += further_links(plain, links, vocabulary)
    identifiers = entry_identifiers(links)
    if "github" not in identifiers and (repository := entry_identifiers(below).get("github")):
        identifiers["github"] = repository
    return links + below, identifiers


def _who_made(
    title_line: TitleLine, fields: SubLineFields, credit: TextRange | None, habits: Habits
) -> tuple[list[Field], list[Field]]:
    """Return the people and the organisations of an entry: those below it, before its link, or in its credit."""
    plain, authors, people = title_line.plain, fields.authors, title_line.leading_authors
    affiliations = fields.affiliations or leading_organisations(title_line)
    if people is not None and not authors and (title_line.year or _stand_before(people, title_line)):
        authors = find_people(plain, plain.text, *people)
    if credit is not None and not authors:
        authors, organisations = _makers(plain, credit, habits.ends_with_makers)
        affiliations = affiliations or organisations
    return authors, affiliations


def _stand_before(people: TextRange, line: TitleLine) -> bool:
    """Return whether what stands before the link or emphasis of a title surely is people: `Ada Stone, Ben Field; [Tidy Shelves](u)`."""
    words = line.plain.text[slice(*people)].strip(" ,.;:")
    link = line.title_link
    is_before = link is not None and (
        people.end <= link.start or any(mark.start == people.end for mark in line.plain.emphasis)
    )
    return is_before and (is_list_of_people(words) or are_named(words))


def _name(title_line: TitleLine, habits: Habits) -> TextRange:
    """Return the name that a line begins with: its link, its bold words, or the words before a separator."""
    plain, title = title_line.plain, title_line.title or TextRange(0, 0)
    if title_line.title_link is not None and title_line.shape == "linked":
        link = title_line.title_link
        if is_described(title_line, link):
            return title_line.name or title
        if title.end < link.start:
            return title  # `[Tidy Shelves]([https://a.org](v)`
        named = _name_behind_address(title_line)
        if named is not None and (habits.names_addresses or not named["dash"]):
            return TextRange(*named.span("name"))
        # `[Tidy Shelves by Ada Stone](u)`
        close = closing_quote(plain.text, link.start)
        if link.start + 1 < close < link.end and title.end <= close + 1:
            return TextRange(link.start + 1, close)
        behind = plain.text[title.end : link.end]
        is_ended = behind.startswith(" by ") or "\n" in behind or _DATE_BEHIND.fullmatch(behind)
        is_dated = title_line.year is not None and link.start <= title_line.year.start < title.start
        people = title_line.leading_authors
        is_led = is_dated or (people is not None and _stand_before(people, title_line))
        return TextRange(title.start if is_led else link.start, title.end if is_ended else link.end)
    marked = (
        mark for mark in (*plain.strong, *plain.emphasis, *plain.code) if mark.start <= title.start < mark.end
    )
    if mark := next(marked, None):
        return TextRange(title.start, min(mark.end, title.end))
    first = next((link.start for link in plain.links if link.start > title.start), title.end)
    end = min(title.end, first)
    start = next((index for index in range(title.start, end) if plain.text[index].isalnum()), end)
    ends = _NAME_END.finditer(title_line.unread, start, end) if title_line.shape != "quoted" else ()
    separator = next((found for found in ends if not _is_acronym(plain.text, found)), None)
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


def _is_acronym(text: str, opening: re.Match[str]) -> bool:
    """Return whether brackets have an acronym or the name of what stands before them: `Room Impulse Response (RIR) simulation`."""
    content, _, behind = text[opening.end() :].partition(") ")
    before = text[: opening.start()]
    goes_on = opening[0].endswith("(") and behind[:1].isascii() and behind[:1].islower()
    return goes_on and (abbreviates(content, before) or content in before.split(":"))


def _end_of_address(title_line: TitleLine) -> int:
    """Return where the address that a line begins with ends, 0 if it begins with none."""
    link = title_line.title_link if title_line.shape == "linked" else None
    return link.end if link is not None and link.link.form in ("bare", "autolink") else 0


def _name_behind_address(title_line: TitleLine) -> re.Match[str] | None:
    """Return the name behind the address that a line begins with: `https://example.org Tidy Shelves - Sorts books`."""
    end = _end_of_address(title_line)
    match = _BEHIND_ADDRESS.match(title_line.plain.text, end) if end else None
    is_name = match is not None and (in_title_case(match["name"]) or _ONE_WORD.fullmatch(match["name"]))
    return match if is_name else None


def _find_maker(title_line: TitleLine, are_people: Callable[[str], bool]) -> TextRange | None:
    """Return an organisation in emphasis behind a name, or people at the end of its line: `[Oak](u) - Sorts books *Ada Stone*`."""
    text, title = title_line.plain.text, title_line.title
    last = len(text.rstrip(" ."))
    for mark in title_line.plain.emphasis:
        words = text[mark.start : mark.end]
        is_last = mark.end >= last and not LEADS_ON.search(text, 0, mark.start)
        is_maker = names_organisation(words) or (is_last and are_people(words))
        if is_maker and title is not None and mark.start > title.end:
            return mark
    return None


def names_speakers(lines: Sequence[TitleLine | None]) -> bool:
    """Return whether the lines of a list link to talks and name who speaks: many given names are among what may be people.

    Or nearly all link to books by people, with their dates: `[Tidy Shelves by Ada Stone (May 2018)](u)`.
    """
    linked = [line for line in lines if line is not None and line.title_link is not None]
    # Most lists have no need to look for people twice.
    speakers = [(line, _find_speaker(line, are_authors)) for line in linked if " by " in line.plain.text]
    ended = sum(
        found is not None and line.plain.text.startswith(" by ", found[0].end) for line, found in speakers
    )
    return ended >= max(_MIN_BOOKS, _MOST_ENDINGS * len(linked)) or _name_people(lines, _find_speaker)


def find_habits(lines: Sequence[TitleLine]) -> Habits:
    """Return what nearly all lines of a document do that one line alone does not show."""
    linked = [line for line in lines if line.shape == "linked" and line.title_link is not None]
    ended = sum(_find_last_maker(line) is not None for line in linked)
    told = [line for line in linked if (end := _end_of_address(line)) and _DASH.match(line.plain.text, end)]
    named = sum(_name_behind_address(line) is not None for line in told)
    return Habits(
        _name_people(lines, _find_maker),
        ended >= max(_MIN_ENDINGS, _MOST_ENDINGS * len(linked)),
        len(told) < _MIN_ADDRESSES or named >= _MOST_NAMED * len(told),
        _end_with_tags(linked),
    )


def _end_with_tags(lines: Sequence[TitleLine]) -> bool:
    """Return whether most lines end with code, and few of them with the same: `` - A scheduler `OSS` ``."""
    tags = Counter(
        line.plain.text[slice(*line.plain.code[-1])]
        for line in lines
        if line.plain.code and not has_words(line.plain.text[line.plain.code[-1].end :])
    )
    return tags.total() >= max(_MIN_ENDINGS, 0.5 * len(lines)) and len(tags) <= 0.5 * tags.total()


def _name_people(
    lines: Iterable[TitleLine | None], find: Callable[[TitleLine, Callable[[str], bool]], object]
) -> bool:
    linked = [line for line in lines if line is not None and line.shape == "linked"]
    tests: tuple[Callable[[str], bool], ...] = (lambda _: False, are_named, are_authors)
    groups, named, likely = (sum(find(line, test) is not None for line in linked) for test in tests)
    return named - groups >= max(_MIN_SPEAKERS, groups, _MOST_SPEAKERS * (likely - groups))


def _find_last_maker(title_line: TitleLine) -> re.Match[str] | None:
    """Return the words behind the last `by` of a link, or all of what stands behind it: `[Tidy Shelves](u) by ada42`."""
    link, text = title_line.title_link, title_line.plain.text
    if link is None or title_line.shape != "linked":
        return None
    return _LAST_BY.search(text, link.start + 1, link.end) or _LAST_BY.match(text, link.end)


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


def _occasion(plain: PlainText, credit: TextRange, first: int) -> TextRange | None:
    """Return the occasion before who spoke, or the dated one behind: `at ShelfConf by Ada Stone`, `by Ada Stone @ ShelfConf 2014`.

    It stands from an offset on.
    """
    if before := _OCCASION_BEFORE.search(plain.text, max(credit.start - _REACH, first), credit.start):
        return TextRange(*before.span("occasion"))
    end = len(plain.text[: credit.end].rstrip(" -–—|"))
    at = _WORKS_AT.search(plain.text, credit.start, end)
    if at is None or find_year(plain.text[at.end() : end]) is None:
        return None
    return TextRange(at.end(), end)


def _makers(plain: PlainText, credit: TextRange, is_sure: bool) -> tuple[list[Field], list[Field]]:
    """Return the people and the organisations of a credit: `by Ada Stone`. If it surely is one, `ada42` is a person too."""
    start, end = credit.start, len(plain.text[: credit.end].rstrip(" -–—|"))
    names = plain.text[start:end].strip()
    if names.startswith("@"):
        handles = _HANDLE.finditer(plain.text, start, end)
        return [Field(handle[0], plain.span(*handle.span())) for handle in handles], []
    if is_sure and not (are_authors(names) or _JOINED.search(names) or names_organisation(names)):
        return [Field(names, plain.span(start, end))], []
    at = _WORKS_AT.search(plain.text, start, end)
    people_end = at.start() if at else end
    if are_authors(plain.text[start:people_end], minimum=0):
        is_occasion = at is None or find_year(plain.text[at.end() : end]) is not None
        organisations = [] if at is None or is_occasion else find_organisations(plain, at.end(), end)
        return find_people(plain, plain.text, start, people_end), organisations
    comma = plain.text.rfind(", ", start, end)
    if comma > 0 and names_organisation(plain.text[comma:end]) and are_authors(plain.text[start:comma]):
        return find_people(plain, plain.text, start, comma), find_organisations(plain, comma + 2, end)
    if names.islower() and " " not in names:
        return [Field(names, plain.span(start, end))], []
    linked = [link for link in plain.links if start <= link.start < link.end <= end]
    beside = blank_out(plain.text, [], linked)[start:end]
    if linked and not has_words(_JOINED.sub("", beside)) and not names_organisation(names):
        return [clean_field(plain, TextRange(link.start, link.end)) for link in linked], []
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
