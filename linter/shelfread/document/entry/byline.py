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
from shelfread.document.plain_text import TextRange, find_fields
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
# `Ada Stone et al. Oxford, MIT.`
_GROUPS_BEHIND = lazy(
    r"(?:,?\s?et\.?\s?al)?\.\s+(?P<groups>[^\0\n()]{2,120}?)(?:,?\s\(?(?:19|20)\d\d\)?)?[\s.,]*$"
)
# What leads to the venue behind people: `Ada Stone (`, `Ada Stone, in Proceedings of the`.
_LAST_DASH = lazy(r"(?<!\s)\s[-–—]\s?\Z")
_OPENED = lazy(r"\s[(\[（]\s*$|[,.]?\s[Ii]n:?(?:\s[Pp]roc(?:eedings|\.)(?:\sof)?(?:\sthe)?)?\s*$")
_BESIDE_YEAR = CITATION_WORDS | {"book", "online", "draft", "article", "thesis", "tutorial"}
_MAX_LENGTH, _MAX_PARTS = 3000, 100


class Byline(NamedTuple):
    """The authors and affiliations in a title line, and which of them only their position suggests."""

    authors: list[Field]
    affiliations: list[Field]
    guessed: frozenset[str] = frozenset()
    name: Field | None = None  # what stands there in bold: `(**Kit**)`


