"""Findings as diagnostics of the protocol."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Change, Diagnostic, Severity
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.report.rendering import printable
from shelfread.server.analysis import ProjectAnalysis
from shelfread.server.open_documents import OpenDocument, Positions

SOURCE = "shelfread"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def diagnostics_of(analysis: ProjectAnalysis, path: str, positions: Positions) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a document: what `check` reports, and what keeps it from being read."""
    error = analysis.errors.get(path)
    if error is not None:
        return [error_diagnostic(error, positions)]
    return [to_lsp(analysis, finding, positions) for finding in shown_findings(analysis, path)]


def shown_findings(analysis: ProjectAnalysis, path: str) -> Iterator[Diagnostic]:
    """Yield the findings that are shown: infos only if the client asks for them."""
    for finding in analysis.findings.get(path, ()):
        if finding.severity > Severity.INFO or analysis.request.options.show_info:
            yield finding


def to_lsp(analysis: ProjectAnalysis, finding: Diagnostic, positions: Positions) -> lsp.Diagnostic:
    """Return a finding as a diagnostic; the rule's code leads to its page."""
    rule = analysis.request.selection.rules.get(finding.rule)
    return lsp.Diagnostic(
        range=positions.range(finding.span),
        message=printable(finding.message),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=lsp.CodeDescription(rule.page.absolute().as_uri()) if rule is not None else None,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if _is_unnecessary(finding) else None,
    )


def error_diagnostic(error: UserError, positions: Positions | None = None) -> lsp.Diagnostic:
    """Return why a file cannot be checked, at its line; without positions columns count code points."""
    line, column = max((error.line or 1) - 1, 0), max((error.column or 1) - 1, 0)
    start = lsp.Position(line, column)
    if positions is not None:
        source = positions.source
        line = min(line, len(source.lines) - 1)
        start = positions.position(source.offset(line + 1, column + 1))
    return lsp.Diagnostic(
        range=lsp.Range(start, start),
        message=printable(error.message),
        severity=lsp.DiagnosticSeverity.Error,
        source=SOURCE,
    )


def positions_of(opened: OpenDocument, encoding: str) -> Positions:
    """Return the positions of a client's text, which may begin with a BOM and be no text that can be read."""
    text = opened.text or ""
    return Positions(Source(text.removeprefix("\ufeff"), opened.path, text.startswith("\ufeff")), encoding)


def _is_unnecessary(finding: Diagnostic) -> bool:
    """Return whether the fix removes all that the finding is about: editors show it faded."""
    edits = finding.fix.edits if finding.fix else ()
    return any(
        edit.effect.change is Change.REMOVED
        and not edit.text
        and edit.start <= finding.span.start < finding.span.end <= edit.end
        for edit in edits
    )
