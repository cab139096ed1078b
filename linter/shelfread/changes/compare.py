"""Compare two states of a project's lists entry by entry, and field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from shelfread.changes.listed import (
    ChangedEntry,
    Comparison,
    FieldChange,
    ListedEntry,
    Pair,
    Reorder,
    SectionPath,
    list_entries,
    list_sections,
)
from shelfread.changes.matching import pair_entries, unpaired
from shelfread.changes.section_changes import count_entries, match_sections, section_after, section_changes
from shelfread.core.differences import in_order
from shelfread.core.patterns import lazy
from shelfread.document.entry_data import entry_data
from shelfread.document.model import Document
from shelfread.taxonomy.load import load


def compare(before: Sequence[Document], after: Sequence[Document]) -> Comparison:
    """Return what has changed from some documents to others."""
    old, new = list_entries(before), list_entries(after)
    position = {entry: index for index, entry in enumerate((*old, *new))}
    pairs = sorted(pair_entries(old, new), key=lambda pair: position[pair.after])
    removed, added = unpaired(old, new, pairs)
    old_sections, new_sections = list_sections(before), list_sections(after)
    renamed = match_sections(pairs, old_sections, new_sections)
    stays = {pair: section_after(pair.before.section, renamed) == pair.after.section for pair in pairs}
    changed: list[ChangedEntry] = []
    reformatted: list[Pair] = []
    for pair in pairs:
        if fields := _changed_fields(pair):
            changed.append(ChangedEntry(*pair, fields))
        elif pair.before.text != pair.after.text:
            reformatted.append(pair)
    counts = count_entries(entry.section for entry in old), count_entries(entry.section for entry in new)
    return Comparison(
        added=tuple(added),
        removed=tuple(removed),
        moved=tuple(pair for pair in pairs if not stays[pair]),
        changed=tuple(changed),
        reformatted=tuple(reformatted),
        reordered=tuple(_find_reordered(filter(stays.get, pairs), position)),
        sections=tuple(section_changes(old_sections, new_sections, renamed, counts)),
        titles=_find_titles(old_sections) | _find_titles(new_sections),
    )


def _find_titles(sections: Iterable[SectionPath]) -> frozenset[SectionPath]:
    """Return the first section of each file that holds more than half of the file's sections."""
    files: dict[str, list[SectionPath]] = {}
    for section in sections:
        if section.titles:
            files.setdefault(section.path, []).append(section)
    return frozenset(
        inside[0]
        for inside in files.values()
        if sum(section.titles[:1] == inside[0].titles for section in inside) * 2 > len(inside)
    )


def _find_reordered(kept: Iterable[Pair], position: dict[ListedEntry, int]) -> Iterable[Reorder]:
    orders: dict[SectionPath, list[int]] = {}
    for pair in kept:
        orders.setdefault(pair.after.section, []).append(position[pair.before])
    for section, order in orders.items():
        if moved := len(order) - len(in_order(order)):
            yield Reorder(section, moved)


_SINGLE = ("title", "name", "description", "venue", "venue_text", "year", "authors", "affiliations")
_CITED = ("venue", "venue_text", "year")
_WORD = lazy(r"\w+")


def _changed_fields(pair: Pair) -> tuple[FieldChange, ...]:
    """Return the fields in which an entry differs; none if only punctuation and whitespace do."""
    before, after = pair
    if before.text == after.text:
        return ()
    taxonomy = load(None)  # the concepts of sections are not compared
    old, new = (entry_data(listed.entry, listed.document, taxonomy) for listed in pair)
    # What a heading states for all entries below it is no change of an entry.
    same_citation = _cited(before) == _cited(after)
    fields = [
        FieldChange(field, old[field], new[field])
        for field in _SINGLE
        if old[field] != new[field] and not (same_citation and field in _CITED)
    ]
    fields += [FieldChange("notes", *change) for change in _changed_notes(old["notes"], new["notes"])]
    fields += [FieldChange("links", *change) for change in _changed_links(old["links"], new["links"])]
    for kind in dict.fromkeys((*old["identifiers"], *new["identifiers"])):
        values = old["identifiers"].get(kind), new["identifiers"].get(kind)
        if values[0] != values[1]:
            fields.append(FieldChange(f"identifiers.{kind}", *values))
    if not fields and _words(before) != _words(after):
        fields.append(FieldChange("text", before.text, after.text))
    return tuple(fields)


def reportable_fields(entry: ChangedEntry) -> list[FieldChange]:
    """Return the fields to show to people, without those that follow from another."""
    changed = {change.field for change in entry.fields}
    implied = {"name"} if "title" in changed else set()
    venues = {
        change.before is None or change.after is None for change in entry.fields if change.field == "venue"
    }
    if venues == {True} and entry.before.entry.citation and entry.after.entry.citation:
        implied.add("venue")  # one of the two is not known: what is written tells that
    elif changed & {"venue", "year"}:
        implied.add("venue_text")
    if "links" in changed:
        implied.update(field for field in changed if field.startswith("identifiers."))
    own = (change for change in entry.fields if change.field not in implied)
    return [change for change in own if not _is_title_link(change, entry)]


def label_of(link: Mapping[str, Any], listed: ListedEntry) -> str:
    """Return a link's label; empty for a title that is a link, and for a bare URL."""
    label = str(link["label"])
    title, name = listed.entry.title.value, listed.entry.name
    return "" if label in (title, name.value if name else None, link["url"]) else label


def _is_title_link(change: FieldChange, entry: ChangedEntry) -> bool:
    """Return whether only the label of a link differs, which is the title on both sides."""
    old, new = change.before, change.after
    if change.field != "links" or not (old and new) or old["url"] != new["url"]:
        return False
    return not label_of(old, entry.before) and not label_of(new, entry.after)


def _cited(listed: ListedEntry) -> tuple[object, object, bool]:
    entry = listed.entry
    return entry.citation.text if entry.citation else None, entry.year, entry.year_from_arxiv_id


def _words(listed: ListedEntry) -> list[str]:
    """Return the words of an entry without a number before them, which counts the rows of a table."""
    words: list[str] = _WORD.findall(listed.text)
    return words[1:] if words and words[0].isdigit() else words


def _changed_notes(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """Yield notes that were removed, added or (at the same position among these) reworded."""
    old, new = Counter(before), Counter(after)
    yield from zip_longest((old - new).elements(), (new - old).elements())


def _changed_links(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]]:
    """Yield links that were removed, added, or have another URL under the same label or another label."""
    removed: list[Mapping[str, Any] | None] = list(before)
    added: list[Mapping[str, Any] | None] = list(after)
    for keys in (("label", "url"), ("label",), ("url",), ("role",)):
        indexes: dict[tuple[object, ...], list[int]] = {}
        for index in range(len(removed) - 1, -1, -1):
            if (link := removed[index]) is not None:
                indexes.setdefault(tuple(link[key] for key in keys), []).append(index)
        for index, link in enumerate(added):
            if link is None or (keys == ("role",) and link["role"] is None):
                continue
            if alike := indexes.get(tuple(link[key] for key in keys)):
                old_index = alike.pop()
                old = removed[old_index]
                removed[old_index] = added[index] = None
                if keys != ("label", "url"):
                    yield old, link
    yield from ((link, None) for link in removed if link is not None)
    yield from ((None, link) for link in added if link is not None)
