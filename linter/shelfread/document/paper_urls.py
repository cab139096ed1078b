"""Recognises URLs of papers."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.vocabulary import Vocabulary

_HOST = lazy(r"^(?:https?:)?//[^/]+/")
_ONE_PAPER = lazy(r"\d|forum|\.pdf$|papers?/.|[\w-]{12}", re.IGNORECASE)


def is_paper_url(url: str, vocabulary: Vocabulary) -> bool:
    """Return whether a URL leads to one paper: at arXiv, a DOI, proceedings ..., or a PDF."""
    role = vocabulary.role("", url)
    if role is None or role.id not in ("paper", "review"):
        return url.endswith(".pdf")
    host = _HOST.match(url)
    return host is None or bool(_ONE_PAPER.search(url, host.end()))
