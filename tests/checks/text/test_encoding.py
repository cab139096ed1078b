"""The rule `text/encoding`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.text.characters import encoding
from shelfread.engine.lint import format_message
from shelfread.rulebook.metadata import load_rules
from support.project import run


def faults(text: str) -> list[str]:
    page = load_rules()["text/encoding"]
    places = [one.place for one in run(encoding, f"{text}\n")]
    return [format_message(page, place.message, place.values) for place in places]


@pytest.mark.parametrize(
    "meant",
    [
        "é",
        "naïve",
        "Müller",
        "José’s",
        "“quoted”",
        "a – b",
        "→",
        "✓",
        "😀",
        "Привет",
        "日本語",
        "Việt",
        "Łódź",
        "×2",
        "À",
    ],
)
@pytest.mark.parametrize("encoding_", ["cp1252", "latin-1"])
def test_mojibake_is_known(meant: str, encoding_: str) -> None:
    try:
        garbled = meant.encode().decode(encoding_)
    except UnicodeDecodeError:
        return  # a byte that Windows has no character for
    told = [fault.partition(" is garbled text for '")[2][:-1] for fault in faults(f"Say {garbled}!")]
    assert told
    assert all(one and one in meant for one in told)


def test_what_was_garbled_twice_is_told_as_it_was_first() -> None:
    garbled = "Müller".encode().decode("cp1252").encode().decode("cp1252")
    assert faults(garbled) == ["'ÃƒÂ¼' is garbled text for 'ü'"]


@pytest.mark.parametrize(
    "text",
    [
        "« CAFÉ » and «CAFÉ», “É”, ‘É’, CAFÉ…",
        "„Spaß“, „Spaß”, »Spaß«, «à», “à”, «ã», ã–ã",
        "Ångström, Øre, Æsir, Ðe, Þat, ÿ, São Tomé, Île, Œuvre, naïve, Škoda",
        "Việt Nam, Đà Nẵng, Ελληνικά, Русский, 日本語、中文。한국어",
        "100 €, 5 £, 20 °C, ½, ©, ®, ™, §, ¶, · and × ÷ ±",
        "The word mojibake stands for Ã© and the like.",
    ],
)
def test_letters_and_marks_side_by_side_are_no_mojibake(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 👩🏽‍💻",
        "می‌خواهم नुक़्‍ता ක්‍ර",
        "ภาษา\u200bไทย ភាសា\u200bខ្មែរ",
        "עברית\u200f (GitHub)\u200e עברית",
        "[a](https://a.org)\u200f\n\nעברית",
        "עברית \u2067GitHub\u2069 \u202bGitHub\u202c",
        "`a\u200bb` <!-- a\u200bb --> [a](https://a.org/a\u200bb)",
        "A zero width space (U+200B): a\u200bb",
    ],
)
def test_hidden_characters_by_right(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a\u200bb", "hidden character: zero width space (U+200B)"),
        ("a\u200db", "hidden character: zero width joiner (U+200D)"),
        ("a\u200cb", "hidden character: zero width non-joiner (U+200C)"),
        ("文\u200b字", "hidden character: zero width space (U+200B)"),
        ("word\u200b\n\nnext", "hidden character: zero width space (U+200B)"),
        ("\ufeff# Title", "hidden character: byte order mark (U+FEFF)"),
        ("a\u200e", "hidden character: left-to-right mark (U+200E)"),
        ("\u202eabc\u202c", "hidden character: right-to-left override (U+202E)"),
        ("a\u2028b", "hidden character: line separator (U+2028)"),
        ("don\x92t", "U+0092 is garbled text for '’'"),
        ("\x1b[1mbold", "hidden character: control character (U+001B)"),
        ("lost \ufffd", "a character was lost here (U+FFFD)"),
    ],
)
def test_hidden_characters(text: str, fault: str) -> None:
    assert fault in faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "-\xa0Bonjour, dit-elle.",
        "*\xa0without tax",
        "- \u3000\u3000段落",
        "```\n-\xa0a\n-\xa0b\n```",
        "10\xa0% and a\xa0b\n-a",
        "*\xa0*\xa0*",
        "in\n2019.\xa0The",
    ],
)
def test_blanks_by_right(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "\u200b" * 30_000,
        "ש" + "\u2067" * 30_000,
        "Ã©" * 20_000,
        "Ã© x " * 10_000,
        "- " + "\xa0" * 50_000,
        ("-" + "\xa0" * 20 + "\n") * 3_000,
        " " * 50_000 + "\xa0",
        "".join(f"Ã©{n} É» " for n in range(5_000)),
    ],
    ids=range(8),
)
def test_hostile_text_takes_no_time(text: str) -> None:
    run(encoding, f"{text}\n")
