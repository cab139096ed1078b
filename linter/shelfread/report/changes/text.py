"""What a change did to entries, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shelfread.changes.field_diff import label_of, reportable_fields
from shelfread.changes.model import ChangedEntry, FieldChange, ListedEntry, Pair, SectionChange
from shelfread.changes.review import Review
from shelfread.core.diagnostics import Severity
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
from shelfread.report.findings.text import COLOURS
from shelfread.report.terminal import TerminalStyle, printable

_COLOURS = {"+": "green", "-": "red", "~": "yellow", ">": "cyan"}


def render(review: Review, style: TerminalStyle, min_severity: Severity = Severity.WARNING) -> Iterator[str]:
    """The lines of a report: sections, then entries added, removed, moved and changed."""
    return _Text(review, style, min_severity).lines()


class _Text:
    """One report: what it is about, and how it looks."""

    def __init__(self, review: Review, style: TerminalStyle, min_severity: Severity) -> None:
        self._review = review
        self._comparison = review.comparison
        self._style = style
        self._min_severity = min_severity
        self._arrow = "→" if style.unicode else "->"

    def lines(self) -> Iterator[str]:
        """All of it."""
        comparison, paint = self._comparison, self._style.paint
        base, head = revisions(self._review)
        to = "" if self._review.head.commit is None else f", up to {printable(head)}"
        yield f"{paint(headline(self._review), 'bold')} since {printable(base)}{to}"
        blocks = [self._shelf(one) for one in top_changes(comparison.sections)]
        blocks += [self._added(one) for one in comparison.added]
        blocks += [self._removed(one) for one in comparison.removed]
        changed = {one.after for one in comparison.changed}
        together, alone = routes([pair for pair in comparison.moved if pair.after not in changed])
        for route in together:
            way = self._way(route.pairs[0])
            number = f"{len(route.pairs):,} entries moved {way}"
            blocks.append(iter([self._sign(">", number), *self._listing(route.pairs)]))
        blocks += [self._moved(pair) for pair in alone]
        ways = {pair.after: pair for pair in comparison.moved}
        blocks += [self._altered(one, ways.get(one.after)) for one in comparison.changed]
        for block in blocks:
            yield ""
            yield from block
        yield from self._rest()

    def _rest(self) -> Iterator[str]:
        comparison, paint = self._comparison, self._style.paint
        if comparison.reordered or comparison.reformatted:
            yield ""
        for one in comparison.reordered:
            name = section_name(one.section, comparison) or one.section.path
            number = "1 entry" if one.entries == 1 else f"{one.entries:,} entries"
            yield f"  {number} in another order within '{printable(name)}'"
        if comparison.reformatted:
            count = len(comparison.reformatted)
            noun = "entry differs" if count == 1 else "entries differ"
            yield f"  {count:,} {noun} in marks and blanks alone"
        found = [one for group in self._review.findings.values() for one in group]
        hidden = sum(one.severity < self._min_severity for one in found)
        if hidden:
            yield ""
            yield paint(f"{hidden:,} {'info' if hidden == 1 else 'infos'} hidden: --show-info.", "dim")

    def _sign(self, sign: str, text: str) -> str:
        return f"{self._style.paint(sign, _COLOURS[sign], 'bold')} {text}"

    def _shelf(self, one: SectionChange) -> Iterator[str]:
        before, after = (
            None if shelf is None else section_name(shelf, self._comparison) or shelf.path
            for shelf in (one.before, one.after)
        )
        number = f"{one.entries:,} {'entry' if one.entries == 1 else 'entries'}"
        kind = kind_of(one)
        if one.before is None or one.after is None:
            sign = "+" if one.before is None else "-"
            shelf = one.after or one.before
            where = f"{shelf.path}: " if shelf is not None and shelf.titles else ""
            yield self._sign(sign, printable(f"{where}{kind} '{after or before}' {one.kind} ({number})"))
        else:
            where = f"{one.after.path}: " if one.after.titles else ""
            other = (
                before
                if one.before.path == one.after.path or not one.before.titles
                else f"{before}' of '{one.before.path}"
            )
            yield self._sign("~", printable(f"{where}{kind} '{other}' is now '{after}' ({number})"))

    def _title(self, one: ListedEntry) -> str:
        about = venue_or_year(one)
        title = self._style.paint(printable(one.entry.title.value), "bold")
        return f"{title} ({printable(about)})" if about and about not in one.entry.title.value else title

    def _added(self, one: ListedEntry) -> Iterator[str]:
        yield self._sign("+", f"{printable(one.where)}: {self._title(one)}")
        yield from self._section(one)
        for link in one.entry.links:
            label = label_of({"label": link.label, "url": link.link.url}, one)
            yield f"    {printable(f'{label}: ' if label else '')}{printable(link.link.url)}"
        yield from self._remarks(one)

    def _removed(self, one: ListedEntry) -> Iterator[str]:
        yield self._sign("-", self._title(one))
        place = section_name(one.section, self._comparison)
        yield self._dim(f"was {one.where}{f', in {place}' if place else ''}")

    def _moved(self, pair: Pair) -> Iterator[str]:
        yield self._sign(">", f"{printable(pair.after.where)}: {self._title(pair.after)}")
        yield f"    moved {self._way(pair)}"
        yield from self._remarks(pair.after)

    def _altered(self, one: ChangedEntry, moved: Pair | None) -> Iterator[str]:
        yield self._sign("~", f"{printable(one.after.where)}: {self._title(one.after)}")
        if moved is not None:
            yield f"    moved {self._way(moved)}"
        else:
            yield from self._section(one.after)
        for field in reportable_fields(one):
            yield f"    {self._field(field, one)}"
        yield from self._remarks(one.after)

    def _listing(self, pairs: list[Pair]) -> Iterator[str]:
        for pair in pairs:
            yield f"    {printable(pair.after.where)}: {printable(pair.after.entry.title.value)}"
            yield from self._remarks(pair.after)

    def _way(self, pair: Pair) -> str:
        before, after = pair.before.section, pair.after.section
        names = [section_name(shelf, self._comparison) for shelf in (before, after)]
        if before.path != after.path or not all(names):
            names = [
                f"{shelf.path}: {name}" if name else shelf.path
                for shelf, name in zip((before, after), names, strict=True)
            ]
        return printable(f"from '{names[0]}' to '{names[1]}'")

    def _section(self, one: ListedEntry) -> Iterator[str]:
        place = section_name(one.section, self._comparison)
        if place:
            yield self._dim(f"in {place}")

    def _field(self, change: FieldChange, of: ChangedEntry) -> str:
        name, before, after = field_name(change), change.before, change.after
        if change.field == "links":
            labels = [
                label_of(link, one) if link else "" for link, one in ((before, of.before), (after, of.after))
            ]
            if before and after and before["url"] == after["url"]:
                return self._sign(
                    "~", f"label of {printable(after['url'])}: {self._words(before['label'], after['label'])}"
                )
            if before and after and labels[0] != labels[1]:
                was, now = (
                    f"{label} {link['url']}".strip()
                    for label, link in zip(labels, (before, after), strict=True)
                )
                return self._sign("~", f"link: {printable(was)} {self._arrow} {printable(now)}")
            name = f"link {labels[1] or labels[0]}".rstrip()
        if not before or not after:
            sign, shown = ("+", after) if after else ("-", before)
            return self._sign(sign, printable(f"{name}: {value_text(change.field, shown)}"))
        return self._sign(
            "~",
            f"{printable(name)}: {self._words(value_text(change.field, before), value_text(change.field, after))}",
        )

    def _words(self, before: str, after: str) -> str:
        """What went and came, in the marks of `git diff --word-diff`; short or foreign texts one after the other."""
        stretches = changed_words(before, after, self._style.ellipsis) if " " in before.strip() else None
        if stretches is None:
            return f"{printable(before)} {self._arrow} {printable(after)}"
        shown = []
        for gone, come, same in stretches:
            shown.append(printable(same))
            if gone:
                shown.append(self._style.paint(f"[-{printable(gone)}-]", "red"))
            if come:
                shown.append(self._style.paint(f"{{+{printable(come)}+}}", "green"))
        return "".join(shown)

    def _remarks(self, one: ListedEntry) -> Iterator[str]:
        """What a reviewer is to know of an entry: that it is there already, what is found in it."""
        paint = self._style.paint
        for twin in self._review.twins.get(one, ()):
            yield f"    {paint(printable(f'already listed at {twin.where}{twin.under}'), 'yellow', 'bold')}"
        for found in self._review.findings.get(one, ()):
            if found.severity >= self._min_severity:
                line, column = one.document.source.position(found.span.start)
                colour = COLOURS[found.severity]
                rule = paint(found.severity.label, colour, "bold") + paint(f"[{found.rule}]", colour)
                yield f"    {line}:{column} {rule} {printable(found.message)}"

    def _dim(self, text: Any) -> str:
        return f"    {self._style.paint(printable(str(text)), 'dim')}"
