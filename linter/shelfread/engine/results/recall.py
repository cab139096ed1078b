"""What is kept of each file of a project: its facts, and its result with what was asked for it.

A result is used again if every look has the same answer, and every question too. The questions need not be asked if
the result is known to hold for the same texts of all files (`whole.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.inquiry import Asked, Inquiry, digest, still_hold
from shelfread.core.source import Source
from shelfread.engine.results.store import Row, Store

if TYPE_CHECKING:
    from shelfread.engine.model import FileResult
    from shelfread.index.context import RuleContext
    from shelfread.index.facts import Facts

ERRORS = (TypeError, ValueError, LookupError, AttributeError, RecursionError)
"""What data raises that is not what was encoded."""


class Keys(NamedTuple):
    """Where rows are kept, and what identifies them besides the texts of files."""

    path: Path
    reading: str
    """Of facts: the code and the vocabulary."""
    request: str
    """Of results: also the rules, their options and the working directory. Empty: results are not kept."""

    def of_facts(self, path: str, text: str) -> str:
        return f"facts {digest([self.reading, path, text])}"

    def of_result(self, path: str, text: str) -> str:
        return f"file {digest([self.request, path, text])}"


class Recalled(NamedTuple):
    """The text of a file, and the row of a result for it, which may hold no more."""

    source: Source
    row: Row

    def holds(self, context: RuleContext, project: str) -> bool:
        """Return whether all that was asked has the same answers; `project` stands for all texts, empty if unknown."""
        try:
            data = self.row.data
            if data["project"] not in ("", project) or (not project and data["project"]):
                return False
            return _still_hold(data["looks"]) and _still_hold(data["questions"], context)
        except ERRORS:
            return False

    def result(self) -> FileResult | None:
        """Return the result; None if the row is none."""
        from shelfread.engine.results.findings_codec import decode_result

        try:
            return decode_result(self.row.data["result"], self.source)
        except ERRORS:
            return None


class Shelf:
    """The rows of one process of a run: read when they are needed, written together."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._store = Store(keys.path)
        self._new: dict[str, object] = {}
        self._results: dict[str, str] = {}

    def facts(self, path: str, text: str) -> Facts | None:
        """Return the facts of a file; `text` is the digest of its contents."""
        key = self._keys.of_facts(path, text)
        row = self._store.get([key]).get(key)
        if row is None:
            return None
        from shelfread.engine.results.facts_codec import decode_facts

        try:
            return decode_facts(row.data, path)
        except ERRORS:
            return None

    def keep_facts(self, text: str, facts: Facts) -> None:
        from shelfread.engine.results.facts_codec import encode_facts

        self._new[self._keys.of_facts(facts.path, text)] = encode_facts(facts)

    def result(self, source: Source, text: str) -> Recalled | None:
        """Return what is kept of a file, if anything is."""
        if not self._keys.request:
            return None
        key = self._keys.of_result(source.path or "", text)
        row = self._store.get([key]).get(key)
        return None if row is None else Recalled(source, row)

    def keep_result(
        self, text: str, result: FileResult, inquiry: Inquiry, looks: Iterable[Asked], project: str
    ) -> None:
        """Keep a result with what was asked for it, unless fixes have changed the file.

        `looks` are those for all files, and `project` stands for all texts.
        """
        from shelfread.engine.results.findings_codec import encode_result

        encoded = encode_result(result) if self._keys.request else None
        if encoded is None:
            return
        key = self._keys.of_result(result.path, text)
        self._results[key] = result.path
        self._new[key] = {
            "result": encoded,
            "project": project if inquiry.needs_all else "",
            "looks": list({asked[:2]: asked for asked in (*looks, *inquiry.looks)}.values()),
            "questions": list(inquiry.questions),
        }

    def write(self) -> dict[str, str]:
        """Write what is new; return the checksums of the results by path."""
        written = self._store.put(self._new) if self._new else {}
        self._new = {}
        return {path: written[key] for key, path in self._results.items() if key in written}

    def close(self) -> None:
        self._store.close()


def text_digest(data: bytes) -> str:
    """Return the digest of the contents of a file."""
    return blake2b(data, digest_size=16).hexdigest()


def project_digest(
    paths: Sequence[str], texts: Mapping[str, str], folder: str, repository: tuple[str, ...] | None
) -> str:
    """Return what stands for all that rules can read of a project: its texts in order, and where they are."""
    return digest([[(path, texts[path]) for path in paths], folder, repository])


def _still_hold(asked: Iterable[Any], *context: object) -> bool:
    return still_hold([_asked(*each) for each in asked], *context)


def _asked(function: str, arguments: Sequence[object], answer: str) -> Asked:
    return Asked(function, tuple(map(_hashable, arguments)), answer)


def _hashable(value: object) -> object:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
