"""Finds venues that are not in the vocabulary by their form and place: `IVMEM'24`, `, Annals of Shelves, 2022`."""

from __future__ import annotations

import re
from typing import Literal

from shelfread.core.patterns import lazy
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import (
    BEFORE_PEOPLE,
    are_authors,
    are_named,
    are_surely_people,
    has_title_word,
    split_people,
)
from shelfread.document.recognizers.venues import (
    PUBLISHERS,
    SHORTENED,
    SMALL,
    WORD,
    Mention,
    find_mentions,
    is_citation,
    only_cites,
)
from shelfread.document.years import SUBJECT_YEAR, find_year, full_year
from shelfread.taxonomy.vocabulary import Vocabulary

VENUE_WORD = lazy(
    r"\b(?:(?i:conf(?:erence)?|workshop|symposium|journal|trans(?:actions)?|proc(?:eedings)?|letters|review)|IC[A-Z]{2,5})\b"
)
_SHORTENED = lazy(rf"\b{SHORTENED}")
_YEAR = r"(?P<year>(?:19[5-9]|20[0-3])\d)"
_LED = r"(?P<led>(?:[Ii]n:?\s)?(?:[Pp]roc(?:eedings|\.)?\s(?:of\s)?(?:the\s)?)?)"
_WORD = rf"(?:{SHORTENED}|[A-Z]\.|\d{{1,3}}(?:st|nd|rd|th)|[A-Z][A-Za-z&/-]*(?!\.)|{SMALL}|&)"
# A text that is a venue and its year: IVMEM'24, ICAIS 2021, Journal of X 2021.
_ALONE = lazy(
    r"^\s*(?:[Ii]n:?\s+)?(?P<citation>(?:"
    r"(?P<name2>[A-Za-z][\w&+/@-]*(?: (?:of |on |for |and )?[A-Z&][\w&+/@-]*\.?){0,6})\s?['’‘]\s?(?:19|20)?(?P<year2>\d\d)"
    rf"|(?P<name>IC[A-Z]{{2,5}}|[A-Z][\w&./-]*(?: [\w&./-]+){{0,9}})[, ]{{0,2}}{_YEAR}))(?:, [^,]{{2,40}})?[\s.]*$"
)
_SHORT = lazy(
    r"^\s*(?P<citation>(?P<name>[A-Z][A-Za-z&]{1,11})(?P<gap>-(?=[12])|['’]|\s['’]?)(?P<year>[012]\d|(?:19|20)\d\d)"
    r"|['’]?(?P<year2>(?:19|20)\d\d|\d\d(?=[-_]))[-_]?(?P<name2>[A-Z][A-Za-z]{0,9}[A-Z][A-Za-z]{0,9}))[\s:,.|_–—-]*$"
)
# A line that is nothing but a venue and its year: `In *Annals of Shelves* (2019)`, `[WinterVision'16]`, `2016 ACGS`.
_LINE = lazy(
    rf"^[\W_]{{0,4}}{_LED}(?P<citation>(?:{_YEAR}[\s,.)\]-]{{1,3}})?"
    rf"(?P<name>[A-Z][\w&/.'’-]*?(?: (?:[A-Z&][\w&/.'’-]*?|{SMALL})){{0,9}})"
    r"(?:[\s,.(\[*_'’-]{0,4}(?P<year2>(?<=['’])\d\d|(?:19[5-9]|20[0-3])\d))?)(?: \((?:[Oo]ral|[Ss]potlight|[Pp]oster|[Ww]orkshop)\))?[\W_]{0,4}$"
)
# After a title: `, AKBC 2019`, `(Computational Visual Media, 2022)`.
_AFTER_TITLE = lazy(
    rf"^[\s|,，.;:(\[（–—\"”»’-]{{1,6}}(?:in\s+|{_LED})(?P<citation>(?P<name>[a-z]?[A-Z][\w&/.'’-]*(?: (?:[A-Z&][\w&/.'’-]*|{SMALL})){{0,9}}(?: \([A-Z][\w&-]{{1,12}}\))?)"
    rf"(?: \d{{1,4}}(?:\.\d{{1,3}}|\(\d{{1,3}}\))?)?(?:[, ]{{1,2}}|-)['’(]?{_YEAR}\)?)(?=\W|$)"
)
_LED_NAME = rf"^[\s.,\"”»]{{1,4}}In:?\s(?:Proc(?:eedings|\.)\s(?:of\s)?(?:the\s)?)?(?P<citation>(?P<name>[A-Z\d](?:{SHORTENED}|[^,.;:()\0\n|]){{1,150}}?)(?: \([A-Z][^()\0\n]{{1,30}}\))?)"
# Its year stands before the title: `In 28th Workshop on Shelves, Oak, Norway, 3-9.`
_LED_ALONE = lazy(rf"{_LED_NAME}(?=[,.;]|\s?(?!\(Eds?\b)[(\0\n]|$)")
# Its year stands behind its pages: `. In Companion of the 2025 Conference on Shelves, pp. 3-9. 2025.`
_LED_PAGED = lazy(
    rf"{_LED_NAME.replace(',.;:', '.;:')}(?=,\s(?:pp?\.|[Pp]ages|[Vv]ol\b)|\.\s(?:19|20)\d\d\b)"
)
# Behind people, which end with it: `Ada Stone, Ben Field, Applied Shelf Systems, 2001`.
_AFTER_PEOPLE = lazy(
    rf"(?:(?P<stop>\.)|[,;]|\s[-–—|/])\s+(?P<led>In:?\s(?:Proc(?:eedings|\.)\s(?:of\s)?(?:the\s)?)?)?(?P<citation>(?P<name>[A-Z][^,.;()\0\n|]{{2,100}}?),?\s\(?{_YEAR}\)?)[\s.,]*$"
)
# An acronym and its year, with nothing before them: `Ada Stone ACGS'22`.
_SHORT_AFTER_PEOPLE = lazy(
    r"\s(?P<citation>(?P<name>[A-Z][A-Za-z]{0,9}[A-Z][A-Za-z]{0,9})\s?['’](?P<year>\d\d)|(?P<year2>(?:19|20)\d\d)-(?P<name2>[A-Z][A-Za-z]{0,9}[A-Z][A-Za-z]{0,9}))[\s.,]*$"
)
# The same without a year: `by Ada Stone, in Applied Shelf Systems.`
_LED_AFTER_PEOPLE = lazy(
    r"[,.]?\s[Ii]n:?\s(?:the\s)?(?P<citation>(?P<name>[A-Z][^,.;()\0\n|]{2,100}?))[\s.,]*$"
)
# The abbreviated title of a journal, wherever it begins: `. IEEE Trans. Tidy Shelves, 2019`.
_ABBREVIATED = lazy(
    rf"(?:^|[.,;:|(\[*_\"”»\n])\s{{0,3}}(?:[Ii]n:?\s)?(?P<citation>(?P<name>(?:(?<=^\.\s)(?:[A-Z][a-z]{{1,7}}\.\s){{1,3}})?(?=\S{{1,40}}\s(?:[^\d(]|\d{{1,3}}[a-z]))(?:{_WORD}\s){{0,9}}?{SHORTENED}(?:\s{_WORD}){{0,9}})"
    r"(?:,?\s(?:vol\.\s)?\d{1,4}(?:\s?\(\d{1,3}\))?(?:[,:]\s?(?:pp?\.\s?)?\d{1,6}[-–]{1,2}\d{1,6})?)?"
    rf"[,.]?\s\(?{_YEAR}\)?)"
)
# The publisher of a book: `. MIT Press, 2016`, `, Springer 2014`.
_PUBLISHER = lazy(
    r"(?:^|[,.;(])\s*(?P<citation>(?P<name>(?:(?:[A-Z][\w&'’-]*|of|and)\s){0,5}(?:Press|Publish(?:ers|ing)|Books|Verlag)|Springer(?:[- ]Verlag)?|Elsevier|(?:John )?Wiley(?: (?:&|and) Sons)?"
    rf"|O['’]Reilly(?: Media)?|Packt|(?<!\b[A-Z]\.\s)Manning|Apress|SIAM|{'|'.join(sorted(PUBLISHERS))}|Addison[- ]Wesley|Prentice[- ]Hall|Morgan Kaufmann|McGraw[- ]Hill|Chapman (?:&|and) Hall)"
    rf",?\s\(?{_YEAR}\)?)(?=\W|$)"
)
# Behind a bar or a label: `| Proceedings of the 2025 Conference on Shelves (Volume 1: Long Books).`
_PROCEEDINGS = lazy(
    r"\|\s{0,3}(?P<citation>(?P<name>Proceedings of [^\0\n|]{10,250}?))(?=\.?\s{0,3}(?:[|\n]|$))"
)
# After the kind of the document: `[J]. Annals, 2004, 3(1)`.
_JOURNAL_BY_KIND = lazy(
    rf"^[\s.,]{{0,3}}\[[JC]\](?://|\.)\s?(?P<citation>(?P<name>[A-Za-z][^\d,\0|()\[\]]{{3,120}})[,.] {_YEAR})"
)
_BY_KIND = lazy(
    r"^[\s.,]{0,3}\[[JC]\](?://|\.)\s?(?P<citation>(?P<name>[^\W_][^\0\n|.,，]{2,160}?))(?=[.,，])"
)
_NUMBER = r"(?:[Nn]o\.?|[Nn][º°]|núm\.)\s?\d{1,4}(?:[.-]\d{1,3})?"  # of an issue
# What shows that a name before it is a journal: its volume, issue and pages, or its pages behind the year.
_VOLUME = lazy(
    r"(?:[,.]\s(?P<d>(?:19|20)\d\d)(?:\s[A-Z][a-z]{2}(?:\s\d{1,2})?)?[,;]\s?\d{1,4}\s?(?:\(\d|:)"
    r"|,?\s(?:[Vv]ol(?:ume)?\.?\s?)?(?!(?:19|20)\d\d\b)\d{1,4}(?:\.[\dA-Z-]{1,9}|\s?\(\d{1,3}(?:[-–]\d{1,3})?\))?,?\s\((?P<a>(?:19|20)\d\d)\)"
    rf"|,?\s(?:[Vv]ol(?:ume)?\.?\s?)?(?!(?:19|20)\d\d\b)\d{{1,4}}(?:\s?\(\d{{1,3}}(?:[-–]\d{{1,3}})?\)|,?\s{_NUMBER}|,\s\d{{1,3}}(?=,?\s\((?:19|20)\d\d\)))(?:,?\s\((?:[^\W_][^():]{{2,24}}\s)?(?P<b>(?:19|20)\d\d)\))?"
    rf"|,\s{_NUMBER}(?:,?\s\((?:[^\W_][^():]{{2,24}}\s)?(?P<f>(?:19|20)\d\d)\))"
    r"|,?\s(?:[Vv]ol(?:ume)?\.?\s?)?(?!(?:19|20)\d\d\b)\d{1,4}[,:]\s?(?:pp?\.?\s?)?[Ee]?(?!(?:19|20)\d\d\b)\d{1,6}(?:\s?[-–—]{1,2}\s?\d{1,6})?(?:[,.]?\s\(?(?P<c>(?:19|20)\d\d)\)?)?"
    r"|,\s[Vv]ol(?:ume)?[.:]?\s?(?:[A-Z]-)?\d{1,4}"
    r"|,?\s\((?P<e>(?:19|20)\d\d)\):\s?\S)"
)
_BEFORE_JOURNAL = lazy(r"(?P<hard>[\0\n|\"”»；]|\A[\s.,])[\s.,:)–—-]*(?:[Ii]n:?\s)?|[.?!,]\s+(?:In:?\s)?")
_STOPPED = lazy(r"[a-z]{2}\.(?:\s|$)")
_ONE_PERSON = lazy(r"[A-Z][a-z]{2,20} [A-Z][a-z]{2,20}\.")
_SHORT_WORD = lazy(r"\w\w\.|^\w*$|\bJ$")
_MAX_BEFORE_VOLUME, _MAX_JOURNAL = 400, 10
# What follows a title in a citation: `In Proceedings of ...`, `arXiv:...`, `2021.`, `Annals of Shelves 12 (2020)`.
_CITATION = lazy(
    r"\W{0,3}(?:[Ii]n\s*:|In\s|in\s(?=[A-Z\d]|proc)|//|arXiv|arxiv|CoRR\b|Personal communication|Blog post|Manuscript|Proc\b|Proceedings|Advances in|Adv\.|Journal\b|J\.\s|IEEE\b|ACM\b|USENIX\b|"
    r"Trans\.|Transactions|Annals|Communications of|Commun\.|Technical [Rr]eport|Tech\.|Ph\.?\s?D|Master|MSc|Preprint|preprint|Available|Online|"
    r"[Uu]npublished|phdthesis|mastersthesis|[Ss]ubmitted|[Tt]o appear|https?:|doi\b|DOI\b|\(?(?:19|20)\d\d\b|[Vv]ol\b|pp?\.|pages\b|\[[JC]\]|"
    r"[A-Z][\w.& -]{2,60}(?: \([^()]{2,40}\))?,?\s(?:vol\.?\s)?\d{1,4}\s?(?:[(:,]|\.\d))"
)
_CITATION_IN_COMMAS = lazy(
    r"in[:\s]\s?(?=[A-Z\d])|arXiv\b|\(?(?:19|20)\d\d[a-z]?\)?(?=\.?\s*(?:\0|$)|\.\s)|\d{1,2}(?:st|nd|rd|th) edn?\b|Proc\b|Ph\.?\s?D|Master['’]?s? thesis|M\.?\s?Sc|[Tt]ech(?:nical|\.) [Rr]ep"
    r"|[A-Z][^,()]{2,80}?\s\d{1,4}(?:\s?\(\d{1,4}\))?\s\((?:19|20)\d\d\)"
)


