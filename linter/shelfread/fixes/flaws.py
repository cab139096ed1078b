"""Guard the fixes of one document: none that leaves a new flaw on its lines, none safe at the border of an uncertain field."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Fix, Span, apply_edits
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.document.plain_text import SHORTCODE

_MARKS_AND_WORDS = frozenset({Change.MARKUP, Change.WORDS})
_CLOSER_OF = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "「": "」", "【": "】", "《": "》"}
_CLOSERS = frozenset(_CLOSER_OF.values())
_BRACKETS = _CLOSERS | _CLOSER_OF.keys()
# How many characters of a line before and after an edit are looked at: a line may have thousands of edits.
_AROUND = 300

# A colon, comma or second stop behind a stop, but not behind `et al.`, `Inc.` or an initial, and no ellipsis.
_MARKS = lazy(
    r"\.\.(?!\.)(?<!\.\.\.)|。[.。]|[:;,!?]\.(?!\.|\w)|,[,;]|;[,;]|\.[:,;](?<!\bal\..)(?<!\betc\..)(?<!\bInc\..)"
    r"(?<!\bLtd\..)(?<!\bCo\..)(?<!\bCorp\..)(?<!\bJr\..)(?<!\bSr\..)(?<!\bvs\..)(?<!\b[^\W\d_]\..)"
)
_SPACED = lazy(r"(?<=[^\s|])[ \t]+[.,;](?=\s|$)")
_DASHES = lazy(r"(?<=[ \t])[-–—:|][ \t]+[-–—:](?=[ \t])")
_DOUBLED = lazy(r"\[\[[^\[\]]*\]\](?!\()|\(\([^()]*\)\)|（（|））")
_EMPTY = lazy(r"(?<![\]\w])\(\s*\)|\[\s+\](?!\()|\[\](?![(\[])")
_BULLET = lazy(r"(?m)^[ \t>]*[*][ \t]")
# What is no mark: an escaped one, and the colons of an emoji.
_NO_MARK = lazy(rf"\\[!-/:-@\[-`{{-~]|(?<![\w:]){SHORTCODE}(?![\w:])")
# Where no mark and no word may change: a shortcode, an address, and what has a control character, which GitHub takes for
# an address where CommonMark does not.
_CLOSED = lazy(
    rf"(?<![\w:]){SHORTCODE}(?![\w:])"
    r"|(?<![^ \t\r\n])[^ \t\r\n]*[\x00-\x08\x0b\x0c\x0e-\x1f\x7f][^ \t\r\n]*"
    r"|\b[a-z][a-z0-9+.-]{1,15}://[^\s<>()\[\]|\"'`]*[^\s<>()\[\]|\"'`.,;:!?]"
)
_ENDS = lazy(r"[*_~`\"'”’»]*\]*(?:[ \t]*(?:$|[\r\n|<]|!?\\?\[|https?:|\(\\?\[|\(https?:)|(?<=[*_\]])[ \t(])")
# What a stop may follow: words and what closes, no space, no mark, nothing that opens.
_ENDED = lazy(r"[^\s(\[{<（［「【《,;/-]")


def find_new_flaw(text: str, edits: Iterable[Edit]) -> str | None:
    """Return what edits of marks and words, which do not overlap, would spoil on the lines that they change, None if nothing."""
    return next((reason for _, reason in find_new_flaws(text, edits)), None)


def find_new_flaws(text: str, edits: Iterable[Edit]) -> Iterator[tuple[Span, str]]:
    """Yield the lines that edits would spoil, and how, as `find_new_flaw` does."""
    ordered = sorted(edits, key=lambda edit: edit[:2])
    if not any(edit.effect.change in _MARKS_AND_WORDS for edit in ordered):
        return
    for start, end, inside in _changed_lines(text, ordered):
        if any(edit.effect.change in _MARKS_AND_WORDS for edit in inside) and (
            reason := _find_flaw(text, start, end, inside)
        ):
            yield Span(start, end), reason


def _changed_lines(text: str, ordered: Sequence[Edit]) -> Iterator[tuple[int, int, list[Edit]]]:
    """Yield the lines that edits change, each with its edits; of a very long line only what surrounds them."""
    inside: list[Edit] = []
    start = end = -1
    for edit in ordered:
        if inside and edit.start <= end:
            inside.append(edit)
            end = max(end, _line_end(text, edit.end))
            continue
        if inside:
            yield start, end, inside
        start, end, inside = _line_start(text, edit.start), _line_end(text, edit.end), [edit]
    if inside:
        yield start, end, inside


def _line_start(text: str, offset: int) -> int:
    least = max(0, offset - _AROUND)
    return max(least, text.rfind("\n", least, offset) + 1, text.rfind("\r", least, offset) + 1)


def _line_end(text: str, offset: int) -> int:
    most = min(len(text), offset + _AROUND)
    ends = (text.find(end, offset, most) for end in "\r\n")
    return min((end for end in ends if end >= 0), default=most)


def _find_flaw(text: str, start: int, end: int, edits: Sequence[Edit]) -> str | None:
    closed = [match.span() for match in _CLOSED.finditer(text, start, end)]
    for edit in edits:
        if edit.effect.change in _MARKS_AND_WORDS and _is_inside(edit, closed):
            return "it would change an emoji or an address"
    if _misplaces_stop(text, edits, end):
        return "it would put a full stop where the text goes on"
    if all(edit.text.isalnum() and text[edit.start : edit.end].isalnum() for edit in edits):
        return None
    touched = {mark for edit in edits for mark in text[edit.start : edit.end] + edit.text}
    before = _NO_MARK.sub("xx", text[start:end])
    after = _NO_MARK.sub("xx", apply_edits(text, edits, start, end))
    worse = _flaws(after, touched) - _flaws(before, touched)
    return f"it would leave {min(worse)}" if worse else None


def _is_inside(edit: Edit, spans: Sequence[tuple[int, int]]) -> bool:
    index = bisect_left(spans, edit.start, key=lambda span: span[1])
    for start, end in spans[index : index + 2]:
        covers = edit.start <= start and end <= edit.end
        if edit.start < end and start < edit.end and not covers:
            return True
        if edit.start == edit.end and start < edit.start < end:
            return True
    return False


def _misplaces_stop(text: str, edits: Sequence[Edit], end: int) -> bool:
    """Return whether a full stop is inserted where neither the line, the cell nor the text before a link ends."""
    return any(
        edit.effect.change is Change.MARKUP
        and edit.start == edit.end
        and edit.text.strip() in (".", "。")
        and not (_ENDS.match(text, edit.end, end) and _ENDED.match(text, edit.start - 1))
        for edit in edits
    )


def _flaws(line: str, touched: Collection[str]) -> Counter[str]:
    """Return how often a line has each flaw that edits of these characters can make."""
    found = Counter(
        {
            "a doubled mark": len(_MARKS.findall(line)) + len(_DASHES.findall(line)),
            "a space before a mark": len(_SPACED.findall(line)),
        }
    )
    if not _BRACKETS.isdisjoint(touched):
        found["doubled brackets"] = len(_DOUBLED.findall(line))
        found["an unpaired bracket"] = _unpaired(line)
    if "(" in line or "[" in line:
        found["empty brackets"] = len(_EMPTY.findall(line))
    if "`" in touched:
        found["an unpaired backtick"] = line.count("`") % 2
    if "*" in touched:
        stars = _BULLET.sub("", line)
        found["an unpaired asterisk"] = stars.count("*") % 2
        found["unpaired emphasis"] = stars.replace("***", "*").count("**") % 2
    return found


def _unpaired(line: str) -> int:
    """Return how many brackets have no partner."""
    expected: list[str] = []
    unpaired = 0
    for character in line:
        if character in _CLOSER_OF:
            expected.append(_CLOSER_OF[character])
        elif character in _CLOSERS:
            if character in expected:
                while expected.pop() != character:
                    unpaired += 1
            else:
                unpaired += 1
    return unpaired + len(expected)


_AT_BORDERS = frozenset({Change.MARKUP, Change.WORDS, Change.REMOVED})


def guard_fixes(found: Iterable[Diagnostic], document: Document) -> Iterator[Diagnostic]:
    """Yield findings without the fixes that would spoil their lines; at a border that is a guess they are unsafe."""

    @cache
    def borders() -> list[int]:
        return sorted(set(_uncertain_borders(document.entries)))

    text = document.source.text
    for finding in found:
        fix = finding.fix
        if fix is None:
            yield finding
        elif find_new_flaw(text, fix.edits):
            yield finding._replace(fix=None)
        elif fix.applicability is Applicability.SAFE and _touches_border(fix, text, borders):
            yield finding._replace(fix=Fix(fix.edits, Applicability.UNSAFE))
        else:
            yield finding


def _uncertain_borders(entries: Sequence[Entry]) -> Iterator[int]:
    """Yield where the fields of entries begin and end that are guessed or uncertain."""
    for entry in entries:
        if entry.guessed or entry.uncertain:
            for span in _uncertain_spans(entry):
                yield from (
                    offset for offset in span if entry.title_line.start < offset < entry.title_line.end
                )


def _uncertain_spans(entry: Entry) -> Iterator[Span]:
    doubted = entry.guessed | entry.uncertain
    single = {
        "title": entry.title,
        "name": entry.name,
        "venue": entry.citation,
        "description": entry.description,
    }
    for name, field in single.items():
        if field is not None and name in doubted:
            yield field.span
    for name, fields in (("authors", entry.authors), ("affiliations", entry.affiliations)):
        if fields and name in doubted:
            yield Span(fields[0].span.start, fields[-1].span.end)


def _touches_border(fix: Fix, text: str, borders: Callable[[], Sequence[int]]) -> bool:
    """Return whether an edit of more than spaces touches a border, unless it repairs a structure or removes whole lines."""
    if any(edit.effect.change is Change.STRUCTURE for edit in fix.edits):
        return False
    return any(edit.effect.change in _AT_BORDERS and _is_at(edit, text, borders()) for edit in fix.edits)


def _is_at(edit: Edit, text: str, borders: Sequence[int]) -> bool:
    removed = text[edit.start : edit.end]
    if "\n" in removed or (not edit.text.strip() and not removed.strip()):
        return False
    index = bisect_left(borders, edit.start)
    return index < len(borders) and borders[index] <= edit.end
