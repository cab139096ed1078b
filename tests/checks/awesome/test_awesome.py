"""The checks of awesome lists, in what their pages are too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.description import description_end, description_start, entry_separator
from shelfread.checks.entry.item import description_repeats, link_first
from support.project import read_project, run

LINE = "- [{0}](https://example.org/{0}) - {1}\n"
WORDS = "Measures Traces Scans Captures Searches Relays Asks Sends Serves Counts Draws Mirrors".split()
TEN = "".join(LINE.format(word.lower() + "r", f"{word} packets.") for word in WORDS)


def texts(check: object, text: str, **options: object) -> list[str]:
    return [one.text for one in run(check, text, **options)]  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------- separator


@pytest.mark.parametrize("mark", [" – ", " — ", ": ", " -- ", " -\u00a0", " &mdash; ", "- ", " -", " -  "])
def test_a_separator_of_another_form(mark: str) -> None:
    one = f"- [dig](https://example.org/dig){mark}Asks name servers.\n"
    (found,) = run(entry_separator, TEN + one)
    assert found.text.strip() == mark.strip() or mark == " -"
    assert found.fixed == TEN + LINE.format("dig", "Asks name servers.")


@pytest.mark.parametrize(
    "rest",
    [
        " is what asks name servers.",
        ", by Ada Lovelace.",
        " and [host](https://example.org/host) - Ask name servers.",
        " (v9) - Asks name servers.",
        " [[code](https://example.org/code)] - Asks name servers.",
        " ![new](https://example.org/new.svg) - Asks name servers.",
        " -\n  Asks name servers.",
        " - **Asks** name servers.",
        " - `dig` asks name servers.",
        " - [DNS](https://example.org/dns) questions.",
        "",
    ],
)
def test_a_separator_that_is_as_it_should_be(rest: str) -> None:
    assert texts(entry_separator, f"{TEN}- [dig](https://example.org/dig){rest}\n") == []


def test_a_list_keeps_its_own_separator() -> None:
    dashes = TEN.replace(" - ", " – ")
    assert texts(entry_separator, dashes) == []
    (found,) = run(entry_separator, dashes + LINE.format("dig", "Asks name servers."))
    assert found.fixed.endswith("(https://example.org/dig) – Asks name servers.\n")


def test_a_hyphen_at_a_line_s_beginning_goes_to_the_end_of_the_one_above() -> None:
    (found,) = run(entry_separator, TEN + "- [dig](https://example.org/dig)\n  –\u00a0Asks name servers.\n")
    assert found.fixed.endswith("(https://example.org/dig) -\n  Asks name servers.\n")


def test_a_file_of_the_project_may_have_a_form_of_its_own() -> None:
    own = "".join(f"- [{n}](https://example.org/{n}): A number.\n" for n in ("one", "two", "three"))
    assert run(entry_separator, {"a.md": TEN, "b.md": own}) == []


# -------------------------------------------------------------------------------------- start, end


@pytest.mark.parametrize(
    "said",
    [
        "iOS apps.",
        "npm without npm.",
        "dig asks.",
        "x86 code.",
        "node.js servers.",
        "e.g. this.",
        "by Ada.",
        "http://a.b",
    ],
)
def test_a_text_that_begins_with_a_name(said: str) -> None:
    assert texts(description_start, TEN + LINE.format("dig", said)) == []


def test_a_text_in_another_script() -> None:
    assert (
        texts(description_start, TEN + LINE.format("dig", "域名查询工具。") + LINE.format("host", "ホスト"))
        == []
    )


def test_a_text_that_goes_on_in_another_script() -> None:
    assert texts(description_start, TEN + LINE.format("dig", "open source の辞書です。")) == []


def test_a_small_word_that_nothing_says_is_no_name_is_for_information() -> None:
    (found,) = run(description_start, TEN + LINE.format("dig", "blorp in packets."))
    assert found.place.severity.label == "info"


@pytest.mark.parametrize(
    ("said", "fixed"),
    [
        ("Asks name servers", "Asks name servers."),
        ("Asks *name servers*", "Asks *name servers*."),
        ("Asks `named`", "Asks `named`."),
        ("Asks name servers,", "Asks name servers."),
        ("Asks a [server](https://example.org/s)", "Asks a [server](https://example.org/s)."),
    ],
)
def test_a_text_without_its_stop(said: str, fixed: str) -> None:
    (found,) = run(description_end, TEN + LINE.format("dig", said))
    assert found.fixed == TEN + LINE.format("dig", fixed)


@pytest.mark.parametrize(
    "said",
    [
        "Asks!",
        "Asks (all)",
        "Asks 🚀",
        'Asks "all."',
        "Asks:",
        "Asks. `C`",
        "Asks https://a.b/c",
        "Asks… “why?”",
        "询问。",
    ],
)
def test_a_text_that_ends_well(said: str) -> None:
    assert texts(description_end, TEN + LINE.format("dig", said)) == []


def test_chinese_texts_have_a_measure_of_their_own() -> None:
    chinese = "".join(LINE.format(f"c{n}", "一个工具。") for n in range(12))
    (found,) = run(description_end, TEN + chinese + LINE.format("dig", "查询域名"))
    assert found.fixed.endswith(" - 查询域名。\n")
    assert texts(description_end, TEN + LINE.format("dig", "查询域名")) == []


def test_a_list_of_two_minds_is_told_for_information() -> None:
    half = TEN.replace("packets.", "packets", 4)
    assert {one.place.severity.label for one in run(description_end, half)} == {"info"}
    assert texts(description_end, TEN.replace("packets.", "packets", 8)) == []


@pytest.mark.parametrize(
    ("said", "fixed"),
    [
        ("Dig is a tool.", "A tool."),
        ("dig: asks.", "Asks."),
        ("Dig - Asks.", "Asks."),
        ("dig provides answers.", "Provides answers."),
        ("Dig, a tool.", "A tool."),
    ],
)
def test_a_repeated_name(said: str, fixed: str) -> None:
    (found,) = run(description_repeats, LINE.format("dig", said))
    assert found.fixed == LINE.format("dig", fixed)


@pytest.mark.parametrize("said", ["Digs holes.", "dig's aim is to ask.", "Dig client.", "Dig a hole."])
def test_a_name_that_is_part_of_what_is_said(said: str) -> None:
    assert texts(description_repeats, LINE.format("dig", said)) == []


def test_a_link_behind_words_among_ten() -> None:
    (found,) = run(link_first, TEN + "- MySQL - [lists](https://example.org/mysql)\n")
    assert found.text == "[lists](https://example.org/mysql)"


# ----------------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize("filling", ["- ", "*", "`", "[", "(", "&mdash;", "a ", " \u3000", "](", '"-'])
def test_hostile_texts(filling: str) -> None:
    rest = filling * 5000
    text = f"{TEN}- [a](https://a.b) - x{rest}\n- [a](https://a.b){rest} - x\n"
    documents, context = read_project(text)
    for document in documents.values():
        for check in (entry_separator, description_start, description_end, link_first):
            list(check(document, context, when="always"))
        list(description_repeats(document, context))
