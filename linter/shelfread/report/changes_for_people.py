"""What a change did to entries, for people at a terminal, and as Markdown for a pull request's comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from shelfread.changes.compare import label_of, reportable_fields
from shelfread.changes.listed import ChangedEntry, ListedEntry, Pair, SectionChange, SectionPath
from shelfread.changes.review import Review
from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.document.model import LabelledLink
from shelfread.report.changes_report import ChangeReport, kind_of
from shelfread.report.finding_lines import Group, line_of, rule_label
from shelfread.report.rendering import RenderContext, code, escape, hidden_lines, link, printable

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

    def url(self, url: str, *, with_scheme: bool) -> str:
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
        for labelled in listed.entry.links:
            label = label_of({"label": labelled.label, "url": labelled.link.url}, listed)
            yield f"    {printable(f'{label}: ' if label else '')}{printable(labelled.link.url)}"
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
        if (said := self.placement(listed)) is not None:
            yield f"    {self._paint(said[0], 'yellow', 'bold')} {said[1]}"
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


_MAX_UNITS = 65_000  # UTF-16 code units: GitHub refuses a comment of more than 65,536
_MAX_OPEN = 10  # a part with more items is folded; of what may be long, so many items are shown
_MAX_TEXT = 300
_MAX_LABEL = 80
_LABELS = {Severity.ERROR: "❌ error", Severity.WARNING: "⚠️ warning", Severity.INFO: "info"}


class _Part(NamedTuple):
    """A part of the comment; each item is shown whole or not at all."""

    title: str
    items: Sequence[str]
    entries: int
    remarked: int = 0  # the number of entries with something that a reviewer must see


def markdown(review: Review, context: RenderContext, most: int = _MAX_UNITS) -> Iterator[str]:
    """Yield the lines of a comment: what changed in one line, then the parts, as far as they fit."""
    comment = _Comment(review, context)
    lines = [comment.first_line()]
    lines += [f"- not compared: {escape(str(error))}" for error in review.errors[:_MAX_OPEN]]
    lines += [f"- ⚠️ {escape(change, _MAX_TEXT)}" for change in review.policy_changes[:_MAX_OPEN]]
    parts = [part for part in comment.parts() if part.items]
    room = most - sum(map(_size, lines))
    for index, part in enumerate(parts):
        # Each part has its share of what the parts before it have left.
        shown = _fitting(part, room // (len(parts) - index))
        room -= sum(map(_size, shown))
        lines += shown
    return iter(lines)


def _fitting(part: _Part, room: int) -> list[str]:
    """Return the lines of a part; items that do not fit are counted."""
    remarked = f", {part.remarked:,} to look at" if part.remarked else ""
    if len(part.items) > _MAX_OPEN:
        start = ["", "<details>", f"<summary><b>{part.title}</b> ({part.entries:,}{remarked})</summary>", ""]
        end = ["", "</details>"]
    else:
        start, end = ["", f"**{part.title}**", ""], []
    room -= sum(map(_size, [*start, *end, _more(0)])) + 10
    shown = []
    for item in part.items:
        room -= _size(item)
        if room < 0:
            break
        shown.append(item)
    left = len(part.items) - len(shown)
    return [*start, *shown, *([_more(left)] if left else []), *end]


def _more(number: int) -> str:
    return f"- … and {number:,} more"


def _size(text: str) -> int:
    """Return how much of a comment a line takes, in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 + 1


