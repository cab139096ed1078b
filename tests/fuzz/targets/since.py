"""`check` and `fix` with `--since`: two commits of a list. The input has both, parted by a line."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from fuzz import commands
from fuzz.faults import Fault
from fuzz.targets.diff import BORDER, generate
from shelfread.rulebook.metadata import RuleMetadata, load_rules

__all__ = ["faults", "generate"]

_NOBODY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_SETTINGS = ("user.name=Nobody", "user.email=nobody@example.org", "core.autocrlf=false", "gc.auto=0")


def faults(data: bytes) -> Iterator[Fault]:
    """Commit both texts; judge the second since the first, and since itself.

    More may break a convention, or be unlike the other entries, than without `--since`: those are the first text's, of
    which little may be left.
    """
    before, _, after = data.partition(BORDER)
    with commands.folder() as folder:
        _git("init", "--quiet")
        for text in (before, after):
            Path("list.md").write_bytes(text)
            _git("add", "--all")
            _git("commit", "--quiet", "--allow-empty", "--message", "More")
        rules = ("--isolated", *commands.ALL_RULES)
        yield from commands.for_people("check", *rules, "--since", "HEAD~1", "--show-info", workflow=True)
        report = partial(commands.run, "check", *rules, "--show-info", "--output-format", "json", "--since")
        done = report("HEAD~1")
        yield from commands.badly_ended("check --since", done)
        new = json.loads(done.stdout_bytes)["diagnostics"] if done.exit_code != 2 else []
        every = commands.run("check", *rules, "--show-info", "--output-format", "json")
        unlearned = [found for found in new if not _learns(load_rules()[found["rule"]])]
        if every.exit_code != 2 and len(unlearned) > len(json.loads(every.stdout_bytes)["diagnostics"]):
            yield Fault("check --since: more findings than without it")
        same = report("HEAD")
        if same.exit_code != 2 and (found := json.loads(same.stdout_bytes)["diagnostics"]):
            yield Fault("check --since: a list has findings since itself", found[0]["rule"])
        yield from fixed_twice("fix --since", folder, "fix", *rules, "--unsafe-fixes", "--since", "HEAD~1")


def _learns(rule: RuleMetadata) -> bool:
    """Return whether a rule asks what most of the list does, such as its order, or what its page says of the base commit."""
    asks_base = "--since" in rule.page.read_text("utf-8")
    return rule.convention is not None or "learned" in rule.options.values() or asks_base


def fixed_twice(name: str, folder: Path, *words: str) -> Iterator[Fault]:
    """Run a command that writes twice; the second time it changes nothing."""
    yield from commands.badly_ended(name, commands.run(*words))
    once = _texts(folder)
    yield from commands.badly_ended(name, commands.run(*words))
    for path, text in _texts(folder).items():
        if text != once.get(path):
            yield Fault(f"{name}: a second run changes more", path)


def _texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.md"))}


def _git(*words: str) -> None:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *settings, *words], check=True, capture_output=True, env=environment | _NOBODY)
