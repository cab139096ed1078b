"""Values of JSON that may be anything: texts, numbers and lists are taken, all else counts as absent."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from shelfread.core.support.regex import lazy

_LONGEST = 4000
"""Characters of a text; longer ones are cut."""
_MOST = 5000
"""Items of a list; a paper may have three thousand authors."""
_TAG = lazy(r"</?[A-Za-z][\w:-]{0,30}(?:\s[^<>]{0,200})?/?>")
_CONTROL = lazy(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def text_of(value: object) -> str:
    """Return a text in one line, without tags and entities, as titles have them; empty for anything else."""
    if not isinstance(value, str):
        return ""
    plain = (
        _TAG.sub("", html.unescape(value[:_LONGEST])) if "<" in value or "&" in value else value[:_LONGEST]
    )
    return " ".join(_CONTROL.sub(" ", plain).split())


def list_of(value: object) -> list[Any]:
    """Return a list; a single value is one of its own, null and absent are none."""
    if value is None:
        return []
    return value[:_MOST] if isinstance(value, list) else [value]


def mapping_of(value: object) -> Mapping[str, Any]:
    """Return an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def year_of(value: object) -> int | None:
    """Return a year of a number or a text such as `2020` or `2020-05-01`; None for anything else."""
    digits = str(value)[:4] if isinstance(value, str | int) and not isinstance(value, bool) else ""
    year = int(digits) if digits.isascii() and digits.isdigit() else 0
    return year if 1800 <= year <= 2100 else None


def doi_of(value: object) -> str:
    """Return a DOI in lower case, without the address of its resolver."""
    doi = text_of(value).lower()
    for prefix in ("https://doi.org/", "http://dx.doi.org/", "http://doi.org/", "doi:"):
        doi = doi.removeprefix(prefix)
    return doi if doi.startswith("10.") and "/" in doi and " " not in doi else ""


def url_of(value: object) -> str:
    """Return a web address as it can stand in Markdown; empty for anything else."""
    url = text_of(value)
    is_web = url.lower().startswith(("https://", "http://")) and not set(url) & set(' <>()[]"\\`')
    return url if is_web and len(url) < 2000 else ""
