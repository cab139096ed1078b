"""Badges: the words on an image of shields.io."""

from __future__ import annotations

import re
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Citation, Field
from shelfread.document.recognizers.citation import find_mentions
from shelfread.markdown.node import Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_STATIC_BADGE = lazy(r"^https?://(?:img\.)?shields\.io/badge/([^?#/]+)", re.IGNORECASE)
_STARS_BADGE = lazy(r"shields\.io/github/stars/", re.IGNORECASE)
_BADGE = lazy(r"badge|shields\.io|/workflows/|/actions/|travis-ci|codecov|coveralls|appveyor", re.IGNORECASE)
_SINGLE_DASH = lazy(r"(?<!-)-(?!-)")


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
    return alt if _STARS_BADGE.search(image.url) or vocabulary.role(alt) is not None else ""


def badge_mention(images: list[Link], vocabulary: Vocabulary) -> Citation | None:
    """Return the venue on a badge: `![](https://img.shields.io/badge/ACL2025-orange)`."""
    for image in images:
        text = " ".join(badge_words(image))
        for mention in find_mentions(text, vocabulary):
            if mention.venue is not None and (mention.year or text == text[mention.start : mention.end]):
                span = image.destination or Span(image.start, image.end)
                name = Field(text[mention.name_start : mention.name_end], span)
                cited = text[mention.start : mention.end]
                return Citation(cited, span, mention.venue, mention.year, name)
    return None
