"""What was read of lists, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from shelfread.core.wording import counted
from shelfread.document.entry_data import citation_and_year
from shelfread.document.model import Document, Entry
from shelfread.document.non_entries import BARE
from shelfread.document.unread import Unread


@dataclass(slots=True)
class ReadingCounts:
    """How many entries, uncertain fields, and lines without an entry some lists have."""

    files: int = 0
    entries: int = 0
    papers: int = 0
    doubtful: int = 0
    """Entries with an uncertain field."""
    uncertain: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    """Papers by a field that they do not state."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Lines that are no entry, by reason."""
    lines: int = 0
    links: int = 0

    def add(self, document: Document, unread: Unread) -> None:
        """Count a list too."""
        self.files += 1
        self.entries += len(document.entries)
        for entry in document.entries:
            self.doubtful += bool(entry.uncertain)
            self.uncertain.update(entry.uncertain)
            if entry.kind == "paper":
                self.papers += 1
                self.lacking.update(_lacking(entry, document))
        self.reasons.update(item.reason for item in document.non_entries)
        self.reasons.update(BARE for _ in unread.bare)
        self.lines += len(unread.lines)
        self.links += sum(map(len, unread.links.values()))

    def render(self) -> Iterator[str]:
        """Yield the counts as the items of a Markdown list; what is nowhere is not named."""
        papers = f", {counted(self.papers, 'paper')}" if self.papers else ""
        yield f"- {counted(self.entries, 'entry', 'entries')}{papers}"
        if self.lacking:
            yield f"- papers without: {_counts(self.lacking)}"
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


def _lacking(entry: Entry, document: Document) -> Iterator[str]:
    citation, year = citation_and_year(entry, document)
    stated = {
        "venue": citation is not None,
        "year": year is not None,
        "authors": bool(entry.authors),
        "links": bool(entry.links),
    }
    return (name for name, value in stated.items() if not value)


def _counts(counter: Counter[str]) -> str:
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return "; ".join(f"{name} ({number:,})" for name, number in ordered)
