"""Findings with one cause in one file, which reports for people tell once, and their lines in few words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.patterns import lazy
from shelfread.core.source import Source

_NAMED = 3


def line_ranges(lines: Sequence[int]) -> Iterator[str]:
    """Yield sorted line numbers, consecutive ones as `12-15`."""
    for first, last in _runs(lines):
        yield str(first) if first == last else f"{first}-{last}"


def first_lines(lines: Iterable[int], most: int = _NAMED) -> str:
    """Return `line 12`, or `lines 12, 40-44, 57 and 980 more`: at most so many runs of lines, and the rest counted."""
    ordered = sorted(lines)
    runs = _runs(ordered)
    # To count one run takes as much room as to name it.
    named = runs if len(runs) <= most + 1 else runs[:most]
    noun = "line" if named[-1] == (ordered[0], ordered[0]) else "lines"
    left = sum(line > named[-1][1] for line in ordered)
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in named]
    if left:
        return f"{noun} {', '.join(shown)} and {left:,} more"
    return f"{noun} {', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else f"{noun} {shown[0]}"


def _runs(lines: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for line in lines:
        if runs and line <= runs[-1][1] + 1:
            runs[-1] = runs[-1][0], line
        else:
            runs.append((line, line))
    return runs


MANY = 50  # up to as many findings are reported singly
_FEW = 5  # up to as many findings of one cause are reported singly

Finding: TypeAlias = tuple[Diagnostic, Source]

# Where a message ends with what to write instead, the cause is what comes before it.
_REPLACEMENT = lazy(r"https?://\S+$")
_OTHER_LINE = lazy(r"(?:(?<=:)|(?<=\bline ))\d+\b")
_MAX_GAP = 10  # lines between two findings of one block


class Relation(Enum):
    """What the findings of a group have in common besides file, rule and severity."""

    CAUSE = "cause"  # the message of the first holds for all
    # they follow each other, as the lines that their messages name do: a block that was pasted twice.
    BLOCK = "block"
    RULE = "rule"  # nothing else


class Group(NamedTuple):
    """Findings of one rule and severity in one file, in the order of their places."""

    findings: Sequence[Finding]
    relation: Relation = Relation.CAUSE

    @property
    def first(self) -> Finding:
        return self.findings[0]

    @property
    def size(self) -> int:
        return len(self.findings)

    def others(self) -> str:
        """Return where all but the first are: `also in lines 40, 57 and 980 more`; empty if there are none."""
        if self.size == 1:
            return ""
        lines = [line_of(finding) for finding in self.findings[1:]]
        if self.relation is Relation.BLOCK:
            return f"and so on for {len(lines):,} more, up to line {lines[-1]}"
        if self.relation is Relation.RULE:
            return f"{len(lines):,} more of this rule in {first_lines(lines)}"
        return f"also in {first_lines(lines)}"


def errors_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, otherwise in their order."""
    return sorted(findings, key=lambda finding: -finding[0].severity)


def line_of(finding: Finding) -> int:
    """Return the line of a finding, from 1."""
    diagnostic, source = finding
    return source.position(diagnostic.span.start)[0]


def by_cause(findings: Sequence[Finding], few: int = _FEW) -> list[Group]:
    """Return the findings of each cause together if there are more than `few`, others singly, by first place."""
    causes, single = _parted((Group(same) for same in _collect(findings, _cause)), few)
    blocks, single = _parted(_blocks(single), max(few, _FEW))
    order = {diagnostic: index for index, (diagnostic, _) in enumerate(findings)}
    groups = [*causes, *blocks, *(Group([finding]) for finding in single)]
    return sorted(groups, key=lambda group: order[group.first[0]])


def by_rule(groups: Iterable[Group], few: int = _FEW) -> list[Group]:
    """Return the groups; those of one rule in one file together if there are more than `few`."""
    rules: dict[Hashable, list[Group]] = {}
    for group in groups:
        rules.setdefault(_rule(group.first), []).append(group)
    merged: list[Group] = []
    for same in rules.values():
        if len(same) > few:
            findings = [finding for group in same for finding in group.findings]
            merged.append(Group(sorted(findings, key=line_of), Relation.RULE))
        else:
            merged += same
    return merged


def _parted(groups: Iterable[Group], few: int) -> tuple[list[Group], list[Finding]]:
    many: list[Group] = []
    rest: list[Finding] = []
    for group in groups:
        if group.size > few:
            many.append(group)
        else:
            rest += group.findings
    return many, rest


def _blocks(findings: Iterable[Finding]) -> Iterator[Group]:
    """Yield findings that are near each other and name other lines at one distance, or else one finding."""
    for same in _collect(findings, _distances):
        start = 0
        for index in range(1, len(same) + 1):
            if index == len(same) or line_of(same[index]) - line_of(same[index - 1]) > _MAX_GAP:
                yield Group(same[start:index], Relation.BLOCK)
                start = index


def _collect(findings: Iterable[Finding], key: Callable[[Finding], Hashable]) -> Iterable[list[Finding]]:
    collected: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        collected.setdefault(key(finding), []).append(finding)
    return collected.values()


def _rule(finding: Finding) -> tuple[object, ...]:
    diagnostic, _ = finding
    return diagnostic.path, diagnostic.severity, diagnostic.rule


def _cause(finding: Finding) -> Hashable:
    return *_rule(finding), _REPLACEMENT.sub("", finding[0].message)


def _distances(finding: Finding) -> Hashable:
    """Return the message with the lines that it names counted from its own."""
    message = finding[0].message
    if _OTHER_LINE.search(message):
        line = line_of(finding)
        message = _OTHER_LINE.sub(lambda match: f"{int(match[0]) - line:+}", message)
    return *_rule(finding), message
