#!/usr/bin/env python3
"""Mistakes that contributors make, put into real lists line by line, and how many a check of the change catches.

    planted.py CORPUS [--shelfread COMMAND] [--owners PATTERN] [--lists N] [--seed N] [--only KIND] [--show]

CORPUS is a folder with a folder of Markdown for each list. Each list becomes a git repository; then mistakes of a dozen kinds
at a time are made, each once, and `check --since HEAD` and `fix --since HEAD` are run. `field.py` runs the same mistakes without
`--since`, with other tools too.

    caught      a new warning or error at the line, beside it, or at its other half
    restored    the safe fix brings back the line that was there
    control     what looks like the mistake and is right is left in peace
    noise       a new finding at a line that has nothing to do with any mistake

No parser is used, so that no tool is judged by its own reading: lines and regular expressions alone.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_ENTRY = re.compile(r"^[-*+] \[(?P<name>[^\[\]]{2,})\]\((?P<url>https?://[^\s()]+)\)(?P<rest>.*)$")
_PAPER = re.compile(
    r"^[-*+] (?=.*\]\(http)(?:\]\([^()]*\)|[^(]|\((?!http))*?(?P<venue>[A-Z][A-Za-z]{3,})[ ']*(?P<year>20[12]\d)\b.*$"
)
_ROW = re.compile(r"^\|(?=.*\]\(http)(?:[^|\\]*\|){3,}$")
_CONTENTS = re.compile(r"^\s*[-*+] \[(?P<name>[^\[\]]+)\]\(#(?P<anchor>[\w-]{5,})\)\s*$")
_HEADING = re.compile(r"^(?P<marks>#{2,3}) (?P<title>[A-Za-z][A-Za-z ]{4,})$")
_DESCRIBED = re.compile(r"(?: [-–—]|:) (?P<text>\S.{14,})$")
_BULLET = re.compile(r"^\s*[-*+] ")
_APART = 6
"""Lines between two mistakes."""
_USUAL = 0.9
"""The share of entries that have a form which a mistake departs from."""
_AT_ONCE = 12


class Planted(NamedTuple):
    """A list with mistakes, at most one of each kind."""

    text: str
    lines: dict[str, list[int]]
    """The lines of each mistake, from 1, by its kind: its own, and that of its other half."""
    before: dict[str, str]
    """What that line was."""


class _Place(NamedTuple):
    """A line that a mistake can be made in."""

    lines: Sequence[str]
    number: int
    """From 0."""
    match: re.Match[str]
    entries: Sequence[str]

    @property
    def line(self) -> str:
        return self.lines[self.number]

    @property
    def above(self) -> str:
        return self.lines[self.number - 1] if self.number else ""

    @property
    def below(self) -> str:
        return self.lines[self.number + 1] if self.number + 1 < len(self.lines) else ""

    def is_usual(self, has: Callable[[str], object]) -> bool:
        """Return whether nearly all entries of the list have a form."""
        return sum(1 for entry in self.entries if has(entry)) >= _USUAL * len(self.entries)

    def among_entries(self) -> bool:
        """Return whether the lines above and below are entries."""
        return all(_ENTRY.match(line) and line[0] == self.line[0] for line in (self.above, self.below))

    def has(self, word: str) -> bool:
        """Return whether the list has a text anywhere."""
        return any(word in line for line in self.lines)


_Change = Callable[[_Place], "str | None"]


class _Kind(NamedTuple):
    """A mistake: where it can be made, what the line becomes (which may be several), and what looks like it."""

    pattern: re.Pattern[str]
    change: _Change
    control: _Change | None = None
    takes_above: bool = False
    """Whether the change takes the place of the line above, too."""


# ------------------------------------------------------------------------------------ links
def _relinked(change: Callable[[str, str], str]) -> _Change:
    """Return the change that writes the link of an entry, given its name and URL, in another way."""
    return lambda place: place.line.replace(
        f"[{place.match['name']}]({place.match['url']})", change(place.match["name"], place.match["url"]), 1
    )


def _readdressed(change: Callable[[str], str | None]) -> _Change:
    """Return the change that gives the link of an entry another URL."""

    def changed(place: _Place) -> str | None:
        url = change(place.match["url"])
        return None if url is None else place.line.replace(f"({place.match['url']})", f"({url})", 1)

    return changed


def _host_and_path(url: str) -> tuple[str, str]:
    host, _, path = url.partition("://")[2].partition("/")
    return host, path


def _of_repository(suffix: str) -> _Change:
    repository = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")
    return _readdressed(lambda url: url + suffix if repository.fullmatch(url) else None)


def _quoted(url: str) -> str:
    return url.replace(":", "%3A").replace("/", "%2F").replace("?", "%3F").replace("&", "%26")


# ------------------------------------------------------------------------------------- form
def _other_separator(place: _Place) -> str | None:
    rest: str = place.match["rest"]
    if not rest.startswith(" - ") or not place.is_usual(lambda entry: ") - " in entry):
        return None
    return place.line[: -len(rest)] + ": " + rest[3:]


def _no_full_stop(place: _Place) -> str | None:
    usual = place.is_usual(lambda entry: entry.rstrip().endswith("."))
    return place.line[:-1] if usual and re.search(r"[a-z]\.$", place.line) else None


def _other_bullet(place: _Place) -> str | None:
    if not place.is_usual(lambda entry: entry[0] == place.line[0]):
        return None
    return ("*" if place.line[0] == "-" else "-") + place.line[1:]


def _spelling(place: _Place) -> str | None:
    for right, wrong in (("GitHub", "Github"), ("JavaScript", "Javascript"), ("TypeScript", "Typescript")):
        word = rf"(?<![\w/.]){right}(?![\w/.])"
        if re.search(word, place.match["rest"]) and "](" not in place.match["rest"]:
            start = place.match.start("rest")
            return place.line[:start] + re.sub(word, wrong, place.line[start:], count=1)
    return None


def _is_described(entry: str) -> bool:
    match = _ENTRY.match(entry)
    return match is not None and _DESCRIBED.match(match["rest"]) is not None


def _description(place: _Place) -> str | None:
    """Return what an entry says; None if it has links or marks."""
    match = _DESCRIBED.match(place.match["rest"])
    return None if match is None or "](" in match["text"] or "<" in match["text"] else match["text"]


def _usual_description(place: _Place) -> str | None:
    """Return what an entry says, if nearly all have a description."""
    return _description(place) if place.is_usual(_is_described) else None


def _redescribed(change: Callable[[str], str | None]) -> _Change:
    """Return the change of a description."""

    def changed(place: _Place) -> str | None:
        text = _description(place)
        new = change(text) if text is not None else None
        return None if text is None or new is None else place.line[: -len(text)] + new

    return changed


def _no_description(place: _Place) -> str | None:
    return None if _usual_description(place) is None else place.line[: place.match.start("rest")]


def _no_link(place: _Place) -> str | None:
    text = _usual_description(place)
    return None if text is None else f"{place.line[:2]}{place.match['name']} - {text}"


def _description_first(place: _Place) -> str | None:
    text = _usual_description(place)
    return text and f"{place.line[:2]}{text.rstrip('.')} - [{place.match['name']}]({place.match['url']})."


def _unknown_mark(place: _Place) -> str | None:
    if place.has("\N{HOURGLASS}"):
        return None
    return f"{place.line[:2]}\N{HOURGLASS} {place.line[2:]}"


def _other_script(place: _Place) -> str | None:
    if (
        _description(place) is None
        or sum(1 for line in place.lines if re.search(r"[\u4e00-\u9fff]", line)) > 3
    ):
        return None
    return _redescribed(lambda text: "一个用于管理数据和任务的开源工具。")(place)


# ------------------------------------------------------------------------------------- page
def _joined(between: str) -> _Change:
    def changed(place: _Place) -> str | None:
        if not _ENTRY.match(place.above) or place.above[0] != place.line[0]:
            return None
        return place.above.rstrip() + between + place.line

    return changed


def _joined_control(place: _Place) -> str | None:
    if not _ENTRY.match(place.above) or "](" in place.match["rest"]:
        return None
    return f"{place.above}\n{place.line} Like [Wombats](https://github.com/zzyzx/wombats) - but older."


def _prefixed(prefix: str) -> _Change:
    return lambda place: prefix + place.line if place.among_entries() else None


def _lost_bullet(place: _Place) -> str | None:
    return place.line[2:] if _ENTRY.match(place.above) else None


def _inserted(line: str, after: bool = False) -> _Change:
    """Return the change that adds a line between two entries."""

    def changed(place: _Place) -> str | None:
        if not place.among_entries():
            return None
        return f"{place.line}\n{line}" if after else f"{line}\n{place.line}"

    return changed


def _details(place: _Place) -> str | None:
    return None if place.has("<details") else f"<details>\n<summary>More</summary>\n\n{place.line}"


def _opened(mark: str) -> _Change:
    def change(text: str) -> str | None:
        return None if mark in text or "*" in text or "`" in text else f"{mark}{text}"

    return _redescribed(change)


def _row_among_rows(place: _Place) -> bool:
    width = place.line.count("|")
    return all(_ROW.match(line) and line.count("|") == width for line in (place.above, place.below))


def _row_without_cell(place: _Place) -> str | None:
    cells = place.line.split("|")
    full = all(cell.strip() for cell in cells[1:-1])
    return "|".join([*cells[:2], *cells[3:]]) if full and _row_among_rows(place) else None


def _row_with_cell(place: _Place) -> str | None:
    return place.line + " more than enough |" if _row_among_rows(place) else None


def _row_outside(place: _Place) -> str | None:
    return f"\n{place.line}" if _row_among_rows(place) else None


def _row_as_item(place: _Place) -> str | None:
    return f"- {place.line}" if _row_among_rows(place) else None


# ------------------------------------------------------------------------------------- text
def _doubled(place: _Place) -> str | None:
    return _redescribed(
        lambda text: (
            re.sub(r" (the|for|and|with|of|to|is|in) ", r" \1 \1 ", text, count=1)
            if re.search(r" (the|for|and|with|of|to|is|in) ", text)
            else None
        )
    )(place)


def _as_above(place: _Place) -> str | None:
    above = _ENTRY.match(place.above)
    text = _description(place)
    if above is None or text is None or (other := _DESCRIBED.match(above["rest"])) is None:
        return None
    return place.line[: -len(text)] + other["text"]


def _address_above(place: _Place) -> str | None:
    above = _ENTRY.match(place.above)
    return above and place.line.replace(f"({place.match['url']})", f"({above['url']})", 1)


def _year_to_come(place: _Place) -> str | None:
    start, end = place.match.span("year")
    return place.line[:start] + "2036" + place.line[end:]


def _venue_misspelt(place: _Place) -> str | None:
    venue, start = place.match["venue"], place.match.start("venue")
    if venue not in ("NeurIPS", "ICML", "ICLR", "CVPR", "EMNLP", "NAACL", "ICCV", "ECCV", "AAAI", "IJCAI",
                     "OSDI", "SOSP", "NSDI", "EuroSys", "ASPLOS", "MLSys", "SIGMOD", "VLDB", "SIGIR"):  # fmt: skip
        return None
    return place.line[:start] + venue[:2] + venue[3] + venue[2] + venue[4:] + place.line[start + len(venue) :]


def _no_year(place: _Place) -> str | None:
    dated = sum(1 for line in place.lines if _PAPER.match(line))
    if dated < _USUAL * sum(1 for line in place.lines if re.match(r"[-*+] .*\]\(http", line)):
        return None
    if len(re.findall(r"(?:19|20)\d\d", re.sub(r"\(http[^)]*\)", "", place.line))) > 1:
        return None
    start, end = place.match.span("year")
    return re.sub(r"[ ']+$", "", place.line[:start]) + place.line[end:]


def _other_id(place: _Place) -> str | None:
    match = re.search(r"(\d{4}\.\d{4,5}).*\1", place.line)
    if match is None:
        return None
    end = match.end(1)
    return place.line[: end - 1] + str((int(place.line[end - 1]) + 3) % 10) + place.line[end:]


def _anchor(place: _Place) -> str:
    cut = place.match.start("anchor") + 2
    return place.line[:cut] + place.line[cut + 1 :]


def _linked_heading(change: Callable[[re.Match[str]], str]) -> _Change:
    def changed(place: _Place) -> str | None:
        is_linked = any(_links_to(line, place.match["title"]) for line in place.lines)
        return change(place.match) if is_linked else None

    return changed


_AS_ABOVE = "the description of the entry above"
_TWICE = "an entry a second time"
_KINDS: dict[str, _Kind] = {
    "`(Name)[URL]`": _Kind(_ENTRY, _relinked(lambda name, url: f"({name})[{url}]")),
    "`[Name]()`": _Kind(_ENTRY, _relinked(lambda name, url: f"[{name}]()")),
    "`[Name] (URL)`": _Kind(_ENTRY, _relinked(lambda name, url: f"[{name}] ({url})")),
    "`[Name](URL`": _Kind(_ENTRY, _relinked(lambda name, url: f"[{name}]({url}")),
    "a bare URL for the link": _Kind(_ENTRY, _relinked(lambda name, url: url)),
    "`-[Name](URL)`": _Kind(_ENTRY, lambda place: place.line[0] + place.line[2:]),
    "another bullet": _Kind(_ENTRY, _other_bullet),
    "another separator": _Kind(_ENTRY, _other_separator),
    "no full stop": _Kind(_ENTRY, _no_full_stop),
    "`Github`": _Kind(_ENTRY, _spelling),
    "a space at the end": _Kind(
        _ENTRY, lambda place: place.line + " " if place.line == place.line.rstrip() else None
    ),
    "a wrong anchor": _Kind(_CONTENTS, _anchor),
    "`##Heading`": _Kind(_HEADING, _linked_heading(lambda match: match["marks"] + match["title"])),
    "a renamed section": _Kind(_HEADING, _linked_heading(lambda match: match[0] + " and More")),
    _TWICE: _Kind(_ENTRY, lambda place: place.line),
    # An entry unlike its siblings.
    "no description": _Kind(_ENTRY, _no_description),
    "no link": _Kind(_ENTRY, _no_link),
    "the description first": _Kind(_ENTRY, _description_first),
    "a mark that no other has": _Kind(_ENTRY, _unknown_mark),
    "another script": _Kind(
        _ENTRY, _other_script, _redescribed(lambda text: text.rstrip(".") + " (named 雪, snow).")
    ),
    # What the page shows is not what was typed.
    "joined to the entry above": _Kind(_ENTRY, _joined(" "), _joined_control, takes_above=True),
    "joined to it without a space": _Kind(_ENTRY, _joined(""), _joined_control, takes_above=True),
    "no bullet": _Kind(_ENTRY, _lost_bullet),
    "a child by two spaces": _Kind(_ENTRY, _prefixed("  ")),
    "a child by four spaces": _Kind(_ENTRY, _prefixed("    ")),
    "a child by a tab": _Kind(_ENTRY, _prefixed("\t")),
    "a row with a cell too few": _Kind(_ROW, _row_without_cell),
    "a row with a cell too many": _Kind(_ROW, _row_with_cell),
    "a row outside of its table": _Kind(_ROW, _row_outside),
    "a row behind a bullet": _Kind(_ROW, _row_as_item),
    "an open `<b>`": _Kind(_ENTRY, _opened("<b>"), _redescribed(lambda text: f"<b>Free</b><br>{text}")),
    "an open comment": _Kind(_ENTRY, _inserted("<!-- new"), _inserted("<!-- new -->")),
    "an open `<details>`": _Kind(_HEADING, _details),
    "an open code block": _Kind(_ENTRY, _inserted("```")),
    "an open `**`": _Kind(_ENTRY, _opened("**")),
    "an open code span": _Kind(_ENTRY, _opened("`")),
    "`=======`": _Kind(_ENTRY, _inserted("=======", after=True)),
    "`>>>>>>> branch`": _Kind(_ENTRY, _inserted(">>>>>>> feature", after=True)),
    "a footnote without a note": _Kind(
        _ENTRY,
        _redescribed(lambda text: text.rstrip(".") + "[^wombat]."),
        _redescribed(lambda text: text.rstrip(".") + " matching `[^wombat]`."),
    ),
    # An address that cannot be meant.
    "`localhost`": _Kind(
        _ENTRY,
        _readdressed(lambda url: f"http://localhost:3000/{_host_and_path(url)[1]}"),
        _redescribed(lambda text: text.rstrip(".") + " at `http://localhost:3000`."),
    ),
    "a private address": _Kind(
        _ENTRY,
        _readdressed(lambda url: f"http://192.168.1.20/{_host_and_path(url)[1]}"),
        _readdressed(lambda url: f"https://1.1.1.1/{_host_and_path(url)[1]}"),
    ),
    "a `.local` host": _Kind(_ENTRY, _readdressed(lambda url: f"http://wiki.local/{_host_and_path(url)[1]}")),
    "a staging host": _Kind(
        _ENTRY,
        _readdressed(lambda url: "https://staging." + url.partition("://")[2].removeprefix("www.")),
        _readdressed(lambda url: "https://github.com/zzyzx/staging"),
    ),
    "`example.com`": _Kind(
        _ENTRY,
        _readdressed(lambda url: f"https://example.com/{_host_and_path(url)[1]}"),
        _readdressed(lambda url: f"https://examples.zzyzx.dev/{_host_and_path(url)[1]}"),
    ),
    "`[Name](link)`": _Kind(_ENTRY, _relinked(lambda name, url: f"[{name}](link)")),
    "`[Name](https://github.com/user/repo)`": _Kind(
        _ENTRY,
        _relinked(lambda name, url: f"[{name}](https://github.com/username/repository)"),
        _readdressed(lambda url: "https://github.com/zzyzx/repository"),
    ),
    "a search's redirect": _Kind(
        _ENTRY,
        _readdressed(lambda url: f"https://www.google.com/url?sa=t&url={_quoted(url)}&usg=AOvVaw0"),
        _readdressed(lambda url: "https://www.google.com/search?q=wombats"),
    ),
    "a mail filter's redirect": _Kind(
        _ENTRY,
        _readdressed(
            lambda url: f"https://eur01.safelinks.protection.outlook.com/?url={_quoted(url)}&data=05&reserved=0"
        ),
    ),
    "a full stop in the URL": _Kind(
        _ENTRY, _readdressed(lambda url: url + "." if url[-1].isalnum() else None)
    ),
    "`https://https://`": _Kind(_ENTRY, _readdressed(lambda url: "https://" + url)),
    "`?tab=readme-ov-file`": _Kind(
        _ENTRY, _of_repository("?tab=readme-ov-file"), _readdressed(lambda url: "https://github.com/zzyzx?tab=repositories")
    ),
    "a repository's `edit` page": _Kind(
        _ENTRY, _of_repository("/edit/master/README.md"), _of_repository("/blob/master/docs/edit.md")
    ),
    # A text against itself.
    "a doubled word": _Kind(_ENTRY, _doubled, _redescribed(lambda text: text.rstrip(".") + " that that team had had.")),
    "the description twice": _Kind(_ENTRY, _redescribed(lambda text: f"{text} {text}")),
    _AS_ABOVE: _Kind(_ENTRY, _as_above),
    "the address of the entry above": _Kind(_ENTRY, _address_above),
    "a template's words": _Kind(
        _ENTRY,
        _redescribed(lambda text: "Short description of the project."),
        _redescribed(lambda text: "Writes a short description of a project for you."),
    ),
    "another arXiv id in the text": _Kind(re.compile(r"^[-*+] (?=.*\]\(http).*\d{4}\.\d{4,5}.*$"), _other_id),
    "a year to come": _Kind(_PAPER, _year_to_come),
    "a misspelt venue": _Kind(_PAPER, _venue_misspelt),
    "no year": _Kind(_PAPER, _no_year),
}  # fmt: skip
_HIDING = ("an open comment", "an open `<details>`", "an open code block")
KINDS = tuple(_KINDS)


def plant(text: str, seed: int, kinds: Sequence[str] = KINDS, controls: bool = False) -> Planted | None:
    """Return a list with one mistake, or control, of each kind that it has room for; None if it has too few entries."""
    chance = random.Random(seed)
    lines = text.split("\n")
    counts = Counter(lines)
    entries = [line for line in lines if _ENTRY.match(line)]
    if len([line for line in lines if _BULLET.match(line) or _ROW.match(line)]) < 30 or "\r" in text:
        return None
    fenced = _fenced(lines)
    taken: set[int] = set()
    changed: list[list[str]] = [[line] for line in lines]
    places_of: dict[str, int] = {}
    halves: dict[str, str] = {}
    for kind in chance.sample(list(kinds), len(kinds)):
        mistake = _KINDS[kind]
        change = mistake.control if controls else mistake.change
        if change is None:
            continue
        numbers = [
            number
            for number, line in enumerate(lines)
            if counts[line] == 1 and number not in fenced and mistake.pattern.match(line)
        ]
        chance.shuffle(numbers)
        for number in numbers:
            match = mistake.pattern.match(lines[number])
            if match is None or any(abs(number - other) <= _APART for other in taken):
                continue
            new = change(_Place(lines, number, match, entries))
            others = [line for line in entries if line != lines[number] and counts[line] == 1]
            if kind == _TWICE and others:
                new = halves[kind] = chance.choice(others)
            if new is None or new == lines[number]:
                continue
            if mistake.pattern is _HEADING and (
                half := next((x for x in lines if _links_to(x, match["title"])), "")
            ):
                halves[kind] = half
            changed[number] = new.split("\n")
            if mistake.takes_above:
                changed[number - 1] = []
            taken.add(number)
            places_of[kind] = number
            break
    if not places_of:
        return None
    starts = [0]
    for group in changed:
        starts.append(starts[-1] + len(group))
    at = {kind: list(range(starts[number] + 1, starts[number + 1] + 1)) for kind, number in places_of.items()}
    for kind, half in halves.items():
        if kind in at:
            at[kind].append(starts[lines.index(half)] + 1)
    before = {kind: lines[number] for kind, number in places_of.items()}
    return Planted("\n".join(line for group in changed for line in group), at, before)


def _fenced(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the lines in code blocks and comments."""
    inside: set[int] = set()
    end = ""
    for number, line in enumerate(lines):
        if end:
            inside.add(number)
            end = "" if end in line else end
        elif line.lstrip().startswith("```"):
            end = "```"
        elif "<!--" in line and "-->" not in line:
            end = "-->"
    return inside


