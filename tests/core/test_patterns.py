"""Patterns that are kept compiled are the patterns that `re` would make."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import shelfread
from shelfread.core import patterns
from shelfread.core.patterns import _Lazy, compile_pattern


def all_patterns() -> Iterator[tuple[str | bytes, int]]:
    """All that the package's modules have at hand."""
    for module in walk_packages(shelfread.__path__, "shelfread."):
        if not module.name.endswith(("__main__", "mdformat")):
            for value in vars(import_module(module.name)).values():
                if isinstance(value, _Lazy):
                    yield value._source


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(patterns, "_file", lambda: tmp_path / "kept" / "patterns")
    monkeypatch.setattr(patterns, "_new", {})
    patterns._known.cache_clear()
    yield tmp_path / "kept" / "patterns"
    patterns._known.cache_clear()


def forget() -> None:
    """As in a new process."""
    patterns._known.cache_clear()
    patterns._new.clear()


def same(one: re.Pattern[str], other: re.Pattern[str]) -> bool:
    return (one.pattern, one.flags, one.groups, dict(one.groupindex)) == (
        other.pattern, other.flags, other.groups, dict(other.groupindex)
    )  # fmt: skip


def test_all_patterns_survive(file: Path) -> None:
    every = list(all_patterns())
    assert len(every) > 100
    for pattern, flags in every:
        compile_pattern(pattern, flags)
    patterns._keep()
    forget()
    for pattern, flags in every:
        assert same(compile_pattern(pattern, flags), re.compile(pattern, flags))  # type: ignore[arg-type]
    assert patterns._new == {}, "none was compiled again"


@pytest.mark.parametrize("kept", [False, True])
def test_they_find_what_re_finds(file: Path, kept: bool) -> None:
    text = "Orca (OSDI'22) Überlegung ärger 2022-07 [x](y)"
    for pattern, flags in [
        (r"(?P<venue>[A-Z]{2,})'(?P<year>\d\d)", 0),
        (r"ÜBER\w+", re.IGNORECASE),
        (r"(?<!\w)[^\W\d_]{5}(?=\s)", 0),
        (r"\[([^\]]*)\]\(([^)]*)\)|\d{4}(?:-\d\d)?", re.MULTILINE),
    ]:
        compile_pattern(pattern, flags)
        if kept:
            patterns._keep()
            forget()
        found = [
            (match.span(), match.groupdict()) for match in compile_pattern(pattern, flags).finditer(text)
        ]
        assert found == [(match.span(), match.groupdict()) for match in re.finditer(pattern, text, flags)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xff",
        marshal.dumps("text"),
        marshal.dumps((("0", "other"), {("a", 0): ()})),
        marshal.dumps(7),
    ],
)
def test_what_is_damaged_or_of_another_python_is_not_used(file: Path, data: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(data)
    assert compile_pattern("a(b)", 0).match("ab")
    patterns._keep()
    forget()
    assert compile_pattern("a(b)", 0).match("ab") and patterns._new == {}


def test_code_that_the_engine_refuses_is_compiled_anew(file: Path) -> None:
    file.parent.mkdir()
    wrong = marshal.dumps((32, [9999, 1], 0, {}, (None,)))
    file.write_bytes(marshal.dumps((patterns._stamp(), {("ab", 0): wrong})))
    assert compile_pattern("ab", 0).match("ab")


def test_a_pattern_that_is_none_says_so(file: Path) -> None:
    with pytest.raises(re.error):
        compile_pattern("a(", 0)


def test_a_folder_that_cannot_be_written_to_keeps_nothing(file: Path) -> None:
    file.parent.write_text("a file where the folder should be")
    assert compile_pattern("ab", 0).match("ab")
    patterns._keep()
