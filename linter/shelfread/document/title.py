"""A title in its line: where it begins and ends, whatever marks it."""

from __future__ import annotations

import re

from shelfread.document.citation import DATE, find_mentions, find_year, is_citation
from shelfread.document.labels import OPENING
from shelfread.document.people import are_authors
from shelfread.document.printed import Printed, PrintedLink, Run
from shelfread.taxonomy.vocabulary import Vocabulary

MAX_NAME_WORDS = 3
"""A name before a colon has at most so many words (DESIGN: the contract)."""
_QUOTES = {'"': '"', "“": "”", "「": "」", "《": "》", "„": "“", "«": "»"}
_STOP = re.compile(r"[\0\n|｜(\[（【“\"]|[.。](?=\s|$|\0)|[?!]\s|,\s|\s[-–—]+\s|\sby\s", re.IGNORECASE)
_ABBREVIATION = re.compile(
    r"\b(?:vs|etc|i\.e|e\.g|al|jr|sr|dr|mr|ms|st|no|vol|fig|eq|cf|approx|[A-Z])\.$", re.IGNORECASE
)
_SEPARATOR = re.compile(r"[\s\0]*(?::|：|-+|–|—|－|\||｜|,|~|→)?[\s\0]*")
_NAME_COLON = re.compile(r"[*_]*\s*[:：]\s+(?=[^\s\0])")
_INNER_STOP = re.compile(r"[.?!,;]\s+|\s[-–—|]\s")
_SEGMENT_END = re.compile(r"[\0\n|(\[.]")


def extended_end(
    rest: str, title: Run | None, main: PrintedLink | None, printed: Printed, vocabulary: Vocabulary
) -> int | None:
    """Where a title ends that is more than the linked name it begins with: `[Orca](u): A Serving System`."""
    if title is None or main is None or len(rest[title.start : title.end].split()) > MAX_NAME_WORDS:
        return None
    match = _NAME_COLON.match(rest, main.end)
    return _plain_end(rest, match.end(), printed, vocabulary) if match else None


def find_title(
    rest: str, start: int, printed: Printed, vocabulary: Vocabulary
) -> tuple[str, Run | None, Run | None, PrintedLink | None]:
    """The title's shape, range, stated name, and link."""
    if start >= len(rest):
        return "none", None, None, None
    link = next((link for link in printed.links if link.start <= start < link.end), None)
    strong = next((run for run in printed.strong if run.start <= start < run.end), None)
    slanted = next((run for run in printed.emphasis if run.start <= start < run.end), None)
    if link is not None:
        end = _inner_end(rest, start, link.end, vocabulary)
        return "linked", Run(start, end), None, link
    if rest[start] in _QUOTES:
        close = rest.find(_QUOTES[rest[start]], start + 1)
        if close > 0:
            return "quoted", Run(start + 1, _inner_end(rest, start + 1, close, vocabulary)), None, None
    run = strong or slanted
    if run is not None and (run.end - start > 1):
        after = _SEPARATOR.match(rest, run.end)
        begin = after.end() if after else run.end
        if begin < len(rest) and len(rest[start : run.end].split()) <= MAX_NAME_WORDS + 1:
            if rest[begin] in _QUOTES and (close := rest.find(_QUOTES[rest[begin]], begin + 1)) > 0:
                return "quoted", Run(begin + 1, _inner_end(rest, begin + 1, close, vocabulary)), Run(start, run.end), None
            link = next((link for link in printed.links if link.start <= begin < link.end), None)
            if link is not None and len(rest[begin : link.end].split()) > 3:
                return "linked", Run(begin, _inner_end(rest, begin, link.end, vocabulary)), Run(start, run.end), link
            if ":" in rest[run.end - 1 : begin]:
                return "strong", Run(start, _plain_end(rest, start, printed, vocabulary)), None, None
        quote = rest.find('"', start, run.end)
        if start <= quote < start + 2:
            start = quote + 1
        end = _inner_end(rest, start, run.end, vocabulary)
        return "strong" if strong else "emphasis", Run(start, end), None, None
    # A citation: `Authors. "Title." Venue 53.1 (2020): 1-37.`
    quote = next((at for at in (rest.find('"', start), rest.find("“", start)) if at > 0), -1)
    if quote > 0 and (close := rest.find(_QUOTES[rest[quote]], quote + 1)) > 0 and len(rest[quote:close].split()) > 2:
        before = rest[start:quote].strip(" ,.:")
        if are_authors(before):
            return "quoted", Run(quote + 1, _inner_end(rest, quote + 1, close, vocabulary)), None, None
        if rest[start:quote].rstrip().endswith((":", "-", "–")) and len(before.split()) <= MAX_NAME_WORDS + 1:
            name = Run(start, start + len(rest[start:quote].rstrip(" :-–")))
            return "quoted", Run(quote + 1, _inner_end(rest, quote + 1, close, vocabulary)), name, None
    end = _plain_end(rest, start, printed, vocabulary)
    inner = next((link for link in printed.links if start < link.start < end and link.end - link.start > 0.5 * (end - start)), None)
    return "plain", Run(start, end), None, inner


