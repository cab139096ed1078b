"""Badges: what an image of shields.io says in words."""

from __future__ import annotations

import re
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Citation, Field
from shelfread.document.recognizers.citation import find_mentions
from shelfread.markdown.node import Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_STATIC = lazy(r"^https?://(?:img\.)?shields\.io/badge/([^?#/]+)", re.IGNORECASE)
_STARS = lazy(r"shields\.io/github/stars/", re.IGNORECASE)
_SINGLE_DASH = lazy(r"(?<!-)-(?!-)")


def badge_words(image: Link) -> list[str]:
    """The words of a static badge: its label and its message, or one of them; none of any other image."""
    match = _STATIC.match(image.url)
    if match is None:
        return []
    parts = _SINGLE_DASH.split(unquote(match.group(1)))
    words = parts[:-1] if len(parts) > 1 else parts
    return [word.replace("--", "-").replace("_", " ").strip() for word in words if word.strip("_ ")]


def badge_label(image: Link, vocabulary: Vocabulary) -> str:
    """What a badge that is a link calls it: its first words, else the image's text for who cannot see it."""
    words = badge_words(image)
    if words:
        return words[0]
    shown = "".join(child.value for child in image.children if isinstance(child, Text)).strip()
    return shown if _STARS.search(image.url) or vocabulary.role(shown) is not None else ""


def badge_mention(images: list[Link], vocabulary: Vocabulary) -> Citation | None:
    """The venue that a badge states: `![](https://img.shields.io/badge/ACL2025-orange)`."""
    for image in images:
        text = " ".join(badge_words(image))
        for mention in find_mentions(text, vocabulary):
            if mention.venue is not None and (mention.year or text == text[mention.start : mention.end]):
                span = image.destination or Span(image.start, image.end)
                name = Field(text[mention.name_start : mention.name_end], span)
                return Citation(text[mention.start : mention.end], span, mention.venue, mention.year, name)
    return None
