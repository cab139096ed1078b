"""What conservation lets pass and what it refuses."""

from __future__ import annotations

import inspect
import re
import sys

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from shelfread.core.diagnostics import Change, Edit, Effect, Span, apply_edits
from shelfread.core.source import Source
from shelfread.fixes.conservation import Side, find_damage
from shelfread.fixes.edit_scope import find_edit_scopes, with_surrounding_space
from shelfread.markdown.parse import parse
from support.work import calls, executed_lines

MARKUP = Effect(Change.MARKUP)
STRUCTURE = Effect(Change.STRUCTURE)
MOVED = Effect(Change.MOVED)


def words(before: str, after: str) -> Effect:
    return Effect(Change.WORDS, before, after)


def destination(before: str, after: str) -> Effect:
    return Effect(Change.DESTINATION, before, after)


def removed(before: str) -> Effect:
    return Effect(Change.REMOVED, before)


def judge(text: str, *edits: Edit) -> str | None:
    after = apply_edits(text, list(edits))
    damage = find_damage(parse(Source(text)), text, parse(Source(after)), after, edits)
    return damage[0].reason if damage else None


def replace(text: str, old: str, new: str, effect: Effect, count: int = 1) -> list[Edit]:
    """Edits of the first places where `old` stands."""
    places = [match.start() for match in re.finditer(re.escape(old), text)]
    return [Edit(at, at + len(old), new, effect) for at in places[:count]]


def insert(text: str, before: str, new: str, effect: Effect) -> Edit:
    at = text.index(before)
    return Edit(at, at, new, effect)


