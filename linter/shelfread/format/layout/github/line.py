"""A line that is read from left to right, by characters and by columns."""

from __future__ import annotations

from shelfread.core.support.regex import lazy
from shelfread.format.layout.columns import TAB

_SPACES = lazy(r"[ \t]*")


class Line:
    """A line and how far it was read. A tab can be read in part: then `offset` is still that of the tab."""

    __slots__ = ("_tabs", "column", "first", "first_column", "is_tab_cut", "offset", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = self.column = 0
        self.is_tab_cut = False
        self._tabs = "\t" in text
        self.first = self.first_column = -1
        """Where the next character is that is no space, and its column."""
        self.find_text()

    @property
    def indent(self) -> int:
        """How many columns of spaces are ahead."""
        return self.first_column - self.column

    @property
    def is_blank(self) -> bool:
        return self.first == len(self.text)

    @property
    def rest(self) -> str:
        """What was not read yet, the rest of a tab as spaces."""
        if self.is_tab_cut:
            return " " * (TAB - self.column % TAB) + self.text[self.offset + 1 :]
        return self.text[self.offset :]

    def find_text(self) -> None:
        """Find the next character that is no space."""
        if self.first > self.offset:
            return
        match = _SPACES.match(self.text, self.offset)
        self.first = match.end() if match is not None else self.offset
        self.first_column = self.column + self.first - self.offset
        if self._tabs:
            column = self.column
            for character in self.text[self.offset : self.first]:
                column += TAB - column % TAB if character == "\t" else 1
            self.first_column = column

    def skip_to(self, offset: int) -> None:
        """Read up to a character."""
        while self.offset < offset:
            tab = self._tabs and self.text[self.offset] == "\t"
            step = 1 if self._tabs else offset - self.offset
            self.column += TAB - self.column % TAB if tab else step
            self.offset += step
            self.is_tab_cut = False
        self.find_text()

    def skip_columns(self, count: int) -> None:
        """Read some columns of spaces."""
        if not self._tabs:
            self.skip_to(min(len(self.text), self.offset + count))
            return
        while count > 0 and self.offset < len(self.text):
            width = TAB - self.column % TAB if self.text[self.offset] == "\t" else 1
            self.is_tab_cut = width > count
            self.column += min(width, count)
            self.offset += not self.is_tab_cut
            count -= width
        self.find_text()

    def skip_space(self) -> bool:
        """Read one column of spaces, if there is one."""
        if self.text[self.offset : self.offset + 1] not in (" ", "\t"):
            return False
        self.skip_columns(1)
        return True
