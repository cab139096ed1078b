"""Infers a configuration from lists, with the reasons in comments: conventions in words, as `Paper before Code (50 of 55)`."""

from __future__ import annotations

import dataclasses
import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.wording import counted
from shelfread.document.model import Document
from shelfread.engine.lint import lint
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, Topic, learn
from shelfread.index.line_style import DESCRIPTION_END, DESCRIPTION_START, LABEL_ORDER, SEPARATOR
from shelfread.index.observations import AUTHORS, GAP, TITLE_END, VENUE_FORM
from shelfread.index.project_index import ProjectIndex
from shelfread.init.heading_parts import MAX_CONVENTION, MAX_CONVENTIONS, MAX_PATTERNS
from shelfread.mapping.proposals import scalar
from shelfread.rulebook.metadata import RuleMetadata, bind
from shelfread.taxonomy.vocabulary import Vocabulary

_SEVERAL = 3  # so many links are more than a slip
_PARTS = {"label": "[label]", "link": "[name]", "text": "description"}
_OPENING = {"]": "[", ")": "(", "”": "“", "’": "‘"}
_CLOSING = {"[": "]", "(": ")"}
_WORDS = {
    "stop": "a full stop",
    "none": "no full stop",
    "capital": "a capital letter",
    "small": "a small letter",
}
_VENUES = {"name": "VENUE", "words": "Venue in Words", "preprint": "arXiv"}


class Learned(NamedTuple):
    """The conventions that a rule has learned from the lists."""

    rule: RuleMetadata
    conventions: Sequence[tuple[str, Convention]]  # each with the subject of its question
    kept: bool  # whether the rule has no finding in the lists, if it is required always
    reported: bool  # whether it has one as it is learned


class InferredProject(NamedTuple):
    """The lists that a configuration is inferred from; paths are from the folder of the configuration."""

    documents: Mapping[str, Document]  # the files with entries
    others: Collection[str]  # the Markdown files without entries
    context: RuleContext
    presets: Mapping[str, tuple[str, ...]]  # the detected presets of each file


def infer_config(
    project: InferredProject, learned: Sequence[Learned], taxonomy: str | None, disabled: Mapping[str, int]
) -> str:
    """Return the text of a configuration; `disabled` are rules to turn off, with the number of their findings."""
    entries = [entry for document in project.documents.values() for entry in document.entries]
    papers = counted(sum(entry.kind == "paper" for entry in entries), "paper")
    lists = counted(len(project.documents), "list")
    lines = [
        f"# Written by `shelfread init` from {lists} with {counted(len(entries), 'entry', 'entries')} ({papers}).",
        "# `shelfread rule` lists all rules, `shelfread rule entry/order` explains one.",
        "",
        *_presets(project),
        "",
        "# The lists, as patterns of .gitignore. They are checked together: an entry in two of them is a duplicate.",
        "include:",
        *(f"  - {scalar(pattern)}" for pattern in patterns(project.documents, project.others)),
    ]
    if _is_gitbook(project.context.project):
        lines += ["", "# How the anchors of headings are made: more links fit GitBook's than GitHub's."]
        lines += ["slugs: gitbook"]
    if taxonomy is not None:
        lines += [
            "",
            "# The subjects that sections may have, and the roles of links.",
            f"taxonomy: {scalar(taxonomy)}",
        ]
    return "\n".join([*lines, *_rules(learned, disabled, project.context.vocabulary), ""])


def _presets(project: InferredProject) -> list[str]:
    """Return the lines for the presets, which are set if all lists have the same ones."""
    detected = (project.presets[path] for path in project.documents)
    found = Counter(tuple(name for name in names if name != "taxonomy") for names in detected)
    if len(found) == 1:
        (names,) = found
        reason = "# The kind of these lists, which decides about the rules. Without this line it is detected at every run."
        return [reason, f"presets: [{', '.join(names)}]"]
    kinds = ", ".join(
        f"{counted(count, 'list')} [{', '.join(names)}]" for names, count in found.most_common()
    )
    return [
        f"# `presets` is not set, as the lists differ: {kinds}.",
        "# The kind of each list is detected at every run.",
    ]


