"""Formatting: what is rewritten, what stays, and that the page stays the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import mdformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from shelfread.core.source import Source
from shelfread.format.format import format_source
from shelfread.format.result import Style
from shelfread.markdown.parse import find_front_matter
from support.paths import DATA
from support.work import executed_lines

PAGE = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
PAGE.validateLink = lambda url: True  # type: ignore[method-assign]


def page(text: str) -> tuple[str, object]:
    """What a text shows, rendered to HTML (which the formatter does not do), and its definitions, used or not."""
    source = Source(text)
    front = find_front_matter(source)
    env: dict[str, Any] = {}
    lines = source.lines[front:]
    html = PAGE.render(
        "\n".join([*lines, ""] if lines and lines[-1] else lines), env
    )  # the last newline is not shown
    references = {label: (one["href"], one["title"]) for label, one in env.get("references", {}).items()}
    return html + "\n".join(source.lines[:front]), references


def formatted(text: str, **style: str) -> str:
    """A text's canonical form, which shows the same page and is its own canonical form."""
    after = format_source(Source(text), Style(**style)).text  # type: ignore[arg-type]
    assert page(after) == page(text)
    assert format_source(Source(after), Style(**style)).text == after  # type: ignore[arg-type]
    return after


CASES = {
    "blank lines between blocks": (
        "\n\n# A\nText\n\n\n\n- a\n- b\n# B\n\nText\n\n# C\n",
        "# A\n\nText\n\n- a\n- b\n\n# B\n\nText\n\n# C\n",
    ),
    "none is forced between items": ("- a\n- b\n\n\n\n- c\n", "- a\n- b\n\n- c\n"),
    "one newline at the end": ("Text\n\n\n", "Text\n"),
    "a missing one": ("Text", "Text\n"),
    "a missing one behind a comment": ("- a\n\n<!-- b -->", "- a\n\n<!-- b -->\n"),
    "a missing one behind open code": ("```js", "```js\n"),
    "a missing one behind spaces": ("- a   ", "- a\n"),
    "headings": ("#   A   \n\nB\n===\n\n  ## C ##\n", "# A\n\n# B\n\n## C ##\n"),
    "a heading underlined in two lines stays": ("A\nB\n---\n", "A\nB\n---\n"),
    "an entity at a heading's end stays": ("## A&#x20;\n", "## A&#x20;\n"),
    "trailing spaces": ("- a \n- b\t\n", "- a\n- b\n"),
    "hard breaks stay as written": ("a  \nb\\\nc   \nd\n", "a  \nb\\\nc   \nd\n"),
    "the minority's bullet": ("- a\n- b\n- c\n\nText\n\n* d\n", "- a\n- b\n- c\n\nText\n\n- d\n"),
    "a bullet that was to be the partner of an asterisk": ("- a\n- b\n- c\n\n* [d](#d)*\n", None),
    "the minority's bullet of emphasis": (
        "- a\n- b\n- c\n\nText\n\n+ *d*\n",
        "- a\n- b\n- c\n\nText\n\n- *d*\n",
    ),
    "bullets without a majority stay": ("- a\n\nText\n\n* d\n", "- a\n\nText\n\n* d\n"),
    "bullets by depth": ("* a\n  - b\n  - c\n* d\n", "* a\n  - b\n  - c\n* d\n"),
    "lists side by side stay apart": ("- a\n- b\n- c\n\n* d\n", "- a\n- b\n- c\n\n* d\n"),
    "the majority's step": (
        "- a\n    - b\n    - c\n- d\n    - e\n- f\n  - g\n",
        "- a\n    - b\n    - c\n- d\n    - e\n- f\n    - g\n",
    ),
    "a minority of tabs": (
        "- a\n    - b\n    - b\n    - b\n\t- c\n\n- d\n",
        "- a\n    - b\n    - b\n    - b\n    - c\n\n- d\n",
    ),
    "tabs throughout": ("- a\n\t- b\n\t\t- c\n\n\t\t  d\n", None),
    "tabs behind bullets": ("-\ta\n\t-\tb\n", None),
    "tabs before further lines": ("1. a\n\n\tb\n2. c\n\n\td\n", None),
    "spaces behind the bullet": ("- a\n- b\n- c\n-   d\n", "- a\n- b\n- c\n- d\n"),
    "three spaces are a convention too": ("-   a\n-   b\n\n    c\n", "-   a\n-   b\n\n    c\n"),
    "text below an item": ("1. a\n\n    b\n2. c\n\n    d\n", "1. a\n\n    b\n2. c\n\n    d\n"),
    "code in a list keeps its distances": (
        "- a\n- b\n- c\n-   d\n\n    ```\n      x\n    y\n    ```\n",
        "- a\n- b\n- c\n- d\n\n  ```\n    x\n  y\n  ```\n",
    ),
    "code with tabs is not moved": ("- a\n- b\n- c\n-  d\n\n   ```\n\tx\n   ```\n", None),
    "brackets, escapes, entities": (
        "- \\[[Paper](u)] [[Code]](v) [arXiv 2022] a\\_b &copy; <u v> [x]: y\n",
        "- \\[[Paper](u)] [[Code]](v) [arXiv 2022] a\\_b &copy; <u v> [x]: y\n",
    ),
    "definitions stay, unused ones too": (
        "[a]: b\n[c]: <d e> 'f'\n\nText [a]\n",
        "[a]: b\n[c]: <d e> 'f'\n\nText [a]\n",
    ),
    "math": (
        "$$\\textbf{D} = \\{ d_1 \\}$$\n\n$a_1$ and $b_2$\n",
        "$$\\textbf{D} = \\{ d_1 \\}$$\n\n$a_1$ and $b_2$\n",
    ),
    "an alert": ("> [!NOTE]\n> Text\n", "> [!NOTE]\n> Text\n"),
    "a footnote": ("Text[^1]\n\n[^1]: Note\n", "Text[^1]\n\n[^1]: Note\n"),
    "templates": (
        '{% hint style="info" %}\nText\n{% endhint %}\n',
        '{% hint style="info" %}\nText\n{% endhint %}\n',
    ),
    "front matter": ("---\ntitle:   x   \n---\n# A\n", "---\ntitle:   x   \n---\n# A\n"),
    "HTML stays": ("<div>  \n  <b>x</b>   \n</div>\n\n\n- a\n", "<div>  \n  <b>x</b>   \n</div>\n\n- a\n"),
    "spaces at the end of HTML": ("<div>\n- a   \n\n\n", "<div>\n- a   \n"),
    "a comment above a list": ("<!-- x -->\n- a\n", "<!-- x -->\n- a\n"),
    "switched off": (
        "# A\n<!-- shelfread-format off -->\n*  a\n#  B\n\n\n\n<!-- shelfread-format on -->\n#  C\n",
        "# A\n<!-- shelfread-format off -->\n*  a\n#  B\n\n\n\n<!-- shelfread-format on -->\n# C\n",
    ),
    "what a tool wrote": (
        "<!-- START doctoc -->\n*   [A](#a)\n\n\n<!-- END doctoc -->\n\n\n#  A\n",
        "<!-- START doctoc -->\n*   [A](#a)\n\n\n<!-- END doctoc -->\n\n# A\n",
    ),
    "the minority's emphasis": (
        "*a* *b* *c* _d_ **e** **f** **g** __h__\n",
        "*a* *b* *c* *d* **e** **f** **g** **h**\n",
    ),
    "emphasis of words beside that of code": (
        "__`a`__ __`b`__ __`c`__ __`d`__ **`e`** **2023** **2024**\n",
        "__`a`__ __`b`__ __`c`__ __`d`__ __`e`__ **2023** **2024**\n",
    ),
    "emphasis beside other marks": ("*a* *b* *c* **_d_**\n", "*a* *b* *c* **_d_**\n"),
    "numbers as they are": ("1. a\n1. b\n5. c\n", "1. a\n1. b\n5. c\n"),
    "tables as they are": ("|a|b|\n|-|:-:|\n|1|  2|\n", "|a|b|\n|-|:-:|\n|1|  2|\n"),
    "lazy lines": ("- a\nlazy\n- b\n", "- a\nlazy\n- b\n"),
    "deep lines": ("- a\n          deep\n- b\n", "- a\n          deep\n- b\n"),
    "an empty item": ("- a\n-   \n- c\n", "- a\n-\n- c\n"),
    "items in one line": ("- - a\n  - b\n", "- - a\n  - b\n"),
    "nothing": ("", ""),
    "only blank lines": ("\n\n", "\n\n"),
}


