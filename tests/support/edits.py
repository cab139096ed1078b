"""Lists made of the examples of rules, and random edits of them."""

from __future__ import annotations

import random

from support.examples import EXAMPLES

_CHARACTERS = "abc xyz.()[]*_`#-<>!|$\n{}&~:"
_LINES = (
    "",
    "- [New](https://example.org/new) - A new thing.",
    "* [Tofu: A Study of Jobs](https://doi.org/10.1145/3302424.3303953), EuroSys 2019",
    "  - nested [x](https://y.example)",
    "1. [One](https://one.example)",
    'text ](http://x.example) and ("quotes"',
    '[ref]: https://ref.example "t"',
    "[a][ref] and [b](#section)",
    "| [a](https://a.example) | b |",
    "|---|---|",
)
_HEADINGS = (
    "# Top",
    "## Section",
    "### Sub",
    "#### Contents",
    "## License",
    "## News",
    "### 2024-01-02",
    "### ICML 2020",
    "## Tools",
    "## [Link](https://l.example)",
    "### [Other](https://o.example)",
    "Setext\n===",
    "Setext\n---",
    "#",
    "#tag",
    "<h2>Html</h2>",
)
_OPENERS = (
    "```",
    "~~~",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "<details><summary>More</summary>",
    "</details>",
    "<pre>",
    "$$",
    "> quote",
    "<!-- START doctoc -->",
    "<!-- END doctoc -->",
    "<!-- shelfread-disable-line -->",
    "<!-- shelfread-disable entry -->",
    "<!-- lint disable -->",
)
_ENDS = (" <!-- c -->", " `x", " $x$", " **b**", " [x](#anchor)", " 2020", " OSDI 2021", ' "', "..", " ")


def joined_examples(chance: random.Random, count: int, rule: str | None = None) -> str:
    """Return a list with examples of rules below headings of their own; those of one rule come first."""
    own = [text for id, example in EXAMPLES if id == rule for text in example.files.values()]
    others = [text for _, example in EXAMPLES for text in example.files.values()]
    texts = own[:count] + chance.sample(others, count)
    parts = ["# A list\n"]
    for number, text in enumerate(texts):
        parts.append(f"{'#' * chance.randint(2, 3)} Section {number}\n\n{text.strip()}\n")
    return "\n".join(parts)


def edited(chance: random.Random, text: str) -> str:
    """Return a text after one random edit: of characters, lines, blocks, headings, fences, definitions, newlines."""
    lines = text.split("\n")
    line, offset = chance.randrange(len(lines)), chance.randrange(len(text) + 1)
    headings = [index for index, line in enumerate(lines) if line.startswith("#")] or [line]
    heading = chance.choice(headings)
    below = min(len(lines), line + chance.randrange(1, 12))
    kind = chance.randrange(20)
    if kind < 4:
        return text[:offset] + chance.choice(_CHARACTERS) + text[offset:]
    if kind < 6:
        return text[:offset] + text[offset + chance.randrange(1, 3) :]
    if kind == 6:
        del lines[line]
    elif kind == 7:
        lines.insert(line, chance.choice(lines))
    elif kind == 8:
        lines.insert(line, chance.choice(_LINES))
    elif kind == 9:
        lines.insert(line, chance.choice(_HEADINGS))
    elif kind == 10:
        lines.insert(line, chance.choice(_OPENERS))
    elif kind == 11:
        lines[heading] = chance.choice([f"#{lines[heading]}", lines[heading][1:], f"{lines[heading]} x"])
    elif kind == 12:
        del lines[heading]
    elif kind == 13:
        del lines[line:below]
    elif kind == 14:
        other = chance.randrange(len(lines))
        lines[other:other] = lines[line:below]
    elif kind == 15:
        lines[line] = chance.choice(["  ", "    ", "\t"]) + lines[line]
    elif kind == 16:
        lines[line] = lines[line].lstrip()
    elif kind == 17:
        lines[line] += chance.choice(_ENDS)
    elif kind == 18:
        return chance.choice(["---\ntitle: x\n---\n", "---\na: b\n", "\n", "<!-- c -->\n"]) + text
    elif chance.random() < 0.3:
        return text.replace("\n", "\r\n") if "\r" not in text else text.replace("\r", "")
    else:
        return text + chance.choice(["\n", "\n\n# End", "\n```\n", " x"])
    return "\n".join(lines)
