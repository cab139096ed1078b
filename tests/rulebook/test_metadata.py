"""Pages become metadata, metadata become rules, and errors have their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import RuleError, UserError
from shelfread.project.config import EMPTY, Config, RuleSetting
from shelfread.rulebook.metadata import (
    OptionError,
    RuleMetadata,
    bind,
    load_rules,
    read_metadata,
    resolve_check,
)
from shelfread.rulebook.selection import bind_rules, presets_of, select
from support.command_line import sample, write_page

__all__ = ["sample"]

ID = "word/the"


def metadata(root: Path, **changes: object) -> RuleMetadata:
    return read_metadata(write_page(root, ID, **changes), ID, custom=True)


def test_a_page_becomes_metadata(tmp_path: Path) -> None:
    read = metadata(tmp_path, precedence=3)
    assert (read.id, read.family, read.severity, read.presets) == (ID, "word", Severity.WARNING, ("core",))
    assert (read.options, read.fix, read.precedence) == ({"bad": "teh", "good": "the"}, "safe", 3)


@pytest.mark.parametrize(
    ("changes", "line", "message"),
    [
        ({"mesage": "x"}, 9, "unknown key 'mesage', did you mean 'message'?"),
        ({"message": None}, 2, "the file lacks 'message'"),
        ({"severity": "fatal"}, 3, "'severity' must be one of error, warning, info, not 'fatal'"),
        (
            {"presets": "[paper]"},
            4,
            "item 1 of 'presets' must be one of core, papers, awesome, strict, taxonomy, online, complete, "
            "not 'paper', did you mean 'papers'?",
        ),
        ({"presets": "core"}, 4, "'presets' must be a list, not text"),
        ({"fix": "yes"}, 8, "'fix' must be one of safe, unsafe, mixed, not 'yes'"),
        ({"precedence": "high"}, 9, "'precedence' must be a whole number, not text"),
        ({"summary": "{a: b"}, 3, "not YAML"),
    ],
)
def test_a_page_that_is_wrong_is_named_with_its_line(
    tmp_path: Path, changes: dict[str, object], line: int, message: str
) -> None:
    with pytest.raises(RuleError) as raised:
        metadata(tmp_path, **changes)
    assert message in raised.value.message
    assert raised.value.line == line
    assert raised.value.path is not None and raised.value.path.endswith("word/the.md")


def test_the_heading_is_the_path(tmp_path: Path) -> None:
    page = write_page(tmp_path, "word/other")
    with pytest.raises(RuleError, match="heading must be '# word/the', like its path") as raised:
        read_metadata(page.rename(page.with_name("the.md")), ID)
    assert raised.value.line == 10


@pytest.mark.parametrize("text", ["# word/the\n", "---\nsummary: x\n"])
def test_a_page_without_front_matter(tmp_path: Path, text: str) -> None:
    page = tmp_path / "the.md"
    page.write_text(text)
    with pytest.raises(RuleError, match="begins with front matter"):
        read_metadata(page, ID)


def test_windows_newlines_and_a_bom(tmp_path: Path) -> None:
    page = write_page(tmp_path, ID)
    page.write_bytes(b"\xef\xbb\xbf" + page.read_bytes().replace(b"\n", b"\r\n"))
    assert read_metadata(page, ID).id == ID


def test_only_pages_in_families_are_loaded_and_no_links(tmp_path: Path) -> None:
    folder = write_page(tmp_path, ID).parent.parent
    (folder / "README.md").write_text("How to write a page")
    (folder / "word/notes.txt").write_text("x")
    (folder / "word/linked.md").symlink_to(folder / "word/the.md")
    (folder / "elsewhere").symlink_to(folder / "word")
    assert list(load_rules(folder)) == [ID]


def test_options_are_bound(tmp_path: Path, sample: None) -> None:
    rule = bind(metadata(tmp_path), {"also": ["hte"]}, Severity.INFO)
    assert rule.check is not None
    assert rule.check.keywords == {"bad": "teh", "good": "the", "also": ("hte",)}  # type: ignore[attr-defined]
    assert rule.severity is Severity.INFO


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bda": "teh"}, "options of word/the: unknown option 'bda', did you mean 'bad'?"),
        ({"when": "sometimes"}, "options of word/the: 'when' must be one of always, never"),
        ({"also": "hte"}, "options of word/the: 'also' must be a list, each item text"),
        ({"also": [1]}, "options of word/the: 'also' must be a list, each item text"),
        ({"names": ["a"]}, "options of word/the: 'names' must be a mapping, each value text or empty"),
        ({"limit": True}, "options of word/the: 'limit' must be a whole number"),
        ({"mild": "yes"}, "options of word/the: 'mild' must be true or false"),
    ],
)
def test_an_option_that_does_not_fit(
    tmp_path: Path, sample: None, options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError) as raised:
        bind(metadata(tmp_path), options)
    assert raised.value.message == message
    assert raised.value.option == next(iter(options))


def test_an_option_that_is_missing(tmp_path: Path, sample: None) -> None:
    with pytest.raises(RuleError, match="'bad' is missing") as raised:
        bind(metadata(tmp_path, options="{}"))
    assert raised.value.path is not None and raised.value.path.endswith("word/the.md")
    assert raised.value.line == 6


@pytest.mark.parametrize(
    "check",
    [
        "sample.word",
        "sample._hidden",
        "sample.helper",
        "sample.Place",
        "sample",
        "os.system",
        "words",
        "sample.words.x",
        "own._places",
        "",
    ],
)
def test_only_checks_are_called(tmp_path: Path, sample: None, check: str) -> None:
    with pytest.raises(RuleError, match="there is no check") as raised:
        bind(metadata(tmp_path, check=f'"{check}"'))
    if check == "sample.word":
        assert raised.value.message.endswith("did you mean 'sample.words'?")


@pytest.mark.parametrize("check", ["link.insecure", "link.insecure.insecure", "link.of_old.insecure"])
def test_an_own_page_stays_valid_when_a_check_moves(tmp_path: Path, check: str) -> None:
    """A page that was copied when checks were named by their modules has the module between family and function."""
    assert resolve_check(metadata(tmp_path, check=check)).__name__ == "insecure"


def config_of(root: Path, **changes: object) -> Config:
    fields: dict[str, object] = {"path": root / ".shelfread.yaml", **changes}
    return Config(**fields)  # type: ignore[arg-type]


def chosen(config: Config, detected: tuple[str, ...] = ("core",), **options: tuple[str, ...]) -> list[str]:
    """The ids of the sample's rules that run."""
    selection = select(config, **options)
    rules = bind_rules(selection, presets_of(selection, detected))
    return [rule.id.removeprefix("word/") for rule in rules if rule.id.startswith("word/")]


