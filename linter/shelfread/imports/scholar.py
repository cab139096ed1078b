"""Reads copied pages of Google Scholar: a title, `authors - venue, year - host`, and the beginning of the abstract."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.recognizers.years import YEAR
from shelfread.imports.entry import Place, build_entry
from shelfread.imports.mending import straighten
from shelfread.imports.model import Import, ImportedEntry, Unread
from shelfread.imports.venue import StatedVenue, read_venue
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "scholar"
_DASH = r"\s[-‐–]\s"
# S Li, Y Zhao, P Noordhuis… - Proceedings of …, 2020 - usenix.org
_META = lazy(
    rf"^\s*(?P<people>[^\W\d_a-z][\w.’'`-]*(?:\s[\w.’'`-]+){{0,5}}(?:,\s[^\W\d_][\w.’'`-]*(?:\s[\w.’'`-]+){{0,5}})*\s?(?:,?\s?…|\.\.\.)?)"
    rf"{_DASH}(?:(?P<venue>.*?)(?:,\s|\s)?)??(?P<year>(?:19[3-9]|20[0-3])\d)(?:{_DASH}(?P<host>\S[^\n]{{0,60}}?))?\s*$"
)
_WITHOUT_YEAR = lazy(
    rf"^\s*(?P<people>[A-Z]{{1,4}}\s[^\W\d_a-z][\w.’'`-]*(?:,\s[A-Z]{{1,4}}\s[^\W\d_][\w.’'`-]*(?:\s[\w.’'`-]+)?)*\s?(?:,?\s?…|\.\.\.)?)"
    rf"{_DASH}(?:(?P<venue>.{{2,80}}?){_DASH})?(?P<host>[\w-]+(?:\.[\w-]+)+|Springer|Elsevier|IEEE|ACM|Wiley[^\n]{{0,20}})\s*$"
)
_HOST = lazy(r"(?:[\w-]+\.)+[a-z]{2,10}")
_TAG = lazy(r"^\s*(?:\[[A-Z]{1,12}\]\s*){1,3}")
_FILE_HINT = lazy(r"^\s*\[[A-Z]{3,5}\]\s+(?:from\s+)?[\w-]+(?:\.[\w-]+)+\s*(?:Full View)?\s*$")
_CHROME = lazy(
    r"^\s*(?:(?:☆|★)?\s*(?:Save|Saved|Cite|Speichern|Zitieren|Enregistrer|Citer|保存|引用)\b.*|.*\b(?:Cited by|Zitiert von|Cité|被引用次数)[:：]?\s?\d+.*|"
    r"(?:Related articles|All \d+ versions|Full View|View as HTML|Show (?:more|less)|Library Search|Web of Science:?.*|Any time|Since \d{4}|Custom range.*|"
    r"Sort by (?:relevance|date)|Any type|Review articles|include (?:patents|citations)|Create alert|Articles|Case law|Profiles|My profile|My library|"
    r"About [\d,.]+ results.*|Google Scholar|Scholar|Help|Privacy|Terms|Previous|Next|\d{1,3}(?:\s+\d{1,3})*)\s*)$",
    2,
)
_CUT_AUTHORS = lazy(r"\s?(?:,?\s?…|\.\.\.)\s*$")
_CUT_TITLE = lazy(r"\s?(?:…|\.\.\.)\s*$")
_ARXIV_ID = lazy(r"arXiv:(\d{4}\.\d{4,5})")


class _Meta(NamedTuple):
    people: str
    venue: str
    year: int | None
    host: str


def looks_like(text: str) -> bool:
    """Return whether a text has lines of results: of one in ten lines, or of two blocks."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = sum(1 for line in lines[:2000] if len(line) < 400 and _read_meta(line) is not None)
    return found > 0 and found * 12 >= min(len(lines), 2000)