Place = Literal["brackets", "citation", "short", "line", "title", "guessed title", "cited title", "people"]
"""Where a text stands: in brackets, where only citations or short ones stand, in a line of its own, behind a title or people.

A cited title stands itself behind its people and its year.
"""
_FORMS: dict[Place, tuple[re.Pattern[str], ...]] = {
    "brackets": (_ALONE,),
    "citation": (_ALONE,),
    "short": (_SHORT,),
    "line": (_LINE,),
    "title": (
        _LED_PAGED,
        _PROCEEDINGS,
        _JOURNAL_BY_KIND,
        _BY_KIND,
        _ABBREVIATED,
        _VOLUME,
        _AFTER_TITLE,
        _PUBLISHER,
    ),
    "guessed title": (_ABBREVIATED, _VOLUME, _AFTER_TITLE, _PUBLISHER),
    "cited title": (_LED_ALONE, _ABBREVIATED, _VOLUME, _AFTER_TITLE, _PUBLISHER),
    "people": (_AFTER_PEOPLE, _LED_AFTER_PEOPLE, _SHORT_AFTER_PEOPLE),
}
_BEHIND, _MAX_WHOLE = ("title", "guessed title", "cited title", "people"), 120


def begins_citation(text: str, *, in_commas: bool = False) -> bool:
    """Return whether a text behind a stop begins as citations do; with `in_commas`, behind a comma, where titles go on."""
    return (_CITATION_IN_COMMAS if in_commas else _CITATION).match(text.lstrip()) is not None


