"""The result of a file as JSON: its findings with their fixes, and what became of the fixes if nothing was changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.source import Source
from shelfread.document.file_kind import FileKind
from shelfread.engine.model import FileResult

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint


def encode_result(result: FileResult) -> dict[str, Any] | None:
    """Return a result as plain data, without its path and text; None if fixes have changed the text."""
    fixed = result.fixed
    if fixed is not None and (fixed.text != result.source.text or fixed.applied):
        return None
    found = list(result.diagnostics)
    remaining = [] if fixed is None else fixed.remaining
    places = {id(diagnostic): index for index, diagnostic in enumerate((*found, *remaining))}
    dropped = [] if fixed is None else fixed.dropped
    if any(id(diagnostic) not in places for diagnostic, _ in dropped):
        return None
    return {
        "diagnostics": [_encode(diagnostic) for diagnostic in found],
        "entries": result.entries,
        "links": result.links,
        "presets": result.presets,
        "kind": result.kind.value,
        "is_generated": result.is_generated,
        "fingerprints": result.fingerprints,
        "is_fixed": fixed is not None,
        "remaining": [
            places[id(diagnostic)] if places[id(diagnostic)] < len(found) else _encode(diagnostic)
            for diagnostic in remaining
        ],
        "dropped": [(places[id(diagnostic)], reason) for diagnostic, reason in dropped],
    }


def decode_result(data: dict[str, Any], source: Source) -> FileResult:
    """Return the result of a file with its text. Raises what decoding other data raises."""
    path = source.path or ""
    found = [_decode(path, *fields) for fields in data["diagnostics"]]
    fixed = None
    prints: tuple[Fingerprint, ...] = ()
    if data["is_fixed"]:
        from shelfread.fixes.rounds import FixResult

        remaining = [
            found[each] if isinstance(each, int) else _decode(path, *each) for each in data["remaining"]
        ]
        every = [*found, *remaining]
        dropped = [(every[index], reason) for index, reason in data["dropped"]]
        fixed = FixResult(source.text, [], dropped, remaining)
    if data["fingerprints"]:
        from shelfread.engine.fingerprint import Fingerprint

        prints = tuple(Fingerprint(*fields) for fields in data["fingerprints"])
    return FileResult(
        path=path,
        source=source,
        diagnostics=found,
        entries=data["entries"],
        links=data["links"],
        presets=tuple(data["presets"]),
        kind=FileKind(data["kind"]),
        is_generated=data["is_generated"],
        fixed=fixed,
        fingerprints=prints,
    )


def _encode(diagnostic: Diagnostic) -> tuple[Any, ...]:
    fix = diagnostic.fix
    edits = [] if fix is None else [_encode_edit(edit) for edit in fix.edits]
    return (
        diagnostic.rule,
        diagnostic.severity,
        diagnostic.message,
        *diagnostic.span,
        diagnostic.precedence,
        None if fix is None else fix.applicability,
        edits,
    )


def _encode_edit(edit: Edit) -> tuple[Any, ...]:
    change, before, after = edit.effect
    return edit.start, edit.end, edit.text, change.value, before, after, edit.path


def _decode(
    path: str,
    rule: str,
    severity: int,
    message: str,
    start: int,
    end: int,
    precedence: int,
    applicability: int | None,
    edits: Sequence[Any],
) -> Diagnostic:
    fix = None
    if applicability is not None:
        fix = Fix(tuple([_decode_edit(*edit) for edit in edits]), Applicability(applicability))
    return Diagnostic(rule, Severity(severity), message, path, Span(start, end), fix, precedence)


def _decode_edit(start: int, end: int, text: str, change: str, before: str, after: str, path: str) -> Edit:
    return Edit(start, end, text, Effect(Change(change), before, after), path)
