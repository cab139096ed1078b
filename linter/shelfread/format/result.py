"""The styles that can be asked for, and the result of formatting a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from shelfread.core.diagnostics import TextEdit
from shelfread.core.source import Source

Bullet: TypeAlias = Literal["-", "*", "+", "majority", "keep"]
Number: TypeAlias = Literal["keep", "consecutive"]
EndOfLine: TypeAlias = Literal["keep", "lf", "crlf"]
EntryStyle: TypeAlias = Literal["bracket-links", "linked-title", "table"]
ENTRY_STYLES: tuple[EntryStyle, ...] = get_args(EntryStyle)


class Style(NamedTuple):
    """The configuration's `format`; the defaults follow the conventions of the text itself."""

    bullet: Bullet = "majority"
    number: Number = "keep"
    end_of_line: EndOfLine = "keep"
    entry: EntryStyle | Literal["keep"] = "keep"


class UnformattedBlock(NamedTuple):
    """A block that was left as it was: its line, from 1, and the reason."""

    line: int
    reason: str


class FormatResult(NamedTuple):
    """A formatted text, and the blocks that could not be formatted."""

    text: str
    unformatted: tuple[UnformattedBlock, ...]  # their lines are those of the formatted text
    origins: Sequence[int]  # for each line of the formatted text the index of the line that it was before

    @property
    def unformatted_before(self) -> tuple[UnformattedBlock, ...]:
        """The blocks that could not be formatted, with their lines in the text as it was."""
        return tuple(block._replace(line=self.origins[block.line - 1] + 1) for block in self.unformatted)

    def following(self, before: FormatResult) -> FormatResult:
        """Return this result of formatting the text of `before` as a result of formatting what that was made of."""
        return self._replace(origins=[before.origins[line] for line in self.origins])


def unchanged(source: Source) -> FormatResult:
    return FormatResult(source.text, (), range(len(source.lines)))


def line_origins(source: Source, after: Source, edits: Iterable[TextEdit]) -> list[int]:
    """Return for each line of an edited text the index of the line that it was in `source`."""
    copied, shift, end = [(0, 0)], 0, 0
    for edit in sorted(edits):
        if edit.start < end:
            continue  # it overlaps the one before, and was not made
        copied.append((edit.start + shift, edit.start))
        shift += len(edit.text) - (edit.end - edit.start)
        end = edit.end
        copied.append((end + shift, end))
    starts = [new for new, _ in copied]
    found = []
    for start in after.starts:
        index = bisect_right(starts, start) - 1
        new, old = copied[index]
        inserted = index % 2 == 1
        found.append(source.line_at(old if inserted else old + start - new))
    return found
