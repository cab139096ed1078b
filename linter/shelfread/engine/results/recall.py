"""What is kept of each file of a project: its facts, and its result with what was asked for it.

A result is used again if every look has the same answer, and every question too. The questions need not be asked if
the result is known to hold for the same texts of all files (`whole.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from shelfread.core.inquiry import Asked, Inquiry, digest, still_hold
from shelfread.core.source import Source
from shelfread.engine.model import FileResult, Keys, Recalled
from shelfread.engine.results.store import Store
from shelfread.index.location import common_folder, find_repository

if TYPE_CHECKING:
    from shelfread.index.context import RuleContext
    from shelfread.index.facts import Facts

ERRORS = (TypeError, ValueError, LookupError, AttributeError, RecursionError)
"""What data raises that is not what was encoded."""


def facts_key(keys: Keys, path: str, text: str) -> str:
    """Return the key of the facts of a file; `text` is the digest of its contents."""
    return f"facts {digest([keys.reading, path, text])}"


def result_key(keys: Keys, path: str, text: str) -> str:
    """Return the key of the result of a file."""
    return f"file {digest([keys.request, path, text])}"


def holds(recalled: Recalled, context: RuleContext, project: str) -> bool:
    """Return whether all that was asked has the same answers; `project` stands for all texts, empty if unknown."""
    try:
        needed = recalled.data["project"]
        if needed and needed != project:
            return False
        return still_hold(recalled.data["looks"]) and still_hold(recalled.data["questions"], context)
    except ERRORS:
        return False


def kept_result(recalled: Recalled) -> FileResult | None:
    """Return the result of a file; None if the data are none."""
    from shelfread.engine.results.findings_codec import decode_result

    try:
        return decode_result(recalled.data["result"], recalled.source)
    except ERRORS:
        return None


class Shelf:
    """The rows of one process of a run: read when they are needed, written together."""

    def __init__(self, keys: Keys, are_facts_kept: bool) -> None:
        """Facts of one file are of use only in a project of several."""
        self._keys = keys
        self._are_facts_kept = are_facts_kept
        self._store = Store(keys.path)
        self._new: dict[str, object] = {}
        self._results: dict[str, str] = {}

    def facts(self, path: str, text: str) -> Facts | None:
        """Return the facts of a file; `text` is the digest of its contents."""
        key = facts_key(self._keys, path, text)
        row = self._store.get([key]).get(key) if self._are_facts_kept else None
        if row is None:
            return None
        from shelfread.engine.results.facts_codec import decode_facts

        try:
            return decode_facts(row.data, path)
        except ERRORS:
            return None

    def keep_facts(self, text: str, facts: Facts) -> None:
        if not self._are_facts_kept:
            return
        from shelfread.engine.results.facts_codec import encode_facts

        self._new[facts_key(self._keys, facts.path, text)] = encode_facts(facts)

    def result(self, source: Source, text: str) -> Recalled | None:
        """Return what is kept of a file, if anything is."""
        if not self._keys.request:
            return None
        key = result_key(self._keys, source.path or "", text)
        row = self._store.get([key]).get(key)
        return None if row is None else Recalled(source, row.data, row.checksum)

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
        key = result_key(self._keys, result.path, text)
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


def project_digest(paths: Sequence[str], texts: Mapping[str, str]) -> str:
    """Return what stands for all that rules can read of a project: its texts in order, and where they are."""
    folder = common_folder(paths)
    return digest([[(path, texts[path]) for path in paths], folder, find_repository(folder)])
