"""Random Markdown: spans are exact and the parse is upstream's."""

import os

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from shelfread.core.source import Source
from shelfread.markdown.parse import parse
from support.markdown_oracle import faults
from support.markdown_upstream import agrees_with_github, flatten_tree, flatten_upstream

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("SHELFREAD_FUZZ", "200"))
relaxed = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EXAMPLES < 1000
)

WORDS = [
    "a", "b c", "word", "é", "中文", "👩‍👩‍👧", "\u2028", "\f", "\v", "\u00a0", "\t", " ", "  ", "x1",
    "\u200b",
    "\ufeff",
    "_", "*", "**", "***", "__", "~", "~~", "~~~", "`", "``", "[", "]", "![", "](", ")", "(", "<", ">", "!",
    "\\", "&", "|",
    "\\|", "\\*", "\\[", "\\\\", "&amp;", "&#35;", "&nbsp;", "&copy", "&#x1F600;", "\\\n", "  \n", "\n",
    "$5", "$x$", "{%",
    "`a`", "`` a`b ``", "`a\nb`", "*a*", "**a**", "***a** b*", "_a_b_", "~~a~~", "~~~a~~~", "~~a ~~b~~", ":",
    "-", "=", "#",
    "[a](b)", "[a](<b c> 't')", '[a](b "t")', "[a](b\n(t))", "[a b](b(c)d)", "[](x)", "[x]()", "[x](<>)",
    "[*a* `b`](c)",
    "![a](b)", "![*a* [b](c)](d)", "[![a](b)](c)", "[![a][ref]][ref]", "[ref]", "[text][ref]", "[ref][]",
    "![ref]", "[Ré F]",
    "[a\n](b)", "[a\nb](c)", "![a\nb][ref]", "[no]", "[x][no]", "[a](javascript:x)", "[a](b&amp;c\\_d)",
    "[a\\]b](c)",
    "<https://a.b/c?d=e>", "<x@y.z>", "https://a.b/c_(d).", "(www.a.b/c)", "https://a.b/*c*", "http://x",
    "HTTPS://A.B",
    '<a href="x">t</a>', '<a\nhref="x&amp;y">t</a>', "<a href=x\n>", "</a>", "<img src='i.png'>", "<b>",
    "</b>", "<br/>",
    "<!-- c -->", "<!-- c\nd -->", "<!-->", "<!--", "-->", "<?p?>", "<a b", "<![CDATA[x]]>", "<script>",
    "</script>",
    "<a href='u'>*a*", "[<a href=x>y</a>](z)", "<!x>", "*<img src=a>*",
]  # fmt: skip
inline = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map("".join)
STARTS = [
    "", "", "", "# ", "## ", "- ", "* ", "+\t", "1. ", "2) ", "> ", ">", "   ", "    ", "\t", " \t", "-\t",
    "-    ", "- - ",
    "> - ", "1. > ", "```\n", "~~~ x\n", "<div>\n", "<!-- ", "| ", "[ref]: ", "[ref]:\n", "-", "1.", "#",
    "  - ", "   1. ",
]  # fmt: skip
ENDS = [
    "", "", "", " ", "  ", " #", " ## ", "\n---", "\n===  ", "\n\n", "\n```", "\n>", "\n-", "\t", "\u00a0",
    " |", "\\",
    "\n***", "\n* * *", "\n</div>", "\n\n\n",
]  # fmt: skip
FIXED = [
    "| a | b |\n|---|:-:|\n| c \\| d | `e \\| f` |\n| [x](y\\|z) ", "a | b\n- | -\nc",
    "|x|\n|-|\n|*a\\|b*|\n||\n\\|y",
    "[ref]: /u 't'", "[ref]: <u v>\n  \"two\nlines\"", "[Ré F]:\n/r", "[ref]: x\n[ref]: y", "[a\nb]: c",
    "---", "***", "",
    "```py\ncode\n```", "~~~\n>", "    code\n\n      more  ", "<table>\n<tr><td><a\n href='x'>y</a>",
    "<pre>\n\n</pre>",
    "\t\tcode", "Setext\nmulti\n===", "- a\n\n- b", "- a\n  - b\n\n    c", "1. a\n2. b\n\n   c\n3. d",
    "-\n\n  x", "lazy\ncont",
    "\u00a0\nx", "x\n\u00a0", "* a\n * b\n  * c\n   * d\n    * e", "10) x", "a\n1. b\n2. c", "a\n2. b",
]  # fmt: skip
block = st.one_of(
    st.tuples(st.sampled_from(STARTS), inline, st.sampled_from(ENDS)).map("".join),
    st.sampled_from(FIXED),
    inline,
)
INDENTS = ["", "", "  ", "> ", ">", "   ", "\t", "    ", " ", ">\t", "- ", ">  ", "  > "]
NEWLINES = ["\n", "\n", "\n", "\r\n", "\r"]
FRONTS = [
    "",
    "",
    "",
    "",
    "---\ntitle: x\n---\n",
    "---\na: b\n...\n",
    "+++\na = 1\n+++\n",
    "---\n# c\nk:\n  - v\n---",
]


@st.composite
def documents(draw: st.DrawFn) -> str:
    blocks = draw(st.lists(block, min_size=1, max_size=6))
    text = draw(st.sampled_from(["\n", "\n", "\n\n"])).join(blocks)
    for _ in range(draw(st.integers(0, 3))):
        first, rest = draw(st.sampled_from(STARTS)), draw(st.sampled_from(INDENTS))
        lazy = draw(st.integers(0, 6))
        lines = text.split("\n")
        text = "\n".join(
            (first if not i else "" if lazy and i % 7 == lazy else rest) + line
            for i, line in enumerate(lines)
        )
    newline = draw(st.sampled_from(NEWLINES))
    text = draw(st.sampled_from(FRONTS)) + text + draw(st.sampled_from(["", "\n", " \n", "\n\n"]))
    mixed = draw(st.booleans())
    parts = text.split("\n")
    return "".join(
        part + (newline if not mixed or i % 3 else "\n") * (i < len(parts) - 1)
        for i, part in enumerate(parts)
    )


def check(text: str) -> None:
    source = Source(text)
    tree = parse(source)
    found = faults(source, tree)
    assert found == []
    if agrees_with_github(source):
        assert flatten_tree(source, tree) == flatten_upstream(source)


@relaxed
@given(documents())
@example("a\n>\t>\t- a\n>\t>\t\n>\t>\t- b")
@example("-    a\n\t***\n\t\n\ta")
def test_documents(text):
    check(text)


@relaxed
@given(inline)
def test_a_paragraph(text):
    check(text)


@relaxed
@given(st.text(st.sampled_from("ab *_~`[]()!<>&;#-+=|\\\n\r\t1.:/\"'\u00a0\f"), max_size=40))
def test_soup(text):
    check(text)