@pytest.mark.parametrize(("text", "right"), CASES.values(), ids=list(CASES))
def test_canonical_form(text: str, right: str | None) -> None:
    right = text if right is None else right
    for newline in ("\n", "\r\n") if "\n" in text else ("\n",):
        assert formatted(text.replace("\n", newline)) == right.replace("\n", newline)


STYLES = {
    "bullet": ({"bullet": "*"}, "- a\n  - b\n", "* a\n  * b\n"),
    "bullets kept": ({"bullet": "keep"}, "- a\n- b\n- c\n\nText\n\n* d\n", "- a\n- b\n- c\n\nText\n\n* d\n"),
    "consecutive": (
        {"number": "consecutive"},
        "".join(f"1. a{number}\n   - b\n" for number in range(11)),
        "".join(f"{number}. a{number - 1}\n{' ' * (len(str(number)) + 2)}- b\n" for number in range(1, 12)),
    ),
    "lf": ({"end_of_line": "lf"}, "a\r\n\r\nb\rc\n", "a\n\nb\nc\n"),
    "crlf": ({"end_of_line": "crlf"}, "a\n\nb\r\n", "a\r\n\r\nb\r\n"),
}


@pytest.mark.parametrize(("style", "text", "right"), STYLES.values(), ids=list(STYLES))
def test_styles(style: dict[str, str], text: str, right: str) -> None:
    assert formatted(text, **style) == right


