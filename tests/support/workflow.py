"""Runs workflows as a job of GitHub Actions does, for a pull request to a repository of lists."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from support.gitrepo import Run
from support.paths import ROOT


class Step(NamedTuple):
    """What became of one step: its name, exit status and what it said."""

    name: str
    status: int
    said: str


def _text(value: object) -> str:
    """A YAML value as an input is given: all inputs are texts."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Runner:
    """One job: the repository's checkout, its environment, and what expressions may ask for.

    `actions` are the folders of the actions that steps name; others (actions/checkout, actions/cache) are noted in
    `used` and do nothing.
    """

    def __init__(
        self,
        checkout: Path,
        temp: Path,
        environment: Mapping[str, str],
        github: Mapping[str, str],
        actions: Mapping[str, Path],
    ) -> None:
        self.checkout = checkout
        self.temp = temp
        self.github = dict(github)
        self.actions = actions
        self.used: list[tuple[str, Mapping[str, Any]]] = []
        self.failed = False
        self.skipped: set[str] = set()
        """Names of steps whose work is done already."""
        self.summary = temp / "summary.md"
        self._path = temp / "path"
        self._path.touch()
        self._outputs: dict[str, str] = {}
        """What steps said of themselves: `ID.outputs.NAME`."""
        self.environment = {
            **environment,
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            "GITHUB_WORKSPACE": str(checkout),
            "GITHUB_EVENT_NAME": github.get("event_name", ""),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_PATH": str(self._path),
            "RUNNER_TEMP": str(temp),
        }

    def job(self, job: Mapping[str, Any]) -> list[Step]:
        """Run the steps of a job."""
        self.environment |= {key: self.expand(str(value), {}) for key, value in job.get("env", {}).items()}
        return list(self._steps(job["steps"], {}))

    def _steps(self, steps: list[dict[str, Any]], inputs: Mapping[str, str]) -> Iterator[Step]:
        for step in steps:
            if step.get("name") in self.skipped or not self._wanted(str(step.get("if", "success()")), inputs):
                continue
            if "uses" in step:
                name = step["uses"].partition("@")[0]
                given = {
                    key: self.expand(_text(value), inputs) for key, value in step.get("with", {}).items()
                }
                self.used.append((name, given))
                if name in self.actions:
                    yield from self._action(self.actions[name], given)
                continue
            yield self._run(step, inputs)

    def _action(self, folder: Path, given: Mapping[str, str]) -> Iterator[Step]:
        action = yaml.safe_load((folder / "action.yml").read_text(encoding="utf-8"))
        unknown = set(given) - set(action["inputs"])
        assert not unknown, f"inputs that the action does not have: {unknown}"
        inputs = {
            key: given.get(key, self.expand(str(one.get("default", "")), {}))
            for key, one in action["inputs"].items()
        }
        self.github["action_path"] = str(folder)
        for step in action["runs"]["steps"]:
            assert "uses" in step or step["shell"] == "bash", "a composite action names its shells"
        yield from self._steps(action["runs"]["steps"], inputs)

    def _run(self, step: Mapping[str, Any], inputs: Mapping[str, str]) -> Step:
        script = step["run"]
        assert "${{" not in script, "an expression within a script is run by it"
        environment = {key: self.expand(str(value), inputs) for key, value in step.get("env", {}).items()}
        path = os.pathsep.join([*reversed(self._path.read_text().split()), self.environment["PATH"]])
        output = self.temp / "output"
        output.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.checkout,
            env={**self.environment, "PATH": path, "GITHUB_OUTPUT": str(output), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self._outputs[f"{step['id']}.outputs.{name}"] = value
        self.failed = self.failed or done.returncode != 0
        return Step(step.get("name", script.splitlines()[0]), done.returncode, done.stdout)

    def _wanted(self, condition: str, inputs: Mapping[str, str]) -> bool:
        condition = condition.removeprefix("${{").removesuffix("}}").strip()
        return all(self._holds(part.strip(), inputs) for part in condition.split("&&"))

    def _holds(self, part: str, inputs: Mapping[str, str]) -> bool:
        if part in ("!cancelled()", "always()"):
            return True
        if part in ("success()", "failure()"):
            return self.failed == (part == "failure()")
        left, operator, right = re.fullmatch(r"(\S+) (==|!=) '(.*)'", part).groups()  # type: ignore[union-attr]
        return (self._value(left, inputs) == right) == (operator == "==")

    def expand(self, text: str, inputs: Mapping[str, str]) -> str:
        """A text with the values of its expressions."""
        return re.sub(r"\$\{\{\s*(\S+)\s*\}\}", lambda match: self._value(match[1], inputs), text)

    def _value(self, name: str, inputs: Mapping[str, str]) -> str:
        room, _, key = name.partition(".")
        known: Mapping[str, Mapping[str, str]] = {
            "inputs": inputs,
            "runner": {"temp": str(self.temp)},
            "steps": self._outputs,
            "github": {
                "token": "a-token",
                "run_id": "1",
                "run_attempt": "1",
                "job": "lists",
                "event.forced": "",
                **self.github,
            },
        }
        return known[room][key]


NAMES = set(
    "error warning notice debug group endgroup echo add-mask add-matcher remove-matcher add-path set-env "
    "set-output save-state stop-commands".split()
)


class Command(NamedTuple):
    """A command with its properties and its message."""

    name: str
    properties: dict[str, str]
    message: str


def commands(output: str) -> Iterator[Command]:
    """All commands of an output; between stop-commands and its token there are none."""
    token = None
    for line in re.split(r"\r\n|\n|\r", output):
        one = _command(line, {token} if token else NAMES)
        if one is not None:
            token = one.message if one.name == "stop-commands" else None
            if one.name in NAMES:
                yield one


def _command(line: str, names: set[str]) -> Command | None:
    stripped = line.lstrip()
    if stripped.startswith("::") and (end := stripped.find("::", 2)) > 0:
        name, _, told = stripped[2:end].partition(" ")
        if name in names:
            pairs = (pair.partition("=") for pair in told.strip().split(",") if pair)
            properties = {key: _plain(value, "\r\n:,%") for key, _, value in pairs if value}
            return Command(name, properties, _plain(stripped[end + 2 :], "\r\n%"))
    found = re.search(r"##\[([^] ]*)[^]]*\](.*)", line)
    if found and found[1] in names:
        return Command(found[1], {}, found[2])
    return None


def _plain(text: str, characters: str) -> str:
    """The per cent sign last, as the runner does."""
    for character in characters:
        text = text.replace(f"%{ord(character):02X}", character)
    return text


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
