"""A pull request to a repository of lists, as a job of GitHub Actions finds it."""

from __future__ import annotations

import json
from pathlib import Path

from support.commands import Run
from support.paths import ROOT
from support.workflow import Runner

LIST = """\
# Tools

- [Ripgrep](http://github.com/BurntSushi/ripgrep) - Searches fast.
- [Fd](htps://github.com/sharkdp/fd) - Finds files.
"""


class PullRequest:
    """A clone, as actions/checkout leaves it, of the merge of a branch into main."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run = run
        self.origin = folder / "origin"
        self.checkout = folder / "check out"
        self.temp = folder / "temp"
        self.temp.mkdir(parents=True)
        self.origin.mkdir()
        self._git("init", "--quiet", "--initial-branch=main")
        self.commit({"list.md": LIST})
        self._git("switch", "--quiet", "-c", "change")

    def _git(self, *words: str, at: Path | None = None) -> str:
        return self.run(["git", *words], at or self.origin).stdout.strip()

    def commit(self, texts: dict[str, str]) -> None:
        for name, text in texts.items():
            (self.origin / name).parent.mkdir(parents=True, exist_ok=True)
            (self.origin / name).write_text(text, encoding="utf-8")
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", "change")

    def runner(
        self,
        offline: dict[str, str],
        clone: Path,
        stubs: Path,
        event: str = "pull_request",
        installed: bool = True,
    ) -> Runner:
        """The runner of a job, with `stubs` in its PATH; where they are installed the action does not do so."""
        base = self._git("rev-parse", "main")
        self._git("clone", "--quiet", str(self.origin), str(self.checkout))
        self._git("checkout", "--quiet", "--detach", "origin/main", at=self.checkout)
        self._git("merge", "--quiet", "--no-ff", "--message", "merge", "origin/change", at=self.checkout)
        payload = self.temp / "event.json"
        payload.write_text(
            json.dumps({"pull_request": {"base": {"sha": base}}} if event == "pull_request" else {})
        )
        environment = {**offline, "GITHUB_EVENT_PATH": str(payload), "GITHUB_BASE_REF": "main"}
        if event != "pull_request":
            del environment["GITHUB_BASE_REF"]
        github = {"event_name": event}
        runner = Runner(self.checkout, self.temp, environment, github, {"OWNER/shelfread": clone})
        runner.environment["PATH"] = f"{stubs}:{runner.environment['PATH']}"
        if installed:
            runner.environment["PYTHONPATH"] = str(ROOT / "linter")
            runner.skipped.add("Install shelfread")
        return runner
