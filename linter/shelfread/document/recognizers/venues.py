"""Finds venues and years in text: `OSDI'20`, `(EuroSys 2019)`, `arXiv 1404.5997`, `In 17th {USENIX} ...`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.model import Citation, Field
from shelfread.document.plain_text import PlainText
from shelfread.document.recognizers import WORDS
from shelfread.document.years import YEAR, arxiv_year, full_year
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

TOKEN = lazy(r"[^\W\d_]+|\d+")
_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
WORD = lazy(r"[^\W\d_]{2,}")
_ARXIV_ID = lazy(
    r"(?:\s+preprint)?(?:[\s:]+arxiv)?[\s:\[(,-]{0,4}(?:vol\.\s?)?(?:abs/)?"
    r"(\d{4}\.\d{3,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
_BEFORE_YEAR = lazy(r"[ (,\[]{0,8}")
# The characters between a name and its two-digit year: OSDI20, OSDI '20, EuroSys' 26, {NSDI} 20.
_SHORT_GAP = lazy(r"(?:\s?\([A-Za-z ]{3,20}\)|\s(?i:workshops?|findings|demos?))?[\s'’‘`´}_-]{0,4}$")
_YEAR_FIRST = lazy(r"['’]?(?P<year>(?:19|20)?\d\d)(?P<gap>[-_ '’])$")  # 20-OSDI-, at the beginning of a text
_VOLUME = lazy(r"(?:\.\d{1,3})?[,:]?\s{0,2}\(\d{4}\)|\.\d{1,3}\b|\s?\(\d{1,2}\)")
# The volume and pages behind a journal, which are no year: `Annals 12: 3-9`, `Annals, 12(1), 3-9`.
_PAGES = lazy(r",?\s\d{1,4}(?:\s?\(\d{1,3}\))?(?:\s?:|,)\s?(?:(?:pp?|no)\.\s?)?[A-Za-z]?\d")
_LAST_PAGE = lazy(r"\d{3}[-–—]$")  # before a number that is no year: `1942-1953 (2013)`
_PAGES_FOLLOW = lazy(r"\s?[-–—]{1,2}\s?\d")
_PRESENTED = lazy(r"(?i) \(?(?:oral|spotlight|highlight|poster)\b\)?(?=\W*$)")  # `ICLR Oral`
_TRACK = lazy(
    r"(?:\s|-)(?:(?:datasets (?:and|&) benchmarks|d&b)(?: track)?|(?:main|research|industry|industrial|survey|special|theme|demo|demonstration|"
    r"resource|position papers?|short papers?|applied data science|journal) track|workshops?|findings|demos?|tutorial|competition|challenge)\b|"
    r"\s?\[(?:short|long|demo|findings|industry|oral|poster|spotlight|workshop)\]|\s?\([^()]{0,50}(?:datasets|track|findings|workshop|demo)[^()]{0,40}\)",
    re.IGNORECASE,
)
_BRACES = str.maketrans("", "", "{}")
PUBLISHERS = frozenset("ACM AIAA ASME IEEE IET IFAC SIAM USENIX".split())
"""What stands for a venue where nothing else does, and before many."""
SMALL = "of|on|in|for|and|the"
# Words of the abbreviated title of a journal: `IEEE Trans. Tidy Shelves`, `Shelf Sci. Appl.`
SHORTENED = rf"(?:{'|'.join(sorted(map(str.capitalize, WORDS['abbreviated'])))}|Acoust|Annu|Archit|Eur|Lang|Manage|Process|Program|Recognit|Represent)\."
# `Findings of ACL: EMNLP 2020`, `PML4LRS @ ICLR 2024`
_BEFORE_VENUE = lazy(
    rf"(?:\bFindings of (?:the )?[A-Z]{{2,8}}: |(?<![^\s(\[,.|])(?:(?:[A-Z][\w&/-]*|{SMALL}|&) ){{1,14}}Workshop (?:at|@) (?:the )?"
    r"|(?<![^\s(\[,.|])[A-Z][\w&-]{2,20}(?: [Ww]orkshop)? ?@ ?|^[A-Z][A-Z\w&-]{1,20} at "
    rf"|\b(?:{'|'.join(sorted(PUBLISHERS))}) )$"
)
# `NeurIPS 2016 Workshop on Tidy Shelves`; before a title it may be the title.
_WORKSHOP = lazy(
    r"(?:\s(?:[A-Z][\w&-]*|and|of|for|&)){0,8}\s[Ww]orkshops?\b(?:\s(?:on|for)\s[^.,;()\[\]\0\n|]{3,80})?(?:,\s\d{4})?"
)
# What names the workshop beside a conference: `ICML 2020 Workshop on Shelves`, `ShelfRec @ RecSys`.
_OF_WORKSHOP = lazy(r"(?i)workshop|@")
PART = lazy(r"(?i)findings|workshop|companion|industry|demo|track|datasets|benchmarks|\bd&b\b")
"""What names a part of a conference."""
_FINDINGS = lazy(r"(?i)\bfindings\b")
# The year with which what is printed of a venue ends.
YEAR_AT_END = lazy(r"[\s,:'’(-]{0,9}\b(?:\d{4}|'?\d\d)\)?$|\s?['’]\d\d$")
_FULL_NAME = lazy(rf"(?:[A-Z][\w&/-]*|{SMALL}|&)(?: (?:[A-Z][\w&/-]*|{SMALL}|&)){{1,14}} $")
# What a name begins with, up to the words that are known: `Proceedings of the 8th`, `Proc. IEEE Int. Conf. Comput. Vis. (`.
_BEGINNING = lazy(
    r"(?:^\s{0,3}|[.,;|(\[\"”*_\0\n]\s{0,3}|\s[-–—]\s)(?:[Ii]n:?\s)?"
    r"(?P<name>(?=[^,;|\0]{0,120}?\b(?:Adv|Advances|Annual|Association|Chapter|Conf|Conference|Findings|IEEE|Int|International|Proc|"
    r"Proceedings|Symp|Symposium|Trans|Transactions)\b)"
    rf"(?!(?:{SMALL})\s|&|In:?\s)(?:(?:{SHORTENED}|[A-Z][\w&/’'-]*:?"
    rf"|\d{{1,3}}(?:st|nd|rd|th)|(?:19|20)\d\d|{SMALL}|&)\s){{3,16}})$"
)
# Before the name of a journal it makes another one: `Annual Review of Astronomy and Astrophysics`.
_LONGER_JOURNAL = lazy(
    r"\b(?:Advances|Annals|Archives|Journal|Letters|Reviews?|Trans\.|Transactions) (?:in|of|on) (?:the )?$"
)
# Beside an abbreviated name it belongs to another one.
_BESIDE = lazy(r"\b[A-Z][a-z]*\.(?:\s$|(?=[\s,;)]|$))")
_PREFIX = lazy(r"(?<![\w-])([A-Z]{1,6})-$")
# Another conference by its first word: European Semantic Web Conference, Canadian Conference on Machine Learning.
_OTHER_CONFERENCE = lazy(
    r"\b(?!International|Annual|Biennial|Joint|Proceedings|World|Wide|Thematic|[A-Z][a-z]+(?:th|st|nd|rd) )[A-Z][a-z]{3,} $"
)
_OTHER_JOURNAL = lazy(r"\b(?!(?:[Ii]n|[Tt]he|[Aa]t|[Ff]rom|[Vv]ia) )[^\W\d_][^\W\d_A-Z]+ $")
_OTHER_OF_GROUP = lazy(
    r"(?: [A-Z]\w{2,20}){0,2} (?:Record|Explorations|Notices|Review|Bulletin|Newsletter|News)\b"
)
# The most characters of labels that may be written as one word, and of that word: ACMMM20 is ACM MM 20.
_SHORT, _SHORTEST = 16, 8
_DIGIT = lazy(r"\d")
# A name with one of these is no title's words, whatever stands around it.
_VENUE_WORD = lazy(
    r"\b(?:ACM|IEEE|USENIX|SIAM|AAAI|[A-Z]{5,}|PLoS|Acta|Annals|Annual|Archives|Bulletin|Communications|Conf|Congress|Colloquium|"
    r"Conference|Forum|Foundations and Trends|Frontiers|International|Journal|Lancet|Letters|Magazine|Meeting|Nature|Notices|"
    r"PLOS|Proc|Proceedings|Quarterly|Record|Reports|Review|Reviews|Symposium|Trans|Transactions|Workshop|npj)\b|\w\."
)
# Words between a venue and its year, or around both, that are not words of a title.
CITATION_WORDS = WORDS["citation"] | WORDS["month"]
_GOES_ON = lazy(
    r"[\s/](?:[A-Z][a-zA-Z]|[a-z]+(?:th|st|nd|rd)\b|\d{1,2}(?:th|st|nd|rd)\b|computer |international |conference |workshop |winter )"
)
_REST = lazy(r"(?:[\s,][^()\0\n]{0,24})?\)")  # of brackets with a year: `ICML (2019 oral)`
_LED = lazy(r"(?<!\w)In:?$")
_URL = lazy(r"://|www\.|\.(?:pdf|html?|md|io|org|com|edu)\b", re.IGNORECASE)


class Spelling(NamedTuple):
    """A label of a venue, as case-folded words and as written, and the venue's id."""

    words: list[str]
    label: str
    venue: str


