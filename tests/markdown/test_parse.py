"""The span of every node is exact, and the parse is upstream's."""

import json
import re

import pytest

from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.markdown.node import Break, Emphasis, Link, Text
from shelfread.markdown.parse import find_front_matter, parse
from support.markdown_oracle import faults
from support.markdown_upstream import agrees_with_github, commonmark_page, flatten_tree, flatten_upstream
from support.paths import DATA, SHARED

SPEC = json.loads((DATA / "commonmark-0.31.2.json").read_text("utf-8"))
GFM = json.loads((DATA / "markdown-it-gfm.json").read_text("utf-8"))
EXAMPLES = [example["markdown"] for example in SPEC + GFM]
CONTAINERS = {
    "bare": ("", ""),
    "bullet": ("- ", "  "),
    "quote": ("> ", "> "),
    "ordered": ("1. ", "   "),
    "deep": ("- > 1) ", "  >    "),
    "tabbed": ("-\t", "\t"),
}


def nest(text: str, first: str, rest: str) -> str:
    return "".join((rest if i else first) + line for i, line in enumerate(text.splitlines(True)))


def check(text: str) -> None:
    source = Source(text)
    tree = parse(source)
    assert faults(source, tree) == []
    if agrees_with_github(source):
        assert flatten_tree(source, tree) == flatten_upstream(source)


@pytest.mark.slow
@pytest.mark.parametrize("container", CONTAINERS)
def test_all_examples_of_the_specifications(container):
    for text in EXAMPLES:
        nested = nest(text, *CONTAINERS[container])
        for newline in ("\n", "\r\n", "\r") if "\n" in nested else ("\n",):
            check(nested.replace("\n", newline))


def tree_of(text: str):
    check(text)
    return parse(Source(text))


def test_an_item_behind_tabs_in_quotes_is_read_without_its_marker():
    """As GitHub does: upstream shows the marker of the list again, as a part of the text."""
    text = "a\n>\t>\t- a\n>\t>\t\n>\t>\t- b"
    source = Source(text)
    assert not agrees_with_github(source)
    assert re.findall("<p>(.*)</p>", commonmark_page(text)) == ["a", "a", "b"]
    items = list(every(tree_of(text).blocks, "item"))
    assert [inline.value for item in items for inline in item.blocks[0].inlines] == ["a", "b"]


def written(text: str, *spans) -> list[str]:
    return [text[span.start : span.end] for span in spans]


def every(blocks, kind):
    for block in blocks:
        if block.kind == kind:
            yield block
        yield from every(block.blocks, kind)


def links(text: str):
    found = []

    def visit(nodes):
        for node in nodes:
            if isinstance(node, Link):
                found.append(node)
            if isinstance(node, Link | Emphasis):
                visit(node.children)

    def walk(blocks):
        for block in blocks:
            visit(block.inlines)
            walk(block.blocks)

    walk(tree_of(text).blocks)
    return found


@pytest.mark.parametrize(
    "text", ["- - # a", "> - > x", "- 1. > - a\n     > - b", "-\t-\ta", "1.\t> # a", "> -\n>   # b"]
)
def test_blocks_that_begin_on_one_line(text):
    (block,) = tree_of(text).blocks
    while block.blocks:
        block = block.blocks[0]
    assert block.inlines[0].end == min(i for i in (text.find("\n"), len(text)) if i > 0) or "\n" in text


def test_tabs_in_quotes_that_upstream_miscounts():
    text = ">\t>\t- | -\n>\t>\tc"
    (paragraph,) = every(tree_of(text).blocks, "paragraph")
    assert paragraph.inlines[0] == Text(4, 9, "- | -")


@pytest.mark.parametrize("blank", ["\u00a0", "\u2028", "\u3000", "\f", "\v"])
def test_unicode_whitespace_around_paragraphs_is_trimmed(blank):
    for text in ("a_", "_a", "_\na", "> _\n> a_\n> _", "# _a_ #", "_", "a_\n_\n_b\n===", "|a_|\n|-|\n|_b|"):
        tree_of(text.replace("_", blank))