def _links_to(line: str, title: str) -> bool:
    """Return whether a line links to the heading with a title."""
    return f"](#{title.strip().lower().replace(' ', '-')})" in line


# ---------------------------------------------------------------------------- under --since
def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpus", type=Path, help="a folder with a folder of Markdown for each list")
    parser.add_argument("--shelfread", default=str(Path(sys.executable).with_name("shelfread")))
    parser.add_argument("--owners", default=".", help="only lists whose folder's name matches")
    parser.add_argument("--lists", type=int, help="so many lists of all sizes up to --largest")
    parser.add_argument("--largest", type=int, default=100_000, help="bytes (default: 200,000)")
    parser.add_argument("--seed", type=int, default=1, help="which mistakes are made (default: 1)")
    parser.add_argument("--only", default="", help="only the kinds with this text in their names")
    parser.add_argument(
        "--show", action="store_true", help="print each mistake that is missed, and the noise"
    )
    args = parser.parse_args()
    lists = {
        name: text
        for name, text in _lists(args.corpus, args.largest).items()
        if re.match(args.owners, name, re.IGNORECASE) and plant(text, args.seed) is not None
    }
    names = list(lists)[:: max(len(lists) // args.lists, 1)][: args.lists] if args.lists else list(lists)
    kinds = [kind for kind in KINDS if args.only in kind]
    made, caught, restored, disturbed, controlled = (Counter[str]() for _ in range(5))
    noise = 0
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            _start(Path(temporary, name), lists[name])
            for together in planted_together(kinds):
                for controls in (False, True):
                    plan = plant(lists[name], args.seed, together, controls)
                    if plan is None:
                        continue
                    found, after = _run(args.shelfread, Path(temporary, name), plan.text, not controls)
                    used: set[int] = set()
                    for kind, at in plan.lines.items():
                        near = {line + step for line in at for step in (-1, 0, 1)}
                        hits = {line for line, end, _ in found if not near.isdisjoint(range(line, end + 1))}
                        used |= hits
                        if controls:
                            controlled[kind] += 1
                            disturbed[kind] += bool(hits)
                        else:
                            made[kind] += 1
                            caught[kind] += bool(hits)
                            restored[kind] += _is_restored(plan.before[kind], lists[name].split("\n"), after)
                        if args.show and bool(hits) == controls:
                            said = [said for line, _, said in found if line in hits]
                            print(
                                f"{name}: {'control: ' * controls}{kind}: {plan.text.splitlines()[at[0] - 1][:150]} {said}"
                            )
                    others = [(line, said) for line, _, said in found if line not in used]
                    noise += len(others)
                    if args.show:
                        print(*(f"{name}: noise at {line}: {said}" for line, said in others), sep="\n")
    print("| mistake | made | caught | restored | control |\n|---|---:|---:|---:|---:|")
    for kind in kinds:
        control = f"{controlled[kind] - disturbed[kind]} of {controlled[kind]}" if controlled[kind] else ""
        print(f"| {kind} | {made[kind]} | {caught[kind]} | {restored[kind]} | {control} |")
    right = f"{controlled.total() - disturbed.total()} of {controlled.total()}"
    print(f"| **all** | {made.total()} | {caught.total()} | {restored.total()} | {right} |")
    print(f"\n{len(names)} lists, {noise} findings beside the {made.total()} mistakes.")
    return 0


def planted_together(kinds: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the kinds a dozen at a time; what hides the rest of a list from its readers is alone."""
    yield from ([kind] for kind in kinds if kind in _HIDING)
    others = [kind for kind in kinds if kind not in _HIDING]
    yield from (others[start : start + _AT_ONCE] for start in range(0, len(others), _AT_ONCE))


def _lists(corpus: Path, largest: int) -> Mapping[str, str]:
    """Return the text of the main file of each list, the smallest first."""
    found = {}
    for folder in (path for path in corpus.iterdir() if path.is_dir()):
        files = [path for path in folder.glob("*") if path.suffix.lower() == ".md" and path.is_file()]
        if files:
            main_file = max(files, key=lambda path: (path.name.lower() == "readme.md", path.stat().st_size))
            if main_file.stat().st_size <= largest:
                found[folder.name] = main_file.read_text(encoding="utf-8", errors="replace")
    return dict(sorted(found.items(), key=lambda item: (len(item[1]), item[0])))


def _is_restored(line: str, wanted: Sequence[str], got: Sequence[str]) -> bool:
    """Return whether a line stands where it stood: between the same lines."""
    number = wanted.index(line)
    between = wanted[max(number - 2, 0) : number + 2]
    return any(list(got[start : start + len(between)]) == between for start in range(len(got)))


def _git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def _start(folder: Path, text: str) -> None:
    """Make a git repository of a list."""
    folder.mkdir()
    (folder / "README.md").write_text(text, encoding="utf-8", newline="")
    _git(folder, "init", "-q")
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "before")


def _run(tool: str, folder: Path, text: str, fix: bool) -> tuple[list[tuple[int, int, str]], list[str]]:
    """Return the findings of a change, with their lines, and the lines of the text after safe fixes."""
    file = folder / "README.md"
    file.write_text(text, encoding="utf-8", newline="")
    command = [tool, "check", "--since", "HEAD", "--no-cache", "--isolated", "--output-format", "json", "."]
    printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    found = [
        (each["line"], each["end_line"], f"{each['rule']}: {each['message']}")
        for each in json.loads(printed)["diagnostics"]
        if each["severity"] != "info"
    ]
    if fix:
        subprocess.run(
            [tool, "fix", "--since", "HEAD", "--isolated", "."], cwd=folder, capture_output=True, check=False
        )
    return found, file.read_text(encoding="utf-8").split("\n")


if __name__ == "__main__":
    sys.exit(main())
