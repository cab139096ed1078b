"""What needs all entries of a list: the kind of entries that may be either, and tables that repeat what is listed elsewhere."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.classic import build_classic
from shelfread.document.entry.entry_fields import Setting
from shelfread.document.entry.link_labels import may_be_post
from shelfread.document.entry.prefix import (
    MAX_NAME_WORDS,
    names_something,
    names_something_only,
    short_name_end,
)
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity import is_doi_of_book, is_paper_url
from shelfread.document.model import Entry, Field, NonEntry, Section, sections_above
from shelfread.document.non_entries import BARE, PROSE, REPEATED
from shelfread.document.plain_text import TextRange
from shelfread.document.recognizers.unlisted_venues import VENUE_WORD
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

_TOOLS = lazy(
    r"\b(?:tools?|toolkits?|frameworks?|software|librar(?:y|ies)|packages?|open[- ]source|projects?|platforms?|courses?)\b",
    re.IGNORECASE,
)
_BROKEN = lazy(r"^(?:[-–—/.]+$|\[!\[)")
_TOOL_ROLES = frozenset({"code", "project", "docs", "demo", "course", ""})
# Of the entries, so many surely are papers in a list of papers, in which what may be a paper is one.
_MIN_PAPERS = 0.3
_MOST_TOOLS = 2  # so many times as many tools as papers in a section make it a section of tools
_SURE_IDS = frozenset({"arxiv", "openreview", "acl", "pmlr", "neurips", "mlsys"})
_TABLE_DIALECTS = frozenset({"table-row", "html-table"})
_MIN_ROWS = 5
_MIN_TITLE = 4  # words
_MIN_TAGGED = 3  # so many papers share a tag, and none a name
_LATIN = "\u2e80"  # a name in ideographs before a title in Latin letters is a tag
_DASH, _PUBLISHED = " - ", 0.3  # so many titles behind a dash are of publishers that have several
_DISTINCT = 0.7  # tags are no more than so large a share of the titles behind them
_OVERVIEW_SHARE = 0.8
# Forms that notes have too; so few entries, and so small a share, are notes: `Our survey: [Title](u)`.
_NOTES, _FEW, _RARE = ("paragraph", "heading-title"), 3, 0.05

_MANY_PARAGRAPHS = 5  # a single paragraph that is no paper is prose; so many of one form are entries


def settle(
    entries: Sequence[Entry],
    title_lines: Mapping[int, TitleLine],
    sections: Sequence[Section],
    source: Source,
    vocabulary: Vocabulary,
    doubted: Collection[int],
    only_titles: bool,
) -> tuple[list[Entry], list[NonEntry]]:
    """Return the entries of a document as the whole of it shows them, and what is none.

    `title_lines` are those of the papers, by where the entry's block begins, `doubted` the sections such as news, by index.
    With `only_titles` the document lists papers without links.
    """
    certain = [entry.kind == "paper" and _is_certain(entry, vocabulary) for entry in entries]
    lists_papers = only_titles or sum(certain) >= _MIN_PAPERS * len(entries)
    kinds = Counter((entry.section, entry.kind) for entry in entries)
    in_paragraphs = sum(entry.dialect == "paragraph" for entry in entries) >= _MANY_PARAGRAPHS
    settled: list[Entry] = []
    left_out: list[NonEntry] = []
    for entry, is_certain in zip(entries, certain, strict=True):
        if entry.kind == "classic":
            settled.append(entry)
            continue
        among_tools = kinds[entry.section, "classic"] >= _MOST_TOOLS * kinds[entry.section, "paper"]
        title = sections[entry.section].title if entry.section is not None else ""
        line = title_lines.get(entry.block.start)
        may_be_tool = not is_certain and _may_be_tool(entry) and _TOOLS.search(title) is not None
        if may_be_tool or (among_tools and (_is_tool(entry) or _is_described(entry, line))):
            settled.append(_as_classic(entry, line, source, vocabulary))
        elif lists_papers or is_certain or (not entry.links and _is_below_venue(entry.section, sections)):
            settled.append(entry)
        elif entry.links and (in_paragraphs or entry.dialect != "paragraph"):
            settled.append(_as_classic(entry, line, source, vocabulary))
        else:
            left_out.append(_non_entry(entry, PROSE if entry.links else BARE))
    settled, odd = _part_odd([_without_broken(entry) for entry in settled])
    settled = _without_subjects(_without_tags(settled, sections, source.text))
    if _names_organisations(settled):
        settled = [_with_organisation(entry) if _may_be_organisation(entry) else entry for entry in settled]
    settled, overviews = _part_overviews(settled, doubted)
    return settled, [*left_out, *odd, *overviews]


def _without_broken(entry: Entry) -> Entry:
    """Return an entry without links that lead nowhere: `[Site](-)`, and a badge in the address of another."""
    links = tuple(one for one in entry.links if not _BROKEN.search(one.link.url))
    return entry if len(links) == len(entry.links) else entry._replace(links=links)


def _is_below_venue(section: int | None, sections: Sequence[Section]) -> bool:
    """Return whether a section, or one above it, is a venue: all papers that it accepted may stand there."""
    return any(sections[index].citation is not None for index in sections_above(sections, section))


def _without_tags(entries: list[Entry], sections: Sequence[Section], text: str) -> list[Entry]:
    """Return entries without names before their titles where several share one, or a heading has it: `[Survey] Tidy Shelves`.

    So are words before titles that begin with a name: `(Runtime) ShelfOS: Tidy Shelves`. Where many are tags, all are.
    """
    headings = {fold(section.title) for section in sections}
    titles: defaultdict[str, set[str]] = defaultdict(set)
    named = [entry for entry in entries if _is_named_before(entry)]
    for entry in named:
        titles[entry.name.value if entry.name else ""].add(entry.title.value)
    subjects = {name for name in titles if not headings.isdisjoint(map(fold, name.split(", ")))}
    subjects |= {
        entry.name.value
        for entry in named
        if entry.name
        and text[max(entry.name.span.start - 1, 0)] in "(["
        and not names_something_only(entry.name.value)
        and entry.title.value[: short_name_end(entry.title.value) or 0] not in ("", entry.name.value)
    }
    tags = subjects | {name for name, papers in titles.items() if len(papers) >= _MIN_TAGGED}
    tagged = {
        entry.span
        for entry in named
        if entry.name is not None
        and (entry.name.value in tags or (entry.title.value.isascii() and max(entry.name.value) > _LATIN))
    }
    are_shared = len(titles) <= _DISTINCT * sum(map(len, titles.values()))
    if tagged and (are_shared or 2 * len(subjects) > len(titles)):
        tagged = {entry.span for entry in named}
    return [_with_own_name(entry) if entry.span in tagged else entry for entry in entries]


def _without_subjects(entries: list[Entry]) -> list[Entry]:
    """Return entries without the names that several titles begin with: `Wikipedia: Shelves`, `Wikipedia: Boards`.

    Papers of two groups may be called alike: `SHELF: Tidy Boards`.
    """
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.name is not None and entry.name.span.start == entry.title.span.start:
            titles[entry.name.value].add(fold(entry.title.value))
    shared = {name for name, called in titles.items() if len(called) > 1}
    publishers = _find_publishers(entries)
    return [
        entry._replace(name=entry.title if entry.kind == "classic" else None)
        if entry.name is not None
        and (
            (entry.name.value in shared and _may_be_subject(entry, entry.name.value))
            or entry.title.value.partition(_DASH)[0] == entry.name.value in publishers
        )
        else entry
        for entry in entries
    ]


def _find_publishers(entries: Sequence[Entry]) -> frozenset[str]:
    """Return what stands before the dash of titles, if many titles share theirs: `NSA - Tidy Shelves`, `NSA - Boards`."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        publisher, dash, title = entry.title.value.partition(_DASH)
        if dash:
            titles[publisher].add(fold(title))
    several = [len(published) for published in titles.values() if len(published) > 1]
    are_shared = len(several) > 1 and sum(several) >= _PUBLISHED * sum(map(len, titles.values()))
    return frozenset(titles) if are_shared else frozenset()