def patterns(lists: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the fewest gitignore patterns for the lists; a folder with lists only is one pattern."""
    excluded = {folder for path in others for folder in _folders(path)}
    if "" not in excluded:
        return ["*.md"]
    found: dict[str, None] = {}
    for path in sorted(lists):
        complete = [folder for folder in _folders(path) if folder not in excluded]
        found[f"/{complete[-1]}/**/*.md" if complete else f"/{path}"] = None
    return list(found) if len(found) <= MAX_PATTERNS else ["*.md"]


def _folders(path: str) -> Iterator[str]:
    """Yield the folders of a file from the innermost one; the last, empty one is that of the configuration."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _is_gitbook(project: ProjectIndex) -> bool:
    """Return whether several more links within the project follow GitBook's anchors than GitHub's."""
    gitbook = dataclasses.replace(project, slugs="gitbook")
    matches = Counter[str]()
    for path in project.facts:
        for reference in project.references(path):
            matches["github"] += reference.anchor in (project.anchors(path) or ())
            matches["gitbook"] += reference.anchor in (gitbook.anchors(path) or ())
    return matches["gitbook"] - matches["github"] >= _SEVERAL


def learn_rules(rules: Iterable[RuleMetadata], project: InferredProject) -> list[Learned]:
    """Return what the rules with a convention learn from these lists, without those that learn nothing."""
    found = []
    detected = {preset for path in project.documents for preset in project.presets[path]}
    for rule in rules:
        if rule.convention is None or detected.isdisjoint(rule.presets):
            continue
        questions = project.context.conventions.questions(Topic(rule.convention))
        learned = ((question.subject, learn(forms)) for question, forms in questions)
        conventions = [(subject, convention) for subject, convention in learned if convention is not None]
        if conventions:
            conventions.sort(key=lambda pair: -pair[1].total)
            always, reported = (
                any(lint(document, project.context, bound) for document in project.documents.values())
                for bound in ([bind(rule, {"when": when})] for when in ("always", "learned"))
            )
            found.append(Learned(rule, conventions, not always, reported))
    return found


def _rules(learned: Sequence[Learned], disabled: Mapping[str, int], vocabulary: Vocabulary) -> list[str]:
    """Return the lines for single rules; a convention without exceptions is set."""
    settings = {
        rule.id: (
            "{when: always}",
            describe_conventions(Topic(rule.convention or ""), conventions, vocabulary),
        )
        for rule, conventions, kept, _ in learned
        if kept
    }
    for id, count in disabled.items():
        settings[id] = "off", f"{counted(count, 'finding')} with this taxonomy"
    varying = {
        rule.id: describe_conventions(Topic(rule.convention or ""), broken, vocabulary)
        for rule, conventions, kept, reported in learned
        if reported
        and not kept
        and (broken := [each for each in conventions if each[1].cases < each[1].total])
    }
    lines: list[str] = []
    if varying:
        lines += [
            "",
            "# What most entries do, and some do not. It is learned at every run: an entry that differs is",
        ]
        lines += [
            "# reported while nine of ten agree. To require it always, add `RULE: {when: always}` below `rules`."
        ]
        width = max(map(len, varying))
        lines += [f"#   {id:<{width}}  {description}" for id, description in varying.items()]
    if settings:
        lines += [
            "",
            "# `when: always`: the rule has no findings today. What differs is one from now on, but for what its page allows.",
        ]
        if disabled:
            lines += ["# `off`: remove the line to see the findings."]
        lines += ["rules:"]
        width = max(len(f"{id}: {setting}") for id, (setting, _) in settings.items())
        lines += [f"  {f'{id}: {value}':<{width}}  # {reason}" for id, (value, reason) in settings.items()]
    return lines


def describe_conventions(
    topic: Topic, conventions: Sequence[tuple[str, Convention]], vocabulary: Vocabulary
) -> str:
    """Return the first conventions of a topic, each with the subject of its question, in words."""
    counts: dict[str, tuple[int, int]] = {}
    for subject, (form, cases, total) in conventions:
        text = _show(_describe(topic, subject, form, vocabulary))
        before = counts.get(text, (0, 0))
        counts[text] = before[0] + cases, before[1] + total
    described = [f"{text} ({cases:,} of {total:,})" for text, (cases, total) in counts.items()]
    return ", ".join(described[:MAX_CONVENTIONS]) + (", ..." if len(described) > MAX_CONVENTIONS else "")


def _describe(topic: Topic, subject: str, form: str, vocabulary: Vocabulary) -> str:
    if topic == GAP:
        return _describe_gap(subject, form)
    if topic == LABEL_ORDER:
        first, second = (form, *(name for name in subject.split() if name != form))[:2]
        return f"{_role(first, vocabulary)} before {_role(second, vocabulary)}"
    if topic == SEPARATOR:
        return f"name{form}description"
    if topic in (DESCRIPTION_START, DESCRIPTION_END):
        return _WORDS.get(form, form)
    if topic == TITLE_END:
        opening = "".join(_OPENING.get(mark, mark) for mark in reversed(form.strip(".。")))
        return f"{opening}Title{form}" + ("" if "." in form or "。" in form else " without a full stop")
    if topic == VENUE_FORM:
        name, _, bracket = subject.partition(" ")
        return f"{bracket}{_VENUES.get(name, name)}{form}{_CLOSING.get(bracket, '')}"
    if topic == AUTHORS:
        return f"'{form}' {subject}"
    return form


def _describe_gap(subject: str, form: str) -> str:
    """Return a gap between the parts around it: `title [label]`, `[label] [label]`."""
    left, _, right = subject.split()[0].partition("-") if subject.split() else ("", "", "")
    before, after = _PARTS.get(left, left), _PARTS.get(right, right)
    if form[:1] in ("]", ")"):
        before = before.strip("[]") if form[0] == "]" else before
    if form[-1:] == "[":
        after = after.strip("[]")
    closing = "".join(_CLOSING.get(mark, "") for mark in reversed(form.rpartition(" ")[2]))
    opening = "".join(_OPENING.get(mark, "") for mark in reversed(form.partition(" ")[0]))
    return f"{opening}{before}{form}{after}{closing}"


def _role(id: str, vocabulary: Vocabulary) -> str:
    return vocabulary.roles[id].label if id in vocabulary.roles else id.replace("_", " ")


def _show(text: str) -> str:
    line = " ".join(text.splitlines())
    if not line.isprintable():
        line = ascii(line)[1:-1]
    return line if len(line) <= MAX_CONVENTION else f"{line[:MAX_CONVENTION]}..."
