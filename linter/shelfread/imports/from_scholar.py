"""Reads copied pages of Google Scholar: a title, `authors - venue, year - host`, and the beginning of the abstract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, UnreadPart, build_entry
from shelfread.imports.mending import straighten
from shelfread.imports.stated_venue import StatedVenue, read_venue
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "scholar"
_DASH = r"\s[-‐–]\s"
# S Li, Y Zhao, P Noordhuis… - Proceedings of …, 2020 - usenix.org
_META = lazy(
    rf"^\s*(?P<people>[^\W\d_a-z][\w.’'`-]*(?:\s[\w.’'`-]+){{0,5}}(?:,\s[^\W\d_][\w.’'`-]*(?:\s[\w.’'`-]+){{0,5}})*\s?(?:,?\s?…|\.\.\.)?)"
    rf"{_DASH}(?:(?P<venue>.*?)(?:,\s|\s)?)??(?P<year>(?:19[3-9]|20[0-3])\d)(?:{_DASH}(?P<host>\S[^\n]{{0,60}}?))?\s*$"
)
_HOST = lazy(r"(?:[\w-]+\.)+[a-z]{2,10}")
_TAG = lazy(r"^\s*(?:\[[A-Z]{1,12}\]\s*){1,3}")
_FILE_HINT = lazy(r"^\s*\[[A-Z]{3,5}\]\s+(?:from\s+)?[\w-]+(?:\.[\w-]+)+\s*(?:Full View\s*)?$")
_CHROME = lazy(
    r"^\s*(?!\s)(?:(?:[☆★]\s*)?(?:Save|Saved|Cite|Speichern|Zitieren|Enregistrer|Citer|保存|引用)\b.*|.*\b(?:Cited by|Zitiert von|Cité|被引用次数)[:：]?\s?\d.*|"
    r"(?:Related articles|All \d+ versions|Full View|View as HTML|Show (?:more|less)|Library Search|Web of Science:?.*|Any time|Since \d{4}|Custom range.*|"
    r"Sort by (?:relevance|date)|Any type|Review articles|include (?:patents|citations)|Create alert|Articles|Case law|Profiles|My profile|My library|"
    r"About [\d,.]+ results.*|Google Scholar|Scholar|Help|Privacy|Terms|Previous|Next|\d{1,3}(?:\s+\d{1,3})*)\s*)$",
    2,
)
_CUT = lazy(r"\s?(?:,?\s?…|\.\.\.)\s*$")
_INITIALS = lazy(r"\s*[A-Z]{1,4}\s[^\W\d_a-z]")
_LONGEST_LINE = 400


class _Meta(NamedTuple):
    """The line below the title of a result."""

    people: str
    venue: str
    year: int
    host: str


def looks_like(text: str) -> bool:
    """Return whether one in twelve lines, of the first ones, is that of a result."""
    lines = [line for line in text.split("\n") if line.strip()][:2000]
    results = sum(_read_meta(line) is not None for line in lines)
    return results > 0 and results * 12 >= len(lines)


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the results of a page, each at the lines of its title and its authors."""
    lines = straighten(source.text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    last = -1  # the index of the last line that belongs to an earlier result
    for index, line in enumerate(lines):
        meta = _read_meta(line)
        if meta is None:
            continue
        first, title = _title_above(lines, index, last)
        last = index
        if title:
            yield _entry(title, meta, EntryOrigin(source.path, first + 1, index + 1), taxonomy.vocabulary)
        else:
            yield UnreadPart(index + 1, "authors without a title above them")


def _read_meta(line: str) -> _Meta | None:
    if len(line) >= _LONGEST_LINE or " " not in line or not any(dash in line for dash in "-‐–"):
        return None
    line = line.replace("\xa0", " ")
    match = _META.match(line)
    if match is None or not (_HOST.fullmatch(match["host"] or "") or _INITIALS.match(line)):
        return None
    return _Meta(match["people"], match["venue"] or "", int(match["year"]), match["host"] or "")


def _title_above(lines: Sequence[str], index: int, last: int) -> tuple[int, str]:
    """Return the line and the text of the title above a result's authors, below the `last` result; no text if there is none."""
    above = index - 1
    while above > last and not lines[above].strip():
        above -= 1
    if above <= last or _is_chrome(lines[above]):
        return index, ""

    def goes_on_above(line: int) -> bool:
        return line - 1 > last and bool(lines[line - 1].strip()) and not _is_chrome(lines[line - 1])

    first = above
    # A wrapped title: the lines above it up to a blank one, if they are no part of an earlier abstract.
    while index - first < 4 and goes_on_above(first):
        first -= 1
    if goes_on_above(first) or (last >= 0 and first == last + 1):
        first = above
    return first, _TAG.sub("", " ".join(line.strip() for line in lines[first : above + 1]))


def _is_chrome(line: str) -> bool:
    return bool(_CHROME.match(line) or _FILE_HINT.match(line))


def _entry(title: str, meta: _Meta, origin: EntryOrigin, vocabulary: Vocabulary) -> ImportedEntry:
    authors = [name.strip() for name in _CUT.sub("", meta.people).split(",")]
    is_cut = _CUT.search(meta.people) is not None
    uncertain = [field for field, text in (("authors", meta.people), ("title", title)) if _CUT.search(text)]
    return build_entry(
        title, origin, KIND, vocabulary, authors=authors, venue=_venue(meta, vocabulary), year=meta.year,
        arxiv=meta.venue, uncertain=uncertain, et_al=is_cut,
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
