"""Characters that were lost, hidden or garbled, marks that are repeated, pairs that are incomplete, and emoji."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from shelfread.checks.common.styles import has_copied_descriptions
from shelfread.checks.common.unpaired import CURLY, FULL_WIDTH, unpaired
from shelfread.core.diagnostics import MARKUP, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import addresses, entry_spans, find_text, within
from shelfread.index.context import RuleContext

_PLAIN = bytes((*b"\t\n\f\r", *range(0x20, 0x7F)))
_DISCUSSES_CHARACTERS = lazy(r"U\+[0-9A-F]{4}|\\u[0-9a-f]{4}|mojibake|zero.width|&zw", re.IGNORECASE)
_HIDDEN = lazy(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]"
)
# The direction of letters: needed in lists of scripts that are written from right to left.
_MARKS = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_RIGHT_TO_LEFT = lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Scripts whose letters are joined or kept apart.
_UNSPACED = lazy("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
_JOINED = lazy(
    "[\u0590-\u109f\u1780-\u1aff\ua800-\uabff\ufb50-\ufefc\U00010a00-\U000119ff\U0001e900-\U0001e95f]"
)
_PART_OF_EMOJI = lazy("[\xa9\xae\u203c-\u3299\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]")
# The bytes 80 to BF, which continue a character in UTF-8, as Windows-1252 and Latin-1 show them.
_WINDOWS = "".join(bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xA0))
_NEXT = f"[{_WINDOWS}\x80-\xbf]"
_BYTES = {char: char.encode("cp1252") for char in _WINDOWS}
_HINT = lazy(rf"[Â-ô]{_NEXT}")
# The same in UTF-8, but for what exactly follows: such bytes are found at once.
_HINT_OF_BYTES = lazy(rb"\xc3[\x82-\xb4][\xc2\xc5\xc6\xcb\xe2]")
_GARBLED = lazy(rf"(?:[Â-ß]{_NEXT}|[à-ï]{_NEXT}{{2}}|[ð-ô]{_NEXT}{{3}})+|â€")
_ONE = lazy(rf"[Â-ß]{_NEXT}|[à-ï]{_NEXT}{{2}}|[ð-ô]{_NEXT}{{3}}")


def encoding(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report mojibake, and lost and hidden characters."""
    text = document.source.text
    # Most text is plain ASCII: only what is not is searched.
    data = text.encode("utf-8", "ignore")
    special = data.translate(None, _PLAIN).decode()
    if not special:
        return
    found: list[RawDiagnostic] = []
    if is_suspect(text, data):
        for match, meant in find_garbled(text):
            values = {"garbled": f"'{match[0]}'", "meant": meant}
            message = "garbled" if meant else "unreadable"
            found.append(RawDiagnostic(Span(*match.span()), values, message=message))
    taken = {offset for raw in found for offset in range(*raw.span)}
    if _HIDDEN.search(special):
        for offset in find_hidden(text):
            if offset not in taken:
                described, message = describe(text[offset])
                found.append(RawDiagnostic(Span(offset, offset + 1), described, message=message))
    if found:
        found.sort(key=lambda raw: raw.span)
        yield from _once_per_line(document, found)


def _once_per_line(document: Document, found: list[RawDiagnostic]) -> RawDiagnostics:
    """Yield the first of equal findings in a line; none in code, comments and URLs (see link/malformed)."""
    source = document.source
    urls = (url.span for url in addresses(document) if url.form != "bare")
    opaque = sorted([*document.tree.protected, *urls])
    ends = [span.end for span in opaque]
    lines: dict[int, dict[tuple[object, ...], list[RawDiagnostic]]] = {}
    for raw in found:
        start = raw.span.start
        number = bisect_right(ends, start)
        if number == len(opaque) or opaque[number].start > start:
            key = (raw.message, *raw.values.values())
            lines.setdefault(source.line_at(start), {}).setdefault(key, []).append(raw)
    for line, groups in lines.items():
        if _DISCUSSES_CHARACTERS.search(source.lines[line]):
            continue
        for first, *others in groups.values():
            if others:
                values = {**first.values, "count": len(others) + 1}
                first = first._replace(values=values, message=f"{first.message}-repeated")
            yield first


def find_hidden(text: str) -> Iterator[int]:
    """Yield the offsets of hidden characters that are not legitimate."""
    right_to_left: bool | None = None
    for match in _HIDDEN.finditer(text):
        offset, character = match.start(), match[0]
        near = list(filter(None, (text[max(0, offset - 1) : offset], text[offset + 1 : offset + 2])))
        if character in _MARKS:
            if right_to_left is None:
                right_to_left = _RIGHT_TO_LEFT.search(text) is not None
            if right_to_left:
                continue
        elif character in "\u200c\u200d" and any(
            _PART_OF_EMOJI.match(sign) or _JOINED.match(sign) for sign in near
        ):
            continue  # in an emoji, or beside a letter of a script that needs it
        elif character == "\u200b" and any(map(_UNSPACED.match, near)):
            continue  # between words
        yield offset


def describe(character: str) -> tuple[Mapping[str, str], str]:
    """Return the values and the name of the message about a hidden character."""
    code = f"U+{ord(character):04X}"
    if character == "\ufffd":
        return {"code": code}, "lost"
    meant = character.encode("latin-1").decode("cp1252", "ignore") if "\x80" <= character <= "\x9f" else ""
    if meant:
        return {"garbled": code, "meant": meant}, "garbled"
    name = "byte order mark" if character == "\ufeff" else unicodedata.name(character, "control character")
    return {"name": name.lower(), "code": code}, "hidden"


