"""Find out which lists are made from other files: by their first comment or paragraph, or by what a guide says.

To change such a list is in vain: the next run of its generator overwrites it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.file_kind import FileKind

ALL = "*"  # stands for all lists of a folder
_START = 4096  # only so much of a list is searched for a comment that says it is generated
_LONGEST_GUIDE = 100_000
_LONGEST_SENTENCE = 500
_VERB = r"(?:edit|update|modify|change|touch)"
_NOT = r"\b(?:do not|don['’]?t|never|must not|should not)\b"
_LINKED = lazy(r"\]\([^()\n]*\)|`|(?<!/)\*")
_README = r"(?P<name>readme(?:[-_.]{1,2}[^\W_]{1,40}){0,6})\b"
_MADE = r"(?:(?:re)?generated|built|compiled|rendered|produced|created)"
# A comment, also as the title of a definition that leads nowhere.
_COMMENT = lazy(
    r"(?s)<!--(?P<html>(?:(?!-->).)*)|\{%-?\s*comment\b(?P<liquid>(?:(?!\{%).)*)|\{#(?P<jinja>(?:(?!#\}).)*)"
    r"|(?m:^)\[[^\]\n]{1,20}\]:[ \t]*(?:#|<>)[ \t]*[(\"'](?P<definition>[^\n]*)[)\"']"
)
# What ends the first paragraphs of a list: an item, a row, a heading below the title.
_FIRST_ITEM = lazy(r"(?m)^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*\||#{2,6}[ \t])")
_OWN = r"\bthis (?:\w+ )?(?:file|document|page|list|readme)\b"
_SAYS_ITSELF = lazy(
    rf"(?i){_NOT} (?:\w+ )?{_VERB} (?:this (?:file|document|page|list|readme)\b|it by hand\b)"
    # This list is automatically generated from data/.
    rf"|{_OWN} (?:is|was|gets|has been) (?:auto(?:matically)?[- ]?generated\b|(?:re)?generated from\b)"
)
_COMMENT_SAYS = lazy(r"(?i)\bauto(?:matically)?[- ]?(?:re)?generated\b|\bgenerated (?:file|from)\b")
_COMMENT_FORBIDS = lazy(
    rf"(?i){_NOT} (?:\w+ )?{_VERB}\b|\b(?:edits|changes) (?:are|will be) (?:lost|overwritten)\b"
)
_STATEMENTS = (
    # The README.md is (automatically) generated from data/.
    lazy(
        rf"(?i)\b{_README}\]?(?: file| list)? (?:is|are|gets|will be) (?:\w+[ -]){{0,2}}{_MADE}\b"
        r"(?= (?:\w+ ){0,2}(?:from|by|with|using|via)\b| automatically\b|[.!,;]|$)"
    ),
    # Edit list.json instead of README.md.
    lazy(rf"(?i)\b{_VERB}\b[^\n]{{1,160}}\binstead of (?:editing |changing )?(?:the )?\[?{_README}"),
    # Never add a project to README.md directly; do not edit README.md by hand.
    lazy(rf"(?i)(?:{_NOT}|\bnot)[^.\n]{{0,80}}?\b{_README}\]?(?: file)? (?:directly|manually|by hand)\b"),
    # Do not edit the README, it is generated; don't modify README.md in your pull request.
    lazy(
        rf"(?i){_NOT} (?:\w+ )?{_VERB} (?:the )?\[?{_README}(?![-_.]\w)\]?(?: file)?"
        r"(?= ?(?:[.,;:!)—–]|$)| (?:as|because|since) it| in (?:your|a|the) (?:pull|pr\b))"
    ),
    # This will generate the README.
    lazy(rf"(?i)\b(?:will|to|automatically) (?:re)?generates? (?:the |a )?(?:new )?{_README}"),
    # Changes to README.md will be overwritten.
    lazy(rf"(?i)\b(?:changes|edits)\b[^.\n]{{0,40}}\b{_README}\]?(?: file)?[^.\n]{{0,40}}\boverwritten\b"),
)
_ELSEWHERE = lazy(
    r"(?i)\b(?:do not|don't) (?:submit|open|send|make|create) (?:any )?(?:pull requests?|prs?) (?:in|to|on|at|against)"
    r" this repo(?:sitory)?\b[^\n]{0,40}\buse\b[^\n]{1,160}\binstead\b"
)
# A part of a list can be generated.
_PART = lazy(
    r"(?i)\b(?:doc)?toc\b|\b(?:table of )?contents\b(?!\.)|\bbadges?\b|\bpart of\b|\b(?:start|begin|end|section|block|region)\b|:(?:start|end)\b|\b(?:above|below|between)\b"
)
_EXTENSION = lazy(r"\.(?:md|markdown|mdown|mkd)$")
# A folder or a file that a few words name; a name without a slash needs a known ending (Node.js is no file).
_PATH = (
    r"\s(?:(?!from\s)[\w\[\]-]{1,40}\s){0,4}?[\[\"'(]{0,2}(?!readme\.md\b)(?P<path>(?:[\w.*-]{1,60}/){1,9}(?:[\w.*-]{1,60}\.\w{1,10})?"
    r"|[\w.-]{1,60}\.(?:ya?ml|jsonl?|toml|[ct]sv|xml|bib|md|org|rst|adoc|txt|te?mpl(?:ate)?|tpl|j2|jinja2?|mustache|hbs|erb|py|rb|sh))"
    r"(?![\w/])"
)
_SOURCE = lazy(
    rf"(?i)(?<!not )(?<!n['’]t )(?<!never )\b(?:from|to|within|{_VERB}|(?P<see>by|with|using|via|see|run)){_PATH}"
)


class Generated(NamedTuple):
    """What to edit instead of a list, and what else to see, a script above all; empty if it is not said."""

    source: str = ""
    see: str = ""


def read_generated(text: str) -> Generated | None:
    """Return what a list says it is generated from, in a comment of its first lines or its first paragraph."""
    start = text[:_START]
    for match in _COMMENT.finditer(start):
        comment = _unmarked(" ".join(match[match.lastgroup or 0].split()))
        if _SAYS_ITSELF.search(comment) or (
            (
                _COMMENT_SAYS.search(comment)
                or ("generated" in comment.lower() and _COMMENT_FORBIDS.search(comment))
            )
            and not _PART.search(comment)
        ):
            return _named_in(comment)
    if "generated" not in start.lower() and not _SAYS_ITSELF.search(start):
        return None
    item = _FIRST_ITEM.search(start)
    start = _unmarked(_COMMENT.sub("", start[: item.start() if item else None]))
    said = _SAYS_ITSELF.search(start)
    return _named_in(_sentence(start, said)) if said else None


def _named_in(text: str) -> Generated:
    """Return the first source, and the first file to see, that a text names."""
    found: dict[bool, str] = {}
    for match in _SOURCE.finditer(text):
        found.setdefault(match["see"] is not None, match["path"])
    return Generated(found.get(False, ""), found.get(True, ""))


def find_generated(kind: FileKind, text: str) -> Mapping[str, Generated]:
    """Return the lists in a guide's folder that it says are generated, by their folded names without extensions."""
    if kind is not FileKind.GUIDE and not kind.is_comment_template:
        return {}
    text = _unmarked(text[:_LONGEST_GUIDE])
    found: dict[str, Generated] = {}
    for statement in _STATEMENTS:
        for match in statement.finditer(text):
            if not _PART.search(sentence := _sentence(text, match)):
                name, said = _fold_name(match["name"]), _named_in(sentence)
                found[name] = max(found.get(name, said), said, key=any)
    return {**found, ALL: Generated()} if _ELSEWHERE.search(text) else found


