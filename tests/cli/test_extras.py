"""Every command without what the extras bring: it works, or says in one line what to install."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.core import errors
from support.docs import README
from support.gitrepo import commit, repo
from support.lowest_versions import PROJECT

__all__ = ["repo"]

LIST = "# Papers\n\n## Training\n\n- Tofu: Partitioning ([EuroSys 2019](https://doi.org/10.1145/3302424.3303953))\n"
FILES = {
    "README.md": LIST,
    "one.bib": "@misc{a, title = {A Title of a Paper}}\n",
    "one.ris": "TY  - JOUR\nTI  - A Title of a Paper\nER  - \n",
    "one.csv": "title,url\nA Title of a Paper,https://example.org/a\n",
    "one.ttl": "<https://example.org/a> <https://example.org/b> 1 .\n",
}
MODULES = {module for modules in errors._MODULES.values() for module in modules} | {"mdformat"}


@pytest.fixture(autouse=True)
def bare(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without extras, in a repository with a list."""
    commit(FILES)
    for name in [name for name in sys.modules if name.partition(".")[0] in MODULES]:
        monkeypatch.delitem(sys.modules, name)
    for name in MODULES:
        monkeypatch.setitem(sys.modules, name, None)


def shelfread(words: str) -> Result:
    return CliRunner().invoke(group, words.split(), prog_name="shelfread")


@pytest.mark.parametrize(
    "words",
    [
        "check",
        "fix --diff",
        "format --check",
        "links --offline",
        *(f"export --format {form}" for form in "json jsonl csl-json bibtex ris csv markdown".split()),
        "import one.csv",
        "add --offline 10.1145/3302424.3303953",
        "complete --offline",
        "page --output-file page.html",
        "feed",
        "diff HEAD",
        "audit . --output ../audit",
        "audit . --output ../audit --format jsonl",
        "init",
        "rule",
        "taxonomy show --taxonomy ml-systems",
        "taxonomy map --taxonomy ml-systems",
        "taxonomy check ml-systems",
    ],
)
def test_works_without_extras(words: str) -> None:
    done = shelfread(words)
    assert done.exit_code in (0, 1) or "run once without --offline" in done.output, done.output
    assert "pip install" not in done.output


@pytest.mark.parametrize(
    ("words", "extra", "what"),
    [
        ("import one.bib", "import", "BibTeX"),
        ("import one.ris", "import", "RIS"),
        ("taxonomy import one.ttl", "skos", "RDF"),
        ("taxonomy check one.ttl", "skos", "RDF"),
        ("server", "server", "the language server"),
        ("audit . --output ../audit --format parquet", "audit", "Parquet"),
        (
            "audit . --output ../audit --executor dask --scheduler tcp://127.0.0.1:9",
            "dask",
            "--executor dask",
        ),
    ],
)
def test_says_what_to_install(words: str, extra: str, what: str) -> None:
    done = shelfread(words)
    assert (done.exit_code, done.stdout) == (2, "")
    pattern = rf"shelfread: {what} needs the extra '{extra}': pip install 'shelfread\[{extra}\][^']*'(, or use --format csv or jsonl)?\n"
    assert re.fullmatch(pattern, done.stderr), done.stderr
    assert not Path("../audit/index.html").exists()


@pytest.mark.parametrize(
    ("record", "address"),
    [
        ('{"url": "https://example.org/s.git", "vcs_info": {"vcs": "git"}}', " @ git+https://example.org/s.git"),
        ('{"url": "file:///src", "dir_info": {"editable": true}}', " @ file:///src"),
        (None, ""),
    ],
    ids=["git", "folder", "index"],
)  # fmt: skip
def test_the_command_names_where_this_was_installed_from(
    record: str | None, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            return record if name == "direct_url.json" else None

    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed())
    said = f"shelfread: RDF needs the extra 'skos': pip install 'shelfread[skos]{address}'\n"
    assert shelfread("taxonomy check one.ttl").stderr == said


def test_a_checkout_says_what_the_readme_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", missing)
    (command,) = re.findall(r"pip install 'shelfread\[skos\].*'", shelfread("taxonomy check one.ttl").stderr)
    assert command.replace("skos", "import") in README


def test_the_extras_are_those_of_the_project_and_of_the_readme() -> None:
    listed = PROJECT["optional-dependencies"]
    assert {*errors._MODULES, "mdformat", "all"} == set(listed)
    (everything,) = listed["all"]
    assert set(re.findall(r"\w+", everything)) - {"shelfread"} == set(listed) - {"all"}
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)) == set(listed)
