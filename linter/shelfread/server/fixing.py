"""Fixes for editors: by the same verified rounds as `shelfread fix`, on the texts that are open."""

from __future__ import annotations

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.batch import Batch
from shelfread.engine.diagnose import permitted
from shelfread.engine.load import LoadedFiles
from shelfread.engine.run import finish_run
from shelfread.fixes.rounds import fix_text
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse
from shelfread.server.analysis import ProjectAnalysis


def fix_finding(analysis: ProjectAnalysis, finding: Diagnostic) -> str | None:
    """Return the text after one fix; None if it would change more than it declares."""
    document = analysis.documents[finding.path]
    # No further round is wanted, so the new text is only parsed, as the verification of the fix needs it.
    fixed = fix_text(
        document.source, lambda source: (parse(source), []), unsafe=True, known=(document.tree, [finding])
    )
    return fixed.text if fixed.applied else None


def fix_rule(analysis: ProjectAnalysis, path: str, rule: str, *, unsafe: bool) -> str | None:
    """Return the text after all fixes of a rule in a document; None if nothing changes."""
    request, diagnoser = analysis.request, analysis.diagnoser
    document = analysis.documents[path]

    def of_rule(findings: list[Diagnostic]) -> list[Diagnostic]:
        return [finding for finding in permitted(request, findings) if finding.rule == rule]

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        changed = read(source, request.taxonomy.vocabulary)
        context = diagnoser.context.with_files(facts(changed))
        return changed.tree, of_rule(diagnoser.diagnose(changed, context))

    first = document.tree, of_rule(list(analysis.findings[path]))
    fixed = fix_text(document.source, diagnose, unsafe=unsafe, known=first)
    return fixed.text if fixed.applied else None


def fix_document(analysis: ProjectAnalysis, path: str) -> str | None:
    """Return the text after `shelfread fix` of one document; None if nothing changes."""
    request = analysis.request
    loaded = LoadedFiles({path: analysis.documents[path]}, dict(analysis.context.project.facts), {}, {}, {})
    fixing = request._replace(
        reported=(path,),
        others=(*(name for name in request.reported if name != path), *request.others),
        options=request.options._replace(fix=True),
    )
    result = finish_run(Batch(fixing, loaded)).files[0]
    return result.fixed.text if result.fixed is not None and result.fixed.applied else None