class VenueIndex:
    """The labels of all venues by their first word, and a fast test for texts without any.

    Labels are parted into words when a text has their first one: a list names few of all venues.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._labels: dict[str, list[tuple[str, str]]] = {}
        self._known: dict[str, list[Spelling]] = {}
        self._second_words: dict[str, frozenset[str]] = {}
        self._beside_numbers: set[str] = set()  # words in a label with a number: `3 DV`
        self._numbered = False  # whether a label has numbers only
        for label, id in vocabulary.venues.labels():
            first = label.partition(" ")[0]
            if not first.isalpha():
                first = next(iter(_words(label)), "")
            self._labels.setdefault(first.casefold(), []).append((label, id))
            if (len(label) <= _SHORT and not label.isalpha()) or _DIGIT.search(label):
                self._add_forms(label, id)

    def _add_forms(self, label: str, id: str) -> None:
        words = _words(label)
        if any(map(str.isdigit, words)):
            self._beside_numbers.update(word for word in words if word.isalpha())
            self._numbered = self._numbered or not any(map(str.isalpha, words))
        joined = "".join(words)
        if len(words) > 1 and len(joined) <= _SHORTEST:
            self._labels.setdefault(joined, []).append((joined, id))

    def spellings(self, first: str) -> list[Spelling]:
        """Return the labels with a first word, the longest first."""
        if first not in self._labels:
            return []
        if first not in self._known:
            known = [Spelling(_words(label), label, id) for label, id in self._labels[first]]
            self._known[first] = sorted(known, key=lambda spelling: -len(spelling.words))
        return self._known[first]

    def names_no_venue(self, text: str) -> bool:
        """Return True if a text surely names no venue."""
        if text.isascii() and not self._numbered:
            # Words without the numbers between them are found faster.
            words = text.lower().translate(_LETTERS).split()
            if self._beside_numbers.isdisjoint(words) and self._are_none(words):
                return True
        return self._are_none(TOKEN.findall(text.casefold()))

    def _are_none(self, words: list[str]) -> bool:
        firsts = self._labels.keys() & words
        return not firsts or not (
            any("" in self._seconds(first) for first in firsts)
            or any(second in self._seconds(first) for first, second in pairwise(words) if first in firsts)
        )

    def _seconds(self, first: str) -> frozenset[str]:
        """Return the second words of the labels with a first word; that of a label of one word is empty."""
        if first not in self._second_words:
            spellings = self.spellings(first)
            self._second_words[first] = frozenset("".join(spelling.words[1:2]) for spelling in spellings)
        return self._second_words[first]


def _words(label: str) -> list[str]:
    return [word.casefold() for word in TOKEN.findall(label)]


@lru_cache(maxsize=8)
def venue_index(vocabulary: Vocabulary) -> VenueIndex:
    """Return the vocabulary's index (cached)."""
    return VenueIndex(vocabulary)


