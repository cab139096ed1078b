"""Finds the end of a title: at its labels, citation, authors or full stop."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import OPENING
from shelfread.document.entry.remarks import is_prose
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.leading_people import people_by_form
from shelfread.document.recognizers.organisations import is_known_organisation
from shelfread.document.recognizers.people import are_authors, are_named, are_surely_people
from shelfread.document.recognizers.unlisted_venues import (
    VENUE_WORD,
    begins_citation,
    find_unlisted,
    is_acronym,
    states_citation,
)
from shelfread.document.recognizers.venues import Mention, abbreviates, find_mentions, is_citation
from shelfread.document.years import DATE, find_year, find_year_in_brackets
from shelfread.taxonomy.vocabulary import Vocabulary

_STOP = lazy(
    r"[\0\n|｜(\[（【“\"]|[.。](?=\s|$|\0)|[?!](?=\s)|,?\sby\s|,\s|,(?=(?:(?-i:[A-Z]{3})\S{0,12}|arxiv)[\s'’]\d\d)|\s[-–—]+\s|(?<! )[ ]{2,9}(?=\w)",
    re.IGNORECASE,
)
_ABBREVIATION = lazy(
    r"\b(?:vs|etc|i\.e|e\.g|al|jr|sr|dr|mr|ms|mrs|prof|st|no|vol|fig|eq|cf|approx|v|[A-Z])\.$", re.IGNORECASE
)
_INNER_STOP = lazy(r"[.?!,;]\s+|\s[-–—|]\s")
LINE_END = lazy(r"[\0\n]")
_SEGMENT_END = lazy(r"[\0\n|(\[]|(?<!\b[A-Z])\.")
# `Tidy Shelves 🏆 Best Paper`
_AWARD = lazy(
    r"\s[^\w\s!-/:-@\[-`{-~–—“”‘’]\ufe0f?\s?(?i:best (?:student )?paper|oral|spotlight|poster|highlight|award|outstanding paper)(?i: award| honorable mention)?[ !*]*$"
)
_LEADS_TO_VENUE, _MAX_LEAD = lazy(r"[,.]?\s{1,8}in:?$", re.IGNORECASE), 12
_PREPOSITION = lazy(r"\b(?:in|at|of|for|on|the|to|from|with|and|since|until|by)\s+$", re.IGNORECASE)
# GB/T 7714: `Tidy Shelves[J]. Annals of Shelves, 2001`.
_KINDS_OF_DOCUMENTS = frozenset({"J", "C", "M", "D", "R", "A", "J/OL", "EB/OL"})
_IN_WORDS = lazy(r"\s*[Ii]n\s(?P<words>[^\d.,()\[\]\0\n|]+)(?:[(\[\0\n|]|$)")
_FIRST_IDEOGRAPH = "\u2e80"
_BEFORE_LABELS = " ,;:-–—.|/·•→⇒>"
_MIN_WORDS = 3
_CAPITALS = 0.6  # the share of the longer words of a title that begin with a capital
_MAX_CITATION = 60
_MAX_SHORT_CITATION = 24
_MAX_CITATION_OF_SHORT = 120
_MAX_TITLE = 600
# Brackets after a title that are about it: [also in ...], [[Paper]](no address), (oral).
# Two parts of a title, or a title and something else: `Tidy Shelves, Oxford Annals`, `Tidy Shelves - Ada Stone`.
_DOUBTFUL = lazy(r"(?:,|\s[-–—]+|\sby)\s+[A-Z][\w’'.-]*(?:[\s,]+[A-Z][\w’'.-]*){0,4}[\s,]*$")
_ABOUT_TITLE = lazy(
    r"\s*(?:\[|(?:computer software|software|data ?set|preprint|also|see|extended|to appear|oral|spotlight|best paper)\b|from (?-i:[A-Z]))",
    re.IGNORECASE,
)


class TitleEnd(NamedTuple):
    """The offset at which a title ends. `proved` tells whether more than its position shows it."""

    offset: int
    proved: bool


def marked_title_end(unread: str, start: int, end: int, vocabulary: Vocabulary) -> TitleEnd:
    """Return the end of a title within its quotes, link or emphasis: a citation may follow it there.

    The title of `[Title. ICDCS 2021.](u)` is `Title`.
    """
    end = start + len(_AWARD.sub("", unread[start:end]).rstrip(" ,;:\0\n"))
    text = unread[start:end]
    stripped = text.rstrip(".")
    if stripped.endswith((")", "]", "）")):
        opening = max(stripped.rfind("("), stripped.rfind("["), stripped.rfind("（"))
        content = stripped[opening + 1 : -1]
        is_behind_people = text[:opening].endswith("et al. ") and find_year(content) is not None
        if opening > 0 and (is_behind_people or _is_citation_in_brackets(content, vocabulary)):
            title = text[:opening].rstrip(" ,.-\0")
            return marked_title_end(unread, start, start + len(title), vocabulary)
    for match in _INNER_STOP.finditer(text, max(len(text) - _MAX_CITATION - 2, 0)):
        after = text[match.end() : match.end() + _MAX_CITATION + 1]
        starts_citation = after[:1].isupper() or after[:1].isdigit() or after[:1] == "'"
        if starts_citation and len(after) <= _MAX_CITATION and _is_citation_after_title(after, vocabulary):
            offset = start + match.start() + (1 if match.group()[0] in "?!" else 0)
            return TitleEnd(offset, bool(find_mentions(after, vocabulary)))
    return TitleEnd(start + len(_without_citation(text, vocabulary)), True)


def _is_citation_in_brackets(content: str, vocabulary: Vocabulary) -> bool:
    """Return whether brackets at the end of a title have its citation: `(CCS 2024)`, `(Stanford 2017)`."""
    is_dated = len(content.split()) <= 4 and find_year_in_brackets(content) is not None
    return is_dated or states_citation(content, vocabulary, "brackets")


def _is_citation_after_title(after: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is a citation: `ICDCS 2021`, `2020-03`, `NeurIPS 2019 FL workshop`."""
    mentions = find_mentions(after, vocabulary)
    if mentions and _is_workshop(after, mentions):
        return True
    if mentions or DATE.match(after):
        return is_citation(after, vocabulary) or is_citation(DATE.sub(" ", after), vocabulary)
    return find_unlisted(after, "citation") is not None


