"""The workflows that README.md shows: parsed, and their jobs run on a pull request in a real clone."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT
from pull_request import LIST, PullRequest
from workflow import Runner, Step

README = (ROOT / "README.md").read_text(encoding="utf-8")
WORKFLOWS: dict[str, dict[str, Any]] = {
    workflow["name"]: workflow
    for text in re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    if "jobs" in (workflow := yaml.safe_load(text))
}
PIPX = """\
#!/bin/sh
[ "$1 $2 $3 $4" = "run --spec git+URL@COMMIT shelfread" ] || exit 99
shift 4
exec {python} -m shelfread "$@"
"""


@pytest.fixture
def stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs that a runner has: pipx runs the code here, the others note what they are given."""
    folder = tmp_path / "stubs"
    folder.mkdir()
    scripts = {
        "pipx": PIPX.format(python=sys.executable),
        "reviewdog": f'#!/bin/sh\necho "$@" > {folder}/reviewdog.words\ncat > {folder}/reviewdog.input\n',
    }
    for name, script in scripts.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    return folder


def run_job(workflow: dict[str, Any], runner: Runner, stubs: Path) -> list[Step]:
    (job,) = workflow["jobs"].values()
    runner.environment["PATH"] = f"{stubs}:{runner.environment['PATH']}"
    runner.environment["PYTHONPATH"] = str(ROOT / "linter")
    return runner.job(job["steps"])


def test_every_workflow_is_run_here() -> None:
    assert set(WORKFLOWS) == {"lists", "suggestions"}


@pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=WORKFLOWS)
def test_no_workflow_trusts_a_fork(workflow: dict[str, Any]) -> None:
    triggers = workflow[True]  # YAML's `on`
    assert "pull_request_target" not in triggers and "workflow_run" not in triggers
    assert workflow["permissions"]["contents"] == "read"
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "what stands there would be run"
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"]["persist-credentials"] is False


def test_lists(offline: dict[str, str], clone: Path, pull_request: PullRequest, stubs: Path) -> None:
    pull_request.commit(
        {
            "list.md": LIST + "- [Bat](htps://github.com/sharkdp/bat) - Shows files.\n",
            ".shelfread.yaml": "ignore: [link]\n",
        }
    )
    runner = pull_request.runner(offline, clone)
    steps = run_job(WORKFLOWS["lists"], runner, stubs)
    assert [step.status for step in steps] == [0, 1, 0], [step.said for step in steps]
    assert "file=list.md,line=5," in steps[1].said, "whatever the change's own configuration says"


def test_suggestions(offline: dict[str, str], clone: Path, pull_request: PullRequest, stubs: Path) -> None:
    pull_request.commit({"list.md": LIST + "- [Bat](htps://github.com/sharkdp/bat) - Shows files.\n"})
    (step,) = run_job(WORKFLOWS["suggestions"], pull_request.runner(offline, clone), stubs)
    assert step.status == 0, step.said
    (finding,) = json.loads((stubs / "reviewdog.input").read_text())["diagnostics"]
    assert finding["location"]["range"]["start"]["line"] == 5
    assert finding["suggestions"][0]["text"].startswith("https")
    assert "-reporter=github-pr-review" in (stubs / "reviewdog.words").read_text()