class Mention(NamedTuple):
    """A venue in a text: the half-open ranges of the citation and of the venue's name in it, and the year.

    `venue` is None if it is not in the vocabulary.
    """

    start: int
    end: int
    venue: Venue | None
    name_start: int
    name_end: int
    year: int | None

    def shift(self, by: int) -> Mention:
        """Return the mention with all offsets moved by a number of characters."""
        start, end, venue, name_start, name_end, year = self
        return Mention(start + by, end + by, venue, name_start + by, name_end + by, year)


class _Token(NamedTuple):
    folded: str
    start: int
    end: int


def rank_mention(mention: Mention) -> tuple[bool, bool, bool]:
    """Rank venues with a year first, then those of the vocabulary, and others before preprint servers."""
    venue = mention.venue
    return mention.year is None, venue is None, venue is not None and venue.kind == "preprint"


def find_mentions(text: str, vocabulary: Vocabulary) -> list[Mention]:
    """Return the venues that a text names, in order, each with its year if one belongs to it."""
    return list(_find_mentions(text, vocabulary))


@lru_cache(maxsize=256)  # each segment of a line is looked up several times in quick succession
def _find_mentions(text: str, vocabulary: Vocabulary) -> tuple[Mention, ...]:
    index = venue_index(vocabulary)
    if index.names_no_venue(text):
        return ()
    tokens = [_Token(match[0].casefold(), match.start(), match.end()) for match in TOKEN.finditer(text)]
    mentions: list[Mention] = []
    i = 0
    while i < len(tokens):
        spellings = index.spellings(tokens[i].folded)
        match = _match(tokens, i, spellings, text, vocabulary) if spellings else None
        i += 1
        if match is None:
            continue
        size, id, ambiguous = match
        venue = vocabulary.venues[id]
        mention = _with_year(text, tokens, i - 1, i - 1 + size, venue)
        if ambiguous and mention.year is None:
            end = mention.end
            if not (_stands_alone(text, mention.start, end) or _has_pages(text, end, venue)):
                continue
        if mentions and mentions[-1].venue is venue and mention.start < mentions[-1].end:
            full = mentions.pop()  # `Conference on Acoustics, Speech and Signal Processing (ICASSP) 2021`
            start = min(full.start, mention.start)
            mention = full._replace(start=start, end=mention.end, year=mention.year or full.year)
        mentions.append(mention)
        while i < len(tokens) and tokens[i].start < mention.end:
            i += 1
    return tuple(mentions)


