"""The command line, in this process and in one of its own, and a rule of a list's own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.rulebook.metadata import find_checks
from support.paths import DATA, LINTER

NAME = "shelfread.checks.sample"


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `check: sample.words` find its function."""
    spec = spec_from_file_location(NAME, DATA / "checks/sample_checks.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, NAME, module)
    monkeypatch.setitem(find_checks(), "sample.words", NAME)
    spec.loader.exec_module(module)


def write_page(root: Path, id: str, **changes: object) -> Path:
    """A page `.shelfread/rules/<id>.md`: a rule that wants `bad` to be `good`; None takes a key out."""
    matter: dict[str, object] = {
        "summary": "A word is the right one.",
        "severity": "warning",
        "presets": "[core]",
        "check": "sample.words",
        "options": "{bad: teh, good: the}",
        "message": "'\"{word}\" is misspelt'",
        "fix": "safe",
    }
    matter |= {key.replace("_", "-"): value for key, value in changes.items()}
    lines = [f"{key}: {value}" for key, value in matter.items() if value is not None]
    page = root / ".shelfread/rules" / f"{id}.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(["---", *lines, "---", f"# {id}", "", "Why.", ""]), encoding="utf-8")
    return page


LIST = (
    "# List\n\n## Tools\n\n- [One](https://one.org) - Does teh thing.\n- [Two](https://two.org) - Does it.\n"
)
FIXED = LIST.replace("teh", "the")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: None) -> Path:
    """A folder with a list, a config and a rule of its own."""
    for name in ("NO_COLOR", "FORCE_COLOR", *(name for name in os.environ if name.startswith("GIT_"))):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    write_page(tmp_path, "word/the")
    (tmp_path / ".shelfread.yaml").write_text("exclude: [.shelfread/]\n")
    (tmp_path / "list.md").write_text(LIST)
    return tmp_path


def shelfread(*words: str, input: str | bytes | None = None) -> Result:
    return CliRunner().invoke(group, words, input=input, prog_name="shelfread")


def process(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The real thing, in a process of its own (which does not have the sample's check)."""
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    command = [sys.executable, "-m", "shelfread", *words]
    return subprocess.run(command, capture_output=True, env=env, check=False, **options)  # type: ignore[call-overload, no-any-return]
