"""What can be done in a range: fixes of findings, comments that ignore one where it is, and moves to other sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Applicability, Diagnostic, Edit, Span, apply_edits
from shelfread.core.source import Source
from shelfread.document.model import Document, EntryIndex
from shelfread.fixes.edit_scope import SpanIndex
from shelfread.fixes.tokens import flatten
from shelfread.index.placement.misplaced import SectionMoves
from shelfread.markdown.node import Block, Tree
from shelfread.markdown.parse import parse
from shelfread.report.finding_lines import describe_fix
from shelfread.report.rendering import TerminalStyle
from shelfread.rulebook.suppressions import UNUSED, Scope, read_suppressions, suppress
from shelfread.server.analysis import fix_document, fix_finding, fix_rule
from shelfread.server.hover import section_model
from shelfread.server.protocol import shown_findings, to_diagnostic
from shelfread.server.session import View
from shelfread.server.under_cursor import blocks_around

_PREFIX = re.compile(r"[ \t>]*")
_ROW_END = re.compile(r"(?:(?<![ \t])[ \t]+)?\|[ \t]*$")
_LINE_END = re.compile(r"(?:(?<![\\ \t])\\?[ \t]*|(?<=\\)[ \t]*)$")


def _comments_of_line(document: Document, finding: Diagnostic) -> Iterator[list[Edit]]:
    source, rule = document.source, finding.rule
    line = source.line_at(finding.span.start)
    yield from _more_names(document, rule, line, ("disable-line", "disable-next-line"))
    start, text = source.starts[line], source.lines[line]
    row, end = _ROW_END.search(text), _LINE_END.search(text)
    blocks = list(blocks_around(document.tree.blocks, finding.span.start))
    kinds = [block.kind for block in blocks]
    at = (row if "table" in kinds else end) or end
    assert at is not None  # the end of a line is always found
    inline = [Edit.insert(start + at.start(), f" <!-- shelfread-disable-line {rule} -->")]
    prefix = _PREFIX.match(text)
    indent = prefix.group() if prefix else ""
    above = [Edit.insert(start, f"{indent}<!-- shelfread-disable-next-line {rule} -->{source.newline}")]
    # At the end of a heading the comment would become a hyphen of its anchor.
    yield from (above, inline) if "heading" in kinds else (inline, above)
    for block in blocks[:1]:
        yield _around(source, block, rule)


def _comments_of_file(document: Document, finding: Diagnostic) -> Iterator[list[Edit]]:
    source, rule = document.source, finding.rule
    yield from _more_names(document, rule, None, ("disable-file",))
    text, newline = source.text, source.newline
    gap = newline * (2 - min(2, len(source.lines) - len("\n".join(source.lines).rstrip("\n").split("\n"))))
    comment = f"<!-- shelfread-disable-file {rule} -->{newline}"
    yield [Edit.insert(len(text), gap + comment)]
    if document.tree.blocks:
        yield [Edit.insert(source.starts[document.tree.blocks[0].first], comment + newline)]


def _more_names(
    document: Document, rule: str, line: int | None, actions: Iterable[str]
) -> Iterator[list[Edit]]:
    """Yield the edit of a comment that is there already, to name one more rule."""
    for known in read_suppressions(document.source, document.tree):
        names = [name for name in known.names if name.name]
        if known.action in actions and names and line in (None, known.line) and not known.for_remark_lint:
            yield [Edit.insert(names[-1].span.end, f" {rule}")]


def _around(source: Source, block: Block, rule: str) -> list[Edit]:
    newline = source.newline
    end = source.start_of(block.last)
    last = "" if source.text[:end].endswith(("\n", "\r")) else newline
    return [
        Edit.insert(source.starts[block.first], f"<!-- shelfread-disable {rule} -->{newline * 2}"),
        Edit.insert(end, f"{last}{newline}<!-- shelfread-enable {rule} -->{newline}"),
    ]


def _first_that_works(
    document: Document, finding: Diagnostic, candidates: Iterable[list[Edit]]
) -> str | None:
    """Return the text after the first edits by which the finding is ignored, and no block or word changes."""
    source = document.source
    for edits in candidates:
        after = Source(apply_edits(source.text, edits), source.path, source.bom)
        tree = parse(after)
        shift = sum(len(edit.text) for edit in edits if edit.start <= finding.span.start)
        moved = finding._replace(span=Span(finding.span.start + shift, finding.span.end + shift))
        kept, _ = suppress([moved], read_suppressions(after, tree), after, Scope(()))
        if not kept and _content(tree, after.text) == _content(document.tree, source.text):
            return after.text
    return None


def _content(tree: Tree, text: str) -> list[object]:
    """Return the blocks, links and words of a text, all that is not part of a comment."""
    comments = SpanIndex(Span(comment.start, comment.end) for comment in tree.comments)
    references = {definition.label: definition.url for definition in tree.definitions}
    tokens = flatten(tree, text, SpanIndex(()), references, coarse=False)
    shown = [(token.kind, token.value) for token in tokens if comments.at(token.start) < 0]
    return [*_lists(tree.blocks), *shown]


def _lists(blocks: Iterable[Block]) -> Iterator[object]:
    """Yield the lists: where each begins shows in how many items it has."""
    for block in blocks:
        if block.kind == "list":
            yield block.marker, block.level, block.tight, len(block.blocks)
        yield from _lists(block.blocks)


FIX_ALL = "source.fixAll.shelfread"
MOVE = "refactor.move"
_QUICK_FIX = lsp.CodeActionKind.QuickFix.value
_MOST_PLACES = 3
_MAX_FINDINGS = 50  # of so many findings in a range actions are offered at most
_STYLE = TerminalStyle(width=80)


class Deed(NamedTuple):
    """What an action does, as a client gives it back to have its edits computed."""

    uri: str
    version: int
    deed: str  # fix, fix-rule, fix-rule-unsafely, ignore-line, ignore-file, fix-document, move
    number: int = -1  # the index of the finding, or of the entry, in its document
    section: int = -1  # the index of the section to which an entry moves


def list_actions(view: View, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the actions for a range of a document, without their edits; `data` says what each does."""
    wanted = params.context.only
    actions = []
    if _is_wanted(_QUICK_FIX, wanted):
        offers: dict[object, tuple[int, lsp.CodeAction]] = {}
        for index in _find_findings(view, params):
            for rank, place, action in _offers(view, index):
                offers.setdefault((action.title, place), (rank, action))
        # Single fixes come first; of actions with one title for one place only the first is listed.
        actions += [action for _, action in sorted(offers.values(), key=lambda offer: offer[0])]
    if _is_wanted(FIX_ALL, wanted) and (safe := _count_fixes(view, None, Applicability.SAFE)):
        deed = Deed(view.opened.uri, view.opened.version, "fix-document")
        title = f"Fix all problems with a safe fix ({safe})"
        actions.append(lsp.CodeAction(title, FIX_ALL, data=deed._asdict()))
    # An editor that asks by itself, at each place of the cursor, would say that there is something to do everywhere.
    if _is_wanted(MOVE, wanted) and params.context.trigger_kind is not lsp.CodeActionTriggerKind.Automatic:
        actions += _moves(view, params)
    return actions


