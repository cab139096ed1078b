"""Finds venues that are not in the vocabulary by their form and place: `IVMEM'24`, `, Annals of Shelves, 2022`."""

from __future__ import annotations

from shelfread.core.patterns import lazy
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import BEFORE_PEOPLE, are_authors, has_title_word
from shelfread.document.recognizers.venues import Mention, find_mentions, only_cites
from shelfread.document.years import find_year, full_year
from shelfread.taxonomy.vocabulary import Vocabulary

# A venue that is not in the vocabulary, recognised by its form: IVMEM'24, ICAIS 2021, Journal of X 2021.
_UNLISTED_VENUE = lazy(
    r"\s*(?:in\s+)?(?P<citation>(?:"
    r"(?P<short>[A-Za-z][\w&+/@-]*(?: (?:of |on |for |and )?[A-Z&][\w&+/@-]*){0,4})\s?['’‘]\s?(?:19|20)?(?P<two>\d\d)"
    r"|(?P<name>IC[A-Z]{2,5}|[A-Z][\w&./-]*(?: [\w&./-]+){0,9})[, ]{0,2}(?P<four>(?:19[5-9]|20[0-3])\d)))(?:, [^,]{2,40})?[\s.]*$"
)
VENUE_WORD = lazy(
    r"\b(?:(?i:conf(?:erence)?|workshop|symposium|journal|trans(?:actions)?|proc(?:eedings)?|letters|review)|IC[A-Z]{2,5})\b"
)
# After a title: `, AKBC 2019`, `(Computational Visual Media, 2022)`.
_AFTER_TITLE = lazy(
    r"[\s|,.;:(\[–—\"”’-]{1,6}(?:in\s+|(?P<led>(?:In:?\s)?(?:Proc(?:eedings|\.)?\s(?:of\s)?(?:the\s)?)?))(?P<citation>(?P<name>[A-Z][\w&/.'’-]*(?: (?:[A-Z&][\w&/.'’-]*|of|on|in|for|and|the)){0,9}(?: \([A-Z][\w&-]{1,12}\))?)"
    r"(?: \d{1,4}(?:\.\d{1,3}|\(\d{1,3}\))?)?[, ]{1,2}['’(]?(?P<year>(?:19[5-9]|20[0-3])\d)\)?)(?=\W|$)"
)
_SHORT_CITATION = lazy(
    r"\s*(?P<citation>(?P<name>[A-Z][A-Za-z&]{1,11})(?P<gap>[-'’]|\s['’]?)(?P<year>[012]\d)"
    r"|['’]?(?P<year_first>(?:19|20)\d\d|\d\d(?=[-_]))[-_]?(?P<acronym>[A-Z][A-Za-z]{0,9}[A-Z][A-Za-z]{0,9}))[\s:,.|_–—-]*"
)
# A line that is nothing but a venue and its year: `In *Annals of Shelves* (2019)`, `[WinterVision'16]`, `2016 ACGS`.
_WHOLE = lazy(
    r"[\W_]{0,4}(?P<led>(?:[Ii]n:?\s)?(?:[Pp]roc(?:eedings|\.)?\s(?:of\s)?(?:the\s)?)?)(?P<citation>(?:(?P<first>(?:19[5-9]|20[0-3])\d)[\s,.)\]-]{1,3})?"
    r"(?P<name>[A-Z][\w&/.'’-]*?(?: (?:[A-Z&][\w&/.'’-]*?|of|on|in|for|and|the)){0,9})"
    r"(?:[\s,.(\[*_'’-]{0,4}(?P<last>(?<=['’])\d\d|(?:19[5-9]|20[0-3])\d))?)(?: \((?:[Oo]ral|[Ss]potlight|[Pp]oster|[Ww]orkshop)\))?[\W_]{0,4}$"
)
# What shows that a name before it is a journal: its volume, issue and pages, or its pages behind the year.
_VOLUME = lazy(
    r"(?:[,.]\s(?P<d>(?:19|20)\d\d)(?:\s[A-Z][a-z]{2}(?:\s\d{1,2})?)?[,;]\s?\d{1,4}\s?(?:\(\d|:)"
    r"|,?\s(?:[Vv]ol(?:ume)?\.?\s?)?(?!(?:19|20)\d\d\b)\d{1,4}(?:\.[\dA-Z-]{1,9}|\s?\(\d{1,3}(?:[-–]\d{1,3})?\))?,?\s\((?P<a>(?:19|20)\d\d)\)"
    r"|,?\s(?:[Vv]ol(?:ume)?\.?\s?)?(?!(?:19|20)\d\d\b)\d{1,4}(?:\s?\(\d{1,3}(?:[-–]\d{1,3})?\)|,?\s[Nn]o\.?\s?\d{1,3})(?:,?\s\((?P<b>(?:19|20)\d\d)\))?"
    r"|,?\s(?:[Vv]ol(?:ume)?\.?\s?)?(?!(?:19|20)\d\d\b)\d{1,4}[,:]\s?(?:pp?\.?\s?)?[Ee]?(?!(?:19|20)\d\d\b)\d{1,6}(?:\s?[-–—]{1,2}\s?\d{1,6})?(?:[,.]?\s\(?(?P<c>(?:19|20)\d\d)\)?)?"
    r"|,\s[Vv]ol(?:ume)?\.?\s?\d{1,4}"
    r"|,?\s\((?P<e>(?:19|20)\d\d)\):\s?\S)"
)
_BEFORE_JOURNAL = lazy(r"(?P<hard>[\0\n|\"”]|\A[\s.,])[\s.,:)]*(?:[Ii]n:?\s)?|[.?!,]\s+(?:In:?\s)?")
_ABBREVIATED_WORD = lazy(r"[a-z]{2}\.(?:\s|$)")
_ABBREVIATED = lazy(r"\w\w\.|^\w*$|\bJ$")
_MAX_BEFORE_VOLUME, _MAX_JOURNAL = 400, 10
# Behind people, which end with it: `Ada Stone, Ben Field, Applied Shelf Systems, 2001`.
_AFTER_PEOPLE = lazy(
    r"(?:(?P<stop>\.)|[,;]|\s[-–—|/])\s+(?:In:?\s(?:Proc(?:eedings|\.)\s(?:of\s)?(?:the\s)?)?)?(?P<citation>(?P<name>[A-Z][^,.;()\0\n|]{3,60}?),?\s\(?(?P<year>(?:19[5-9]|20[0-3])\d))\)?[\s.,]*$"
)
# The publisher of a book: `. MIT Press, 2016`, `, Springer 2014`.
_PUBLISHER = lazy(
    r"(?:^|[,.;(])\s*(?P<citation>(?P<name>(?:(?:[A-Z][\w&'’-]*|of|and)\s){0,5}(?:Press|Publish(?:ers|ing)|Books|Verlag)|Springer(?:[- ]Verlag)?|Elsevier|(?:John )?Wiley(?: (?:&|and) Sons)?"
    r"|O['’]Reilly(?: Media)?|Packt|Manning|Apress|SIAM|Addison[- ]Wesley|Prentice[- ]Hall|Morgan Kaufmann|McGraw[- ]Hill|Chapman (?:&|and) Hall),?\s\(?(?P<year>(?:19[5-9]|20[0-3])\d))(?=\W|$)"
)
# After the kind of the document: `[J]. Annals, 2004, 3(1)`.
_JOURNAL_BY_KIND = lazy(
    r"[\s.,]{0,3}\[[JC]\](?://|\.)\s?(?P<citation>(?P<name>[A-Za-z][^\d,\0|()\[\]]{3,120})[,.] (?P<year>(?:19|20)\d\d))"
)
# What follows a title in a citation: `In Proceedings of ...`, `arXiv:...`, `2021.`, `Annals of Shelves 12 (2020)`.
_CITATION = lazy(
    r"\W{0,3}(?:[Ii]n\s*:|In\s|in\s(?=[A-Z\d]|proc)|//|arXiv|arxiv|CoRR\b|Personal communication|Blog post|Manuscript|Proc\b|Proceedings|Advances in|Adv\.|Journal\b|J\.\s|IEEE\b|ACM\b|USENIX\b|"
    r"Trans\.|Transactions|Annals|Communications of|Commun\.|Technical [Rr]eport|Tech\.|Ph\.?\s?D|Master|MSc|Preprint|preprint|Available|Online|"
    r"[Uu]npublished|[Ss]ubmitted|[Tt]o appear|https?:|doi\b|DOI\b|\(?(?:19|20)\d\d\b|[Vv]ol\b|pp?\.|pages\b|\[[JC]\]|"
    r"[A-Z][\w.& -]{2,60},?\s(?:vol\.?\s)?\d{1,4}\s?(?:[(:,]|\.\d))"
)
_CITATION_IN_COMMAS = lazy(
    r"in[:\s]\s?(?=[A-Z\d])|arXiv\b|\(?(?:19|20)\d\d[a-z]?\)?(?=\.?\s*(?:\0|$)|\.\s)|\d{1,2}(?:st|nd|rd|th) edn?\b|Proc\b|Ph\.?\s?D|Master['’]?s? thesis|M\.?\s?Sc|[Tt]ech(?:nical|\.) [Rr]ep"
    r"|[A-Z][^,()]{2,80}?\s\d{1,4}(?:\s?\(\d{1,4}\))?\s\((?:19|20)\d\d\)"
)


