"""All JSON that the tool prints: valid, unchanged in value, and nothing in it is a command or a control."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.report.rendering import dumps
from support.command_line import here, sample, shelfread, write_page
from support.gitrepo import commit, init
from support.workflow import commands

__all__ = ["here", "sample"]

TITLE = "##[error]forged ##[add-mask]x \x7f \x9bé 列表 🎉"
LIST = (
    f"# List\n\n## ##[group]Tools\n\n- [One {TITLE}](https://one.org) - Does teh thing.\n"
    f"- [Two {TITLE}](no-##[stop-commands]file.md) - Does teh {TITLE}.\n"
)
RAW = re.compile(r"##\[|[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
COMMANDS = {
    "check": ("check", "--output-format", "json"),
    "sarif": ("check", "--output-format", "sarif"),
    "links": ("links", "--offline", "--output-format", "json"),
    "links sarif": ("links", "--offline", "--output-format", "sarif"),
    "diff": ("diff", "HEAD", "--output-format", "json"),
    "rules": ("rule", "--format", "json"),
    "rule": ("rule", "word/the", "--format", "json"),
    "export": ("export", "--format", "json"),
    "export jsonl": ("export", "--format", "jsonl"),
}


@pytest.fixture
def lists(here: Path) -> Path:
    """A repository with a hostile list, a hostile rule, and a hostile change that is not committed."""
    init(here)
    write_page(here, "word/the", summary="'##[error]forged'", message="'{word} ##[error]forged'")
    commit({"list.md": LIST})
    more = f"- [Three {TITLE}](##[error]gone.md) - Does teh.\n"
    (here / "list.md").write_text(LIST.replace("https://one.org", "https://one.org/##[error]") + more)
    return here


def strings(data: Any) -> Iterator[str]:
    """All texts of some data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from strings(value)


def values(form: str, text: str) -> list[Any]:
    return [json.loads(line) for line in (text.splitlines() if form == "export jsonl" else [text])]


@pytest.mark.slow
@pytest.mark.parametrize("form", COMMANDS)
def test_no_json_gives_the_runner_a_command(form: str, lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = shelfread(*COMMANDS[form]).stdout
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    printed = shelfread(*COMMANDS[form]).stdout
    texts = [plain, printed]
    if not form.startswith("rule"):
        shelfread(*COMMANDS[form], "--output-file", "report.json")
        texts.append((lists / "report.json").read_text(encoding="utf-8"))
    for text in texts:
        assert not RAW.search(text) and not list(commands(text))
        assert values(form, text) == values(form, plain)
    assert any("##[" in text for text in strings(values(form, plain)))


def test_export_gives_titles_as_they_are(lists: Path) -> None:
    (lists / "list.md").write_text(LIST)
    titles = [entry["title"] for entry in json.loads(shelfread("export").stdout)]
    assert titles == [f"One {TITLE}"]


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(
    ANY.filter(
        lambda data: not any(re.search("[\ud800-\udbff][\udc00-\udfff]", text) for text in strings(data))
    )
)
def test_any_data_is_the_same_when_read_again(data: Any) -> None:
    for text in (dumps(data), dumps(data, indent=None)):
        assert json.loads(text) == data
        assert not RAW.search(text)
        text.encode("utf-8")


def test_json_of_one_line() -> None:
    assert dumps({"a": ["##[x\x85"]}, indent=None) == '{"a": ["##\\u005bx\\u0085"]}'