def _moves(view: View, params: lsp.CodeActionParams) -> Iterator[lsp.CodeAction]:
    document = view.document
    index, entry = EntryIndex(document.entries).place_around(view.positions.span(params.range))
    if entry is None or entry.section is None:
        return
    moves = SectionMoves(document)
    for place in section_model(document).places_of(index, _MOST_PLACES + 1):
        if place.section != entry.section and moves.edits(index, place.section):
            title = f"Move to '{document.sections[place.section].title}' ({100 * place.share:.0f} %)"
            deed = Deed(view.opened.uri, view.opened.version, "move", index, place.section)
            yield lsp.CodeAction(title, MOVE, data=deed._asdict())


def changed_text(view: View, deed: Deed) -> str | None:
    """Return the text after an action; None if it is refused, as it would change more than it should."""
    analysis, path = view.analysis, view.path
    if deed.deed == "fix-document":
        return fix_document(analysis, path)
    if deed.deed == "move":
        return _moved(view.document, deed)
    if not 0 <= deed.number < len(analysis.findings[path]):
        return None
    finding = analysis.findings[path][deed.number]
    if deed.deed == "fix":
        return fix_finding(analysis, finding)
    if deed.deed.startswith("fix-rule"):
        return fix_rule(analysis, path, finding.rule, unsafe=deed.deed == "fix-rule-unsafely")
    comments = {"ignore-line": _comments_of_line, "ignore-file": _comments_of_file}.get(deed.deed)
    if comments is None:
        return None
    return _first_that_works(view.document, finding, comments(view.document, finding))