def test_odd_run_of_tildes():
    text = "~~~a~~~"
    tree_of(text)
    text = "x ~~~a~~~ ~~~b~~~~~"
    strong, *_ = (node for node in tree_of(text).blocks[0].inlines if isinstance(node, Emphasis))
    assert written(text, strong) == ["~~a~~"]


def test_break_includes_spaces_and_the_next_prefix():
    text = "> - a  \n>   b\\\n>\tc \n>   d"
    (paragraph,) = every(tree_of(text).blocks, "paragraph")
    breaks = [node for node in paragraph.inlines if isinstance(node, Break)]
    assert written(text, *breaks) == ["  \n>   ", "\\\n>\t", " \n>   "]
    assert [node.hard for node in breaks] == [True, True, False]


def test_table_row_in_containers_without_leading_pipe():
    text = "> - x\n>\n>   a | b\n>   --|--\n>   [x](y\\|z) | `c \\| d`\n>   \\| e | *f*\\|g"
    cells = list(every(tree_of(text).blocks, "cell"))
    assert written(text, *cells) == ["a", "b", "[x](y\\|z)", "`c \\| d`", "\\| e", "*f*\\|g"]
    assert cells[2].inlines[0].url == "y|z"
    assert cells[4].inlines == (Text(cells[4].start, cells[4].end, "| e"),)


def test_definitions_in_containers_over_several_lines():
    text = '> - [a\n>   b]:\n>   <u v>\n>   "two\n>   lines"\n\n[c]: d\r\n[c]: e (f)\r\n\r\n[g]: <>\n'
    tree = parse(Source(text))
    assert faults(Source(text), tree) == []
    assert [(d.label, d.url) for d in tree.definitions] == [("A B", "u v"), ("C", "d"), ("C", "e"), ("G", "")]
    assert written(text, *(d.destination for d in tree.definitions)) == ["u v", "d", "e", ""]
    assert written(text, *(d.title for d in tree.definitions if d.title)) == ["two\n>   lines", "f"]


def test_what_continues_a_definition_lazily_is_the_rest_of_its_paragraph():
    text = "> [a]: /u\nlazy [a]\n> [b]: /v\nend\n"
    tree = parse(Source(text))
    assert faults(Source(text), tree) == []
    (quote,) = tree.blocks
    assert written(text, *quote.blocks) == ["lazy [a]\n> [b]: /v\nend"]


def test_destination_of_a_tag_over_several_lines_in_a_quote():
    text = '> <a\n> title="x"\n> href="u&amp;v">t <b>c</b></a>\n\n> <div>\n> <a\n> href=w>t</a>\n> </div>'
    anchors = links(text)
    assert [(a.form, a.url) for a in anchors] == [("html", "u&v"), ("html", "w")]
    assert written(text, *(a.destination for a in anchors)) == ["u&amp;v", "w"]
    assert written(text, *(a.text for a in anchors)) == ["t <b>c</b>", "t"]


@pytest.mark.parametrize(
    "text", ["**<a href=x>t</a>**", "[<img src=x>](y)", "~~*<a href=x>t</a>*~~", "*a* <img src='x'>"]
)
def test_html_links_within_other_nodes(text):
    assert "x" in [link.url for link in links(text) if link.form == "html"]


@pytest.mark.parametrize(
    "text",
    ["[https://a.b](c)", "![https://a.b](c)", "<a href=x>https://a.b</a>", "`https://a.b`", "<https://a.b>"],
)
def test_no_bare_url_in_a_link(text):
    assert not [link for link in links(text) if link.form == "bare"]


