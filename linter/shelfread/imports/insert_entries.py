"""Inserts entries into a list: written in its dialect, read back, moved to their places, and verified."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import MARKUP, Change, Edit, Effect, TextEdit, apply_edits
from shelfread.core.differences import GONE, align
from shelfread.core.errors import ConfigError, InputError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.wording import one_line
from shelfread.document.identity import identify
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.fixes.conservation import find_damage
from shelfread.imports.dialect import learn_dialect
from shelfread.imports.entry_ways import Way, find_fault, find_ways
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insertion_point import InsertionPoint, all_runs, find_place
from shelfread.imports.new_order import in_order
from shelfread.imports.target_section import StatedAbove, Target, contradiction, stated_above
from shelfread.taxonomy.label_forms import squash
from shelfread.taxonomy.taxonomy import Taxonomy

_MOST_NOTES = 3
# How many entries a heading says that there are below it: `2023 · 7 papers`, `Ovens (7)`.
_COUNT = lazy(r"(?i)[(\[]\s?(\d{1,4})\s?[)\]]$|\b(\d{1,4}) (?:papers?|entries|items|projects?|tools)\b")
_NUMBER = lazy(r"^([ \t>]*)(\d{1,9})(?=[.)](?:[ \t]|$))")


class Inserted(NamedTuple):
    """An entry in the new text: its line, from 1, the section's title, why it is there, and what is to be known of it."""

    entry: ImportedEntry
    line: int
    section: str
    why: str
    remarks: tuple[str, ...] = ()


class Insertion(NamedTuple):
    """The new text of a list, what was inserted, and what could not be, with the reason."""

    text: str
    inserted: list[Inserted]
    left_out: list[tuple[ImportedEntry, str]]


class _New(NamedTuple):
    """An entry to insert, its section, what the headings above state, and the ways to write it, the likeliest first."""

    entry: ImportedEntry
    target: Target
    stated: StatedAbove
    ways: list[Way]


class _Written(NamedTuple):
    """The list with all entries at the ends of their sections, and the number of the new one on each of their lines, from 1."""

    document: Document
    lines: Mapping[int, tuple[int, Way]]


def insert_entries(
    document: Document, entries: Sequence[tuple[ImportedEntry, Target]], taxonomy: Taxonomy
) -> Insertion:
    """Return a list with entries where the order of their sections has them; raises InputError if anything else would change."""
    dialect = learn_dialect(document, taxonomy.vocabulary)
    runs = all_runs(document)
    places: dict[int | None, InsertionPoint] = {}
    refused: dict[int | None, ConfigError] = {}
    for section in dict.fromkeys(target.section for _, target in entries):
        try:
            places[section] = find_place(document, section, runs)
        except ConfigError as error:
            refused[section] = error
    if refused and not places:
        raise next(iter(refused.values()))
    new: list[_New] = []
    for entry, target in entries:
        if target.section in places:
            above = stated_above(document, target.section)
            ways = find_ways(entry, dialect, places[target.section], above.fields)
            new.append(_New(entry, target, above, ways))
    left_out = [
        (entry, refused[target.section].message) for entry, target in entries if target.section in refused
    ]
    added, unread = _write_all(document, places, new, taxonomy)
    left_out += unread
    if not added.lines:
        return Insertion(document.source.text, [], left_out)
    numbered = {section for section, place in places.items() if place.label}
    moving = [line for line, (number, _) in added.lines.items() if new[number].target.section not in numbered]
    text = in_order(document, added.document, moving)
    after = added.document
    if text != after.source.text:
        after = read(Source(text, document.source.path), taxonomy.vocabulary)
    verify(document, after)
    written = [(new[number], way) for number, way in added.lines.values()]
    return Insertion(text, _inserted(after, written), left_out)


# ------------------------------------------------------------------------------------------- written and read back
def _write_all(
    document: Document, places: Mapping[int | None, InsertionPoint], new: Sequence[_New], taxonomy: Taxonomy
) -> tuple[_Written, list[tuple[ImportedEntry, str]]]:
    """Return the list with the entries, each in the likeliest way that is read back as it, and those without one, with the reason."""
    chosen = {number: entry.ways[0] for number, entry in enumerate(new) if entry.ways}
    no_way = "no entry of the list shows how to write it: add it by hand"
    reasons = {number: no_way for number, entry in enumerate(new) if not entry.ways}
    is_first = True
    while True:
        added = _try(document, places, new, list(chosen.items()), taxonomy)
        wrong = {number: fault for number, _, fault in _faults(added, new, taxonomy) if fault is not None}
        if not wrong:
            return added, [(new[number].entry, reason) for number, reason in sorted(reasons.items())]
        if is_first:
            every = [(number, way) for number in wrong for way in new[number].ways]
            tried = _faults(_try(document, places, new, every, taxonomy), new, taxonomy)
            for number, way, fault in reversed(tried):
                if fault is None:
                    chosen[number] = way
                    wrong.pop(number, None)
        is_first = False
        for number, fault in wrong.items():
            del chosen[number]
            reasons[number] = f"{fault}: add it by hand"


