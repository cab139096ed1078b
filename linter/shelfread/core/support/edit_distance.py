"""Spelling mistakes."""


def is_slip(first: str, second: str) -> bool:
    """Return whether two texts have a distance of 1: a letter inserted, removed or replaced, or two swapped.

    This is the optimal string alignment distance.
    """
    short, long = sorted((first, second), key=len)
    if len(long) - len(short) > 1 or first == second:
        return False
    pairs = zip(short, long, strict=False)
    index = next((index for index, (a, b) in enumerate(pairs) if a != b), len(short))
    if len(short) < len(long):
        return short[index:] == long[index + 1 :]
    swapped = short[:index] + short[index : index + 2][::-1] + short[index + 2 :]
    return short[index + 1 :] == long[index + 1 :] or swapped == long
