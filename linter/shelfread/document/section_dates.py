"""What needs the whole document: the venue and year of sections, and the kind of uncertain entries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.entry.classic import build_classic
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Citation, Entry, Field, Section
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.recognizers.years import find_year
from shelfread.taxonomy.vocabulary import Vocabulary

_YEAR_ALONE = lazy(r"\W*(?:year\W+)?((?:19|20)\d\d)\W*(?:年|년)?\W*(?:\(?\d+ papers?\)?\W*)?", re.IGNORECASE)
# `OSDI 2020 [[Program]](u)`
_LABELS = lazy(r"(?:\s*\[[^\[\]]{1,40}\]){1,3}\s*$")
# `Notes of papers in OSDI 2020`, `Knowledge Graphs @ACL20`
_VENUE_LAST = lazy(r".*(?:\b(?:in|at|from|of)\s|@\s?)(?P<venue>[^@:：]{4,40})$")
# `OSDI 2020: Compilers`
_VENUE_FIRST = lazy(r"(?P<venue>[^:：]{4,40})[:：]\s")
_TOOLS = lazy(
    r"\b(?:tools?|toolkits?|frameworks?|software|librar(?:y|ies)|packages?|open[- ]source|projects?|platforms?|courses?)\b",
    re.IGNORECASE,
)
_TOOL_ROLES = frozenset({"code", "project", "docs", "demo", "course", ""})
_SURE_IDS = frozenset({"arxiv", "openreview", "acl", "pmlr", "neurips", "mlsys"})


def date_sections(sections: Sequence[Section], vocabulary: Vocabulary) -> tuple[Section, ...]:
    """Return sections with the venue and year that their titles state for the entries below them."""
    dated: list[Section] = []
    for section in sections:
        found = _date_section(section, vocabulary)
        above = dated[section.parent].citation if section.parent is not None else None
        if found.citation is not None and found.year is None and above is not None and above.year is not None:
            found = section  # `TinyML` below `MLSys 2021` is a subject
        dated.append(found)
    return tuple(dated)


def _date_section(section: Section, vocabulary: Vocabulary) -> Section:
    """Return a section with the venue and year that its title states for the entries below it."""
    title = _venue_words(_LABELS.sub("", section.title), vocabulary)
    if len(title) > 60:
        return section
    mentions = find_mentions(title, vocabulary)
    year_alone = _YEAR_ALONE.fullmatch(title)
    citation = None
    if mentions and is_citation(title, vocabulary):
        best = next((mention for mention in mentions if mention.year), mentions[0])
        name = Field(title[best.name_start : best.name_end], section.span)
        citation = Citation(title[best.start : best.end], section.span, best.venue, best.year, name)
    elif not year_alone:
        return section
    year = citation.year if citation else None
    if year is None and (found := find_year(year_alone.group(1) if year_alone else title)):
        year = found.year
    return section._replace(citation=citation, year=year)


def _venue_words(title: str, vocabulary: Vocabulary) -> str:
    """Return the words of a heading that name its venue: `OSDI 2020` of `ML Systems in OSDI 2020`, else all."""
    parts = [match["venue"] for match in (_VENUE_LAST.match(title), _VENUE_FIRST.match(title)) if match]
    for part in parts:
        mentions = find_mentions(part, vocabulary)
        if any(mention.year for mention in mentions) and is_citation(part, vocabulary):
            return part
    return title


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