def _inner_end(rest: str, start: int, end: int, vocabulary: Vocabulary) -> int:
    """The title's end within its own marks: a citation may follow it there (`[Title. ICDCS 2021.](u)`)."""
    end = start + len(rest[start:end].rstrip(" ,;:\0\n"))
    text = rest[start:end]
    stripped = text.rstrip(".")
    if stripped.endswith((")", "]", "）")):
        opening = max(stripped.rfind("("), stripped.rfind("["), stripped.rfind("（"))
        content = stripped[opening + 1 : -1]
        if opening > 0 and len(content) <= 60 and (find_mentions(content, vocabulary) or find_year(content)) and (
            is_citation(content, vocabulary) or len(content.split()) <= 4 and find_year(content)
        ):
            return start + len(text[:opening].rstrip(" ,.-\0"))
    for match in _INNER_STOP.finditer(text):
        after = text[match.end() :]
        if len(after) <= 60 and after and (after[0].isupper() or after[0].isdigit() or after[0] == "'"):
            mentions = find_mentions(after, vocabulary)
            if (mentions or DATE.match(after)) and is_citation(DATE.sub(" ", after), vocabulary):
                keep = 1 if match.group()[0] in "?!" else 0
                return start + match.start() + keep
    return end


def _plain_end(rest: str, start: int, printed: Printed, vocabulary: Vocabulary) -> int:
    """Where a title that nothing marks ends: at its labels, citation, authors, or full stop."""
    at = start
    slanted = sorted(run.start for run in (*printed.emphasis, *printed.strong) if run.start > start)
    while True:
        match = _STOP.search(rest, at)
        edge = match.start() if match else len(rest)
        for run in slanted:
            if at < run < edge and rest[start:run].rstrip()[-1:] in (".", ",", ":", "-", "|", "–"):
                return start + len(rest[start:run].rstrip(" .,:-|–"))
        if match is None:
            return start + len(rest.rstrip(" .")) - start
        mark = match.group()[0]
        if mark in "\0\n|｜":
            return start + len(rest[start:edge].rstrip(" ,;:-–.|"))
        if mark in OPENING:
            close = rest.find(OPENING[mark], edge)
            content = rest[edge + 1 : close] if close > 0 else ""
            if content and edge > start and _is_apposition(content, vocabulary):
                return start + len(rest[start:edge].rstrip(" ,;:-–."))
            at = close + 1 if close > 0 else edge + 1
            continue
        after = rest[match.end() :]
        before = rest[start:edge]
        if mark in ".。":
            if not after.strip(" \0") or _ends_title(before, after, vocabulary):
                return edge
        elif mark in "?!":
            if _follows_title(after, vocabulary):
                return edge + 1
        elif mark in "\"“":
            pass
        elif before and _follows_title(after, vocabulary):
            return start + len(before.rstrip(" ,"))
        at = match.end()


def _is_apposition(content: str, vocabulary: Vocabulary) -> bool:
    """Whether brackets after a title hold its venue, year, or people, and not words of its own."""
    if find_mentions(content, vocabulary) and (is_citation(content, vocabulary) or find_year(content)):
        return True
    if content.lstrip().startswith("@") or "et al" in content:
        return True
    return bool(find_year(content)) and len(content.split()) <= 6 or content.strip() in ("x", "X", "?", "-")


def _ends_title(before: str, after: str, vocabulary: Vocabulary) -> bool:
    if _ABBREVIATION.search(before + "."):
        return False
    following = after.lstrip(" \0*_")
    if not following:
        return True
    if following[0].islower():
        return False
    return len(before.split()) >= 3 or _follows_title(after, vocabulary)


def _follows_title(after: str, vocabulary: Vocabulary) -> bool:
    """Whether the text up to the next stop is a citation or a list of people."""
    segment = _SEGMENT_END.split(after.strip(" *_"), maxsplit=1)[0].strip(" ,.*_")
    if not segment or len(segment) > 400:
        return False
    if len(segment) <= 60 and find_mentions(segment, vocabulary) and is_citation(segment, vocabulary):
        return True
    return are_authors(segment, least=2)
