"""The workflows of README.md, docs/ and examples/: parsed, and their jobs run on a pull request in a real clone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.docs import PAGES, fences
from support.paths import ROOT
from support.workflow import LIST, PullRequest, Runner, Step

TEXTS = [
    *(text for page in PAGES.values() for text in fences(page, "yaml")),
    *(path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.yml")),
]
WORKFLOWS: dict[str, dict[str, Any]] = {
    workflow["name"]: workflow for text in TEXTS if "jobs" in (workflow := yaml.safe_load(text))
}


OWN: dict[str, dict[str, Any]] = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
}


def run_job(workflow: dict[str, Any], runner: Runner) -> list[Step]:
    (job,) = workflow["jobs"].values()
    return runner.job(job)


def test_every_workflow_is_run_here() -> None:
    assert set(WORKFLOWS) == {"lists", "dead links"}


@pytest.mark.parametrize("workflow", OWN.values(), ids=OWN)
def test_our_own_workflows_ask_for_little(workflow: dict[str, Any]) -> None:
    assert "pull_request_target" not in workflow[True] and "workflow_run" not in workflow[True]
    granted = [workflow["permissions"], *(job.get("permissions", {}) for job in workflow["jobs"].values())]
    allowed = ({}, {"contents": "read"}, {"id-token": "write"}, {"pages": "write", "id-token": "write"})
    assert all(given in allowed for given in granted)
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 30
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "an expression in a script is run by it"
            assert re.search(r"@(release/)?v\d+$", step.get("uses", "@v1")), "a pinned major version"
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"]["persist-credentials"] is False


def test_every_python_that_is_supported_is_tested() -> None:
    versions = OWN["test"]["jobs"]["linux"]["strategy"]["matrix"]["python"]
    assert versions == [f"3.{minor}" for minor in range(10, 10 + len(versions))] and len(versions) >= 5


@pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=WORKFLOWS)
def test_no_workflow_trusts_a_fork(workflow: dict[str, Any]) -> None:
    triggers = workflow[True]  # YAML's `on`
    assert "pull_request_target" not in triggers and "workflow_run" not in triggers
    is_of_a_change = bool({"pull_request", "push"} & set(triggers))
    assert workflow["permissions"]["contents"] == "read" or not is_of_a_change
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "an expression in a script is run by it"
            if step.get("uses", "").startswith("actions/checkout"):
                writes = workflow["permissions"]["contents"] == "write"
                assert step["with"].get("persist-credentials", True) is writes


def test_lists(offline: dict[str, str], clone: Path, pull_request: PullRequest, stubs: Path) -> None:
    pull_request.commit(
        {
            "list.md": LIST + "- [Bat](htps://github.com/sharkdp/bat) - Shows files.\n",
            ".shelfread.yaml": "ignore: [link]\n",
        }
    )
    runner = pull_request.runner(offline, clone, stubs)
    steps = run_job(WORKFLOWS["lists"], runner)
    assert [step.status for step in steps] == [0, 1, 1], [step.said for step in steps]
    assert "file=list.md,line=5," in steps[1].said, "whatever the change's own configuration says"


@pytest.mark.parametrize(
    ("target", "issue", "words"),
    [
        ("gone.md", "", "issue create --title Dead links"),
        ("gone.md", "7", "issue edit 7 --body-file links.md"),
        ("list.md", "7", "issue close 7"),
        ("list.md", "", ""),
    ],
)
def test_dead_links(
    offline: dict[str, str],
    clone: Path,
    pull_request: PullRequest,
    stubs: Path,
    target: str,
    issue: str,
    words: str,
) -> None:
    """Dead links are listed in one issue, which is closed when there are none."""
    (stubs / "gh").write_text(
        f'#!/bin/sh\ncase "$2" in list) echo {issue};; *) echo "$@" >> {stubs}/gh.words;; esac\n'
    )
    pull_request.commit({"list.md": f"# Tools\n\n- [Fd]({target}) - Finds files.\n"})
    runner = pull_request.runner(offline, clone, stubs, event="schedule")
    (step,) = run_job(WORKFLOWS["dead links"], runner)
    assert step.status == 0, step.said
    said = (stubs / "gh.words").read_text() if (stubs / "gh.words").exists() else ""
    assert words in said and bool(words) == bool(said)
    assert ("gone.md" in (runner.checkout / "links.md").read_text()) == (target == "gone.md")


@pytest.mark.parametrize("open_pull", ["", "8"])
def test_repaired_links(
    offline: dict[str, str], clone: Path, pull_request: PullRequest, stubs: Path, open_pull: str
) -> None:
    """What can be repaired safely is pushed to one branch, whose pull request is opened once."""
    (stubs / "gh").write_text(
        f'#!/bin/sh\ncase "$1 $2" in "pr list") echo {open_pull};; *list) ;; *) echo "$@" >> {stubs}/gh.words;; esac\n'
    )
    pull_request.commit({"Guide.md": "# Guide\n", "list.md": "# Tools\n\n- [Fd](guide.md) - Finds files.\n"})
    runner = pull_request.runner(offline, clone, stubs, event="schedule")
    (step,) = run_job(WORKFLOWS["dead links"], runner)
    assert step.status == 0, step.said
    said = (stubs / "gh.words").read_text() if (stubs / "gh.words").exists() else ""
    assert ("pr create --head repair-links" in said) == (not open_pull) and "issue" not in said
    assert "(Guide.md)" in (runner.checkout / "list.md").read_text()
    pushed = subprocess.run(
        ["git", "ls-remote", "origin", "repair-links"], cwd=runner.checkout, capture_output=True, check=True
    )
    assert pushed.stdout