def find_unlisted(text: str, place: Place) -> Mention | None:
    """Return the unlisted venue and its year that a text in some place is, or has behind a title or people."""
    if (len(text) > _MAX_WHOLE and place not in _BEHIND) or SUBJECT_YEAR.fullmatch(text):
        return None
    for pattern in _FORMS[place]:
        match = pattern.search(text)
        if match and (found := (_journal_before if pattern is _VOLUME else _mention)(match, place)):
            return found
    return None


def _mention(match: re.Match[str], place: Place) -> Mention | None:
    stated = {key.rstrip("2"): key for key, value in match.groupdict().items() if value}
    is_dated = "year" in stated or "year" not in match.re.groupindex
    if not is_dated or not _is_venue(match, match[stated["name"]], place):
        return None
    start, end = match.span("citation")
    name_start, name_end = match.span(stated["name"])
    people, stop, _ = match[stated["name"]].partition(". ")
    if (
        stop and len(split_people(people)) > 1 and are_authors(people, minimum=0)
    ):  # `Stone & Field. ACGS 2009`
        start = name_start = name_start + len(people + stop)
    end -= match["citation"].endswith(")") and "(" not in match["citation"]
    opened = match.string.count("(", start, end) - match.string.count(")", start, end)
    end += opened > 0 and match.string.startswith(")", end)
    start -= opened < 0 and match.string.endswith("(", 0, start)  # `(2016) Annals of Shelves`
    year = full_year(int(match[stated["year"]][-2:])) if "year" in stated else None
    return Mention(start, end, None, name_start, name_end, year)


