"""Lists with what was read of each line beside it, as Markdown for people, and what was read of them, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.document.entry_data import citation_and_year
from shelfread.document.file_kind import FileKind
from shelfread.document.model import Citation, Document, Entry, Field, LabelledLink, Section
from shelfread.document.non_entries import BARE
from shelfread.document.unread import Unread, find_unread
from shelfread.markdown.node import Link
from shelfread.report.finding_lines import line_span
from shelfread.report.rendering import TerminalStyle, code, printable


@dataclass(slots=True)
class ReadingCounts:
    """How many entries, uncertain fields, and lines without an entry some lists have."""

    files: int = 0
    entries: int = 0
    papers: int = 0
    doubtful: int = 0  # entries with an uncertain field
    uncertain: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)  # lines that are no entry, by reason
    lines: int = 0
    links: int = 0

    def add(self, document: Document, unread: Unread) -> None:
        """Count a list too."""
        self.files += 1
        self.entries += len(document.entries)
        for entry in document.entries:
            self.papers += entry.kind == "paper"
            self.doubtful += bool(entry.uncertain)
            self.uncertain.update(entry.uncertain)
        self.reasons.update(item.reason for item in document.non_entries)
        self.reasons.update(BARE for _ in unread.bare)
        self.lines += len(unread.lines)
        self.links += sum(map(len, unread.links.values()))

    def render(self) -> Iterator[str]:
        """Yield the counts as the items of a Markdown list; what is nowhere is not named."""
        papers = f", {counted(self.papers, 'paper')}" if self.papers else ""
        yield f"- {counted(self.entries, 'entry', 'entries')}{papers}"
        if self.uncertain:
            fields = counted(self.uncertain.total(), "uncertain field")
            entries = counted(self.doubtful, "entry", "entries")
            yield f"- {fields} in {entries}: {_counts(self.uncertain)}"
        if self.reasons:
            yield f"- {counted(self.reasons.total(), 'part')} with no entry: {_counts(self.reasons)}"
        if self.lines:
            yield f"- {counted(self.lines, 'line')} with links not read"
        if self.links:
            yield f"- {counted(self.links, 'unread link')} in entries"


def _counts(counter: Counter[str]) -> str:
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return "; ".join(f"{name} ({number:,})" for name, number in ordered)


_MAX_SOURCE = 160  # the longest source line that is shown whole
_MAX_VALUE, _MAX_LABEL, _MAX_URL = 400, 80, 200
# Fields that an entry may lack, and what it has of them.
_STATED: tuple[tuple[str, Callable[[Entry], object]], ...] = (
    ("name", lambda entry: entry.name),
    ("venue", lambda entry: entry.citation),
    ("year", lambda entry: entry.year),
    ("authors", lambda entry: entry.authors),
    ("affiliations", lambda entry: entry.affiliations),
    ("description", lambda entry: entry.description),
)
_LINE_END = lazy(r"\r\n?|\n")
_WORD_WIDTH = len("affiliations?")
_COLOURS = {"section": ("bold",), "no entry": ("cyan",), "not read": ("red",), "unread": ("red",)}


class AnnotatedRow(NamedTuple):
    """A line of the report; `line` and `end_line` count from 1, the last one included."""

    line: int
    end_line: int
    word: str  # what the row states: a field, with `?` if it is uncertain, or the kind of the lines
    text: str

    def render(self, width: int, style: TerminalStyle) -> str:
        """Return the row as one printable line, its first column `width` wide."""
        place = f"{self.line}-{self.end_line}" if self.end_line > self.line else f"{self.line}"
        colours = _COLOURS.get(
            self.word.partition(":")[0], ("yellow",) if self.word[-1:] == "?" else ("dim",)
        )
        padding = " " * (_WORD_WIDTH - len(self.word))
        return f"{place:<{width}}  {style.paint(self.word, *colours)}{padding} {self.text}".rstrip()


def _source_line(source: Source, line: int, start: int = 0, end: int = 0) -> str:
    """Return a line as source text, from offset `start` on and up to `end` where these are given."""
    span = line_span(source, line)
    end = min(span.end, end) if end else span.end
    return f"| {excerpt(source.text, max(span.start, start), end, _MAX_SOURCE)}".rstrip()


def _shown(value: str, most: int = _MAX_VALUE) -> str:
    """Return a value in one printable line, shortened in its middle if it is very long."""
    return excerpt(value, 0, len(value), most)


def excerpt(text: str, start: int, end: int, most: int) -> str:
    """Return `text[start:end]` in one printable line, without its middle if it has more than `most` characters."""
    spans = [(start, end)]
    if end - start > most:
        tail = most // 3
        spans = [(start, start + most - tail), (end - tail, end)]
    return " … ".join(printable(_LINE_END.sub(" ", text[begin:stop])) for begin, stop in spans)


def _entry_rows(
    entry: Entry, document: Document, unread: Sequence[Link], start: int = 0
) -> Iterator[AnnotatedRow]:
    """Yield the source of an entry, from offset `start` on, its fields, and its links that are in no field."""
    word = "paper" if entry.kind == "paper" else "entry"
    source = document.source
    line = max(entry.line, source.line_at(entry.title.span.start) + 1)  # a row of HTML begins with its tag
    text = _source_line(source, line, start, entry.title_line.end if start else 0)
    yield AnnotatedRow(entry.line, entry.end_line, word, text)
    for name, value in _fields(entry, document):
        mark = "?" if name in entry.uncertain else ""
        yield AnnotatedRow(entry.line, entry.line, f"{name}{mark}", value)
    missing = (name for name, value in _STATED if name in entry.uncertain and not value(entry))
    for name in missing:
        yield AnnotatedRow(entry.line, entry.line, f"{name}?", "none was read")
    for link in unread:
        line = source.line_at(link.start) + 1
        label = excerpt(source.text, link.text.start, link.text.end, _MAX_LABEL)
        url = _shown(link.url, _MAX_URL)
        yield AnnotatedRow(line, line, "unread", f"<{url}>" if label == url else f"{label} <{url}>")


def _fields(entry: Entry, document: Document) -> Iterator[tuple[str, str]]:
    yield "title", _shown(entry.title.value)
    if entry.name is not None and entry.name.value != entry.title.value:
        yield "name", _shown(entry.name.value)
    yield from _venue_and_year(entry, document)
    if entry.authors:
        yield "authors", _joined(entry.authors)
    if entry.affiliations:
        yield "affiliations", _joined(entry.affiliations)
    for link in entry.links:
        yield "link", _link(link, entry)
    if entry.description is not None:
        yield "description", _shown(entry.description.value)
    if entry.notes:
        yield "notes", f"{len(entry.notes):,}"


def _venue_and_year(entry: Entry, document: Document) -> Iterator[tuple[str, str]]:
    citation, year = citation_and_year(entry, document)
    alike = ("venue" in entry.uncertain) == ("year" in entry.uncertain)
    together = citation is not None and alike and not entry.year_from_arxiv_id
    if citation is not None:
        inherited = "" if entry.citation is citation else ", from a heading"
        yield "venue", _venue(citation, year if together else None) + inherited
    if year is not None and not together:
        assumed = entry.year_from_arxiv_id and year == entry.year
        yield "year", f"{year}, from the arXiv id" if assumed else f"{year}"


def _venue(citation: Citation, year: int | None) -> str:
    """Return the venue as the vocabulary has it, with the year, and as written where that differs."""
    written = _shown(citation.text)
    stated = "" if year is None else f" {year}"
    if citation.venue is None:
        return f"unknown{stated}, written {written}"
    label = _shown(citation.venue.label)
    known = f"{label}{stated}"
    return known if written in (label, f"{label} {citation.year}") else f"{known}, written {written}"


def _link(link: LabelledLink, entry: Entry) -> str:
    """Return the role of a link, or `-`, its label if that says more than the role, and its URL."""
    role = link.role.id if link.role else "-"
    if link.label == link.link.url or link.label.lower() == role:
        label = ""
    elif link.label in (entry.title.value, entry.name.value if entry.name else None):
        label = "(title) "
    else:
        label = f"{_shown(link.label, _MAX_LABEL)} "
    return f"{role} {label}<{_shown(link.link.url, _MAX_URL)}>"


def _joined(fields: Sequence[Field]) -> str:
    return "; ".join(_shown(field.value) for field in fields)


_KINDS = {"item": "a list item", "details": "a summary", "bold": "bold words", "html": "an HTML heading"}


def annotated(documents: Iterable[Document], style: TerminalStyle) -> Iterator[str]:
    """Yield the lines of a report of lists in order, each with its counts, and the counts of all."""
    total = ReadingCounts()
    for document in documents:
        if total.files:
            yield ""
        yield from _list(document, total, style)
    if total.files > 1:
        yield ""
        yield style.paint(f"# {total.files:,} files", "bold")
        yield ""
        yield from total.render()


def _list(document: Document, total: ReadingCounts, style: TerminalStyle) -> Iterator[str]:
    """Yield a heading, the rows of a list, and its counts; of another file only what it is."""
    yield style.paint(f"# {code(document.source.path or '-')}", "bold")
    yield ""
    if document.kind is not FileKind.LIST:
        total.files += 1
        yield f"- no list but a {document.kind.value}, in which nothing is an entry; `<!-- shelfread-list -->` in it makes it one"
        return
    unread = find_unread(document)
    tally = ReadingCounts()
    for counts in (tally, total):
        counts.add(document, unread)
    blocks = _blocks(document, unread)
    if blocks:
        # No row can end the fence, as each begins with a number.
        width = 2 * len(str(len(document.source.lines))) + 1
        yield "```text"
        previous = ""
        for word, rows in blocks:
            if previous and (word != previous or word == "entry"):
                yield ""
            previous = word
            for row in rows:
                yield row.render(width, style)
        yield "```"
        yield ""
    yield from tally.render()


def _blocks(document: Document, unread: Unread) -> list[tuple[str, list[AnnotatedRow]]]:
    """Return rows that belong together, in the order of their lines, with what they are."""
    source = document.source
    blocks = [("section", [_section(section)]) for section in document.sections]
    for item in document.non_entries:
        text = _source_line(source, item.line)
        row = AnnotatedRow(item.line, item.end_line, f"no entry: {item.reason}", text)
        blocks.append(("no entry", [row]))
    for line in unread.lines:
        blocks.append(("not read", [AnnotatedRow(line, line, "not read:", _source_line(source, line))]))
    for line in unread.bare:
        row = AnnotatedRow(line, line, f"no entry: {BARE}", _source_line(source, line))
        blocks.append(("no entry", [row]))
    before = 0
    for index, entry in enumerate(document.entries):
        # Of several entries in a line, each shows its own part.
        start = entry.title_line.start if entry.line == before else 0
        before = entry.line
        blocks.append(("entry", list(_entry_rows(entry, document, unread.links.get(index, ()), start))))
    return sorted(blocks, key=lambda block: block[1][0].line)


def _section(section: Section) -> AnnotatedRow:
    """Return a section's title as it was read, and the venue and year that it states for what is below."""
    if section.kind == "heading":
        text = f"{'#' * section.level} {_shown(section.title)}"
    else:
        text = f"{_shown(section.title)} ({_KINDS.get(section.kind, section.kind)})"
    stated = []
    if section.citation is not None and section.citation.venue is not None:
        stated.append(f"venue {_shown(section.citation.venue.label)}")
    if section.year is not None:
        stated.append(f"year {section.year}")
    text += f"  [{', '.join(stated)}]" if stated else ""
    return AnnotatedRow(section.line, section.line, "section", text)
