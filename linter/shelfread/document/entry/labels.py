"""The links of a line that are labels: `[[Paper]](u)`, `([code](u), [slides](v))`, `[[CVPR2021]](u)`."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.entry.badge import badge_label
from shelfread.document.plain_text import PlainText, TextLink
from shelfread.document.recognizers.citation import find_mentions, find_unlisted_venue, is_citation
from shelfread.markdown.node import Link
from shelfread.taxonomy.vocabulary import Role, Vocabulary

CONSUMED = "\0"
"""Stands, once for each character, for what was read already."""
OPENING = {"[": "]", "(": ")", "（": "）", "【": "】", "［": "］"}
# Marks before a title that say nothing of it: emoji, stars, check boxes, arrows, bullets typed twice.
DECORATION = lazy(
    r"(?:\[[ xX✓]\](?=\s)|:[a-z0-9_+-]{2,40}:|[^\w\s\[(（【\"“「《„«'‘$#@<{.\0/\\+~&*-]|[\s\u200b\ufe0f*·-])*"
)
_EDGE = " []()（）【】*_`<>{}:|,.;\"'→↗🔗📄💻"
_EMPTY_GROUP = lazy(r"[\[(（【|]?[ \t]{0,9}\0[\0 \t,;|/·&+，、]*[\])）】|]?")
_CITED = lazy(r"\d\d|[A-Z]{2}")
_CLOSERS = (")", "]", "）", "】", "］", ",", ";", "|", "/", "·", "&")
_GROUP_ENDS = ("]", ")", "）", ",", ";", "|", "/")
_NEAR = 100
_MAX_LABEL = 40
_ENOUGH = 200
_NOT_WORD = lazy(r"[\W_]+")


class Label(NamedTuple):
    """A link that is a label of the entry."""

    label: str
    role: Role | None
    link: TextLink


def blank_out(text: str, labels: list[Label], cited: list[TextLink]) -> str:
    """A line's text with its label links, and the brackets that held nothing else, gone."""
    parts: list[str] = []
    at = 0
    for taken in sorted([*(label.link for label in labels), *cited], key=lambda link: link.start):
        if taken.start >= at:
            parts += (text[at : taken.start], CONSUMED * (taken.end - taken.start))
            at = taken.end
    parts.append(text[at:])
    text = "".join(parts)
    return _EMPTY_GROUP.sub(lambda match: CONSUMED * len(match.group()), text) if CONSUMED in text else text


def has_words(rest: str) -> bool:
    """Whether anything is left of a line that could be read."""
    return bool(_NOT_WORD.sub("", rest))


def find_labels(plain: PlainText, vocabulary: Vocabulary, named: bool) -> tuple[list[Label], list[TextLink]]:
    """The links that are labels, and those whose text is the citation (`([SC 2023](notes.md))`)."""
    labels: list[Label] = []
    cited: list[TextLink] = []
    text = plain.text
    first = DECORATION.match(text)
    begin = first.end() if first else 0
    for link in plain.links:
        raw = text[link.start : link.end]
        label = raw.strip(_EDGE)
        if not label:
            if link.start == link.end and link.link.url and (said := image_label(link.link, vocabulary)):
                labels.append(Label(said, vocabulary.role(said), link))
            continue
        if label.startswith("@"):
            continue
        leading = link.start <= begin + 1 and not text[: link.start].strip(_EDGE)
        short = len(label) <= _MAX_LABEL
        role = vocabulary.role(label) if short else None
        if leading:
            after = text[link.end : link.end + _ENOUGH].strip(_EDGE + " ")
            if short and after and _is_bracketed(text, raw, link) and is_citation(label, vocabulary):
                cited.append(link)
                labels.append(Label(label, role or _its_paper(link.link, vocabulary), link))
            elif (
                role is not None and not named and (not after or _only_labels(text, plain.links, vocabulary))
            ):
                labels.append(Label(label, role, link))
            continue
        bracketed = _is_bracketed(text, raw, link)
        if bracketed and short and role is None and _cites(label, vocabulary):
            cited.append(link)
            if link.link.url.startswith("http"):
                labels.append(Label(label, _its_paper(link.link, vocabulary), link))
        elif bracketed and short and _CITED.search(label) and _cites(label, vocabulary):
            cited.append(link)
            labels.append(Label(label, role, link))
        elif role is not None or (bracketed and len(label) <= 60 and len(label.split()) <= 6):
            labels.append(Label(label, role, link))
    return labels, cited


def image_label(link: Link, vocabulary: Vocabulary) -> str:
    """What a link that shows but a badge is called: `[![](https://img.shields.io/badge/Paper-PDF-red)](u)`."""
    images = [child for child in link.children if isinstance(child, Link) and child.image]
    if len(images) != 1:
        return ""
    return badge_label(images[0], vocabulary)


def _cites(label: str, vocabulary: Vocabulary) -> bool:
    """Whether a label states where the paper was published: `AAAI2022`, `PSB 2024`."""
    if not _CITED.search(label):
        return False
    if find_mentions(label, vocabulary):
        return is_citation(label, vocabulary)
    return find_unlisted_venue(label, sure=True) is not None


def _its_paper(link: Link, vocabulary: Vocabulary) -> Role | None:
    """The role of a link whose text is the citation: it leads to the paper, unless its place says more."""
    if not link.url.startswith("http"):
        return None
    return vocabulary.role("", link.url) or vocabulary.roles.get("paper")


def _is_bracketed(text: str, raw: str, link: TextLink) -> bool:
    raw = raw.strip()
    if raw[:1] in OPENING and raw.endswith(OPENING[raw[:1]]) and raw.find(OPENING[raw[0]]) == len(raw) - 1:
        return True
    left = text[max(link.start - _NEAR, 0) : link.start].rstrip(" ,;|/·&*_`\"'")
    right = text[link.end : link.end + _NEAR].lstrip(" *_`\"'")[:1]
    if left and left[-1] in OPENING:
        return right in _CLOSERS
    # a further one of a group: `[Paper, Code]`
    opening = left.rfind("[")
    closing = max(left.rfind(bracket) for bracket in "])）")
    return opening > max(closing, left.rfind("("), left.rfind("（")) and right in _GROUP_ENDS


def _only_labels(text: str, links: list[TextLink], vocabulary: Vocabulary) -> bool:
    """Whether a line is nothing but label links."""
    if len(links) > 20:
        return False
    for link in links:
        label = text[link.start : link.end].strip(_EDGE)
        if len(label) > _MAX_LABEL or (
            vocabulary.role(label) is None and not _is_bracketed(text, text[link.start : link.end], link)
        ):
            return False
    for link in reversed(links):
        text = text[: link.start] + text[link.end :]
    return not has_words(text)