def read_byline(title_line: TitleLine, title_end: int) -> Byline:
    """Return the authors and affiliations in a title line whose title ends at the offset `title_end`."""
    plain = title_line.plain
    written = blank_mentions(title_line.unread[: title_end + _MAX_LENGTH], title_line.mentions, CONSUMED)
    for start, end in plain.emphasis:
        if title_end <= start and end <= len(written) and written.startswith(("in ", "In "), start):
            # `*in Advances in Shelving*`
            written = written[:start] + CONSUMED * (end - start) + written[end:]
    attribution = title_line.attribution
    for label in title_line.labels if attribution is None else ():  # `([Stone et al., 2020](u))`
        if is_attribution(label.label) and is_list_of_people(DATE_AT_END.sub("", label.label)):
            attribution = label.link
            start, end, _ = label.link
            written = written[:start] + plain.text[start:end] + written[end:]
            break
    if title_line.leading_authors is None and not has_words(written[title_end:]):
        return Byline([], [])
    text, after_year = _blank_year(written, title_line.year, title_end)
    codes = [code for code in plain.code if title_end <= code.start and code.end <= len(text)]
    ranges = (*plain.emphasis, *plain.strong)
    candidates = [
        TextRange(max(start, title_end), end) for start, end in ranges if title_end < end <= len(text)
    ]
    bare = blank_out(text, [], codes) if codes else text
    segments = [TextRange(*match.span()) for match in islice(_SEGMENT.finditer(bare, title_end), _MAX_PARTS)]
    segments += codes
    candidates = [
        marked
        for marked in candidates[:_MAX_PARTS]
        if not (
            # `*AAAI 2022 Workshop on Shelves, Books & Order*`
            text.startswith(CONSUMED, marked.start)
            or marked in codes
            or _is_one_of_several(marked, segments, text)
            or text[marked.end : marked.end + 1].isalpha()
        )
    ]
    marked_count = len(candidates)
    candidates += segments
    link = title_line.title_link
    if link is not None and title_end < link.end:
        marked_count += 1
        candidates.insert(0, TextRange(title_end, link.end))  # `[Tidy Shelves (Stone et al., 2012)](u)`
    if title_line.leading_authors is not None:
        marked_count += 1
        candidates.insert(0, title_line.leading_authors)
    if attribution is not None:
        marked_count += 1
        candidates.insert(0, TextRange(attribution.start, attribution.end))
    authors: list[Field] = []
    affiliations: list[Field] = []
    guessed: set[str] = set()
    called: Field | None = None
    for index, candidate in enumerate(candidates[:_MAX_PARTS]):
        start = candidate.start
        words = text[start : candidate.end].replace(CONSUMED, " ")
        lead = len(lead[0]) if (lead := BEFORE_PEOPLE.match(words)) else 0
        names = _LAST_DASH.sub("", words[lead:])
        stripped = _OPENED.sub("", DATE_AT_END.sub("", names))
        bare = stripped.strip(" ()[].,*")
        marked = index < marked_count or lead > 2 or text[start - 1 : start] == "\n"
        marked = marked or start == after_year or (text[start - 1 : start] == "[" and are_named(stripped))
        may_be_inverted = (attribution is None and index < marked_count) or (
            candidate in segments[:1] and stripped != names and not names_organisation(bare)
        )  # `*Stone, Ada*`, `Stone, Ada, 2019`
        is_inverted = may_be_inverted and ONE_INVERTED.fullmatch(bare) is not None
        in_brackets = text[:start].rstrip(" *_")[-1:] in ("(", "（") and len(split_people(stripped)) < 3
        may_be_group = in_brackets and index < marked_count and are_organisations(bare)
        if may_be_group and _TOPIC.fullmatch(bare) and not names_organisation(bare):
            continue  # `(*Quality of Films*)`, `(*Film Restoration (FR)*)`
        if may_be_group and not affiliations and not are_surely_people(stripped):
            # `(*UT Austin*)`: one or two names in brackets are organisations
            is_behind = not text[title_end:start].strip(" (（*_")
            if is_behind and candidate in plain.strong and " " not in bare and not names_organisation(bare):
                called = next(iter(find_fields([bare], plain, text, start, candidate.end)), None)
                guessed.add("name")
                continue
            affiliations = find_organisations(plain, start + lead, start + lead + len(stripped))
            if not names_organisation(bare):
                guessed.add("affiliations")
        elif not authors and (
            candidate is title_line.leading_authors
            or (attribution is not None and index == 0)
            or is_list_of_people(stripped)
            or (candidate in segments[:1] and _is_one_person(bare))
            or is_inverted
            or (marked and are_authors(stripped, minimum="by " not in words[:lead].casefold()))
        ):
            if (cited := find_leading_people(stripped)).year is not None:  # a citation follows the people
                stripped = DATE_AT_END.sub("", stripped[: cited.end])
            if (stop := _STOP.search(stripped)) and are_authors(stripped[: stop.start()]):
                stripped = stripped[: stop.start()]
            end = start + lead + len(stripped)
            leads = candidate is title_line.leading_authors
            name = stripped.strip(" .,")
            is_known = leads or is_inverted or title_line.shape == "quoted"
            is_known = is_known or is_given_name(name.rpartition(" ")[2])
            if is_known and ONE_INVERTED.fullmatch(name):  # Stone, Ada. "Tidy Shelves"
                name += "." if name[-2:-1] == " " and f"{name}." in stripped else ""
                authors = find_fields([name], plain, text, start + lead, end)
            else:
                authors = find_people(plain, text, start + lead, end)
            if len(authors) == 1 and not are_surely_people(stripped):
                guessed.add("authors")
            affiliations = organisations_in_brackets(plain, text, start, candidate.end)
            behind = _GROUPS_BEHIND.match(
                text, plain.offset(authors[-1].span.end) if authors else end, candidate.end
            )
            if behind and not affiliations and names_organisation(behind["groups"].partition(",")[0]):
                affiliations = find_organisations(plain, *behind.span("groups"))
        elif (
            not authors
            and candidate in segments
            and (formed := people_by_form(names)) is not None
            and is_prose(names[formed.end :])
        ):
            authors = find_people(
                plain, text, start + lead, start + lead + formed.end
            )  # and what is said of it
        elif not affiliations and 1 < len(bare) < 80 and candidate not in codes:
            before = text[:start].rstrip(" ")[-1:]
            bare = bare.removeprefix("From ").removeprefix("from ")
            if index == marked_count and is_known_organisation(bare):
                pass  # **Title.** Oxford, Duke. 2023.11.
            elif not bare.startswith("@") and before not in ("|", "｜", "(", "（", "["):
                continue
            if bare.startswith("@") or (is_known_organisation if before == "[" else are_organisations)(bare):
                start = text.find(bare, start)
                bare = bare.removesuffix(" etc")
                affiliations = find_organisations(plain, start + bare.startswith("@"), start + len(bare))
                if not (bare.startswith("@") or names_organisation(bare)):
                    guessed.add("affiliations")
    return Byline(authors, affiliations, frozenset(guessed), called)


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