def is_citation(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is venues, years and words of citations only."""
    return only_cites(blank_mentions(text, find_mentions(text, vocabulary)))


def is_dated_venue(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is a venue and its year, and words of citations."""
    return any(mention.year for mention in find_mentions(text, vocabulary)) and is_citation(text, vocabulary)


def only_cites(text: str) -> bool:
    """Return whether a text has no words but those that stand beside venues and years."""
    return CITATION_WORDS.issuperset(map(str.casefold, WORD.findall(text)))


def blank_mentions(text: str, mentions: list[Mention], filler: str = " ") -> str:
    """Return a text with `filler` in place of every character of its mentions."""
    for mention in mentions:
        text = text[: mention.start] + filler * (mention.end - mention.start) + text[mention.end :]
    return text


def to_citation(plain: PlainText, mention: Mention) -> Citation:
    """Return a mention in a plain text as a citation with spans of the source, without the braces of BibTeX."""
    start, end, venue, name_start, name_end, year = mention
    text = plain.text
    if start and text[start - 1] == "{" and "}" in text[start:end]:  # `{ACM} Letters on Shelves`
        name_start -= name_start == start
        start -= 1
    name = Field(text[name_start:name_end].translate(_BRACES), plain.span(name_start, name_end))
    cited = " ".join(text[start:end].translate(_BRACES).split())
    return Citation(cited, plain.span(start, end), venue, year, name)


def abbreviates(acronym: str, before: str) -> bool:
    """Return whether an acronym has the initials of the words before it: `Tensor Comprehensions (TC)`."""
    words = TOKEN.findall(before[-200:])[-len(acronym) :]
    return len(acronym) > 1 and "".join(word[0] for word in words).casefold() == acronym.casefold()


def _match(
    tokens: list[_Token], i: int, labels: list[Spelling], text: str, vocabulary: Vocabulary
) -> tuple[int, str, bool] | None:
    """Return the venue that the tokens from index `i` spell: their number, its id, and whether it is ambiguous."""
    for words, label, venue in labels:
        size = len(words)
        if size > 1 and [token.folded for token in tokens[i : i + size]] != words:
            continue
        start, end = tokens[i].start, tokens[i + size - 1].end
        before = text[start - 1] if start else ""
        is_in_url = before == "/" and text[start - 3 : start - 1] != "]/"  # `[C]//European Conference on ...`
        is_handle = before == "@" and not text[start - 2 : start - 1].isalnum()
        if before == "#" or is_in_url or (is_handle and not _year_follows(text, tokens, i + size)):
            continue  # part of a URL or of a name
        if text.startswith(".", end) and text[end + 1 : end + 2].isalpha():
            continue
        is_abbreviated = size > 1 and "." in label and text.startswith(".", end)
        if is_abbreviated and (
            _BESIDE.search(text, max(start - 12, 0), start) or _BESIDE.match(text, end + 2)
        ):
            continue  # `J. Mach. Learn. Res.`, `Int. Conf. Mach. Learn.`
        if (
            before == "-"
            and (prefix := _PREFIX.search(text, max(start - 8, 0), start))
            and prefix[1] not in ("T", "IEEE", "ACM")
        ):
            continue  # DLP-KDD is another venue than KDD, T-PAMI is TPAMI
        if before in ("-", "_") and _URL.search(_word_around(text, start, end)):
            continue
        written = text[start:end]
        may_be_words = written.islower() and (size > 1 or len(written) <= 4 or label.isupper())
        may_be_words = may_be_words or (written[1:].islower() and label.isupper())  # Lisa is no LISA
        if may_be_words and not _year_follows(text, tokens, i + size):
            continue  # words of a sentence
        if size > 1 and "." in written and max(map(len, words)) == 1:
            continue  # the initials of a person: `Ada S. P. Stone` does not publish at S&P
        folded = written.casefold()
        ambiguous = size == 1 and (len(written) <= 4 or folded in WORDS["ambiguous_venue"])
        if size > 1 and vocabulary.venues[venue].kind == "journal":
            ambiguous = _VENUE_WORD.search(label) is None  # `Training of Neural Networks`
        if ambiguous and folded in WORDS["ambiguous_venue"] and written != label:
            continue
        if (
            size > 1
            and words[0] in ("conference", "web")
            and _OTHER_CONFERENCE.search(text, max(start - 24, 0), start)
        ):
            continue
        if words[0] in ("proceedings", "proc") and _GOES_ON.match(text, end):
            continue  # `Proceedings of the IEEE Conference on ...` is no journal
        if folded.removeprefix("acm ").startswith("sig") and _OTHER_OF_GROUP.match(text, end):
            continue  # SIGMOD Record is not SIGMOD
        if ambiguous and label.istitle() and _OTHER_JOURNAL.search(text, max(start - 24, 0), start):
            continue  # Management Science is not Science
        return size, venue, ambiguous
    return None


def _word_around(text: str, start: int, end: int) -> str:
    """Return a range of a text with the characters around it up to the next whitespace."""
    after = text[end : end + 80].split(maxsplit=1) if not text[end : end + 1].isspace() else []
    before = text[max(0, start - 80) : start].rsplit(maxsplit=1)
    return (before[-1] if before else "") + text[start:end] + (after[0] if after else "")


def _year_follows(text: str, tokens: list[_Token], i: int) -> bool:
    if i >= len(tokens) or not tokens[i].folded.isdigit() or len(tokens[i].folded) not in (2, 4):
        return False
    return bool(_SHORT_GAP.match(text[tokens[i - 1].end : tokens[i].start]))


def _with_year(text: str, tokens: list[_Token], first: int, after: int, venue: Venue) -> Mention:
    """Return the mention of a venue with its year: after it, behind words of citations only, or before it."""
    start, end = tokens[first].start, tokens[after - 1].end
    if venue.kind == "preprint" and (match := _ARXIV_ID.match(text, end)):
        gap = _BEFORE_YEAR.match(text, match.end())
        stated = YEAR.match(text, gap.end() if gap else match.end())
        year = int(stated.group()) if stated else arxiv_year(match.group(1))
        return Mention(start, match.end(), venue, start, end, year)
    name_end, is_workshop = end, False  # whose own name may follow: ICML Workshop on Tidy Shelves 2021
    for i in range(after, min(after + 9, len(tokens))):
        token = tokens[i]
        between = text[end : token.start]
        if "\n" in between or "|" in between:
            break
        if between in ("/", "&") and text[token.start : token.end].isupper():
            end = token.end  # `SIGMETRICS/PERFORMANCE 22`
        elif not token.folded.isdigit():
            if "/" in between and is_workshop:
                break  # the year is that of another venue: SOSP workshop / ICML 2022
            is_workshop = is_workshop or token.folded == "workshop"
            if token.folded not in CITATION_WORDS and not (is_workshop and text[token.start].isupper()):
                break
        elif len(token.folded) == 4 and _is_year(
            token, text, is_beside=bool(_SHORT_GAP.match(between.lstrip(",")))
        ):
            if len(between) > 60 or "]" in between:
                break
            if _LAST_PAGE.search(between):
                continue
            return _whole(text, Mention(start, token.end, venue, start, end, int(token.folded)))
        elif len(token.folded) == 2 and _SHORT_GAP.match(between) and not token.folded.startswith("3"):
            if i + 1 < len(tokens) and tokens[i + 1].folded in WORDS["month"]:
                continue  # arXiv 17 Nov 2018
            behind = text[token.end : token.end + 1]
            is_page = between.isspace() and _PAGES_FOLLOW.match(text, token.end)  # `ICML 77-89 (2022)`
            if is_page or _VOLUME.match(text, token.end) or _has_pages(text, end, venue):
                continue  # JMLR 15.1 (2014)
            if behind.isascii() and behind.isalpha():
                continue  # NeurIPS 3D
            is_month = venue.kind == "preprint" and between.strip() == "" and 0 < int(token.folded) <= 12
            if (venue.kind == "other" and between.isspace()) or is_month:  # `DEF CON 26` is the 26th
                return _whole(text, Mention(start, token.end, venue, start, end, None))
            return _whole(text, Mention(start, token.end, venue, start, end, full_year(int(token.folded))))
    before = tokens[first - 1] if first else None
    match = _YEAR_FIRST.match(text, 0, start) if start < 7 else None
    if match and text[end : end + 1] in ("", match["gap"]):
        year = int(match["year"])
        return _whole(text, Mention(0, end, venue, start, end, full_year(year) if year < 100 else year))
    if before is not None and len(before.folded) == 4 and before.folded.isdigit():
        between = text[before.end : start].strip(" ,{-")
        is_first = not text[: before.start].strip(" .,;:|([–—-")  # `2023. ICML. Tidy Shelves`
        is_near = not between or (between == "." and is_first)
        if is_near and _is_year(before, text, is_beside=not between):
            return _whole(text, Mention(before.start, name_end, venue, start, name_end, int(before.folded)))
    return _whole(text, Mention(start, name_end, venue, start, name_end, None))


def _is_year(token: _Token, text: str, *, is_beside: bool) -> bool:
    """Return whether four digits are a year; right beside a venue they are a mistyped one, too: `CVPR 2042`, `ICML, 2109`."""
    number = int(token.folded)
    is_beside = is_beside and text[token.start - 1 : token.start] in " '’"  # no `cal2065`, who is somebody
    return 1950 <= number <= 2039 or (
        is_beside and 2039 < number < 2110 and not _PAGES_FOLLOW.match(text, token.end)
    )


def _has_pages(text: str, end: int, venue: Venue) -> bool:
    return venue.kind == "journal" and _PAGES.match(text, end) is not None


def _whole(text: str, mention: Mention) -> Mention:
    """Return a mention with the track after its year, and with the full name before an acronym in brackets."""
    start, end = mention.start, mention.end
    *others, last = text[mention.name_start : end].split()
    if others and text.startswith(".", end) and last.casefold() in WORDS["abbreviated"]:
        end += 1  # `Nat. Commun.`
        mention = mention._replace(name_end=end)
    if track := (start and _WORKSHOP.match(text, end)) or _TRACK.match(text, end):
        end = track.end()
    if before := _BEFORE_VENUE.search(text, max(start - 120, 0), start):
        start = before.start()
    is_in_brackets = text[start - 1 : start] == "(" and ")" in text[start:end].partition("(")[0]
    if name := _BEGINNING.search(text, max(start - 160, 0), start - is_in_brackets):
        start = name.start("name")
        is_journal = mention.venue is not None and mention.venue.kind == "journal"
        if is_journal and _LONGER_JOURNAL.search(name["name"]):
            mention = mention._replace(venue=None, name_start=start)
    elif is_in_brackets:
        name = _FULL_NAME.search(text, max(start - 160, 0), start - 1)
        start = name.start() if name else start - 1
    if text.count("(", start, end) > text.count(")", start, end) and (rest := _REST.match(text, end)):
        end = rest.end()
    return mention._replace(start=start, end=end)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a range fills its brackets or the text between separators, and is not a local acronym."""
    track = _TRACK.match(text, end) or _PRESENTED.match(text, end)
    left, right = text[:start].rstrip(" *"), text[track.end() if track else end :].lstrip(" *.")
    if (left and left[-1] not in "([（【|.,\n\0" and not _LED.search(left)) or (
        right and right[0] not in (")]）】|,;\n\0/" if _TRACK.search(text, start) else ")]）】|,;\n\0")
    ):
        return False
    return not abbreviates(text[start:end], left)


def is_of_findings(written: str, identifiers: Mapping[str, str | None]) -> bool:
    """Return whether a paper is of the Findings of a meeting, which are no part of its proceedings."""
    return bool(_FINDINGS.search(written)) or ".findings-" in (identifiers.get("acl") or "")


def short_label(written: str, venue: Venue, identifiers: Mapping[str, str | None]) -> str:
    """Return what a paper's venue is called in short: `EMNLP`, `EMNLP Findings`."""
    return f"{venue.label} Findings" if is_of_findings(written, identifiers) else venue.label


def workshop_of(written: str, venue: Venue) -> str:
    """Return the name of the workshop beside a conference, which is no part of its proceedings; empty if there is none."""
    if venue.kind != "conference" or not _OF_WORKSHOP.search(written):
        return ""
    return YEAR_AT_END.sub("", written).strip(" ,") or written
