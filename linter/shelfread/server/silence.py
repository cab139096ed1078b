"""Comments that ignore a finding, in a form that works where it is and that changes nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from shelfread.core.diagnostics import Diagnostic, Edit, Span
from shelfread.core.source import Source
from shelfread.core.spans import apply_edits
from shelfread.document.model import Document
from shelfread.fixes.verify.edit_scope import SpanIndex
from shelfread.fixes.verify.tokens import flatten
from shelfread.markdown.node import Block, Tree
from shelfread.markdown.parse import parse
from shelfread.rulebook.suppressions import Scope, read_suppressions, suppress
from shelfread.server.features.under_cursor import blocks_around

_PREFIX = re.compile(r"[ \t>]*")
_ROW_END = re.compile(r"(?:(?<![ \t])[ \t]+)?\|[ \t]*$")
_LINE_END = re.compile(r"(?:(?<![\\ \t])\\?[ \t]*|(?<=\\)[ \t]*)$")


def ignore_on_line(document: Document, finding: Diagnostic) -> str | None:
    """Return the text with a comment that ignores a rule on the line of a finding; None if no form works there."""
    return _first_that_works(document, finding, _comments_of_line(document, finding))


def ignore_in_file(document: Document, finding: Diagnostic) -> str | None:
    """Return the text with a comment that ignores a rule in the whole file; None if no form works there."""
    return _first_that_works(document, finding, _comments_of_file(document, finding))


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
    """Return the comments before and after a block."""
    newline = source.newline
    end = source.starts[block.last] if block.last < len(source.starts) else len(source.text)
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
