"""Inserts entries into a list: written in its dialect, read back, moved to their places, and verified."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from shelfread.checks.entry.order_detection import Order, by_date, by_name
from shelfread.checks.entry.order_lists import SortedList, sorted_lists
from shelfread.checks.entry.order_moves import edits_of_moves, moves
from shelfread.core.diagnostics import MARKUP, Edit
from shelfread.core.edits import TextEdit, apply_edits
from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.core.support.line_diff import GONE, align
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.export import entry_data
from shelfread.document.identity.keys import fold_url
from shelfread.document.model import Document, Entry
from shelfread.document.read import read
from shelfread.engine.insert.places import Place, all_runs, find_place
from shelfread.engine.insert.sections import Target
from shelfread.engine.insert.write import Dialect, author_line, candidates, learn_dialect, leaves_out
from shelfread.fixes.verify.conservation import find_damage
from shelfread.imports.model import ImportedEntry
from shelfread.taxonomy.fold import squash
from shelfread.taxonomy.taxonomy import Taxonomy

_NUMBER = re.compile(r"^([ \t>]*)(\d{1,9})(?=[.)](?:[ \t]|$))")
_LEAST_SORTED = 3
"""Sorted lists of a file, from which on its short ones are taken for sorted too."""
_LEAST_IN_ORDER = 5
"""Entries that hardly stand in order by chance."""


class Inserted(NamedTuple):
    """An entry in the new text: its line, from 1, and the section's title."""

    entry: ImportedEntry
    line: int
    section: str
    why: str


class Insertion(NamedTuple):
    """The new text of a list, what was inserted, and what could not be, with the reason."""

    text: str
    inserted: list[Inserted]
    left_out: list[tuple[ImportedEntry, str]]


class _New(NamedTuple):
    """An entry to insert, its section, and the ways to write it."""

    entry: ImportedEntry
    target: Target
    ways: list[str]
    below: str | None
    left_out: frozenset[str]
    """Fields that the list does not state: venue, year."""


def insert_entries(
    document: Document, entries: Sequence[tuple[ImportedEntry, Target]], taxonomy: Taxonomy
) -> Insertion:
    """Return a list with entries at the places that the order of their sections gives them.

    Raises InputError if anything else would change.
    """
    dialect = learn_dialect(document, taxonomy.vocabulary)
    found_runs = all_runs(document)
    places: dict[int | None, Place] = {}
    groups: dict[int | None, list[_New]] = {}
    for entry, target in entries:
        if target.section not in places:
            places[target.section] = find_place(document, target.section, found_runs)
        groups.setdefault(target.section, []).append(_new(entry, target, places[target.section], dialect))
    added, written, left_out = _write_all(document, places, groups, taxonomy)
    if not written:
        return Insertion(document.source.text, [], left_out)
    text = _in_order(document, added, places, written)
    after = (
        read(Source(text, document.source.path), taxonomy.vocabulary) if text != added.source.text else added
    )
    _verify(document, after)
    return Insertion(text, _inserted(after, written), left_out)


def _new(entry: ImportedEntry, target: Target, place: Place, dialect: Dialect) -> _New:
    ways = candidates(entry, target.section, dialect, place.kind)
    below = author_line(entry, dialect) if place.kind == "item" else None
    return _New(entry, target, ways, below, leaves_out(dialect, place.kind))


# ------------------------------------------------------------------------------------------- written and read back
def _write_all(
    document: Document,
    places: Mapping[int | None, Place],
    groups: Mapping[int | None, list[_New]],
    taxonomy: Taxonomy,
) -> tuple[Document, dict[int, _New], list[tuple[ImportedEntry, str]]]:
    """Return the list with all entries at the ends of their sections, and the new entries by their line, from 1.

    All are written in the likeliest way first. Those that are read back differently are tried in every way at once.
    """
    chosen = {section: [(new, new.ways[0]) for new in group if new.ways] for section, group in groups.items()}
    left_out = [new for group in groups.values() for new in group if not new.ways]
    best: dict[int, str] = {}
    while True:
        after, lines = _try(document, places, chosen, taxonomy)
        wrong = [line for line, (new, _) in lines.items() if _is_wrong(line, new, after, places, taxonomy)]
        if not wrong:
            known = [(new.entry, _UNREADABLE) for new in left_out]
            return after, {line: new for line, (new, _) in lines.items()}, known
        tried = [lines[line][0] for line in wrong]
        if not best:
            best = _best_ways(document, places, tried, taxonomy)
            chosen = {
                section: [(new, best.get(id(new), text)) for new, text in group]
                for section, group in chosen.items()
            }
            lost = {id(new) for new in tried if id(new) not in best}
        else:
            lost = {id(new) for new in tried}
        left_out += [new for new in tried if id(new) in lost]
        chosen = {
            section: [pair for pair in group if id(pair[0]) not in lost] for section, group in chosen.items()
        }
        best = best or {-1: ""}


