"""What the text and the Markdown report of a change share: which changes they show, in which words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from shelfread.changes.compare import label_of
from shelfread.changes.listed import ChangedEntry, FieldChange, ListedEntry, Pair, SectionChange, SectionPath
from shelfread.changes.review import Review
from shelfread.core.diagnostics import Diagnostic
from shelfread.core.patterns import lazy
from shelfread.core.wording import counted
from shelfread.document.non_entries import CONTENTS, doubt_of
from shelfread.report.finding_lines import Group, by_cause
from shelfread.report.rendering import RenderContext

_TOKEN = lazy(r"\w+|\s+|[^\w\s]")
# The least share of unchanged characters; with less, two texts are easier to read one after the other.
_LEAST_SAME = 0.4
_LONGEST_KEPT = 60  # longer unchanged text on either side of a change is cut ...
_CONTEXT_KEPT = 30  # ... to so many characters


def _changed_words(before: str, after: str, ellipsis: str) -> tuple[str, str, str, str] | None:
    """Return how two texts begin, what is between in each, and how both end; None if they have too little in common."""
    from rapidfuzz.distance import Postfix, Prefix

    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    first = Prefix.similarity(old, new)
    last = Postfix.similarity(old[first:], new[first:])
    start, end = "".join(old[:first]), "".join(old[len(old) - last :])
    if len(start) + len(end) < _LEAST_SAME * max(len(before), len(after)):
        return None
    gone, come = ("".join(tokens[first : len(tokens) - last]) for tokens in (old, new))
    if len(start) > _LONGEST_KEPT:
        space = start.find(" ", len(start) - _CONTEXT_KEPT)
        start = ellipsis + start[space if space >= 0 else len(start) - _CONTEXT_KEPT :]
    if len(end) > _LONGEST_KEPT:
        end = end[: end.rfind(" ", 0, _CONTEXT_KEPT) + 1 or _CONTEXT_KEPT] + ellipsis
    return start, gone, come, end


_ROUTE = 4  # from so many entries on, those moved between the same two sections are reported together
_MAX_NAME = 80
_MAX_DESCRIPTION = 200
_SINGULAR = {"notes": "note", "links": "link", "venue_text": "venue"}


class ChangeReport(ABC):
    """A change to entries; subclasses say how its parts look."""

    separator = " > "  # between the titles of a section
    arrow = "→"
    ellipsis = "…"

    def __init__(self, review: Review, context: RenderContext) -> None:
        comparison = review.comparison
        changed = {alteration.after for alteration in comparison.changed}
        moves = {pair.after: pair for pair in comparison.moved}
        self.review = review
        self.comparison = comparison
        self.context = context
        self.sections = list(_outermost(comparison.sections))
        self.alterations = [(alteration, moves.get(alteration.after)) for alteration in comparison.changed]
        self.routes, self.moved = _routes(pair for pair in comparison.moved if pair.after not in changed)

    @abstractmethod
    def quote(self, text: str, most: int = 0) -> str:
        """Return a stranger's text as this format shows it, cut to `most` characters if that is not 0."""

    @abstractmethod
    def bold(self, text: str) -> str:
        """Return a text of the report itself in bold."""

    @abstractmethod
    def url(self, url: str, *, with_scheme: bool) -> str:
        """Return a URL as this format shows it, perhaps without its scheme."""

    @abstractmethod
    def removed(self, text: str) -> str:
        """Return a text that a change removed."""

    @abstractmethod
    def inserted(self, text: str) -> str:
        """Return a text that a change inserted."""

    @abstractmethod
    def place(self, section: SectionPath) -> str:
        """Return the name of a section."""

    @abstractmethod
    def styled_title(self, listed: ListedEntry) -> str:
        """Return an entry's title."""

    def first_line(self) -> str:
        """Return the number of changes of each kind, and the revisions compared."""
        base, head = (
            revision.name
            if revision.commit is None or revision.commit.startswith(revision.name)
            else f"{revision.name} ({revision.commit[:7]})"
            for revision in (self.review.base, self.review.head)
        )
        end = "" if self.review.head.commit is None else f", up to {self.quote(head)}"
        return f"{self.bold(_headline(self.review))} since {self.quote(base)}{end}"

    def last_lines(self) -> Iterator[str]:
        """Yield the numbers of entries that were only reordered or reformatted."""
        for reorder in self.comparison.reordered:
            number = counted(reorder.entries, "entry", "entries")
            yield f"{number} in another order within {self.place(reorder.section)}"
        if count := len(self.comparison.reformatted):
            yield f"{counted(count, 'entry differs', 'entries differ')} in punctuation and spacing only"

    def title(self, listed: ListedEntry) -> str:
        """Return an entry's title with the venue, else the year, that the entry itself states."""
        entry = listed.entry
        stated = str(entry.year) if entry.year is not None and not entry.year_from_arxiv_id else ""
        cited = entry.citation
        venue = cited.text if cited is not None else stated
        if cited is not None and cited.venue is not None and "(" in venue and "workshop" not in venue.lower():
            label = cited.venue.label_in(entry.year) if entry.year else cited.venue.label
            venue = f"{label} {stated}".strip()  # no brackets in brackets
        if stated and cited is not None and cited.year is None and stated not in venue:
            venue = f"{venue} {stated}"  # in a cell of its own
        about = f" ({self.quote(venue, _MAX_NAME)})" if venue and venue not in entry.title.value else ""
        return self.styled_title(listed) + about

    def description(self, listed: ListedEntry) -> str:
        """Return what an entry says of itself; empty if that is nothing."""
        described = listed.entry.description
        return self.quote(described.value, _MAX_DESCRIPTION) if described is not None else ""

    def diagnostics(self, listed: ListedEntry) -> list[Diagnostic]:
        """Return the new findings of an entry that are shown."""
        findings = self.review.findings.get(listed, ())
        return [diagnostic for diagnostic in findings if diagnostic.severity >= self.context.min_severity]

    def elsewhere(self) -> list[Group]:
        """Return the new findings outside of these entries that are shown, those of one cause together."""
        least = self.context.min_severity
        return by_cause([finding for finding in self.review.elsewhere if finding[0].severity >= least])

    def placement(self, listed: ListedEntry) -> tuple[str, str] | None:
        """Return what is said of an added entry's section, and of which others; None if it may stand where it stands."""
        placement = self.review.placements.get(listed)
        if placement is None:
            return None
        nearest = [
            f"{self.place(section)} ({near.surety(lambda word: self.quote(word, _MAX_NAME))})"
            for section, near in placement.nearest
        ]
        if placement.is_doubted:
            return "seems to belong in", nearest[0]
        return "unlike the others here, nearer are", ", ".join(nearest)

    def field(self, change: FieldChange, of: ChangedEntry) -> tuple[str, str, str]:
        """Return the sign of a field's change (+, - or ~), the field's name, and what became of it."""
        before, after = change.before, change.after
        name = self.quote(_SINGULAR.get(change.field, change.field).removeprefix("identifiers."), _MAX_NAME)
        if change.field != "links":
            was, now = (
                ", ".join(side) if isinstance(side, list) else str(side or "") for side in (before, after)
            )
            if before and after:
                return "~", name, self.words(was, now)
            return ("+", name, self.quote(now)) if now else ("-", name, self.quote(was))
        urls = [side["url"] if side else "" for side in (before, after)]
        # Of two that differ only in it, the scheme is shown.
        is_scheme = urls[0] != urls[1] and len({url.partition("://")[2] for url in urls}) == 1
        was, now = (self.url(url, with_scheme=is_scheme) if url else "" for url in urls)
        old, new = (
            self.quote(label_of(link, entry), _MAX_NAME) if link else ""
            for link, entry in ((before, of.before), (after, of.after))
        )
        if before and after and before["url"] == after["url"]:
            return "~", f"label of {now}", self.labels(before["label"], after["label"])
        if before and after and old != new:
            return "~", name, f"{f'{old} {was}'.strip()} {self.arrow} {f'{new} {now}'.strip()}"
        name = f"{name} {new or old}".rstrip()
        if before and after:
            return "~", name, f"{was} {self.arrow} {now}"
        return ("+", name, now) if now else ("-", name, was)

    def labels(self, before: str, after: str) -> str:
        """Return how a link's label changed."""
        return f"{self.quote(before, _MAX_NAME)} {self.arrow} {self.quote(after, _MAX_NAME)}"

    def words(self, before: str, after: str) -> str:
        """Return which words of a text changed; the texts one after the other if they have little in common."""
        parts = _changed_words(before, after, self.ellipsis) if " " in before.strip() else None
        if parts is None:
            return f"{self.quote(before)} {self.arrow} {self.quote(after)}"
        start, gone, come, end = parts
        return self.quote(start) + self.removed(gone) + self.inserted(come) + self.quote(end)

    def section_name(self, section: SectionPath) -> str:
        """Return the titles of a section from the top, without that of the list and `Contents`; empty for a whole file."""
        titles = section.titles
        if len(titles) > 1 and SectionPath(section.path, titles[:1]) in self.comparison.titles:
            titles = titles[1:]
        if len(titles) > 1 and doubt_of(titles[0]).reason == CONTENTS:
            titles = titles[1:]
        return self.separator.join(titles)


