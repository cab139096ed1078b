"""Rules for people: the catalogue, and one rule's page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from inspect import signature
from typing import Any

from shelfread.report.findings.text import COLOURS
from shelfread.report.json_text import dumps
from shelfread.report.terminal import TerminalStyle, printable
from shelfread.rulebook.binding import resolve_check
from shelfread.rulebook.examples import read_page
from shelfread.rulebook.metadata import RuleMetadata
from shelfread.rulebook.options import option_types

_ROLES = {"bad": "red", "report": "yellow", "fixed": "green", "good": "green"}


def as_json(cards: Iterable[RuleMetadata]) -> Iterator[str]:
    """An array of rules with their options' values."""
    data = [
        {
            "id": card.id,
            "summary": card.summary,
            "severity": card.severity.label,
            "presets": list(card.presets),
            "fix": card.fix,
            "options": options(card),
        }
        for card in cards
    ]
    yield dumps(data)


def table(cards: Iterable[RuleMetadata], style: TerminalStyle) -> Iterator[str]:
    """One line a rule."""
    rows = [(card, card.id, ", ".join(card.presets) or "-", card.fix or "-") for card in cards]
    ids, presets, fixes = (max(len(str(row[at])) for row in rows) for at in (1, 2, 3))
    for card, id, preset, fix in rows:
        severity = style.paint(f"{card.severity.label:<7}", COLOURS[card.severity])
        start = f"{style.paint(f'{id:<{ids}}', 'bold')}  {severity}  {preset:<{presets}}  {fix:<{fixes}}"
        yield f"{start}  {printable(card.summary)}"
    yield ""
    yield "Id, severity, presets (-: it runs where selected), fix, and what holds in a list that keeps it."


def page(card: RuleMetadata, style: TerminalStyle) -> Iterator[str]:
    """A rule's page: what the front matter says, then the page itself."""
    yield style.paint(card.id, "bold", "cyan")
    yield printable(card.summary)
    yield ""
    facts = {
        "severity": style.paint(card.severity.label, COLOURS[card.severity]),
        "presets": ", ".join(card.presets) or "none: it runs where it is selected",
        "fix": card.fix or "none",
        **{
            f"option {name}": printable(json.dumps(value, ensure_ascii=False))
            for name, value in options(card).items()
        },
    }
    longest = max(map(len, facts))
    for name, value in facts.items():
        yield f"  {style.paint(f'{name:<{longest}}', 'dim')}  {value}"
    yield ""
    prose = read_page(card.page).prose.split("\n")
    yield from _prose(prose[1:], style)


def options(card: RuleMetadata) -> dict[str, Any]:
    """The options of a rule: the page's values, else the check's defaults."""
    if card.check is None:
        return dict(card.options)
    check = resolve_check(card)
    parameters = signature(check).parameters
    return {name: card.options.get(name, parameters[name].default) for name in option_types(check)}


def _prose(lines: list[str], style: TerminalStyle) -> Iterator[str]:
    """A page's Markdown: headings bold, examples indented under the name of their role."""
    fence = ""
    blank = True
    for line in lines:
        if fence:
            if line.strip() == fence:
                fence = ""
            else:
                yield f"    {printable(line)}".rstrip()
            continue
        if line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
            words = line[len(fence) :].split()
            if len(words) > 1:
                title = " ".join([words[1].capitalize(), *words[2:]])
                yield style.paint(f"{printable(title)}:", "bold", _ROLES.get(words[1], "cyan"))
        elif line.startswith("#"):
            yield style.paint(printable(line.lstrip("# ")), "bold")
        elif line or not blank:
            yield printable(line)
        blank = not line
