"""Links that a configuration ignores."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from shelfread.core.errors import ConfigError
from shelfread.links.occurrences import expired_ignore, matching_ignore
from shelfread.project.config import IgnoredUrl, load_config

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
def test_a_pattern_that_matches(pattern: str) -> None:
    ignore = IgnoredUrl(pattern, "known")
    assert matching_ignore(URL, [ignore], TODAY) == ignore
    assert matching_ignore(URL + "#part", [ignore], TODAY) == ignore


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
def test_a_pattern_that_does_not_match(pattern: str) -> None:
    assert matching_ignore(URL, [IgnoredUrl(pattern, "known")], TODAY) is None


def test_a_pattern_with_a_fragment() -> None:
    ignore = IgnoredUrl(URL + "#part", "known")
    assert matching_ignore(URL + "#part", [ignore], TODAY) == ignore
    assert matching_ignore(URL + "#other", [ignore], TODAY) is None


def test_an_ignore_ends_after_its_last_day() -> None:
    ignore = IgnoredUrl("*", "their server moves", TODAY)
    assert matching_ignore(URL, [ignore], TODAY) == ignore
    assert expired_ignore(URL, [ignore], TODAY) is None
    tomorrow = date(2026, 11, 23)
    assert matching_ignore(URL, [ignore], tomorrow) is None
    assert expired_ignore(URL, [ignore], tomorrow) == ignore


def test_a_valid_ignore_is_found_after_an_expired_one() -> None:
    over, later = IgnoredUrl("*", "a", date(2026, 1, 1)), IgnoredUrl("*", "b", date(2026, 2, 1))
    holds = IgnoredUrl("https://a.*", "c")
    assert matching_ignore(URL, [over, holds], TODAY) == holds
    assert expired_ignore(URL, [over, later], TODAY) == later
    assert expired_ignore("https://b.example", [holds], TODAY) is None


def test_many_stars_take_linear_time() -> None:
    # A matcher that goes back to try again would not come to its end.
    assert matching_ignore("a" * 100_000 + "b", [IgnoredUrl("*a" * 50_000 + "*c*b", "x")], TODAY) is None


CONFIG = """\
links:
  silence:
    - pattern: https://a.example/*
      reason: answers only from its campus
      until: 2027-01-31
    - {pattern: 'regex:^http://b', reason: old}
"""


def test_a_config_ignores_links(tmp_path: Path) -> None:
    file = tmp_path / ".shelfread.yaml"
    file.write_text(CONFIG, "utf-8")
    assert load_config(file).ignored_urls == (
        IgnoredUrl("https://a.example/*", "answers only from its campus", date(2027, 1, 31)),
        IgnoredUrl("regex:^http://b", "old"),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2027-01-31", "31.1.2027", "5:14: 'until' is invalid: a date such as 2027-01-31"),
        ("2027-01-31", "2027-02-30", "5:14: there is no date '2027-02-30'"),
        ("2027-01-31", "2027", "5:14: 'until' must be text, not a number"),
        ("2027-01-31", '"2027-01-31\\n"', "5:14: there is no date"),
        ("^http://b", "(?=b)", "6:17: not a regular expression: invalid perl operator"),
        ("reason: old", "note: old", "6:"),
        (", reason: old", "", "6:7: item 2 of 'silence' lacks 'reason'"),
        ("silence:", "silences:", "2:3: unknown key 'silences', did you mean 'silence'?"),
    ],
)
def test_an_invalid_ignore(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / ".shelfread.yaml"
    assert old in CONFIG
    file.write_text(CONFIG.replace(old, new), "utf-8")
    with pytest.raises(ConfigError) as error:
        load_config(file)
    assert str(error.value).removeprefix(f"{file.as_posix()}:").startswith(message)