def begins_citation(text: str, *, in_commas: bool = False) -> bool:
    """Return whether a text behind a stop begins as citations do; with `in_commas`, behind a comma, where titles go on."""
    return (_CITATION_IN_COMMAS if in_commas else _CITATION).match(text.lstrip()) is not None


def find_unlisted_venue(text: str, sure: bool = False) -> Mention | None:
    """Return the venue and year that a text consists of, for a venue that is not in the vocabulary.

    With `sure`, the position of the text shows that it is a citation, so any acronym with a year counts.
    """
    match = _UNLISTED_VENUE.match(text) if len(text) <= 100 else None
    if match is None:
        return None
    if names_organisation(match["short"] or match["name"]):
        return None
    if match["two"]:
        year, group = full_year(int(match["two"])), "short"
    elif VENUE_WORD.search(match["name"]) or (sure and is_acronym(match["name"])):
        year, group = int(match["four"]), "name"
    else:
        return None
    return Mention(*match.span("citation"), None, *match.span(group), year)


def find_venue_after_title(after: str) -> Mention | None:
    """Return the unlisted venue and its year right after a title: `, AKBC 2019`, `, Annals of Shelves, 2022`."""
    journal = _JOURNAL_BY_KIND.match(after[:200])
    if journal is not None:
        return Mention(*journal.span("citation"), None, *journal.span("name"), int(journal["year"]))
    if found := find_journal(after):
        return found
    match = _AFTER_TITLE.match(after[:120])
    if match is None:
        return None
    if only_cites(match["name"]):
        return None
    is_venue = (
        match["led"]
        or VENUE_WORD.search(match["name"])
        or has_title_word(match["name"])
        or any(map(is_acronym, match["name"].split()))
        or _ABBREVIATED_WORD.search(match["name"])  # `Shelf Syst. Appl.`
    )
    if not is_venue or names_organisation(match["name"]):
        return None
    start, end = match.span("citation")
    if match["citation"].endswith(")") and "(" not in match["citation"]:
        end -= 1
    return Mention(start, end, None, *match.span("name"), int(match["year"]))


