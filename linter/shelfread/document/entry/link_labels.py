"""Label links: `[[Paper]](u)`, `([code](u), [slides](v))`, `[[CVPR2021]](u)`, and the badges that are labels."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.identity import is_paper_url
from shelfread.document.model import Citation, Field
from shelfread.document.plain_text import PlainText, TextLink, TextRange, plain_text
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.unlisted_venues import find_unlisted, find_venues, states_citation
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.document.years import DATE, YearMention, find_year
from shelfread.markdown.node import Inline, Link, Text
from shelfread.taxonomy.hosts import CODE_HOSTS, split_url
from shelfread.taxonomy.vocabulary import Role, Vocabulary

_STATIC_BADGE = lazy(r"^https?://(?:img\.)?shields\.io/badge/([^?#/]+)", re.IGNORECASE)
_BADGE = lazy(r"badge|shields\.io|/workflows/|/actions/|travis-ci|codecov|coveralls|appveyor", re.IGNORECASE)
_SINGLE_DASH = lazy(r"(?<!-)-(?!-)")
CONSUMED = "\0"  # replaces every character of a line that belongs to a label or citation
OPENING = {"[": "]", "(": ")", "（": "）", "【": "】", "［": "］"}
# Decoration before a title: emoji, stars, arrows, bullets typed twice.
DECORATION = lazy(r"(?:[^\w\s\[(（【\"“「《„«'‘$#@<{.\0/\\+~&*\u2200-\u22ff-]|[\s\u200b\ufe0f*·-])*")
LABEL_WORDS = frozenset("link links here url download website repository 链接 下载 🔗".split())
_EDGE = " []()（）【】*_`<>{}:|,.;\"'→↗🔗📄💻"
_LEFT_FREE = lazy(r"(?<=[\s\])\0])\[\]")  # the place of a label: `Tidy Shelves [][]`
# What a badge says of its year, where it names no venue: `Updated 2023`.
_IS_DATE = lazy(r"(?i)(?:copyright|created|last|maintained|published|released|since|updated|version|year)\b")
_EMPTY_GROUP = lazy(r"[\[(（【|]?[ \t]{0,9}\0[\0 \t,;|/·&+，、]*[\])）】|]?")
_OPENED = lazy(r"[\[(（]")
_IDENTIFIER = lazy(r"(?i)(?:arxiv:\s?)?\d{4}\.\d{4,5}(?:v\d{1,2})?")  # the number of a preprint
_BRACKET = lazy(r"[\])）(（]")
_CLOSERS = (")", "]", "）", "】", "］", ",", ";", "|", "/", "·", "&")
_GROUP_ENDS = ("]", ")", "）", ",", ";", "|", "/")
_CONTEXT = 100
_POSTS = ("article", "articles")
_MAX_LABEL = 40
_MIN_TITLE_WORDS, _MAX_AFTER = 2, 4
_REACH = 200  # characters beside a link that are looked at, as a line may have thousands of links
# So many lines that link to different things by the same few words show that these are a label.
_MIN_USUAL, _MAX_USUAL_WORDS = 3, 3


def badge_words(image: Link) -> list[str]:
    """Return the label and message of a static badge, or one of them. Empty for any other image."""
    match = _STATIC_BADGE.match(image.url)
    if match is None:
        return []
    parts = _SINGLE_DASH.split(unquote(match.group(1)))
    words = parts[:-1] if len(parts) > 1 else parts
    return [word.replace("--", "-").replace("_", " ").strip() for word in words if word.strip("_ ")]


def icon_text(link: Link) -> str:
    """Return the alternative text of the icon in a link. Empty if there is none, or the image is a badge."""
    for image in link.children:
        if isinstance(image, Link) and image.image and not _BADGE.search(image.url):
            return "".join(child.value for child in image.children if isinstance(child, Text)).strip()
    return ""


def badge_label(image: Link, vocabulary: Vocabulary) -> str:
    """Return the label of a link around a badge: the badge's first words, or else the image's alternative text."""
    words = badge_words(image)
    if words:
        return words[0]
    alt = "".join(child.value for child in image.children if isinstance(child, Text)).strip()
    if "shields.io/github/stars/" in image.url:
        return alt or "stars"
    return alt if vocabulary.role(alt) is not None else ""


def badge_mention(images: list[Link], vocabulary: Vocabulary) -> Citation | None:
    """Return the venue on a badge: `![](https://img.shields.io/badge/ACL2025-orange)`."""
    for image in images:
        text = " ".join(badge_words(image))
        for mention in find_venues(text, vocabulary, "citation" if _IS_DATE.match(text) else "line"):
            if mention.year or (mention.venue is not None and text == text[mention.start : mention.end]):
                span = image.destination or Span(image.start, image.end)
                name = Field(text[mention.name_start : mention.name_end], span)
                cited = text[mention.start : mention.end]
                return Citation(cited, span, mention.venue, mention.year, name)
    return None


def badge_year(images: list[Link]) -> YearMention | None:
    """Return the year that is all that a badge says: `![](https://img.shields.io/badge/year-2024-red)`. It stands nowhere in the text."""
    for image in images:
        words = [word for word in badge_words(image) if word.casefold() not in ("date", "year")]
        if len(words) == 1 and DATE.fullmatch(words[0]) and (found := find_year(words[0])):
            return YearMention(found.year, 0, 0)
    return None


class LinkLabel(NamedTuple):
    """A link whose text is a label of the entry."""

    label: str
    role: Role | None
    link: TextLink


def blank_out(text: str, labels: list[LinkLabel], others: Sequence[TextLink | TextRange]) -> str:
    """Return a line's text with CONSUMED in place of its labels, of other ranges, and of the brackets around them."""
    parts: list[str] = []
    done = 0
    for link in sorted([*(label.link for label in labels), *others], key=lambda link: link.start):
        if link.start >= done:
            parts += (text[done : link.start], CONSUMED * (link.end - link.start))
            done = link.end
    parts.append(text[done:])
    text = _LEFT_FREE.sub(CONSUMED * 2, "".join(parts))
    return _EMPTY_GROUP.sub(lambda match: CONSUMED * len(match.group()), text) if CONSUMED in text else text


