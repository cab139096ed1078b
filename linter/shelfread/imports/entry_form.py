"""The forms in which a list writes its entries: lines of literal text, and fields between it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy


class FormPart(NamedTuple):
    """A field, or literal text: `kind` is text, group, or a field: title, name, url, venue, acronym, year, short_year, month, citation, doi,
    arxiv, labels, label, link, badge, authors, affiliations, description, tags, other. What another entry alone is described by (other) is never written.

    `text` is the literal text, the role of a link, the roles of labels, a label's words, what stands for authors that are not
    named, what stands before an arXiv id or between tags, or a badge with a mark for the repository. `parts` are those of a group, which is written only if a field in it is; those
    of authors stand behind all of them, those of labels are the brackets of each, and that of a link is a word that its host has.
    """

    kind: str
    text: str = ""
    parts: tuple[FormPart, ...] = ()
    named: int = 0  # how many authors stand before `text`
    turned: int = 0  # of how many authors the family name stands first: none, that of the first (1), each (2)


class Line(NamedTuple):
    """A line of an entry, and how many blank lines are above it."""

    blanks: int
    is_nested: bool  # whether it is indented as the item's content is, apart from what its parts begin with
    parts: tuple[FormPart, ...]


# The form of an entry. That of a table row is one line, with a group for each cell.
Form: TypeAlias = tuple[Line, ...]


class Forms(NamedTuple):
    """How many entries in blocks of a kind have which form, in the whole list, in each section, and by whether they are preprints."""

    whole: Counter[Form]
    by_section: dict[int | None, Counter[Form]]
    by_preprint: dict[bool, Counter[Form]]


IDENTIFIER = "\0"  # the mark for the repository in a badge, and for the id of a page in the words of its link
ADDRESS = "\1"  # the mark for the address in the words of its link: `[example.org](https://example.org)`
ANY = "*"  # the role of a link whose words suit any: `[Link](u)`
DEFINED = "defined"  # the text of a URL that stands elsewhere, below the name of the entry: `[Quill]: u`


def short_address(url: str) -> str:
    """Return an address as the words of a link show it: `example.org/docs`."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/")


def flat(parts: Sequence[FormPart]) -> Iterator[FormPart]:
    """Yield fields and literal text, those of groups too."""
    for part in parts:
        if part.kind == "group":
            yield from flat(part.parts)
        else:
            yield part


def kinds_in(parts: Sequence[FormPart]) -> list[str]:
    return [part.kind for part in flat(parts) if part.kind != "text"]


def kinds_of(form: Form) -> set[str]:
    return {kind for line in form for kind in kinds_in(line.parts)}


def literals(parts: Sequence[FormPart]) -> list[str]:
    return [part.text for part in flat(parts) if part.kind == "text"]


# ------------------------------------------------------------------------------------------------------ parts of a text
# Pictures, tags, words in brackets, ratings, dates.
_TAG = r"`(?!(?:19|20)\d\d`)[^`\n]{1,60}`"
_OTHER = lazy(
    rf"(?P<tags>{_TAG}(?:(?P<joint>[ ,/|·]{{1,3}}){_TAG}){{0,9}})"
    r"|!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>|\[(?!(?:19|20)\d\d)[^\[\]\n]{1,60}\](?![(\[:])"
    r"|(?::[a-z][a-z0-9_+-]{1,30}:){2,9}"
    r"|(?P<date>(?<!\d)(?:(?P<month>(?:19|20)\d\d(?P<mark>[-/.])(?:0[1-9]|1[0-2]|[1-9])(?![-/.]?\d))"
    r"|(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s(?:\d{1,2},?\s)?(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:[-/.]\d\d?){0,2})(?!\d))"
)
_NUMBERS = lazy(
    r"[;,:]?\s?(?:\b(?:[Vv]ol|[Nn]o|[Pp]p?)\.\s?[\w–:-]{1,20}|(?<!\d)\d{1,5}\s?\(\d{1,4}\)(?:[:,]\s?\d{1,5}(?:[-–]{1,2}\d{1,5})?)?"
    r"|(?<!\d)\d{1,5}[-–]{1,2}\d{1,5}(?!\d))|\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?(?=\s$)"
)
_BLANKS = lazy(r"(?<=\S) {2,}(?=\S)")
# What stands for the authors that are not named, behind the place of the last one that is.
ET_AL = lazy(r"(?P<place>\s?\([^()\n]{1,80}\))?(?P<others>,?\s(?:\*|_)?(?:et\.?\s?al\b\.?|and others))")
_PAIRS = {"(": ")", "[": "]", "（": "）", "【": "】", "“": "”"}


class Piece(NamedTuple):
    """A part of a form in the text of an entry."""

    span: Span
    part: FormPart


def is_inside(inner: Span, outer: Span) -> bool:
    """Return whether a span, which is not empty, is inside another one."""
    return outer.start <= inner.start < inner.end <= outer.end


