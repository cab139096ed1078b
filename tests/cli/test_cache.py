"""`check` and `fix` find what an earlier run found in the same files without reading them again."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from shelfread.cli.options import FORMATS
from shelfread.core.folders import cache_path
from shelfread.engine import results
from support.command_line import shelfread
from support.paths import LINTER, ROOT

_PAPER = "- A Study of Thing {n}. [[Paper](https://arxiv.org/abs/2001.{n:05d})] [[Code](https://github.com/a/b{n})]\n"
_LIST = (
    "# List\n\n## Papers\n\n" + "".join(_PAPER.format(n=n) for n in range(12)) + "\n## Tools\n\n"
    "- [One](http://one.org) - Does teh thing.\n- [Two](https://two.org/?utm_source=x) - does it\n"
    "- [Gone](gone.md)\n- [Gone too](#nowhere)\n"
)
_OTHER = "# Other\n\n" + _PAPER.format(n=3) + "\n![a picture](picture.png) [one](list.md#tools)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NO_COLOR", "FORCE_COLOR", *(name for name in os.environ if name.startswith("GIT_"))):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(_LIST)
    (tmp_path / "other.md").write_text(_OTHER)
    return tmp_path


@pytest.fixture
def read_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the lists that are parsed."""
    from shelfread.engine import batch
    from shelfread.engine import load_save as load

    found: list[str] = []

    def watched(original: Callable[..., object]) -> Callable[..., object]:
        def read(source: object, *rest: object) -> object:
            found.append(str(getattr(source, "path", "")))
            return original(source, *rest)

        return read

    for each in (load, batch):
        monkeypatch.setattr(each, "read", watched(each.read))
    return found


@pytest.mark.parametrize("form", FORMATS)
def test_every_report_is_the_same(folder: Path, read_texts: list[str], form: str) -> None:
    words = ("check", "--show-info", "--output-format", form)
    expected = shelfread(*words, "--no-cache")
    assert not cache_path("results").exists()
    first = shelfread(*words)
    read_texts.clear()
    second = shelfread(*words)
    assert first.output == second.output == expected.output
    assert first.exit_code == second.exit_code == 1
    assert read_texts == []


def test_a_change_of_one_file_is_seen(folder: Path, read_texts: list[str]) -> None:
    shelfread("check")
    with (folder / "list.md").open("a") as stream:
        stream.write("\n## More\n")
    changed = shelfread("check")
    assert {"list.md", "other.md"} <= set(read_texts)
    assert changed.output == shelfread("check", "--no-cache").output


def _add_picture(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"")


def _add_page(folder: Path) -> None:
    (folder / "gone.md").write_text("# Gone\n")


def _configure(folder: Path) -> None:
    (folder / ".shelfread.yaml").write_text("rules:\n  link/missing-file: off\n")


def _own_taxonomy(folder: Path) -> None:
    (folder / "own.yaml").write_text(
        "title: Own\nconcepts:\n  tools: {prefLabel: Gadgets, altLabel: [Tools]}\n"
    )
    (folder / ".shelfread.yaml").write_text("taxonomy: ./own.yaml\n")


def _change_other(folder: Path) -> None:
    (folder / "other.md").write_text("# Other\n")


def _rename_other(folder: Path) -> None:
    (folder / "other.md").rename(folder / "an-other.md")


@pytest.mark.parametrize(
    "change", [_add_picture, _add_page, _configure, _own_taxonomy, _change_other, _rename_other]
)
def test_what_changes_the_findings_is_seen(folder: Path, change: Callable[[Path], None]) -> None:
    words = ("check", "--show-info", "--output-format", "json")
    before = shelfread(*words).output
    change(folder)
    after = shelfread(*words).output
    assert after != before
    assert after == shelfread(*words, "--no-cache").output == shelfread(*words).output


def test_a_taxonomy_that_another_one_extends_is_read(folder: Path) -> None:
    (folder / "base.yaml").write_text("title: Base\nconcepts:\n  tools: {prefLabel: Tools}\n")
    (folder / "own.yaml").write_text("title: Own\nextends: ./base.yaml\nconcepts: {}\n")
    words = ("check", "--taxonomy", "own.yaml", "--show-info", "--output-format", "json")
    before = shelfread(*words).output
    (folder / "base.yaml").write_text(
        "title: Base\nconcepts:\n  tools: {prefLabel: Gadgets, altLabel: [Tools]}\n"
    )
    after = shelfread(*words).output
    assert after != before
    assert after == shelfread(*words, "--no-cache").output


