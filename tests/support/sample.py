"""A list's own rules for tests: pages beside a config, and the check behind them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from support.paths import DATA

NAME = "shelfread.checks.sample"


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `check: sample.words` find its function."""
    spec = spec_from_file_location(NAME, DATA / "checks/sample_checks.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, NAME, module)
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
