"""What GitHub's parser and markdown-it-py read differently: the documentation's tables, and how we read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

from shelfread.core.source import Source
from shelfread.format.format import format_source
from shelfread.markdown.node import Block, Emphasis, Inline, Link
from shelfread.markdown.parse import parse
from support.markdown_upstream import UPSTREAM, github_page
from support.paths import ROOT

_TAGS = re.compile(r"<(ul|ol|li|h[1-6]|blockquote|pre|table|tr|hr|em|strong|del|a|img)\b")
_EMPHASIS = {"*": "em", "_": "em", "**": "strong", "__": "strong"}


def documented() -> Iterator[tuple[str, str, str]]:
    """Yield the section, the text and the last column of each row."""
    section = ""
    for line in (ROOT / "docs" / "markdown.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| `"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            yield section, cells[0][1:-1].replace("⏎", "\n") + "\n", cells[3]


def tree_tags(text: str) -> list[str]:
    """Return the tags of a page that shows a text as we read it, without those of paragraphs and of HTML."""

    def inlines(nodes: Sequence[Inline]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, Emphasis):
                yield _EMPHASIS.get(node.delimiter, "del")
                yield from inlines(node.children)
            elif isinstance(node, Link) and node.form != "html":
                yield "img" if node.image else "a"
                yield from () if node.image else inlines(node.children)

    def blocks(found: Sequence[Block]) -> Iterator[str]:
        for block in found:
            kind = "ol" if block.kind == "list" and block.marker in (".", ")") else block.kind
            names = {
                "list": "ul",
                "item": "li",
                "quote": "blockquote",
                "code": "pre",
                "row": "tr",
                "rule": "hr",
            }
            name = f"h{block.level}" if kind == "heading" else names.get(kind, kind)
            if name not in ("paragraph", "cell", "html"):
                yield name
            yield from () if kind == "html" else inlines(block.inlines)
            yield from blocks(block.blocks)

    return list(blocks(parse(Source(text)).blocks))


ROWS = list(documented())


@pytest.mark.parametrize(("section", "text", "ours"), ROWS, ids=[text for _, text, _ in ROWS])
def test_the_documented_differences(section: str, text: str, ours: str) -> None:
    github, upstream = github_page(text), UPSTREAM.render(text)
    upstream = upstream.replace("<s>", "<del>").replace("</s>", "</del>").rstrip()
    assert re.sub(r"\s+", "", github) != re.sub(r"\s+", "", upstream)
    if ours == "as GitHub":
        assert tree_tags(text) == _TAGS.findall(github)
    elif ours == "as markdown-it-py":
        assert tree_tags(text) == _TAGS.findall(upstream)
    for around in ("{}", "- a\n- b \n\n{}\n\n* c\n", "{}\n# d\n"):
        before = around.format(text)
        assert github_page(format_source(Source(before)).text) == github_page(before)


def test_both_kinds_are_documented() -> None:
    assert {section for section, _, _ in ROWS} == {"Blocks", "Text"}
    assert len(ROWS) > 20


AS_GITHUB = [
    "100. a\n    ```\n",
    "100. a\n    # b\n",
    "- 100. a\n      > b\n",
    "> 100. a\n>     > b\n",
    "100. > a\n    > b\n",
    "1. a\n   2. b\n     3. c\n       - d\n",
    "> a\n<br>\n\n- c\n",
    "- a\n  <b>\n- c\n",
    "1. a\n</td>\n2. b\n",
    "a | b\n--|--\n1 | 2\n<b>\n",
    "# a | b\n--|--\n1 | 2\n",
    "1. a | b\n--|--\n",
    "- a | b\n  --|--\n  1 | 2\n",
    "a\n2. b | c\n--|--\n",
    "``` | b\n--|--\n```\n",
    "*see https://a.org/b_c*\n",
    "**https://a.org/b** c\n",
    "https://a.org/**b** *c*\n",
    "https://a.org/~~b~~/c\n",
    "[a https://a.org/_b_](c)\n",
    "https://a.org/b_ _c_\n",
    '"https://a.org/*b*" *c*\n',
    "*see http://localhost*\n",
    "http://a| b http:// c https://?d\n",
]


@pytest.mark.parametrize("text", AS_GITHUB)
def test_it_is_read_as_on_github(text: str) -> None:
    assert tree_tags(text) == _TAGS.findall(github_page(text))


def test_a_footnote_is_no_definition() -> None:
    text = "- [a](https://a.org/b) - C.[^1]\n[^1]: See www.example.org and [d](https://a.org/e).\n[^u]: example.com\n"
    tree = parse(Source(text))
    assert tree.definitions == ()
    assert [block.kind for block in tree.blocks] == ["list", "paragraph", "paragraph"]
    links = [node.url for node in tree.blocks[1].inlines if isinstance(node, Link)]
    assert links == ["http://www.example.org", "https://a.org/e"]
