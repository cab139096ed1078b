"""Small texts that parsers of Markdown read differently, made from a seed."""

from __future__ import annotations

from random import Random

_LINES = [
    "- a", "* b", "+ c", "  - d", "    * e", "\t- f", "1. g", "12) h", "100. wide", "1.  wide", "-   wide", "- - i", "-", "1.",
    "-    code", "-     x", "- \ta", "-\u00a0a", "   text", "text", "lazy  ", "", "", "", "  \t", "\f", "> q", "> - r", ">", "> # h",
    "```", "~~~", "```js", "    code", "# H", "## H ##", "  #  H", "     # x", "#", "T\n==", "T\n---", "---", "======", "- ==", "- ---",
    "| a | b |", "|-|-|", "|a|b|c|", "a | b", "--|--", "|1|2|", "# a | b", "- a | b", "|-", ":-|-:", "a|b\n-|-\nc", "> |a|b|\n> |-|-|\n|c|d|",
    "<div>", "</div>", "<!-- c -->", "<!-- c", "-->", "<br>", "<b>x</b>", "<details>", "<script>", "</script>", "</pre>", "<?p", "<!X",
    "<img src=x>", "<a href=u>t</a>", "[x]: y", "[x]: <y z> 't'", "[x]:", "[^1]: note", "[^1]: note\n    more", "[^u]: example.com",
    "text[^1]", "[^n]:", "    [^1]: in", "_a_ *b* __c__ **d**", "_a_", "__b__", "*c*", "https://x.org/_a_/b", "www.x.org/__init__.py",
    "ftp://x.y/*z*", "a_b_c@x.org", "_f_@x.org _a_", "mailto:_a_@b.c", "xmpp:a@b.c/_x_", "- http://a.b/_c_.", "- [ ] task", "- [ ] ",
    "- [x]\ttask", "* [ ]", "- [ ]\n  text", "1. [x] n", "-\t[ ] a", "text   \ntext", "~a~ ~~b~~", "a\\", "&#x20;", "`a", "\\- a", "\ta",
]  # fmt: skip
_BEFORE = ["", "", "  ", "    ", "> ", "   ", "\t", "- ", "1. ", "100. ", " "]
_HABITS = [
    "- a{}", "* a{}", "-   a{}", "- a{}\n    - b", "1. a{}\n   - b", "- a{}\n\t- b", "*   a{}\n    b", "# H{}\n", "- _a_ *b* **c**{}",
    "## H{}\n\n- a", "- [x] a{}",
]  # fmt: skip
_NEWLINES = ["\n"] * 20 + ["\r\n", "\r"]


def odd_text(random: Random) -> str:
    """Return a text of a few lines, often with a habit that the others break."""
    lines = [random.choice(_BEFORE) + random.choice(_LINES) for _ in range(random.randint(2, 8))]
    if random.random() < 0.25:
        habit = random.choice(_HABITS)
        lines = [habit.format(number) for number in range(random.randint(3, 6))] + lines
    text = "\n".join(lines) + random.choice(["\n", "\n", "\n", "", "\n\n\n"])
    return text.replace("\n", random.choice(_NEWLINES))
