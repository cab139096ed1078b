"""Reads the `web` and `works` fences of rule pages: what the web and sources of bibliographic data say."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Hop, LinkRecord, Replacement, Trouble, Verdict, Work
from shelfread.links.exchange import Attempt
from shelfread.links.replacements import redirect_replacement
from shelfread.links.verdicts import judge

NOW = 1_795_305_600.0
"""2026-11-22 12:00 UTC."""

TROUBLES = {trouble.name.lower().replace("_", "-"): trouble for trouble in Trouble}


def judged(lines: Iterable[str], rule: str) -> dict[str, LinkRecord]:
    """Return the records of a fence's lines by URL; replacements are proposed by `rule`."""
    records = (_record(shlex.split(line), rule) for line in lines if line.strip())
    return {record.url: record for record in records}


def _record(words: list[str], rule: str) -> LinkRecord:
    """`URL (STATUS | TROUBLE) [URL STATUS]... [second attempt] [key=value]...`."""
    url, *options = words
    plain = [word for word in options if "://" in word.partition("=")[0] or "=" not in word]
    values = dict(word.split("=", 1) for word in options if word not in plain)
    applicability = Applicability.UNSAFE if "unsafe" in plain else Applicability.SAFE
    plain = [word for word in plain if word != "unsafe"]
    first, second = _attempts(url, plain)
    if "app" in values:
        first = first._replace(trouble=Trouble.APP, detail=values["app"])
    if "certificate" in values:
        first = first._replace(trouble=Trouble.CERTIFICATE, certificate=values["certificate"])
    if "refused" in values:
        first = first._replace(trouble=Trouble.REFUSED, detail=values["refused"])
    before = None
    if (
        "failing" in values
    ):  # the number of days on which it failed already, the first of them so many days ago
        seen, days = map(int, values["failing"].split("/"))
        first_failure = NOW - days * 86400
        before = LinkRecord(url, Verdict.UNKNOWN, "", checked_at=NOW - 86400)
        before = before._replace(failures=seen, first_failure=first_failure)
    if "anchors" in values:
        first = first._replace(anchors=frozenset(filter(None, values["anchors"].split(","))))
    root = f"{url.partition('//')[0]}//{url.partition('//')[2].partition('/')[0]}/"
    judged = judge(first, before, NOW, second, Attempt(root, (Hop(root, 200),)))
    record = judged._replace(archived=values.get("archived", ""))
    if "fix" in values:
        replacement = Replacement(rule, values["fix"], values.get("why", ""), applicability)
        return record._replace(replacements=(replacement,))
    redirected = redirect_replacement(record)
    return record._replace(replacements=(redirected,)) if redirected else record


def _attempts(url: str, words: list[str]) -> tuple[Attempt, Attempt | None]:
    """Return the first attempt and, if a word is left, the second, which ends with that status or trouble."""
    hops: list[Hop] = []
    current, trouble = url, None
    while words:
        word = words.pop(0)
        if word in TROUBLES:
            trouble = TROUBLES[word]
            break
        hops.append(Hop(current, int(word)))
        if not (words and "://" in words[0]):
            break
        current = words.pop(0)
    first = Attempt(url, tuple(hops), trouble)
    if not words:
        return first, None
    (word,) = words
    if word in TROUBLES:
        return first, Attempt(url, tuple(hops[:-1]), TROUBLES[word])
    return first, Attempt(url, (*hops[:-1], Hop(current, int(word))))


def stated_works(lines: Iterable[str]) -> dict[str, list[Work]]:
    """Return the works by key of lines `KEY SOURCE TITLE [preprint] [key=value]...`; authors are parted by `;`."""
    found: dict[str, list[Work]] = {}
    for line in lines:
        key, source, title, *options = shlex.split(line)
        values = dict(option.split("=", 1) for option in options if "=" in option)
        work = Work(source, title, is_preprint="preprint" in options)
        found.setdefault(key, []).append(
            work._replace(
                authors=tuple(filter(None, values.get("authors", "").split(";"))),
                venue=values.get("venue", ""),
                year=int(values["year"]) if "year" in values else None,
                doi=values.get("doi", ""),
                code=values.get("code", ""),
            )
        )
    return found