_UNREADABLE = "it would not be read back as it is: add it by hand"


def _best_ways(
    document: Document, places: Mapping[int | None, Place], entries: Sequence[_New], taxonomy: Taxonomy
) -> dict[int, str]:
    """Return the way that reads back best of each entry, by its id; none for one that no way gives."""
    trial: dict[int | None, list[tuple[_New, str]]] = {}
    for new in entries:
        trial.setdefault(new.target.section, []).extend((new, way) for way in new.ways)
    after, lines = _try(document, places, trial, taxonomy)
    read_back = {entry.line: entry for entry in after.entries}
    faults: dict[int, tuple[int, str]] = {}
    for line, (new, way) in lines.items():
        found = _differences(read_back.get(line), after, taxonomy, new)
        if found <= _allowed(new, places) and (id(new) not in faults or found < faults[id(new)][0]):
            faults[id(new)] = found, way
    return {key: way for key, (_, way) in faults.items()}


def _try(
    document: Document,
    places: Mapping[int | None, Place],
    chosen: Mapping[int | None, list[tuple[_New, str]]],
    taxonomy: Taxonomy,
) -> tuple[Document, dict[int, tuple[_New, str]]]:
    text, lines = _added(document.source, places, chosen)
    return read(Source(text, document.source.path), taxonomy.vocabulary), lines


def _is_wrong(
    line: int, new: _New, after: Document, places: Mapping[int | None, Place], taxonomy: Taxonomy
) -> bool:
    index = bisect_left(after.entries, line, key=lambda entry: entry.line)
    found = after.entries[index] if index < len(after.entries) and after.entries[index].line == line else None
    return _differences(found, after, taxonomy, new) > _allowed(new, places)


def _allowed(new: _New, places: Mapping[int | None, Place]) -> int:
    """Return in how many fields an entry may be read differently: a table has the columns that it has."""
    return 1 if places[new.target.section].kind == "row" else 0


def _added(
    source: Source, places: Mapping[int | None, Place], chosen: Mapping[int | None, list[tuple[_New, str]]]
) -> tuple[str, dict[int, tuple[_New, str]]]:
    """Return the text with entries at the ends of their sections, and the entry on each of their lines, from 1."""
    edits: list[TextEdit] = []
    lines: dict[int, tuple[_New, str]] = {}
    shift = 0
    for section in sorted(chosen, key=lambda section: places[section].offset):
        place = places[section]
        number = place.numbers[0] if place.numbers else 0
        line = source.text.count("\n", 0, place.offset) + shift + 1
        parts: list[str] = [place.before]
        count = place.before.count("\n")
        for index, (new, way) in enumerate(chosen[section]):
            blank = place.blank if index or place.run else ""
            prefix = place.prefix
            if place.numbers is not None:
                prefix = re.sub(r"\d+", str(number), prefix, count=1)
                number += place.numbers[1]
            below = f"{new.below}{source.newline}" if new.below is not None else ""
            text = f"{prefix}{way}{source.newline}{below}"
            lines[line + count + blank.count("\n")] = new, way
            parts += (blank, text)
            count += blank.count("\n") + text.count("\n")
        if not chosen[section]:
            continue
        parts.append(place.behind)
        shift += count + place.behind.count("\n")
        edits.append(TextEdit(place.offset, place.offset, "".join(parts)))
    return apply_edits(source.text, edits), lines


def _differences(found: Entry | None, document: Document, taxonomy: Taxonomy, new: _New) -> int:
    """Return in how many fields an entry is read differently: a wrong title or link counts for all."""
    if found is None:
        return 9
    data: dict[str, Any] = entry_data(found, document, taxonomy)
    wanted = new.entry
    if squash(data["title"]) != squash(wanted["title"]):
        return 9
    urls, others = (
        {fold_url(link["url"]) for link in entry["links"] if link["url"]} for entry in (data, wanted)
    )
    if urls != others:
        return 9
    is_classic = found.kind == "classic"
    faults = 0
    if not is_classic:
        # A year without one on the line may still be read from the heading above: then it must be right.
        faults += data["year"] != wanted["year"] and not ("year" in new.left_out and data["year"] is None)
        faults += (data["venue"] or data["venue_text"] is not None) != (
            wanted["venue"] or wanted["venue_text"] is not None
        ) and not ("venue" in new.left_out and data["venue"] is None)
    if wanted["description"] and data["description"] is not None:
        faults += data["description"].rstrip(".") != wanted["description"].rstrip(".")
    return faults


