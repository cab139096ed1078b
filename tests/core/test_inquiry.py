"""What is asked of the world outside of a document is recorded, and nothing is asked behind its back."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import pytest

from shelfread.core import inquiry
from shelfread.core.inquiry import Asked, Inquiry, digest, look, note_all, question, recorded, still_hold


class _World:
    """A context with a project that may be changed."""

    def __init__(self, **files: str) -> None:
        self._files = files

    @property
    def files(self) -> dict[str, str]:
        note_all()
        return self._files

    @question
    def has(self, name: str) -> bool:
        return name in self.files and peek(name) is not None


_DISK = {"a": "one"}


@look
def peek(name: str) -> str | None:
    return _DISK.get(name)


@pytest.fixture(autouse=True)
def _in_this_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inquiry, "_OWN", "")


def test_an_answer_holds_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded() as asked:
        assert _World(a="text").has("a")
    assert not asked.needs_all, "what a question reads is part of its answer"
    questions, looks = list(asked.questions), list(asked.looks)
    assert [each.arguments for each in (*questions, *looks)] == [("a",), ("a",)]
    assert still_hold(questions, _World(a="another", b="more"))
    assert not still_hold(questions, _World(b="more"))
    assert still_hold(looks)
    monkeypatch.setitem(_DISK, "a", "two")
    assert not still_hold(looks)


def test_reading_past_the_questions_needs_all_of_the_project() -> None:
    with recorded() as asked:
        assert _World(a="text").files
    assert asked.needs_all
    with recorded() as asked:
        pass
    assert not asked.needs_all


def test_what_changes_while_it_is_asked_never_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded() as asked:
        peek("a")
        monkeypatch.setitem(_DISK, "a", "two")
        peek("a")
    assert not still_hold(asked.looks)


def test_only_questions_and_looks_are_asked_again() -> None:
    for name in ("os:getcwd", "shelfread.core.inquiry:digest", "nowhere:nothing", "os:a.b"):
        assert not still_hold([Asked(name, (), digest(None))])


def test_names_of_other_packages_are_not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert not still_hold([Asked("antigravity:look", (), "")])


class _Colour(Enum):
    RED = "red"


class _Pair(NamedTuple):
    name: str
    colour: _Colour


def test_a_digest_is_of_plain_values_only() -> None:
    assert digest(frozenset("ab")) == digest(frozenset("ba")) != digest(frozenset("a"))
    assert digest(_Pair("a", _Colour.RED)) == digest(("a", "red"))
    with pytest.raises(TypeError):
        digest(Inquiry())
