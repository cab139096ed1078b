"""A configuration as lists themselves imply it, with its reasons in comments."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from shelfread.document.model import Document
from shelfread.engine.infer.yaml_scalar import scalar
from shelfread.engine.lint import lint
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import Convention, learn
from shelfread.index.conventions.question import Topic
from shelfread.index.project_index import ProjectIndex
from shelfread.rulebook.binding import bind
from shelfread.rulebook.metadata import RuleMetadata

_SHOWN = 3
_TREE = 12
"""So many files are named one by one at most."""


class Learned(NamedTuple):
    """What a rule has learned from the lists: its conventions, and whether they have no exception at all."""

    card: RuleMetadata
    conventions: Sequence[tuple[str, Convention]]
    """Each with the question that it answers, without its topic."""
    kept: bool


class InferredProject(NamedTuple):
    """The lists that a configuration is for; files are named from the folder that it is written to."""

    documents: Mapping[str, Document]
    """Those with entries."""
    others: Collection[str]
    """Markdown without any."""
    context: RuleContext
    presets: Mapping[str, tuple[str, ...]]
    """The detected presets of each file."""


def infer_config(
    project: InferredProject, learned: Sequence[Learned], taxonomy: str | None, silent: Mapping[str, int]
) -> str:
    """The text of a configuration; `silent` are rules that are to rest, with the number of their findings."""
    entries = [entry for document in project.documents.values() for entry in document.entries]
    papers = sum(entry.kind == "paper" for entry in entries)
    lists = "1 list" if len(project.documents) == 1 else f"{len(project.documents)} lists"
    lines = [
        f"# Written by `shelfread init` from {lists} with {len(entries)} entries, {papers} of them papers.",
        "# `shelfread rule` lists all rules, `shelfread rule ID` explains one.",
        "",
        *_presets(project),
        "",
        "# The files that belong together, as gitignore has them: duplicates and conventions are theirs.",
        "include:",
        *(f"  - {scalar(pattern)}" for pattern in patterns(project.documents, project.others)),
    ]
    if _is_gitbook(project.context.project):
        lines += [
            "",
            "# Headings become anchors as in GitBook: more links lead somewhere than on GitHub.",
            "slugs: gitbook",
        ]
    if taxonomy is not None:
        lines += ["", "# The subjects that sections may have.", f"taxonomy: {scalar(taxonomy)}"]
    lines += _rules(learned, silent)
    return "\n".join(lines) + "\n"


# ----------------------------------------------------------------------------------------- presets
def _presets(project: InferredProject) -> list[str]:
    """The presets, pinned where all lists have the same."""
    found = {
        path: [name for name in project.presets[path] if name != "taxonomy"] for path in project.documents
    }
    if len({tuple(names) for names in found.values()}) == 1:
        names = next(iter(found.values()))
        return [
            "# What kind of lists these are; without this line every run finds out anew.",
            f"presets: [{', '.join(names)}]",
        ]
    kinds = Counter(" and ".join(names) for names in found.values())
    said = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return [f"# presets: every list has its own ({said}), found out at every run."]


# ----------------------------------------------------------------------------------------- include
def patterns(lists: Iterable[str], others: Iterable[str]) -> list[str]:
    """The fewest gitignore patterns that take in the lists: a folder whose Markdown is all lists is one."""
    lists = sorted(lists)
    left_out = {folder for path in others for folder in _above(path)}
    if "" not in left_out:
        return ["*.md"]
    taken: dict[str, None] = {}
    for path in lists:
        whole = [folder for folder in _above(path) if folder not in left_out]
        taken[f"/{whole[-1]}/**/*.md" if whole else f"/{path}"] = None
    return list(taken) if len(taken) <= _TREE else ["*.md"]


def _above(path: str) -> Iterator[str]:
    """The folders that a file is in, the nearest first; the empty one is that of the configuration."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _is_gitbook(project: ProjectIndex) -> bool:
    """Whether links within pages follow GitBook's anchors rather than GitHub's."""
    gitbook = replace(project, slugs="gitbook")
    right = Counter[str]()
    for path in project.facts:
        for reference in project.references(path):
            right["github"] += reference.anchor in (project.anchors(path) or ())
            right["gitbook"] += reference.anchor in (gitbook.anchors(path) or ())
    return right["gitbook"] > right["github"]


# ------------------------------------------------------------------------------------------- rules
def learn_rules(cards: Iterable[RuleMetadata], project: InferredProject) -> list[Learned]:
    """Return what the rules with a convention learn from these lists, if there is something to learn from."""
    found = []
    detected = {preset for path in project.documents for preset in project.presets[path]}
    for card in cards:
        if card.convention is None or detected.isdisjoint(card.presets):
            continue
        questions = project.context.conventions.questions(Topic(card.convention))
        conventions = [
            (question.subject, one) for question, forms in questions if (one := learn(forms)) is not None
        ]
        if conventions:
            conventions.sort(key=lambda one: -one[1].total)
            kept = not any(
                _findings(card, document, project.context) for document in project.documents.values()
            )
            found.append(Learned(card, conventions, kept))
    return found


def _findings(card: RuleMetadata, document: Document, context: RuleContext) -> int:
    return len(lint(document, context, [bind(card, {"when": "always"})]))


def _rules(learned: Sequence[Learned], silent: Mapping[str, int]) -> list[str]:
    """What is known of single rules, pinned where it has no exception."""
    kept = {one.card.id: ("{when: always}", _said(one.conventions)) for one in learned if one.kept}
    for id, count in silent.items():
        kept[id] = "off", f"{count} of its findings would stand against the taxonomy as it is"
    open_ = [one for one in learned if not one.kept]
    lines: list[str] = []
    if open_:
        lines += [
            "",
            "# Learned at every run, since there are exceptions; pinned by `ID: {when: always}` below `rules`:",
        ]
        wide = max(len(one.card.id) for one in open_)
        lines += [f"#   {one.card.id:<{wide}}  {_said(one.conventions)}" for one in open_]
    if kept:
        lines += [
            "",
            "# Pinned: what these lists mostly do, and nothing in them departs from so that a rule would speak.",
            "rules:",
        ]
        wide = max(len(f"{id}: {setting}") for id, (setting, _) in kept.items())
        lines += [f"  {f'{id}: {setting}':<{wide}}  # {said}" for id, (setting, said) in kept.items()]
    return lines


def _said(conventions: Sequence[tuple[str, Convention]]) -> str:
    """`Paper` in 812 of 815, ..."""
    said = ", ".join(
        f"{'' if asked in ('', one.form.casefold()) else f'{_quoted(asked)} '}{_quoted(one.form)}"
        f" in {one.cases} of {one.total}"
        for asked, one in conventions[:_SHOWN]
    )
    return f"{said}, ..." if len(conventions) > _SHOWN else said


def _quoted(form: str) -> str:
    line = " ".join(form.split("\n"))
    shown = line if len(line) <= 40 and line.isprintable() else ascii(line)[1:41]
    return f"`{shown}`"