def test_bare_urls():
    text = "(see https://a.b/c_(d)?x=1&y=2). *www.e.f/g* [x] https://h.i/j\\|k ftp://l.m/n 'https://o.p/q'."
    assert [link.url for link in links(text)] == [
        "https://a.b/c_(d)?x=1&y=2",
        "http://www.e.f/g",
        "https://h.i/j",
        "ftp://l.m/n",
        "https://o.p/q",
    ]
    table = "|a|\n|-|\n|x \\| https://a.b/c|"
    (link,) = links(table)
    assert written(table, link) == ["https://a.b/c"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "> " * 150 + "a\nb", "- " * 150 + "a", "".join("  " * i + "- a\n" for i in range(400)), ">" * 50_000,
        "*a " * 5_000 + "a* " * 5_000, "**" * 5_000 + "a" + "**" * 5_000,
        "[" * 5_000 + "a" + "](b)" * 5_000,
        "![" * 3_000 + "a" + "](b)" * 3_000, "<a href=x>" * 5_000 + "</a>" * 5_000,
        "<div>" + "<a href=x>" * 999 + "</a>" * 999,
    ],
    ids=["quotes", "items", "lists", "50,000 quotes", "emphasis", "strong", "links", "images", "anchors",
         "anchors in a block"],
)  # fmt: skip
def test_deep_nesting_is_bounded_and_nothing_is_lost(text):
    source = Source(text)
    tree = parse(source)
    assert faults(source, tree) == []
    assert str(tree) and tree == parse(source)  # these recurse


def test_prices_are_not_math():
    def zones(text: str) -> list[str]:
        return written(text, *parse(Source(text)).protected)

    assert zones("costs $5 and $6, or US$5/US$6, ($5-$6), $ and $$ and $$$, \\$a\\$") == []
    assert zones("$x$ and $a_b*c*$, not $ a $.") == ["$x$", "$a_b*c*$"]
    assert zones("$$\na = b \\\\\nc\n$$\n\n$$\n\nd") == ["$$\na = b \\\\\nc\n$$"]


def test_protected_spans():
    text = (
        "---\ntitle: x\n...\n`code` {% hint %} {{ a }} {% b\n%}\n\n    indented  \n\n"
        "> ```\n> fenced\n> ```\n\n"
        "<!-- c\nd --> <!-- START doctoc -->\n\n- [a](b)\n\n<!-- END doctoc -->\n<!-- x:START -->\n\ny\n"
    )
    zones = written(text, *parse(Source(text)).protected)
    assert zones[:6] == [
        "---\ntitle: x\n...\n",
        "`code`",
        "{% hint %}",
        "{{ a }}",
        "indented  ",
        "```\n> fenced\n> ```",
    ]
    assert zones[6] == "<!-- c\nd -->"
    assert zones[7].startswith("<!-- START") and zones[7].endswith("END doctoc -->")
    assert zones[8:] == ["<!-- x:START -->"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("---\na: b\n---\n# x", 3), ("---\na: b\n...\nx", 3), ("+++\na = 1\n+++\n", 3),
        ("---\n# c\na:\n---", 4),
        ("---\nA rule\n\n---\n", 0), ("---\n# Title\n\n---\n", 0), ("---\na: b\n", 0), ("---\n---\n", 0),
        ("---", 0), ("", 0),
        (" ---\na: b\n---\n", 0), ("---\r\na: b\r\n---\r\n", 3),
    ],
)  # fmt: skip
def test_front_matter(text, lines):
    assert find_front_matter(Source(text)) == lines


def test_nul_does_not_crash():
    text = "# a\0b\n\n[x\0](y\0z)"
    (heading, paragraph) = parse(Source(text)).blocks  # from_bytes would refuse it
    assert written(text, heading, *paragraph.inlines) == ["# a\0b", "[x\0](y\0z)"]


CORPUS = [
    path
    for folder in ("corpus", "seeds")
    for path in sorted((SHARED / folder).rglob("*"))
    if path.suffix in (".md", ".txt") and path.is_file()
]


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS, reason="the corpus is not here")
def test_real_lists():
    for path in CORPUS[:: max(1, len(CORPUS) // 12)]:
        try:
            source = Source.from_bytes(path.read_bytes(), path.name)
        except InputError:
            continue
        tree = parse(source)
        assert faults(source, tree) == [], path
        assert flatten_tree(source, tree) == flatten_upstream(source), path
