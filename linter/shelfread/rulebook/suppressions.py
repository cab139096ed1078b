"""Comments in a list that silence rules: `<!-- shelfread-disable-line link/insecure -->`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.diagnostics import Change, Diagnostic, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy

if TYPE_CHECKING:
    from shelfread.core.source import Source
    from shelfread.markdown.node import Tree

UNUSED = "suppression/unused"

_COMMENT = lazy(r"<!--\s*shelfread-(disable(?:-line|-next-line|-file)?|enable)(?=\s|-->)")
_NAME = lazy(r"[^\s,]+")


class Name(NamedTuple):
    """A rule or family that a comment names, and where; the empty name stands for every rule."""

    name: str
    span: Span


class Suppression(NamedTuple):
    """One comment: its deed, its place, the names in it; `line`, from 0, is the one that it is about."""

    action: str
    span: Span
    names: tuple[Name, ...]
    line: int
    end: int = 0
    """Of `ignore`: the end of what it is about."""
    for_remark_lint: bool = False
    """It speaks to remark-lint: we hear it, and do not judge it."""


class Scope(NamedTuple):
    """What a run can judge: `ran` its rules, `known` all there are.

    `narrowed` says that the run leaves out rules which the list is usually checked by, so that a
    comment naming a family or no rule at all may be of use after all; `aside` are families of which some
    rules run elsewhere.
    """

    ran: Collection[str]
    known: Collection[str] = ()
    narrowed: bool = False
    partly_online: Collection[str] = ()


def read_suppressions(source: Source, tree: Tree) -> list[Suppression]:
    """The comments that speak to us, in order; what follows `--` within one is its reason."""
    found = []
    for comment in tree.comments:
        span = Span(comment.start, comment.end)
        match = _COMMENT.match(source.text, *span)
        if match is None:
            if "lint" in comment.value and (foreign := _read_foreign(source, tree, span)) is not None:
                found.append(foreign)
            continue
        end = source.text.find("--", match.end(), span.end)
        names = tuple(
            Name(name[0].removesuffix("/*"), Span(*name.span()))
            for name in _NAME.finditer(source.text, match.end(), end if end >= 0 else span.end)
        )
        line = source.line_at(span.start)
        if match[1] == "disable-next-line":
            line = source.line_at(span.end - 1) + 1
            while line < len(source.lines) - 1 and not source.lines[line].strip():
                line += 1
        found.append(Suppression(match[1], span, names or (Name("", span),), line))
    return found


def suppression_lines(source: Source) -> Iterator[int]:
    """The lines, from 0, of all that looks like a comment that silences rules, in code too."""
    if "lint" not in source.text and "shelfread-" not in source.text:
        return
    from shelfread.rulebook import remark_lint_compat

    places = {
        match.start()
        for pattern in (_COMMENT, remark_lint_compat.COMMENT)
        for match in pattern.finditer(source.text)
    }
    yield from sorted({source.line_at(place) for place in places})


def _read_foreign(source: Source, tree: Tree, span: Span) -> Suppression | None:
    """A comment to remark-lint with our rules for its names; None for one that concerns none of them."""
    from shelfread.rulebook import remark_lint_compat

    match = remark_lint_compat.COMMENT.match(source.text, *span)
    if match is None:
        return None
    written = source.text[match.end() : span.end].removesuffix("-->").split()
    names = tuple(Name(rule, span) for name in written for rule in remark_lint_compat.ours(name))
    until = remark_lint_compat.next_node(tree, span) if match[1] == "ignore" else 0
    if until is None or (written and not names):
        return None
    return Suppression(match[1], span, names or (Name("", span),), source.line_at(span.start), until, True)


def suppress(
    found: Iterable[Diagnostic], suppressions: Sequence[Suppression], source: Source, scope: Scope
) -> tuple[list[Diagnostic], list[RawDiagnostic]]:
    """The findings that no comment silences, and the places of the names that silence nothing."""
    lines: dict[tuple[str, int], Span] = {}
    files: dict[str, Span] = {}
    switches: dict[str, list[tuple[int, bool, Span]]] = {}
    nodes: dict[str, list[tuple[int, int]]] = {}
    for one in suppressions:
        for name, span in one.names:
            if one.action == "disable-file":
                files.setdefault(name, span)
            elif one.action in ("disable-line", "disable-next-line"):
                lines.setdefault((name, one.line), span)
            elif one.action == "ignore":
                nodes.setdefault(name, []).append((one.span.start, one.end))
            else:
                switches.setdefault(name, []).append((one.span.start, one.action == "disable", span))

    # Of nodes within nodes the one that ends last counts.
    ends = {name: list(accumulate((until for _, until in spans), max)) for name, spans in nodes.items()}

    def is_ignored(name: str, start: int) -> Span | None:
        at = bisect_right(nodes[name], start, key=lambda node: node[0])
        return Span(*nodes[name][at - 1]) if at and start < ends[name][at - 1] else None

    def silencer(finding: Diagnostic) -> Span | None:
        names = (finding.rule, finding.rule.partition("/")[0], "")
        start = finding.span.start
        line = source.line_at(start)
        for by in (lines.get((name, line)) for name in names):
            if by is not None:
                return by
        for name in names:
            if name in nodes and (by := is_ignored(name, start)) is not None:
                return by
        # Of the switches before a place the last one that concerns the rule decides.
        before = (switch for name in names for switch in _last(switches.get(name, ()), start))
        last = max(before, default=None)
        if last is not None and last[1]:
            return last[2]
        return next((files[name] for name in names if name in files), None)

    silenced = [(finding, silencer(finding)) for finding in found]
    used = {by for _, by in silenced}
    unused = [place for one in suppressions for place in _unused(one, used, source, scope)]
    return [finding for finding, by in silenced if by is None], unused


def _last(switches: Sequence[tuple[int, bool, Span]], start: int) -> Sequence[tuple[int, bool, Span]]:
    at = bisect_right(switches, start, key=lambda switch: switch[0])
    return switches[at - 1 : at] if at else ()


def _unused(
    one: Suppression, used: Collection[Span | None], source: Source, scope: Scope
) -> Iterator[RawDiagnostic]:
    """The place of a comment with names that silence nothing; the fix removes these, or all of it."""
    if one.action == "enable" or one.for_remark_lint:
        return
    idle = [name for name in one.names if name.span not in used and _judged(name.name, scope)]
    if not idle:
        return
    names = " ".join(name.name for name in idle)
    if len(idle) == len(one.names):
        gone, text = Span(*source.with_blanks(*one.span)), ""
    else:
        gone, text = one.span, source.text[one.span.start : one.names[0].span.start]
        text += " ".join(name.name for name in one.names if name not in idle)
        text += source.text[one.names[-1].span.end : one.span.end]
    effect = Effect(Change.REMOVED, before=source.text[slice(*one.span)], after=text)
    yield RawDiagnostic(
        one.span, {"suppression": f"{one.action} {names}".rstrip()}, (Edit(*gone, text, effect),)
    )


def _judged(name: str, scope: Scope) -> bool:
    """Whether this run can say that a name is of no use; one that no rule has never is."""
    if "/" in name:
        return name in scope.ran or name not in scope.known
    if scope.narrowed or name in scope.partly_online:
        return False
    if not name:
        return True
    return any(id.startswith(f"{name}/") for id in scope.ran) or not any(
        id.startswith(f"{name}/") for id in scope.known
    )