def find_publisher(after: str) -> Mention | None:
    """Return the publisher of a book and the year, behind its title or its people."""
    match = _PUBLISHER.search(after)
    return match and Mention(*match.span("citation"), None, *match.span("name"), int(match["year"]))


def find_venue_after_people(after: str) -> Mention | None:
    """Return the unlisted venue and its year with which a byline ends: no person has its words."""
    match = _AFTER_PEOPLE.search(after)
    if match is None or only_cites(match["name"]) or names_organisation(match["name"]):
        return None
    before = BEFORE_PEOPLE.sub("", after[: match.start()], count=1).strip(" ,.;:-–—|/*_()")
    if not (are_authors(before, minimum=2) if match["stop"] else are_authors(before)):
        return None
    is_initial = " " not in match["name"] and after[: match.start()][-2:-1].isspace()  # `Ada B. Stone, 2001`
    if not (
        (match["stop"] and not is_initial)
        or has_title_word(match["name"])
        or VENUE_WORD.search(match["name"])
    ):
        return None
    return Mention(*match.span("citation"), None, *match.span("name"), int(match["year"]))


def find_journal(after: str) -> Mention | None:
    """Return the unlisted journal behind a title, or behind people behind it: `Annals of Shelves 12(3), 1-9 (2020)`."""
    volume = _VOLUME.search(after[:_MAX_BEFORE_VOLUME])
    if volume is None:
        return None
    start = 0
    for stop in _BEFORE_JOURNAL.finditer(after, 0, volume.start()):
        before = after[start : stop.start()].strip(" .")
        # What is abbreviated is the journal: `Bull. Seismol. Soc. Am. 58 (1968)`.
        may_be_people = "," in stop[0] or not _ABBREVIATED.search(before)
        if stop["hard"] or (may_be_people and are_authors(before, minimum=0)) or find_year(before):
            start = stop.end()
    name = after[start : volume.start()]
    words = name.split()
    capitals = sum(1 for word in words if word[0].isupper() or len(word) < 4)
    is_name = (
        name[:1].isupper() and 2 * capitals >= len(words) <= _MAX_JOURNAL and not any(map(str.isdigit, name))
    )
    if not is_name or only_cites(name) or names_organisation(name):
        return None
    dated = volume.lastgroup
    end = volume.end(dated) if dated else volume.start()
    end += after.startswith(")", end) and dated is not None
    year = int(volume[dated]) if dated else None
    return Mention(start, end, None, start, volume.start(), year)