def is_suspect(text: str, data: bytes) -> bool:
    """Return whether a text may have mojibake; `data` is the text in UTF-8."""
    return _HINT_OF_BYTES.search(data) is not None and _HINT.search(text) is not None


def find_garbled(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each stretch of mojibake and the text that it was, which is empty if a byte was lost."""
    for match in _GARBLED.finditer(text):
        if match[0] == "â€":
            yield match, ""
        elif (meant := _decode(match[0])) and (
            len(_ONE.match(match[0])[0]) < len(match[0]) or _is_certain(text, match)  # type: ignore[index]
        ):
            yield match, meant


def _decode(garbled: str) -> str:
    """Return the text that was wrongly decoded up to three times; empty if it was no text."""
    meant = garbled
    for _ in range(3):
        try:
            meant = b"".join(_BYTES.get(char) or char.encode("latin-1") for char in meant).decode()
        except UnicodeError:
            return ""
        if not _GARBLED.fullmatch(meant):
            break
    return "" if any(unicodedata.category(char) in ("Cn", "Cc", "Co", "Cs") for char in meant) else meant


def _is_certain(text: str, match: re.Match[str]) -> bool:
    """Return whether one character was meant: `Ã¼`, but not `Ã…` at the end of a word in capitals."""
    is_word = text[match.start() - 1 : match.start()].isupper() and match[0][1] in "‘’“”„…–—"
    return match[0][0] in "ÃÂâïáð" and not is_word


# After a word only: `(,,x,,)` is an emoticon.
_WORD = lazy(r"(?:[A-Za-z]{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\d.)\]])[ \t]?$")
_AFTER = lazy(r"\s|$|[^\W_]|[\"'*_)\]）」]")
_ASCII_MARKS = ",;!?"
_WIDE_MARKS = "，、；。！？"
_ALL_BUT_MARKS = bytes(code if chr(code) in _ASCII_MARKS else 32 for code in range(256))
_LOUD = frozenset("!！?？")
Places: TypeAlias = Literal["everywhere", "entries", "headings"]

# Characters that are emoji by themselves, those that a variation selector makes emoji, and short codes.
_EMOJI = lazy(
    r"(?:(?:[\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1"
    r"\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b"
    r"\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    r"\U0001f000-\U0001faff]|[\u2190-\u2bff](?=\ufe0f))[\ufe0f\u200d\u20e3]*)+"
    r"|(?<![\w:]):[a-z][a-z0-9_+-]{1,30}:(?![\w:])"
)


def repeated_punctuation(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report commas, full stops and exclamation marks that are repeated."""
    text = document.source.text
    marks = _doubled(text)
    if not marks:
        return
    # Maintainers address their readers loudly, copy what others wrote, and list `Yahoo!!` and `Certified!!`.
    described = sorted(
        entry.description.span
        for entry in document.entries
        if entry.kind == "classic" and entry.description is not None and not has_copied_descriptions(document)
    )
    # One pattern for each mark, which it begins with, is faster than one pattern for all.
    runs = [match for mark in marks for match in re.finditer(re.escape(mark) + "{2,}", text)]
    for match in sorted(runs, key=re.Match.start):
        run, start, end = match[0], *match.span()
        if run == "。。。" or not (_WORD.search(text, max(0, start - 3), start) and _AFTER.match(text, end)):
            continue
        position = find_text(document, start)
        if position is None or position.link is not None or position.emphasised:
            continue
        if within(document.tree.protected, start) or (run[0] in _LOUD and not within(described, start)):
            continue
        edits = (Edit(start, end, run[0], MARKUP),)
        yield RawDiagnostic(Span(start, end), {"run": run, "mark": run[0]}, edits)


def _doubled(text: str) -> list[str]:
    """Return the marks that are repeated somewhere in a text; all other ASCII is blanked in one call."""
    runs = set(text.encode("utf-8", "replace").translate(_ALL_BUT_MARKS).split())
    found = [mark for mark in _ASCII_MARKS if any(mark.encode() * 2 in run for run in runs)]
    return found if text.isascii() else found + [mark for mark in _WIDE_MARKS if mark * 2 in text]


def punctuation_pairs(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report curly quotes and brackets of CJK scripts that do not pair."""
    if document.source.text.isascii():
        return
    for diagnostic in unpaired(document):
        signs = map(str, diagnostic.values.values())
        if any(sign in FULL_WIDTH or CURLY.match(sign) for sign in signs):
            yield diagnostic


def emoji(
    document: Document, context: RuleContext, *, places: Places = "everywhere", allow: Sequence[str] = ()
) -> RawDiagnostics:
    """Report emoji and their short codes in entries and headings."""
    spans = entry_spans(document)
    for match in _EMOJI.finditer(document.source.text):
        if match[0] in allow or match[0].rstrip("\ufe0e\ufe0f") in allow:
            continue
        position = find_text(document, match.start())
        if position is None:
            continue
        heading = position.block.kind == "heading"
        if places == ("entries" if heading else "headings") or not (heading or within(spans, match.start())):
            continue
        message = "heading" if heading else "entry"
        yield RawDiagnostic(Span(*match.span()), {"emoji": match[0]}, message=message)
