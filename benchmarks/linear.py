"""No hostile text takes more than linear time: CPU seconds at a size, at 8 times that size, and the ratio.

    PYTHONPATH=linter python benchmarks/linear.py [SIZE] [NAME...]

`upstream` is the share of the larger run that the bare markdown-it-py takes for the same text. A ratio
near 8 is linear, near 64 quadratic.
"""

import sys
import time
from collections.abc import Callable

from markdown_it import MarkdownIt

from shelfread.core.source import Source
from shelfread.markdown.parse import parse

PATTERNS = {
    "list of links": lambda n: "* [Name](https://example.org/x) - A description of it.\n" * (n // 55),
    "open brackets": lambda n: "[" * n,
    "open images": lambda n: "![" * (n // 2),
    "brackets a line": lambda n: "[a\n" * (n // 3),
    "links without end": lambda n: "[a](b" * (n // 5),
    "words in two brackets": lambda n: "[a_b[c_d" * (n // 8),
    "addresses without end": lambda n: "[a](b(c" * (n // 7),
    "badges without end": lambda n: "[![a](b)](c" * (n // 11),
    "words in one emphasis": lambda n: "**" + "a_b " * (n // 4),
    "angles": lambda n: "<" * n,
    "tags without end": lambda n: "<a " * (n // 3),
    "tags with an open quote": lambda n: '<a href="' * (n // 9),
    "two kinds of quotes": lambda n: "<a b=\"' c='\" " * (n // 13),
    "attributes without end": lambda n: "<a" + " b=c" * (n // 4),
    "blanks in a tag": lambda n: "<a b" + " " * n,
    "tags in a block": lambda n: "<div>\n" + '<a href="x' * (n // 10),
    "anchors": lambda n: "<a href=x>" * (n // 10) + "</a>" * (n // 10),
    "anchors in a block": lambda n: "<div>\n" + "<a href=x>" * (n // 10) + "</a>" * (n // 10),
    "comments without end": lambda n: "<!-- " * (n // 5),
    "comments in a block": lambda n: "<div>\n" + "<!-- " * (n // 5),
    "scripts": lambda n: "<div>\n" + "<script>" * (n // 8),
    "generated parts": lambda n: "<!-- START a -->\n\n" * (n // 18),
    "dollars": lambda n: "$" * n,
    "prices": lambda n: "$5 and " * (n // 7),
    "pairs of dollars": lambda n: "$$ a " * (n // 5),
    "dollars a line": lambda n: "$$\n" * (n // 3),
    "template tags": lambda n: "{%" * (n // 2),
    "double braces": lambda n: "{{ " * (n // 3),
    "bare URLs": lambda n: "https://a.b/c " * (n // 14),
    "one bare URL": lambda n: "https://a." + "(" * n,
    "schemes": lambda n: "http://" * (n // 7),
    "colons": lambda n: "a:" * (n // 2),
    "closing marks of a URL": lambda n: "https://a.b" + "." * n,
    "emphasis runs": lambda n: "*a **a " * (n // 7),
    "nested emphasis": lambda n: "*a " * (n // 6) + "a* " * (n // 6),
    "underscores": lambda n: "a_b__c_" * (n // 7),
    "tildes": lambda n: "a~~~a" * (n // 5),
    "backticks": lambda n: "".join("e" + "`" * i for i in range(int((2 * n) ** 0.5))),
    "backslashes": lambda n: "\\" * n,
    "entities": lambda n: "&amp;" * (n // 5),
    "nested quotes": lambda n: ">" * n,
    "nested items": lambda n: "- " * (n // 2) + "a",
    "nested lists": lambda n: "".join("  " * i + "- a\n" for i in range(int(n**0.5))),
    "underlines": lambda n: "a\n---\n" * (n // 6),
    "long paragraph": lambda n: "word\n" * (n // 5),
    "a paragraph of prices": lambda n: "a - b\n= c\n" * (n // 10),
    "definitions": lambda n: "".join(f"[{i}]: /u{i}\n" for i in range(n // 12)),
    "definitions without end": lambda n: "[a]: /u '" * (n // 9),
    "table": lambda n: "|a|b|\n|-|-|\n" + "|c \\| d|e|\n" * (n // 11),
    "one wide row": lambda n: "|a|\n|-|\n|" + "\\|" * (n // 2),
    "cells": lambda n: "|" * (n // 8) + "\n" + "-|" * (n // 8),
    "carriage returns": lambda n: "a\r" * (n // 2),
    "front matter without end": lambda n: "---\na: b\n" + "c: d\n" * (n // 5),
}  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000
    bare = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    print(f"{'pattern':26}{size:>10}{size * 8:>10}{'ratio':>8}{'upstream':>10}")
    for name, pattern in PATTERNS.items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        small, large = Source(pattern(size)), Source(pattern(size * 8))
        first = seconds(lambda source=small: parse(Source(source.text)))
        second = seconds(lambda source=large: parse(Source(source.text)))
        theirs = seconds(lambda source=large: bare.parse(source.text))
        ratio = second / max(first, 1e-4)
        mark = "  <--" if ratio > 20 else ""
        print(f"{name:26}{first:10.4f}{second:10.4f}{ratio:8.1f}{theirs / second:10.2f}{mark}", flush=True)


if __name__ == "__main__":
    main()
