"""Find out which entry after a change is which before: the most reliable signs first, then what is similar."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from shelfread.changes.listed import ListedEntry, Pair, SectionPath
from shelfread.changes.section_changes import match_sections, section_after
from shelfread.core.patterns import lazy
from shelfread.document.identity import PAPER_IDS, fold_title, fold_url, title_key
from shelfread.index.repeats import near_titles

_NUMBER = lazy(r"\d+", re.ASCII)
_MAX_LENGTH = 400  # at most so many characters of a text are compared
# An entry is compared with at most so many removed entries of its section, at about the same place.
_MAX_CANDIDATES = 20
# How similar, of 100, two texts must be: of entries with the same link, and of others.
_MIN_SIMILAR_LINKED = 50
_MIN_SIMILAR = 85
_MIN_LENGTH = 20


def _pair_similar(
    before: Sequence[ListedEntry], after: Sequence[ListedEntry], pairs: Sequence[Pair]
) -> list[Pair]:
    """Return pairs of the other entries: with the same link, a similar title, or the same place."""
    if not before or not after:
        return []
    sections = match_sections(pairs)
    taken: set[ListedEntry] = set()
    similar: list[Pair] = []
    for candidates in (_by_link(before, after), _by_title(before, after), _by_place(before, after, sections)):
        for pair in candidates:
            if taken.isdisjoint(pair):
                taken.update(pair)
                similar.append(pair)
    return similar


def _by_link(before: Iterable[ListedEntry], after: Iterable[ListedEntry]) -> Iterator[Pair]:
    """Yield entries that are the only ones with a URL, and whose titles have something in common."""
    old_entries = _by_unique_url(before)
    for url, new in _by_unique_url(after).items():
        old = old_entries.get(url)
        if old is None or new is None or _are_distinct(old, new):
            continue
        if _ratio(old.title, new.title) >= _MIN_SIMILAR_LINKED:
            yield Pair(old, new)


def _by_unique_url(entries: Iterable[ListedEntry]) -> dict[str, ListedEntry | None]:
    """Return the only entry with a URL, by the URL; None for URLs of several entries."""
    unique: dict[str, ListedEntry | None] = {}
    for entry in entries:
        for url in {fold_url(link.link.url) for link in entry.entry.links if "://" in link.link.url}:
            unique[url] = None if url in unique else entry
    return unique


def _by_title(before: Iterable[ListedEntry], after: Iterable[ListedEntry]) -> Iterator[Pair]:
    named = ((listed.title, listed.entry.name) for listed in (*before, *after))
    near = near_titles({title: fold_title(name.value) if name else "" for title, name in named})
    waiting: dict[str, list[ListedEntry]] = {}
    for old in before:
        if old.title in near:
            waiting.setdefault(near[old.title], []).append(old)
    for new in after:
        queue = waiting.get(near.get(new.title, ""))
        if queue and _numbers(queue[0].title) == _numbers(new.title):
            yield Pair(queue.pop(0), new)


def _by_place(
    before: Iterable[ListedEntry], after: Iterable[ListedEntry], sections: dict[SectionPath, SectionPath]
) -> Iterator[Pair]:
    """Yield similar entries of the same section, the most similar first."""
    removed: dict[SectionPath, list[ListedEntry]] = {}
    added: dict[SectionPath, list[ListedEntry]] = {}
    for old in before:
        removed.setdefault(section_after(old.section, sections), []).append(old)
    for new in after:
        added.setdefault(new.section, []).append(new)
    for section, news in added.items():
        olds = removed.get(section, [])
        scored: list[tuple[float, int, int, int, Pair]] = []
        for index, new in enumerate(news):
            first = 0
            if len(olds) > _MAX_CANDIDATES:
                first = max(index * len(olds) // len(news) - _MAX_CANDIDATES // 2, 0)
            for old in olds[first : first + _MAX_CANDIDATES]:
                score = _similarity(old, new)
                if score >= _MIN_SIMILAR:
                    scored.append((-score, old.entry.line, new.entry.line, len(scored), Pair(old, new)))
        yield from (pair for *_, pair in sorted(scored))


def _similarity(old: ListedEntry, new: ListedEntry) -> float:
    """Return the similarity (0 to 100) of title or description; 0 if numbers or identifiers differ."""
    if _numbers(old.title) != _numbers(new.title) or _are_distinct(old, new):
        return 0
    score = _ratio(old.title, new.title)
    shorter, longer = sorted((old.title, new.title), key=len)
    if len(shorter) >= _MIN_LENGTH and (longer.startswith(shorter) or longer.endswith(shorter)):
        score = 100
    texts = [text.value for text in (old.entry.description, new.entry.description) if text]
    if score < _MIN_SIMILAR and len(texts) == 2 and min(map(len, texts)) >= _MIN_LENGTH:
        score = max(score, _ratio(*texts))
    return score


def _are_distinct(old: ListedEntry, new: ListedEntry) -> bool:
    """Return whether two papers have different identifiers, and titles that differ by more than a slip."""
    first, second = old.entry.identifiers, new.entry.identifiers
    differ = any(kind in second and first[kind] != second[kind] for kind in first if kind in PAPER_IDS)
    return differ and _ratio(old.title, new.title) < _MIN_SIMILAR


def _numbers(title: str) -> list[str]:
    """Return what distinguishes GPT-3 from GPT-4."""
    numbers: list[str] = _NUMBER.findall(title)
    return numbers


def _ratio(first: str, second: str) -> float:
    from rapidfuzz.fuzz import ratio

    return ratio(first[:_MAX_LENGTH], second[:_MAX_LENGTH])


_Signs = Callable[[ListedEntry], Iterable[Hashable]]


def pair_entries(before: Sequence[ListedEntry], after: Sequence[ListedEntry]) -> list[Pair]:
    """Return the entries that both sides have; of several listings of a thing the most similar are paired."""
    pairs: list[Pair] = []
    for signs in _PASSES:
        joined = _join(before, after, signs)
        before, after = unpaired(before, after, joined)
        pairs += joined
    return pairs + _pair_similar(before, after, pairs)


def unpaired(
    before: Iterable[ListedEntry], after: Iterable[ListedEntry], pairs: Iterable[Pair]
) -> tuple[list[ListedEntry], list[ListedEntry]]:
    """Return the entries of both sides that are in no pair."""
    paired = {entry for pair in pairs for entry in pair}
    old, new = ([entry for entry in side if entry not in paired] for side in (before, after))
    return old, new


def _join(before: Iterable[ListedEntry], after: Iterable[ListedEntry], signs: _Signs) -> list[Pair]:
    """Return pairs with a common sign, in the order in which they are listed."""
    waiting: dict[Hashable, deque[ListedEntry]] = {}
    for entry in before:
        for sign in signs(entry):
            waiting.setdefault(sign, deque()).append(entry)
    taken: set[ListedEntry] = set()
    pairs = []
    for entry in after if waiting else ():
        for sign in signs(entry):
            queue = waiting.get(sign, ())
            while queue and queue[0] in taken:
                queue.popleft()
            if queue:
                taken.add(queue[0])
                pairs.append(Pair(queue.popleft(), entry))
                break
    return pairs


def _ids(entry: ListedEntry) -> list[str]:
    """Return identifiers and URLs, not titles."""
    return [key for key in entry.keys if not key.startswith("title:")]


def _long_title(entry: ListedEntry) -> list[str]:
    return [key] if (key := title_key(entry.title)) else []


# From the same text, section and previous entry to the same long title anywhere.
_PASSES: tuple[_Signs, ...] = (
    lambda entry: [(entry.section, entry.text, entry.previous_text)],
    lambda entry: [(entry.section, entry.text)],
    lambda entry: [(entry.section.path, entry.text)],
    lambda entry: [(entry.section.titles, entry.text)],
    lambda entry: [entry.text],
    lambda entry: [(key, entry.section, entry.title) for key in _ids(entry)],
    lambda entry: [(key, entry.section) for key in _ids(entry)],
    lambda entry: [(key, entry.title) for key in _ids(entry)],
    _ids,
    lambda entry: [(entry.title, entry.section)] if entry.title else [],
    lambda entry: [(key, entry.section.path) for key in _long_title(entry)],
    _long_title,
)
