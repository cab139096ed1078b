"""The links of a line that are labels: `[[Paper]](u)`, `([code](u), [slides](v))`, `[[CVPR2021]](u)`."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.document.citation import find_mentions, is_citation
from shelfread.document.printed import Printed, PrintedLink
from shelfread.taxonomy.vocabulary import Role, Vocabulary

GONE = "\0"
"""Stands, once for each character, for what was read already."""
OPENING = {"[": "]", "(": ")", "（": "）", "【": "】", "［": "］"}
# Marks before a title that say nothing of it: emoji, stars, check boxes, arrows, bullets typed twice.
MARKS = re.compile(
    r"(?:\[[ xX✓]\](?=\s)|[^\w\s\[(（【\"“「《„«'‘$#@<{.\0/\\+~&*-]|[\s\u200b\ufe0f*·-])*"
)
_EDGE = " []()（）【】*_`<>{}:|,.;\"'→↗🔗📄💻"
_EMPTY_GROUP = re.compile(r"[\[(（【|]?[ \t]*\0[\0 \t,;|/·&+，、]*[\])）】|]?")
_CITED = re.compile(r"\d\d|[A-Z]{2}")
_NOT_WORD = re.compile(r"[\W_]+")


class Label(NamedTuple):
    """A link that is a label of the entry."""

    label: str
    role: Role | None
    link: PrintedLink


def blank(text: str, labels: list[Label], cited: list[PrintedLink]) -> str:
    """A line's text with its label links, and the brackets that held nothing else, gone."""
    for taken in [*(label.link for label in labels), *cited]:
        text = text[: taken.start] + GONE * (taken.end - taken.start) + text[taken.end :]
    return _EMPTY_GROUP.sub(lambda match: GONE * len(match.group()), text) if GONE in text else text


def has_words(rest: str) -> bool:
    """Whether anything is left of a line that could be read."""
    return bool(_NOT_WORD.sub("", rest))


def find_labels(printed: Printed, vocabulary: Vocabulary, named: bool) -> tuple[list[Label], list[PrintedLink]]:
    """The links that are labels, and those whose text is the citation (`([SC 2023](notes.md))`)."""
    labels: list[Label] = []
    cited: list[PrintedLink] = []
    text = printed.text
    first = MARKS.match(text)
    begin = first.end() if first else 0
    for link in printed.links:
        raw = text[link.start : link.end]
        label = raw.strip(_EDGE)
        if not label or label.startswith("@"):
            continue
        bracketed = _is_bracketed(text, raw, link)
        leading = link.start <= begin + 1 and not text[:link.start].strip(_EDGE)
        role = vocabulary.role(label) if len(label) <= 40 else None
        if leading:
            after = text[link.end :].strip(_EDGE + " ")
            if bracketed and len(label) <= 40 and is_citation(label, vocabulary) and after:
                cited.append(link)
                labels.append(Label(label, None, link))
            elif role is not None and not named and (not after or _only_labels(text, printed.links, vocabulary)):
                labels.append(Label(label, role, link))
            continue
        if bracketed and len(label) <= 40 and _CITED.search(label) and is_citation(label, vocabulary) and find_mentions(label, vocabulary):
            cited.append(link)
            if role is not None or link.link.url.startswith("http"):
                labels.append(Label(label, role, link))
        elif role is not None or bracketed and len(label) <= 60 and len(label.split()) <= 6:
            labels.append(Label(label, role, link))
    return labels, cited


def _is_bracketed(text: str, raw: str, link: PrintedLink) -> bool:
    raw = raw.strip()
    if raw[:1] in OPENING and raw.endswith(OPENING[raw[:1]]) and raw.find(OPENING[raw[0]]) == len(raw) - 1:
        return True
    left = text[: link.start].rstrip(" ,;|/·&*_`\"'")
    right = text[link.end :].lstrip(" *_`\"'")
    if not left or left[-1] not in OPENING:
        # a further one of a group: `[Paper, Code]`
        opening = max(left.rfind("["), left.rfind("("), left.rfind("（"))
        inside = opening >= 0 and opening > max(left.rfind("]"), left.rfind(")"), left.rfind("）"))
        return inside and len(left) - opening < 80 and right[:1] in ("]", ")", "）", ",", ";", "|", "/") and left[opening] == "["
    return right[:1] in ("]", ")", "）", "】", "］", ",", ";", "|", "/", "·", "&")


def _only_labels(text: str, links: list[PrintedLink], vocabulary: Vocabulary) -> bool:
    """Whether a line is nothing but label links."""
    for link in links:
        label = text[link.start : link.end].strip(_EDGE)
        if len(label) > 40 or (vocabulary.role(label) is None and not _is_bracketed(text, text[link.start : link.end], link)):
            return False
    for link in reversed(links):
        text = text[: link.start] + text[link.end :]
    return not has_words(text)
