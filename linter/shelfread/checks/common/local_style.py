"""Forms that a section or a list of a document has throughout, although the others have another one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.majority import When
from shelfread.markdown.node import Block

_LEAST = 3
"""As many cases with the same form, and no other, are the style of their section or list."""


class LocalStyles(NamedTuple):
    """How often each form answers a question in each section, and in each top-level block."""

    blocks: Sequence[Block]
    sections: Mapping[tuple[int | None, str], Counter[str]]
    lists: Mapping[tuple[int, str], Counter[str]]

    def has(self, entry: Entry, question: str, form: str) -> bool:
        """Return whether the section or the list of an entry has this form throughout."""
        section = self.sections.get((entry.section, question))
        around = self.lists.get((_block_index(self.blocks, entry), question))
        return any(
            forms is not None and forms[form] == forms.total() >= _LEAST for forms in (section, around)
        )

    def lower(
        self, raw: RawDiagnostic, entry: Entry, question: str, form: str, when: When = "learned"
    ) -> RawDiagnostic:
        """Return a diagnostic of a form; if its section or list has the form throughout, for information."""
        if when != "learned" or not self.has(entry, question, form):
            return raw
        return raw._replace(severity=Severity.INFO, applicability=Applicability.UNSAFE)


def local_styles(document: Document, cases: Iterable[tuple[Entry, str, str]]) -> LocalStyles:
    """Return the forms of each section and list; a case is an entry, a question and a form."""
    blocks = document.tree.blocks
    sections: dict[tuple[int | None, str], Counter[str]] = {}
    lists: dict[tuple[int, str], Counter[str]] = {}
    for entry, question, form in cases:
        sections.setdefault((entry.section, question), Counter())[form] += 1
        lists.setdefault((_block_index(blocks, entry), question), Counter())[form] += 1
    return LocalStyles(blocks, sections, lists)


def _block_index(blocks: Sequence[Block], entry: Entry) -> int:
    return bisect_right(blocks, entry.span.start, key=lambda block: block.start) - 1