HARMLESS = [
    ("trailing blanks", "a b  \n\nc\n", replace("a b  \n\nc\n", "  ", "", MARKUP)),
    ("all bullets", "* a\n* b\n", replace("* a\n* b\n", "* ", "- ", MARKUP, 2)),
    ("one bullet", "* a\n- b\n- c\n", [Edit(0, 1, "-", MARKUP)]),
    ("emphasis mark", "x *a* y", replace("x *a* y", "*a*", "_a_", MARKUP)),
    ("emphasis mark, two edits", "x *a* y", replace("x *a* y", "*", "_", MARKUP, 2)),
    ("setext heading", "A\n===\nb\n", [Edit(0, 5, "# A", MARKUP)]),
    ("bracket dialect", r"t \[[Paper](u)]", [Edit(2, 15, "[[Paper](u)]", MARKUP)]),
    ("blank after a link", "[a](u)b", [Edit(6, 6, " ", MARKUP)]),
    ("needless escape", r"foo\_bar", replace(r"foo\_bar", "\\", "", MARKUP)),
    ("entity", "caf&eacute; x", replace("caf&eacute; x", "&eacute;", "é", MARKUP)),
    ("entity within a longer edit", "caf&eacute; x", [Edit(0, 13, "café x", MARKUP)]),
    ("blank line", "# A\nb\n", [Edit(4, 4, "\n", MARKUP)]),
    ("numbering", "1. a\n1. b\n", [Edit(5, 6, "2", MARKUP)]),
    ("line join", "a\nb", [Edit(1, 2, " ", MARKUP)]),
    ("hard break", "a  \nb", [Edit(1, 3, "", MARKUP)]),
    ("label", "[Github](u) x", [Edit(1, 7, "Code", words("Github", "Code"))]),
    ("part of a word", "OSDI2019", [Edit(4, 8, "2020", words("2019", "2020"))]),
    ("part of what is stated", "x OSDI 19", [Edit(7, 9, "20", words("OSDI 19", "OSDI 20"))]),
    ("plural", "two cat", [Edit(7, 7, "s", words("cat", "cats"))]),
    ("words gone", "a b", [Edit(1, 3, "", words("b", ""))]),
    ("image text", "![old](p)", [Edit(2, 5, "new", words("old", "new"))]),
    ("link title", '[a](u "old")', [Edit(7, 10, "new", words("old", "new"))]),
    ("address", "[a](http://x)", [Edit(4, 12, "https://x", destination("http://x", "https://x"))]),
    ("part of an address", "[a](http://x)", [Edit(8, 8, "s", destination("http://x", "https://x"))]),
    ("bare address", "see http://x.org.", [Edit(8, 8, "s", destination("http://x.org", "https://x.org"))]),
    ("autolink", "<http://x.y>", [Edit(1, 5, "https", destination("http://x.y", "https://x.y"))]),
    ("image address", "[![a](p)](u)", [Edit(6, 7, "q", destination("p", "q"))]),
    ("html address", '<a href="u">t</a>', [Edit(9, 10, "v", destination("u", "v"))]),
    ("html block address", '<p>\n<a href="u">t</a>\n</p>\n', [Edit(13, 14, "v", destination("u", "v"))]),
    ("definition's address", "[a][l] [b][l]\n\n[l]: u\n", [Edit(20, 21, "v", destination("u", "v"))]),
    ("escaped address", "[a](x&amp;y)", [Edit(4, 11, "x", destination("x&amp;y", "x"))]),
    ("same address elsewhere", "[a](u) [b](u)", [Edit(4, 5, "v", destination("u", "v"))]),
    ("heading", "##Heading\ntext", [Edit(2, 2, " ", STRUCTURE)]),
    ("reversed link", "see (text)[http://u.v/w]", [Edit(4, 24, "[text](http://u.v/w)", STRUCTURE)]),
    ("item", "- a\n-[b](u)\n- c\n", [Edit(5, 5, " ", STRUCTURE)]),
    ("first item", "-[b](u)\n- c\n", [Edit(1, 1, " ", STRUCTURE)]),
    ("nested item", "- a\n - b\n- c\n", [Edit(4, 5, "  ", STRUCTURE)]),
    ("broken table", "| a | b |\n\n|---|---|\n| c | d |\n", [Edit(10, 11, "", STRUCTURE)]),
    ("emphasis mended", "x **a ** y", [Edit(5, 6, "", STRUCTURE)]),
    ("swapped items", "- a\n- b\n", [Edit(0, 8, "- b\n- a\n", MOVED)]),
    ("swapped links", "[a](u) [b](v)", [Edit(0, 6, "[b](v)", MOVED), Edit(7, 13, "[a](u)", MOVED)]),
    ("first item to the end", "- a\n- b\n", [Edit(0, 4, "", MOVED), Edit(8, 8, "- a\n", MOVED)]),
    (
        "item to another section",
        "# A\n\n- a\n  - n `c`\n- b\n\n# B\n\n- c\n",
        [Edit(5, 19, "", MOVED), Edit(29, 29, "- a\n  - n `c`\n", MOVED)],
    ),
    ("removed item", "- a [x](u)\n- b\n", [Edit(0, 11, "", removed("- a [x](u)\n"))]),
    ("removed only item", "x\n\n- a\n\ny\n", [Edit(3, 7, "", removed("- a\n"))]),
    ("removed definition", "x\n\n[l]: u\n", [Edit(3, 10, "", removed("[l]: u\n"))]),
    ("removed comment", "a <!-- x --> b", [Edit(1, 12, "", removed(" <!-- x -->"))]),
    ("removed html link", 'x <a href="u">t</a>\n', [Edit(2, 19, "", removed('<a href="u">t</a>'))]),
    (
        "removed code",
        "- a\n\n  ```\n  c\n    d\n  ```\n- b\n",
        [Edit(0, 27, "", removed("- a\n\n  ```\n  c\n    d\n  ```\n"))],
    ),
    (
        "bare address ends sooner",
        "see http://x.org中文 b\n",
        [Edit(4, 18, "<http://x.org>中文", destination("http://x.org中文", "http://x.org"))],
    ),
    (
        "replaced contents",
        "- [A](#a)\n\n# B\n",
        [Edit(0, 9, "- [B](#b)", Effect(Change.REMOVED, "- [A](#a)", "- [B](#b)"))],
    ),
]