def group(span: Span, inner: Iterable[Piece], text: str) -> Piece:
    """Return a span as one group, with fields in it."""
    parts: list[FormPart] = []
    done = span.start
    for place, part in sorted(inner, key=lambda piece: piece.span):
        parts += [*literal(text[done : place.start]), part]
        done = place.end
    return Piece(span, FormPart("group", "", (*parts, *literal(text[done : span.end]))))


def literal(text: str) -> Iterator[FormPart]:
    """Yield literal text, if there is any, without volumes, pages and months: those of another entry are others."""
    if text := _NUMBERS.sub("", text):
        yield FormPart("text", _BLANKS.sub(" ", text))


# Marks of emphasis, whose number is odd where an end stands within a field.
_STAR = r"(?<![\\*])\*{1,3}(?![* ])|(?<=[^\\*\s])\*{1,3}(?!\*)"
_STARS = lazy(_STAR)
_MARK = lazy(
    rf"(\\?[\[\]]|[()（）【】\"“”`]|(?<!\w)__?(?!_)|__?(?!\w)|</?(?:b|i|u|em|ins|strong|sub|sup|small)>|{_STAR})"
)
_MOST_MARKS = 100
_FIELD = "|"  # stands for a field before a text


def bracketed(parts: Sequence[FormPart]) -> tuple[FormPart, ...]:
    """Return the parts of a line with each pair of brackets, quotes or marks around fields as a group, so that none stays alone."""
    pieces: list[FormPart] = []
    for part in parts:  # the group of a citation may begin within emphasis: `*OSDI*, 2020`
        for each in part.parts if part.kind == "group" and not is_whole(part.parts) else (part,):
            pieces += _split(each.text, bool(pieces)) if each.kind == "text" else (each,)
    if len(pieces) - len(parts) > 2 * _MOST_MARKS:
        return tuple(parts)
    levels: list[list[FormPart]] = [[]]
    for piece in pieces:
        mark = piece.text.lstrip("\\") if piece.kind == "text" and _MARK.fullmatch(piece.text) else ""
        if mark and len(levels) > 1 and _closing_of(levels[-1][0].text.lstrip("\\")) == mark:
            inner = [*levels.pop(), piece]
            levels[-1] += [FormPart("group", "", _joined_texts(inner))] if kinds_in(inner) else inner
        elif mark and _closing_of(mark):
            levels.append([piece])
        else:
            levels[-1].append(piece)
    return _joined_texts(piece for level in levels for piece in level)


def is_whole(parts: Sequence[FormPart]) -> bool:
    """Return whether the literal text of some parts opens no bracket, quote or emphasis that it does not close."""
    marks = _FIELD.join(literals(parts))
    return (len(_STARS.findall(marks)) | marks.count('"')) % 2 == 0 and all(
        marks.count(left) == marks.count(right) for left, right in ("()", "[]")
    )


def _closing_of(mark: str) -> str:
    """Return what closes brackets, quotes, emphasis or a tag; empty for what opens none."""
    if mark[0] in '*_`"':
        return mark
    return f"</{mark[1:]}" if mark[0] == "<" and mark[1] != "/" else _PAIRS.get(mark, "")


def _split(text: str, is_behind: bool) -> Iterator[FormPart]:
    """Yield literal text, with each mark for itself; a star right behind a field is one."""
    texts = _MARK.split(f"{_FIELD if is_behind else ''}{text}")
    return (FormPart("text", bare) for each in texts if (bare := each.removeprefix(_FIELD)))


def _joined_texts(parts: Iterable[FormPart]) -> tuple[FormPart, ...]:
    """Return parts with the pieces of each literal text as one."""
    runs = groupby(parts, key=lambda part: part.kind == "text")
    return tuple(
        part
        for is_text, run in runs
        for part in ([FormPart("text", "".join(piece.text for piece in run))] if is_text else run)
    )


def states_year(pieces: Iterable[Piece]) -> bool:
    kinds = kinds_in([piece.part for piece in pieces])
    return not {"year", "short_year", "citation"}.isdisjoint(kinds)


def literal_parts(text: str, year: int | None, stated: bool) -> Iterator[FormPart]:
    """Yield the text between fields, and what it has of its own: the first date is the year, unless that is stated."""
    done = 0
    for match in _OTHER.finditer(text):
        if match["tags"]:
            part = FormPart("tags", match["joint"] or " ")
        elif match["month"]:
            part = FormPart("month", match["mark"])
        elif not stated and match["date"] is not None and str(year) in match["date"]:
            part, stated = FormPart("year"), True
        else:
            part = FormPart("other")
        yield from literal(text[done : match.start()])
        yield part
        done = match.end()
    yield from literal(text[done:])


# ------------------------------------------------------------------------------------------------- a form with values
Fields: TypeAlias = "Callable[[FormPart], str | None]"  # gives the value of a field; None if it has none
_SEPARATORS = " .,;:：-–—"  # what parts a field from one that has no value
_JOINTS = " ,'’-"  # what parts fields within a group
CALLS = lazy(r"(?<!\w)(?P<word>[^\W\d_][\w ]{0,20})[:：]\s?$")  # before a link: `github: `
_LINK_MARKS = lazy(r"^\[|\]\(<?$")
_HARD_BREAK = lazy(r"(?:[ \t]|\\|<br ?/?>){1,9}$")