@pytest.fixture
def root(tmp_path: Path, sample: None) -> Path:
    write_page(tmp_path, "word/core")
    write_page(tmp_path, "word/papers", presets="[papers]")
    write_page(tmp_path, "word/strict", presets="[strict]")
    write_page(tmp_path, "word/opt-in", presets="[]")
    return tmp_path


def test_presets_are_detected_or_pinned(root: Path) -> None:
    assert chosen(config_of(root)) == ["core"]
    assert chosen(config_of(root), ("core", "papers")) == ["core", "papers"]
    pinned = config_of(root, presets=("strict",))
    assert chosen(pinned, ("core", "papers")) == ["core", "strict"]
    assert chosen(pinned, presets=("papers",)) == ["core", "papers"]


def test_select_replaces_and_ignore_subtracts(root: Path) -> None:
    config = config_of(root)
    assert chosen(config, selected=("word/strict",)) == ["strict"]
    assert chosen(config, selected=("word",), ignored=("word/core",)) == ["opt-in", "papers", "strict"]
    assert chosen(config, selected=("word/*",)) == ["core", "opt-in", "papers", "strict"]
    assert chosen(config, ignored=("word",)) == []


def test_a_config_switches_single_rules(root: Path) -> None:
    rules = {"word/core": RuleSetting(False), "word/opt-in": RuleSetting(True)}
    config = config_of(root, rules=rules)
    assert chosen(config) == ["opt-in"]
    assert chosen(config, selected=("word/core",)) == ["core"], "who names it means it"
    assert chosen(config, selected=("word",)) == ["opt-in", "papers", "strict"]
    assert chosen(config_of(root, select=("word/papers",), rules=rules)) == ["opt-in", "papers"]
    assert chosen(config_of(root, ignore=("word/core",))) == []


def test_a_config_sets_severity_and_options(root: Path) -> None:
    setting = RuleSetting(None, Severity.ERROR, {"when": "never"})
    selection = select(config_of(root, rules={"word/core": setting}))
    rule = next(rule for rule in bind_rules(selection, ("core",)) if rule.id == "word/core")
    assert rule.severity is Severity.ERROR
    assert rule.check is not None
    assert rule.check.keywords["when"] == "never"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"selected": ("word/coer",)}, "there is no rule or family 'word/coer', did you mean 'word/core'?"),
        ({"ignored": ("wrod",)}, "there is no rule or family 'wrod', did you mean 'word'?"),
        ({"presets": ("paper",)}, "there is no preset 'paper', did you mean 'papers'?"),
    ],
)
def test_unknown_names(root: Path, options: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(UserError) as raised:
        select(config_of(root), **options)
    assert raised.value.message == message


def test_an_own_page_goes_before_a_bundled_one(tmp_path: Path) -> None:
    write_page(tmp_path, "suppression/unused", message="mine")
    assert select(config_of(tmp_path)).rules["suppression/unused"].messages == {"": "mine"}
    assert select(EMPTY).rules["suppression/unused"].messages != {"": "mine"}
