"""Fingerprints: what identifies a finding in another state of a list, without its line number; and the baseline of known ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.errors import ConfigError, reason_of
from shelfread.core.file_writing import write_new
from shelfread.core.patterns import lazy
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry, EntryIndex

if TYPE_CHECKING:
    from hashlib import _Hash


_NUMBERS = lazy(r"\d+(?:[.,]\d+)*")
_MAX_LENGTH = 120
_Finding = TypeVar("_Finding")


class Fingerprint(NamedTuple):
    """A rule and what it was found in."""

    rule: str
    entry: str  # an identity key of the entry, or its title; empty outside of entries
    # the text of the span; empty for a whole entry. Outside of entries the text of the line comes first.
    text: str
    message: str  # the message with `#` for each number, as lines and counts change

    @property
    def place(self) -> Fingerprint:
        """The part that does not depend on other entries: in an entry, all but the message."""
        return self._replace(message="") if self.entry else self


class _Line(NamedTuple):
    """A line that findings are in: it may be long, and they many, so it is read and digested once."""

    stripped: str
    spaced: str
    digest: _Hash

    @staticmethod
    def of(line: str) -> _Line:
        spaced = " ".join(line.split())
        return _Line(line.strip(), spaced, _digest(spaced))

    def place(self, text: str) -> str:
        """Return the line, shortened, and behind it the text of a span in it that is not all of it."""
        if self.stripped == text:
            return _shorten(text)
        if len(self.spaced) <= _MAX_LENGTH:
            return _shorten(f"{self.spaced} {text}")
        digest = self.digest.copy()
        digest.update("".join(f" {word}" for word in text.split()).encode("utf-8", "surrogatepass"))
        return _start(self.spaced, digest)


def fingerprints(document: Document, found: Sequence[Diagnostic]) -> list[Fingerprint]:
    index = EntryIndex(document.entries)
    source = document.source
    line = cache(lambda number: _Line.of(source.lines[number]))
    made = []
    for diagnostic in found:
        start = diagnostic.span.start
        entry = index.around(Span(start, start + 1))
        name = _name(entry) if entry is not None else ""
        text = source.text[slice(*diagnostic.span)]
        if entry is not None and name:
            place = "" if diagnostic.span == entry.title.span else _shorten(text)
        else:
            place = line(source.line_at(start)).place(text)
        message = _shorten(_NUMBERS.sub("#", diagnostic.message))
        made.append(Fingerprint(diagnostic.rule, name, place, message))
    return made


def split_known(
    found: Iterable[tuple[Fingerprint, _Finding]], known: Counter[Fingerprint]
) -> tuple[list[_Finding], list[_Finding]]:
    """Return the findings that are not in `known`, which loses the others, and these: equal ones first, then of the same place."""
    found = list(found)
    exact = []
    for fingerprint, _ in found:
        exact.append(known[fingerprint] > 0)
        known[fingerprint] -= exact[-1]
    places: dict[Fingerprint, list[Fingerprint]] = {}
    for fingerprint, count in known.items():
        if count > 0:
            places.setdefault(fingerprint.place, []).append(fingerprint)
    new: list[_Finding] = []
    old: list[_Finding] = []
    for (fingerprint, finding), is_known in zip(found, exact, strict=True):
        candidates = places.get(fingerprint.place, []) if not is_known else []
        (old if is_known or candidates else new).append(finding)
        if candidates:
            known[candidates[-1]] -= 1
            if not known[candidates[-1]]:
                candidates.pop()
    return new, old


def _name(entry: Entry) -> str:
    title = fold_title(entry.title.value)
    keys = identity_keys(entry, title)
    return _shorten(keys[0] if keys else f"title:{title}" if title else "")


def _shorten(text: str) -> str:
    """Return a text with single spaces; of a long one only the start and a digest."""
    text = " ".join(text.split())
    return text if len(text) <= _MAX_LENGTH else _start(text, _digest(text))


def _digest(text: str) -> _Hash:
    return sha256(text.encode("utf-8", "surrogatepass"))


def _start(text: str, digest: _Hash) -> str:
    return f"{text[: _MAX_LENGTH - 16]}... {digest.hexdigest()[:12]}"


VERSION = 1
_MAX_BYTES = 64 << 20
_MAX_COUNT = 1_000_000_000
_START = lazy(r"\s*\{\s*\"version\":\s*\d+,\s*\"findings\":\s*\[")
_AGAIN = "create it again with --write-baseline"


def write(path: str, known: Mapping[Fingerprint, int]) -> None:
    """Write a baseline, sorted so that its diffs are small; its folder is made if needed."""
    rows = [
        json.dumps({**fingerprint._asdict(), "count": count}, ensure_ascii=False)
        for fingerprint, count in sorted(known.items())
        if count > 0
    ]
    text = "\n".join([f'{{"version": {VERSION}, "findings": [', ",\n".join(rows), "]}", ""])
    write_new(Path(path), text.encode("utf-8", "backslashreplace"), overwrite=True, make_folder=True)


def is_baseline(text: str) -> bool:
    """Return whether a text is a baseline, of any version, and perhaps not valid any more."""
    if _START.match(text):
        return True
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.keys() == {"version", "findings"}


def load(path: str) -> Counter[Fingerprint]:
    """Return the findings in a baseline with their counts; raises ConfigError if it is not one."""
    data = _read(path)
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool):
        raise ConfigError(f"not a baseline of shelfread: {_AGAIN}", path)
    if version != VERSION:
        raise ConfigError(f"baseline of version {version}, but version {VERSION} is needed: {_AGAIN}", path)
    rows = data.get("findings")
    if not isinstance(rows, list):
        raise ConfigError(f"baseline without 'findings': {_AGAIN}", path)
    known: Counter[Fingerprint] = Counter()
    for number, row in enumerate(rows, 1):
        known[_fingerprint(row, number, path)] += row["count"]
    return known


def _fingerprint(row: Any, number: int, path: str) -> Fingerprint:
    if isinstance(row, dict) and row.keys() == {*Fingerprint._fields, "count"}:
        texts = [row[field] for field in Fingerprint._fields]
        count = row["count"]
        is_count = isinstance(count, int) and not isinstance(count, bool) and 0 < count <= _MAX_COUNT
        if is_count and all(isinstance(text, str) for text in texts):
            return Fingerprint(*texts)
    raise ConfigError(f"finding {number} of the baseline is not valid: {_AGAIN}", path)


def _read(path: str) -> Any:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError("no such baseline: create it with --write-baseline", path) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {reason_of(error)}", path) from None
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"larger than {_MAX_BYTES >> 20} MiB, not a baseline: {_AGAIN}", path)
    try:
        return json.loads(data.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(f"not valid JSON ({error.msg}): {_AGAIN}", path, error.lineno) from None
    except (ValueError, RecursionError):
        raise ConfigError(f"not valid JSON: {_AGAIN}", path) from None
