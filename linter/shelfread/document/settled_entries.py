"""What needs all entries of a list: the kind of uncertain ones, and tables that repeat what is listed elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.entry.classic import build_classic
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Entry, Field, NonEntry, Section
from shelfread.document.non_entries import REPEATED
from shelfread.taxonomy.vocabulary import Vocabulary
from shelfread.taxonomy.words import fold

_TOOLS = lazy(
    r"\b(?:tools?|toolkits?|frameworks?|software|librar(?:y|ies)|packages?|open[- ]source|projects?|platforms?|courses?)\b",
    re.IGNORECASE,
)
_TOOL_ROLES = frozenset({"code", "project", "docs", "demo", "course", ""})
_SURE_IDS = frozenset({"arxiv", "openreview", "acl", "pmlr", "neurips", "mlsys"})
_DIALECTS = frozenset({"table-row", "html-table"})
_MIN_ROWS = 5
_SHARE = 0.8


class KindCounts(NamedTuple):
    """How many entries were read, and how many of them are surely papers."""

    entries: int
    papers: int

    @property
    def are_papers(self) -> bool:
        """Whether those that only may be papers are papers too."""
        return self.papers >= 0.3 * self.entries


def count_kinds(entries: Sequence[Entry], vocabulary: Vocabulary) -> KindCounts:
    """Count entries, and those that are surely papers."""
    papers = sum(1 for entry in entries if entry.kind == "paper" and is_certain(entry, vocabulary))
    return KindCounts(len(entries), papers)


def settle_kinds(
    entries: Sequence[Entry], lines: Mapping[int, TitleLine], vocabulary: Vocabulary
) -> list[Entry]:
    """Return the entries of a list of other things than papers: those that only may be papers as classic entries.

    `lines` are the title lines of the papers, by the index of the entry.
    """
    settled: list[Entry] = []
    for index, entry in enumerate(entries):
        if entry.kind == "classic" or is_certain(entry, vocabulary):
            settled.append(entry)
        elif entry.links and entry.dialect != "paragraph":
            settled.append(_as_classic(entry, lines.get(index), vocabulary))
    return settled


def settle_tools(
    entries: Sequence[Entry], sections: Sequence[Section], vocabulary: Vocabulary
) -> list[Entry]:
    """Return the entries of sections of tools as classic entries if they have a name and no sign of a paper.

    `Shelf: A fast server of books [[GitHub]](u)` is a paper below `Caching`, and a tool below `Tools`.
    """
    tools = [_TOOLS.search(section.title) is not None for section in sections]
    if not any(tools):
        return list(entries)
    return [
        _as_tool(entry)
        if entry.section is not None and tools[entry.section] and _may_be_tool(entry, vocabulary)
        else entry
        for entry in entries
    ]


def _may_be_tool(entry: Entry, vocabulary: Vocabulary) -> bool:
    if entry.kind != "paper" or entry.name is None or is_certain(entry, vocabulary):
        return False
    roles = {link.role.id if link.role is not None else "" for link in entry.links}
    return bool(roles) and roles <= _TOOL_ROLES and entry.title.value.startswith(f"{entry.name.value}: ")


def _as_tool(entry: Entry) -> Entry:
    """Return an entry whose title is its name, and whose description is the rest of the line."""
    name = entry.name or entry.title
    text = entry.title.value[len(name.value) + 2 :]
    start = entry.title.span.end - len(text)
    description = Field(text, Span(max(start, name.span.end), entry.title.span.end))
    return entry._replace(kind="classic", title=name, name=name, description=description, year=None)


class OrganisationCounts(NamedTuple):
    """How many entries have an unlisted venue, an organisation and a year, and a venue of the vocabulary."""

    unlisted: int
    organised: int
    venues: int

    @property
    def are_organisations(self) -> bool:
        """Whether unlisted venues are organisations, as the habit of the list is `Title (Oxford 2016)`."""
        return 0 < self.unlisted <= self.organised >= 3 * self.venues


def count_organisations(entries: Sequence[Entry]) -> OrganisationCounts:
    """Count the entries that tell whether unlisted venues are organisations."""
    unlisted = sum(map(_may_be_organisation, entries))
    organised = sum(1 for entry in entries if entry.affiliations and entry.year and entry.citation is None)
    venues = sum(1 for entry in entries if entry.citation is not None and entry.citation.venue is not None)
    return OrganisationCounts(unlisted, organised, venues)


def settle_organisations(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with unlisted venues as organisations."""
    return [_with_organisation(entry) if _may_be_organisation(entry) else entry for entry in entries]