def render_form(form: Form, value: Fields, margin: str, newline: str) -> str:
    """Return an entry in a form, without the lines whose fields have no values; `margin` indents what is nested."""
    written = ""
    for line in form:
        text = render(line.parts, value, with_rest=bool(written))
        if text is not None and written:
            written += f"{newline * (line.blanks + 1)}{margin if line.is_nested else ''}{text}"
        elif text is not None:
            written = text.lstrip()
    return _HARD_BREAK.sub("", written)


def indented(form: Form, siblings: Counter[Form]) -> Form:
    """Return a form with its nested lines, if all are alike, indented as most of its siblings' are."""
    counts = Counter[str]()
    for sibling, count in siblings.items():
        counts.update({_indentation(line): count for line in sibling if line.is_nested})
    own = {_indentation(line) for line in form if line.is_nested}
    if len(own) != 1 or not counts:
        return form
    usual, blanks = counts.most_common(1)[0][0], len(own.pop())
    return tuple(
        line._replace(parts=(FormPart("text", usual), *_cut(line.parts, blanks))) if line.is_nested else line
        for line in form
    )


def _indentation(line: Line) -> str:
    first = line.parts[0]
    return first.text[: len(first.text) - len(first.text.lstrip())] if first.kind == "text" else ""


def _cut(parts: tuple[FormPart, ...], blanks: int) -> tuple[FormPart, ...]:
    return (parts[0]._replace(text=parts[0].text[blanks:]), *parts[1:]) if blanks else parts


def render(parts: Sequence[FormPart], value: Fields, *, with_rest: bool = False) -> str | None:
    """Return parts with the values of their fields, or None; what has no value goes with the text before it, but not `with_rest`."""
    written: list[str] = []
    pending = rest = ""
    dropped = False
    fields = 0
    for part in parts:
        if part.kind == "text":
            if not written:
                pending += part.text.lstrip(_SEPARATORS) if dropped else part.text
            else:
                pending += part.text.lstrip(".,;:") if pending else _behind(written, part.text)
            continue
        text = _filled(part.parts, value) if part.kind == "group" else value(part)
        dropped = text is None
        if text is not None:
            written += [rest, pending, text]
            pending = rest = ""
            fields += 1
        elif written:
            pending = _stop(pending)
        else:
            rest, pending = rest or pending * with_rest, ""
    if not written:
        return None
    if dropped and (end := _HARD_BREAK.search(pending)):
        pending = _stop(pending[: end.start()]) + end[0]
    elif dropped:
        pending = _stop(pending) if fields > 1 else ""  # a title alone is no sentence
    return "".join([*written, pending])


def _stop(text: str) -> str:
    """Return the stop that belongs to the field before a text."""
    return text[:1] if text[:1] in ".。)" else ""


def _behind(written: Sequence[str], text: str) -> str:
    """Return text without the stop that what stands before it makes needless: `Stone et al.`, `Why Sort?`."""
    before = next(filter(None, reversed(written)), "").rstrip('*_"”')
    return text[1:] if before.endswith((".", "?", "!")) and text.startswith(".") else text


def _filled(parts: Sequence[FormPart], value: Fields) -> str | None:
    """Return a group with its fields; None if none of them has a value, or a link in it has no words or no address."""
    written: list[str] = []
    has_field = has_value = after_gap = False
    for part in parts:
        if part.kind == "text":
            gap = _JOINTS if has_value else f"{_SEPARATORS}{_JOINTS}"
            written.append(_behind(written, part.text.lstrip(gap) if after_gap else part.text))
            after_gap = False
            continue
        if part.kind == "link" and has_field and not has_value:
            return None
        text = _filled(part.parts, value) if part.kind == "group" else value(part)
        if text is None and part.kind == "link":
            return None
        if text is None and written:  # what calls a link goes with it
            written[-1] = CALLS.sub("", written[-1])
        if text is None and part.kind == "url":
            words = (
                each._replace(text=_LINK_MARKS.sub("", each.text)) if each.kind == "text" else each
                for each in takewhile(part.__ne__, parts)
            )
            return render(list(words), value)
        is_cut = (text or "")[:1] == "(" and part.parts[:1] == (FormPart("venue"),)
        if has_value and (
            text is None or is_cut
        ):  # `Stone (2020)` of a form with a venue: `Stone, OSDI (2020)`
            written[-1] = written[-1].rstrip(_JOINTS) + " " * is_cut
        # A group in brackets leaves the text behind it as it is: `arXiv (2023)` of a form with an acronym.
        after_gap = text is None and (part.kind != "group" or not has_value)
        has_field, has_value = True, has_value or text is not None
        written.append(text or "")
    return "".join(written) if has_value else None
