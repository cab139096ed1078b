"""Rules for people: the list of all rules, and the page of one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from inspect import Parameter, signature
from typing import Any

from shelfread.report.finding_lines import COLOURS
from shelfread.report.rendering import TerminalStyle, dumps, printable
from shelfread.rulebook.metadata import RuleMetadata, option_types, read_prose, resolve_check

_ROLES = {"bad": "red", "report": "yellow", "fixed": "green", "good": "green"}


def as_json(rules: Iterable[RuleMetadata]) -> Iterator[str]:
    """Yield a JSON array of rules with the values of their options."""
    data = [
        {
            "id": rule.id,
            "summary": rule.summary,
            "severity": rule.severity.label,
            "presets": list(rule.presets),
            "fix": rule.fix,
            "options": _options(rule),
        }
        for rule in rules
    ]
    yield dumps(data)


def table(rules: Iterable[RuleMetadata], style: TerminalStyle) -> Iterator[str]:
    rows = [(rule, rule.id, ", ".join(rule.presets) or "-", rule.fix or "-") for rule in rules]
    ids, presets, fixes = (max(len(str(row[column])) for row in rows) for column in (1, 2, 3))
    for rule, id, preset, fix in rows:
        severity = style.paint(f"{rule.severity.label:<7}", COLOURS[rule.severity])
        start = f"{style.paint(f'{id:<{ids}}', 'bold')}  {severity}  {preset:<{presets}}  {fix:<{fixes}}"
        yield f"{start}  {printable(rule.summary)}"
    yield ""
    yield "Columns: id, severity, presets (-: only if selected), fix, summary."


def page(rule: RuleMetadata, style: TerminalStyle) -> Iterator[str]:
    """Yield a rule's page: its metadata, then its text."""
    yield style.paint(rule.id, "bold", "cyan")
    yield printable(rule.summary)
    yield ""
    facts = {
        "severity": style.paint(rule.severity.label, COLOURS[rule.severity]),
        "presets": ", ".join(rule.presets) or "none: runs only if selected",
        "fix": rule.fix or "none",
    }
    for name, value in _options(rule).items():
        facts[f"option {name}"] = printable(json.dumps(value, ensure_ascii=False))
    longest = max(map(len, facts))
    for name, value in facts.items():
        yield f"  {style.paint(f'{name:<{longest}}', 'dim')}  {value}"
    yield ""
    yield from _prose(read_prose(rule.page).split("\n")[1:], style)


def _options(rule: RuleMetadata) -> dict[str, Any]:
    """Return the options of a rule: the values of its page, else the defaults of its check, None if it has none."""
    if rule.check is None:
        return dict(rule.options)
    check = resolve_check(rule)
    defaults = {name: parameter.default for name, parameter in signature(check).parameters.items()}
    values = {name: rule.options.get(name, defaults[name]) for name in option_types(check)}
    return {name: None if value is Parameter.empty else value for name, value in values.items()}


def _prose(lines: list[str], style: TerminalStyle) -> Iterator[str]:
    """Yield a page's Markdown: headings in bold, examples indented under their role."""
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
