"""What every report is rendered with: its context, text that is safe on a terminal or in Markdown, and JSON."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import category, east_asian_width

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.engine.model import RunResult
from shelfread.rulebook.metadata import RuleMetadata

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36}
# Joiners are part of emoji and of scripts; all else that is invisible could forge what a reader sees.
_JOINERS = "\u200c\u200d"


class TerminalStyle(NamedTuple):
    """What a terminal can show."""

    colour: bool = False
    unicode: bool = True
    width: int = 100

    def paint(self, text: str, *styles: str) -> str:
        """Return the text in these colours; unchanged if the terminal has none."""
        if not (self.colour and text and styles):
            return text
        return f"\033[{';'.join(str(_CODES[style]) for style in styles)}m{text}\033[0m"

    @property
    def ellipsis(self) -> str:
        """Return the sign for text that is left out."""
        return "…" if self.unicode else "..."


def printable_character(character: str) -> str:
    """Return a character as it is printed: a tab as spaces, control and bidi characters as `<U+202E>`."""
    if character.isprintable():
        return character
    if character == "\t":
        return "    "
    if category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS:
        return f"<U+{ord(character):04X}>"
    return character


def printable(text: str) -> str:
    """Return a text without characters that control the terminal or reorder what it shows."""
    return text if text.isprintable() else "".join(map(printable_character, text))


def width(text: str) -> int:
    """Return the number of columns that a printable text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if east_asian_width(character) in "WF":
        return 2
    return 0 if category(character) in ("Mn", "Me", "Cf") else 1


def fit(cells: Iterable[str], room: int) -> tuple[list[str], int]:
    """Return the leading cells that fit into `room` columns, and the number of columns that they take."""
    taken: list[str] = []
    used = 0
    for cell in cells:
        columns = width(cell)
        if used + columns > room:
            break
        used += columns
        taken.append(cell)
    return taken, used


def wrapped(text: str, room: int) -> list[str]:
    """Return the words of a printable text in lines of at most `room` columns; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


# Printed as they are, these end a line for some readers, control a terminal, are not seen, turn the direction of
# what is read, or are not UTF-8.
_UNSAFE = lazy(
    r"[\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)


def dumps(data: Any, indent: int | None = 2) -> str:
    """Return JSON text, in one line without `indent`, with control and bidi characters and `##[`, GitHub's commands, escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=indent).replace("##[", "##\\u005b")
    return without_unsafe(text)


def without_unsafe(text: str) -> str:
    """Return JSON text in which characters are escaped that no output may have as they are."""
    return _UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], text)


# Plain text that GitHub turns into links or emoji: @name, #1, GH-1, bare URLs, :name:.
_ACTIVE = lazy(
    r"(?i)(?P<call>[@#](?=\w)|(?<=GH)-(?=\d)|:(?=//)|(?<=www)\.|:(?=[\w+-]{1,40}:))|[\\`*_\[\]<>&~|{}$!]"
)
# Breaks a mention without being visible.
_ZERO_WIDTH_SPACE = "&#8203;"
_SCHEMES = ("http://", "https://")
_MAX_URL = 1000


def escape(text: str, most: int = 0) -> str:
    """Return Markdown that shows a text as it is, cut to `most` characters if that is not 0."""
    return _ACTIVE.sub(_escaped, _cut(printable(text), most))


def _escaped(match: re.Match[str]) -> str:
    return match[0] + _ZERO_WIDTH_SPACE if match["call"] else f"&#{ord(match[0])};"


def code(text: str, most: int = 0) -> str:
    """Return a code span, cut to `most` characters if that is not 0."""
    from shelfread.markdown.html import code_span  # what a run prints from the cache needs no Markdown

    return code_span(_cut(printable(text), most))


def link(text: str, url: str) -> str:
    """Return a link whose `text` is escaped already; only the text if the URL is not an HTTP one."""
    if not url.lower().startswith(_SCHEMES) or len(url) > _MAX_URL or not url.isprintable():
        return text
    target = url.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E").replace(" ", "%20")
    target = target.replace("##[", "##%5B")  # a command to a runner that shows the text in a log
    return f"[{text}](<{target}>)"


