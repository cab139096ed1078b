"""The rule `entry/duplicate`: entries that the project lists earlier."""

from __future__ import annotations

from collections import Counter

from shelfread.checks.entry.description import is_prose
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.patterns import lazy
from shelfread.document.identity import fold_title
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.facts import Facts, Listing
from shelfread.index.repeated_entries import (
    RepeatedEntry,
    are_variants,
    is_code,
    is_in_address,
    leads_to_code,
    repeated_entries,
)

_LONGEST = 60  # characters of a title that a message shows
# Tools that are fewer belong in two places if others do, and more entries under another heading are there on purpose.
_FEW, _HABIT = 3, 9
_ONE_LINK = ("another-name", "another-title", "wrong-link")
_THINGS = 3  # so many titles of one link are of things that it tells of
_LEAST_WORDS = 3  # a title of fewer words is a name
_YEAR = lazy(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def duplicate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that the project lists earlier, for information where that may be meant."""
    path = document.source.path
    repeated = list(repeated_entries(document, context))
    elsewhere = [each for each in repeated if _is_elsewhere(each)]
    pasted = [each for each in elsewhere if _is_pasted(document, each, context)]
    is_few = len(pasted) < _FEW and all(document.entries[each.entry].kind == "classic" for each in pasted)
    is_own = all(each.other.path == path for each in pasted)
    is_alone = len(elsewhere) == len(pasted) and is_own  # nothing else is listed twice: no habit, but a slip
    is_shared = not is_own and context.project.duplicates.is_shared
    if len(elsewhere) > _HABIT or (is_few and not is_alone) or is_shared:
        pasted = []  # the list has things in several places on purpose
    blamed: set[int] = set()
    for each in repeated:
        is_first = each in pasted[:1]  # of several, which are one finding
        is_told = is_first if _is_elsewhere(each) else _may_be_mistaken(document, each)
        if not (each.is_certain or is_told):
            continue
        index, other = each.entry, each.other
        if each.kind == "another-name" and _names(document.entries[index], other.title):
            continue
        if each.kind in _ONE_LINK and other.path == path and _links_as(document, index, other.entry):
            continue
        if each.kind == "another-title" and _is_source(each.repeat.key, context.own_facts(document)):
            continue
        is_old = other.path == path and context.base is None  # the change is to blame for what it adds
        if each.kind in _ONE_LINK and is_old:
            index, other = _odd_one(each, context.own_facts(document))
            if index in blamed:
                continue
            blamed.add(index)
        title = other.printed_title
        shown = title if len(title) <= _LONGEST else f"{title[:_LONGEST].rstrip()}..."
        lines = ", ".join(str(document.entries[one.entry].line) for one in pasted)
        values = {"where": other.where, "title": shown, "count": len(pasted), "lines": lines}
        edits = _remove(document, index, other.entry) if other.path == path else ()
        yield RawDiagnostic(
            document.entries[index].title.span,
            values,
            edits,
            severity=Severity.WARNING if each.is_certain else Severity.INFO,
            message="cross-listed" if is_first and len(pasted) > 1 else each.kind,
        )


def _is_elsewhere(each: RepeatedEntry) -> bool:
    return each.kind == "duplicate" and not (each.repeat.near or each.is_certain)


def _is_pasted(document: Document, each: RepeatedEntry, context: RuleContext) -> bool:
    """Return whether an entry under another heading has the other's description, or neither has one, or a paper another year's heading."""
    facts = context.own_facts(document)
    assert facts is not None
    listing, other = facts.listings[each.entry], each.other
    kinds = [one.publication.kind for one in (listing, other) if one.publication is not None]
    if len(kinds) == 2 and kinds.count("preprint") == 1:
        return False  # `paper/superseded` speaks of the preprint
    if document.entries[each.entry].kind == "classic":
        texts = {fold_title(one.details[2]) for one in (listing, other)}
        said = listing.details[2]
        return len(texts) == 1 and (is_prose(said) if said else not listing.nested)
    years = [set(_YEAR.findall(one.section[-1])) if one.section else set() for one in (listing, other)]
    return all(years) and not (years[0] & years[1] or each.is_apart)


def _may_be_mistaken(document: Document, each: RepeatedEntry) -> bool:
    """Return whether what is not sure to be a mistake is worth a look."""
    entry, other = document.entries[each.entry], each.other
    if other.path != document.source.path:
        return False  # another page lists things in its own way
    if each.kind == "another-title":
        titles = (fold_title(entry.title.value), other.title)
        if any(title.count(" ") + 1 < _LEAST_WORDS for title in titles):
            return False
        if other.name and titles[0].startswith(f"{other.name} "):
            return False  # one name, and what two people say of it
        return not any(map(leads_to_code, (entry, document.entries[other.entry])))
    if each.kind in ("similar-title", "duplicate"):
        return not each.is_apart
    name, key = fold_title(entry.title.value), each.repeat.key
    if not each.repeat.near and (is_code(key) or "wikipedia.org/" in key):
        return False
    return are_variants(name, other.title)


def _names(entry: Entry, title: str) -> bool:
    """Return whether a description has another entry's title: `Included in package bar`, by whose link it is found."""
    described = fold_title(entry.description.value) if entry.description is not None else ""
    return f" {title} " in f" {described} "


def _links_as(document: Document, index: int, other: int) -> bool:
    """Return whether an entry of several papers links to another entry's under its title: `[Shelves](u), [Books](v)`."""
    title = fold_title(document.entries[index].title.value)
    return any(fold_title(link.label) == title for link in document.entries[other].links)


def _is_source(key: str, facts: Facts | None) -> bool:
    """Return whether several things have one link: the data sets of a paper."""
    assert facts is not None
    return len({one.title for known, one in facts.identities if known == key}) >= _THINGS


def _odd_one(each: RepeatedEntry, facts: Facts | None) -> tuple[int, Listing]:
    """Return the entry with another's link, and the other: the later one, unless its title is listed more often or fits the link."""
    assert facts is not None
    listing, other, key = facts.listings[each.entry], each.other, each.repeat.key
    titles = Counter([one.title for known, one in facts.identities if known == key])
    more = titles[listing.title] - titles[other.title]
    if more > 0 or (not more and is_in_address(listing.title, other.title, key)):
        return other.entry, listing
    return each.entry, other


def _remove(document: Document, index: int, other: int) -> tuple[Edit, ...]:
    """Return the edit that removes an entry if it is the same text as the one directly above it."""
    source, entry, above = document.source, document.entries[index], document.entries[other]
    text = source.text
    first, last = source.line_at(entry.span.start), source.line_at(entry.span.end - 1)
    own = source.lines[first : last + 1]
    if source.line_at(above.span.end - 1) != first - 1 or source.lines[first - len(own) : first] != own:
        return ()
    return (Edit.remove(text, source.starts[first], source.start_of(last + 1)),)
