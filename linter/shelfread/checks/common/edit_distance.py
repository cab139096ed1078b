"""Words that differ by a typing error."""

from __future__ import annotations


def is_slip(word: str, other: str) -> bool:
    """Return whether one letter is missing, added or replaced, or two neighbouring letters are swapped."""
    short, long = sorted((word, other), key=len)
    if len(long) - len(short) > 1 or word == other:
        return False
    first = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[first:] == long[first + 1 :]
    swapped = short[:first] + short[first : first + 2][::-1] + short[first + 2 :]
    return short[first + 1 :] == long[first + 1 :] or swapped == long