def _is_venue(match: re.Match[str], name: str, place: Place) -> bool:
    """Return whether a name is that of a venue, as far as the place does not show it."""
    if name.endswith((" in", " of", " on", " the", " et al")):
        return False  # `The shelf that Ada Stone built in 1990`
    if "year" not in match.re.groupindex:
        is_name = " " in name or not name.isascii() or is_acronym(name)
        return is_name and not are_named(name) and (place != "people" or _end_with(match, name))
    if place in ("title", "guessed title", "cited title") and "led" not in match.groupdict():
        # no `In Annals of Shelves. ACM, 2010`, no `. Ada Stone. 2010`
        return match.start() == 0 or not (only_cites(name) or _ONE_PERSON.fullmatch(name))
    if place == "guessed title" and not only_cites(name):
        return is_acronym(name) and not match.string[match.end() :].strip(" .,，|\n")
    is_alone = place in ("brackets", "citation")
    # no `Journal of Oak University`
    is_group = names_organisation(name) and not (is_alone and VENUE_WORD.search(name))
    if is_group or (only_cites(name) and WORD.search(name) and not is_alone):
        return False
    stated = {key for key, value in match.groupdict().items() if value}
    if is_alone:
        sure = place == "citation" and is_acronym(name)
        is_formed = VENUE_WORD.search(name) or _SHORTENED.search(name)
        return sure or "name2" in stated or name in PUBLISHERS or is_formed is not None
    if place == "short":
        return "name2" in stated or match["gap"] != " " or is_acronym(name)
    if place == "line":
        return "led" in stated or not are_authors(name, minimum=2)
    if place == "people":
        return _end_with(match, name)
    return "led" in stated or has_venue_form(name)