@pytest.mark.parametrize(("text", "edits"), [case[1:] for case in HARMLESS], ids=[c[0] for c in HARMLESS])
def test_passes(text: str, edits: list[Edit]) -> None:
    assert edits
    assert judge(text, *edits) is None


DAMAGE = [
    ("nests an item", "- a\n- b\n", Edit(4, 4, "  ", MARKUP), "nesting of a bulleted item (line 2)"),
    ("unnests an item", "- a\n  - b\n", Edit(4, 6, "", MARKUP), "nesting of a bulleted item"),
    ("code swallows a link", "x y [a](u) ` z", Edit(2, 2, "`", MARKUP), 'lose the URL "u"'),
    ("cell border", "| a | b |\n|---|---|\n| c d | e |\n", Edit(23, 24, " | ", MARKUP), 'lose the word "d"'),
    (
        "cell border, same words",
        "| a | b |\n|---|---|\n| c d |\n",
        Edit(23, 24, " | ", MARKUP),
        'move the word "d"',
    ),
    ("setext heading", "a\n\nb\n", Edit(1, 1, "\n---", MARKUP), "turn a paragraph into a heading of level 2"),
    (
        "setext heading from a rule",
        "a\n\n---\n",
        Edit(1, 2, "", MARKUP),
        "turn a paragraph into a heading of level 2",
    ),
    ("html block", "a [x](u)\n", Edit(0, 0, "<div>", MARKUP), 'lose the URL "u"'),
    ("html comment", "a [x](u) b -->\n", Edit(2, 2, "<!-- ", MARKUP), 'lose the URL "u"'),
    ("two links joined", "[a](u) [b](v)", Edit(2, 7, " ", MARKUP), 'lose the URL "u"'),
    ("link taken apart", "[a](u) b", Edit(3, 3, " ", MARKUP), 'lose the URL "u"'),
    ("link made", r"\[a](u)", Edit(0, 1, "", MARKUP), 'add the URL "u"'),
    ("image made of a link", "[a](u)", Edit(0, 0, "!", MARKUP), "turn a link into an image"),
    ("year becomes a list", "1986\\. A\n", Edit(4, 5, "", MARKUP), 'lose the word "1986"'),
    ("line begins with a number", "great\nx 1. A\n", Edit(5, 8, "\n", MARKUP), 'lose the word "x"'),
    ("numbering begun anew", "1. a\n2. b\n", Edit(6, 7, ")", MARKUP), "add a numbered list (line 2)"),
    ("numbered to bulleted", "1. a\n", Edit(0, 2, "-", MARKUP), "turn a numbered item into a bulleted item"),
    ("indented code", "a\n\n- x\n", Edit(3, 3, "    ", MARKUP), 'lose the word "x"'),
    ("fence", "a\n\nb [x](u)\n", Edit(2, 2, "\n```", MARKUP), 'lose the URL "u"'),
    ("fence indented", "```x", Edit(0, 0, "\t", MARKUP), "code block without a fence"),
    ("quote", "a\n", Edit(0, 0, "> ", MARKUP), "turn a paragraph into a quote"),
    ("word lost", "a b c", Edit(1, 3, "", MARKUP), '"b"'),
    ("word changed", "- Github\n", Edit(2, 8, "GitHub", MARKUP), '"Github"'),
    ("words joined", "a b", Edit(1, 2, "", MARKUP), 'join the word "b"'),
    ("words joined across marks", "a **b**", Edit(1, 2, "", MARKUP), 'join the word "b"'),
    ("words joined across links", "[a](u) [b](v)", Edit(6, 7, "", MARKUP), 'join the word "b"'),
    ("word split", "ab", Edit(1, 1, " ", MARKUP), 'separate the word "b"'),
    ("address changed", "[a](u)", Edit(4, 5, "v", MARKUP), "URL"),
    ("bare address grows", "http://x.org/a (b)", Edit(14, 14, "-", MARKUP), "URL"),
    ("emphasis broken", "*a* b", Edit(2, 2, " ", words("", "")), "emphasis"),
    ("emphasis made", "2 *3 * 4", Edit(4, 5, "", MARKUP), "emphasis"),
    ("entity in html", "<p>&nbsp;a\n", Edit(4, 4, " ", MARKUP), "nbsp"),
    ("html tag", "a <b>c</b>", Edit(6, 7, "", MARKUP), 'add the word "b"'),
    ("html tag lost", "a<br>c", Edit(1, 5, " ", MARKUP), 'lose the HTML "<br>"'),
    ("html attribute", '<img src="u" alt="x">', Edit(20, 21, "", MARKUP), ""),
    ("front matter", "---\na: b\n---\nc\n", Edit(6, 7, "", MARKUP), '"a"'),
    ("hard break elsewhere lost", "a `b  \nc", Edit(8, 8, "`", MARKUP), ""),
    ("C++ is not C", "C++ x", Edit(1, 3, "", MARKUP), '"++"'),
    ("other words", "[Github](u)", Edit(1, 7, "Cod", words("Github", "Code")), '"Cod"'),
    ("more words", "[Github](u) x", Edit(1, 13, "Code](u)", words("Github", "Code")), '"x"'),
    ("words and the link", "[Github](u)", Edit(1, 11, "Code](v)", words("Github", "Code")), "URL"),
    ("other address", "[a](u)", Edit(4, 5, "w", destination("u", "v")), '"w"'),
    ("address with a bracket", "[a](u)", Edit(4, 5, "v)w", destination("u", "v)w")), "URL"),
    ("address with a blank", "[a](u)", Edit(4, 5, "v w", destination("u", "v w")), 'lose the URL "v w"'),
    ("destination and a word", "[a](u)", Edit(1, 5, "b](v", destination("u", "v")), ""),
    ("definition lost", "[a][l]\n\n[l]: u\n", Edit(8, 15, "", removed("[l]: u\n")), 'lose the URL "u"'),
    ("definition shadowed", "[a][l]\n\n[l]: u\n", Edit(7, 7, "\n[l]: v\n", STRUCTURE), "URL"),
    ("structure loses a word", "##Heading x", Edit(2, 11, " Heading", STRUCTURE), '"x"'),
    ("structure loses a link", "[a](http://u)", Edit(0, 13, "(a)\\[http://u]", STRUCTURE), "URL"),
    ("structure makes code", "-foo bar", Edit(0, 0, "    ", STRUCTURE), 'lose the word "foo"'),
    ("structure swallows what follows", "##H\n\nb [x](u)\n", Edit(0, 0, "<div>\n", STRUCTURE), "lose"),
    ("structure nests the next", "-a\n\n  b\n\nc\n", Edit(1, 1, " ", STRUCTURE), "nesting of a paragraph"),
    ("moved and lost", "- a\n- b\n", Edit(0, 8, "- b\n", MOVED), '"a"'),
    ("moved and nested", "- a\n- b\n", Edit(0, 8, "- b\n  - a\n", MOVED), "nesting of a bulleted item"),
    ("moved without newline", "- a\n- b", Edit(0, 7, "- b- a", MOVED), "lose a bulleted item"),
    ("removed parent", "- a\n  - b\n", Edit(0, 4, "", removed("- a\n")), "nesting of a bulleted item"),
    ("removed more", "- a b\n- c\n", Edit(0, 6, "", removed("- a\n")), '"b"'),
    ("removed twice", "- a\n- a\n- c\n", Edit(0, 8, "", removed("- a\n")), 'lose the word "a"'),
    ("removed and added", "- a\n- c\n", Edit(0, 4, "- z\n", removed("- a\n")), '"z"'),
]


