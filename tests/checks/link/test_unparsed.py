"""Links that are shown as text: where their brackets belong, and what is left alone."""

from __future__ import annotations

import pytest

from shelfread.checks.link.malformed import malformed
from support.project import fixed, run

URL = "https://example.org/a"
BELOW = "".join(f"- [Tool {name}](https://example.org/{name}) - Does it.\n" for name in "bcdefg")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (f"[Tool]({URL} - Does this (and that).", f"[Tool]({URL}) - Does this (and that)."),
        (f"[Tool]({URL} – Does this.", f"[Tool]({URL}) – Does this."),
        (f"[Tool]({URL}<br> Does this.", f"[Tool]({URL})<br> Does this."),
        (f"[Tool]({URL}_(b) - Does this.", f"[Tool]({URL}_(b)) - Does this."),
        (f"[Tool]({URL}] - Does this.", f"[Tool]({URL}) - Does this."),
        (f"[[pdf]]({URL}], 2020", f"[[pdf]]({URL}), 2020"),
        (f"[[pdf]({URL}]], 2020", f"[[pdf]({URL})], 2020"),
        (f"\\[[pdf]({URL}\\], 2020", f"\\[[pdf]({URL})\\], 2020"),
        (f"[[pdf]({URL}] [[code]({URL}b)]", f"[[pdf]({URL})] [[code]({URL}b)]"),
        (f"打开[问题]({URL}）开始", f"打开[问题]({URL})开始"),
        (f"[Tool]（{URL}） - Does this.", f"[Tool]({URL}) - Does this."),
        (f"[Tool]（{URL}) - Does this.", f"[Tool]({URL}) - Does this."),
        (f"A Study of Tools [[paper]]{URL})", f"A Study of Tools [[paper]]({URL})"),
        (f"[Tool]{URL}) - Does (this).", f"[Tool]({URL}) - Does (this)."),
        (f"Tool]({URL}) - Cleans `${{HOME}}`.", f"[Tool]({URL}) - Cleans `${{HOME}}`."),
        (f"[![b]({URL}.svg]({URL})", f"[![b]({URL}.svg)]({URL})"),
        (f"[![b]({URL}.svg)]({URL}", f"[![b]({URL}.svg)]({URL})"),
        (f"Tool]({URL}) - Does this.", f"[Tool]({URL}) - Does this."),
        (f"**Tool**]({URL}) - Does this.", f"[**Tool**]({URL}) - Does this."),
        (f"**Tool]({URL})** - Does this.", f"**[Tool]({URL})** - Does this."),
        (f"Tool (In Two Parts)]({URL}) - Does this.", f"[Tool (In Two Parts)]({URL}) - Does this."),
        (f"[Tool]({URL} does this.", f"[Tool]({URL}) does this."),
        (f"[Tool]({URL}, which does this.", f"[Tool]({URL}), which does this."),
        (f"[Tool]({URL}: Does this/that.", f"[Tool]({URL}): Does this/that."),
        (f"**[Tool]({URL}** [$] by [Ada]({URL}c).", f"**[Tool]({URL})** [$] by [Ada]({URL}c)."),
        (f"**A Tool. [Ada (2007)]({URL}.**", f"**A Tool. [Ada (2007)]({URL}).**"),
        (f"“[A Tool]({URL},” of Ada", f"“[A Tool]({URL}),” of Ada"),
        (f"[A Tool]({URL} (Stone et al. 2021) does this.", f"[A Tool]({URL}) (Stone et al. 2021) does this."),
        (f"[Tool]({URL} / [Site]({URL}c)", f"[Tool]({URL}) / [Site]({URL}c)"),
    ],
)
def test_one_reading_is_fixed(wrong: str, right: str) -> None:
    result = fixed(malformed, f"- {wrong}\n{BELOW}")
    assert result.text == f"- {right}\n{BELOW}"
    assert not result.remaining


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (f"[Tool]({URL} does this (a).)", f"[Tool]({URL}) does this (a).)"),
        (f"_[Tool]({URL}_ does this.", f"_[Tool]({URL})_ does this."),
        (f"[Tool]({URL} of File.pdf", f"[Tool]({URL}) of File.pdf"),
        (f"[Tool]({URL}? Try it.", f"[Tool]({URL})? Try it."),
        (f"[Tool]({URL} - of (some) use).", f"[Tool]({URL}) - of (some) use)."),
        (f"See Tool]({URL}) - Does this.", f"[See Tool]({URL}) - Does this."),
    ],
)
def test_a_guess_needs_consent(wrong: str, right: str) -> None:
    above = "- One\n- Two\n- Three\n"
    text = f"{above}- {wrong}\n"
    assert fixed(malformed, text).text == text
    assert fixed(malformed, text, unsafe=True).text == f"{above}- {right}\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[paper](A Study of Tools)", "words"),
        (f"[[pdf]({URL}]({URL}b)", "unclosed"),
        (f'[Tool]({URL} "Title"', "unclosed"),
        (f"The best Tool]({URL}) and [others]({URL}b)", "unopened"),
    ],
)
def test_what_was_meant_is_not_known(line: str, message: str) -> None:
    found = run(malformed, f"{line}\n")
    assert [(raw.place.message, raw.place.edits) for raw in found] == [(message, ())]


@pytest.mark.parametrize(
    "line",
    [
        f"\\[Tool]({URL} - as text",
        f"[Tool]\\({URL} - as text",
        f"`[Tool]({URL} - as code`",
        "[Tool]({{ url }} - {{ text }}",
        "f[x](y) and a[i](j k)",
        f"(see [Tool]{URL})",
        f"[see the tool ({URL})]",
        "[Tool(x)] and `[Tool(https://x.org)]`",
        f"[Tool({URL})][tool]",
        f"[![b]({URL}.svg) Tool]({URL})",
        f"[Tool]({URL} 'Title')",
        "[Tool](<docs/my file.md>)",
    ],
)
def test_what_is_right_or_meant_as_text(line: str) -> None:
    assert run(malformed, f"- {line}\n") == []


def test_a_link_has_one_finding() -> None:
    for wrong in (
        f"[Tool]({URL}）开始",
        f"[Tool]（{URL}）开始",
        f"[![b]({URL}.svg]({URL})",
        f"[x]({URL}]({URL}) a",
    ):
        assert len(run(malformed, f"- {wrong}\n")) == 1, wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    ["[a](", "](", "[a](http://x ", "[a](http://x] ", "a](http://x) ", "[a](b c ", "［", "[a(http://x"],
)
def test_many_slips_take_linear_time(part: str) -> None:
    run(malformed, part * 1500)
    run(malformed, f"- {part}\n" * 700)