def find_whole_citation(text: str) -> Mention | None:
    """Return the unlisted venue and year that a line below a title consists of, if it is no list of people."""
    match = _WHOLE.match(text) if len(text) <= 120 else None
    year = match and (match["first"] or match["last"])
    if match is None or not year or only_cites(match["name"]) or names_organisation(match["name"]):
        return None
    if not match["led"] and are_authors(match["name"], minimum=2):
        return None
    return Mention(*match.span("citation"), None, *match.span("name"), full_year(int(year[-2:])))


def find_short_citation(words: str) -> Mention | None:
    """Return the unlisted venue and year that words before a title consist of: `SIGGRAPI-18`, `XYZC 18`, `18-XYZC`."""
    match = _SHORT_CITATION.fullmatch(words)
    if match is None or (match["name"] and match["gap"] == " " and not is_acronym(match["name"])):
        return None
    name = "name" if match["name"] else "acronym"
    year = match["year"] or match["year_first"][-2:]
    return Mention(*match.span("citation"), None, *match.span(name), full_year(int(year)))


def find_venue_label(label: str, sure: bool = False) -> Mention | None:
    """Return the unlisted venue that a label before a title has the form of: `TVLSI`, `IEEE Access`.

    With `sure`, the place of the label shows that it is one.
    """
    words = label.split()
    if sure and 0 < len(words) <= _MAX_JOURNAL:
        return Mention(0, len(label), None, 0, len(label), None)
    is_venue = words and len(words) <= 6 and words[0][0].isupper()
    if not is_venue or not (is_acronym(words[0]) or VENUE_WORD.search(label) or has_title_word(label)):
        return None
    return Mention(0, len(label), None, 0, len(label), None)


def find_venues(text: str, vocabulary: Vocabulary) -> list[Mention]:
    """Return the venues that a text names, or else the unlisted one that a citation consists of."""
    if mentions := find_mentions(text, vocabulary):
        return mentions
    unlisted = find_unlisted_venue(text, sure=True)
    return [unlisted] if unlisted else []


def is_acronym(name: str) -> bool:
    """Return whether a name is one word with two capitals: `TVLSI`, `DoorCon`."""
    return " " not in name and sum(map(str.isupper, name)) >= 2