def _is_workshop(text: str, mentions: list[Mention]) -> bool:
    """Return whether a text is a workshop of the conference that it begins with: `NeurIPS 2019 FL workshop`."""
    return mentions[0].name_start == 0 and mentions[0].year is not None and "workshop" in text.casefold()


def unmarked_title_end(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> TitleEnd:
    """Return the end of a title without markup: at its labels, citation, authors or full stop."""
    unread = _before_emphasis(unread[: start + _MAX_TITLE], start, plain, vocabulary)
    offset = start
    while match := _STOP.search(unread, offset):
        edge = match.start()
        stop = unread[edge]
        title = unread[start:edge]
        if stop in "\0\n|｜":
            title = _without_citation(_AWARD.sub("", title).rstrip(_BEFORE_LABELS), vocabulary)
            return TitleEnd(start + len(title), not _DOUBTFUL.search(title))
        if stop in OPENING:
            close = unread.find(OPENING[stop], edge)
            content = unread[edge + 1 : close] if close > 0 else unread[edge + 1 : edge + 40]
            if content in _KINDS_OF_DOCUMENTS and title:
                return TitleEnd(start + len(title.rstrip(" ,;:-–.")), True)
            may_end = content and title and not abbreviates(content, title)
            if may_end and (_translates(content, title) or _is_about_title(content, vocabulary)):
                title = title.rstrip(" ,;:-–.")
                return TitleEnd(start + len(title), not _DOUBTFUL.search(title))
            offset = close + 1 if close > 0 else edge + 1
            continue
        offset = match.end()
        after = unread[offset:]
        if stop in ".。":
            if not after.strip(" \0"):
                return TitleEnd(edge, not _DOUBTFUL.search(title))
            if begins_citation(after):
                return TitleEnd(edge, True)
            if _ends_title(title, after, vocabulary):
                return TitleEnd(edge, _is_attribution(after, vocabulary, sure=True))
        elif stop in "?!":
            if begins_citation(after) and not (_is_second_sentence(after) or _goes_on(after, vocabulary)):
                return TitleEnd(edge + 1, True)
            if _is_attribution(after, vocabulary):
                return TitleEnd(edge + 1, _is_attribution(after, vocabulary, sure=True))
        elif stop == "," and " " in title and begins_citation(after, in_commas=True):
            if not _goes_on(after, vocabulary):
                return TitleEnd(edge, True)
        elif stop == " " and title and _is_remark(title, after, match.group()):
            return TitleEnd(edge, not match.group().isspace())
        elif stop not in '"“' and title and _is_attribution(after, vocabulary):
            sure = _is_attribution(after, vocabulary, sure=True)
            return TitleEnd(start + len(title.rstrip(" ,")), sure)
        elif match.group().lstrip(", ").startswith("by") and _begins_with_people(after):
            return TitleEnd(edge, True)
    title = _AWARD.sub("", unread[start:].rstrip(" .,:-|–([（"))
    title = _without_citation(title.rstrip(" .,:-|–([（"), vocabulary)
    return TitleEnd(start + len(title), not _DOUBTFUL.search(title))


def _is_second_sentence(after: str) -> bool:
    """Return whether words behind a question are the rest of its title, and end before the citation: `What Falls? A study of books. Annals 9: 4`."""
    sentence, stop, _ = after.partition(". ")
    return bool(stop) and sum(map(str.islower, sentence.split())) > 1 and not begins_citation(sentence)


def _goes_on(after: str, vocabulary: Vocabulary) -> bool:
    """Return whether a title goes on with what it is in, and no venue: `Learning to Sing, in Theory and Practice`."""
    match = _IN_WORDS.match(after)
    words = match["words"] if match else ""
    is_cited = begins_citation(words) or VENUE_WORD.search(words) or any(map(is_acronym, words.split()))
    return match is not None and not is_cited and not find_mentions(words, vocabulary)


def _is_remark(title: str, after: str, separator: str) -> bool:
    """Return whether a sentence follows a title behind a dash or two blanks, where titles in capitals do not go on."""
    words = LINE_END.split(after, maxsplit=1)[0].partition("|")[0]
    is_title = separator.isspace() or (len(title.split()) >= _MIN_WORDS and in_title_case(title))
    return (
        is_title and words[:1].isupper() and "?" not in words and is_prose(words) and not in_title_case(words)
    )


def _without_citation(title: str, vocabulary: Vocabulary) -> str:
    """Return a title without the venue and year at its end that nothing sets apart: `Tidy Shelves OSDI'22`."""
    end = title[-_MAX_SHORT_CITATION:]
    if not end[-1:].isdigit():
        return title
    for mention in find_mentions(end, vocabulary):
        before = title[: len(title) - len(end) + mention.start]
        is_last = mention.end == len(end) and mention.year is not None
        if is_last and before.endswith(" ") and len(before.split()) > 2 and not _PREPOSITION.search(before):
            return before.rstrip(" ,;:-–.|@(")
    return title


def _before_emphasis(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> str:
    """Return the text up to the first emphasis that begins authors or a venue."""
    emphasised = (*plain.emphasis, *plain.strong)
    for offset in sorted(marked.start for marked in emphasised if start < marked.start < len(unread)):
        title = unread[start:offset].rstrip()
        if title.endswith("-") and title[-2:-1].isalnum() and start + len(title) == offset:
            continue  # `*Tidy*-*Shelves*`
        if (
            title.endswith(("(", "（"))
            and len(title.split()) >= _MIN_WORDS
            and _closes(unread, offset, emphasised)
        ):
            return unread[: start + len(title[:-1].rstrip())]
        if title[-1:] in (".", ",", ":", "-", "|", "–") or _is_attribution(unread[offset:], vocabulary):
            end = _LEADS_TO_VENUE.search(title[-_MAX_LEAD:])
            return unread[: start + len(title) - (len(end[0]) if end else 0)]
    return unread


def _closes(unread: str, start: int, marked: Iterable[TextRange]) -> bool:
    """Return whether a bracket closes right behind the emphasis at an offset: `Tidy Shelves (**TS**)`."""
    return any(unread[end : end + 1] in (")", "）") for first, end in marked if first == start)


def _is_about_title(content: str, vocabulary: Vocabulary) -> bool:
    """Return whether brackets after a title have its venue, year, authors or organisation, and not words of the title."""
    is_cited = find_mentions(content, vocabulary) and find_year(content)
    if is_cited or states_citation(content, vocabulary, "brackets") or is_known_organisation(content):
        return True
    if content.lstrip().startswith("@") or "et al" in content or _ABOUT_TITLE.match(content):
        return True
    if (find_year_in_brackets(content) and len(content.split()) <= 6) or content.strip() in (
        "x",
        "X",
        "?",
        "-",
    ):
        return True
    return len(content) < 30 and vocabulary.role(content) is not None


def _translates(content: str, title: str) -> bool:
    """Return whether brackets have what a title in Latin letters means, in another script: Chinese behind English."""
    is_foreign = any(char > _FIRST_IDEOGRAPH for char in content) and not any(map(str.isascii, content))
    return is_foreign and title.isascii() and len(title.split()) >= _MIN_WORDS


def _ends_title(title: str, after: str, vocabulary: Vocabulary) -> bool:
    """Return whether the full stop between two texts ends the title."""
    if _ABBREVIATION.search(title[-12:] + "."):
        return False
    following = after.lstrip(" \0*_")
    if not following or _is_attribution(after, vocabulary):
        return True
    is_short = len(title.split()) < 3
    if is_short and ("," in title or are_authors(title) or not find_year(after[:_MAX_CITATION_OF_SHORT])):
        return False
    return not following[0].islower()


def _is_attribution(after: str, vocabulary: Vocabulary, sure: bool = False) -> bool:
    """Return whether a text, up to its next stop, is a citation or a list of people.

    With `sure`, phrases in capitals that could be names are no people.
    """
    after = after.strip(" *_")
    segment = _SEGMENT_END.split(after, maxsplit=1)[0].strip(" ,.*_")
    if not segment or len(segment) > 400:
        return False
    mentions = find_mentions(segment, vocabulary) if len(segment) <= _MAX_CITATION else []
    if mentions and (is_citation(segment, vocabulary) or _is_workshop(segment, mentions)):
        return True
    if sure:
        return are_surely_people(segment)
    return are_authors(segment, minimum=2)


def _begins_with_people(after: str) -> bool:
    """Return whether people stand behind `by`, and more behind them: `by A. Stone, Annals of Shelves`, `by Ada Stone, in ...`."""
    formed = people_by_form(after)
    return formed is not None or are_named(after.partition(",")[0])


def in_title_case(text: str) -> bool:
    """Return whether most of the longer words of a text begin with a capital."""
    longer = [word for word in text.split() if len(word) > 3 and word[0].isalpha()]
    return len(longer) > 1 and sum(word[0].isupper() for word in longer) >= _CAPITALS * len(longer)
