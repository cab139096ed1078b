"""Mojibake: UTF-8 that was decoded with another encoding, and the text that it was."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from shelfread.core.support.regex import lazy, lazy_bytes

# The bytes 80 to BF, which continue a character in UTF-8, as Windows-1252 and Latin-1 show them.
_WINDOWS = "".join(bytes([byte]).decode("cp1252", "ignore") for byte in range(0x80, 0xA0))
_NEXT = f"[{_WINDOWS}\x80-\xbf]"
_BYTES = {char: char.encode("cp1252") for char in _WINDOWS}
_HINT = lazy(rf"[Â-ô]{_NEXT}")
# The same in UTF-8, with only the first byte of what follows: a search in bytes is faster.
_HINT_OF_BYTES = lazy_bytes(rb"\xc3[\x82-\xb4][\xc2\xc5\xc6\xcb\xe2]")
_GARBLED = lazy(rf"(?:[Â-ß]{_NEXT}|[à-ï]{_NEXT}{{2}}|[ð-ô]{_NEXT}{{3}})+|â€")
_ONE = lazy(rf"[Â-ß]{_NEXT}|[à-ï]{_NEXT}{{2}}|[ð-ô]{_NEXT}{{3}}")
# What may follow a letter in correct text.
_QUOTES = "‘’“”„‚‹›«»…–—\xa0"


def is_suspect(text: str, data: bytes) -> bool:
    """Return whether a text may have mojibake; `data` is the text in UTF-8."""
    return _HINT_OF_BYTES.search(data) is not None and _HINT.search(text) is not None


def find_garbled(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each stretch of mojibake and the text that it was, which is empty if a byte was lost."""
    for match in _GARBLED.finditer(text):
        if match[0] == "â€":
            yield match, ""
        elif (meant := _decode(match[0])) and (
            len(_ONE.match(match[0])[0]) < len(match[0]) or _is_certain(text, match, meant)  # type: ignore[index]
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


def _is_certain(text: str, match: re.Match[str], meant: str) -> bool:
    """Return whether one character was meant, and not the letter and the punctuation that are shown."""
    first, others = match[0][0], match[0][1:]
    before = text[match.start() - 1 : match.start()]
    after = text[match.end() : match.end() + 1]
    quotes = all(char in _QUOTES for char in others)
    if first in "ÃÂ":
        return not (quotes and (before.isupper() or before in tuple("“„«‘\"'")))
    if first <= "ß":
        return not quotes and (before.islower() or after.islower())
    if first == "ð":
        return others[0] in "Ÿ\x9f"
    return first in "âï" or (before.isalpha() and after.islower() and not quotes)