def _try(
    document: Document,
    places: Mapping[int | None, InsertionPoint],
    new: Sequence[_New],
    chosen: Sequence[tuple[int, Way]],
    taxonomy: Taxonomy,
) -> _Written:
    """Return the list with entries, each in a way, at the ends of their sections."""
    groups: dict[int | None, list[tuple[int, Way]]] = {}
    for number, way in chosen:
        groups.setdefault(new[number].target.section, []).append((number, way))
    source = document.source
    definitions = _definitions(document, groups)
    edits = [*definitions]
    lines: dict[int, tuple[int, Way]] = {}
    shift = 0
    for section in sorted(groups, key=lambda section: places[section].offset):
        place = places[section]
        number = place.numbers[0] if place.numbers else 0
        line = source.text.count("\n", 0, place.offset) + shift + 1
        line += sum(edit.text.count("\n") for edit in definitions if edit.start <= place.offset)
        parts: list[str] = [place.before]
        count = place.before.count("\n")
        for index, (entry, way) in enumerate(groups[section]):
            blank = place.blank if index or place.follows else ""
            prefix, label, written = place.prefix, place.label, way.text
            if place.numbers is not None:
                label = re.sub(r"\d+", str(number), label, count=1)
                prefix = prefix if label else re.sub(r"\d+", str(number), prefix, count=1)
                number += place.numbers[1]
                margin, deeper = (f"{source.newline}{' ' * len(each)}" for each in (place.prefix, prefix))
                written = written.replace(margin, deeper)
            text = f"{prefix}{label}{written}{source.newline}"
            lines[line + count + blank.count("\n")] = entry, way
            parts += (blank, text)
            count += blank.count("\n") + text.count("\n")
        parts.append(place.behind)
        shift += count + place.behind.count("\n")
        edits.append(TextEdit(place.offset, place.offset, "".join(parts)))
    after = Source(apply_edits(source.text, edits), source.path)
    return _Written(read(after, taxonomy.vocabulary), lines)


def _definitions(
    document: Document, groups: Mapping[int | None, Sequence[tuple[int, Way]]]
) -> list[TextEdit]:
    """Return the edits that define the URLs of new entries among those of their section, in their order or at their end."""
    source, defined = document.source, document.tree.definitions
    by_label = {definition.label: index for index, definition in reversed([*enumerate(defined)])}
    edits: list[TextEdit] = []
    for section, ways in groups.items():
        used = [
            by_label.get(link.link.label, -1)
            for entry in document.entries
            if entry.section == section
            for link in entry.links
        ]
        last = max(used, default=-1) % len(defined) if defined else 0
        first = last
        while first and source.line_at(defined[first].start) == source.line_at(defined[first - 1].start) + 1:
            first -= 1
        run = defined[first : last + 1]
        is_sorted = all(first.label <= second.label for first, second in pairwise(run))
        new = dict.fromkeys(way.definition for _, way in ways if way.definition)
        for text in sorted(new, key=str.casefold) if is_sorted else new:
            later = [each for each in run if f"[{each.label}]:".casefold() > text.casefold()]
            is_among = bool(is_sorted and later)
            line = source.line_at(later[0].start if is_among else run[-1].end - 1) + (not is_among)
            offset = source.start_of(line)
            is_open = source.text[offset - 1 : offset] not in ("", "\r", "\n")
            ends = source.newline if is_open and all(edit.start < offset for edit in edits) else ""
            edits.append(TextEdit(offset, offset, f"{ends}{text}{source.newline}"))
    return edits


def _faults(written: _Written, new: Sequence[_New], taxonomy: Taxonomy) -> list[tuple[int, Way, str | None]]:
    """Return what is read differently of each entry that was written."""
    read_back = {entry.line: entry for entry in reversed(written.document.entries)}
    return [
        (number, way, find_fault(read_back.get(line), new[number].entry, way, written.document, taxonomy))
        for line, (number, way) in written.lines.items()
    ]


