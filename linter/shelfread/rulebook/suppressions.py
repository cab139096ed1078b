"""Comments in a list that ignore rules: `<!-- shelfread-disable-line link/insecure -->`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.diagnostics import Change, Diagnostic, Edit, Effect, RawDiagnostic, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import did_you_mean
from shelfread.core.yaml_files import load_table

if TYPE_CHECKING:
    from shelfread.core.source import Source
    from shelfread.markdown.node import Tree

UNUSED = "suppression/unused"
UNKNOWN = "suppression/unknown"
_ACTIONS = ("disable", "disable-line", "disable-next-line", "disable-file", "enable")
_DIRECTIVES = (*_ACTIONS, "format", "list")

_COMMENT = lazy(r"<!--\s*shelfread-(disable(?:-line|-next-line|-file)?|enable)(?=\s|-->)")
_REMARK_LINT = lazy(r"<!--\s*lint\s+(disable|enable)(?=\s|-->)")
_LONGEST_NAME = 80  # characters of an unknown name that are shown and compared
# The most unknown names of a file that are compared with those of all rules, which is slow.
_MOST_SUGGESTIONS = 20
_NEAR = 10_000  # characters before a comment in which another one may be open
_DIRECTIVE = lazy(r"<!--\s*shelfread-([\w-]+)(?<!-)")
_NAME = lazy(r"[^\s,]+")


class IgnoredName(NamedTuple):
    """A rule or family in a comment; the empty name stands for all rules."""

    name: str
    span: Span


class Suppression(NamedTuple):
    """One comment. `line`, from 0, is the one that `disable-line` and `disable-next-line` apply to."""

    action: str
    span: Span
    names: tuple[IgnoredName, ...]
    line: int
    for_remark_lint: bool = False  # written for remark-lint: it is never reported as unused


class Scope(NamedTuple):
    """What a run can judge: `ran` are its rules.

    `narrowed` says that the run leaves out rules that usually run, so a comment that names a family or all
    rules may be used nevertheless. `partly_online` are families of which some rules run elsewhere.
    """

    ran: Collection[str]
    narrowed: bool = False
    partly_online: Collection[str] = ()


def read_suppressions(source: Source, tree: Tree) -> list[Suppression]:
    """Return the comments that ignore rules, in order; text after `--` in a comment is its reason."""
    found = []
    for comment in tree.comments:
        span = Span(comment.start, comment.end)
        match = _COMMENT.match(source.text, *span)
        if match is None:
            if "lint" in comment.value and (other := _read_remark_lint(source, span)) is not None:
                found.append(other)
            continue
        end = source.text.find("--", match.end(), span.end)
        names = tuple(
            IgnoredName(name[0].removesuffix("/*"), Span(*name.span()))
            for name in _NAME.finditer(source.text, match.end(), end if end >= 0 else span.end)
        )
        line = source.line_at(span.start)
        if match[1] == "disable-next-line":
            line = source.line_at(span.end - 1) + 1
            while line < len(source.lines) - 1 and not source.lines[line].strip():
                line += 1
        found.append(Suppression(match[1], span, names or (IgnoredName("", span),), line))
    return found


def find_unknown(
    suppressions: Iterable[Suppression], source: Source, tree: Tree, known: Collection[str]
) -> Iterator[RawDiagnostic]:
    """Yield the names in comments that no rule and no family has, and comments that begin with an unknown word."""
    names = {*known, *(id.partition("/")[0] for id in known)}
    written = [name for each in suppressions if not each.for_remark_lint for name in each.names]
    unknown = [each for each in written if each.name and known and each.name not in names]
    for index, (name, span) in enumerate(unknown):
        yield _unknown(span, name, names if index < _MOST_SUGGESTIONS else (), "rule")
    for comment in tree.comments if "shelfread-" in source.text else ():
        match = _DIRECTIVE.match(source.text, comment.start, comment.end)
        if match is not None and match[1] not in _DIRECTIVES:
            yield _unknown(Span(*match.span(1)), match[1], _DIRECTIVES, "directive")


def _unknown(span: Span, name: str, known: Collection[str], what: str) -> RawDiagnostic:
    shown = name[:_LONGEST_NAME]
    return RawDiagnostic(span, {"name": shown, "suggestion": did_you_mean(shown, known)}, message=what)


def suppression_lines(source: Source) -> Iterator[int]:
    """Yield the lines, from 0, of all that looks like a comment that ignores rules, even in code."""
    if "lint" not in source.text and "shelfread-" not in source.text:
        return
    matches = chain(*(pattern.finditer(source.text) for pattern in (_COMMENT, _REMARK_LINT)))
    yield from sorted({source.line_at(match.start()) for match in matches})


def _read_remark_lint(source: Source, span: Span) -> Suppression | None:
    """Return a comment for remark-lint or awesome-lint with the names of our rules; None if it has none of them."""
    match = _REMARK_LINT.match(source.text, *span)
    if match is None:
        return None
    written = source.text[match.end() : span.end].removesuffix("-->").split()
    rules = (remark_lint_rules().get(name.removeprefix("remark-lint-"), "") for name in written)
    names = tuple(IgnoredName(rule, span) for ours in rules for rule in ours.split())
    if written and not names:
        return None
    return Suppression(match[1], span, names or (IgnoredName("", span),), source.line_at(span.start), True)


@cache
def remark_lint_rules() -> Mapping[str, str]:
    """Return our rules, with blanks between them, by the rule of remark-lint that checks the same."""
    rules: Mapping[str, str] = load_table(Path(__file__).with_name("remark_lint.yaml"))
    return rules


def suppress(
    diagnostics: Iterable[Diagnostic], suppressions: Sequence[Suppression], source: Source, scope: Scope
) -> tuple[list[Diagnostic], list[RawDiagnostic]]:
    """Return the diagnostics that no comment ignores, and those of comments that ignore nothing."""
    find_suppressing = _index(suppressions, source)
    suppressed = [(diagnostic, find_suppressing(diagnostic)) for diagnostic in diagnostics]
    used = {name for _, name in suppressed}
    unused = [
        found for suppression in suppressions for found in _find_unused(suppression, used, source, scope)
    ]
    return [diagnostic for diagnostic, name in suppressed if name is None], unused


def _index(suppressions: Sequence[Suppression], source: Source) -> Callable[[Diagnostic], Span | None]:
    """Return a function that finds the span of the name by which a diagnostic is ignored."""
    lines: dict[tuple[str, int], Span] = {}
    files: dict[str, Span] = {}
    switches: dict[str, list[tuple[int, bool, Span]]] = {}
    for suppression in suppressions:
        action, start = suppression.action, suppression.span.start
        for name, span in suppression.names:
            if action == "disable-file":
                files.setdefault(name, span)
            elif action in ("disable-line", "disable-next-line"):
                lines.setdefault((name, suppression.line), span)
            else:
                switches.setdefault(name, []).append((start, action == "disable", span))

    def find_suppressing(diagnostic: Diagnostic) -> Span | None:
        names = (diagnostic.rule, diagnostic.rule.partition("/")[0], "")
        start = diagnostic.span.start
        line = source.line_at(start)
        for name in names:
            if (span := lines.get((name, line))) is not None:
                return span
        # Of the switches before a place the last one that names the rule decides.
        before = (switch for name in names for switch in _last_before(switches.get(name, ()), start))
        last = max(before, default=None)
        if last is not None and last[1]:
            return last[2]
        return next((files[name] for name in names if name in files), None)

    return find_suppressing


def _last_before(switches: Sequence[tuple[int, bool, Span]], start: int) -> Sequence[tuple[int, bool, Span]]:
    index = bisect_right(switches, start, key=lambda switch: switch[0])
    return switches[index - 1 : index] if index else ()


def _find_unused(
    suppression: Suppression, used: Collection[Span | None], source: Source, scope: Scope
) -> Iterator[RawDiagnostic]:
    """Report a comment with names that ignore nothing; the fix removes these, or the whole comment."""
    if suppression.action == "enable" or suppression.for_remark_lint:
        return
    span, names = suppression.span, suppression.names
    unused = [name for name in names if name.span not in used and _can_judge(name.name, scope)]
    if not unused:
        return
    if len(unused) == len(names):
        removed, text = Span(*source.with_blanks(*span)), ""
    else:
        kept = " ".join(name.name for name in names if name not in unused)
        before = source.text[span.start : names[0].span.start]
        after = source.text[names[-1].span.end : span.end]
        removed, text = span, before + kept + after
    effect = Effect(Change.REMOVED, before=source.text[slice(*span)], after=text)
    written = f"{suppression.action} {' '.join(name.name for name in unused)}".rstrip()
    near = source.text[max(span.start - _NEAR, 0) : span.start]
    closes_another = near.rfind("<!--") > near.rfind("-->")  # its end is also that of a comment in a script
    edits = () if closes_another else (Edit(*removed, text, effect),)
    yield RawDiagnostic(span, {"suppression": written}, edits)


def _can_judge(name: str, scope: Scope) -> bool:
    """Return whether this run can tell that a name is unused; one that no rule has is no matter of use."""
    if "/" in name:
        return name in scope.ran
    if scope.narrowed or name in scope.partly_online:
        return False
    if not name:
        return True
    return any(id.startswith(f"{name}/") for id in scope.ran)