def _cut(text: str, most: int) -> str:
    return f"{text[:most]}…" if most and len(text) > most else text


class RenderContext(NamedTuple):
    """Where a report is read, and what it shows."""

    style: TerminalStyle = TerminalStyle()
    # findings below it are only counted; `json` has them all the same.
    min_severity: Severity = Severity.WARNING
    # the checkout's absolute path, which services count paths from; empty: the working directory.
    root: str = ""
    # returns the URL of a line, from 1, of a file; empty if there is none.
    line_url: Callable[[str, int], str] = lambda path, line: ""
    # returns the rules by id; they are read only if a report needs them.
    catalogue: Callable[[], Mapping[str, RuleMetadata]] = dict
    fix_command: str = "shelfread fix"  # the command that applies the safe fixes
    unsafe_fix_command: str = "shelfread fix --unsafe-fixes"  # the command that applies the unsafe fixes too
    # the PATHs of the command line; None: there is no file to run another command on.
    arguments: Sequence[str] | None = None
    configured: bool = False  # whether the lists have a configuration


def findings(run: RunResult, min_severity: Severity) -> Iterator[tuple[Diagnostic, Source]]:
    """Yield the findings of all files, each with the source that it is about."""
    for result in run.files:
        for diagnostic in result.diagnostics:
            if diagnostic.severity >= min_severity:
                yield diagnostic, result.source


def relative_path(path: str, root: str) -> str:
    """Return a path relative to `root` if it is below it, else unchanged."""
    if not root:
        return path
    try:
        inside = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    except ValueError:  # on another drive
        return path
    return path if inside.split("/")[0] == ".." else inside


class Tally(NamedTuple):
    """What was found, what of it is shown, and what became of the fixes."""

    shown: Sequence[Diagnostic]
    hidden: int
    fixed: int
    more: int  # what was fixed that came up only on the way
    dropped: Mapping[Diagnostic, str]  # why a fix was not applied

    def fixed_lines(self) -> Iterator[str]:
        """Yield how many findings were fixed."""
        if self.fixed or self.more:
            yield f"{counted(self.fixed, 'finding')} fixed{on_the_way(self.more)}."

    def fixable(self) -> tuple[int, int]:
        """Return the number of safe and of unsafe fixes; what is not shown is not fixed."""
        fixes = Counter(
            item.fix.applicability for item in self.shown if item.fix and item not in self.dropped
        )
        return fixes[Applicability.SAFE], fixes[Applicability.UNSAFE]

    def fixable_lines(self, command: str, unsafe_command: str) -> Iterator[str]:
        """Yield how many findings the commands can fix."""
        safe, unsafe = self.fixable()
        if safe:
            more = f", {unsafe} more with '--unsafe-fixes'" if unsafe else ""
            yield f"{safe} can be fixed with '{command}'{more}."
        elif unsafe:
            yield f"{unsafe} can be fixed with '{unsafe_command}'."


def tally(run: RunResult, min_severity: Severity) -> Tally:
    """Count the findings of a run; those below `min_severity` are not shown."""
    diagnostics = [diagnostic for result in run.files for diagnostic in result.diagnostics]
    fixes = [result.fixed for result in run.files if result.fixed]
    shown = [diagnostic for diagnostic in diagnostics if diagnostic.severity >= min_severity]
    return Tally(
        shown,
        len(diagnostics) - len(shown),
        sum(fix.shown for fix in fixes),
        sum(fix.more for fix in fixes),
        {diagnostic: reason for fix in fixes for diagnostic, reason in fix.dropped},
    )


def on_the_way(number: int) -> str:
    """Return what follows the count of the fixed findings, if so many more came up only when they were fixed."""
    return f", {number} more on the way" if number else ""


def hidden_lines(number: int) -> Iterator[str]:
    """Yield how many infos are hidden, and the option that shows them."""
    if number:
        yield f"{counted(number, 'info')} hidden (show with --show-info)."