def _moved(document: Document, deed: Deed) -> str | None:
    if not 0 <= deed.number < len(document.entries):
        return None
    edits = SectionMoves(document).edits(deed.number, deed.section)
    return apply_edits(document.source.text, edits) if edits else None


def why_nothing_changes(deed: Deed) -> str:
    """Return why an action has no edits, for the user."""
    if deed.deed.startswith("ignore"):
        return "no comment works at this place: ignore the rule in the configuration"
    return "not fixed: it would change more than it declares, or nothing"


def is_quick(action: lsp.CodeAction) -> bool:
    """Return whether the edits of an action take no longer than a parse."""
    deed = read_deed(action.data)
    return deed is not None and deed.deed in ("fix", "move")


def read_deed(data: Any) -> Deed | None:
    """Return the deed of an action that a client gives back; None if it is none of ours."""
    try:
        deed = Deed(**data)
    except TypeError:
        return None
    kinds = (str, int, str, int, int)
    return deed if all(isinstance(value, kind) for value, kind in zip(deed, kinds, strict=True)) else None


def _find_findings(view: View, params: lsp.CodeActionParams) -> list[int]:
    """Return the indexes of the findings that are shown, and that the range touches or the client names.

    Some clients name all of the line that the cursor is on, and some of them (Neovim 0.7) with columns of their own.
    """
    first, last = view.positions.span(params.range)
    named = {(finding.code, finding.range.start.line) for finding in params.context.diagnostics}
    line_at = view.document.source.line_at
    shown = set(shown_findings(view.analysis, view.path))
    touched = (
        index
        for index, finding in enumerate(view.analysis.findings[view.path])
        if finding in shown
        and (
            (finding.span.start <= last and first <= finding.span.end)
            or (finding.rule, line_at(finding.span.start)) in named
        )
    )
    return list(islice(touched, _MAX_FINDINGS))


def _offers(view: View, index: int) -> Iterator[tuple[int, int, lsp.CodeAction]]:
    """Yield the actions for a finding, each with its rank and the place that it is for."""
    finding = view.analysis.findings[view.path][index]
    rule, fix, source = finding.rule, finding.fix, view.document.source
    diagnostics = [to_diagnostic(view.analysis, finding, view.positions)]

    def action(title: str, deed: str, is_preferred: bool = False) -> lsp.CodeAction:
        data = Deed(view.opened.uri, view.opened.version, deed, index)._asdict()
        return lsp.CodeAction(title, _QUICK_FIX, diagnostics, is_preferred=is_preferred or None, data=data)

    if fix is not None:
        safe = fix.applicability is Applicability.SAFE
        title = f"{'Fix' if safe else 'Unsafe fix'}: {describe_fix(fix, finding.span, source, _STYLE)}"
        yield 0, index, action(title, "fix", safe)
        if (count := _count_fixes(view, rule, fix.applicability)) > 1:
            deed, how = ("fix-rule", "fix all") if safe else ("fix-rule-unsafely", "fix all unsafely")
            yield 1, -1, action(f"{rule}: {how} ({count})", deed)
    if rule != UNUSED:
        line = source.line_at(finding.span.start)
        yield 2, line, action(f"{rule}: ignore on this line", "ignore-line")
        yield 3, -1, action(f"{rule}: ignore in this file", "ignore-file")


def _count_fixes(view: View, rule: str | None, least: Applicability) -> int:
    return sum(
        finding.fix is not None and finding.fix.applicability >= least
        for finding in shown_findings(view.analysis, view.path)
        if rule in (None, finding.rule)
    )


def _is_wanted(kind: str, wanted: Sequence[str | lsp.CodeActionKind] | None) -> bool:
    """Return whether a client wants actions of a kind: it names the kind, or one that the kind belongs to."""
    if wanted is None:
        return True
    names = [name.value if isinstance(name, lsp.CodeActionKind) else name for name in wanted]
    return any(name == "" or kind == name or kind.startswith(f"{name}.") for name in names)