@pytest.mark.parametrize(("text", "edit", "reason"), [c[1:] for c in DAMAGE], ids=[c[0] for c in DAMAGE])
def test_refuses(text: str, edit: Edit, reason: str) -> None:
    said = judge(text, edit)
    assert said is not None
    assert reason in said


def test_a_joint_destination_covers_only_its_own_place() -> None:
    text = "[a](http://x) [b](http://x)\n"
    one = Edit(4, 8, "https", destination("http://x", "https://x"))
    assert judge(text, one) is None
    assert judge(text, one, Edit(18, 22, "https", MARKUP)) is not None


def test_names_the_line() -> None:
    text = "a\r\n\r\nb\r\n\r\nc d\r\n"
    assert judge(text, Edit(11, 13, "", MARKUP)) == 'it would lose the word "d" (line 5)'


NESTED = {
    "quotes": ("> " * 100 + "a b\n", "a"),
    "items": ("- " * 100 + "a b\n", "a"),
    "emphasis": ("*x " * 300 + "a b" + "*" * 300, "a"),
    "images": ("![" * 100 + "a b" + "](u)" * 100, "a"),
}


@pytest.mark.parametrize(("text", "word"), NESTED.values(), ids=NESTED)
def test_deep_nesting_is_no_matter(text: str, word: str) -> None:
    before = parse(Source(text))
    edits = replace(text, word, "c", words(word, "c"))
    other = apply_edits(text, edits)
    after = parse(Source(other))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 40)
    try:
        assert not find_damage(before, text, after, other, edits)
        assert find_damage(before, text, after, other, [])
        structure = [edit._replace(effect=STRUCTURE) for edit in edits]
        assert find_damage(before, text, after, other, structure)
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.slow
def test_costs_less_than_a_parse() -> None:
    text = "".join(
        f"- Github {i} [Paper](http://x.org/{i}) and *more* words here &amp; there\n" for i in range(200)
    )
    edits = replace(text, "Github", "GitHub", words("Github", "GitHub"), 50)
    after = apply_edits(text, edits)

    trees = parse(Source(text)), parse(Source(after))
    parsing = executed_lines(lambda: parse(Source(text)))
    assert executed_lines(lambda: find_damage(trees[0], text, trees[1], after, edits)) < 1.5 * parsing


