"""Writes an entry in the forms of a list, the likeliest first, and compares what is read of it with what it is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from shelfread.document.entry_data import entry_data
from shelfread.document.identity import fold_url
from shelfread.document.model import Document, Entry
from shelfread.format.house_style import ANY_LINK
from shelfread.imports.dialect import Dialect
from shelfread.imports.entry_form import (
    Form,
    FormPart,
    Forms,
    Line,
    flat,
    indented,
    kinds_in,
    kinds_of,
    render,
    render_form,
)
from shelfread.imports.field_values import Values
from shelfread.imports.imported_entry import ImportedEntry, is_cited
from shelfread.imports.insertion_point import InsertionPoint
from shelfread.index.observations import STOPS
from shelfread.markdown.html import escape
from shelfread.taxonomy.label_forms import squash
from shelfread.taxonomy.taxonomy import Taxonomy

_LONGEST_SHOWN = 80
_MOST_FORMS = 40
_MOST_WAYS = 8
_FEWEST_ALIKE = 2  # preprints, or others, show how such papers are written
_SOME = 5  # one of so many
_PAPER = (Line(0, False, (
    FormPart("title"), FormPart("text", " "),
    FormPart("group", "", (FormPart("text", "("), FormPart("venue"), FormPart("text", " "), FormPart("year"), FormPart("text", ")"))),
    FormPart("text", " "), FormPart("labels"),
)),)  # fmt: skip
_CLASSIC = (Line(0, False, (
    FormPart("group", "", (FormPart("text", "["), FormPart("title"), FormPart("text", "]("), FormPart("url"), FormPart("text", ")"))),
    FormPart("text", " - "), FormPart("description"),
)),)  # fmt: skip
_MARKS = "*_\"“'‘`[<"
_PAPER_KINDS = frozenset({"venue", "citation", "year", "short_year", "month", "labels", "authors"})
_LINK_KINDS = frozenset({"url", "labels", "link"})
_SOURCES = frozenset({"source", "reference", "resource"})
_FIELDS = {"venue": "venue_text"}
# The kinds of parts that state a field of the entry.
_STATED_BY = {
    "description": {"description"},
    "year": {"year", "short_year", "month", "citation"},
    "venue": {"venue", "citation"},
    "authors": {"authors"},
    "tags": {"tags"},
}
# A form that has such a field suits an entry without a value for it less.
_WANTED = {"description", "authors", "affiliations", "name", "badge", "labels", "link", "url", "tags"}


class Way(NamedTuple):
    """A way to write an entry: its text, which of venue, year, authors and description it states, and the links that it has not."""

    text: str
    states: frozenset[str]
    dropped: tuple[str, ...]
    lost: int  # how many links the form has no place for; more links to the paper do not count
    empty: tuple[str, ...] = ()  # the columns of a table that are left empty
    definition: str = ""  # the line that has the URL of its name: `[Quill]: https://quill.example.org`
    notes: tuple[str, ...] = ()  # the notes that stand in columns of a table, or as tags


def find_ways(
    entry: ImportedEntry, dialect: Dialect, place: InsertionPoint, given: frozenset[str]
) -> list[Way]:
    """Return the ways to write an entry at a place, the likeliest first. What is `given` by headings need not be stated."""
    known = dialect.forms.get(place.kind, Forms(Counter(), {}, {}))
    stops = dialect.section_stops.get(place.section, dialect.description_stops)
    dialect = dialect._replace(description_stops=stops)
    here = known.by_section.get(place.section, Counter[Form]())
    in_table = place.kind == "row"
    # Tables of other sections may have other columns.
    forms = here if in_table and here else known.whole
    total, total_here = forms.total(), here.total()
    venue = dialect.vocabulary.venue(entry["venue"] or "")
    is_preprint = venue is not None and venue.kind == "preprint"
    like_it = known.by_preprint.get(is_preprint, Counter[Form]())
    like_it = like_it if like_it.total() >= _FEWEST_ALIKE else forms
    weights = {
        form: (count / total + 2 * here[form] / (total_here + 1)) * (like_it[form] + 1) / (count + 1)
        for form, count in forms.items()
    }
    marks: defaultdict[str, float] = defaultdict(float)
    for form, weight in weights.items():
        marks[_marks_of_title(form)] += weight
    # Titles of which one is bold and others are not would look like a mistake.
    usual_marks = max(marks, key=lambda mark: marks[mark], default="")
    lacks_paper = is_cited(entry) and all(link["role"] != "paper" for link in entry["links"])
    alike = [
        form
        for form in weights
        if _marks_of_title(form) == usual_marks or (lacks_paper and "url" not in kinds_of(form))
    ]
    usual = sorted(alike, key=lambda form: weights[form], reverse=True)[:_MOST_FORMS]
    kinds = {kind for form in usual for kind in kinds_of(form)}
    with_links = not usual or not _LINK_KINDS.isdisjoint(kinds)
    votes: defaultdict[Way, float] = defaultdict(float)
    for form in usual:
        way, missing = _write(indented(form, here), entry, dialect, place, with_links, given)
        votes[way] += weights[form] * 2.0 ** len(way.states - given) / 2.0**missing
    # A section without venues, or one with few descriptions, is no reason to lose what other entries would have.
    wanted = {
        field
        for field in ("venue", "description")
        if sum(count for form, count in forms.items() if kinds_of(form) & _STATED_BY[field]) * _SOME >= total
    }
    ranked = sorted(votes, key=lambda way: (len(way.states & wanted) - way.lost, votes[way]), reverse=True)
    ranked = ranked[:_MOST_WAYS]
    if not in_table:
        is_paper = not _PAPER_KINDS.isdisjoint(kinds) if usual else _is_paper(entry)
        generic = (_PAPER, _CLASSIC) if is_paper else (_CLASSIC, _PAPER)
        ways = [_write(form, entry, dialect, place, with_links, given)[0] for form in generic]
        stated = {field for field in ("year", "venue", "description") if entry[_FIELDS.get(field, field)]}
        ranked += [way for way in ways if way.states >= stated and not way.lost]
    first: dict[str, Way] = {}
    for way in ranked:
        first.setdefault(way.text, way)
    return list(first.values())


def _is_paper(entry: ImportedEntry) -> bool:
    return is_cited(entry) or any(link["role"] == "paper" for link in entry["links"])


def _marks_of_title(form: Form) -> str:
    """Return the marks right before the title: `**`, `[`."""
    before = ""
    for part in flat(form[0].parts):
        if part.kind == "title":
            break
        before = part.text if part.kind == "text" else ""
    return before[len(before.rstrip(_MARKS)) :]


def _write(
    form: Form,
    entry: ImportedEntry,
    dialect: Dialect,
    place: InsertionPoint,
    with_links: bool,
    given: frozenset[str],
) -> tuple[Way, int]:
    """Return an entry in a form, with other links behind its first line, and how many fields of the form have no value."""
    in_table = place.kind == "row"
    values = Values(entry, form, dialect, in_table, given)
    empty: tuple[str, ...] = ()
    notes: list[str] = []
    if in_table:
        cells = [render((cell,), values) or "" for cell in form[0].parts]
        header = place.rows.header if place.rows else ()
        for column, (words, cell) in enumerate(zip(header, cells, strict=False)):
            if not cell and _holds_any_link(form[0].parts, column, words, dialect):
                cells[column] = values.write_address(form[0].parts[column])
            if not cells[column] and (note := _note_of(entry, words)) is not None:
                cells[column] = escape(note[len(words) + 2 :], in_table=True)
                notes.append(note)
        text = place.rows.write(cells) if place.rows else f"| {' | '.join(cells)} |"
        empty = tuple(words for words, cell in zip(header, cells, strict=False) if words and not cell)
    else:
        text = render_form(form, values, re.sub(r"\S", " ", place.prefix), dialect.newline)
    lost = values.left()
    if not in_table and (labels := values.write_row(lost if with_links else [])) is not None:
        first, newline, others = text.partition(dialect.newline)
        bare = first.rstrip(" \\")
        text = f"{bare} {labels}{first[len(bare) :]}{newline}{others}"
    states = frozenset(field for field, kinds in _STATED_BY.items() if values.states & kinds)
    missing = len((values.kinds & _WANTED) - values.states) + values.misfit
    dropped = tuple(link["url"] for link in values.unused)
    return Way(text, states, dropped, len(lost), empty, values.definition, (*notes, *values.tags)), missing


def _note_of(entry: ImportedEntry, words: str) -> str | None:
    """Return the note that states what belongs into a column, by its header: `Price: paid`."""
    label = f"{words}: ".casefold()
    return next((note for note in entry["notes"] if words and note.casefold().startswith(label)), None)


def _holds_any_link(cells: Sequence[FormPart], column: int, words: str, dialect: Dialect) -> bool:
    """Return whether a column holds links of all kinds, though others have other labels: by its header, or as the only one with links."""
    said = words.casefold().removesuffix("s")
    linked = [index for index, cell in enumerate(cells) if not _LINK_KINDS.isdisjoint(kinds_in((cell,)))]
    is_general = said in _SOURCES or dialect.vocabulary.role(words) is None
    return said in ANY_LINK or (linked == [column] and is_general)


# --------------------------------------------------------------------------------------------------------- read back
def find_fault(
    entry: Entry | None, wanted: ImportedEntry, way: Way, document: Document, taxonomy: Taxonomy
) -> str | None:
    """Return what is read differently of an entry that was written in a way, the gravest first; None if nothing is."""
    if entry is None:
        return "it would not be read as an entry"
    data: dict[str, Any] = entry_data(entry, document, taxonomy)
    titles = (wanted["title"], wanted["identifiers"].get("github") or "")
    if squash(data["title"]) not in map(squash, titles):
        return f"its title would be read as {_shown(data['title'])}"
    if (fault := _fault_of_links(data, wanted, way)) is not None:
        return fault
    if entry.kind != "classic":
        # A venue that the vocabulary does not know may stand where only a known one is read, with its year.
        is_known = wanted["venue"] is not None or wanted["venue_text"] is None
        if "year" in way.states and data["year"] != wanted["year"] and (is_known or data["year"] is not None):
            return f"its year would be read as {_shown(data['year'])}, not as {wanted['year']}"
        if "venue" in way.states and wanted["venue"] and not (data["venue"] or data["venue_text"]):
            return f"its venue {_shown(wanted['venue'])} would not be read"
    description = data["description"] if "description" in way.states else None
    if description is not None and description.rstrip(STOPS) != wanted["description"].rstrip(STOPS):
        return f"its description would be read as {_shown(description)}"
    return None


def _fault_of_links(data: Mapping[str, Any], wanted: ImportedEntry, way: Way) -> str | None:
    read = {fold_url(link["url"]) for link in data["links"] if link["url"]}
    given = {fold_url(link["url"]): link["url"] for link in wanted["links"] if link["url"]}
    written = given.keys() - {fold_url(url) for url in way.dropped}
    doi = data["identifiers"]["doi"]  # a link to it may be written as the DOI alone
    if lost := [
        link for url, link in given.items() if url in written - read and not (doi and link.endswith(doi))
    ]:
        return f"its link {_shown(lost[0])} would not be read"
    titled, found = (_link_of_title(each["links"], wanted["title"]) for each in (wanted, data))
    if titled in written and found not in (titled, None):
        return f"its title would lead to {_shown(found)}"
    if more := sorted(read - given.keys()):
        return f"a link would be read that it does not have, {_shown(more[0])}"
    return None


def _link_of_title(links: Iterable[Mapping[str, Any]], title: str | None) -> str | None:
    return next((fold_url(link["url"]) for link in links if link["url"] and link["label"] == title), None)


def _shown(value: object) -> str:
    text = str(value) if value is not None else "none"
    text = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"'{text}'" if isinstance(value, str) else text
