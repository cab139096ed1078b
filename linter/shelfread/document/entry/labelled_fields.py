"""Labelled fields: `Authors: ...`, `- **Link:** [arXiv](u)`, `Venue: ICLR 2024`."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy

_WORDS = {
    "authors": r"authors?|researchers?|by|speakers?|作者",
    "affiliations": r"affiliations?|institutions?|organi[sz]ations?|labs?|机构|单位",
    "venue": r"venue|conference|journal|publi(?:shed|cation)(?: (?:in|at|venue))?|会议|期刊|来源",
    "year": r"years?|date|published on|publication date|publish date|时间|日期|年份",
    "links": r"links?|urls?|papers?(?: links?| urls?)?|pdf|arxiv|doi|codes?|github|repo(?:sitory)?|source(?: code)?|project(?: page)?|"
    r"home ?page|web ?site|page|demo|dataset|data|video|slides|blog(?: post)?|poster|openreview|model|weights|implementation|"
    r"official code|论文|链接|代码|项目|主页",
    "note": r"abstract|summary|tl;?dr|key ?words?|key (?:ideas?|contributions?|insights?|findings?|results?)|contributions?|"
    r"notes?|comments?|description|motivation|methods?|main idea|highlights?|problem|results?|trace|example|"
    r"e\.g|status|tags?|topics?|bib ?tex|citation|摘要|简介|关键词|备注",
}
_FIELD = lazy(
    r"[^\w\0]*(?:" + "|".join(f"(?P<{kind}>{words})" for kind, words in _WORDS.items()) + r")\s?[:：]\s*",
    re.IGNORECASE,
)


def read_labelled_field(text: str) -> tuple[str, int] | None:
    """Return the kind of a labelled field and the offset of its value, or None for any other line."""
    if ":" not in text[:40] and "：" not in text[:40]:
        return None
    match = _FIELD.match(text)
    return (match.lastgroup or "", match.end()) if match else None
