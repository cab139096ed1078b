"""How entries lay out their line: the gaps between its parts, labels and their order, and how descriptions are written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.document.plain_text import SHORTCODE
from shelfread.index.conventions import Observation, Topic, question
from shelfread.markdown.node import Link

# What no gap has: words, a new line, a cell of a table.
_NOT_GAP = lazy(r"[^\W_]|[\n\r|<>]")
_SPACES = lazy(r"[ \t]+")
_CLOSING = ",.;:!?)]"
_LONGEST_GAP = 12

_COMPOUND = lazy(r"([^\W\d_][\w.+-]*)\s?[(（].+")
# The last link of a row is its label: `| [Official](u) |`.
LABEL_ORDER: Final = Topic("label-order")

_MAX_LABELS = 6  # at most so many labels of an entry are compared with each other


class Gap(NamedTuple):
    """The text between two parts: spaces and punctuation only."""

    kind: str  # the parts and the punctuation between them: `label-label `, `title-text :` ...
    form: str
    span: Span


def gaps(entry: Entry, text: str) -> Iterator[Gap]:
    """Yield the gaps of an entry's title line."""
    for (_, start, before), (end, _, after) in pairwise(_parts(entry, text)):
        if start <= end <= start + _LONGEST_GAP:
            form = text[start:end]
            punctuation = _punctuation(form)
            if punctuation is not None and text[end] not in _CLOSING:
                yield Gap(f"{before}-{after} {punctuation}", form, Span(start, end))


@lru_cache(maxsize=256)  # few gaps differ
def _punctuation(gap: str) -> str | None:
    """Return a gap without its spaces; None if it has words."""
    return None if _NOT_GAP.search(gap) else _SPACES.sub("", gap)


def _parts(entry: Entry, text: str) -> list[tuple[int, int, str]]:
    first, last = entry.title_line
    parts = []
    main = main_link(entry)
    if main is not None:
        parts.append((main.link.start, main.link.end, "link"))
    elif first <= entry.title.span.start < last:
        parts.append((*entry.title.span, "title"))
    if entry.citation is not None and first <= entry.citation.span.start < last:
        parts.append((*entry.citation.span, "venue"))
    by = entry.authors[0].span.start - 3 if entry.authors else 0
    if first < by < last and text.startswith("by ", by) and not text[by - 1].isalnum():
        parts.append((by, entry.authors[-1].span.end, "authors"))
    if entry.kind == "classic" and entry.description is not None:
        parts.append((*entry.description.span, "text"))
    for _, _, link in entry.links if main is None else entry.links[1:]:
        if first <= link.start < last:
            parts.append((link.start, link.end, "label"))
    return sorted(parts)


def main_link(entry: Entry) -> LabelledLink | None:
    """Return the link that an entry's title is, is in, or begins with: `[Orca](u): A Serving System`."""
    first = entry.links[0] if entry.links else None
    return first if first and first.link.start <= entry.title.span.start < first.link.end else None


def labels_of(entry: Entry, text: str) -> Iterator[LabelledLink]:
    """Yield the links of an entry that are labels; of a classic entry only those in brackets, as others are prose."""
    for label in entry.links if main_link(entry) is None else entry.links[1:]:
        if entry.kind == "paper" or _is_bracketed(label.link, text):
            yield label


def _is_bracketed(link: Link, text: str) -> bool:
    """Return whether a link has brackets around it or in it: `([Code](u))`, `[[Code]](u)`."""
    return (
        text[link.start - 1 : link.start] in ("[", "(")
        or text[link.end : link.end + 1] in ("]", ")")
        or text[link.text.start : link.text.start + 1] in ("[", "(")
    )


def sections_with_entries(document: Document) -> set[int]:
    """Return the indexes of the sections that hold entries, and of their parents."""
    own = {entry.section for entry in document.entries}
    return {index for section in own for index in document.above(section)}


