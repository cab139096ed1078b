"""Find out which lists are made from other files: by their first comment, or by what a contributing guide says.

To change such a list is in vain: the next run of its generator overwrites it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from shelfread.core.patterns import lazy
from shelfread.document.file_kind import FileKind

ALL = "*"
"""Stands for all lists of a folder."""
_START = 4096
"""Only so much of a list is searched for a comment that says it is generated."""
_LONGEST_GUIDE = 100_000
_VERB = r"(?:edit|update|modify|change|touch)"
_NOT = r"\b(?:do not|don't|never|must not|should not)\b"
_OWN = lazy(rf"(?i){_NOT} (?:\w+ )?{_VERB} this (?:file|document|page|list|readme)\b")
_LINKED = lazy(r"\]\([^()\n]*\)|[`*]")
_README = r"(?P<name>readme(?:[-_.]{1,2}[^\W_]{1,40}){0,6})\b"
_BY_HAND = r"(?:directly|manually|by hand)"
_MADE = r"(?:generated|built|compiled|rendered|produced)"
_STATEMENTS = (
    # The README.md is (automatically) generated from data/.
    lazy(
        rf"(?i)\b{_README}\]?(?: file| list)? (?:is|are|gets|will be) (?:\w+[ -]){{0,2}}{_MADE}\b"
        r"(?= (?:\w+ ){0,2}(?:from|by|with|using|via)\b|[.!,;]|$)"
    ),
    # Edit list.json instead of README.md.
    lazy(rf"(?i)\b{_VERB}\b[^\n]{{1,160}}\binstead of (?:editing |changing )?(?:the )?\[?{_README}"),
    # Never add a project to README.md directly; do not edit README.md by hand.
    lazy(rf"(?i)(?:{_NOT}|\bnot)[^.\n]{{0,80}}?\b{_README}\]?(?: file)? {_BY_HAND}\b"),
    # Changes to README.md will be overwritten.
    lazy(rf"(?i)\b(?:changes|edits)\b[^.\n]{{0,40}}\b{_README}\]?(?: file)?[^.\n]{{0,40}}\boverwritten\b"),
)
_ELSEWHERE = lazy(
    r"(?i)\b(?:do not|don't) (?:submit|open|send|make|create) (?:any )?(?:pull requests?|prs?) (?:in|to|on|at|against)"
    r" this repo(?:sitory)?\b[^\n]{0,40}\buse\b[^\n]{1,160}\binstead\b"
)
_PART = lazy(r"(?i)\b(?:doc)?toc\b|\btable of contents\b|\bbadges?\b|\bpart of\b")
"""A part of a list can be generated."""
_EXTENSION = lazy(r"\.(?:md|markdown|mdown|mkd)$")


def is_generated(text: str) -> bool:
    """Return whether a comment in the first lines of a list forbids to change it."""
    start = text[:_START]
    if "<!--" not in start:
        return False
    comments = (part.partition("-->")[0] for part in start.split("<!--")[1:])
    return any(_OWN.search(" ".join(comment.split())) for comment in comments)


def find_generated(kind: FileKind, text: str) -> frozenset[str]:
    """Return the names of the lists in a guide's folder that it says are generated, folded, without extensions."""
    if kind is not FileKind.GUIDE and not kind.is_comment_template:
        return frozenset()
    text = re.sub(
        r"[ \t]+", " ", _LINKED.sub(lambda match: "]" if match[0][0] == "]" else "", text[:_LONGEST_GUIDE])
    )
    names = {
        fold_name(match["name"])
        for statement in _STATEMENTS
        for match in statement.finditer(text)
        if not _PART.search(_sentence(text, match))
    }
    return frozenset({*names, ALL} if _ELSEWHERE.search(text) else names)


def is_named(path: str, guide: str, names: Collection[str]) -> bool:
    """Return whether a guide at the path `guide`, which says that `names` are generated, means the list at `path`."""
    folder = os.path.dirname(guide)
    if os.path.basename(folder) in (".github", "docs"):
        folder = os.path.dirname(folder)
    return os.path.dirname(path) == folder and (ALL in names or fold_name(os.path.basename(path)) in names)


def fold_name(name: str) -> str:
    """Return the name of a file in lower case, without the extension of Markdown."""
    return _EXTENSION.sub("", name.lower())


def _sentence(text: str, match: re.Match[str]) -> str:
    start = max(text.rfind(end, 0, match.start()) for end in (". ", "\n"))
    end = text.find("\n", match.end())
    return text[start + 1 : match.end() if end < 0 else end]