def has_words(text: str) -> bool:
    """Return whether a text has letters or digits."""
    return any(map(str.isalnum, text))


def find_labels(
    plain: PlainText, vocabulary: Vocabulary, named: bool, usual: frozenset[str] = frozenset()
) -> tuple[list[LinkLabel], list[TextLink]]:
    """Return the label links, and the links whose text is the citation (`([SC 2023](notes.md))`).

    With `named`, a link at the beginning of the line is a name even if its text could be a label. `usual` has the texts
    of links that many lines of the list have.
    """
    labels: list[LinkLabel] = []
    cited: list[TextLink] = []
    text = plain.text
    decoration = DECORATION.match(text)
    begin = decoration.end() if decoration else 0
    for link in plain.links:
        label = clean_label(text[link.start : link.end])
        if not label:
            if link.start == link.end and link.link.url and (badge := image_label(link.link, vocabulary)):
                labels.append(LinkLabel(badge, vocabulary.role(badge), link))
            elif (icon := text[link.start : link.end].strip()) in usual:
                labels.append(LinkLabel(icon, None, link))
            continue
        if label.startswith("@"):
            continue
        if _ends_title(plain, link) and is_paper_url(link.link.url, vocabulary):
            labels.append(LinkLabel(label, _paper_role(link.link, vocabulary), link))
            continue
        short = len(label) <= _MAX_LABEL
        role = vocabulary.role(label) if short else None
        may_cite = (role is None or is_citation(label, vocabulary)) and _is_set_apart(plain, link)
        if may_cite and is_paper_url(link.link.url, vocabulary):
            labels.append(LinkLabel(label, _paper_role(link.link, vocabulary), link))
            cited.append(link)
            continue
        if link.start <= begin + 1 and not has_words(text[: link.start]):  # at the beginning of the line
            after = text[link.end : link.end + 200].strip(_EDGE + " ")
            is_written_out = link.link.form in ("bare", "autolink") and is_paper_url(
                link.link.url, vocabulary
            )
            if (is_written_out or _IDENTIFIER.fullmatch(label)) and len(after.split()) >= _MIN_TITLE_WORDS:
                labels.append(LinkLabel(label, _paper_role(link.link, vocabulary), link))
                continue
            is_first = text.startswith(",", link.end)  # `[website](u), Tidy Shelves`
            is_bracketed = _is_bracketed(text, link)
            is_bracketed_first = is_bracketed and text[: link.start].endswith(tuple(OPENING))
            may_lead = short and after and (is_first or is_bracketed)
            if is_bracketed_first and names_what_is_described(link.link, label, after, vocabulary):
                continue
            cites = may_lead and (
                (is_bracketed_first and len(after.split()) > 2) or is_citation(label, vocabulary)
            )
            if cites or (may_lead and is_first and role):
                labels.append(LinkLabel(label, role or _paper_role(link.link, vocabulary), link))
                if cites:
                    cited.append(link)
            elif (
                (role is not None or label.casefold() in LABEL_WORDS)
                and not named
                and (
                    not after
                    or (f"^{label}" in usual and len(after.split()) > _MIN_TITLE_WORDS)
                    or _leads_to_title(plain, link.end)
                    or only_labels(plain, vocabulary)
                )
            ):
                labels.append(LinkLabel(label, role, link))
            continue
        bracketed = _is_bracketed(text, link)
        if bracketed and short and role is None and _cites(label, vocabulary):
            cited.append(link)
            if link.link.url.startswith("http"):
                labels.append(LinkLabel(label, _paper_role(link.link, vocabulary), link))
        elif bracketed and role is not None and role.id == "paper" and _cites(label, vocabulary):
            cited.append(link)
            labels.append(LinkLabel(label, role, link))
        elif short and role is None and _is_venue_at_end(plain, link):
            cited.append(link)
            labels.append(LinkLabel(label, None, link))
        elif (
            role is not None
            or _IDENTIFIER.fullmatch(label)
            or (bracketed and len(label) <= 60 and len(label.split()) <= 6)
            or text[link.start : link.end].strip() in usual
            or _is_part(label)
            or (label.casefold() in LABEL_WORDS and is_paper_url(link.link.url, vocabulary))
        ):
            labels.append(LinkLabel(label, role, link))
    return labels, cited


