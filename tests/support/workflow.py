"""A small runner of workflows and composite actions: their `run` steps in bash, as GitHub's runner calls it."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml


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
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.checkout,
            env={**self.environment, "PATH": path, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
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
