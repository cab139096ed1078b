"""No output has a character that controls a terminal or turns the direction of what a reader sees."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shelfread.cli.options import FORMATS
from support.command_line import here, sample, shelfread
from support.gitrepo import commit, init

__all__ = ["here", "sample"]

HOSTILE = "\x9b31m\u202e\u2066\u200e\u061c\x7f\x1b[31m\U000e0041\ufeffz"
BIDI = "\u202e\u2066\u200ez"
RAW = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
LIST = (
    f"# List {HOSTILE}\n\n## Tools {HOSTILE}\n\n- [One {HOSTILE}](https://one.org/{BIDI}?utm_source=x) - Does teh {HOSTILE}.\n"
    f"- Tofu {HOSTILE}: Very Large Models (EuroSys 2019) [[Paper {HOSTILE}](http://arxiv.org/abs/1706.03762)]\n"
    f"- [Gone {HOSTILE}](#gone{BIDI}) - Does it.\n"
)
TAXONOMY = f"concepts:\n  a: {{prefLabel: {json.dumps(HOSTILE.replace(chr(0xE0041), ''))}}}\n"
COMMANDS = {
    **{f"check {form}": ("check", "--show-info", "--output-format", form) for form in FORMATS},
    "statistics": ("check", "--statistics"),
    **{f"links {form}": ("links", "--offline", "--output-format", form) for form in FORMATS},
    **{f"diff {form}": ("diff", "HEAD", "--output-format", form) for form in ("text", "json", "markdown")},
    "export json": ("export",),
    "export jsonl": ("export", "--format", "jsonl"),
    "export annotated": ("export", "--annotate"),
    **{
        f"export {form}": ("export", "--format", form)
        for form in ("csl-json", "bibtex", "ris", "csv", "markdown")
    },
    **{f"feed {form}": ("feed", "--format", form) for form in ("atom", "json", "markdown")},
    "export skos": ("export", "--format", "skos", "--taxonomy", "taxonomy.yaml"),
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_outputs(command: str, here: Path) -> None:
    init(here)
    commit({"list.md": "# List\n", ".gitignore": "*.yaml\nout*\n"})
    (here / "taxonomy.yaml").write_text(TAXONOMY)
    (here / "list.md").write_text(LIST)
    (here / "b\x1b[31m\x9b\u202e.md").write_text(LIST)
    if "feed" in command:
        commit({})
    done = shelfread(*COMMANDS[command])
    assert done.exit_code in (0, 1) and len(done.stdout) > 100, done.output
    for text in (done.stdout.replace("\r\n", "\n"), done.stderr):
        assert not (found := RAW.search(text)), repr(text[max(0, found.start() - 50) : found.end() + 20])
    shelfread(*COMMANDS[command], "--output-file", "out.jsonld" if "skos" in command else "out")
    for path in here.glob("out*"):
        assert not RAW.search(path.read_bytes().decode().replace("\r\n", "\n"))


def test_json_means_the_same(here: Path) -> None:
    (here / "list.md").write_text(LIST)
    titles = [entry["title"] for entry in json.loads(shelfread("export").stdout)]
    assert any(BIDI[:2] in title for title in titles)