def test_own_rules_are_read(folder: Path) -> None:
    page = folder / ".shelfread/rules/own/word.md"
    page.parent.mkdir(parents=True)
    (folder / ".shelfread.yaml").write_text("exclude: [.shelfread/]\n")
    text = (
        "---\nsummary: Looks for a word.\nseverity: warning\npresets: [core]\ncheck: own.forbidden\n"
        "options: {field: title, pattern: 'WORD'}\nmessage: found it\n---\n# own/word\n"
    )
    outputs = []
    for word in ("Study", "nowhere", "Thing 1"):
        page.write_text(text.replace("WORD", word))
        outputs.append(shelfread("check", "--output-format", "concise").output)
        assert outputs[-1] == shelfread("check", "--output-format", "concise", "--no-cache").output
    assert len(set(outputs)) == 3


def test_the_year_is_part_of_the_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shelfread.index import disk

    (folder / "list.md").write_text(
        "# List\n\n- A Study of Jobs ([OSDI 2031](https://a.org)) [[Paper](https://a.org/b)]\n"
    )
    words = ("check", "--preset", "papers", "--output-format", "concise", "list.md")
    before = shelfread(*words).output

    class Later(disk.date):
        @classmethod
        def today(cls) -> Later:
            return cls(2033, 1, 1)

    monkeypatch.setattr(disk, "date", Later)
    after = shelfread(*words).output
    assert before != after == shelfread(*words, "--no-cache").output


def test_fix_is_not_run_again_where_it_has_nothing_to_do(folder: Path, read_texts: list[str]) -> None:
    fixed = shelfread("fix", "--show-info")
    assert "utm_source" not in (folder / "list.md").read_text()
    assert fixed.exit_code == 1
    texts = {path: path.read_bytes() for path in folder.glob("*.md")}
    expected = shelfread("fix", "--show-info", "--no-cache")
    shelfread("fix", "--show-info")
    read_texts.clear()
    again = shelfread("fix", "--show-info")
    assert again.output == expected.output
    assert read_texts == []
    assert texts == {path: path.read_bytes() for path in folder.glob("*.md")}


def test_no_cache_neither_reads_nor_writes(folder: Path, read_texts: list[str]) -> None:
    for command in ("check", "fix"):
        shelfread(command, "--no-cache")
    assert not cache_path("results").exists()
    shelfread("check")
    before = _kept()
    read_texts.clear()
    shelfread("check", "--no-cache")
    assert sorted(read_texts) == ["list.md", "other.md"]
    assert _kept() == before


def _kept() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in cache_path("results").iterdir()}


def test_nothing_is_written_beside_the_lists(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    shelfread("check")
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "words", [("check", "-"), ("check", "--baseline", "known.json"), ("check", "--since", "HEAD")]
)
def test_some_runs_keep_nothing(folder: Path, words: tuple[str, ...]) -> None:
    """Of what depends on another text than those of the files."""
    name = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        subprocess.run(["git", *name, *command], check=True)
    shelfread("check", "--no-cache", "--write-baseline", "known.json")
    with (folder / "list.md").open("a") as stream:
        stream.write("- [Five](http://five.org/?utm_source=y) - Does teh thing\n")
    text = _LIST if "-" in words else None
    expected = shelfread(*words, "--no-cache", input=text).output
    for _ in range(3):
        assert shelfread(*words, input=text).output == expected


def test_a_file_that_cannot_be_read_is_named_each_time(folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"\xff\xfe")
    first, second = shelfread("check"), shelfread("check")
    assert first.exit_code == second.exit_code == 2
    assert first.output == second.output == shelfread("check", "--no-cache").output
    assert "bad.md" in first.output