class SpeltLabel(NamedTuple):
    """The word of a label that is compared, the span of the link's text, and where the list has it."""

    word: str
    span: Span
    section: int | None


def find_labels(document: Document) -> Iterator[SpeltLabel]:
    """Yield the labels of entries, of a compound label its first word, and those that end rows of other tables."""
    text = document.source.text
    for entry in document.entries:
        for label in labels_of(entry, text):
            compound = _COMPOUND.fullmatch(label.label) if label.label[-1:] in ")）" else None
            word = compound[1] if compound is not None else label.label
            yield SpeltLabel(word, label.link.text, entry.section)
    rows = {entry.block.start for entry in document.entries}
    for table in document.tree.blocks:
        if table.kind == "table" and rows.isdisjoint(row.start for row in table.blocks):
            for link in (node for row in table.blocks for node in row.blocks[-1].inlines):
                if isinstance(link, Link) and (word := text[slice(*link.text)]).isalpha():
                    yield SpeltLabel(word, link.text, None)


def compare_labels(first: LabelledLink, second: LabelledLink) -> Observation | None:
    """Return which of two labels comes first; None for two labels of one role."""
    kind, other = kind_of(first), kind_of(second)
    if kind == other:
        return None
    return question(LABEL_ORDER, f"{min(kind, other)} {max(kind, other)}"), kind


def observe_label_order(entry: Entry, text: str) -> Iterator[Observation]:
    """Yield the order of each two labels of an entry."""
    if len(entry.links) < 2:
        return
    for first, second in combinations(list(labels_of(entry, text))[:_MAX_LABELS], 2):
        if (order := compare_labels(first, second)) is not None:
            yield order


def kind_of(label: LabelledLink) -> str:
    """Return a label's role, or the label itself if it has none, as one word."""
    return label.role.id if label.role is not None else "_".join(label.label.casefold().split())


SEPARATOR: Final = Topic("separator")
DESCRIPTION_START: Final = Topic("description-start")
DESCRIPTION_END: Final = Topic("description-end")

BLANKS = " \t\n\r\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"
_MARKS = "-‐‑‒–—―−－:：|｜→~,"
# What most entries have after a link's destination; checked first for speed.
_USUAL = ") - "
_OPENING = "*_`~["
_DESCRIPTION_END = "*_~`]"
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
    if text[start - 1] == "`" and text[first:start].lstrip(BLANKS)[:1] in _MARKS:
        return None  # `[Foo](u): `code` - text`: the first mark separates
    if start == middle and text[middle:end] == "-" and text[end].islower():
        return None  # `[LSP](u)-based`: a compound
    if middle == after and _ATTACHED.match(text, end):
        if start == middle and text[end] == "-" and text[end + 1].islower():
            return None  # `[LSP](u)-based`: a compound
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
    if has_cjk(text[slice(*entry.description.span)]):
        return None
    return Span(*match.span())


def has_cjk(text: str) -> bool:
    """Return whether a text has words in Chinese, Japanese or Korean."""
    return not text.isascii() and _CJK.search(text) is not None


def find_description_end(entry: Entry, text: str) -> DescriptionEnd | None:
    """Return how a description ends; None if that is unclear, or if a label, a badge or tags follow."""
    if entry.description is None:
        return None
    start, end = entry.description.span
    last_line = entry.title_line.end
    if end > last_line:  # on a line of its own
        last_line = line_end if (line_end := text.find("\n", end)) >= 0 else len(text)
    offset = _skip_closing(text, end, last_line)
    target = _TARGET.match(text, offset) if offset > end else None
    if target and _continues_sentence(text, text.rfind("[", start, end), start):
        offset = _skip_closing(text, target.end(), last_line)
    if text[offset:last_line].strip():
        return None
    script = "cjk" if has_cjk(text[start:end]) else "latin"
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
    if len(word) == 1 or text[end - 2] in _STOPS or word[0] in ":;=":
        return None  # a stray letter, a smiley
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
    while offset < last and text[offset] in _DESCRIPTION_END:
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