def _headline(review: Review) -> str:
    """Return `2 entries added, 1 moved; 1 section renamed`."""
    comparison = review.comparison
    numbers = [(count, verb) for verb, count in comparison.counts.items() if count]
    groups = []
    if numbers:
        first = counted(numbers[0][0], "entry", "entries")
        groups.append(", ".join([f"{first} {numbers[0][1]}", *(f"{n:,} {verb}" for n, verb in numbers[1:])]))
    kinds = Counter((kind_of(change), change.kind) for change in comparison.sections)
    groups += [f"{counted(count, kind)} {verb}" for (kind, verb), count in sorted(kinds.items())]
    if reordered := sum(reorder.entries for reorder in comparison.reordered):
        number = f"{reordered:,}" if numbers else counted(reordered, "entry", "entries")
        groups.append(f"{number} in another order")
    if groups:
        return "; ".join(groups)
    files = counted(len(review.files), "file differs", "files differ")
    return f"No entry changed, though {files}" if review.files else "No entry changed"


def kind_of(change: SectionChange) -> str:
    return "section" if change.section.titles else "file"


def _outermost(changes: Sequence[SectionChange]) -> Iterator[SectionChange]:
    """Yield changes of sections without those inside a section or file that was added or removed."""
    whole = {(change.kind, change.section) for change in changes if change.kind in ("added", "removed")}
    for change in changes:
        if not change.section.titles or (change.kind, change.section.parent) not in whole:
            yield change


def _routes(pairs: Iterable[Pair]) -> tuple[list[list[Pair]], list[Pair]]:
    groups: dict[tuple[SectionPath, SectionPath], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.before.section, pair.after.section), []).append(pair)
    routes = [group for group in groups.values() if len(group) >= _ROUTE]
    return routes, [pair for group in groups.values() if len(group) < _ROUTE for pair in group]