def _may_be_subject(entry: Entry, name: str) -> bool:
    is_part = name != entry.title.value and entry.title.value.startswith(name)
    is_version = any(map(str.isdigit, name))
    return is_part and not is_version and (entry.kind == "classic" or not names_something(name))


def _is_named_before(entry: Entry) -> bool:
    return entry.kind == "paper" and entry.name is not None and entry.name.span.end <= entry.title.span.start


def _with_own_name(entry: Entry) -> Entry:
    """Return an entry with the name that its title begins with, in place of a tag before it."""
    start, end = entry.title.span.start, short_name_end(entry.title.value)
    name = Field(entry.title.value[:end], Span(start, start + end)) if end is not None else None
    return entry._replace(name=name)


def _part_odd(entries: list[Entry]) -> tuple[list[Entry], list[NonEntry]]:
    """Return the entries without those of a form that few have, and those, if notes have that form or it is at the top."""
    dialects = Counter(entry.dialect for entry in entries)
    rare = {name for name, count in dialects.items() if count < _RARE * len(entries)}
    below = sum(1 for entry in entries if entry.section) > (1 - _RARE) * len(entries)
    below = below or (len(entries) > 2 * _FEW and all(entry.section for entry in entries[_FEW:]))
    sizes = Counter(entry.section for entry in entries)
    odd = {
        entry.span
        for index, entry in enumerate(entries)
        if (not entry.section and index < _FEW and below and entry.dialect in rare.union(_NOTES))
        or (
            entry.dialect in rare
            and entry.dialect in _NOTES
            and dialects[entry.dialect] < _FEW
            and not entry.authors
            and not (sizes[entry.section] == 1 and entry.section and len(entry.block.inlines) == 1)
        )
    }
    notes = [_non_entry(entry, PROSE) for entry in entries if entry.span in odd]
    return [entry for entry in entries if entry.span not in odd], notes