def test_a_damaged_cache_changes_nothing(folder: Path, read_texts: list[str]) -> None:
    expected = shelfread("check").output
    (path,) = cache_path("results").iterdir()
    whole = path.read_bytes()
    turned = bytes([*whole[:-9], whole[-9] ^ 1, *whole[-8:]])
    for data in (b"", b"{}", os.urandom(len(whole)), whole[: len(whole) // 2], turned):
        path.write_bytes(data)
        read_texts.clear()
        assert shelfread("check").output == expected
        assert read_texts
        assert shelfread("check").output == expected
    assert path.read_bytes() == whole


def test_results_of_another_run_are_not_taken(folder: Path, read_texts: list[str]) -> None:
    shelfread("check")
    (before,) = cache_path("results").iterdir()
    with (folder / "list.md").open("a") as stream:
        stream.write("- [Five](http://five.org/?utm_source=y) - Does teh thing\n")
    expected = shelfread("check").output
    (after,) = set(cache_path("results").iterdir()) - {before}
    after.write_bytes(before.read_bytes())
    read_texts.clear()
    assert shelfread("check").output == expected
    assert read_texts


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_what_others_can_write_to_is_not_used(folder: Path, read_texts: list[str]) -> None:
    shelfread("check")
    (path,) = cache_path("results").iterdir()
    for changed, mode in ((path, 0o620), (path, 0o602), (path.parent, 0o720), (path.parent, 0o702)):
        before = changed.stat().st_mode
        changed.chmod(mode)
        read_texts.clear()
        shelfread("check")
        assert read_texts
        changed.chmod(before)
    read_texts.clear()
    shelfread("check")
    assert read_texts == []


def test_the_folder_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelfread("check")
    (oldest,) = cache_path("results").iterdir()
    os.utime(oldest, (1_000_000_000, 1_000_000_000))
    shelfread("check", "list.md")
    assert oldest not in cache_path("results").iterdir()
    (last,) = cache_path("results").iterdir()
    monkeypatch.setattr(results, "MAX_BYTES", last.stat().st_size + 100)
    shelfread("check", "other.md")
    assert last not in cache_path("results").iterdir()


@pytest.mark.parametrize("kind", ["file", "dangling link", "full"])
def test_a_folder_that_cannot_be_used_changes_nothing(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = shelfread("check", "--no-cache").output
    cache_path("results").parent.mkdir(parents=True, exist_ok=True)
    if kind == "file":
        cache_path("results").write_text("mine")
    elif kind == "dangling link":
        cache_path("results").symlink_to("nowhere/at/all")
    else:

        def fail(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", fail)
    for _ in range(2):
        assert shelfread("check").output == expected
    if kind == "file":
        assert cache_path("results").read_text() == "mine"


@pytest.mark.parametrize("home", ["", "/proc/nowhere", "/dev/null", "relative"])
def test_without_a_place_for_the_cache_nothing_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    expected = shelfread("check", "--no-cache").output
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, home) if home else monkeypatch.delenv(name, raising=False)
    if not home:
        monkeypatch.setattr("os.path.expanduser", lambda path: path)
    before = sorted(folder.rglob("*"))
    for _ in range(2):
        assert shelfread("check").output == expected
    assert sorted(folder.rglob("*")) == before


_SHOW_MODULES = """
import atexit, sys
sys.argv = ["shelfread", "check", "--output-format", "concise"]
from shelfread.__main__ import main
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
main()
"""


def test_the_parser_and_the_rules_are_not_even_imported(folder: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    script = folder.parent / "modules.py"
    script.write_text(_SHOW_MODULES)
    modules: list[set[str]] = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(script)], cwd=folder, env=env, capture_output=True, text=True
        )
        modules.append(set(done.stderr.splitlines()[-1].split()))
    assert "markdown_it" in modules[0]
    parsers = {name for name in modules[1] if name.startswith(("markdown_it", "shelfread.markdown"))}
    assert not parsers
    assert not {name for name in modules[1] if name.startswith("shelfread.checks.")}


@pytest.mark.slow
def test_a_checkout_that_changes_gets_no_old_answers(tmp_path: Path) -> None:
    """Its version stays the same while it is worked on."""
    copy = tmp_path / "copy"
    for name in ("linter", "rules", "schema"):
        shutil.copytree(ROOT / name, copy / name)  # with the bytecode, which is slow to make again
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/list.md").write_text(_LIST)
    env = {**os.environ, "PYTHONPATH": str(copy / "linter")}

    def check(*words: str) -> str:
        command = [sys.executable, "-m", "shelfread", "check", "--output-format", "concise", *words]
        return subprocess.run(command, cwd=tmp_path / "lists", env=env, capture_output=True, text=True).stdout

    first = check()
    assert "only track visitors" in first
    assert check() == first == check("--no-cache")
    page = copy / "rules/link/tracking.md"
    page.write_text(page.read_text().replace('message: "', 'message: "Changed! ', 1))
    second = check()
    assert "Changed!" in second
    assert second == check("--no-cache") == check()
    module = copy / "linter/shelfread/checks/link/detours.py"
    module.write_text(
        module.read_text() + "\n\ntracking.__code__ = (lambda document, context: iter(())).__code__\n"
    )
    third = check()
    assert "track visitors" not in third
    assert third
    assert third == check("--no-cache")


def test_several_processes_of_one_run_keep_their_shares(folder: Path, read_texts: list[str]) -> None:
    for number in range(5):
        (folder / f"more{number}.md").write_text(_LIST.replace("Tools", f"Tools {number}"))
    expected = shelfread("check", "--no-cache", "--output-format", "json").output
    for _ in range(2):
        assert shelfread("check", "-j", "3", "--output-format", "json").output == expected
    read_texts.clear()
    assert shelfread("check", "--output-format", "json").output == expected
    assert read_texts == []
