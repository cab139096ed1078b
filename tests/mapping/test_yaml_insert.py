"""Keys and items added to YAML: what stands there stays, in its style and with its ends of lines."""

from __future__ import annotations

import pytest

from shelfread.mapping.adopt import CannotInsertError, YamlText

TERMS = [("oven", "{prefLabel: Oven}"), ("bread", "{prefLabel: Bread}")]


PLACES = [
    ("", "concepts:\n  oven: {prefLabel: Oven}\n  bread: {prefLabel: Bread}\n"),
    ("# mine", "# mine\nconcepts:\n  oven: {prefLabel: Oven}\n  bread: {prefLabel: Bread}\n"),
    ("a: 1\n", "a: 1\nconcepts:\n  oven: {prefLabel: Oven}\n  bread: {prefLabel: Bread}\n"),
    ("concepts:\n", "concepts:\n  oven: {prefLabel: Oven}\n  bread: {prefLabel: Bread}\n"),
    ("{a: 1}\n", "{a: 1, concepts: {oven: {prefLabel: Oven}, bread: {prefLabel: Bread}}}\n"),
    (
        "concepts:\n    zoo: {}  # last\nb: 2\n",
        "concepts:\n    zoo: {}  # last\n    oven: {prefLabel: Oven}\n    bread: {prefLabel: Bread}\nb: 2\n",
    ),
    ("concepts: {}\n", "concepts: {oven: {prefLabel: Oven}, bread: {prefLabel: Bread}}\n"),
]


@pytest.mark.parametrize(
    ("before", "after", "newline"),
    [(*place, "\n") for place in PLACES] + [(*place, "\r\n") for place in PLACES if "\n" in place[0]],
)
def test_terms_stand_at_the_end_of_their_mapping(before: str, after: str, newline: str) -> None:
    text = YamlText(before.replace("\n", newline))
    assert text.applied([text.add_terms("concepts", TERMS)]) == after.replace("\n", newline)


def test_terms_stand_after_a_named_one() -> None:
    text = YamlText("concepts:\n  zoo: {}\n  ape:\n    prefLabel: Ape\n  bee: {}\n")
    added = text.applied([text.add_terms("concepts", TERMS[:1], after="ape")])
    assert added == "concepts:\n  zoo: {}\n  ape:\n    prefLabel: Ape\n  oven: {prefLabel: Oven}\n  bee: {}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: [x]\n", "a: [x, 'y: z']\n"),
        ("a: []\n", "a: ['y: z']\n"),
        ("a:\n- x  # old\nb: 1\n", "a:\n- x  # old\n- 'y: z'\nb: 1\n"),
        ("b: 1\n", "b: 1\na: ['y: z']\n"),
    ],
)
def test_items_stand_at_the_end_of_their_sequence(before: str, after: str) -> None:
    text = YamlText(before)
    assert text.applied([text.add_items(["a"], ["y: z"])]) == after


@pytest.mark.parametrize("text", ["a: x\n", "a: &b [x]\nc: *b\n"])
def test_what_is_no_mapping_or_an_alias_is_refused(text: str) -> None:
    with pytest.raises(CannotInsertError):
        YamlText(text).add_terms("a", TERMS)
