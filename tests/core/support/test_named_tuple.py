"""Named tuples do what those of `typing` do."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest

from shelfread.core.support.named_tuple import NamedTuple


class Ours(NamedTuple):
    """What it is for."""

    name: str
    size: int = 1
    tags: tuple[str, ...] = ()

    @property
    def twice(self) -> int:
        return 2 * self.size


class Theirs(typing.NamedTuple):
    name: str
    size: int = 1
    tags: tuple[str, ...] = ()


def test_it_is_the_tuple_of_its_values() -> None:
    ours = Ours("a", tags=("b",))
    assert ours == ("a", 1, ("b",)) == Theirs("a", tags=("b",))
    assert (ours.name, ours.size, ours.tags, ours.twice) == ("a", 1, ("b",), 2)
    assert repr(ours) == repr(Theirs("a", tags=("b",))).replace("Theirs", "Ours")
    assert hash(ours) == hash(("a", 1, ("b",)))
    assert Ours.__doc__ == "What it is for."


@pytest.mark.parametrize("name", ["_fields", "_field_defaults", "__match_args__"])
def test_the_class_describes_itself(name: str) -> None:
    assert getattr(Ours, name) == getattr(Theirs, name)


@pytest.mark.parametrize("do", [
    lambda made: made._replace(size=3),
    lambda made: made._asdict(),
    lambda made: type(made)._make(["a", 2, ()]),
    lambda made: list(made),
])  # fmt: skip
def test_its_methods(do: Any) -> None:
    assert do(Ours("a")) == do(Theirs("a"))


@pytest.mark.parametrize("do", [
    lambda kind: kind(),
    lambda kind: kind("a", 1, (), 4),
    lambda kind: kind("a", length=2),
])  # fmt: skip
def test_wrong_values_are_refused_in_the_same_words(do: Any) -> None:
    with pytest.raises(TypeError) as ours:
        do(Ours)
    with pytest.raises(TypeError) as theirs:
        do(Theirs)
    assert str(ours.value).replace("Ours", "Theirs") == str(theirs.value)


def test_a_field_that_it_lacks_is_not_replaced() -> None:
    with pytest.raises(ValueError, match="'length'"):
        Ours("a")._replace(length=2)  # type: ignore[call-arg]


def test_it_has_no_more_than_its_fields() -> None:
    with pytest.raises(AttributeError):
        Ours("a").length = 2  # type: ignore[attr-defined]


def test_copies_are_equal() -> None:
    ours = Ours("a", 2)
    assert copy.deepcopy(ours) == pickle.loads(pickle.dumps(ours)) == ours
    assert type(pickle.loads(pickle.dumps(ours))) is Ours
