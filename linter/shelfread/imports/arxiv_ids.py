"""The arXiv ids that inputs state: `arXiv:2003.06307v2 [cs.DC]`, `hep-th/9901001`, `CoRR abs/2003.06307`."""

from __future__ import annotations

import re

from shelfread.core.patterns import lazy
from shelfread.links.link_words import link_words

_ARCHIVES = "|".join(sorted(link_words("arxiv_archives")))
_OLD = rf"(?:{_ARCHIVES})(?:\.[A-Z]{{2}})?/\d{{7}}"
_NEW = r"\d{4}\.\d{4,5}"
ARXIV_ID = rf"(?:{_NEW}|{_OLD})(?!\d)"
_SITE = r"(?:https?://)?(?:www\.|export\.)?arxiv\.org/"
_STATED = lazy(
    rf"(?:(?<![\w.])(?:{_SITE}|arxiv(?:\s(?:preprint|e-?prints?))?[\s:.,/\[]{{0,3}}|(?=abs/))(?:abs/|pdf/)?(?:arxiv[:\s]\s?)?"
    rf"(?P<named>{ARXIV_ID})|(?<![\w./-])(?P<new>{_NEW})(?=(?:v\d{{1,3}})?\s\[[a-z-]{{2,10}}[.\]])|(?<![\w./-])(?P<old>{_OLD}))"
    r"(?:v\d{1,3})?(?:\.pdf)?(?:\s?\[[a-z-]{2,10}(?:\.[a-z-]{2,10})?\])?",
    2,
)


def stated_arxiv_id(text: str) -> str | None:
    """Return the first arXiv id of a text, if it says that it is one."""
    match = _STATED.search(text) if "/" in text or "." in text else None
    return match["named"] or match["new"] or match["old"] if match else None


def without_arxiv_ids(text: str) -> str:
    """Return a text without its arXiv ids."""
    return _STATED.sub("", text)


def with_plain_arxiv_ids(text: str) -> str:
    """Return a text in which all arXiv ids whose form does not say so, and all addresses, are written `arXiv:ID`."""
    return _STATED.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    says_so = match[0][:5].casefold() == "arxiv" and match[0][5:9] != ".org"
    return match[0] if says_so else f"arXiv:{match['named'] or match['new'] or match['old']}"
