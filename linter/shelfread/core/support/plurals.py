"""Numbers with their nouns."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 link`, `1,200 links`; `plural` is by default `noun` with an `s`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