@pytest.mark.slow
def test_is_linear() -> None:
    def lines(count: int) -> int:
        text = "- Word [Paper](http://x.org/a) and *more* words here &amp; there\n" * count
        edits = [Edit(m.start(), m.end(), "https", destination("http://x.org/a", "https://x.org/a"))
                 for m in re.finditer("http(?=:)", text)]  # fmt: skip
        after = apply_edits(text, edits)
        before_tree, after_tree = parse(Source(text)), parse(Source(after))
        assert not find_damage(before_tree, text, after_tree, after, edits)
        return executed_lines(lambda: find_damage(before_tree, text, after_tree, after, edits))

    assert lines(400) < 5 * lines(100)


def test_a_long_insertion_is_not_searched_for_each_of_its_words() -> None:
    added = "".join(f"- [Tool{at}](https://x.org/{at}) - Sorts shelf{at}.\n" for at in range(300))
    text, after = "- a\n", f"- a\n{added}"
    edits = [Edit(4, 4, added, Effect(Change.INSERTED, "", added))]
    trees = parse(Source(text)), parse(Source(after))
    assert not find_damage(trees[0], text, trees[1], after, edits)
    assert calls(lambda: find_damage(trees[0], text, trees[1], after, edits), "count") < 20


def test_the_space_around_removed_lines_is_gone_through_once() -> None:
    text, spans = "\n" * 4000, [Span(at, at) for at in range(0, 4000, 4)]
    assert {*with_surrounding_space(text, spans)} == {Span(0, 4000)}
    assert executed_lines(lambda: [*with_surrounding_space(text, spans)]) < 10 * len(text)