def _end_with(match: re.Match[str], name: str) -> bool:
    """Return whether people end with a venue: no person has its words."""
    before = match.string[: match.start()]
    people = BEFORE_PEOPLE.sub("", before, count=1).strip(" ,.;:-–—|/*_()")
    stop = match.groupdict().get("stop")
    are_sure = are_surely_people(people)
    if not are_authors(people, minimum=1 if are_sure or stop is None else 2):
        return False
    if "name2" in match.re.groupindex or match.groupdict().get("led"):
        return True  # `Ada Stone ACGS'22`, `Ada Stone, In ACGS, 2022`
    lead = BEFORE_PEOPLE.match(before)
    is_led = lead is not None and any(map(str.isalpha, lead[0]))
    if "stop" not in match.re.groupindex and not (are_sure or is_led):
        return False  # `Resolving Disputes in Large Shelf Rooms`
    # `Ada B. Stone, 2001`, but `Stone A, Field B. ACGS/ISL, 2001`
    is_initial = " " not in name and before[-2:-1].isspace() and not name.isupper()
    return bool(stop and not is_initial) or has_title_word(name) or bool(VENUE_WORD.search(name))


def has_venue_form(name: str) -> bool:
    """Return whether a name has the form of a venue: a word of venues or titles, an acronym, or an abbreviation."""
    has_word = VENUE_WORD.search(name) is not None or has_title_word(name)
    return has_word or any(map(is_acronym, name.split())) or _STOPPED.search(name) is not None