# --------------------------------------------------------------------------------- all that Markdown has
def examples(name: str) -> list[str]:
    spec = json.loads((DATA / name).read_text(encoding="utf-8"))
    return [one["markdown"] for one in spec]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["commonmark-0.31.2.json", "markdown-it-gfm.json"])
@pytest.mark.parametrize("container", ["", "- ", "> ", "1. "])
def test_the_specifications_examples_show_the_same_page(name: str, container: str) -> None:
    for text in examples(name):
        lines = text.split("\n")
        nested = "\n".join([container + lines[0], *(" " * len(container) + line for line in lines[1:])])
        formatted(nested)


_LINES = st.lists(
    st.sampled_from(
        ["- a", "* b", "+ c", "  - d", "    * e", "\t- f", "1. g", "12) h", "   text", "text", "lazy  ", "", "", "> q", "> - r",
         "```", "~~~", "    code", "# H", "T\n==", "---", "| a | b |", "|-|-|", "<div>", "</div>", "<!-- c -->", "[x]: y",
         "_a_ *b* __c__", "- - i", "-", "-    code", "1.  wide", "a\\", "&#x20;", "$$", "\\# x", "  \t", "- [ ] task"]
    ),
    max_size=14,
)  # fmt: skip


@pytest.mark.slow
@given(_LINES)
def test_any_text_shows_the_same_page_and_is_stable(lines: list[str]) -> None:
    formatted("\n".join(lines))


ODD = {
    "40 deep": "".join(f"{'  ' * depth}- a\n" for depth in range(40)),
    "40 tabs": "".join(f"{chr(9) * depth}* a\n" for depth in range(40)),
    "tabs everywhere": "#\tA\t\n-\ta\t\n\t1.\tb\n\n\t\tc\n\n\t\t\tcode\n>\t-\td\n|\ta\t|\n|\t-\t|\n",
    "400 columns": f"|{'a|' * 400}\n|{'-|' * 400}\n|{'b|' * 400}\n",
    "HTML that swallows": "- a\n<div>\n- b\n\n- c\n</div>\n",
    "lazy lines": "- a\nlazy\n  - b\nlazy\n> - c\nlazy\n    lazy\n",
    "entities at ends": "#  A&#x20;\n##  B&nbsp;  ##\n-  c&#32;\n",
    "escapes": "*  \\*a\\* \\[b\\] \\_c\\_ \\&amp; \\\\ __x__ _y_ *z* **w** \\\n  x\n" * 100,
    "carriage returns of all kinds": "# A\r*  a\r\n\t- b  \n\r\n\rtext \r" * 200,
    "nothing but marks": "- \n-\n  -\n1.\n>\n#\n***\n- * + 1.\n",
    "500 items apart": "- a\n\n\n" * 500,
    "1000 items": "* a \n" * 1000,
    "400 lists": "# A\n* a\n    - b\n" * 400,
    "2000 openings": "[" * 2000 + "\n" + "> " * 200 + "- a\n",
    "400 quotes": "".join(f"{'>' * (number % 90)} - a\n" for number in range(400)),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", ODD.values(), ids=list(ODD))
def test_odd_texts(text: str) -> None:
    formatted(text)


@pytest.mark.slow
def test_work_grows_as_nested_lists_do() -> None:
    """Each line is longer than the one before, so twice as many lines are a text four times as long."""

    def lines(count: int) -> int:
        text = "".join(f"{'  ' * depth}- a\n" for depth in range(count))
        return executed_lines(lambda: format_source(Source(text)))

    assert lines(80) < 5 * lines(40)


@pytest.mark.slow
def test_a_list_of_a_megabyte() -> None:
    text = (
        "#  A\n\n"
        + f"*  [Name](https://example.org/name) - {'What it does, in many words. ' * 12}End.\n" * 2750
        + "*  Last.  \n"
    )
    assert len(text) > 1_000_000
    after = format_source(Source(text)).text
    assert after.startswith("# A\n\n*  [Name]") and after.endswith("*  Last.\n")
    assert format_source(Source(after)).text == after


# ------------------------------------------------------------------------------------------ as a plugin
@pytest.mark.parametrize("others", [[], ["gfm"], ["frontmatter", "gfm"]])
def test_mdformat_gives_the_same(others: list[str]) -> None:
    for text, _ in CASES.values():
        expected = formatted(text)
        assert mdformat.text(text, extensions=["shelfread", *others]) == expected


def test_mdformat_s_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mdformat", "--extensions", "shelfread", "--extensions", "gfm", "a.md"]
    (tmp_path / "a.md").write_bytes(b"# A\r\n\r\n\r\n- \\[[x](u)] [arXiv 2022] a_b*c\r\n")
    subprocess.run(command, check=True, cwd=tmp_path)
    assert (tmp_path / "a.md").read_bytes() == b"# A\n\n- \\[[x](u)] [arXiv 2022] a_b*c\n"
