"""The baseline: known findings are left out wherever they have moved, new ones are reported."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.core.errors import ConfigError
from shelfread.engine import fingerprint
from shelfread.engine.since import SinceBase
from support.gitrepo import commit, do, put, repo

__all__ = ["repo"]

CONFIG = """\
select: [entry/description-end, entry/duplicate, text, link, heading]
rules: {entry/description-end: {when: always}}
"""
NAMES = "Anvil Bellows Chisel Drill Easel File Gauge Hammer Iron Jig Knife Lathe".split()
FAULTY = {
    "Bellows": "[Bellows](http://github.com/x/bellows) - Blows into fires",
    "Drill": "[Drill](https://drill.org) - Drills with Javascript.",
    "File": "[File](https://file.org?utm_source=x) - Files, see [here](nowhere.md)",
    "Jig": "[Jig](https://jig.org) - Holds ,what is held.",
}
ENTRIES = [f"- {FAULTY.get(name, f'[{name}](https://{name.lower()}.org) - Does it.')}" for name in NAMES]


def text(entries: list[str]) -> str:
    half = len(entries) // 2
    parts = ["# Tools", "", "## One:", "", *entries[:half], "", "## Two", "", *entries[half:], ""]
    return "\n".join(parts)


@pytest.fixture
def here(repo: Path) -> Path:
    """A repository with a list that has findings, and a baseline that knows them."""
    put({".shelfread.yaml": CONFIG, "list.md": text(ENTRIES)})
    done = shelfread("check", "--write-baseline", "known.json")
    assert (done.exit_code, done.stderr) == (0, "")
    return repo


def shelfread(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(group, words, input=input, prog_name="shelfread")


def found(*words: str) -> list[str]:
    done = shelfread("check", "--baseline", "known.json", "--output-format", "json", *words)
    assert done.exit_code in (0, 1), done.stderr
    return [f"{finding['rule']} {finding['line']}" for finding in json.loads(done.stdout)["diagnostics"]]


def test_what_is_written_is_left_out(here: Path) -> None:
    count = len(json.loads(shelfread("check", "--output-format", "json").stdout)["diagnostics"])
    assert count > 5
    done = shelfread("check", "--write-baseline", "known.json")
    assert (done.exit_code, done.stdout) == (0, f"{count} findings written to known.json\n")
    assert found() == []
    done = shelfread("check", "--baseline", "known.json")
    assert done.exit_code == 0 and "No problems found" in done.stdout
    assert " of the baseline known.json not shown." in done.stdout


def test_what_is_for_information_is_counted_too(here: Path) -> None:
    put({"other.md": "# Tools\n\n- [Saw](https://saw.org) - Saws javascript.\n"})
    done = shelfread("check", "--write-baseline", "known.json", "other.md", "--select", "text")
    assert done.stdout == "1 finding, 1 of them for information (--show-info), written to known.json\n"


def test_a_finding_a_line_sorted_and_the_same_each_time(here: Path) -> None:
    first = Path("known.json").read_text()
    shelfread("check", "--write-baseline", "known.json")
    assert Path("known.json").read_text() == first
    rows = first.splitlines()[1:-1]
    assert rows == sorted(rows) and all(json.loads(row.rstrip(",")) for row in rows)
    put({"list.md": text(list(reversed(ENTRIES)))})
    shelfread("check", "--write-baseline", "known.json")
    assert Path("known.json").read_text() == first, "no line's number is in it"


@pytest.mark.parametrize("seed", range(12))
def test_moving_inserting_and_changing_others_makes_nothing_old_new(here: Path, seed: int) -> None:
    chance = random.Random(seed)
    entries = list(ENTRIES)
    chance.shuffle(entries)
    for number in range(chance.randrange(4)):
        entries.insert(chance.randrange(len(entries)), f"- [New {number}](https://new{number}.org) - Is new.")
    entries = [entry.replace("Does it", "Does more") if chance.random() < 0.3 else entry for entry in entries]
    new = text(entries).replace("## Two", "Words of all kinds.\n\n## Two" if seed % 2 else "## Two")
    put({"list.md": new})
    assert found() == []


def test_a_file_that_is_renamed_and_an_entry_that_goes_to_another(here: Path) -> None:
    Path("list.md").unlink()
    put({"deep/tools.md": text(ENTRIES[:5]), "more.md": text(ENTRIES[5:]).replace("One:", "Three")})
    assert found() == []


def test_new_findings_are_reported(here: Path) -> None:
    put({"list.md": text([*ENTRIES, "- [Saw](https://saw.org) - Saws all of it"])})
    assert found() == ["entry/description-end 20"]
    assert shelfread("check", "--baseline", "known.json").exit_code == 1
    put({"list.md": text([*ENTRIES[:10], ENTRIES[10].replace("Does it", "Does Github"), *ENTRIES[11:]])})
    assert len(found()) == 1, "in an entry that had none"
    put(
        {
            "list.md": text(
                [*ENTRIES[:3], ENTRIES[3].replace("Javascript", "Javascript and Github"), *ENTRIES[4:]]
            )
        }
    )
    assert len(found()) == 1, "one more of the same kind in an entry that had one"


def test_once_more_of_the_very_same_is_new(here: Path) -> None:
    put({"list.md": text(ENTRIES), "copy.md": text(ENTRIES)})
    known = Path("known.json").read_text().count('"rule"')
    assert len(found()) >= known


def test_fixed_findings_are_dropped(here: Path) -> None:
    before = Path("known.json").read_text().replace("},\n", "}\n").splitlines()
    put({"list.md": text(ENTRIES).replace("Javascript", "JavaScript")})
    assert found() == []
    shelfread("check", "--write-baseline", "known.json")
    after = Path("known.json").read_text().replace("},\n", "}\n").splitlines()
    assert set(after) < set(before) and len(after) == len(before) - 1
    put({"list.md": text(ENTRIES)})
    assert len(found()) == 1, "and is no longer known"


def test_places_of_other_entries_in_a_message_do_not_count(here: Path) -> None:
    twice = [*ENTRIES, ENTRIES[6]]
    put({"list.md": text(twice)})
    assert "entry/duplicate 20" in found()
    shelfread("check", "--write-baseline", "known.json")
    assert "list.md:" not in Path("known.json").read_text().replace("list.md:#", "")
    put({"list.md": "Words.\n\n" + text([twice[3], *twice[:3], *twice[4:]])})
    assert found() == [], "the line that the message names is another"


def test_statistics_show_the_debt_by_rule(here: Path) -> None:
    put({"list.md": text([*ENTRIES, "- [Saw](https://saw.org) - Saws all of it"])})
    rows = shelfread("check", "--baseline", "known.json", "--statistics").stdout.splitlines()
    assert rows[0].split() == ["new", "known"]
    table = {row.split()[2]: row.split()[:2] for row in rows[1 : rows.index("")]}
    assert table["entry/description-end"] == ["1", "2"]
    assert table["link/missing-file"] == ["0", "1"]


def test_fix_leaves_known_findings_alone(here: Path) -> None:
    put({"list.md": text([*ENTRIES, "- [Saw](https://saw.org) - Saws all of it"])})
    assert shelfread("fix", "--baseline", "known.json").exit_code == 0
    assert Path("list.md").read_text() == text([*ENTRIES, "- [Saw](https://saw.org) - Saws all of it."])


def test_with_since_both_hold(here: Path) -> None:
    commit({})
    put({"list.md": text([*ENTRIES, "- [Saw](https://saw.org) - Saws all of it"])})
    assert found("--since", "HEAD") == ["entry/description-end 20"]
    do("checkout", "--quiet", "list.md")
    assert found("--since", "HEAD") == []


def test_several_processes_and_several_projects(here: Path) -> None:
    put({"sub/.shelfread.yaml": CONFIG, "sub/list.md": text(ENTRIES), "more.md": text(ENTRIES[:4])})
    assert found("-j", "2") and found("-j", "2") == found("-j", "1")
    shelfread("check", "--write-baseline", "known.json")
    assert found() == []


def test_an_unreadable_file_leaves_the_baseline_as_it_was(here: Path) -> None:
    before = Path("known.json").read_bytes()
    put({"bad.md": b"\xff"})
    done = shelfread("check", "--write-baseline", "known.json")
    assert done.exit_code == 2 and "bad.md" in done.stderr
    assert Path("known.json").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "--write-baseline", "x", "--baseline", "known.json"], "leave out --baseline"),
        (["check", "--write-baseline", "x", "--since", "HEAD"], "leave out --since"),
        (["fix", "--write-baseline", "x"], "fix first"),
        (["check", "--diff", "--write-baseline", "x"], "fix first"),
    ],
)
def test_options_that_do_not_go_together(here: Path, words: list[str], message: str) -> None:
    done = shelfread(*words)
    assert done.exit_code == 2 and message in done.stderr and not Path("x").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not valid JSON"),
        ("<<<<<<< HEAD", "bad.json:1: not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("9" * 10_000, "not "),
        ("[]", "not a baseline of shelfread"),
        ('{"version": 2, "findings": []}', "baseline of version 2, but version 1 is needed: create it again"),
        ('{"version": true, "findings": []}', "not a baseline of shelfread"),
        ('{"version": 1}', "without 'findings'"),
        ('{"version": 1, "findings": [1]}', "finding 1 of the baseline is not valid"),
        ('{"version": 1, "findings": [{"rule": "a/b"}]}', "finding 1 of the baseline is not valid"),
        (
            '{"version": 1, "findings": [{"rule": "a", "entry": "", "text": "", "message": "", "count": -1}]}',
            "finding 1 of the baseline is not valid",
        ),
        ("\x00\x1b[31m", "not valid JSON"),
    ],
)
def test_invalid_baselines(here: Path, content: str, message: str) -> None:
    put({"bad.json": content})
    done = shelfread("check", "--baseline", "bad.json")
    assert (done.exit_code, done.stdout) == (2, "") and message in done.stderr
    assert "--write-baseline" in done.stderr and done.stderr.count("\n") == 1 and "\x1b" not in done.stderr


def test_the_folder_of_a_baseline_is_made(here: Path) -> None:
    assert shelfread("check", "--write-baseline", ".shelfread/more/known.json").exit_code == 0
    assert shelfread("check", "--baseline", ".shelfread/more/known.json").exit_code == 0


def test_a_baseline_that_cannot_be_read_or_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "create it with --write-baseline" in shelfread("check", "--baseline", "nowhere.json").stderr
    assert "cannot be read" in shelfread("check", "--baseline", ".").stderr
    assert "cannot be written" in shelfread("check", "--write-baseline", "known.json/known.json").stderr
    monkeypatch.setattr(fingerprint, "_MAX_BYTES", 10)
    with pytest.raises(ConfigError, match="not a baseline"):
        fingerprint.load("known.json")


def test_control_characters_are_escaped(here: Path) -> None:
    put({"list.md": text([*ENTRIES, "- [\x1b[31mRed\u202e](https://red.org) - Is \x1b[31mred"])})
    shelfread("check", "--write-baseline", "known.json")
    assert found() == []
    assert (
        "\x1b" not in Path("known.json").read_text() + shelfread("check", "--baseline", "known.json").stdout
    )


def test_findings_are_compared_with_the_base_commit_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second comparison would take new findings for the older ones that the first has used up."""
    commit({"list.md": text(ENTRIES)})
    calls = []
    split = SinceBase.split

    def count(self: SinceBase, *arguments: Any) -> Any:
        calls.append(arguments)
        return split(self, *arguments)

    monkeypatch.setattr(SinceBase, "split", count)
    assert shelfread("check", "--since", "HEAD", "--baseline", "known.json").exit_code == 0
    assert len(calls) == 1