def _journal_before(volume: re.Match[str], place: Place) -> Mention | None:
    """Return the unlisted journal behind a title, or behind people behind it: `Annals of Shelves 12(3), 1-9 (2020)`."""
    after, start = volume.string, 0
    if volume.start() > _MAX_BEFORE_VOLUME:
        return None
    for stop in _BEFORE_JOURNAL.finditer(after, 0, volume.start()):
        before = after[start : stop.start()].strip(" .")
        # What is abbreviated is the journal: `Bull. Seismol. Soc. Am. 58 (1968)`.
        may_be_people = place != "cited title" and ("," in stop[0] or not _SHORT_WORD.search(before))
        if stop["hard"] or (may_be_people and are_authors(before, minimum=0)) or find_year(before):
            start = stop.end()
    name = after[start : volume.start()]
    words = name.split()
    capitals = sum(1 for word in words if word[0].isupper() or len(word) < 4)
    is_name = (
        name[:1].isupper() and 2 * capitals >= len(words) <= _MAX_JOURNAL and not any(map(str.isdigit, name))
    )
    is_group = names_organisation(name) and not VENUE_WORD.search(name)  # no `Oak Journal of Shelves`
    if not is_name or only_cites(name) or is_group:
        return None
    # Only the stop of a sentence is none of an abbreviation.
    is_sentence = name.find(".") == len(name) - 1 and words[-1][:-1].casefold() not in WORDS["abbreviated"]
    name_end, dated = volume.start() - is_sentence, volume.lastgroup
    end = volume.end(dated) if dated else name_end
    end += after.startswith(")", end) and dated is not None
    return Mention(start, end, None, start, name_end, int(volume[dated]) if dated else None)


def find_venue_label(label: str, sure: bool = False) -> Mention | None:
    """Return the unlisted venue that a label before a title has the form of: `TVLSI`, `IEEE Access`.

    With `sure`, the place of the label shows that it is one.
    """
    words = label.split()
    is_formed = 0 < len(words) <= 6 and words[0][0].isupper()
    if is_formed and not sure:
        is_formed = is_acronym(words[0]) or has_title_word(label) or VENUE_WORD.search(label) is not None
    is_one = is_formed or (sure and 0 < len(words) <= _MAX_JOURNAL)
    return Mention(0, len(label), None, 0, len(label), None) if is_one else None


def find_venues(text: str, vocabulary: Vocabulary, place: Place = "citation") -> list[Mention]:
    """Return the venues that a text names, or else the unlisted one that it has in a place."""
    mentions = find_mentions(text, vocabulary)
    unlisted = None if mentions else find_unlisted(text, place)
    return [unlisted] if unlisted else mentions


def states_citation(text: str, vocabulary: Vocabulary, place: Place = "line") -> bool:
    """Return whether a text in some place is a citation and nothing else."""
    is_known = bool(find_mentions(text, vocabulary)) and is_citation(text, vocabulary)
    return is_known or find_unlisted(text, place) is not None


def is_acronym(name: str) -> bool:
    """Return whether a name is one word with two capitals, `TVLSI`, `DoorCon`, and no identifier: `CVE-2023-0133`."""
    is_identifier = sum(map(str.isdigit, name)) > 4
    return " " not in name and sum(map(str.isupper, name)) >= 2 and not is_identifier
