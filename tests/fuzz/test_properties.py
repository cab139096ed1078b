"""The properties notice what they are for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from fuzz.generators.repeated import PIECES, Recipe, draw
from fuzz.generators.urls import make_visits
from fuzz.material import load_material
from fuzz.properties.kept import letters_changed, lost, page_changed, undeclared
from fuzz.properties.patches import patched
from fuzz.properties.printed import fit_to_print, forged_commands
from fuzz.properties.steps import count_patterns, steeper, steps
from shelfread.core.diagnostics import MARKUP, Change, Effect
from shelfread.core.patterns import compile_pattern, lazy

LIST = "- [One](https://one.org/a_b) - Does teh thing.\n"


def kinds(faults) -> list[str]:
    return [fault.kind.partition(": ")[2] for fault in faults]


@pytest.mark.parametrize(
    ("after", "effects", "found"),
    [
        (LIST.replace("teh", "the"), [Effect(Change.WORDS, "teh", "the")], []),
        (LIST.replace(" - ", ": "), [MARKUP], []),
        (LIST.replace("one.org", "two.org"), [Effect(Change.DESTINATION, "https://one.org/a_b", "https://two.org/a_b")], []),
        (LIST.replace("teh", "the"), [MARKUP], ["words vanish from the page"]),
        (LIST.replace("teh", ""), [MARKUP], ["letters change without being declared", "words vanish from the page"]),
        (LIST.replace("- Does", "<!-- Does -->"), [MARKUP], ["words vanish from the page"]),
        (LIST.replace("](https://one.org/a_b)", "] one.org/a_b https"), [MARKUP], ["links vanish from the page"]),
    ],
)  # fmt: skip
def test_what_a_fix_changes(after: str, effects: list[Effect], found: list[str]) -> None:
    assert kinds(undeclared("fix", LIST, after, effects)) == found


def test_what_a_format_changes() -> None:
    assert kinds(lost("format", LIST, LIST.replace("- [", "* ["))) == []
    assert kinds(page_changed("format", LIST, LIST.replace("- [", "*   ["))) == []
    assert kinds(page_changed("format", LIST, LIST.replace("- [", "1. ["))) == ["the page changes"]
    assert kinds(letters_changed("format", LIST, LIST.replace("- [", "1. a ["))) == ["letters change"]
    assert kinds(lost("format", LIST, "")) == ["words vanish from the page", "links vanish from the page"]


def test_what_cannot_be_printed() -> None:
    assert kinds(fit_to_print("check", "a\tb\n– 列表 👩‍👩‍👧 \u00a0")) == []
    for character in "\r\x1b\x9b\u202e\u2066\u2028":
        assert kinds(fit_to_print("check", f"a{character}b")) == ["prints a control character"]
    assert kinds(fit_to_print("check", "\x1b[31mred\x1b[0m", colours=True)) == []
    assert kinds(fit_to_print("check", "\x1b[2J", colours=True)) == ["prints a control character"]


def test_patches_are_applied_as_git_does() -> None:
    data = b"a\nb\r\nc\nd\ne\nf\ng\nh\ni"
    patch = b"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\r\n+B\r\n c\n@@ -9 +9 @@\n-i\n\\ No newline at end of file\n+I\n"
    assert patched(data, patch) == b"a\nB\r\nc\nd\ne\nf\ng\nh\nI\n"
    assert patched(data, b"") == data
    assert patched(data, patch.replace(b"-b", b"-x")) is None
    assert patched(data, b"nothing\nlike that\n") is None


def test_what_a_runner_obeys() -> None:
    ours = "::error title=shelfread: x/y::z\n::group::Annotations\n::endgroup::\n a ::error::b\n"
    assert kinds(forged_commands("check", ours)) == []
    for line in ("::error::x", " ::add-mask::x", "a ##[error]x", "::group::x", "::stop-commands::x"):
        assert len(kinds(forged_commands("check", ours, line))) == 1, line


def test_visits_can_be_read() -> None:
    material = load_material()
    for number in range(50):
        for line in make_visits(Random(number), material).decode().split("\n"):
            assert line.partition(" ")[0].replace("-", "").isalnum()


def test_pieces_make_texts_of_a_size() -> None:
    for name in PIECES:
        for in_turn in (False, True):
            assert 4_000 <= len(Recipe((name, "lines"), in_turn, "x").text(4_000)) < 6_000, name


def test_a_recipe_is_read_again() -> None:
    recipe = draw(Random(3))
    assert Recipe.read(recipe.written()) == recipe
    assert Recipe.read("[1, 2") is None
    assert Recipe.read("3") is None


@pytest.mark.parametrize(
    ("work", "found"),
    [
        (lambda text: [len(text) for _ in range(len(text))], []),
        (lambda text: [len(text) for _ in range(len(text) ** 2 // 10_000)], ["steps grow faster than the input"]),
        (lambda text: [text.split() for _ in range(len(text) // 20)], ["steps grow faster than the input"]),
        (lambda text: [len(text) for _ in range(len(text) * (1 + 8 * (len(text) > 9_000)))], []),
    ],
)  # fmt: skip
def test_steps_beyond_linear(work: Callable[[str], object], found: list[str]) -> None:
    assert kinds(steeper("check", work, "x".__mul__)) == found


def test_searches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shelfread.core.patterns.compile_pattern", compile_pattern)
    count_patterns()
    pattern = lazy("y+")
    assert steps(lambda: pattern.search("x" * 100_000)) > 2_000
    assert steps(lambda: pattern.search("y" + "x" * 100_000)) < 100
    assert steps(lambda: pattern.sub("", "x" * 100_000)) > 2_000
