"""How a classic entry puts its text: what parts it from the link, how it begins and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry
from shelfread.index.conventions.question import Observation, Question, Topic
from shelfread.index.conventions.title_line import main_link

SEPARATOR: Final = Topic("separator")
DESCRIPTION_START: Final = Topic("description-start")
DESCRIPTION_END: Final = Topic("description-end")

BLANKS = " \t\n\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
_MARKS = "-‐‑‒–—―−－:：|｜→~,"
# Behind a link's address: what most entries have, so that nothing else need be looked at.
_USUAL = ") - "
_ENTITIES = ("&ndash;", "&mdash;", "&#8211;", "&#8212;")
_OPENING = "*_`~["
_CLOSING = "*_~`]"
_STOPS = ".!?…。！？．"
_LONGEST = 60
_CJK = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff60]")
_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_GLUED = lazy(r"[-–—][^\W\d_]|[-–—]【")
_SAID_BY = lazy(r"[\"”»] ?[-–—]")
_TARGET = lazy(r"\((?:[^()\s]|\([^()\s]*\)){1,500}\)")
# What makes a name of the word before it: `node.js`, `x86`, `a/b`, `i18n`, `user@host`.
_NAME_GOES_ON = lazy(r"[\d_/@+#&(=]|[.:]\w")


class Separator(NamedTuple):
    """What stands between an entry's link and its text: ` - `; blanks at a line's end count as one."""

    span: Span
    form: str
    mark: str


class DescriptionEnd(NamedTuple):
    """How a text ends: `script` is latin or cjk, `form` the stop or `none`; `at` is where one would stand."""

    script: str
    form: str
    offset: int


def is_described(entry: Entry) -> bool:
    """Whether an entry is the item of a list that begins with a link and says something of it."""
    return entry.kind == "classic" and entry.dialect == "classic" and entry.description is not None


def separator(entry: Entry, text: str) -> Separator | None:
    """What parts a classic entry's link, or the labels behind it, from its text."""
    if entry.description is None:
        return None
    start = entry.description.span.start
    if text[start - 4 : start] == _USUAL:
        return Separator(Span(start - 3, start), " - ", "-")
    main = main_link(entry)
    if main is None:
        return None
    first = main.link.end
    end = text_start(entry, text)
    if end is None or end <= first:
        return None
    after = _skip_back(text, first, end, BLANKS)
    if text.endswith(_ENTITIES, first, after):
        middle = text.rindex("&", first, after)
    else:
        middle = _skip_back(text, first, after, _MARKS)
    start = _skip_back(text, first, middle, BLANKS)
    if middle == after and _GLUED.match(text, end):
        middle, after, end = end, end + 1, end + 1  # `[Foo](u) -Text`
    mark = text[middle:after]
    form = _blank(text[start:middle]) + mark + _blank(text[after:end])
    return Separator(Span(start, end), form, mark)


def text_start(entry: Entry, text: str) -> int | None:
    """Where a text begins with its marks: before `**`, a backtick, a link's bracket."""
    if entry.description is None:
        return None
    start = entry.description.span.start
    return _skip_back(text, max(entry.title_line.start, start - _LONGEST), start, _OPENING)


def first_word(entry: Entry, text: str) -> Span | None:
    """The plain word that a text begins with; None for code, links, names by their form, and other marks."""
    opening = text_start(entry, text)
    if opening is None or entry.description is None:
        return None
    start = entry.description.span.start
    match = None if set(text[opening:start]) & {"`", "["} else _WORD.match(text, start)
    if match is None or (len(match[0]) > 1 and not match[0][1:].islower()):
        return None
    if text.startswith("://", match.end()) or _NAME_GOES_ON.match(text, match.end()):
        return None
    if not entry.description.value.isascii() and _CJK.search(text, *entry.description.span):
        return None
    return Span(*match.span())


def find_description_end(entry: Entry, text: str) -> DescriptionEnd | None:
    """How a text ends; None for what is no sentence's end, or has a label, a badge or tags behind it."""
    if entry.description is None:
        return None
    start, end = entry.description.span
    plain = entry.description.value.isascii()
    if end == entry.title_line.end and plain and text[end - 1] == ".":
        return DescriptionEnd("latin", "stop", end)  # as most do
    at = _skip_closing(text, end, entry.title_line.end)
    if (
        at > end
        and (match := _TARGET.match(text, at))
        and _runs_into(text, text.rfind("[", start, end), start)
    ):
        at = _skip_closing(text, match.end(), entry.title_line.end)
    if text[at : entry.title_line.end].strip():
        return None
    script = "latin" if plain or not _CJK.search(text, start, end) else "cjk"
    if "`" in text[end:at]:
        runs_into = _runs_into(text, text.rfind("`", start, end), start)
        return DescriptionEnd(script, "none", at) if runs_into else None
    last = text[end - 1]
    if last in "\"'”’»" and end - 2 > start and text[end - 2] in _STOPS:
        last = text[end - 2]
    if last in _STOPS:
        return DescriptionEnd(script, last if script == "cjk" and last in ".。" else "stop", at)
    word = text[max(start, text.rfind(" ", max(start, end - 200), end) + 1) : end]
    if not (last.isalnum() or last in ",;，；") or "://" in word or "www." in word or "@" in word:
        return None
    if len(word) == 1 or text[end - 2] in _STOPS:
        return None  # a letter that somebody's hand slipped on
    if _SAID_BY.search(text, max(start, end - _LONGEST), end):
        return None
    return DescriptionEnd(script, "none", at)


def observe_description_style(entry: Entry, text: str) -> Iterator[Observation]:
    """The habits of classic entries' texts."""
    if not is_described(entry) or entry.description is None:
        return
    start = entry.description.span.start
    marked = text[start - 4 : start] == _USUAL
    if marked:
        yield Observation(Question(SEPARATOR), " - ")
    elif (parted := separator(entry, text)) is not None:
        yield Observation(Question(SEPARATOR), parted.form)
        marked = parted.mark != ""
    if marked:
        first = text[start]
        if first.isupper():
            yield Observation(Question(DESCRIPTION_START), "capital")
        elif first.islower() and first_word(entry, text) is not None:
            yield Observation(Question(DESCRIPTION_START), "small")
    ended = find_description_end(entry, text)
    if ended is not None:
        yield Observation(Question(DESCRIPTION_END, ended.script), ended.form)


def _skip_closing(text: str, at: int, last: int) -> int:
    """Where the marks that close emphasis or code end."""
    while at < last and text[at] in _CLOSING:
        at += 1
    return at


def _runs_into(text: str, at: int, start: int) -> bool:
    """Whether the sentence runs into the code or link that begins here: a small word stands before it."""
    return at - 2 > start and text[at - 1] == " " and text[at - 2].islower()


def _skip_back(text: str, first: int, at: int, characters: str) -> int:
    while at > first and text[at - 1] in characters:
        at -= 1
    return at


def _blank(blanks: str) -> str:
    return " " if "\n" in blanks or "\r" in blanks else blanks
