"""action.yml, its steps run as the runner would, on a pull request in a real clone."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from support.paths import ROOT
from support.workflow import LIST, PullRequest, Runner, Step

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def use(runner: Runner, **given: str) -> list[Step]:
    return runner.job({"steps": [{"uses": "OWNER/shelfread@COMMIT", "with": given}]})


def test_a_pull_request_hears_what_it_did(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest
) -> None:
    new = "- [Bat](htps://github.com/sharkdp/bat) - Shows files.\n"
    pull_request.commit({"list.md": LIST + new})
    runner = pull_request.runner(offline, clone, stubs, installed=False)
    install, _, check = use(runner)
    assert install.status == 0, install.said
    assert check.status == 1
    assert "::error file=list.md,line=5," in check.said
    assert "line=3," not in check.said and "line=4," not in check.said
    assert "link/malformed" in runner.summary.read_text()


def test_what_is_less_than_an_error_does_not_fail(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest
) -> None:
    new = "- [Bat](http://github.com/sharkdp/bat) - Shows files.\n"
    pull_request.commit(
        {"list.md": LIST + new, "more lists/a b.md": "# More\n\n" + new.replace("bat", "hyperfine")}
    )
    runner = pull_request.runner(offline, clone, stubs)
    _, check = use(runner, paths="list.md\n\nmore lists/a b.md\n", args="--ignore awesome")
    assert check.status == 0, check.said
    assert "::warning file=list.md,line=5," in check.said
    assert "a b.md" in check.said


@pytest.mark.parametrize(("event", "since"), [("schedule", "auto"), ("pull_request", "all")])
def test_everything_is_checked_when_asked_or_when_nothing_changed(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest, event: str, since: str
) -> None:
    pull_request.commit({"notes.md": "# Notes\n"})
    _, check = use(pull_request.runner(offline, clone, stubs, event), since=since)
    assert check.status == 1 and "list.md,line=4," in check.said


def test_a_forced_push_is_checked_whole(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest
) -> None:
    """What it began from is not there any more."""
    pull_request.commit({"notes.md": "# Notes\n"})
    runner = pull_request.runner(offline, clone, stubs, "push")
    (pull_request.temp / "event.json").write_text(f'{{"before": "{"1" * 40}", "forced": true}}')
    runner.github["event.forced"] = "true"
    _, check = use(runner)
    assert check.status == 1 and "list.md,line=4," in check.said


def test_a_shallow_clone_fails_and_says_what_to_do(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest
) -> None:
    pull_request.commit({"notes.md": "# Notes\n"})
    runner = pull_request.runner(offline, clone, stubs)
    deep = pull_request.checkout.rename(pull_request.temp / "deep")
    pull_request.run(["git", "clone", "--quiet", "--depth=1", deep.as_uri(), str(runner.checkout)], deep)
    _, check = use(runner)
    assert check.status == 2 and "set `fetch-depth: 0` for actions/checkout" in check.said


def test_links_are_asked_about_when_wanted(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest
) -> None:
    """Only a link that leads nowhere beyond this machine is new here: the guard refuses it."""
    new = "- [Bat](http://127.0.0.1/bat) - Shows files.\n"
    pull_request.commit({"list.md": LIST + new})
    runner = pull_request.runner(offline, clone, stubs)
    steps = use(runner, links="true")
    assert [name for name, _ in runner.used] == ["OWNER/shelfread", "actions/cache"]
    assert runner.used[1][1]["path"] == str(runner.temp / "shelfread-links.sqlite3")
    links = steps[-1]
    assert "127.0.0.1" in links.said and "ripgrep" not in links.said


def test_nothing_of_an_input_is_run(
    offline: dict[str, str], clone: Path, stubs: Path, pull_request: PullRequest
) -> None:
    pull_request.commit({"notes.md": "# Notes\n"})
    runner = pull_request.runner(offline, clone, stubs)
    use(runner, paths="$(touch ran)", args="; touch ran `touch ran`", since='"; touch ran #')
    assert not (runner.checkout / "ran").exists()


def test_inputs_reach_scripts_by_the_environment_alone() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    used = {
        word for step in ACTION["runs"]["steps"] for word in str(step).split() if word.startswith("inputs.")
    }
    assert {f"inputs.{name}" for name in ACTION["inputs"]} == used
    assert all(one["description"] for one in ACTION["inputs"].values())
