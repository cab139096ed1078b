"""Texts that grow: pieces that are repeated with their number, alone, one kind after the other, or in turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import NamedTuple

from fuzz.generators.fragments import BADGES, COMMENTS, HTML, MARKS, PEOPLE, STARTS, VENUES

PIECES: dict[str, Callable[[int], str]] = {
    "entries": lambda i: f"- [Tool {i}](https://example.org/{i}) - Sorts the books of shelf {i}.\n",
    "papers": lambda i: f"- Paper {i}: Sorting Books at Night (OSDI {1990 + i % 30}) [[Paper](https://doi.org/10.1/{i})]\n",
    "titles alone": lambda i: f"- Ada Stone{i}, Lin Wu. Sorting Books at Night {i}. 2019.\n",
    "equal entries": lambda i: "- [Tool](https://example.org/tool) - Sorts books.\n",
    "equal names": lambda i: f"- [Tool](https://example.org/{i}) - Sorts books.\n",
    "open brackets": lambda i: "[",
    "open images": lambda i: "![",
    "lines of brackets": lambda i: "[a\n",
    "pairs of brackets": lambda i: "[[a]] ",
    "emphasis": lambda i: "*a **b ",
    "closed emphasis": lambda i: f"*a{i}* **b** ",
    "underscores": lambda i: "a_b__c_",
    "strikes": lambda i: "a~~b~~~c ",
    "backticks": lambda i: f"e{'`' * (i % 60)}",
    "code": lambda i: f"`a{i}` ",
    "fences": lambda i: f"```\na {i}\n```\n",
    "open fences": lambda i: f"- a\n  ~~~{'~' * (i % 9)}\n",
    "wide table": lambda i: f"| a{i} " if i % 400 else "|\n",
    "tables": lambda i: f"| Name | Year |\n|---|---|\n| [A{i}](https://a.org/{i}) | 2019 |\n\n",
    "one long table": lambda i: (
        f"| [A{i}](https://a.org/{i}) | Sorts | 2019 |\n" if i else "\n| Name | What | Year |\n|---|---|---|\n"
    ),
    "rows without a table": lambda i: "[A](#a) | [B](#b1) |\n",
    "pipes": lambda i: "| ",
    "quotes": lambda i: f"> Quoted words {i}.\n\n",
    "nested quotes": lambda i: ">",
    "quoted items": lambda i: f"> - [a{i}](https://a.org/{i})\n",
    "definitions": lambda i: f"[d{i}]: https://a.org/{i}\n",
    "parted definitions": lambda i: f"[d{i}]: https://a.org/{i}\n\n",
    "equal definitions": lambda i: "[same]: https://a.org/same\n",
    "open definitions": lambda i: "[a]: /u '\n",
    "reference links": lambda i: f"- [Tool {i}][d{i}] - Sorts.\n",
    "missing references": lambda i: f"- [Tool {i}][missing {i}]\n",
    "details": lambda i: "<details>\n<summary>More</summary>\n\n",
    "closed details": lambda i: f"<details><summary>More {i}</summary>\n\n- [a](https://a.org/{i})\n\n</details>\n\n",
    "tags": lambda i: "<b><i>x ",
    "open tags": lambda i: '<a href="',
    "anchors": lambda i: f'<a name="n{i}"></a>\n\n',
    "HTML table": lambda i: f"<table><tr><td>a{i}</td><td><a href='https://a.org/{i}'>b</a></td></tr></table>\n",
    "HTML rows": lambda i: f"<tr><td>a{i}</td></tr>\n",
    "closing tags": lambda i: "</div>\n\n",
    "images": lambda i: f'<img src="https://a.org/{i}.svg" alt="x">\n',
    "badges": lambda i: f"[![a](https://img.shields.io/{i}.svg)](https://a.org/{i}) ",
    "comments": lambda i: f"<!-- a {i} -->\n",
    "open comments": lambda i: "<!-- a\n",
    "ignoring comments": lambda i: (
        f"<!-- shelfread-disable-next-line link/insecure -->\n- [a](http://a.org/{i})\n"
    ),
    "disable and enable": lambda i: (
        f"<!-- shelfread-disable {'link' if i % 2 else 'entry'} -->\n\n<!-- shelfread-enable -->\n\n"
    ),
    "open disable": lambda i: "<!-- shelfread-disable text -->\n\n",
    "unformatted": lambda i: "<!-- shelfread-format off -->\n\n*  a\n\n",
    "generated blocks": lambda i: f"<!-- START part{i} -->\n\n",
    "entities": lambda i: "&amp;&#65;&nbsp; ",
    "odd entities": lambda i: "&amp &x; ",
    "equal slugs": lambda i: "## Tools\n\n",
    "sections": lambda i: f"## Tools {i}\n\n",
    "deep sections": lambda i: f"{'#' * (1 + i % 6)} Part {i}\n\n",
    "linked headings": lambda i: f"### [Tool {i}](https://a.org/{i})\n\nSorts books.\n\n",
    "underlined headings": lambda i: f"Part {i}\n---\n\n",
    "years as headings": lambda i: f"## {1900 + i % 200}\n\n",
    "bold headings": lambda i: f"**Part {i}**\n\n",
    "missing anchors": lambda i: f"- [s{i}](#s-{i})\n",
    "contents": lambda i: f"- [Tools {i}](#tools-{i})\n",
    "one missing anchor": lambda i: "[A](#missing) ",
    "words": lambda i: "word ",
    "long lines": lambda i: f"A sentence about shelf {i}, and about its books. ",
    "lines": lambda i: f"Words on line {i}\n",
    "capitals": lambda i: "ABCD",
    "digits": lambda i: "1900-",
    "blanks": lambda i: "  ",
    "blank lines": lambda i: "\n",
    "commas": lambda i: f"Ada Stone{i}, ",
    "stops": lambda i: "a. ",
    "round brackets": lambda i: "(",
    "closed round brackets": lambda i: "(a) ",
    "footnotes": lambda i: f"A claim[^{i}].\n\n[^{i}]: Its note.\n\n",
    "missing footnotes": lambda i: f"A claim[^m{i}]. ",
    "formulas": lambda i: f"$x_{{{i}}}$ ",
    "blocks of formulas": lambda i: f"$$\nx_{{{i}}}\n$$\n\n",
    "dollars": lambda i: "$",
    "prices": lambda i: "$5 and ",
    "front matter": lambda i: f"key{i}: value\n" if i else "---\n",
    "template tags": lambda i: "{% a %} {{ b }} {% ",
    "emoji": lambda i: "👩‍👩‍👧 :zap: ",
    "emoji entries": lambda i: f"- 🔥 [Tool {i}](https://a.org/{i}) ⭐ Sorts.\n",
    "right to left": lambda i: "قائمة الكتب ",
    "controls": lambda i: "\u202e\u200b\u0301",
    "Chinese": lambda i: f"- [工具{i}](https://a.org/{i})：整理书架。\n",
    "tasks": lambda i: f"- [ ] Sort shelf {i}\n",
    "done tasks": lambda i: f"- [x] [Tool {i}](https://a.org/{i})\n",
    "numbers": lambda i: f"{i + 1}. [Tool {i}](https://a.org/{i})\n",
    "nested items": lambda i: f"{'  ' * (i % 40)}- a{i}\n",
    "deep items": lambda i: "- ",
    "sub-items": lambda i: f"- Tool {i}\n    - [Paper](https://a.org/{i})\n    - [Code](https://b.org/{i})\n",
    "loose items": lambda i: f"- [Tool {i}](https://a.org/{i})\n\n  Sorts books.\n\n",
    "other bullets": lambda i: f"{'-*+'[i % 3]} a{i}\n",
    "rules": lambda i: "---\n\n",
    "bare URLs": lambda i: f"https://a.org/{i} ",
    "one URL": lambda i: "http://" if i else "https://a.org/",
    "marks of a URL": lambda i: "https://a.b?c&" if i else "https://a.org/",
    "autolinks": lambda i: f"<https://a.org/{i}> ",
    "mail": lambda i: f"a{i}@b.org ",
    "relative links": lambda i: f"- [a{i}](docs/a{i}.md)\n",
    "insecure links": lambda i: f"- [Tool {i}](http://github.com/a/b{i}) - Sorts teh books\n",
    "open links": lambda i: "[a](b",
    "titles of links": lambda i: f'[a](https://a.org/{i} "A title") ',
    "backslashes": lambda i: "\\",
    "escaped marks": lambda i: "\\[\\*\\_",
    "carriage returns": lambda i: "a\r",
    "tabs": lambda i: "\t- a\n",
    "BibTeX": lambda i: f"```bibtex\n@article{{k{i}, title={{Sorting {i}}}, year={{2019}}}}\n```\n\n",
    "dates": lambda i: f"- 2020-01-{i % 28 + 1:02} [News {i}](https://a.org/{i})\n",
    "labels": lambda i: f"**Paper**: https://a.org/{i}\n",
    "one letter": lambda i: "a",
    "separators": lambda i: " - ",
    "colons": lambda i: "a: ",
    "quotation marks": lambda i: "“a” \"b\" 'c ",
}  # fmt: skip
"""Pieces by name: each gets its number. They end their line or not, so both lines and one line grow."""

_FRAGMENTS = (
    *MARKS, *STARTS, *HTML, *COMMENTS, *BADGES, *VENUES, *PEOPLE, "https://a.b/", "[a](b)", "a ", "\n",
)  # fmt: skip
"""What may nest, has no end, or is looked for in vain."""
_ENDS = ("", "\n", "x\n", "]", ")", "*", "`", "-->", "</details>\n", "\n\n- [a](https://a.org)\n")


class Recipe(NamedTuple):
    """How a text is made: which pieces (the names of some, or texts), in turn or one kind after the other, and its end."""

    pieces: tuple[str, ...]
    in_turn: bool
    end: str = ""

    def written(self) -> str:
        """Return the recipe in one line."""
        return json.dumps([*self])

    @staticmethod
    def read(written: str) -> Recipe | None:
        """Return the recipe of a line, None if it is none."""
        try:
            pieces, in_turn, end = json.loads(written)
            return Recipe(tuple(str(piece) for piece in pieces if piece), bool(in_turn), str(end))
        except (ValueError, TypeError):
            return None

    def text(self, size: int) -> str:
        """Return a text of about that many characters."""
        if self.in_turn and self.pieces:
            return _grown(lambda i: "".join(_piece(piece, i) for piece in self.pieces), size) + self.end
        each = size // max(1, len(self.pieces))
        return "\n".join(_grown(partial(_piece, piece), each) for piece in self.pieces) + self.end


def draw(random: Random) -> Recipe:
    """Return a recipe of one to four pieces, or with one of a few fragments."""
    pieces = random.sample(list(PIECES), random.choice((1, 2, 2, 3, 4)))
    if random.random() < 0.3:
        pieces[0] = "".join(random.choice(_FRAGMENTS) for _ in range(random.randint(1, 3)))
    return Recipe(tuple(pieces), random.random() < 0.5, random.choice(_ENDS))


def _piece(piece: str, i: int) -> str:
    return PIECES[piece](i) if piece in PIECES else piece


def _grown(piece: Callable[[int], str], size: int) -> str:
    made: list[str] = []
    left = size
    for i in count():
        if left <= 0:
            return "".join(made)
        made.append(piece(i))
        left -= max(1, len(made[-1]))
    return ""
