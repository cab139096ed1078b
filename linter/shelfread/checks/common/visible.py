"""URLs as messages show them: what cannot be seen, or looks like something else, is percent-encoded."""

from __future__ import annotations

from unicodedata import category, combining, normalize
from urllib.parse import quote

from shelfread.core.support.regex import lazy

_INVISIBLE = frozenset(("Cf", "Cc", "Zs", "Zl", "Zp", "Pd"))
# Variation selectors, and letters that show nothing.
_SELECTORS = lazy(r"[\ufe00-\ufe0f\u034f\u115f\u1160\u3164\uffa0]")


def visible(url: str) -> str:
    """Return a URL with invisible characters, dashes that are no hyphens, and loose accents percent-encoded."""
    if url.isascii():
        return url
    is_composed = normalize("NFC", url) == url
    return "".join(
        character if character.isascii() or not _is_encoded(character, is_composed) else quote(character)
        for character in url
    )


def _is_encoded(character: str, is_composed: bool) -> bool:
    if category(character) in _INVISIBLE or _SELECTORS.match(character):
        return True
    return not is_composed and combining(character) > 0
