"""A title in its line: where it begins and ends, whatever marks it."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.entry.prefix import names_nothing
from shelfread.document.entry.title_end import marked_title_end, unmarked_title_end
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.citation import find_unlisted_venue, find_year, is_citation
from shelfread.document.recognizers.people import are_authors, is_list_of_people
from shelfread.taxonomy.vocabulary import Vocabulary

MAX_NAME_WORDS = 3
"""A name before a colon has at most so many words (DESIGN: the contract)."""
QUOTES = {'"': '"', "“": "”", "「": "」", "《": "》", "„": "“", "«": "»"}
_SEPARATOR = lazy(r"[\s\0]*(?::|：|-+|–|—|－|\||｜|,|~|→)?[\s\0]*")
_NAME_COLON = lazy(r"[*_]*\s*[:：]\s+(?=[^\s\0])")
# Kingma, D. P., & Ba, J. (2014). Adam ... / Yang, Q., Liu, Y., 2019. Federated ...
_DATED_PEOPLE = lazy(
    r"(?P<people>[^()\n\0]{4,400}?)[,.]?\s*(?:\((?:19|20)\d\d[a-z]?(?:,[^()]{1,20})?\)[.,:]?|(?<=[.,] )(?:19|20)\d\d[a-z]?[.])\s+"
)
# He K, Zhang X, Ren S. Deep residual ... / Pablo F. Alcantarilla et al., KAZE Features
_PEOPLE_STOP = lazy(r"(?<=\w{2})\.\s+|(?<=[^\s.][^\s.]),\s+(?=[A-Z]\w+ \w+ \w+ )|et al\.?[.,:]?\s+")
_KIND = lazy(r"(?P<kind>[\w ]{2,20})[:：]\s*(?=[\"“'‘\w])")


class Title(NamedTuple):
    """A title's shape, range, stated name, and link; `people` is what stands before it in a bibliography."""

    shape: str
    range: TextRange | None
    name: TextRange | None = None
    link: TextLink | None = None
    authors: TextRange | None = None


def extended_end(
    rest: str, title: TextRange | None, main: TextLink | None, plain: PlainText, vocabulary: Vocabulary
) -> int | None:
    """Where a title ends that is more than the linked name it begins with: `[Orca](u): A Serving System`."""
    if title is None or main is None or len(rest[title.start : title.end].split()) > MAX_NAME_WORDS:
        return None
    match = _NAME_COLON.match(rest, main.end)
    return unmarked_title_end(rest, match.end(), plain, vocabulary) if match else None