def _may_be_organisation(entry: Entry) -> bool:
    cited = entry.citation
    if cited is None or cited.venue is not None or cited.name is None or entry.affiliations:
        return False
    return cited.text == f"{cited.name.value} {cited.year}" and len(cited.name.value.split()) <= 2


def _with_organisation(entry: Entry) -> Entry:
    name = entry.citation.name if entry.citation is not None else None
    uncertain = entry.uncertain - {"venue"} | {"affiliations"}
    return entry._replace(citation=None, affiliations=(name,) if name else (), uncertain=uncertain)


def _as_classic(entry: Entry, title_line: TitleLine | None, vocabulary: Vocabulary) -> Entry:
    """Return an entry that was read as a paper as a classic entry."""
    if title_line is not None:
        dialect = "classic" if entry.dialect == "linked-title" else entry.dialect
        classic = build_classic(title_line, entry.block, vocabulary, section=entry.section, dialect=dialect)
        return classic._replace(end_line=entry.end_line)
    return entry._replace(kind="classic", name=entry.title, year=None, citation=None, authors=(), notes=())


def is_certain(entry: Entry, vocabulary: Vocabulary) -> bool:
    """Return whether an entry is surely a paper: it has what only papers have."""
    if entry.citation is not None or not _SURE_IDS.isdisjoint(entry.identifiers):
        return True
    if len(entry.authors) > 1 and entry.dialect != "linked-title":
        return True  # people behind a linked title may be its description: `[Book](u) - Ada Stone, Ben Field`
    if entry.year is not None and not entry.year_from_arxiv_id:
        return True
    if any(vocabulary.evidence(link.link.url) for link in entry.links[:3]):
        return True
    labelled = entry.links[1:] if entry.dialect == "linked-title" else entry.links
    return any(link.role is not None and link.role.id == "paper" for link in labelled)


class Listed:
    """What the entries outside of tables link to, and the names of all with links, which is found when needed."""

    def __init__(self, entries: Iterable[Sequence[Entry]]) -> None:
        """`entries` are those of each part of a document."""
        self._entries = tuple(entries)

    @cached_property
    def urls(self) -> frozenset[str]:
        """The URLs."""
        entries = chain.from_iterable(self._entries)
        return frozenset(
            [entry.links[0].link.url for entry in entries if entry.links and entry.dialect not in _DIALECTS]
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """The names, folded."""
        entries = chain.from_iterable(self._entries)
        return frozenset([fold(entry.title.value) for entry in entries if entry.links])


def has_tables(entries: Iterable[Entry]) -> bool:
    """Return whether any entry is in a table."""
    return any(entry.dialect in _DIALECTS for entry in entries)


def part_overviews(
    entries: Sequence[Entry], listed: Listed | None = None, follows_other: bool = False
) -> tuple[list[Entry], list[NonEntry]]:
    """Return the entries without the rows of overviews, and the overviews.

    The rows of an overview link to what entries outside of tables link to. Without links, they repeat names. `listed`
    is what the whole document lists, and `follows_other` whether it has an overview above these entries.
    """
    if not has_tables(entries):
        return list(entries), []
    listed = listed or Listed([entries])
    kept: list[Entry] = []
    overviews: list[NonEntry] = []
    for group in _tables(entries):
        linked = sum(1 for entry in group if entry.links and entry.links[0].link.url in listed.urls)
        named = 0
        if len(group) >= _MIN_ROWS and not any(entry.links for entry in group):
            named = sum(1 for entry in group if fold(entry.title.value) in listed.names)
        is_first = not (follows_other or overviews)
        enough = len(group) >= _MIN_ROWS or (not is_first and group[0].dialect in _DIALECTS)
        if enough and max(linked, named) >= (_SHARE if len(group) >= _MIN_ROWS else 1) * len(group):
            first, last = group[0], group[-1]
            span = Span(first.span.start, last.span.end)
            overviews.append(NonEntry(span, first.line, last.end_line, REPEATED))
        else:
            kept += group
    return kept, overviews


def _tables(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries of each table, and every other entry alone."""
    group: list[Entry] = []
    for entry in entries:
        if group and not (entry.dialect in _DIALECTS and entry.section == group[-1].section):
            yield group
            group = []
        group.append(entry)
        if entry.dialect not in _DIALECTS:
            yield group
            group = []
    if group:
        yield group
