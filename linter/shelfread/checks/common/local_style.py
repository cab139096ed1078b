"""Forms that a section or a list of a document has throughout, although the others have another one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.conventions.majority import When
from shelfread.markdown.node import Block

_LEAST = 3
"""As many cases with the same form, and none with the usual one, are the style of their section or list."""


class Located(Protocol):
    """An entry, or a part of one."""

    @property
    def section(self) -> int | None: ...

    @property
    def span(self) -> Span: ...


class LocalStyles(NamedTuple):
    """How often each form answers a question in each section, and in each top-level block."""

    blocks: Sequence[Block]
    sections: Mapping[tuple[int | None, str], Counter[str]]
    lists: Mapping[tuple[int, str], Counter[str]]

    def has(self, located: Located, question: str, form: str, usual: str) -> bool:
        """Return whether the section or the list around it has this form, and never the usual one."""
        section = self.sections.get((located.section, question))
        around = self.lists.get((_block_index(self.blocks, located), question))
        return any(forms and forms[form] >= _LEAST and not forms[usual] for forms in (section, around))

    def lower(
        self, raw: RawDiagnostic, located: Located, question: str, form: str, usual: str, when: When
    ) -> RawDiagnostic:
        """Return a diagnostic of a form; if its section or list has the form, not the usual one, for information."""
        if when != "learned" or not self.has(located, question, form, usual):
            return raw
        return raw._replace(severity=Severity.INFO, applicability=Applicability.UNSAFE)


def local_styles(document: Document, cases: Iterable[tuple[Located, str, str]]) -> LocalStyles:
    """Return the forms of each section and list; a case is where it is, a question and a form."""
    blocks = document.tree.blocks
    sections: dict[tuple[int | None, str], Counter[str]] = {}
    lists: dict[tuple[int, str], Counter[str]] = {}
    for located, question, form in cases:
        sections.setdefault((located.section, question), Counter())[form] += 1
        lists.setdefault((_block_index(blocks, located), question), Counter())[form] += 1
    return LocalStyles(blocks, sections, lists)


def _block_index(blocks: Sequence[Block], located: Located) -> int:
    return bisect_right(blocks, located.span.start, key=lambda block: block.start) - 1