def _non_entry(entry: Entry, reason: str) -> NonEntry:
    return NonEntry(entry.span, entry.line, entry.end_line, reason)


def _is_tool(entry: Entry) -> bool:
    """Return whether an entry can be a tool whose text states the year or the venue of its paper."""
    if not entry.links or not _SURE_IDS.isdisjoint(entry.identifiers) or len(entry.authors) > 1:
        return False
    role = entry.links[0].role
    return (
        role is not None
        and role.id in _TOOL_ROLES
        and len(entry.title.value.split(":")[0].split()) <= MAX_NAME_WORDS
    )


def _is_described(entry: Entry, line: TitleLine | None) -> bool:
    """Return whether only its address shows that an entry is a paper: `[Oak](https://arxiv.org/abs/2101.00001): 281 old boards`."""
    if line is None or line.title is None or line.extended_end is None or entry.citation or entry.authors:
        return False
    is_name = len(line.title_text.split()) <= MAX_NAME_WORDS and (
        entry.year is None or entry.year_from_arxiv_id
    )
    return is_name and not in_title_case(entry.title.value[len(line.title_text) :].lstrip(" :：-–—"))


def _may_be_tool(entry: Entry) -> bool:
    """Return whether an entry has a name and a text: a paper below `Caching`, and a tool below `Tools`."""
    roles = {link.role.id if link.role is not None else "" for link in entry.links}
    named = entry.name is not None and entry.title.value.startswith(f"{entry.name.value}: ")
    return named and bool(roles) and roles <= _TOOL_ROLES


def _names_organisations(entries: Sequence[Entry]) -> bool:
    """Return whether unlisted venues are organisations, as the habit of the list is `Title (Oxford 2016)`."""
    unlisted = sum(map(_may_be_organisation, entries))
    organised = sum(1 for entry in entries if entry.affiliations and entry.year and entry.citation is None)
    venues = sum(1 for entry in entries if entry.citation is not None and entry.citation.venue is not None)
    return 0 < unlisted <= organised >= 3 * venues


def _may_be_organisation(entry: Entry) -> bool:
    cited = entry.citation
    if cited is None or cited.venue is not None or cited.name is None or entry.affiliations:
        return False
    name = cited.name.value
    return cited.text == f"{name} {cited.year}" and len(name.split()) <= 2 and not VENUE_WORD.search(name)


def _with_organisation(entry: Entry) -> Entry:
    name = entry.citation.name if entry.citation is not None else None
    guessed = entry.guessed - {"venue"} | {"affiliations"}
    return entry._replace(citation=None, affiliations=(name,) if name else (), guessed=guessed)