def find_said(
    path: str, own: Generated | None, guides: Iterable[tuple[str, Mapping[str, Generated]]]
) -> Generated | None:
    """Return what a list says of itself or the guides beside it (by path) say; first what names a file."""
    said = [own]
    for guide, generated in guides:
        folder = os.path.dirname(guide)
        if os.path.basename(folder) in (".github", "docs"):
            folder = os.path.dirname(folder)
        if os.path.dirname(path) == folder and path != guide:
            said.append(generated.get(_fold_name(os.path.basename(path)), generated.get(ALL)))
    return max(filter(None, said), key=any, default=None)


def _fold_name(name: str) -> str:
    """Return the name of a file in lower case, without the extension of Markdown."""
    return _EXTENSION.sub("", name.lower())


def _unmarked(text: str) -> str:
    """Return a text without the URLs of links, emphasis and code marks, with single spaces."""
    return re.sub(r"[ \t]+", " ", _LINKED.sub(lambda match: "]" if match[0][0] == "]" else "", text))


def _sentence(text: str, match: re.Match[str]) -> str:
    first, last = max(0, match.start() - _LONGEST_SENTENCE), match.end() + _LONGEST_SENTENCE
    start = max(first - 1, *(text.rfind(end, first, match.start()) for end in (". ", "\n")))
    end = text.find("\n", match.end(), last)
    return text[start + 1 : last if end < 0 else end]
