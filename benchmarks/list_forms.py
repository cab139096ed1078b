"""Lists of papers in random forms, with what each paper states: order, markup, separators, labels and container vary.

The lists test reading where it is likely to fail: half of them cite venues that nobody knows, few have a form that real lists
have. No script: `uncertainty.py` reads them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

_GIVEN = "Ada Barbara Donald Edsger Frances Grace Ivan John Ken Leslie Margaret Niklaus Robin Sophie Wei Yan".split()
_FAMILY = "Stone Field Novak Zhou Marsh Keller Okafor Larsen Rossi Tanaka Kim Haddad Moreau Silva Brandt Ivanova".split()
_KNOWN = "ASPLOS EuroSys ICML MLSys NSDI NeurIPS OSDI SOSP VLDB CVPR ACL KDD".split()
_ACRONYMS = "SHLV ACGS LibSys CatLog WSTK IRSV MARCon BOKS".split()
_JOURNALS = [
    "Annals of Shelves",
    "Journal of Loan Studies",
    "Letters on Cataloguing",
    "Workshop on Moving Stacks",
]
_HEADS = "Adaptive Learning|Efficient Search|Robust Inference|Fast Training|A Survey|Understanding Memory|Scheduling Work|Sparse Attention|Federated Optimization|Neural Compression".split(
    "|"
)
_TAILS = "with Large Language Models|for Distributed Storage|on Heterogeneous Clusters|under Tight Deadlines|of Streaming Graphs|in Private Data Centers|by Operator Fusion|from Few Examples|Across Slow Networks".split(
    "|"
)
_NAMES = (
    "Tofu Shelfie PipeRow Kite BookNet Stackr GLIDE Orca2 TS DeepLoan LoanGPT Z-Shelf Rack++ QFetch".split()
)
_PROSE = [
    "The authors show that caches halve the time of a loan.",
    "It explains how shelves are kept in order.",
    "We like the part about moving stacks.",
]
_AROUND = {
    "plain": "{}",
    "link": "[{}]({u})",
    "bold": "**{}**",
    "italic": "*{}*",
    "quoted": '"{}"',
    "bold link": "**[{}]({u})**",
    "link bold": "[**{}**]({u})",
}
_CITED = (
    "{v} {y}",
    "({v} {y})",
    "({v}, {y})",
    "{v}, {y}",
    "[{v} {y}]",
    "`{v}` `{y}`",
    "`{v} {y}`",
    "*{v}*, {y}",
    "In *{v}*, {y}",
    "**{v}'{yy}**",
    "{v}'{yy}",
    "{v} ({y})",
    "({y}) {v}",
    "({y})",
    "{y}",
    "{y}. {v}",
    "{v}",
    "[{v}-{y}]",
    "{y}-{v}",
)
_LABELS = (
    "[[Paper]({u})]",
    "[[pdf]({u})]",
    "[paper]({u})",
    "([link]({u}))",
    r"\[[Paper]({u})\]",
    "[[paper]]({u}) [[code]]({c})",
    "[[PDF]({u})][[Code]({c})]",
    "[Paper]({u}) / [Code]({c})",
    "({u})",
)
_SEPARATORS = (", ", ". ", " - ", ": ", " | ", "; ", " ", " – ", ".  ", " / ")
_ORDERS = (
    "tacl",
    "atcl",
    "ctal",
    "tcal",
    "tcl",
    "ctl",
    "tal",
    "atl",
    "lta",
    "tlc",
    "tl",
    "ntcl",
    "nctl",
    "tclp",
    "tlp",
    "catl",
    "actl",
    "ltac",
    "lct",
    "tapcl",
    "ltc",
    "tlac",
)
_CONTAINERS = ("bullet", "number", "row", "cells", "sub-lines", "paragraph", "heading")


class Form(NamedTuple):
    """How the papers of a list are written. `order` has a letter a part: title, authors, citation, links, name, prose."""

    container: str
    order: str
    title: str
    separators: str
    citation: str
    people: str
    labels: str


def generate(count: int, papers: int = 12) -> Iterator[tuple[Form, str, list[dict[str, Any]]]]:
    """Yield as many forms, each with a list and what its papers state, with their lines from 1."""
    for number in range(count):
        chance = random.Random(number)
        form = Form(
            *(chance.choice(_CONTAINERS), chance.choice(_ORDERS), chance.choice(list(_AROUND))),
            *(chance.choice(_SEPARATORS), chance.choice(_CITED)),
            *(chance.choice(("full", "short", "family first", "et al")), chance.choice(_LABELS)),
        )
        yield form, *_list(form, chance, papers)


def _list(form: Form, chance: random.Random, papers: int) -> tuple[str, list[dict[str, Any]]]:
    venues = chance.choice((_KNOWN, _KNOWN, _ACRONYMS, _JOURNALS))
    lines, gold = ["# Papers", "", "## Storage", ""], []
    if form.container == "cells":
        headers = {"t": "Title", "a": "Authors", "c": "Venue", "l": "Links", "n": "Name", "p": "Notes"}
        lines += [_row(headers[part] for part in form.order), _row("---" for _ in form.order)]
    elif form.container == "row":
        lines += ["| Papers |", "| --- |"]
    has_names = chance.random() < 0.3
    names = chance.sample(_NAMES, len(_NAMES))
    for index in range(papers):
        name = names[index % len(names)]  # papers rarely share one
        name = name if "n" in form.order or (has_names and chance.random() < 0.6) else None
        entry, parts = _paper(form, chance, venues, index, name)
        gold.append({**entry, "line": len(lines) + 1})
        text = _joined(form, [part for part in parts if part])
        if form.container == "cells":
            lines.append(_row(part.replace("|", "/") for part in parts))
        elif form.container == "row":
            lines.append(_row([text.replace("|", "/")]))
        elif form.container == "sub-lines":
            first, *below = [part for part in parts if part]
            lines += [f"- {first}", *(f"  - {part}" for part in below)]
        elif form.container == "heading":
            first, *below = [part for part in parts if part]
            lines += [f"### {first}", "", _joined(form, below), ""]
        elif form.container == "paragraph":
            lines += [text, ""]
        else:
            lines.append(f"{index + 1}. {text}" if form.container == "number" else f"- {text}")
    return "\n".join(lines) + "\n", gold


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(form: Form, parts: list[str]) -> str:
    """Return parts with the separator of the form; what is in brackets needs none."""
    text = ""
    for part in parts:
        brackets = part[:1] in "([`\\" and not part.startswith("[**") and "](" not in part[:1]
        text += (" " if text and brackets else form.separators if text else "") + part
    return text


def _paper(
    form: Form, chance: random.Random, venues: list[str], index: int, name: str | None
) -> tuple[dict[str, Any], list[str]]:
    """Return what a paper states, and its parts as they are written, in the order of the form."""
    title = f"{_HEADS[index % len(_HEADS)]} {chance.choice(_TAILS)}"
    if name and "n" not in form.order:
        title = f"{name}: {title}"
    people = [
        (given, family)
        for given, family in zip(chance.sample(_GIVEN, 3), chance.sample(_FAMILY, 3), strict=True)
    ][: chance.choice((1, 2, 3, 3))]
    year, venue = chance.randint(2015, 2024), chance.choice(venues)
    url = f"https://arxiv.org/abs/{chance.randint(1501, 2412) // 100:02}{chance.randint(1, 12):02}.{index + 1001:05}"
    url = chance.choice((url, f"https://example.org/{index}.pdf")) if index % 3 else url
    authors = {
        "full": [f"{given} {family}" for given, family in people],
        "short": [f"{given[0]}. {family}" for given, family in people],
        "family first": [f"{family}, {given[0]}." for given, family in people],
        "et al": [f"{people[0][0]} {people[0][1]}"],
    }[form.people]
    joined = f"{authors[0]} et al." if form.people == "et al" else ", ".join(authors)
    is_cited = "c" in form.order
    cites_venue, cites_year = "{v}" in form.citation and is_cited, "{y" in form.citation and is_cited
    prose = chance.choice(_PROSE)
    parts = {
        "t": _AROUND[form.title].format(title, u=url),
        "a": joined,
        "c": form.citation.format(v=venue, y=year, yy=year % 100),
        "l": form.labels.format(u=url, c=f"https://github.com/someone/{index}"),
        "n": f"**{name}**",
        "p": prose,
    }
    gold = {
        "title": title,
        "name": name,
        "authors": authors if "a" in form.order else [],
        "venue": venue if cites_venue else None,
        "year": year if cites_year else None,
        "description": prose if "p" in form.order else None,
        "affiliations": [],
    }
    return gold, [parts[part] for part in form.order]