def _is_part(label: str) -> bool:
    """Return whether a label is that of a part: `Part 2`, `episode 12`."""
    word, _, number = label.casefold().partition(" ")
    return word in WORDS["part"] and number.isdigit()


def names_what_is_described(link: Link, label: str, after: str, vocabulary: Vocabulary) -> bool:
    """Return whether a link in brackets before a text is what that describes, and no venue: `[[Oak](https://github.com/a/oak)] A box for books.`"""
    host, path = split_url(link.url)
    if vocabulary.role(label) is not None or any(map(str.isdigit, label)) or find_mentions(label, vocabulary):
        return False
    if (path.strip("/") and host not in CODE_HOSTS) or is_paper_url(link.url, vocabulary):
        return False
    words = after.split()
    return 2 * sum(map(str.islower, words)) >= len(words) > 1 or after.startswith(f"{label} ")


def may_be_post(label: str, url: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label that papers have may be that of a post: `[Oak](u) - Sorts books. ([article](v))`."""
    return label.casefold() in _POSTS and not is_paper_url(url, vocabulary)


def _ends_title(plain: PlainText, link: TextLink) -> bool:
    """Return whether a URL stands behind the words of a title, and hardly anything behind it: `Tidy Shelves, 2021, https://...`."""
    if link.link.form not in ("bare", "autolink") or len(plain.text) - link.end > _REACH:
        return False
    before, after = plain.text[: link.start].split(), plain.text[link.end :].split()
    return len(before) > _MIN_TITLE_WORDS and len(after) <= _MAX_AFTER


def _is_set_apart(plain: PlainText, link: TextLink) -> bool:
    """Return whether a link is all between two bars behind a title: `Tidy Shelves | Ada Stone | [Shelf Letters](u)`."""
    start = max(0, link.start - _REACH)
    before = plain.text[start : link.start].rstrip()
    if not before.endswith("|") or plain.text[link.end : link.end + _REACH].lstrip()[:1] not in ("", "|"):
        return False
    words, index = len(before.split()), bisect_left(plain.links, link.start, key=lambda one: one.start)
    while index and plain.links[index - 1].end > start:  # those of labels are none of a title
        index -= 1
        words -= len(plain.text[max(start, plain.links[index].start) : plain.links[index].end].split())
    return words > _MIN_TITLE_WORDS


def _is_venue_at_end(plain: PlainText, link: TextLink) -> bool:
    """Return whether a link at the end of a line is a venue by its form: `, [*Annals of Shelves*](u)`, `Ada Stone [ShelfConf'23](u)`."""
    before = plain.text[max(0, link.start - _CONTEXT) : link.start].split()
    if has_words(plain.text[link.end :]) or not before or before[-1].islower():
        return False
    is_emphasis = TextRange(link.start, link.end) in plain.emphasis and before[-1].endswith((",", "."))
    return is_emphasis or find_unlisted(plain.text[link.start : link.end], "short") is not None


def _leads_to_title(plain: PlainText, end: int) -> bool:
    """Return whether a title follows a label at once, in a markup of its own: `[PDF](u) **Sorting Tidy Shelves**`."""
    marks: tuple[TextRange | TextLink, ...] = (*plain.links, *plain.strong, *plain.emphasis)
    following = (
        mark for mark in marks if end < mark.start and not plain.text[end : mark.start].strip(_EDGE + " ")
    )
    return any(len(plain.text[mark.start : mark.end].split()) >= _MIN_TITLE_WORDS for mark in following)


def usual_labels(lines: Iterable[Sequence[Inline]]) -> frozenset[str]:
    """Return the short texts of links that several lines have, each with another URL; `^` marks those that begin them."""
    urls: defaultdict[str, set[str]] = defaultdict(set)
    in_sentence: Counter[str] = Counter()  # `can be found [here](u)`
    for inlines in lines:
        for before, link in pairwise((None, *inlines)):
            if isinstance(link, Link) and not link.image and link.url.startswith("http"):
                text = plain_text((link,)).strip()
                if text and len(text) <= _MAX_LABEL and len(text.split()) <= _MAX_USUAL_WORDS:
                    urls["^" * (before is None) + text].add(link.url)
                    in_sentence[text] += isinstance(before, Text) and before.value.rstrip()[-1:].islower()
    return frozenset(
        text
        for text, leads in urls.items()
        if len(leads) >= max(_MIN_USUAL, 2 * in_sentence[text])
        and not any(map(str.isdigit, text))  # a citation: `arXiv 2022`
    )


def clean_label(written: str) -> str:
    """Return a label without the brackets and marks around it: `PyTorch (Author)` keeps its own."""
    label = written.strip(_EDGE)
    if _OPENED.search(label) is None:
        return label
    for opening, closing in (("(", ")"), ("（", "）"), ("[", "]")):
        if label.count(opening) > label.count(closing):
            end = written.find(label) + len(label)
            if written[end : end + 1] == closing:
                label += closing
    return label


def image_label(link: Link, vocabulary: Vocabulary) -> str:
    """Return the label of a link around one badge: `[![](https://img.shields.io/badge/Paper-PDF-red)](u)`."""
    images = [child for child in link.children if isinstance(child, Link) and child.image]
    return badge_label(images[0], vocabulary) if len(images) == 1 else ""


def _cites(label: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label states where the paper was published: `AAAI2022`, `PSB 2024`."""
    if not any(map(str.isdigit, label)) and sum(map(str.isupper, label)) < 2:
        return False
    return states_citation(label, vocabulary, "citation")


def _paper_role(link: Link, vocabulary: Vocabulary) -> Role | None:
    """Return the role of a link whose text is the citation: that of its host, or else the paper."""
    if not link.url.startswith("http"):
        return None
    role = vocabulary.role("", link.url)
    return vocabulary.roles.get("paper") if role is None or role.id == "review" else role


def _is_bracketed(text: str, link: TextLink) -> bool:
    """Return whether a link's text has brackets inside or around it, or belongs to a group in brackets."""
    label = text[link.start : link.end].strip()
    if label[:1] in OPENING and label.find(OPENING[label[0]]) == len(label) - 1:
        return True
    before = text[max(link.start - _CONTEXT, 0) : link.start].rstrip(" ,;|/·&*_`\"'")
    after = text[link.end : link.end + _CONTEXT].lstrip(" *_`\"'")[:1]
    if before and before[-1] in OPENING:
        return after in _CLOSERS
    # a later link of a group: `[Paper, Code]`
    opening = before.rfind("[")
    return opening >= 0 and _BRACKET.search(before, opening + 1) is None and after in _GROUP_ENDS


def only_labels(plain: PlainText, vocabulary: Vocabulary) -> bool:
    """Return whether a line has nothing but label links."""
    text = plain.text
    if not 0 < len(plain.links) <= 20:
        return False
    for link in plain.links:
        label = text[link.start : link.end].strip(_EDGE)
        if len(label) > _MAX_LABEL or (vocabulary.role(label) is None and not _is_bracketed(text, link)):
            return False
    return not has_words(blank_out(text, [], plain.links))
