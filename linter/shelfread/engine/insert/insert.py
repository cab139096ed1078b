"""Inserts entries into a list: written in its dialect, read back, moved to their places, and verified."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shelfread.checks.entry.order_detection import Order, by_date, by_name
from shelfread.checks.entry.order_lists import SortedList, sorted_lists
from shelfread.checks.entry.order_moves import edits_of_moves, moves
from shelfread.core.diagnostics import MARKUP, Edit
from shelfread.core.edits import TextEdit, apply_edits
from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.core.support.line_diff import GONE, align
from shelfread.document.export import entry_data
from shelfread.document.identity.keys import fold_url
from shelfread.document.model import Document, Entry
from shelfread.document.read import read
from shelfread.engine.insert.places import Place, all_runs, find_place
from shelfread.engine.insert.sections import Target
from shelfread.engine.insert.write import Dialect, author_line, candidates, learn_dialect
from shelfread.fixes.verify.conservation import find_damage
from shelfread.imports.model import ImportedEntry
from shelfread.taxonomy.fold import squash
from shelfread.taxonomy.taxonomy import Taxonomy

_MAX_ROUNDS = 6
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
    return _New(entry, target, ways, below)


# ------------------------------------------------------------------------------------------- written and read back
def _write_all(
    document: Document,
    places: Mapping[int | None, Place],
    groups: Mapping[int | None, list[_New]],
    taxonomy: Taxonomy,
) -> tuple[Document, dict[int, _New], list[tuple[ImportedEntry, str]]]:
    """Return the list with all entries at the ends of their sections, and the new entries by their line, from 1.

    Each is written in the first way that reads back as the entry; all are tried at once.
    """
    way: dict[int, int] = {}
    best: dict[int, tuple[int, int]] = {}
    left_out: list[tuple[ImportedEntry, str]] = []
    gone: set[int] = set()
    for _ in range(_MAX_ROUNDS + 1):
        text, lines = _added(document.source, places, groups, way, gone)
        after = read(Source(text, document.source.path), taxonomy.vocabulary)
        read_back = {entry.line: entry for entry in after.entries}
        wrong = False
        for line, new in lines.items():
            found = read_back.get(line)
            faults = _differences(found, after, taxonomy, new) if found is not None else 9
            key, number = id(new), way.get(id(new), 0)
            allowed = (
                1 if places[new.target.section].kind == "row" else 0
            )  # a table has the columns that it has
            best[key] = min(best.get(key, (9, 0)), (faults, number))
            if not faults or number == -1:
                continue
            if number + 1 < len(new.ways):
                way[key] = number + 1
            elif best[key][0] <= allowed and best[key][1] != number:
                new.ways[:] = [new.ways[best[key][1]]]
                way[key] = 0
            elif best[key][0] > allowed:
                gone.add(key)
                left_out.append((new.entry, "it would not be read back as it is: add it by hand"))
            else:
                continue
            wrong = True
        if not wrong:
            return after, lines, left_out
    for new in lines.values():
        if way.get(id(new), 0) != best[id(new)][1]:
            way[id(new)] = best[id(new)][1]
    text, lines = _added(document.source, places, groups, way, gone)
    return read(Source(text, document.source.path), taxonomy.vocabulary), lines, left_out


def _added(
    source: Source,
    places: Mapping[int | None, Place],
    groups: Mapping[int | None, list[_New]],
    way: Mapping[int, int],
    gone: set[int],
) -> tuple[str, dict[int, _New]]:
    """Return the text with the entries at the ends of their sections, and the line of each, from 1."""
    edits: list[TextEdit] = []
    lines: dict[int, _New] = {}
    shift = 0
    for section in sorted(groups, key=lambda section: places[section].offset):
        place = places[section]
        text, number = place.before, place.numbers[0] if place.numbers else 0
        line = source.text.count("\n", 0, place.offset) + shift + 1
        for new in groups[section]:
            if id(new) in gone:
                continue
            if text != place.before or place.run:
                text += place.blank
            lines[line + text.count("\n")] = new
            prefix = place.prefix
            if place.numbers is not None:
                prefix = re.sub(r"\d+", str(number), prefix, count=1)
                number += place.numbers[1]
            text += f"{prefix}{new.ways[way.get(id(new), 0)]}{source.newline}"
            if new.below is not None:
                text += f"{new.below}{source.newline}"
        if text == place.before:
            continue
        text += place.behind
        shift += text.count("\n")
        edits.append(TextEdit(place.offset, place.offset, text))
    return apply_edits(source.text, edits), lines


def _differences(found: Entry, document: Document, taxonomy: Taxonomy, new: _New) -> int:
    """Return in how many fields an entry is read differently: a wrong title or link counts for all."""
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
        faults += data["year"] != wanted["year"]
        faults += (data["venue"] or data["venue_text"] is not None) != (
            wanted["venue"] or wanted["venue_text"] is not None
        )
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
