"""What an entry states otherwise than before, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shelfread.changes.model import ChangedEntry, FieldChange, ListedEntry, Pair
from shelfread.core.support.regex import lazy
from shelfread.document.export import entry_data
from shelfread.taxonomy.load import load

_SINGLE = ("title", "name", "description", "venue", "venue_text", "year")
_CITED = ("venue", "venue_text", "year")
_WORD = lazy(r"\w+")


def changed_fields(pair: Pair) -> tuple[FieldChange, ...]:
    """The fields in which an entry's two texts differ; none where only marks and blanks do."""
    before, after = pair
    if before.text == after.text:
        return ()
    bare = load(None)  # what concept a section is of is not compared
    was, now = (entry_data(one.entry, one.document, bare) for one in pair)
    # What a heading states for all below it is no change of an entry.
    keep = _cited(before) == _cited(after)
    fields = [
        FieldChange(field, was[field], now[field])
        for field in _SINGLE
        if was[field] != now[field] and not (keep and field in _CITED)
    ]
    fields += [
        FieldChange(field, was[field], now[field])
        for field in ("authors", "affiliations")
        if was[field] != now[field]
    ]
    fields += [FieldChange("notes", *change) for change in _notes(was["notes"], now["notes"])]
    fields += [FieldChange("links", *change) for change in _links(was["links"], now["links"])]
    fields += _identifiers(was["identifiers"], now["identifiers"])
    if not fields and _words(before) != _words(after):
        fields.append(FieldChange("text", before.text, after.text))
    return tuple(fields)


def reportable_fields(one: ChangedEntry) -> list[FieldChange]:
    """The fields that a person must hear of: what another one already says is left out."""
    changed = {field.field for field in one.fields}
    implied = set()
    if "title" in changed:
        implied.add("name")
    if changed & {"venue", "year"}:
        implied.add("venue_text")
    if "links" in changed:
        implied.update(field for field in changed if field.startswith("identifiers."))
    return [field for field in one.fields if field.field not in implied and not _is_title(field, one)]


def label_of(link: Mapping[str, Any], one: ListedEntry) -> str:
    """A link's label; of a title that is a link, and of an address that is its own text, none."""
    label = str(link["label"])
    title, name = one.entry.title.value, one.entry.name
    return "" if label in (title, name.value if name else None, link["url"]) else label


def _is_title(field: FieldChange, one: ChangedEntry) -> bool:
    """Whether only the label of a link differs that is the title's on both sides."""
    if (
        field.field != "links"
        or not (field.before and field.after)
        or field.before["url"] != field.after["url"]
    ):
        return False
    return not label_of(field.before, one.before) and not label_of(field.after, one.after)


def _cited(one: ListedEntry) -> tuple[object, object, bool]:
    entry = one.entry
    return entry.citation.text if entry.citation else None, entry.year, entry.year_from_arxiv_id


def _words(one: ListedEntry) -> list[str]:
    """The words of a text; a number before it counts the rows of a table."""
    words: list[str] = _WORD.findall(one.text)
    return words[1:] if words and words[0].isdigit() else words


def _notes(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """Notes that went, came, or (both at the same place among these) are worded otherwise."""
    gone, come = _difference(before, after), _difference(after, before)
    yield from zip(gone, come, strict=False)
    yield from ((note, None) for note in gone[len(come) :])
    yield from ((None, note) for note in come[len(gone) :])


def _difference(some: Sequence[str], others: Sequence[str]) -> list[str]:
    """Those of some that others have not, each as often as it is missing."""
    left = Counter(others)
    found = []
    for one in some:
        if left[one] > 0:
            left[one] -= 1
        else:
            found.append(one)
    return found


def _links(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]]:
    """Links that went, came, lead elsewhere under the same label, or have another label."""
    gone: list[Mapping[str, Any] | None] = list(before)
    come: list[Mapping[str, Any] | None] = list(after)
    for names in (("label", "url"), ("label",), ("url",), ("role",)):
        places: dict[tuple[object, ...], list[int]] = {}
        for at in range(len(gone) - 1, -1, -1):
            if (link := gone[at]) is not None:
                places.setdefault(tuple(link[name] for name in names), []).append(at)
        for at, link in enumerate(come):
            if link is None or (names == ("role",) and link["role"] is None):
                continue
            found = places.get(tuple(link[name] for name in names))
            if found:
                old = gone[found[-1]]
                gone[found.pop()] = come[at] = None
                if names != ("label", "url"):
                    yield old, link
    yield from ((link, None) for link in gone if link is not None)
    yield from ((None, link) for link in come if link is not None)


def _identifiers(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[FieldChange]:
    for kind in dict.fromkeys((*before, *after)):
        was, now = before.get(kind), after.get(kind)
        if was != now:
            yield FieldChange(f"identifiers.{kind}", was, now)
