"""What a change did to entries, as Markdown for a pull request's comment.

What stands in a list is a stranger's: none of it is markup, HTML or a call (`@name`, `#1`) here, and its links
are links only where they lead to the web.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.changes.field_diff import label_of, reportable_fields
from shelfread.changes.model import ChangedEntry, FieldChange, ListedEntry, Pair, SectionChange, SectionPath
from shelfread.changes.review import Review
from shelfread.core.diagnostics import Severity
from shelfread.document.model import LabelledLink
from shelfread.report.changes.word_diff import changed_words
from shelfread.report.changes.words import (
    field_name,
    headline,
    kind_of,
    revisions,
    routes,
    section_name,
    top_changes,
    value_text,
    venue_or_year,
)
from shelfread.report.markdown_escape import code, escape, link

MOST = 65_000
"""UTF-16 units: GitHub refuses a comment of more than 65,536."""
_OPEN = 10
"""A part with more items is folded away."""
_LONGEST = 300
_MARKS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "info"}


class _Part(NamedTuple):
    """A part of the comment: its title, and what is told, each whole or not at all."""

    title: str
    items: Sequence[str]
    entries: int
    noted: int = 0
    """So many items have something that a reviewer must see."""


def render(review: Review, min_severity: Severity = Severity.WARNING, most: int = MOST) -> Iterator[str]:
    """The comment's lines: what changed in one, then the parts, as far as there is room for them."""
    base, head = map(escape, revisions(review))
    state = "" if review.head.commit is None else f", up to {head}"
    lines = [f"**{headline(review)}** since {base}{state}"]
    lines += [f"- not compared: {escape(str(error))}" for error in review.errors[:_OPEN]]
    lines += [f"- ⚠️ {escape(remark, _LONGEST)}" for remark in review.remarks[:_OPEN]]
    parts = [part for part in _Comment(review, min_severity).parts() if part.items]
    room = most - sum(map(_size, lines))
    for at, part in enumerate(parts):
        # Each part has its share of what the ones before it have left.
        shown = _fitting(part, room // (len(parts) - at))
        room -= sum(map(_size, shown))
        lines += shown
    return iter(lines)


def _fitting(part: _Part, room: int) -> list[str]:
    """The lines of a part; what there is no room for is counted."""
    noted = f", {part.noted:,} to look at" if part.noted else ""
    if len(part.items) > _OPEN:
        head = ["", "<details>", f"<summary><b>{part.title}</b> ({part.entries:,}{noted})</summary>", ""]
        foot = ["", "</details>"]
    else:
        head, foot = ["", f"**{part.title}**", ""], []
    more = "- … and {:,} more"
    room -= sum(map(_size, [*head, *foot, more])) + 10
    shown = []
    for item in part.items:
        room -= _size(item)
        if room < 0:
            break
        shown.append(item)
    rest = len(part.items) - len(shown)
    return [*head, *shown, *([more.format(rest)] if rest else []), *foot]


def _size(text: str) -> int:
    """How much of a comment a line takes, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 + 1


class _Comment:
    """One comment: what it is about."""

    def __init__(self, review: Review, min_severity: Severity) -> None:
        self._review = review
        self._comparison = review.comparison
        self._min_severity = min_severity

    def parts(self) -> Iterator[_Part]:
        """What there is to tell, what a reviewer looks for first at the top."""
        comparison = self._comparison
        changed = {one.after for one in comparison.changed}
        ways = {pair.after: pair for pair in comparison.moved}
        shelves = [self._shelf(one) for one in top_changes(comparison.sections)]
        yield _Part("Sections", shelves, len(shelves))
        yield self._part("Added", comparison.added, [self._added(one) for one in comparison.added])
        removed = [self._removed(one) for one in comparison.removed]
        yield _Part("Removed", removed, len(removed))
        altered = [self._altered(one, ways.get(one.after)) for one in comparison.changed]
        yield self._part("Changed", [one.after for one in comparison.changed], altered)
        together, alone = routes([pair for pair in comparison.moved if pair.after not in changed])
        moved = [self._route(route.pairs) for route in together]
        moved += [
            f"- {self._title(pair.after)} {self._way(pair)}{self._remarks(pair.after)}" for pair in alone
        ]
        pairs = [*(pair for route in together for pair in route.pairs), *alone]
        yield self._part("Moved", [pair.after for pair in pairs], moved)
        rest = [
            f"- {one.entries:,} in another order within {self._place(one.section)}"
            for one in comparison.reordered
        ]
        if comparison.reformatted:
            rest.append(f"- {len(comparison.reformatted):,} differ in marks and blanks alone")
        yield _Part("Besides", rest, len(rest))

    def _part(self, title: str, listed: Sequence[ListedEntry], items: Sequence[str]) -> _Part:
        return _Part(title, items, len(listed), sum(bool(self._remarks(one)) for one in listed))

    def _shelf(self, one: SectionChange) -> str:
        number = f"{one.entries:,} {'entry' if one.entries == 1 else 'entries'}"
        kind = kind_of(one)
        if one.before is None or one.after is None:
            shelf = one.after or one.before
            return f"- {kind} {self._place(shelf)} {one.kind} ({number})" if shelf is not None else ""
        return f"- {kind} {self._place(one.before)} is now {self._place(one.after)} ({number})"

    def _place(self, shelf: SectionPath) -> str:
        """A section, and its file where several have changed."""
        name = section_name(shelf, self._comparison, " › ")
        if not name:
            return code(shelf.path)
        return f"*{escape(name, _LONGEST)}*"

    def _title(self, one: ListedEntry) -> str:
        """The title as a link to the paper, or wherever the entry leads first, and what it cites."""
        title = escape(one.entry.title.value, _LONGEST)
        main = _main(one)
        about = venue_or_year(one)
        shown = link(title, main.link.url) if main is not None else f"**{title}**"
        return f"{shown} ({escape(about, 80)})" if about and about not in one.entry.title.value else shown

    def _where(self, one: ListedEntry) -> str:
        place = self._place(one.section)
        where = code(one.where)
        return f"{place}, {where}" if section_name(one.section, self._comparison) else where

    def _added(self, one: ListedEntry) -> str:
        main = _main(one)
        links = [
            link(escape(other.label or "link", 80), other.link.url)
            for other in one.entry.links
            if other is not main
        ]
        also = f" · {' · '.join(links[:12])}" if links else ""
        return f"- {self._title(one)}{also} — {self._where(one)}{self._remarks(one)}"

    def _removed(self, one: ListedEntry) -> str:
        return f"- {self._title(one)} — was in {self._where(one)}"

    def _altered(self, one: ChangedEntry, moved: Pair | None) -> str:
        lines = [f"- {self._title(one.after)} — {self._where(one.after)}"]
        if moved is not None:
            lines.append(f"  - moved {self._way(moved)}")
        fields = reportable_fields(one)
        lines += [f"  - {_field(field, one)}" for field in fields[:20]]
        if len(fields) > 20:
            lines.append(f"  - … and {len(fields) - 20:,} more")
        return "\n".join(lines) + self._remarks(one.after)

    def _route(self, pairs: Sequence[Pair]) -> str:
        titles = [
            f"  - {self._title(pair.after)}{self._remarks(pair.after, '    ')}" for pair in pairs[:_OPEN]
        ]
        if len(pairs) > _OPEN:
            titles.append(f"  - … and {len(pairs) - _OPEN:,} more")
        return "\n".join([f"- {len(pairs):,} entries {self._way(pairs[0])}", *titles])

    def _way(self, pair: Pair) -> str:
        before, after = pair.before.section, pair.after.section
        names = [self._place(before), self._place(after)]
        if before.path != after.path:
            names = [
                f"{name} in {code(shelf.path)}" if section_name(shelf, self._comparison) else name
                for name, shelf in zip(names, (before, after), strict=True)
            ]
        return f"from {names[0]} to {names[1]}"

    def _remarks(self, one: ListedEntry, indent: str = "  ") -> str:
        """What a reviewer is to know of an entry, as items below it."""
        lines = [
            f"**already listed** at {code(twin.where)}{escape(twin.under)}"
            for twin in self._review.twins.get(one, ())
        ]
        lines += [
            f"{_MARKS[found.severity]} {code(found.rule)}: {escape(found.message, _LONGEST)}"
            for found in self._review.findings.get(one, ())
            if found.severity >= self._min_severity
        ]
        return "".join(f"\n{indent}- {line}" for line in lines[:_OPEN])


def _main(one: ListedEntry) -> LabelledLink | None:
    links = one.entry.links
    paper = (other for other in links if other.role is not None and other.role.id == "paper")
    return next(paper, links[0] if links else None)


def _field(change: FieldChange, of: ChangedEntry) -> str:
    name, before, after = escape(field_name(change), 80), change.before, change.after
    if change.field == "links":
        return _link(before, after, of)
    was, now = (value_text(change.field, side) for side in (before, after))
    if before and after:
        return f"{name}: {_words(was, now)}"
    return f"{name} added: {escape(now, _LONGEST)}" if now else f"{name} removed: {escape(was, _LONGEST)}"


def _link(before: dict[str, str] | None, after: dict[str, str] | None, of: ChangedEntry) -> str:
    was, now = (_address(side["url"]) if side else "" for side in (before, after))
    labels = [label_of(link, one) if link else "" for link, one in ((before, of.before), (after, of.after))]
    if before and after and before["url"] == after["url"]:
        return f"label of {now}: {escape(before['label'], 80)} → {escape(after['label'], 80)}"
    old, new = (f" {escape(label, 80)}" if label else "" for label in labels)
    if before and after:
        return f"link{old}: {was} → {now}" if old == new else f"link:{old} {was} →{new} {now}"
    return f"link{new} added: {now}" if now else f"link{old} removed: {was}"


def _address(url: str) -> str:
    """An address as a link to itself."""
    return link(escape(url.partition("://")[2] or url, 120), url)


def _words(before: str, after: str) -> str:
    stretches = changed_words(before, after, "…") if " " in before.strip() else None
    if stretches is None:
        return f"{escape(before, _LONGEST)} → {escape(after, _LONGEST)}"
    return "".join(_marked(gone, "~~") + _marked(come, "**") + escape(same) for gone, come, same in stretches)


def _marked(text: str, mark: str) -> str:
    """A text between marks, which bind to letters alone: blanks stay outside."""
    inner = text.strip()
    if not inner:
        return " " if text else ""
    before, after = text[: text.index(inner)], text[text.index(inner) + len(inner) :]
    return f"{before}{mark}{escape(inner, _LONGEST)}{mark}{after}"