class _Comment(ChangeReport):
    separator = " › "

    def quote(self, text: str, most: int = _MAX_TEXT) -> str:
        return escape(text, most)

    def bold(self, text: str) -> str:
        return f"**{text}**"

    def url(self, url: str, *, with_scheme: bool) -> str:
        return link(escape(url if with_scheme else url.partition("://")[2] or url, 120), url)

    def removed(self, text: str) -> str:
        return _emphasised(text, "~~")

    def inserted(self, text: str) -> str:
        return _emphasised(text, "**")

    def place(self, section: SectionPath) -> str:
        name = self.section_name(section)
        return f"*{escape(name, _MAX_TEXT)}*" if name else code(section.path)

    def styled_title(self, listed: ListedEntry) -> str:
        title = escape(listed.entry.title.value, _MAX_TEXT)
        main = _main_link(listed)
        return link(title, main.link.url) if main is not None else f"**{title}**"

    def parts(self) -> Iterator[_Part]:
        """Yield the parts of the comment, what a reviewer looks for first at the top."""
        comparison = self.comparison
        sections = [self._section_change(change) for change in self.sections]
        yield _Part("Sections", sections, len(sections))
        yield self._part("Added", comparison.added, [self._added(listed) for listed in comparison.added])
        removed = [f"- {self.title(entry)} — was in {self._where(entry)}" for entry in comparison.removed]
        yield _Part("Removed", removed, len(removed))
        altered = [self._altered(alteration, move) for alteration, move in self.alterations]
        yield self._part("Changed", [alteration.after for alteration in comparison.changed], altered)
        moved = [self._route(pairs) for pairs in self.routes]
        moved += [
            f"- {self.title(pair.after)} {self._way(pair)}{self._remarks(pair.after)}" for pair in self.moved
        ]
        pairs = [*(pair for route in self.routes for pair in route), *self.moved]
        yield self._part("Moved", [pair.after for pair in pairs], moved)
        elsewhere = [self._elsewhere(group) for group in self.elsewhere()]
        yield _Part("Other findings", elsewhere, len(elsewhere), len(elsewhere))
        last = [f"- {line}" for line in self.last_lines()]
        yield _Part("Also", last, len(last))

    def _part(self, title: str, entries: Sequence[ListedEntry], items: Sequence[str]) -> _Part:
        return _Part(title, items, len(entries), sum(bool(self._remarks(entry)) for entry in entries))

    def _section_change(self, change: SectionChange) -> str:
        sections = [section for section in (change.before, change.after) if section is not None]
        became = f"is now {self.place(sections[1])}" if len(sections) == 2 else change.kind
        number = counted(change.entries, "entry", "entries")
        return f"- {kind_of(change)} {self.place(sections[0])} {became} ({number})"

    def _elsewhere(self, group: Group) -> str:
        diagnostic, _ = group.first
        also = f", {others}" if (others := group.others()) else ""
        return f"- {_finding(diagnostic)} — {code(f'{diagnostic.path}:{line_of(group.first)}')}{also}"

    def _where(self, listed: ListedEntry) -> str:
        where = code(listed.where)
        return f"{self.place(listed.section)}, {where}" if self.section_name(listed.section) else where

    def _added(self, listed: ListedEntry) -> str:
        main = _main_link(listed)
        links = [
            link(escape(other.label or "link", _MAX_LABEL), other.link.url)
            for other in listed.entry.links
            if other is not main
        ]
        others = f" · {' · '.join(links[:12])}" if links else ""
        about = f": {described}" if (described := self.description(listed)) else ""
        return f"- {self.title(listed)}{others}{about} — {self._where(listed)}{self._remarks(listed)}"

    def _altered(self, alteration: ChangedEntry, move: Pair | None) -> str:
        listed = alteration.after
        lines = [f"- {self.title(listed)} — {self._where(listed)}"]
        if move is not None:
            lines.append(f"  - moved {self._way(move)}")
        fields = reportable_fields(alteration)
        for change in fields[:20]:
            sign, name, text = self.field(change, alteration)
            verb = {"+": " added", "-": " removed", "~": ""}[sign]
            lines.append(f"  - {name}{verb}: {text}")
        if len(fields) > 20:
            lines.append(f"  {_more(len(fields) - 20)}")
        return "\n".join(lines) + self._remarks(listed)

    def _route(self, pairs: Sequence[Pair]) -> str:
        lines = [f"- {len(pairs):,} entries {self._way(pairs[0])}"]
        entries = [pair.after for pair in pairs[:_MAX_OPEN]]
        lines += [f"  - {self.title(entry)}{self._remarks(entry, '    ')}" for entry in entries]
        if len(pairs) > _MAX_OPEN:
            lines.append(f"  {_more(len(pairs) - _MAX_OPEN)}")
        return "\n".join(lines)

    def _way(self, pair: Pair) -> str:
        sections = (pair.before.section, pair.after.section)
        names = [self.place(section) for section in sections]
        if sections[0].path != sections[1].path:
            names = [
                f"{name} in {code(section.path)}" if self.section_name(section) else name
                for name, section in zip(names, sections, strict=True)
            ]
        return f"from {names[0]} to {names[1]}"

    def _remarks(self, listed: ListedEntry, indent: str = "  ") -> str:
        """Return where an entry is listed already and where it seems to belong, and its new findings, as items below it."""
        lines = [
            f"**already listed** at {code(duplicate.where)}{escape(duplicate.under)}"
            for duplicate in self.review.duplicates.get(listed, ())
        ]
        if (said := self.placement(listed)) is not None:
            lines.append(f"**{said[0]}** {said[1]}")
        lines += map(_finding, self.diagnostics(listed))
        return "".join(f"\n{indent}- {line}" for line in lines[:_MAX_OPEN])


def _main_link(listed: ListedEntry) -> LabelledLink | None:
    links = listed.entry.links
    papers = (other for other in links if other.role is not None and other.role.id == "paper")
    return next(papers, links[0] if links else None)


def _finding(diagnostic: Diagnostic) -> str:
    message = escape(diagnostic.message, _MAX_TEXT)
    return f"{_LABELS[diagnostic.severity]} {code(diagnostic.rule)}: {message}"


def _emphasised(text: str, marker: str) -> str:
    """Return a text between markers; they have no effect next to spaces, which stay outside."""
    inner = text.strip()
    if not inner:
        return " " if text else ""
    before, _, after = text.partition(inner)
    return f"{before and ' '}{marker}{escape(inner, _MAX_TEXT)}{marker}{after and ' '}"