def _as_classic(entry: Entry, title_line: TitleLine | None, source: Source, vocabulary: Vocabulary) -> Entry:
    """Return an entry that was read as a paper as a classic entry."""
    if title_line is None:
        return entry  # a row of a table, whose cells have told
    title, name = title_line.title, entry.name
    is_one = title_line.shape == "strong"  # `**Shelves: A Game**`
    if (
        title is not None
        and name is not None
        and not is_one
        and title_line.title_text.startswith(f"{name.value}: ")
    ):
        title_line = title_line._replace(title=TextRange(title.start, title.start + len(name.value)))
    dialect = "classic" if entry.dialect == "linked-title" else entry.dialect
    classic = build_classic(title_line, entry.block, Setting(source, vocabulary, entry.section, dialect))
    if not classic.links:  # they stand below the name
        classic = classic._replace(identifiers=entry.identifiers)
    listed = {link.link.start for link in classic.links}
    below = tuple(link for link in entry.links if link.link.start not in listed)
    return classic._replace(
        description=classic.description or entry.description,
        notes=entry.notes,
        links=(*classic.links, *below),
        end_line=entry.end_line,
    )


def _is_certain(entry: Entry, vocabulary: Vocabulary) -> bool:
    """Return whether an entry is surely a paper: it has what only papers have."""
    if entry.citation is not None or not _SURE_IDS.isdisjoint(entry.identifiers):
        return True
    links = entry.links if entry.dialect == "linked-title" else ()
    if len(entry.authors) > 1 and not (links and links[0].link.start < entry.authors[-1].span.end):
        return True  # people behind a linked title may be its description: `[Book](u) - Ada Stone, Ben Field`
    if entry.year is not None and not entry.year_from_arxiv_id:
        return True
    if any(vocabulary.evidence(link.link.url) for link in entry.links[:3]):
        return True
    labelled = entry.links[1:] if entry.dialect == "linked-title" else entry.links
    papers = (link for link in labelled if link.role is not None and link.role.id == "paper")
    if any(not may_be_post(link.label, link.link.url, vocabulary) for link in papers):
        return True
    # A tool is called by the paper about it, too, but has a short name.
    doi = entry.identifiers.get("doi")
    is_long = len(entry.title.value.split()) >= _MIN_TITLE
    is_one = is_long and doi is not None and not is_doi_of_book(doi) and bool(entry.links)
    return is_one and is_paper_url(entry.links[0].link.url, vocabulary)


def _part_overviews(entries: list[Entry], doubted: Collection[int]) -> tuple[list[Entry], list[NonEntry]]:
    """Return the entries without the rows of overviews, rankings and classifications, and the overviews.

    The rows of an overview link to what entries outside of tables link to. Without links, they repeat names. So do news.
    """
    if not doubted and not any(entry.dialect in _TABLE_DIALECTS for entry in entries):
        return entries, []
    linked_entries = [entry for entry in entries if entry.links]
    urls = {
        entry.links[0].link.url
        for entry in linked_entries
        if entry.dialect not in _TABLE_DIALECTS and entry.section not in doubted
    }
    groups = list(_groups(entries, doubted))
    unlinked = any(len(group) >= _MIN_ROWS and not any(entry.links for entry in group) for group in groups)
    names = {fold(entry.title.value) for entry in linked_entries} if unlinked else set()
    kept: list[Entry] = []
    overviews: list[NonEntry] = []
    for group in groups:
        linked = sum(1 for entry in group if entry.links and entry.links[0].link.url in urls)
        named = 0
        if len(group) >= _MIN_ROWS and not any(entry.links for entry in group):
            named = sum(1 for entry in group if fold(entry.title.value) in names)
        enough = len(group) >= _MIN_ROWS or (overviews and group[0].dialect in _TABLE_DIALECTS)
        # `News` may be a subject of tools, which are listed twice on purpose.
        enough = enough or (group[0].section in doubted and group[0].kind == "paper")
        if enough and max(linked, named) >= (_OVERVIEW_SHARE if len(group) >= _MIN_ROWS else 1) * len(group):
            first, last = group[0], group[-1]
            span = Span(first.span.start, last.span.end)
            overviews.append(NonEntry(span, first.line, last.end_line, REPEATED))
        else:
            kept += group
    return kept, overviews


def _groups(entries: Sequence[Entry], doubted: Collection[int]) -> Iterator[list[Entry]]:
    """Yield the entries of each table and each doubted section, and every other entry alone."""

    def table(item: tuple[int, Entry]) -> object:
        index, entry = item
        repeats = entry.dialect in _TABLE_DIALECTS or (entry.section in doubted and entry.kind == "paper")
        return entry.section if repeats else (index,)

    for _, rows in groupby(enumerate(entries), table):
        yield [entry for _, entry in rows]
