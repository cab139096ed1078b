"""How classic entries write their description: the separator before it, how it starts and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Entry
from shelfread.document.plain_text import SHORTCODE
from shelfread.index.conventions import Observation, Topic, question
from shelfread.index.line_style import main_link

SEPARATOR: Final = Topic("separator")
DESCRIPTION_START: Final = Topic("description-start")
DESCRIPTION_END: Final = Topic("description-end")

BLANKS = " \t\n\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
_MARKS = "-‐‑‒–—―−－:：|｜→~,"
# What most entries have after a link's destination; checked first for speed.
_USUAL = ") - "
_OPENING = "*_`~["
_CLOSING = "*_~`]"
_STOPS = ".!?…。！？．"
_LONGEST = 60
_CJK = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff60]")
_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ATTACHED = lazy(r"[-–—][^\W\d_]|[-–—]【")
_ATTRIBUTION = lazy(r"[\"”»] ?[-–—]")
_TARGET = lazy(r"\((?:[^()\s]|\([^()\s]*\)){1,500}\)")
# An emoji before a description: `[gody](u) - :balloon: A validator.`
_EMOJI = lazy(rf"(?:(?:{SHORTCODE}|[\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?)[ \t]*)+\Z")
# What continues a name: `node.js`, `x86`, `a/b`, `i18n`, `user@host`.
_NAME_CONTINUES = lazy(r"[\d_/@+#&(=]|[.:]\w")


_SEPARATED = lazy(r"\w[*_]{0,3} [-–—] ")


class Separator(NamedTuple):
    """The text between an entry's link and its description: ` - `; a line break counts as a space."""

    span: Span
    form: str
    mark: str


def lacks_space_before(form: str, usual: str) -> bool:
    """Return whether a form lacks only the space before its `:`, `,` or `;`, as in `: ` for ` : `."""
    mark = usual.strip(BLANKS)
    return mark in (":", ",", ";") and usual == f" {form}" and form.startswith(mark)


class DescriptionEnd(NamedTuple):
    """How a description ends."""

    script: str  # latin or cjk
    form: str  # `stop`, `none`, or the stop itself for cjk
    offset: int  # where a stop belongs


def is_described(entry: Entry) -> bool:
    """Return whether an entry is a list item that begins with a link and has a description."""
    return entry.kind == "classic" and entry.dialect == "classic" and entry.description is not None


def separator(entry: Entry, text: str) -> Separator | None:
    """Return what separates a classic entry's link, or the labels after it, from its description."""
    if entry.description is None:
        return None
    start = entry.description.span.start
    if text[start - 4 : start] == _USUAL:
        return Separator(Span(start - 3, start), " - ", "-")
    main = main_link(entry)
    end = text_start(entry, text)
    if main is None or end is None or end <= main.link.end:
        return None
    if _SEPARATED.search(text, entry.title_line.start, main.link.start):
        return None  # `**Foo** - [Bad](u). Text`: it stands before the link
    first = main.link.end
    near = max(first, end - 200)
    between = text[near:end]
    if (":" in between or not between.isascii()) and (emoji := _EMOJI.search(text, near, end)):
        end = emoji.start()
    after = _skip_back(text, first, end, BLANKS)
    middle = _skip_back(text, first, after, _MARKS)
    start = _skip_back(text, first, middle, BLANKS)
    if middle == after and _ATTACHED.match(text, end):
        middle, after, end = end, end + 1, end + 1  # `[Foo](u) -Text`
    mark = text[middle:after]
    if not mark and start > first and (text[start - 1].isalnum() or text[start - 1] in _STOPS):
        return None  # `[Foo](u) by Ada Stone. Text`: words stand between them
    form = _unwrap(text[start:middle]) + mark + _unwrap(text[after:end])
    return Separator(Span(start, end), form, mark)


