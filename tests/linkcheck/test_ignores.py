"""Which links a config silences, until when, and what comes back afterwards."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from shelfread.core.errors import ConfigError
from shelfread.linkcheck.ignores import expired, silenced
from shelfread.project.config import Silence, load

TODAY = date(2026, 11, 22)
URL = "https://a.example/x/y?q=1"


@pytest.mark.parametrize(
    "pattern",
    [
        "https://a.example/x/y?q=1",
        "https://a.example/*",
        "*",
        "*a.example*",
        "https://*/y?q=1",
        "https://a.example/*/y*q=*",
        "**",
        "https://a.example/x/y?q=1*",
        r"regex:^https://a\.example/",
        "regex:y.q",
    ],
)
def test_a_pattern_that_fits(pattern: str) -> None:
    one = Silence(pattern, "known")
    assert silenced(URL, [one], TODAY) == one
    assert silenced(URL + "#part", [one], TODAY) == one


@pytest.mark.parametrize(
    "pattern",
    [
        "https://a.example/x/y",
        "https://a.example/",
        "http://a.example/*",
        "a.example",
        "https://a.example/x/?*",
        "*/y",
        "https://a.example/x/y*y?q=1",
        "https://a.example/x/y?q=1*1",
        "*q=1*q=1*",
        "https://a.example/x/y?q=1#part",
        "regex:^a",
        "",
    ],
)
def test_a_pattern_that_does_not(pattern: str) -> None:
    assert silenced(URL, [Silence(pattern, "known")], TODAY) is None


def test_a_fragment_can_be_meant() -> None:
    one = Silence(URL + "#part", "known")
    assert silenced(URL + "#part", [one], TODAY) == one
    assert silenced(URL + "#other", [one], TODAY) is None


def test_a_silence_ends_with_its_last_day() -> None:
    one = Silence("*", "their server moves", TODAY)
    assert silenced(URL, [one], TODAY) == one
    assert expired(URL, [one], TODAY) is None
    tomorrow = date(2026, 11, 23)
    assert silenced(URL, [one], tomorrow) is None
    assert expired(URL, [one], tomorrow) == one


def test_the_one_that_holds_is_found_behind_one_that_is_over() -> None:
    over, later = Silence("*", "a", date(2026, 1, 1)), Silence("*", "b", date(2026, 2, 1))
    holds = Silence("https://a.*", "c")
    assert silenced(URL, [over, holds], TODAY) == holds
    assert expired(URL, [over, later], TODAY) == later
    assert expired("https://b.example", [holds], TODAY) is None


def test_many_stars_take_linear_time() -> None:
    # A matcher that goes back to try again would not come to its end.
    assert silenced("a" * 100_000 + "b", [Silence("*a" * 50_000 + "*c*b", "x")], TODAY) is None


CONFIG = """\
links:
  silence:
    - pattern: https://a.example/*
      reason: answers only from its campus
      until: 2027-01-31
    - {pattern: 'regex:^http://b', reason: old}
"""

TOML = """\
[tool.shelfread]
[[tool.shelfread.links.silence]]
pattern = "https://a.example/*"
reason = "answers only from its campus"
until = 2027-01-31
[[tool.shelfread.links.silence]]
pattern = "regex:^http://b"
reason = "old"
"""


@pytest.mark.parametrize(("name", "text"), [(".shelfread.yaml", CONFIG), ("pyproject.toml", TOML)])
def test_a_config_silences(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert load(tmp_path / name).links.silence == (
        Silence("https://a.example/*", "answers only from its campus", date(2027, 1, 31)),
        Silence("regex:^http://b", "old"),
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2027-01-31", "31.1.2027", "5:14: 'until' is wrong: a date such as 2027-01-31"),
        ("2027-01-31", "2027-02-30", "5:14: the calendar has no day '2027-02-30'"),
        ("2027-01-31", "2027", "5:14: 'until' must be text, not a number"),
        ("2027-01-31", '"2027-01-31\\n"', "5:14: the calendar has no day"),
        ("^http://b", "(?=b)", "6:17: no regular expression: invalid perl operator"),
        ("reason: old", "note: old", "6:"),
        (", reason: old", "", "6:7: item 2 of 'silence' lacks 'reason'"),
        ("silence:", "silences:", "2:3: unknown key 'silences', did you mean 'silence'?"),
    ],
)
def test_a_silence_that_cannot_be_followed(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / ".shelfread.yaml"
    assert old in CONFIG
    file.write_text(CONFIG.replace(old, new), "utf-8")
    with pytest.raises(ConfigError) as error:
        load(file)
    assert str(error.value).removeprefix(f"{file.as_posix()}:").startswith(said)


def test_a_toml_key_of_three_thousand_parts_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.shelfread]\n" + "a." * 3000 + "a = 1\n", "utf-8")
    with pytest.raises(ConfigError):
        load(file)
