"""What a change did to entries, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.changes.compare import label_of, reportable_fields
from shelfread.changes.listed import ChangedEntry, ListedEntry, Pair, SectionChange, SectionPath
from shelfread.changes.review import Review
from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.report.changes_report import ChangeReport, kind_of
from shelfread.report.finding_lines import rule_label
from shelfread.report.rendering import RenderContext, hidden_lines, printable

_COLOURS = {"+": "green", "-": "red", "~": "yellow", ">": "cyan"}


def text(review: Review, context: RenderContext) -> Iterator[str]:
    """Yield the lines of a report: sections, then entries added, removed, moved and changed."""
    return _Text(review, context).lines()


class _Text(ChangeReport):
    def __init__(self, review: Review, context: RenderContext) -> None:
        super().__init__(review, context)
        self._paint = context.style.paint
        self.ellipsis = context.style.ellipsis
        self.arrow = "→" if context.style.unicode else "->"

    def quote(self, text: str, most: int = 0) -> str:
        return printable(text)

    def bold(self, text: str) -> str:
        return self._paint(text, "bold")

    def url(self, url: str) -> str:
        return printable(url)

    def removed(self, text: str) -> str:
        return self._paint(f"[-{printable(text)}-]", "red") if text else ""

    def inserted(self, text: str) -> str:
        return self._paint(f"{{+{printable(text)}+}}", "green") if text else ""

    def place(self, section: SectionPath) -> str:
        return f"'{printable(self.section_name(section) or section.path)}'"

    def styled_title(self, listed: ListedEntry) -> str:
        return self.bold(printable(listed.entry.title.value))

    def labels(self, before: str, after: str) -> str:
        return self.words(before, after)

    def lines(self) -> Iterator[str]:
        """Yield the whole report."""
        comparison = self.comparison
        yield self.first_line()
        blocks: list[Iterable[str]] = [[self._section_change(change)] for change in self.sections]
        blocks += map(self._added, comparison.added)
        blocks += map(self._removed, comparison.removed)
        blocks += map(self._route, self.routes)
        blocks += map(self._moved, self.moved)
        blocks += [self._altered(alteration, move) for alteration, move in self.alterations]
        blocks += [list(self._elsewhere())] if self.elsewhere() else []
        for block in blocks:
            yield ""
            yield from block
        last = list(self.last_lines())
        yield from ["", *(f"  {line}" for line in last)] if last else []
        least = self.context.min_severity
        hidden = sum(diagnostic.severity < least for diagnostic in self.review.all_findings())
        for line in hidden_lines(hidden):
            yield f"\n{self._paint(line, 'dim')}"

    def _sign(self, sign: str, text: str) -> str:
        return f"{self._paint(sign, _COLOURS[sign], 'bold')} {text}"

    def _section_change(self, change: SectionChange) -> str:
        section, old = change.section, change.before
        path = f"{section.path}: " if section.titles else ""
        number = counted(change.entries, "entry", "entries")
        subject = f"{printable(path)}{kind_of(change)}"
        if old is None or change.after is None:
            sign = "+" if old is None else "-"
            return self._sign(sign, f"{subject} {self.place(section)} {change.kind} ({number})")
        origin = "" if old.path == section.path or not old.titles else f" of '{printable(old.path)}'"
        return self._sign("~", f"{subject} {self.place(old)}{origin} is now {self.place(section)} ({number})")

    def _added(self, listed: ListedEntry) -> Iterator[str]:
        yield self._sign("+", f"{printable(listed.where)}: {self.title(listed)}")
        if described := self.description(listed):
            yield f"    {printable(described)}"
        yield from self._section(listed)
        for link in listed.entry.links:
            label = label_of({"label": link.label, "url": link.link.url}, listed)
            yield f"    {printable(f'{label}: ' if label else '')}{printable(link.link.url)}"
        yield from self._remarks(listed)

    def _removed(self, listed: ListedEntry) -> Iterator[str]:
        yield self._sign("-", self.title(listed))
        section = self.section_name(listed.section)
        yield self._dim(f"was {listed.where}{f', in {section}' if section else ''}")

    def _moved(self, pair: Pair) -> Iterator[str]:
        yield self._sign(">", f"{printable(pair.after.where)}: {self.title(pair.after)}")
        yield f"    moved {self._way(pair)}"
        yield from self._remarks(pair.after)

    def _route(self, pairs: list[Pair]) -> Iterator[str]:
        yield self._sign(">", f"{len(pairs):,} entries moved {self._way(pairs[0])}")
        for pair in pairs:
            yield f"    {printable(pair.after.where)}: {printable(pair.after.entry.title.value)}"
            yield from self._remarks(pair.after)

    def _altered(self, alteration: ChangedEntry, move: Pair | None) -> Iterator[str]:
        listed = alteration.after
        yield self._sign("~", f"{printable(listed.where)}: {self.title(listed)}")
        if move is not None:
            yield f"    moved {self._way(move)}"
        else:
            yield from self._section(listed)
        for change in reportable_fields(alteration):
            sign, name, text = self.field(change, alteration)
            yield f"    {self._sign(sign, f'{name}: {text}')}"
        yield from self._remarks(listed)

    def _way(self, pair: Pair) -> str:
        sections = (pair.before.section, pair.after.section)
        names = [self.section_name(section) for section in sections]
        if sections[0].path != sections[1].path or not all(names):
            names = [
                f"{section.path}: {name}" if name else section.path
                for section, name in zip(sections, names, strict=True)
            ]
        return printable(f"from '{names[0]}' to '{names[1]}'")

    def _section(self, listed: ListedEntry) -> Iterator[str]:
        if section := self.section_name(listed.section):
            yield self._dim(f"in {section}")

    def _remarks(self, listed: ListedEntry) -> Iterator[str]:
        """Yield where an entry is listed already, where it seems to belong, and its new findings."""
        for duplicate in self.review.duplicates.get(listed, ()):
            where = printable(f"already listed at {duplicate.where}{duplicate.under}")
            yield f"    {self._paint(where, 'yellow', 'bold')}"
        if (place := self.better_place(listed)) is not None:
            yield f"    {self._paint('seems to belong in', 'yellow', 'bold')} {place}"
        for diagnostic in self.diagnostics(listed):
            yield f"    {self._finding(diagnostic, listed.document.source)}"

    def _elsewhere(self) -> Iterator[str]:
        """Yield the new findings outside of the entries above."""
        for group in self.elsewhere():
            also = f" ({others})" if (others := group.others()) else ""
            yield f"{printable(group.first[0].path)}:{self._finding(*group.first)}{also}"

    def _finding(self, diagnostic: Diagnostic, source: Source) -> str:
        line, column = source.position(diagnostic.span.start)
        label = rule_label(diagnostic.rule, diagnostic.severity, self.context.style)
        return f"{line}:{column} {label} {printable(diagnostic.message)}"

    def _dim(self, text: str) -> str:
        return f"    {self._paint(printable(text), 'dim')}"
