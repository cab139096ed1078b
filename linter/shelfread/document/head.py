"""The title line of an item, taken apart: lead, name, title, label links, and what follows the title."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.document.citation import Mention, find_mentions, find_year, is_citation
from shelfread.document.people import are_authors
from shelfread.document.printed import Printed, PrintedLink, Run
from shelfread.taxonomy.vocabulary import Role, Vocabulary

GONE = "\0"
"""Stands, once for each character, for what was read already."""
_OPENING = {"[": "]", "(": ")", "（": "）", "【": "】", "［": "］"}
_QUOTES = {'"': '"', "“": "”", "「": "」", "《": "》", "„": "“", "«": "»"}
_EMPTY_GROUP = re.compile(r"[\[(（【|]?[ \t]*\0[\0 \t,;|/·&+，、]*[\])）】|]?")
_LABEL_EDGE = " []()（）【】*_`<>{}:|,.;\"'→↗🔗📄💻"
# Marks before a title that say nothing of it: emoji, stars, check boxes, arrows, bullets typed twice.
_MARKS = re.compile(r"(?:\[[ xX✓]\](?=\s)|[^\w\s\[(（【\"“「《„«'‘$#@<{.\0/\\+~&*-]|[\s​️*·-])*")
_DATE = re.compile(r"(?:(?:19|20)\d\d[-./年]?(?:\d{1,2}月?)?(?:[-./]\d{1,2})?|\d{1,2}[-./](?:19|20)\d\d|(?:19|20)\d\d)(?=\W|$)")
_STOP = re.compile(r"[\0\n|｜(\[（【“\"]|[.。](?=\s|$|\0)|[?!]\s|,\s|\s[-–—]+\s|\sby\s", re.IGNORECASE)
_ABBREVIATION = re.compile(r"\b(?:vs|etc|i\.e|e\.g|al|jr|sr|dr|mr|ms|st|no|vol|fig|eq|cf|approx|[A-Z])\.$", re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s\0]*(?::|：|-+|–|—|－|\||｜|,|~|→)?[\s\0]*")
MAX_NAME_WORDS = 3


class Label(NamedTuple):
    """A link that is a label of the entry: `[[Paper]](u)`."""

    label: str
    role: Role | None
    link: PrintedLink


class Head(NamedTuple):
    """What a title line holds; ranges are of `printed.text`, `rest` is it with all that was read gone."""

    printed: Printed
    rest: str
    shape: str
    """linked, strong, emphasis, quoted, plain or none"""
    title: Run | None
    name: Run | None
    main: PrintedLink | None
    """The link that the title is, or is in."""
    labels: list[Label]
    mentions: list[Mention]
    """The venues and years that lead and tail name; those with a year first."""
    year: tuple[int, int, int] | None
    """A year without a venue, and its range."""
    tail: int
    """Where what follows the title begins."""
    extended: int | None
    """The title's end where a linked name is but its beginning: `[Orca](u): A Serving System`."""


def read_head(printed: Printed, vocabulary: Vocabulary) -> Head:
    """Take a printed line apart; nothing is lost: what no field takes stays in `rest`."""
    text = printed.text
    labels, cited = _find_labels(printed, vocabulary)
    rest = text
    for taken in [*(label.link for label in labels), *cited]:
        rest = rest[: taken.start] + GONE * (taken.end - taken.start) + rest[taken.end :]
    if GONE in rest:
        rest = _EMPTY_GROUP.sub(lambda match: GONE * len(match.group()), rest)
    mentions = [_shift(mention, link.start) for link in cited for mention in find_mentions(text[link.start : link.end], vocabulary)]
    start, name, lead_mentions, lead_year = _read_lead(rest, printed, vocabulary)
    mentions += lead_mentions
    shape, title, named, main = _read_title(rest, start, printed, vocabulary)
    tail = title.end if title else start
    if main is not None and main.end > tail and title is not None:
        tail = main.end if main.start <= title.start else tail
    year = lead_year
    if title is not None:
        after = rest[title.end :].replace(GONE, "|")
        mentions += [_shift(mention, title.end) for mention in find_mentions(after, vocabulary)]
        if year is None and not any(mention.year for mention in mentions):
            found = find_year(after[:200]) if shape != "linked" or main is None else _year_in_brackets(after)
            year = (found[0], found[1] + title.end, found[2] + title.end) if found else None
    mentions.sort(key=lambda mention: (mention.year is None, mention.venue is not None and mention.venue.kind == "preprint"))
    extended = _extended_end(rest, title, main, printed, vocabulary)
    return Head(printed, rest, shape, title, name or named, main, labels, mentions, year, tail, extended)


