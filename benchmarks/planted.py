"""Mistakes that contributors make and a general Markdown tool could notice, put into real lists line by line.

No parser is used, so that no tool is judged by its own reading: lines and regular expressions alone.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

_ENTRY = re.compile(r"^[-*+] \[(?P<name>[^\[\]]{2,})\]\((?P<url>https?://[^\s()]+)\)(?P<rest>.*)$")
_CONTENTS = re.compile(r"^\s*[-*+] \[(?P<name>[^\[\]]+)\]\(#(?P<anchor>[\w-]{5,})\)\s*$")
_HEADING = re.compile(r"^(?P<marks>#{2,3}) (?P<title>[A-Za-z][A-Za-z ]{4,})$")
_APART = 6
"""Lines between two mistakes."""
_USUAL = 0.95
"""The share of entries that have a form which a mistake departs from."""


class Planted(NamedTuple):
    """A list with mistakes, at most one of each kind."""

    text: str
    lines: dict[str, list[int]]
    """The lines of each mistake, from 1, by its kind: its own, and that of its other half."""
    before: dict[str, str]
    """What that line was."""


def _reversed_link(line: str, entry: re.Match[str]) -> str:
    return line.replace(f"[{entry['name']}]({entry['url']})", f"({entry['name']})[{entry['url']}]", 1)


def _empty_link(line: str, entry: re.Match[str]) -> str:
    return line.replace(f"({entry['url']})", "()", 1)


def _blank_in_link(line: str, entry: re.Match[str]) -> str:
    return line.replace("](", "] (", 1)


def _bare_url(line: str, entry: re.Match[str]) -> str:
    return line.replace(f"[{entry['name']}]({entry['url']})", entry["url"], 1)


def _no_blank_after_bullet(line: str, entry: re.Match[str]) -> str:
    return line[0] + line[2:]


def _other_bullet(line: str, entry: re.Match[str]) -> str:
    return ("*" if line[0] == "-" else "-") + line[1:]


def _other_separator(line: str, entry: re.Match[str]) -> str:
    rest = entry["rest"]
    return line[: -len(rest)] + ": " + rest[3:] if rest.startswith(" - ") else line


def _no_full_stop(line: str, entry: re.Match[str]) -> str:
    return line[:-1] if re.search(r"[a-z]\.$", line) else line


def _spelling(line: str, entry: re.Match[str]) -> str:
    for right, wrong in (("GitHub", "Github"), ("JavaScript", "Javascript"), ("TypeScript", "Typescript")):
        if re.search(rf"(?<![\w/.]){right}(?![\w/.])", entry["rest"]) and "](" not in entry["rest"]:
            start = entry.start("rest")
            return line[:start] + re.sub(rf"(?<![\w/.]){right}(?![\w/.])", wrong, line[start:], count=1)
    return line


def _trailing_space(line: str, entry: re.Match[str]) -> str:
    return line + " " if line == line.rstrip() else line


def _anchor(line: str, contents: re.Match[str]) -> str:
    cut = contents.start("anchor") + 2
    return line[:cut] + line[cut + 1 :]


def _glued_heading(line: str, heading: re.Match[str]) -> str:
    return heading["marks"] + heading["title"]


def _renamed_heading(line: str, heading: re.Match[str]) -> str:
    return line + " and More"


_KINDS: dict[str, tuple[re.Pattern[str], Callable[[str, re.Match[str]], str]]] = {
    "`(Name)[URL]`": (_ENTRY, _reversed_link),
    "`[Name]()`": (_ENTRY, _empty_link),
    "`[Name] (URL)`": (_ENTRY, _blank_in_link),
    "a bare URL for the link": (_ENTRY, _bare_url),
    "`-[Name](URL)`": (_ENTRY, _no_blank_after_bullet),
    "another bullet": (_ENTRY, _other_bullet),
    "another separator": (_ENTRY, _other_separator),
    "no full stop": (_ENTRY, _no_full_stop),
    "`Github`": (_ENTRY, _spelling),
    "a space at the end": (_ENTRY, _trailing_space),
    "a wrong anchor": (_CONTENTS, _anchor),
    "`##Heading`": (_HEADING, _glued_heading),
    "a renamed section": (_HEADING, _renamed_heading),
    "an entry a second time": (_ENTRY, lambda line, entry: line),
}
KINDS = tuple(_KINDS)


def plant(text: str, seed: int) -> Planted | None:
    """Return a list with one mistake of each kind that it has room for; None if it has fewer than 30 entries."""
    chance = random.Random(seed)
    lines = text.split("\n")
    counts = Counter(lines)
    entries = [line for line in lines if _ENTRY.match(line)]
    if len(entries) < 30 or "\r" in text:
        return None
    taken: set[int] = set()
    found: dict[str, int] = {}
    halves: dict[str, str] = {}
    changed = list(lines)
    for kind in chance.sample(KINDS, len(KINDS)):
        places = [number for number, line in enumerate(lines) if _is_place(kind, line, counts, entries)]
        places = [number for number in places if all(abs(number - other) > _APART for other in taken)]
        if not places:
            continue
        number = chance.choice(places)
        if kind == "an entry a second time":
            # It replaces an entry of the same form, so that no line moves.
            others = [line for line in entries if line != lines[number] and counts[line] == 1]
            changed[number] = halves[kind] = chance.choice(others)
        else:
            pattern, change = _KINDS[kind]
            match = pattern.match(lines[number])
            assert match is not None
            changed[number] = change(lines[number], match)
            if pattern is _HEADING:
                halves[kind] = next(line for line in lines if _links_to(line, match["title"]))
        taken.add(number)
        found[kind] = number
    before = {kind: lines[number] for kind, number in found.items()}
    at = {kind: [number + 1] for kind, number in found.items()}
    for kind, half in halves.items():
        at[kind].append(lines.index(half) + 1)
    return Planted("\n".join(changed), at, before)


def _is_place(kind: str, line: str, lines: Counter[str], entries: Sequence[str]) -> bool:
    """Return whether a mistake can be made in a line, and is one in this list."""
    pattern, change = _KINDS[kind]
    match = pattern.match(line)
    if match is None or lines[line] > 1:
        return False
    if kind == "an entry a second time":
        return True
    if pattern is _HEADING:
        return any(_links_to(other, match["title"]) for other in lines)
    share = {
        "another bullet": sum(entry[0] == line[0] for entry in entries),
        "another separator": sum("](" in entry and ") - " in entry for entry in entries),
        "no full stop": sum(entry.rstrip().endswith(".") for entry in entries),
    }.get(kind, len(entries))
    return share >= _USUAL * len(entries) and change(line, match) != line


def _links_to(line: str, title: str) -> bool:
    """Return whether a line links to the heading with a title."""
    return f"](#{title.strip().lower().replace(' ', '-')})" in line