# -------------------------------------------------------------------------------------------------------------- told
def _inserted(after: Document, written: Sequence[tuple[_New, Way]]) -> list[Inserted]:
    """Return the new entries by their lines."""
    lines: dict[tuple[str, int | None], int] = {}
    called: dict[str, list[int]] = {}
    for item in after.entries:
        lines[squash(item.title.value), item.section] = item.line  # the last one of a title is the new one
        called.setdefault(squash(item.title.value), []).append(item.line)
    inserted: list[Inserted] = []
    fields = [("authors" if entry.authors else "", "links" if entry.links else "") for entry in after.entries]
    usual = {field for field, count in Counter(chain(*fields)).items() if 2 * count > len(fields)}
    fresh = Counter(squash(new.entry["title"]) for new, _ in written)
    outdated = _outdated_counts(after, [new.target.section for new, _ in written])
    for new, way in written:
        index = new.target.section
        titles = map(squash, (new.entry["title"], new.entry["identifiers"].get("github") or ""))
        line = next((lines[title, index] for title in titles if (title, index) in lines), 0)
        section = after.sections[index].title if index is not None else ""
        remarks = [*_remarks(new, way, usual)]
        remarks += [outdated.pop(above) for above in after.above(index) if above in outdated]
        title = squash(new.entry["title"])
        namesakes = [other for other in called.get(title, ()) if other != line]
        if len(namesakes) >= fresh[title]:
            remarks.append(f"line {namesakes[0]} lists another one with this title")
        inserted.append(Inserted(new.entry, line, section, new.target.why, tuple(remarks)))
    return sorted(inserted, key=lambda item: item.line)


def _outdated_counts(after: Document, added: Sequence[int | None]) -> dict[int, str]:
    """Return what is to be known of headings that say how many entries were below them before some were added."""
    sections = [entry.section for entry in after.entries]
    held, new = (Counter(chain.from_iterable(map(after.above, each))) for each in (sections, added))
    outdated: dict[int, str] = {}
    for index, count in new.items():
        title = after.sections[index].title
        match = _COUNT.search(title)
        if match is not None and int(match[1] or match[2]) == held[index] - count:
            outdated[index] = f"the heading '{title}' has {held[index]} entries below it now"
    return outdated


def _remarks(new: _New, way: Way, usual: Container[str]) -> Iterator[str]:
    """Yield what a maintainer has to know: that the headings say otherwise, what has no place, what most entries have."""
    if said := contradiction(new.entry, new.stated):
        yield f"{said}; the section '{new.target.better}' would fit" if new.target.better else said
    stated = way.states | new.stated.fields
    values = {"venue": new.entry["venue"] or new.entry["venue_text"], "year": new.entry["year"]}
    lost = [f"its {name} {value}" for name, value in values.items() if value and name not in stated]
    is_paper = values["venue"] or new.entry["authors"]
    if new.entry["authors"] and "authors" in usual and "authors" not in stated:
        lost.append("its authors")
    if new.entry["description"] and not is_paper and "description" not in way.states:
        lost.append("its description")
    notes = [note for note in new.entry["notes"] if note not in way.notes]
    lost += [f"its note '{note}'" for note in map(one_line, notes[:_MOST_NOTES])]
    if lost:
        *first, last = lost
        yield f"the list has no place for {', '.join(first)}{' and ' if first else ''}{last}"
    papers = {link["url"] for link in new.entry["links"] if link["role"] == "paper"}
    is_identified = any(map(identify, papers.difference(way.dropped)))
    for url in way.dropped:
        # More links to the paper than one are no loss, if one says which paper it is.
        if url not in papers or papers <= {*way.dropped} or (identify(url) and not is_identified):
            yield f"the list has no place for its link {url}"
    if "links" in usual and not any(link["url"] for link in new.entry["links"]):
        yield "it has no link"
    if way.empty:
        yield f"its columns are empty: {', '.join(way.empty)}"


# ---------------------------------------------------------------------------------------------------------- verified
def verify(before: Document, after: Document) -> None:
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
    added: dict[int, list[str]] = {}  # by the line that they stand above
    following = 0
    for line, text in zip(aligned, after.source.lines, strict=True):
        if line == GONE:
            added.setdefault(following, []).append(text + source.newline)
            continue
        following = line + 1
        was, now = _NUMBER.match(source.lines[line]), _NUMBER.match(text)
        if was and now and was[2] != now[2]:
            start = source.starts[line]
            edits.append(Edit(start + was.start(2), start + was.end(2), now[2], MARKUP))
    ends = [*source.starts, len(source.text)]
    known = {definition.label for definition in before.tree.definitions}
    defined = [each.url for each in after.tree.definitions if each.label not in known]
    for line, texts in added.items():
        effect = Effect(Change.INSERTED, "", "\n".join(["".join(texts), *defined]))
        edits.append(Edit(ends[line], ends[line], "".join(texts), effect))
    edits.sort(key=lambda edit: edit.start)
    if damage := find_damage(before.tree, source.text, after.tree, after.source.text, edits):
        raise InputError(f"nothing is inserted, because more would change: {damage[0].reason}", path)