def _extended_end(
    rest: str, title: Run | None, main: PrintedLink | None, printed: Printed, vocabulary: Vocabulary
) -> int | None:
    if title is None or main is None or len(rest[title.start : title.end].split()) > MAX_NAME_WORDS:
        return None
    match = re.compile(r"[*_]*\s*[:：]\s+(?=[^\s\0])").match(rest, main.end)
    return _plain_end(rest, match.end(), printed, vocabulary) if match else None


def _shift(mention: Mention, by: int) -> Mention:
    return mention._replace(
        start=mention.start + by, end=mention.end + by, name_start=mention.name_start + by, name_end=mention.name_end + by
    )


def _year_in_brackets(text: str) -> tuple[int, int, int] | None:
    """A year that stands alone in brackets or at the end: in a description's prose it would say nothing."""
    match = re.search(r"[(\[（]\s*((?:19[5-9]|20[0-3])\d)(?:[-./]\d{1,2}){0,2}\s*[)\]）]|[,.|]\s*((?:19[5-9]|20[0-3])\d)\s*\.?\s*$", text)
    if match is None:
        return None
    group = 1 if match.group(1) else 2
    return int(match.group(group)), match.start(group), match.end(group)


# ------------------------------------------------------------------------------- label links
def _find_labels(printed: Printed, vocabulary: Vocabulary) -> tuple[list[Label], list[PrintedLink]]:
    """The links that are labels, and those whose text is the citation (`([SC 2023](notes.md))`)."""
    labels: list[Label] = []
    cited: list[PrintedLink] = []
    text = printed.text
    first = _MARKS.match(text)
    begin = first.end() if first else 0
    for link in printed.links:
        raw = text[link.start : link.end]
        label = raw.strip(_LABEL_EDGE)
        if not label or label.startswith("@"):
            continue
        bracketed = _is_bracketed(text, raw, link)
        leading = link.start <= begin + 1 and not text[:link.start].strip(_LABEL_EDGE)
        role = vocabulary.role(label) if len(label) <= 40 else None
        if leading:
            after = text[link.end :].strip(_LABEL_EDGE + " ")
            if bracketed and len(label) <= 40 and is_citation(label, vocabulary) and after:
                cited.append(link)
                labels.append(Label(label, None, link))
            elif role is not None and (not after or _only_labels(text, printed.links, vocabulary)):
                labels.append(Label(label, role, link))
            continue
        if bracketed and len(label) <= 40 and re.search(r"\d\d|[A-Z]{2}", label) and is_citation(label, vocabulary) and find_mentions(label, vocabulary):
            cited.append(link)
            if role is not None or re.match(r"https?://", link.link.url):
                labels.append(Label(label, role, link))
        elif role is not None or bracketed and len(label) <= 60 and len(label.split()) <= 6:
            labels.append(Label(label, role, link))
    return labels, cited


def _is_bracketed(text: str, raw: str, link: PrintedLink) -> bool:
    raw = raw.strip()
    if raw[:1] in _OPENING and raw.endswith(_OPENING[raw[:1]]) and raw.find(_OPENING[raw[0]]) == len(raw) - 1:
        return True
    left = text[: link.start].rstrip(" ,;|/·&*_`\"'")
    right = text[link.end :].lstrip(" *_`\"'")
    if not left or left[-1] not in _OPENING:
        # a further one of a group: `[Paper, Code]`
        opening = max(left.rfind("["), left.rfind("("), left.rfind("（"))
        inside = opening >= 0 and opening > max(left.rfind("]"), left.rfind(")"), left.rfind("）"))
        return inside and len(left) - opening < 80 and right[:1] in ("]", ")", "）", ",", ";", "|", "/") and left[opening] == "["
    return right[:1] in ("]", ")", "）", "】", "］", ",", ";", "|", "/", "·", "&")


