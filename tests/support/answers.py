"""What a page's `web` fence says that the web answers, judged as `shelfread links` judges it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from shelfread.core.diagnostics import Applicability
from shelfread.core.link_record import Answer, Hop, Record, Replacement, Trouble
from shelfread.linkcheck.classify.judge import judge
from shelfread.linkcheck.repair.redirects import of_redirect

NOW = 1_795_305_600.0
"""2026-11-22, noon by Greenwich."""

TROUBLES = {trouble.name.lower().replace("_", "-"): trouble for trouble in Trouble}


def judged(lines: Iterable[str], rule: str) -> dict[str, Record]:
    """The records of a fence's lines, by address; what is proposed is proposed by `rule`."""
    records = (_record(shlex.split(line), rule) for line in lines if line.strip())
    return {record.url: record for record in records}


def _record(words: list[str], rule: str) -> Record:
    """`URL (STATUS | TROUBLE) [URL STATUS]... [second look] [key=value]...`."""
    url, *rest = words
    plain = [word for word in rest if "://" in word.partition("=")[0] or "=" not in word]
    given = dict(word.split("=", 1) for word in rest if word not in plain)
    applicability = Applicability.UNSAFE if "unsafe" in plain else Applicability.SAFE
    plain = [word for word in plain if word != "unsafe"]
    first, second = _looks(url, plain)
    if "certificate" in given:
        first = first._replace(trouble=Trouble.CERTIFICATE, certificate=given["certificate"])
    if "refused" in given:
        first = first._replace(trouble=Trouble.REFUSED, detail=given["refused"])
    if "anchors" in given:
        first = first._replace(anchors=frozenset(filter(None, given["anchors"].split(","))))
    record = judge(first, None, NOW, second)._replace(archived=given.get("archived", ""))
    if "fix" in given:
        better = Replacement(rule, given["fix"], given.get("why", ""), applicability)
        return record._replace(betters=(better,))
    redirected = of_redirect(record)
    return record._replace(betters=(redirected,)) if redirected else record


def _looks(url: str, words: list[str]) -> tuple[Answer, Answer | None]:
    """The first look and, where one more word follows, the second, which ends as that word says."""
    hops: list[Hop] = []
    at, trouble = url, None
    while words:
        word = words.pop(0)
        if word in TROUBLES:
            trouble = TROUBLES[word]
            break
        hops.append(Hop(at, int(word)))
        if not (words and "://" in words[0]):
            break
        at = words.pop(0)
    first = Answer(url, tuple(hops), trouble)
    if not words:
        return first, None
    (word,) = words
    if word in TROUBLES:
        return first, Answer(url, tuple(hops[:-1]), TROUBLES[word])
    return first, Answer(url, (*hops[:-1], Hop(at, int(word))))
