"""The byline of a title line: authors and affiliations after the title, or authors before it."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED, blank_out, has_words
from shelfread.document.entry.remarks import is_prose
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.entry.titles import is_attribution
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText, TextLink, TextRange, find_fields
from shelfread.document.recognizers.leading_people import find_leading_people, people_by_form
from shelfread.document.recognizers.organisations import (
    are_organisations,
    find_organisations,
    is_known_organisation,
    names_organisation,
    organisations_in_brackets,
)
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    ONE_INVERTED,
    SEPARATOR,
    are_authors,
    are_named,
    are_surely_people,
    find_people,
    is_given_name,
    is_list_of_people,
    split_people,
)
from shelfread.document.recognizers.venues import CITATION_WORDS, WORD, blank_mentions
from shelfread.document.years import DATE_AT_END, YearMention

_SEGMENT = lazy(r"[^\0\n|｜\[\]]+")
_TOPIC = lazy(r"[^,&/]+ (?:(?:of|for|in) |\([A-Z])[^,&/]+")
# A stop behind a name, and what is no initial: `Ada Stone. Annals`.
_STOP = lazy(r"(?<=[^\W\d_A-Z]{3})\.\s+(?=[^\W\d_a-z]\w)")
# `Ada Stone et al. Oxford, MIT.`, `Ada Stone et al., MIT, 2020`
_GROUPS_BEHIND = lazy(
    r"(?:,?\s?et\.?\s?al)?(?:\.,?|,)\s+(?P<groups>[^\0\n()·•\d]{2,120}?)(?:,?\s\(?(?:19|20)\d\d\)?)?[\s.,]*(?:$|[·•])"
)
_DASH = lazy(r"\s[-–—|]\s+")
# What leads to the venue behind people: `Ada Stone (`, `Ada Stone, in Proceedings of the`.
_LAST_DASH = lazy(r"(?<!\s)\s[-–—]\s?\Z")
_OPENED = lazy(r"\s[(\[（]\s*$|[,.]?\s(?:[Ii]n:?|(?:[Ii]n:?\s)?[Pp]roc(?:eedings|\.)(?:\sof)?(?:\sthe)?)\s*$")
_BESIDE_YEAR = CITATION_WORDS | {"book", "online", "draft", "article", "thesis", "tutorial"}
_MAX_LENGTH, _MAX_PARTS = 3000, 100


_UNMARKED = frozenset({"text", "code"})


class Byline(NamedTuple):
    """The authors and affiliations in a title line, and which of them only their position suggests."""

    authors: list[Field]
    affiliations: list[Field]
    guessed: frozenset[str] = frozenset()
    name: Field | None = None  # what stands there in bold: `(**Kit**)`


class _Part(NamedTuple):
    """A part of a title line that may hold people or organisations."""

    origin: str  # attribution, before (the title), link, markup, text or code
    start: int  # of `names`
    place: TextRange
    is_first: bool  # of what is parted by separators
    lead: str  # `by ` and its like
    names: str  # what follows that
    people: str  # `names` without the year or the venue that they lead to
    bare: str  # `people` without brackets and stops
    is_inverted: bool  # one person whose family name comes first: `*Stone, Ada*`, `Stone, Ada, 2019`

    @property
    def is_marked(self) -> bool:
        """Whether more than separators parts it from its line."""
        return self.origin not in _UNMARKED


def read_byline(title_line: TitleLine, title_end: int) -> Byline:
    """Return the authors and affiliations in a title line whose title ends at the offset `title_end`."""
    written, attribution = _behind_title(title_line, title_end)
    if title_line.leading_authors is None and not has_words(written[title_end:]):
        return Byline([], [])
    text, after_year = _blank_year(written, title_line.year, title_end)
    byline = Byline([], [])
    for part in _find_parts(title_line, text, title_end, attribution):
        is_group = _may_be_group(part, text)
        if is_group and _TOPIC.fullmatch(part.bare) and not names_organisation(part.bare):
            continue  # `(*Quality of Films*)`, `(*Film Restoration (FR)*)`
        if is_group and not byline.affiliations and not are_surely_people(part.people):
            byline = _with_group(byline, part, title_line.plain, text, title_end)
        elif not byline.authors and _are_people(part, text, after_year):
            byline = _with_people(byline, part, title_line, text)
        elif not byline.authors and (end := _people_before_prose(part)):
            byline = byline._replace(authors=find_people(title_line.plain, text, part.start, end))
        elif not byline.affiliations and part.origin != "code":
            byline = _with_organisations(byline, part, title_line.plain, text)
    return byline


def _behind_title(title_line: TitleLine, title_end: int) -> tuple[str, TextLink | None]:
    """Return a line with its venues masked, and the link in it whose text is people: `([Stone et al., 2020](u))`."""
    plain = title_line.plain
    text = blank_mentions(title_line.unread[: title_end + _MAX_LENGTH], title_line.mentions, CONSUMED)
    addresses = [link for link in plain.links if "://" in text[link.start : link.end]]
    text = blank_out(text, [], addresses) if addresses else text
    for start, end in plain.emphasis:
        if title_end <= start and end <= len(text) and text.startswith(("in ", "In "), start):
            text = text[:start] + CONSUMED * (end - start) + text[end:]  # `*in Advances in Shelving*`
    if title_line.attribution is not None:
        return text, title_line.attribution
    for label in title_line.labels:
        if is_attribution(label.label) and is_list_of_people(DATE_AT_END.sub("", label.label)):
            start, end, _ = label.link
            return text[:start] + plain.text[start:end] + text[end:], label.link
    return text, None


def _find_parts(
    title_line: TitleLine, text: str, title_end: int, attribution: TextLink | None
) -> list[_Part]:
    """Return the parts of a line that may hold people, those first that more than separators parts from it."""
    plain, link = title_line.plain, title_line.title_link
    codes = [code for code in plain.code if title_end <= code.start and code.end <= len(text)]
    bare = blank_out(text, [], codes) if codes else text
    texts = [TextRange(*match.span()) for match in islice(_SEGMENT.finditer(bare, title_end), _MAX_PARTS)]
    marked = [
        TextRange(max(start, title_end), end)
        for start, end in (*plain.emphasis, *plain.strong)
        if title_end < end <= len(text)
    ]
    parts: list[tuple[str, TextRange]] = []
    if attribution is not None:
        parts.append(("attribution", TextRange(attribution.start, attribution.end)))
    if title_line.leading_authors is not None:
        parts.append(("before", title_line.leading_authors))
    if link is not None and title_end < link.end:
        parts.append(("link", TextRange(title_end, link.end)))  # `[Tidy Shelves (Stone et al., 2012)](u)`
    parts += [
        ("markup", markup)
        for markup in marked[:_MAX_PARTS]
        if not (
            # `*AAAI 2022 Workshop on Shelves, Books & Order*`
            text.startswith(CONSUMED, markup.start)
            or markup in codes
            or _is_one_of_several(markup, texts, text)
            or text[markup.end : markup.end + 1].isalpha()
        )
    ]
    parts += [("text", segment) for segment in texts] + [("code", code) for code in codes]
    first = next(iter((*texts, *codes)), None)
    return [
        _to_part(text, origin, place, place == first, attribution is not None)
        for origin, place in parts[:_MAX_PARTS]
    ]


def _to_part(text: str, origin: str, place: TextRange, is_first: bool, is_attributed: bool) -> _Part:
    words = text[place.start : place.end].replace(CONSUMED, " ")
    lead = by[0] if (by := BEFORE_PEOPLE.match(words)) else ""
    names = _LAST_DASH.sub("", words[len(lead) :])
    people = _OPENED.sub("", DATE_AT_END.sub("", names))
    bare = people.strip(" ()[].,*")
    is_marked = origin not in _UNMARKED and not is_attributed
    is_dated = is_first and people != names and not names_organisation(bare)
    is_inverted = (is_marked or is_dated) and ONE_INVERTED.fullmatch(bare) is not None
    return _Part(origin, place.start + len(lead), place, is_first, lead, names, people, bare, is_inverted)


def _may_be_group(part: _Part, text: str) -> bool:
    """Return whether one or two names in brackets and a markup may be organisations: `(*UT Austin*)`."""
    is_short = (
        text[: part.place.start].rstrip(" *_")[-1:] in ("(", "（") and len(split_people(part.people)) < 3
    )
    return is_short and part.is_marked and part.origin != "before" and are_organisations(part.bare)


def _with_group(byline: Byline, part: _Part, plain: PlainText, text: str, title_end: int) -> Byline:
    """Return a byline with the organisations of a part, or the name that stands in bold behind the title."""
    is_sure = names_organisation(part.bare)
    is_behind = not text[title_end : part.place.start].strip(" (（*_")
    if is_behind and part.place in plain.strong and " " not in part.bare and not is_sure:
        called = next(iter(find_fields([part.bare], plain, text, *part.place)), None)
        return byline._replace(name=called, guessed=byline.guessed | {"name"})
    groups = find_organisations(plain, part.start, part.start + len(part.people))
    return byline._replace(
        affiliations=groups, guessed=byline.guessed if is_sure else byline.guessed | {"affiliations"}
    )


def _are_people(part: _Part, text: str, after_year: int) -> bool:
    """Return whether a part is people. `after_year` is where a year in brackets ends, or -1."""
    if part.origin in ("attribution", "before") or is_list_of_people(part.people):
        return True
    if (part.is_first and _is_one_person(part.bare)) or part.is_inverted:
        return True
    before = text[part.place.start - 1 : part.place.start]
    stands_out = part.is_marked or len(part.lead) > 2 or before == "\n" or part.place.start == after_year
    stands_out = stands_out or (before == "[" and are_named(part.people))
    return stands_out and are_authors(part.people, minimum="by " not in part.lead.casefold())


def _with_people(byline: Byline, part: _Part, title_line: TitleLine, text: str) -> Byline:
    """Return a byline with the people of a part, and the organisations in brackets or behind them."""
    plain, people = title_line.plain, part.people
    if (cited := find_leading_people(people)).year is not None:  # a citation follows the people
        people = DATE_AT_END.sub("", people[: cited.end])
    if (stop := _STOP.search(people)) and are_authors(people[: stop.start()]):
        people = people[: stop.start()]
    start, end = part.start, part.start + len(people)
    name = people.strip(" .,")
    is_known = part.is_inverted or part.origin == "before" or title_line.shape == "quoted"
    if (is_known or is_given_name(name.rpartition(" ")[2])) and ONE_INVERTED.fullmatch(name):
        # Stone, Ada. "Tidy Shelves"
        name += "." if name[-2:-1] == " " and f"{name}." in people else ""
        authors = find_fields([name], plain, text, start, end)
    else:
        authors = find_people(plain, text, start, end)
    groups = organisations_in_brackets(plain, text, *part.place)
    behind = _GROUPS_BEHIND.match(
        text, plain.offset(authors[-1].span.end) if authors else end, part.place.end
    )
    if behind and not groups and names_organisation(behind["groups"].partition(",")[0]):
        groups = find_organisations(plain, *behind.span("groups"))
    is_guess = len(authors) == 1 and not are_surely_people(people)
    guessed = byline.guessed | {"authors"} if is_guess else byline.guessed
    return byline._replace(authors=authors, affiliations=groups, guessed=guessed)


def _people_before_prose(part: _Part) -> int:
    """Return where the people end that stand before what is said of their work: `Stone, A. Sorts books.`, `Ada Stone, Ben Field - Sorts books.`"""
    if part.is_marked:
        return 0
    stop = _DASH.search(part.names)
    if stop is not None and is_list_of_people(part.names[: stop.start()]):
        end, behind = stop.span()
    else:
        formed = people_by_form(part.names)
        end = behind = formed.end if formed is not None else len(part.names)
    return part.start + end if is_prose(part.names[behind:]) else 0


def _with_organisations(byline: Byline, part: _Part, plain: PlainText, text: str) -> Byline:
    """Return a byline with the organisations of a part behind `@`, a bar or a bracket, or that the vocabulary knows."""
    bare = part.bare.removeprefix("From ").removeprefix("from ")
    is_handle, before = bare.startswith("@"), text[: part.place.start].rstrip(" ")[-1:]
    # `**Title.** Oxford, Duke. 2023.11.`
    leads = part.origin == "text" and part.is_first and is_known_organisation(bare)
    if not 1 < len(part.bare) < 80 or not (leads or is_handle or before in ("|", "｜", "(", "（", "[")):
        return byline
    if not is_handle and not (is_known_organisation if before == "[" else are_organisations)(bare):
        return byline
    start, guessed = text.find(bare, part.place.start), byline.guessed
    bare = bare.removesuffix(" etc")
    if not is_handle and not names_organisation(bare):
        guessed |= {"affiliations"}
    groups = find_organisations(plain, start + is_handle, start + len(bare))
    return byline._replace(affiliations=groups, guessed=guessed)


def _is_one_person(text: str) -> bool:
    """Return whether a text is one person, whose given name shows it: `. Ada Stone. PhD Thesis, 2019`."""
    return are_named(text) and len(split_people(text)) == 1


def _is_one_of_several(marked: TextRange, segments: list[TextRange], text: str) -> bool:
    """Return whether a text in a markup is one of the people of its line: `Ada Stone, **Ben Field**, Cy Moor`."""
    if SEPARATOR.search(text, marked.start, marked.end):
        return False
    around = next(
        (part for part in segments if part.start <= marked.start and marked.end <= part.end), marked
    )
    return around != marked and is_list_of_people(text[around.start : around.end])


def _blank_year(text: str, year: YearMention | None, title_end: int) -> tuple[str, int]:
    """Return a text with CONSUMED in place of a year in brackets, and the offset after them, or -1."""
    if year is None or year.start < title_end:
        return text, -1
    opening, close = text.rfind("(", title_end, year.start), text.find(")", year.end, year.end + 40)
    words = {word.casefold() for word in WORD.findall(text[opening:close])} if 0 <= opening < close else {""}
    if not words <= _BESIDE_YEAR:
        return text, -1
    close += 1
    return text[:opening] + CONSUMED * (close - opening) + text[close:], close