# -------------------------------------------------------------------------------------------------- at their places
def _in_order(
    before: Document, added: Document, places: Mapping[int | None, Place], written: Mapping[int, _New]
) -> str:
    """Return the text with the new entries of sorted lists moved to where the order has them."""
    sorted_before = list(sorted_lists(before, "learned", "auto"))
    by_line = {found.run[0].line: found for found in sorted_before}
    edits: list[Edit] = []
    text = added.source.text
    shift = _shifts(before.source, places, added.source)
    for run in all_runs(added):
        new = {index for index, entry in enumerate(run) if entry.line in written}
        if not new or len(new) == len(run):
            continue
        old_line = run[min(set(range(len(run))) - new)].line
        old = by_line.get(shift(old_line))
        order = _order(run, text, new, old, sorted_before)
        if order is None:
            continue
        moving = [move for move in moves(order) if move.place in new]
        if moving:
            found = edits_of_moves(added.source, run, moving)
            edits += {edit for group in found.values() for edit in group}
    return apply_edits(text, edits)


def _shifts(source: Source, places: Mapping[int | None, Place], added: Source) -> Any:
    """Return a function from a line of the text with the added entries to that of the text without."""
    aligned = align(source.lines, added.lines)
    return lambda line: aligned[line - 1] + 1


def _order(
    run: Sequence[Entry],
    text: str,
    new: set[int],
    old: SortedList | None,
    sorted_before: Sequence[SortedList],
) -> Order | None:
    """Return the order of a list, in which the old entries stay; None if it is not sorted."""
    staying = [index not in new for index in range(len(run))]
    if old is not None and not old.order.is_by_name:
        order = by_date(run, text, staying)
        return order if order is not None and order.by == old.order.by else None
    if old is None:
        # A list too short for the rule about orders: in order without exception, or all other lists are sorted.
        others = len(sorted_before) >= _LEAST_SORTED and all(
            found.order.is_by_name for found in sorted_before
        )
        if sum(staying) < _LEAST_IN_ORDER and not others:
            return None
        alone = by_name([entry for index, entry in enumerate(run) if staying[index]], text)
        if alone is None or alone.exceptions:
            return None
    order = by_name(run, text, staying, as_they_stay=True)
    return order if order is not None and (old is None or order.by == old.order.by) else None


# ----------------------------------------------------------------------------------------------------------- verified
def _verify(before: Document, after: Document) -> None:
    """Raise InputError if anything but the inserted lines and the numbers of lists changed."""
    source, path = before.source, before.source.path
    old = [_NUMBER.sub(r"\1#", line) for line in source.lines]
    new = [_NUMBER.sub(r"\1#", line) for line in after.source.lines]
    aligned = align(old, new)
    kept = [line for line in aligned if line != GONE]
    if len(kept) != len(old):
        lost = next(line for line in range(len(old)) if line not in set(kept))
        raise InputError("nothing is inserted, because this line would change", path, lost + 1)
    edits: list[Edit] = []
    pending = ""
    last = -1
    for number, line in enumerate(aligned):
        text = after.source.lines[number]
        if line == GONE:
            pending += text + source.newline
            continue
        if pending:
            edits.append(Edit.insert(source.starts[line], pending))
            pending = ""
        if text != source.lines[line]:
            was, now = _NUMBER.match(source.lines[line]), _NUMBER.match(text)
            if was and now:
                start = source.starts[line]
                edits.append(Edit(start + was.start(2), start + was.end(2), now[2], MARKUP))
        last = line
    if pending:
        edits.append(
            Edit.insert(len(source.text) if last == len(old) - 1 else source.starts[last + 1], pending)
        )
    if damage := find_damage(before.tree, source.text, after.tree, after.source.text, edits):
        raise InputError(f"nothing is inserted, because more would change: {damage}", path)


def _inserted(after: Document, written: Mapping[int, _New]) -> list[Inserted]:
    lines: dict[tuple[str, str], list[int]] = {}
    for entry in after.entries:
        section = after.sections[entry.section].title if entry.section is not None else ""
        lines.setdefault((squash(entry.title.value), section), []).append(entry.line)
    found: list[Inserted] = []
    for new in written.values():
        index = new.target.section
        section = after.sections[index].title if index is not None else ""
        places = lines.get((squash(new.entry["title"]), section), [0])
        found.append(Inserted(new.entry, places[-1], section, new.target.why))
    return sorted(found, key=lambda item: item.line)
