"""Words that are one typing error away from each other."""

from __future__ import annotations


def is_slip(word: str, other: str) -> bool:
    """Whether one letter is missing, added or wrong, or two neighbours are swapped."""
    short, long = sorted((word, other), key=len)
    if len(long) - len(short) > 1 or word == other:
        return False
    index = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[index:] == long[index + 1 :]
    swapped = short[:index] + short[index : index + 2][::-1] + short[index + 2 :]
    return short[index + 1 :] == long[index + 1 :] or swapped == long
