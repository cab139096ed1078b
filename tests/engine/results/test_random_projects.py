"""Results that are kept are those that would be found anew, whatever happens to a project in between."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shelfread.engine.results.recall import holds
from shelfread.engine.results.whole import recall_run
from support.command_line import shelfread
from support.page_examples import read_page
from support.paths import ROOT

STEPS = int(os.environ.get("STEPS", "14"))
"""`STEPS=100 SEEDS=20` for a longer search."""
_FIRST = int(os.environ.get("SEED", "0"))
_FORMATS = ("json", "text", "full", "gitlab", "sarif", "markdown")
_CONFIGS = (
    "presets: [core, papers]\n",
    "presets: [awesome]\nslugs: gitbook\n",
    "presets: [strict, papers, awesome]\n",
    "rules:\n  entry/duplicate: off\n",
    "select: [entry, link, paper]\n",
    "exclude: [code/]\n",
    "taxonomy: ./own.yaml\n",
    "presets: [papers, strict]\ntaxonomy: computing\n",
)
_TAXONOMIES = (
    "title: Own\nconcepts:\n  tools: {prefLabel: Tools}\n  papers: {prefLabel: Papers}\n",
    "title: Own\nconcepts:\n  tools: {prefLabel: Tool, altLabel: [Tools]}\n  trees: {prefLabel: Trees}\n",
)
_PATHS = (
    "README.md", "SUMMARY.md", "list.md", "docs/guide.md", "docs/README.md", "papers.md", "README-de.md",
    "code/setup.md", "CONTRIBUTING.md", "archive/list.md", "docs/infra.md", "bak/old-backup.md",
)  # fmt: skip
_OTHERS = (
    "images/logo.png",
    "docs/logo.png",
    "book.json",
    "_config.yml",
    "LICENSE",
    "docs/Guide.MD",
    "CODE_OF_CONDUCT.md",
)
_LINKS = (
    "See [a picture](images/logo.png), [the guide](docs/guide.md#tools) and [old](list.md#more).\n",
    "See [the list](../list.md#tools), [a licence](LICENSE) and [a folder](docs/).\n",
    "Look at [infra](infra.md) and [the moved](moved.md), and [mine](https://github.com/me/awesome-mine/blob/main/list.md).\n",
    "- [Guide](docs/guide.md)\n- [Papers](papers.md)\n- [List](list.md)\n- [Infra](docs/infra.md)\n- [Code](code/setup.md)\n",
)


def _blocks() -> list[str]:
    """Return parts of the examples of all rules, and entries that answer questions about conventions."""
    found: list[str] = list(_LINKS)
    for page in sorted((ROOT / "rules").glob("*/*.md")):
        for example in read_page(page).examples if page.name != "README.md" else ():
            found += (text for text in example.files.values() if len(text) < 3000)
    for count, form in ((12, "- [T{n}](https://one.org/{n}) - A tool.\n"), (3, "- [T{n}](https://one.org/{n}) – a tool\n"),
                        (11, "- A Study of Thing {n}. [[Paper](https://arxiv.org/abs/2001.{n:05d})] [[Code](https://github.com/a/b{n})]\n"),
                        (4, "- A Study of Thing {n} [[code](https://github.com/a/b{n})] [[paper](https://arxiv.org/pdf/2001.{n:05d})]\n"),
                        (12, "- A Long Study of Many Things {n} ([OSDI 2020](https://doi.org/10.1145/{n})) [[Paper](https://x.org/{n})]\n"),
                        (4, "- A Long Study of Many Things {n} ([OSDI'20](https://doi.org/10.1145/{n}))\n")):  # fmt: skip
        found.append("## Tools\n\n" + "".join(form.format(n=n) for n in range(count)))
    return found


class _Project:
    """A project to which anything may happen."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.blocks = _blocks()
        for path in self.random.sample(_PATHS, 6):
            self._write(path, self._text())

    def change(self) -> None:
        changes: list[tuple[int, Callable[[], None]]] = [
            (8, self.edit), (2, self.add), (2, self.remove), (2, self.rename), (2, self.configure), (1, self.own_rule),
            (1, self.own_taxonomy), (3, self.touch_other), (1, self.git), (1, self.generated),
        ]  # fmt: skip
        weights, functions = zip(*changes, strict=True)
        self.random.choices(functions, weights)[0]()

    def edit(self) -> None:
        path = self._some_file()
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        number = self.random.randrange(len(lines) + 1)
        kind = self.random.randrange(4)
        if kind == 0:
            lines.insert(number, self.random.choice(self.blocks))
        elif kind == 1 and lines:
            del lines[number : number + self.random.choice((1, 1, 5))]
        elif kind == 2 and lines:
            lines.insert(number, self.random.choice(lines))
        else:
            lines.insert(number, "\nSome words.\n\n")
        path.write_text("".join(lines) or "\n", encoding="utf-8")

    def add(self) -> None:
        self._write(self.random.choice(_PATHS), self._text())

    def remove(self) -> None:
        if len(self._files()) > 2:
            self._some_file().unlink()

    def rename(self) -> None:
        target = Path(self.random.choice((*_PATHS, "moved.md")))
        target.parent.mkdir(exist_ok=True)
        self._some_file().rename(target)

    def configure(self) -> None:
        config = Path(".shelfread.yaml")
        if config.exists() and self.random.random() < 0.4:
            config.unlink()
            return
        text = self.random.choice(_CONFIGS)
        if "own.yaml" in text:
            self.own_taxonomy()
        config.write_text(text)

    def own_rule(self) -> None:
        page = Path(".shelfread/rules/own/word.md")
        page.parent.mkdir(parents=True, exist_ok=True)
        word = self.random.choice(("tool", "paper", "guide"))
        page.write_text(_RULE.replace("WORD", word))

    def own_taxonomy(self) -> None:
        Path("own.yaml").write_text(self.random.choice(_TAXONOMIES))

    def touch_other(self) -> None:
        path = Path(self.random.choice(_OTHERS))
        if path.exists():
            path.unlink()
        elif path.name.casefold() not in {
            name.casefold() for name in os.listdir(path.parent if path.parent.exists() else ".")
        }:
            self._write(str(path), self.random.choice(("", "Write to sindresorhus@gmail.com.\n")))

    def git(self) -> None:
        if not os.path.isdir(".git"):
            _git("init", "--quiet", "--initial-branch", "main", ".")
        elif self.random.random() < 0.5:
            _git(
                "config",
                "remote.origin.url",
                f"https://github.com/me/{self.random.choice(('awesome-mine', 'mine'))}.git",
            )
        else:
            _git("add", "--all")
            _git("commit", "--quiet", "--allow-empty", "--message", "Change")

    def generated(self) -> None:
        self._write(
            "CONTRIBUTING.md", "# Contributing\n\nDo not edit README.md: it is generated from list.md.\n"
        )

    def _text(self) -> str:
        return "# A List\n\n" + "\n".join(self.random.sample(self.blocks, self.random.randrange(1, 6)))

    def _write(self, path: str, text: str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")

    def _files(self) -> list[Path]:
        return sorted(path for path in Path().rglob("*.md") if ".shelfread" not in path.parts)

    def _some_file(self) -> Path:
        return self.random.choice(self._files())


_RULE = """---
summary: Looks for a word.
severity: warning
presets: [core]
check: own.forbidden
options: {field: title, pattern: WORD}
message: "the word '{match}'"
---
# own/word

Nothing.
"""


def _git(*words: str) -> None:
    name = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    subprocess.run(["git", *name, *words], check=True, capture_output=True)


def _words(project: _Project) -> Iterator[list[str]]:
    """Yield command lines to compare."""
    choose = project.random
    yield ["check", ".", "--output-format", choose.choice(_FORMATS), "--show-info"]
    if choose.random() < 0.4:
        some = [str(path) for path in choose.sample(project._files(), 2)]
        yield ["check", *some, "--output-format", "json"]
    if choose.random() < 0.3:
        yield [
            "check",
            ".",
            *choose.choice(
                (["--select", "link,entry"], ["--ignore", "paper"], ["-j", "2"], ["--preset", "strict"])
            ),
        ]
    if choose.random() < 0.4:
        yield ["check", "--diff", ".", *choose.choice(([], ["--unsafe-fixes"]))]
    if choose.random() < 0.2 and os.path.isdir(".git"):
        yield ["check", ".", "--since", "HEAD"]
    if choose.random() < 0.2:
        yield [
            "check",
            "list.md" if os.path.exists("list.md") else ".",
            "--isolated",
            "--taxonomy",
            "computing",
        ]


@pytest.fixture
def recalled(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a whole run, and a single file, were found in the cache or not."""
    found: Counter[str] = Counter()

    def counted(name: str, original: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object) -> object:
            answer = original(*args)
            found[f"{name} {bool(answer)}"] += 1
            return answer

        return call

    monkeypatch.setattr("shelfread.engine.results.whole.recall_run", counted("run", recall_run))
    monkeypatch.setattr("shelfread.engine.results.recall.holds", counted("file", holds))
    return found


@pytest.mark.parametrize("seed", range(_FIRST, _FIRST + int(os.environ.get("SEEDS", "1"))))
def test_results_are_those_of_a_run_without_a_cache(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recalled: Counter[str]
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    monkeypatch.chdir(folder)
    project = _Project(seed)
    for step in range(STEPS):
        for words in _words(project):
            expected = shelfread(*words, "--no-cache")
            for _ in range(2):
                found = shelfread(*words)
                assert (found.exit_code, found.output) == (expected.exit_code, expected.output), (step, words)
        if step % 7 == 6:
            _compare_fixes(tmp_path)
        project.change()
    print(seed, dict(recalled))
    assert recalled["run True"] > STEPS / 2
    assert recalled["file True"] > STEPS / 2
    assert recalled["file False"] > STEPS / 10


def _compare_fixes(tmp_path: Path) -> None:
    """Fix the project with a cache, and hold it against a fix without one of the same files."""
    before, after = tmp_path / "before", tmp_path / "after"
    shutil.copytree(".", before, symlinks=True)
    found = shelfread("fix", ".")
    shutil.copytree(".", after, symlinks=True)
    _restore(before)
    expected = shelfread("fix", ".", "--no-cache")
    assert (found.exit_code, found.output) == (expected.exit_code, expected.output)
    for path in sorted(after.rglob("*.md")):
        assert path.read_bytes() == Path(path.relative_to(after)).read_bytes()
    again = shelfread("fix", ".")
    assert again.output == shelfread("fix", ".", "--no-cache").output
    shutil.rmtree(before)
    shutil.rmtree(after)


def _restore(folder: Path) -> None:
    for path in folder.rglob("*.md"):
        Path(path.relative_to(folder)).write_bytes(path.read_bytes())
