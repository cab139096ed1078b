"""Bytes: what editors, transfers and malice make of a text."""

from __future__ import annotations

from random import Random

_ENCODINGS = "utf-8-sig utf-16 utf-16-le utf-16-be latin-1 cp1252 gb18030 shift_jis".split()


def to_bytes(random: Random, text: str) -> bytes:
    """Return a text as bytes: nearly always UTF-8 with line feeds."""
    kind = random.random()
    if kind < 0.8:
        return text.encode("utf-8", "surrogatepass")
    if kind < 0.93:
        return _newlines(random, text).encode("utf-8", "surrogatepass")
    return _spoilt(random, text)


def _newlines(random: Random, text: str) -> str:
    kind = random.randrange(4)
    if kind < 2:
        return text.replace("\n", ("\r\n", "\r")[kind])
    lines = text.split("\n")
    ends = ("\n", "\r\n", "\r", "\n\r", "\r\r\n") if kind == 2 else ("\n", "\n", "\r\n")
    return "".join(line + random.choice(ends) for line in lines[:-1]) + lines[-1]


def _spoilt(random: Random, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    at = random.randint(0, len(data))
    match random.randrange(6):
        case 0:
            return text.encode(random.choice(_ENCODINGS), "replace")
        case 1:
            return data[:at] + random.randbytes(random.randint(1, 4)) + data[at:]
        case 2:
            return data[:at] + b"\0" * random.randint(1, 3) + data[at:]
        case 3:
            return b"\xef\xbb\xbf" * random.randint(1, 2) + data
        case 4:
            return data[:at]
        case _:
            return random.randbytes(random.randint(0, 60))