def text_start(entry: Entry, text: str) -> int | None:
    """Return where a description starts with its markup: before `**`, a backtick, a link's bracket."""
    if entry.description is None:
        return None
    start = entry.description.span.start
    return _skip_back(text, max(entry.title_line.start, start - _LONGEST), start, _OPENING)


def first_word(entry: Entry, text: str) -> Span | None:
    """Return the plain word that a description starts with; None for code, links, names and other markup."""
    opening = text_start(entry, text)
    if opening is None or entry.description is None:
        return None
    start = entry.description.span.start
    match = None if set(text[opening:start]) & {"`", "["} else _WORD.match(text, start)
    if match is None or (len(match[0]) > 1 and not match[0][1:].islower()):
        return None
    if text.startswith("://", match.end()) or _NAME_CONTINUES.match(text, match.end()):
        return None
    if not entry.description.value.isascii() and _CJK.search(text, *entry.description.span):
        return None
    return Span(*match.span())


def find_description_end(entry: Entry, text: str) -> DescriptionEnd | None:
    """Return how a description ends; None if that is unclear, or if a label, a badge or tags follow."""
    if entry.description is None:
        return None
    start, end = entry.description.span
    plain = entry.description.value.isascii()
    if end == entry.title_line.end and plain and text[end - 1] == ".":
        return DescriptionEnd("latin", "stop", end)  # the usual case, checked first for speed
    offset = _skip_closing(text, end, entry.title_line.end)
    target = _TARGET.match(text, offset) if offset > end else None
    if target and _continues_sentence(text, text.rfind("[", start, end), start):
        offset = _skip_closing(text, target.end(), entry.title_line.end)
    if text[offset : entry.title_line.end].strip():
        return None
    script = "latin" if plain or not _CJK.search(text, start, end) else "cjk"
    if "`" in text[end:offset]:
        continues = _continues_sentence(text, text.rfind("`", start, end), start)
        return DescriptionEnd(script, "none", offset) if continues else None
    last = text[end - 1]
    if last in "\"'”’»" and end - 2 > start and text[end - 2] in _STOPS:
        last = text[end - 2]
    if last in _STOPS:
        return DescriptionEnd(script, last if script == "cjk" and last in ".。" else "stop", offset)
    word = text[max(start, text.rfind(" ", max(start, end - 200), end) + 1) : end]
    if not (last.isalnum() or last in ",;，；") or "://" in word or "www." in word or "@" in word:
        return None
    if len(word) == 1 or text[end - 2] in _STOPS:
        return None  # a stray letter
    if _ATTRIBUTION.search(text, max(start, end - _LONGEST), end):
        return None
    return DescriptionEnd(script, "none", offset)


def observe_description_style(entry: Entry, text: str) -> Iterator[Observation]:
    """Yield how a classic entry separates, starts and ends its description."""
    if not is_described(entry) or entry.description is None:
        return
    start = entry.description.span.start
    style = separator(entry, text)
    if style is not None:
        yield question(SEPARATOR), style.form
    if style is not None and style.mark:
        first = text[start]
        if first.isupper():
            yield question(DESCRIPTION_START), "capital"
        elif first.islower() and first_word(entry, text) is not None:
            yield question(DESCRIPTION_START), "small"
    if (description_end := find_description_end(entry, text)) is not None:
        yield question(DESCRIPTION_END, description_end.script), description_end.form


def _skip_closing(text: str, offset: int, last: int) -> int:
    """Return the offset after the markup that closes emphasis or code."""
    while offset < last and text[offset] in _CLOSING:
        offset += 1
    return offset


def _continues_sentence(text: str, offset: int, start: int) -> bool:
    """Return whether a lowercase word precedes the code or link at `offset`."""
    return offset - 2 > start and text[offset - 1] == " " and text[offset - 2].islower()


def _skip_back(text: str, first: int, offset: int, characters: str) -> int:
    while offset > first and text[offset - 1] in characters:
        offset -= 1
    return offset


def _unwrap(spaces: str) -> str:
    return " " if "\n" in spaces or "\r" in spaces else spaces