def read(source: Source, vocabulary: Vocabulary) -> Import:
    """Return the results of a page, each at the lines of its title and its authors."""
    lines = straighten(source.text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    entries: list[ImportedEntry] = []
    unread: list[Unread] = []
    last = -1  # the index of the last line that belongs to an earlier result
    for index, line in enumerate(lines):
        meta = _read_meta(line) if len(line) < 400 else None
        if meta is None:
            continue
        found = _title_above(lines, index, last)
        last = index
        if found is None:
            unread.append(Unread(index + 1, "authors without a title above them"))
            continue
        first, title = found
        entries.append(_entry(title, meta, Place(source.path, first + 1, index + 1), vocabulary))
    return Import(entries, unread)


def _read_meta(line: str) -> _Meta | None:
    if " " not in line or not any(dash in line for dash in "-‐–"):
        return None
    line = line.replace("\xa0", " ")
    match = _META.match(line)
    if match is not None and _is_about_result(match["people"], match["venue"] or "", match["host"] or ""):
        return _Meta(match["people"], match["venue"] or "", int(match["year"]), match["host"] or "")
    match = _WITHOUT_YEAR.match(line)
    if match is not None:
        return _Meta(match["people"], match["venue"] or "", None, match["host"])
    return None


def _is_about_result(people: str, venue: str, host: str) -> bool:
    """Return whether a line is that of a result: it names a host, or abbreviates given names as Scholar does."""
    if venue and (find := YEAR.search(venue)) and not venue[find.end() :].strip(" -"):
        return False
    return bool(_HOST.fullmatch(host)) or bool(_INITIALS.match(people))


_INITIALS = lazy(r"\s*[A-Z]{1,4}\s[^\W\d_a-z]")


def _title_above(lines: list[str], index: int, last: int) -> tuple[int, str] | None:
    """Return the line and the text of the title above a result's authors. One blank line may part them."""
    above = index - 1
    while above > last and not lines[above].strip():
        above -= 1
    if above <= last or _is_chrome(lines[above]):
        return None
    first = above
    # A wrapped title: the lines above it up to a blank one, if they are no part of an earlier abstract.
    while (
        first - 1 > last
        and index - first < 4
        and lines[first - 1].strip()
        and not _is_chrome(lines[first - 1])
    ):
        first -= 1
    if first - 1 > last and lines[first - 1].strip() and not _is_chrome(lines[first - 1]):
        first = above
    if last >= 0 and first == last + 1:
        first = above  # the abstract of the result before goes on to the title
    text = " ".join(line.strip() for line in lines[first : above + 1])
    return first, _TAG.sub("", text)


def _is_chrome(line: str) -> bool:
    return bool(_CHROME.match(line) or _FILE_HINT.match(line))


def _entry(title: str, meta: _Meta, place: Place, vocabulary: Vocabulary) -> ImportedEntry:
    authors = [name.strip() for name in _CUT_AUTHORS.sub("", meta.people).split(",")]
    arxiv = _ARXIV_ID.search(meta.venue)
    is_cut = _CUT_AUTHORS.search(meta.people) is not None
    uncertain = {"authors"} if is_cut else set()
    if _CUT_TITLE.search(title):
        uncertain.add("title")
    return build_entry(
        title, place, KIND, vocabulary, authors=authors, venue=_venue(meta, vocabulary), year=meta.year,
        arxiv=arxiv[1] if arxiv else None, uncertain=uncertain, et_al=is_cut,
    )  # fmt: skip


def _venue(meta: _Meta, vocabulary: Vocabulary) -> StatedVenue:
    """Return the venue that the line names, or else the one whose host it is: proceedings.mlsys.org."""
    stated = read_venue(meta.venue, vocabulary, meta.year)
    if stated.venue is not None or not _HOST.fullmatch(meta.host):
        return stated
    proved = vocabulary.evidence(f"https://{meta.host}/")
    if proved is None or proved.venue is None:
        return stated
    return StatedVenue(proved.venue, stated.text, meta.year, True)