@pytest.mark.parametrize(
    ("spans", "wide"),
    [
        ([Span(2, 3)], [Span(0, 4)]),
        ([Span(2, 2), Span(2, 3), Span(3, 4)], [Span(0, 2), Span(0, 4), Span(3, 4)]),
        ([Span(1, 1), Span(5, 6), Span(6, 6)], [Span(0, 2), Span(5, 7), Span(6, 7)]),
    ],
)
def test_spans_with_the_space_around_them(spans: list[Span], wide: list[Span]) -> None:
    assert [*with_surrounding_space("> a bc ", spans)] == wide


# An independent view of a text: what markdown-it-py itself renders.
RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCKS = [
    "- ",
    "* ",
    "1. ",
    "> ",
    "# ",
    "  ",
    "    ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "---\n",
    "===\n",
    "```\n",
    "|",
    "|---|\n",
]
MARKS = [
    "`",
    "``",
    "*",
    "**",
    "_",
    "~~",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "&amp;",
    " ",
    " ",
]
CONTENT = [
    "[a](u)",
    "[b][l]",
    "\n[l]: v\n",
    "![i](p)",
    "foo",
    "bar",
    "baz",
    "C++",
    "http://x.y/z",
    "<http://q>",
]
FRAGMENTS = st.sampled_from(BLOCKS + MARKS + CONTENT)
TEXTS = st.lists(FRAGMENTS, max_size=14).map("".join)
NEW = st.lists(FRAGMENTS, max_size=3).map("".join)


def shown(text: str) -> tuple[list[str], list[str]]:
    """The words that a page shows, in order, and its addresses."""
    page = RENDER.render(text)
    urls = re.findall(r'(?:href|src)="([^"]*)"', page)
    alts = re.sub(r'<img [^>]*?alt="([^"]*)"[^>]*>', r" \1 ", page)
    plain = re.sub(r"&\w+;", " ", re.sub(r"<!--.*?-->|<[^>]*>", "\0", alts, flags=re.DOTALL)).replace(
        "\0", ""
    )
    return re.findall(r"[^\W_]+", plain), urls


@pytest.mark.slow
@settings(max_examples=200)
@given(TEXTS, st.data())
def test_accepted_markup_loses_no_word_and_no_address(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 4)))
    edit = Edit(start, end, data.draw(NEW), MARKUP)
    after_text = apply_edits(text, [edit])
    assume(not re.search("<!---?>", text + "\0" + after_text))  # an empty comment, for browsers only
    if judge(text, edit) is None:
        before, after = shown(text), shown(after_text)
        assert "".join(before[0]) == "".join(after[0])
        assert before[1] == after[1]


@settings(max_examples=100)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3), NEW), max_size=4))
def test_any_edits_give_an_answer(text: str, drawn: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    at = 0
    for skip, size, new in drawn:
        start, end = min(at + skip, len(text)), min(at + skip + size, len(text))
        edits.append(
            Edit(start, end, new, Effect(list(Change)[(skip + size) % len(Change)], text[start:end], new))
        )
        at = end
    assert judge(text) is None
    answer = judge(text, *edits)
    assert answer is None or answer.startswith("it would ")


@settings(max_examples=100)
@given(st.lists(FRAGMENTS | st.sampled_from(["\n", "[l]"]), max_size=30).map("".join), st.data())
def test_what_is_skipped_is_the_same_word_by_word(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 4)))
    effect = Effect(data.draw(st.sampled_from(Change)), text[start:end], "v")
    edit = Edit(start, end, data.draw(NEW), effect)
    after = apply_edits(text, [edit])
    trees = parse(Source(text)), parse(Source(after))
    scopes = find_edit_scopes(trees[0], text, [edit])
    old = Side(trees[0], text, scopes, is_old=True)
    new = Side(trees[1], after, scopes, is_old=False)
    if not find_damage(trees[0], text, trees[1], after, [edit]):
        kept, _ = old.divide(coarse=False)
        still_there, _ = new.divide(coarse=False)
        assert [token[:2] for token in kept] == [token[:2] for token in still_there]