def _only_labels(text: str, links: list[PrintedLink], vocabulary: Vocabulary) -> bool:
    """Whether a line is nothing but label links."""
    for link in links:
        label = text[link.start : link.end].strip(_LABEL_EDGE)
        if len(label) > 40 or (vocabulary.role(label) is None and not _is_bracketed(text, text[link.start : link.end], link)):
            return False
    for link in reversed(links):
        text = text[: link.start] + text[link.end :]
    return not re.sub(r"[\W_]+", "", text)


# -------------------------------------------------------------------------------------- lead
def _read_lead(
    rest: str, printed: Printed, vocabulary: Vocabulary
) -> tuple[int, Run | None, list[Mention], tuple[int, int, int] | None]:
    """What stands before the title: marks, `[EuroSys'25]`, `[2023/02]`, `(Gavel)`."""
    at = _skip_marks(rest, 0)
    name: Run | None = None
    mentions: list[Mention] = []
    year: tuple[int, int, int] | None = None
    while at < len(rest):
        if rest[at] in _OPENING:
            close = rest.find(_OPENING[rest[at]], at)
            content = rest[at + 1 : close] if close > 0 else ""
            after = rest[close + 1 :].strip(" .:-\0") if close > 0 else ""
            if close < 0 or len(content) > 80 or not after:
                break
            found = find_mentions(content, vocabulary)
            if found and is_citation(content, vocabulary):
                mentions += [_shift(mention, at + 1) for mention in found]
            elif _DATE.match(content.strip()) and find_year(content):
                value, begin, end = find_year(content) or (0, 0, 0)
                year = (value, at + 1 + begin, at + 1 + end)
            elif not re.search(r"\w", content):
                pass
            elif name is None and len(content.split()) <= 4 and not content.strip().isdigit():
                name = Run(at + 1, close)
            else:
                break
            at = _skip_marks(rest, close + 1)
        elif match := _DATE.match(rest, at):
            if not rest[match.end() :].lstrip(" ").startswith((":", "-", "–", "[", "|", "(")) or find_year(match.group()) is None:
                break
            value, begin, end = find_year(match.group()) or (0, 0, 0)
            year = (value, at + begin, at + end)
            at = _skip_marks(rest, match.end() + len(rest[match.end() :]) - len(rest[match.end() :].lstrip(" :-–|")))
        else:
            break
    return at, name, mentions, year


def _skip_marks(rest: str, at: int) -> int:
    while at < len(rest):
        match = _MARKS.match(rest, at)
        after = match.end() if match else at
        while after < len(rest) and rest[after] == GONE:
            after += 1
        if after == at:
            break
        at = after
    return at


# ------------------------------------------------------------------------------------- title
def _read_title(
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
    for match in re.finditer(r"[.?!,;]\s+|\s[-–—|]\s", text):
        after = text[match.end() :]
        if len(after) <= 60 and after and (after[0].isupper() or after[0].isdigit() or after[0] == "'"):
            mentions = find_mentions(after, vocabulary)
            if (mentions or _DATE.match(after)) and is_citation(_DATE.sub(" ", after), vocabulary):
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
        if mark in _OPENING:
            close = rest.find(_OPENING[mark], edge)
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
    segment = re.split(r"[\0\n|(\[.]", after.strip(" *_"), maxsplit=1)[0].strip(" ,.*_")
    if not segment or len(segment) > 400:
        return False
    if len(segment) <= 60 and find_mentions(segment, vocabulary) and is_citation(segment, vocabulary):
        return True
    return are_authors(segment, least=2)
