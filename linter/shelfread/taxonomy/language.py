"""Language tags of labels."""

from __future__ import annotations

from functools import lru_cache

from shelfread.core.support.regex import lazy

# RFC 5646 (BCP 47), section 2.1, without what it only keeps for old tags: extended subtags, private use alone, and
# languages of four letters or more, none of which is registered. schema/taxonomy.schema.json has the same pattern.
_TAG = lazy(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
    r"(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*(-[Xx](-[A-Za-z0-9]{1,8})+)?"
)
_MOST = 35
"""The most characters that RFC 5646, section 4.4.1, asks readers to take."""


def is_language(tag: str) -> bool:
    """Return whether a text is a language tag, such as en, zh-Hans or pt-BR."""
    return len(tag) <= _MOST and _TAG.fullmatch(tag) is not None


@lru_cache(256)
def canonical(tag: str) -> str:
    """Return a tag as RFC 5646, section 2.1.1, writes it: zh-Hans, pt-BR. Case does not tell tags apart."""
    first, *others = tag.lower().split("-")
    written = [first]
    for subtag in others:
        if len(written[-1]) > 1:  # what follows a single letter or digit is in lower case
            subtag = {2: subtag.upper(), 4: subtag.title()}.get(len(subtag), subtag)
        written.append(subtag)
    return "-".join(written)
