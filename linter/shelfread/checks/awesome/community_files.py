"""A repository's contributing guide and code of conduct."""

from __future__ import annotations

from shelfread.checks.awesome.repository_folder import RepositoryFolder
from shelfread.checks.common.front_page import title_span
from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_CONTRIBUTING = lazy(r"(?i)contributing(?:\.(?:md|markdown|rst|adoc|txt))?")
_CONDUCT = lazy(r"(?i)code[-_]of[-_]conduct\.(?:md|markdown)")
_GUIDE_URL = lazy(r"(?i)contribut")
_PLACEHOLDER = lazy(
    r"(?i)[\[<{(](?:insert\b[^\]\n>})]{0,60}|(?:your |contact )?e-?mail(?: address)?)[\]>})](?![(\w])"
    r"|\b(?:your|my)?[-_.]?e?-?(?:mail|name|address)@(?:example|domain|email|mail)\.(?:com|org)\b"
)
_TEMPLATE_OWNER, _TEMPLATE_CONTACT = "sindresorhus", "sindresorhus@gmail.com"
_BLANK = "\ufeff \t\r\n"


def contributing(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a repository without a contributing guide, or with an empty one."""
    folder = RepositoryFolder.of(document, context)
    if folder is None:
        return
    span = title_span(document)
    path = next(folder.files(_CONTRIBUTING), None)
    if path is not None:
        text = folder.read(path)
        if text is not None and not text.strip(_BLANK):
            yield RawDiagnostic(span, {"path": path}, message="empty")
    elif not any(_GUIDE_URL.search(link.url) for link in document.links if not link.image):
        yield RawDiagnostic(span, severity=Severity.INFO, message="missing")


def code_of_conduct(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report codes of conduct that are empty, or have a placeholder or another list's contact."""
    folder = RepositoryFolder.of(document, context)
    if folder is None:
        return
    span = title_span(document)
    repository = context.disk.repository(context.project_folder())
    owner = repository.owner if repository is not None else ""
    for path in folder.files(_CONDUCT):
        text = folder.read(path)
        if text is None:
            continue
        if not text.strip(_BLANK):
            yield RawDiagnostic(span, {"path": path}, message="empty")
            continue
        placeholder = _PLACEHOLDER.search(text)
        if placeholder is not None:
            message, offset, found = "placeholder", placeholder.start(), placeholder[0]
        elif owner and owner.lower() != _TEMPLATE_OWNER and _TEMPLATE_CONTACT in text:
            message, offset, found = "contact", text.find(_TEMPLATE_CONTACT), _TEMPLATE_CONTACT
        else:
            continue
        values = {"path": path, "line": text.count("\n", 0, offset) + 1, "found": found}
        yield RawDiagnostic(span, values, message=message)