def find_title(rest: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title:
    """The title that begins at a place of the line."""
    if start >= len(rest):
        return Title("none", None)
    link = next((link for link in plain.links if link.start <= start < link.end), None)
    if link is not None:
        return _linked(rest, start, link, vocabulary)
    if quoted := _quoted(rest, start, vocabulary):
        return Title("quoted", quoted)
    strong = next((run for run in plain.strong if run.start <= start < run.end), None)
    slanted = next((run for run in plain.emphasis if run.start <= start < run.end), None)
    run = strong or slanted
    if run is not None and run.end - start > 1 and not _is_initial(rest, run, vocabulary):
        found = _after_people(rest, start, run.end, plain, vocabulary)
        found = found or _after_short_name(rest, start, run, plain, vocabulary)
        if found is not None:
            return found
        quote = rest.find('"', start, run.end)
        if start <= quote < start + 2:
            start = quote + 1
        return Title(
            "strong" if strong else "emphasis",
            TextRange(start, marked_title_end(rest, start, run.end, vocabulary)),
        )
    return _cited(rest, start, vocabulary) or _plain(rest, start, plain, vocabulary)


def _linked(rest: str, start: int, link: TextLink, vocabulary: Vocabulary) -> Title:
    """The title that a link's text is or holds: `[Paper: "Title"](u)`, `[Authors (2019). Title](u)`."""
    begin = start
    kind = _KIND.match(rest, start, link.end)
    if kind and names_nothing(kind["kind"]):
        begin = kind.end()
    run = _quoted(rest, begin, vocabulary)
    if run is not None and run.end <= link.end and run.end - run.start > 0.3 * (link.end - begin):
        return Title("linked", run, None, link)
    quoted = _cited(rest[: link.end], begin, vocabulary)
    if quoted and quoted.authors and _are_several(rest[begin : quoted.authors.end].strip(" ,.")):
        return quoted._replace(shape="linked", link=link)
    if people := _people_before(rest, begin, link.end):
        run = _quoted(rest, people.end, vocabulary) or TextRange(
            people.end, marked_title_end(rest, people.end, link.end, vocabulary)
        )
        return Title("linked", run, None, link, people)
    return Title("linked", TextRange(begin, marked_title_end(rest, begin, link.end, vocabulary)), None, link)


def _are_several(people: str) -> bool:
    return is_list_of_people(people) or are_authors(people, minimum=2)


def _quoted(rest: str, start: int, vocabulary: Vocabulary) -> TextRange | None:
    """The title between quotes that open at a place."""
    closing = QUOTES.get(rest[start]) if start < len(rest) else None
    close = rest.find(closing, start + 1) if closing else -1
    return (
        TextRange(start + 1, marked_title_end(rest, start + 1, close, vocabulary))
        if close > start + 1
        else None
    )


def _after_people(rest: str, start: int, end: int, plain: PlainText, vocabulary: Vocabulary) -> Title | None:
    """The title in bold that follows its authors: `*Ann Lee, Bob Ray*, **Title**`."""
    if "," not in rest[start:end] and " and " not in rest[start:end]:
        return None
    run = next((run for run in plain.strong if end <= run.start <= end + 4), None)
    if run is None or len(rest[run.start : run.end].split()) < 3 or not _are_several(rest[start:end]):
        return None
    people = TextRange(start, run.start)
    return Title(
        "strong",
        TextRange(run.start, marked_title_end(rest, run.start, run.end, vocabulary)),
        None,
        None,
        people,
    )


def _after_short_name(
    rest: str, start: int, run: TextRange, plain: PlainText, vocabulary: Vocabulary
) -> Title | None:
    """The title that follows a short name in bold: `**Name**: "Title"`, `**Name**: [Title](u)`, `**Name**: Title`."""
    after = _SEPARATOR.match(rest, run.end)
    begin = after.end() if after else run.end
    if begin >= len(rest) or len(rest[start : run.end].split()) > MAX_NAME_WORDS + 1:
        return None
    name = None if names_nothing(rest[start : run.end]) else TextRange(start, run.end)
    if quoted := _quoted(rest, begin, vocabulary):
        return Title("quoted", quoted, name)
    link = next((link for link in plain.links if link.start <= begin < link.end), None)
    if link is not None and len(rest[begin : link.end].split()) > 3:
        return Title(
            "linked", TextRange(begin, marked_title_end(rest, begin, link.end, vocabulary)), name, link
        )
    if ":" in rest[run.end - 1 : begin]:
        start = start if name else begin
        return Title("strong", TextRange(start, unmarked_title_end(rest, start, plain, vocabulary)))
    return None


def _cited(rest: str, start: int, vocabulary: Vocabulary) -> Title | None:
    """The title of a citation: `Authors. "Title." Venue 53.1 (2020): 1-37.`, `Name: "Title"`."""
    quote = next((at for at in (rest.find('"', start), rest.find("“", start)) if at > 0), -1)
    close = rest.find(QUOTES[rest[quote]], quote + 1) if quote > 0 else -1
    if close < 0 or len(rest[quote:close].split()) < 2:
        return None
    before = rest[start:quote].strip(" ,.:")
    run = TextRange(quote + 1, marked_title_end(rest, quote + 1, close, vocabulary))
    opening = rest[start:quote].rstrip()
    if are_authors(before) and not opening.endswith(":"):
        return Title("quoted", run, authors=TextRange(start, quote))
    if (
        len(rest[quote:close].split()) > 2
        and opening.endswith((":", "-", "–"))
        and len(before.split()) <= MAX_NAME_WORDS + 1
    ):
        name = None if names_nothing(before) else TextRange(start, start + len(opening.rstrip(" :-–")))
        return Title("quoted", run, name)
    return None


def _plain(rest: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> Title:
    """A title that nothing marks."""
    strong = next((run for run in plain.strong if run.start > start), None)
    if strong is not None:
        named = len(rest[start : strong.start].rstrip(" .,:"))
        found = _after_people(rest, start, start + named, plain, vocabulary)
        if found is not None:
            return found
    people = _people_before(rest, start, len(rest))
    begin = people.end if people else start
    link = next((link for link in plain.links if link.start <= begin < link.end), None) if people else None
    if link is not None:
        return Title(
            "linked",
            TextRange(begin, marked_title_end(rest, begin, link.end, vocabulary)),
            None,
            link,
            people,
        )
    slanted = next((run for run in plain.emphasis if run.start <= begin < run.end), None) if people else None
    if slanted is not None and len(rest[begin : slanted.end].split()) > 3:
        return Title(
            "emphasis",
            TextRange(begin, marked_title_end(rest, begin, slanted.end, vocabulary)),
            None,
            None,
            people,
        )
    end = unmarked_title_end(rest, begin, plain, vocabulary)
    inner = next(
        (
            link
            for link in plain.links
            if begin < link.start < end and link.end - link.start > 0.5 * (end - begin)
        ),
        None,
    )
    if inner is not None and rest.startswith("http", inner.start):
        end = inner.start
    return Title("plain", TextRange(begin, end), None, inner, people)


def _people_before(rest: str, start: int, end: int) -> TextRange | None:
    """The authors that a bibliography puts before a title."""
    line = rest[start : min(end, start + 500)]
    if (
        "," not in line[:60]
        and "et al" not in line[:60]
        and ";" not in line[:60]
        and " and " not in line[:60]
    ):
        return None
    dated = _DATED_PEOPLE.match(line)
    if dated and is_list_of_people(dated["people"]):
        return TextRange(start, start + dated.end()) if len(line[dated.end() :].split()) > 2 else None
    for match in _PEOPLE_STOP.finditer(line):
        before = line[: match.end() if match.group().startswith("et") else match.start()]
        if len(line[match.end() :].split()) <= 2 or before[-2:-1] == " " or not is_list_of_people(before):
            continue
        if not are_authors(before, minimum=1 if "et al" in before else 2):
            continue
        if find_unlisted_venue(line[match.end() :], sure=True) or find_year(
            line[match.end() : match.end() + 30]
        ):
            continue  # a by-line: people and where it appeared
        following = line[match.end() :].split(",")[0]
        if len(following.split()) > 4 or not are_authors(following, minimum=0):
            return TextRange(start, start + match.end())
    return None


def _is_initial(rest: str, run: TextRange, vocabulary: Vocabulary) -> bool:
    """Whether an emphasis is a mark or a citation of its own before the title, and no title."""
    return len(rest[run.start : run.end].split()) <= 4 and is_citation(rest[run.start : run.end], vocabulary)
