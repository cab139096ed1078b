"""The command line through its front door."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from shelfread import __version__
from shelfread.cli import group as shelfread_group
from support.command_line import FIXED, LIST, here, process, sample, shelfread, write_page
from support.gitrepo import commit, repo
from support.paths import LINTER

__all__ = ["here", "repo", "sample"]


def unused(path: Path, number: int = 1) -> None:
    """A list with findings of a rule that is always there."""
    path.write_text(LIST + "\n<!-- shelfread-disable-line nothing/at-all -->\n" * number)


# ---------------------------------------------------------------------------------------------- check


def test_findings(here: Path) -> None:
    done = shelfread("check", "list.md")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        'list.md:5:33: warning[word/the] "teh" is misspelt',
        "5 | - [One](https://one.org) - Does teh thing.",
        "  |                                 ^^^",
        "  = fix: the",
        "",
        "1 warning in 2 entries of list.md (core).",
        "1 can be fixed with 'shelfread fix'.",
        "For an explanation of a rule: shelfread rule word/the",
    ]
    assert (here / "list.md").read_text() == LIST, "check changes nothing"


def test_a_clean_list(here: Path) -> None:
    (here / "list.md").write_text(FIXED)
    done = shelfread("check")
    assert (done.exit_code, done.stdout) == (0, "No problems found in 2 entries of list.md (core).\n")


def test_a_list_without_entries(here: Path) -> None:
    (here / "list.md").write_text("# Shelves\n\n## Oak\n\n- Sorting\n- Dusting\n")
    done = shelfread("check", "list.md")
    assert done.stdout == (
        "No entries found: 'shelfread export --annotate list.md' shows why each line was left out.\n"
    )
    assert "no entry: words without a link | - Sorting" in shelfread("export", "--annotate", "list.md").stdout
    (here / "list.md").write_text("# Shelves\n\nWords on shelves.\n")
    assert shelfread("check", "list.md").stdout == "No problems found in 0 entries of list.md (core).\n"


def test_json(here: Path) -> None:
    done = shelfread("check", "list.md", "--output-format", "json")
    data = json.loads(done.stdout)
    assert done.exit_code == 1
    assert data["diagnostics"][0]["rule"] == "word/the"
    assert data["diagnostics"][0]["path"] == "list.md"
    assert LIST[data["diagnostics"][0]["start"] : data["diagnostics"][0]["end"]] == "teh"
    assert data["summary"]["lists"] == [{"path": "list.md", "presets": ["core"]}]


def test_fail_on_and_exit_zero(here: Path) -> None:
    assert shelfread("check", "--fail-on", "error").exit_code == 0
    assert shelfread("check", "--exit-zero").exit_code == 0
    (here / ".shelfread.yaml").write_text("exclude: [.shelfread/]\nfail-on: error\n")
    assert shelfread("check").exit_code == 0
    assert shelfread("check", "--fail-on", "warning").exit_code == 1


def test_infos_are_shown_when_asked_for_and_never_fail(here: Path) -> None:
    write_page(here, "word/the", severity="info")
    done = shelfread("check")
    assert done.exit_code == 0
    assert (
        done.stdout
        == "No problems found in 2 entries of list.md (core).\n1 info hidden (show with --show-info).\n"
    )
    done = shelfread("check", "--show-info")
    assert done.exit_code == 0 and "info[word/the]" in done.stdout
    assert shelfread("check", "--fail-on", "info").exit_code == 1
    assert json.loads(shelfread("check", "--output-format", "json").stdout)["summary"]["infos"] == 1


def test_select_ignore_and_preset(here: Path) -> None:
    assert shelfread("check", "--select", "link,word").exit_code in (1, 2)
    assert shelfread("check", "--select", "word/the,suppression").exit_code == 1
    assert shelfread("check", "--select", "suppression").exit_code == 0
    assert shelfread("check", "--ignore", "word/the").exit_code == 0
    assert "(core, strict)" in shelfread("check", "--preset", "strict").stdout


def test_a_config_is_found_named_or_not_looked_for(here: Path) -> None:
    (here / ".shelfread.yaml").write_text("exclude: [.shelfread/]\nrules: {word/the: off}\n")
    assert shelfread("check").exit_code == 0
    (here / "other.yaml").write_text("exclude: [.shelfread/]\nrules: {word/the: error}\n")
    assert "error[word/the]" in shelfread("check", "--config", "other.yaml").stdout
    assert shelfread("check", "list.md", "--isolated").exit_code == 0, "no config, no rules of its own"


def test_statistics(here: Path) -> None:
    assert shelfread("check", "--statistics").stdout.splitlines()[0].split()[:3] == [
        "1",
        "word/the",
        "fixable",
    ]


def test_an_output_file(here: Path) -> None:
    done = shelfread("check", "list.md", "--output-file", "report.json", "--output-format", "json")
    assert (done.exit_code, done.stdout) == (1, shelfread("check", "list.md").stdout)
    assert json.loads((here / "report.json").read_text())["version"] == 1


def test_nothing_but_excluded_files(here: Path) -> None:
    done = shelfread("check", ".shelfread/rules/word/the.md")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "shelfread: .shelfread/rules/word/the.md: excluded by the configuration\n"


def test_many_processes_say_the_same(here: Path) -> None:
    for number in range(6):
        (here / f"list-{number}.md").write_text(LIST * (number + 1))
    (here / "broken.md").write_bytes(b"\xff")
    one, many = process("check", "-j", "1", "--isolated"), process("check", "-j", "4", "--isolated")
    assert (one.returncode, one.stdout, one.stderr) == (many.returncode, many.stdout, many.stderr)
    assert one.returncode == 2 and one.stdout


# ------------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "--output-format", "yaml"), "'yaml' is not one of"),
        (("check", "--select", "word/teh"), "no rule or family 'word/teh', did you mean 'word/the'?"),
        (("check", "--preset", "paper"), "no preset 'paper', did you mean 'papers'?"),
        (("check", "--config", "none.yaml"), "none.yaml: cannot be read"),
        (("check", "--taxonomy", "none"), "none"),
        (("check", "missing.md"), "shelfread: missing.md: no such file or folder"),
        (("check", "--config", "x", "--isolated"), "--isolated forbids"),
        (("check", "--stdin-filename", "x.md"), "give '-' as PATH"),
        (("check", "--colour"), "No such option"),
        (("chekc",), "unknown command 'chekc', did you mean 'check'?"),
        (("list.md",), "name a command first: shelfread check list.md"),
        (("rule", "word/teh"), "did you mean 'word/the'?"),
        (("rule", "--config", "none.yaml"), "none.yaml: cannot be read"),
        (("export", "missing.md"), "missing.md: no such file or folder"),
    ],
)
def test_errors_of_use(here: Path, words: tuple[str, ...], said: str) -> None:
    done = shelfread(*words)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert "Traceback" not in done.output


def test_errors_in_a_config_name_the_place(here: Path) -> None:
    (here / ".shelfread.yaml").write_text("rules:\n  word/the:\n    whne: always\n")
    done = shelfread("check", "list.md")
    assert done.exit_code == 2
    assert done.stderr.endswith(
        ".shelfread.yaml:3:5: options of word/the: unknown option 'whne', did you mean 'when'?\n"
    )


def test_one_unreadable_file_does_not_keep_the_others_back(here: Path) -> None:
    (here / "broken.md").write_bytes(b"abc\n\xff\xfe")
    (here / "utf16.md").write_bytes("- a\n".encode("utf-16-le"))
    os.mkfifo(here / "pipe.md")
    done = shelfread("check", "broken.md", "utf16.md", "pipe.md", "list.md", "missing.md")
    assert done.exit_code == 2
    assert "word/the" in done.stdout
    assert [line.partition(" ")[2].partition(": ")[0] for line in done.stderr.splitlines()] == [
        "missing.md", "broken.md:2", "pipe.md", "utf16.md:1",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [("check", "."), ("export", "."), ("format", "."), ("check", "list.md")])
def test_many_unreadable_files_take_one_line(here: Path, words: tuple[str, ...]) -> None:
    for number in range(9):
        (here / f"old{number}.md").write_bytes(b"# List\n" + b"\n" * number + b"\xff")
    said = [line for line in shelfread(*words).stderr.splitlines() if "old" in line]
    what = "were left out" if words[1] == "list.md" else "cannot be used"
    places = ", ".join(f"old{number}.md:{number + 2}" for number in range(5))
    assert said == [f"shelfread: 9 files {what}: save the file as UTF-8: {places} and 4 more"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_count_of_the_files_read_moves_on_a_terminal(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    (here / "old.md").write_bytes(b"\xff")
    for number in range(198):
        (here / f"more{number}.md").write_text(f"# List {number}\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.delenv("CI", raising=False)
    shelfread_group.main(["check", ".", "--no-cache", "--jobs", jobs], standalone_mode=False)
    said = re.findall(r"\r\033\[K([^\r\n]*)", capsys.readouterr().err)
    assert said[0] == "shelfread: reading 0 of 200 files" and "shelfread: reading 150 of 200 files" in said
    assert said[-2] == "shelfread: checking 200 files ..." and said[-1].startswith("shelfread: old.md:1: not")


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--output-file", "all.json"),
        ("format", "--check"),
        ("page", "--output-file", "all.html"),
        ("page", "--with-findings", "--output-file", "all.html"),
        ("diff", "HEAD"),
        ("feed", "--output-file", "all.xml"),
        ("links", "--no-cache"),
    ],
)
def test_other_commands_count_what_they_read(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    commit({f"more{number}.md": f"# List {number}\n\n- [A](a.md) - Does it.\n" for number in range(100)})
    for number in range(100):
        Path(f"more{number}.md").write_text("# List\n\n- [A](a.md) - Does it well.\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.delenv("CI", raising=False)
    shelfread_group.main(list(words), standalone_mode=False)
    said = capsys.readouterr().err
    assert "shelfread: reading 0 of 100 files" in said and "shelfread: reading 70 of 100 files" in said
    assert said.rstrip().rpartition("\r\033[K")[2].count("reading") == 0, "the count is gone at the end"


def test_no_count_where_there_is_no_terminal(here: Path) -> None:
    for number in range(200):
        (here / f"more{number}.md").write_text(f"# List {number}\n")
    assert shelfread("check", ".", "--no-cache").stderr == ""


def test_json_is_json_whatever_happens(here: Path) -> None:
    (here / "broken.md").write_bytes(b"\xff")
    done = shelfread("check", "broken.md", "--output-format", "json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["diagnostics"] == []


def test_an_unreadable_file_beside_is_said_and_does_no_harm(here: Path) -> None:
    (here / "broken.md").write_bytes(b"\xff")
    done = shelfread("check", "list.md")
    assert done.exit_code == 1
    assert "broken.md:1: not UTF-8" in done.stderr and "left out" in done.stderr


def test_a_file_that_is_too_large(here: Path) -> None:
    with (here / "large.md").open("wb") as stream:
        stream.truncate((16 << 20) + 1)
    done = shelfread("check", "large.md")
    assert done.exit_code == 2 and "large.md: larger than 16 MiB" in done.stderr
    done = shelfread("check", "-", input=b"x" * ((16 << 20) + 1))
    assert done.exit_code == 2 and "<stdin>: larger than 16 MiB" in done.stderr


# ------------------------------------------------------------------------------------------------ fix


@pytest.mark.parametrize("words", [("fix", "list.md"), ("check", "--fix", "list.md"), ("fix",)])
def test_fix(here: Path, words: tuple[str, ...]) -> None:
    done = shelfread(*words)
    assert done.exit_code == 0
    assert done.stdout == "1 finding fixed.\nNo problems found in 2 entries of list.md (core).\n"
    assert (here / "list.md").read_text() == FIXED


def test_unsafe_fixes_need_a_yes(here: Path) -> None:
    write_page(here, "word/the", fix="unsafe")
    done = shelfread("fix")
    assert done.exit_code == 1 and "1 can be fixed with 'shelfread fix --unsafe-fixes'." in done.stdout
    assert (here / "list.md").read_text() == LIST
    assert shelfread("fix", "--unsafe-fixes").exit_code == 0
    assert (here / "list.md").read_text() == FIXED


def test_what_is_not_fixed_remains(here: Path) -> None:
    write_page(here, "word/two", options="{bad: Two}", fix=None)
    done = shelfread("fix")
    assert done.exit_code == 1
    assert (
        "1 finding fixed." in done.stdout
        and "word/two" in done.stdout
        and "word/the" not in done.stdout.split("\n")[0]
    )


def test_fix_keeps_bom_and_newlines(here: Path) -> None:
    data = b"\xef\xbb\xbf" + LIST.replace("\n", "\r\n").encode()
    (here / "list.md").write_bytes(data)
    assert shelfread("fix").exit_code == 0
    assert (here / "list.md").read_bytes() == data.replace(b"teh", b"the")


def test_only_what_path_names_is_fixed(here: Path) -> None:
    (here / "other.md").write_text(LIST)
    assert shelfread("fix", "list.md").exit_code == 0
    assert (here / "other.md").read_text() == LIST


def test_a_file_that_cannot_be_written(here: Path) -> None:
    (here / "list.md").chmod(0o444)
    done = shelfread("fix")
    assert done.exit_code == 2
    assert "list.md: read-only" in done.stderr and "word/the" in done.stdout


@pytest.mark.parametrize("command", [("check",), ("fix",), ("check", "--fix")])
def test_a_diff_changes_nothing_and_applies(here: Path, command: tuple[str, ...]) -> None:
    done = shelfread(*command, "--diff")
    assert done.exit_code == 1
    assert (here / "list.md").read_text() == LIST
    assert done.stderr == "shelfread: 1 finding would be fixed in 1 file\n"
    subprocess.run(["git", "apply"], input=done.stdout.encode(), check=True)
    assert (here / "list.md").read_text() == FIXED
    done = shelfread(*command, "--diff")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "shelfread: No fixes to apply.\n")


def test_a_diff_fails_while_findings_remain(here: Path) -> None:
    (here / "list.md").write_text("# A\n\n## B\n\n## C\n\n- [D](https://d.example) - Keeps the fruit.\n")
    words = ("--isolated", "--select", "heading/empty")
    for command in (("check",), ("fix",), ("check", "--fix"), ("check", "--diff"), ("fix", "--diff")):
        assert shelfread(*command, *words).exit_code == 1
    assert "No fixes to apply; 1 finding would remain." in shelfread("fix", "--diff", *words).stderr
    assert shelfread("fix", "--diff", "--exit-zero", *words).exit_code == 0


def test_a_diff_keeps_the_byte_order_mark(here: Path) -> None:
    data = b"\xef\xbb\xbf" + LIST.replace("\n", "\r\n").encode()
    (here / "list.md").write_bytes(data)
    patch = shelfread("fix", "--diff").stdout_bytes
    subprocess.run(["git", "apply", "--whitespace=nowarn"], input=patch, check=True)
    assert (here / "list.md").read_bytes() == data.replace(b"teh", b"the")


# ---------------------------------------------------------------------------------------------- stdin


def test_standard_input(here: Path) -> None:
    done = shelfread("check", "-", input=LIST)
    assert done.exit_code == 1 and done.stdout.startswith("<stdin>:5:33: warning[word/the]")
    done = shelfread("check", "-", "--stdin-filename", "sub/list.md", input=LIST)
    assert done.stdout.startswith("sub/list.md:5:33: warning[word/the]")


def test_standard_input_goes_before_the_file(here: Path) -> None:
    assert shelfread("check", "-", "--stdin-filename", "list.md", input=FIXED).exit_code == 0


def test_fixing_standard_input(here: Path) -> None:
    done = shelfread("fix", "-", input=LIST)
    assert (done.exit_code, done.stdout) == (0, FIXED)
    assert "1 finding fixed." in done.stderr
    done = shelfread("check", "--fix", "-", input=FIXED)
    assert (done.exit_code, done.stdout) == (0, FIXED)
    data = b"\xef\xbb\xbf" + LIST.replace("\n", "\r\n").encode()
    done = shelfread("fix", "-", "--stdin-filename", "list.md", input=data)
    assert done.stdout_bytes == data.replace(b"teh", b"the")
    assert (here / "list.md").read_text() == LIST
    assert shelfread("fix", "-", "--diff", input=LIST).stdout.startswith("--- a/<stdin>\n")


# --------------------------------------------------------------------------------------- rule, export


def test_the_catalogue(here: Path) -> None:
    done = shelfread("rule")
    assert done.exit_code == 0
    assert any(line.startswith("word/the ") for line in done.stdout.splitlines())
    data = json.loads(shelfread("rule", "--format", "json").stdout)
    mine = next(rule for rule in data if rule["id"] == "word/the")
    assert set(mine) == {"id", "summary", "severity", "presets", "fix", "options"}
    assert mine["options"]["bad"] == "teh" and mine["options"]["when"] == "always"
    assert [rule["id"] for rule in data] == sorted(rule["id"] for rule in data)
    assert "word/the" not in shelfread("rule", "--isolated").stdout


def test_a_page(here: Path) -> None:
    done = shelfread("rule", "suppression/unused")
    assert done.exit_code == 0
    assert done.stdout.startswith("suppression/unused\nChecks for comments that ignore no finding.\n")
    assert "Bad with=link/empty:" in done.stdout and "```" not in done.stdout
    (one,) = json.loads(shelfread("rule", "suppression/unused", "--format", "json").stdout)
    assert one["fix"] == "safe"


def test_export(here: Path) -> None:
    done = shelfread("export", "list.md")
    first, second = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (first["name"], first["description"], first["line"]) == ("One", "Does teh thing.", 5)
    assert first["section"] == ["List", "Tools"]
    assert list(first["identifiers"].items())[:3] == [("doi", None), ("arxiv", None), ("github", None)]
    lines = shelfread("export", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [first, second]
    assert json.loads(shelfread("export", "-", input=LIST).stdout)[0]["path"] == "<stdin>"


# -------------------------------------------------------------------------------------------- process


def test_version_and_help() -> None:
    assert process("--version").stdout.decode() == f"shelfread {__version__}\n"
    assert process("--help").stdout.startswith(b"Usage: shelfread")
    for words in (("--help",), ("check", "-h"), ("fix", "-h"), ("export", "-h"), ("rule", "-h")):
        done = shelfread(*words)
        assert done.exit_code == 0 and done.stdout.startswith("Usage: shelfread"), words


def test_no_line_of_the_help_is_wider_than_a_terminal() -> None:
    def commands(group: click.Command, name: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield name
        if isinstance(group, click.Group):
            with click.Context(group) as ctx:
                for each in group.list_commands(ctx):
                    command = group.get_command(ctx, each)
                    assert command is not None
                    yield from commands(command, (*name, each))

    names = list(commands(shelfread_group, ()))
    assert ("taxonomy", "show") in names and len(names) > 20
    for name in names:
        lines = shelfread(*name, "--help").output.splitlines()
        assert not [line for line in lines if len(line) > 80], name


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    unused(tmp_path / "list.md", 2000)
    command = f"{sys.executable} -m shelfread check --output-format concise list.md | head -1"
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert done.stdout.startswith(b"list.md:") and done.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_terminal_can_show_it(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "列表.md").write_text(
        "# 列表 🎉\n\n" + "é" * 200 + " <!-- shelfread-disable-line 甲/乙 -->\n"
    )
    env = {**os.environ, "PYTHONPATH": str(LINTER), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "shelfread", "check"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert done.returncode == 1 and done.stderr == b""
    assert ("列表" in done.stdout.decode(encoding)) is (encoding == "utf-8")


def test_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unused(tmp_path / "list.md")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert b"\x1b" not in process("check", cwd=tmp_path).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert b"\x1b[33" in process("check", cwd=tmp_path).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert b"\x1b" not in process("check", cwd=tmp_path).stdout


def test_many_names_as_a_hook_gives_them(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"a list {number}.md").write_text(LIST)
    done = process("check", *sorted(path.name for path in tmp_path.iterdir()), cwd=tmp_path)
    assert done.returncode in (0, 1) and b"200 entries of 100 files" in done.stdout


def test_interrupted(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"{number}.md").write_text(LIST * 100)
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    command = [sys.executable, "-m", "shelfread", "check", "-j", "2"]
    child = subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=20)
    assert child.returncode == 130
    assert said == b"shelfread: Interrupted. No file was left partly written.\n"


def test_an_interruption_is_not_lost_where_python_throws_it_away(tmp_path: Path) -> None:
    """In a callback of its own, as importlib has them, and within the `exec` that defines a named tuple."""
    code = """
import os, signal, sys, time, weakref
import click
from shelfread import cli
from shelfread.__main__ import main
class Thing: pass
@click.command()
def lose():
    thing = Thing()
    gone = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT) or time.sleep(1))
    del thing
    time.sleep(30)
@click.command()
def nested():
    exec("import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(30)")
cli.COMMANDS |= {"lose": "", "nested": ""}
cli.Shelfread.get_command = lambda self, ctx, name: {"lose": lose, "nested": nested}[name]
main()
"""
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    for command in ("lose", "nested"):
        done = subprocess.run([sys.executable, "-c", code, command], env=env, capture_output=True, timeout=25)
        assert done.returncode == 130, done.stderr
        assert done.stderr == b"shelfread: Interrupted. No file was left partly written.\n"


def test_a_backup_is_told_of_for_information(tmp_path: Path) -> None:
    for name, status in (("BACKUP-list.md", 0), ("list.bak.md", 0), ("backups.md", 1)):
        (tmp_path / name).write_text("- [a](http://arxiv.org/abs/1706.03762) - Text.\n")
        assert shelfread("check", "--isolated", str(tmp_path / name)).exit_code == status


def test_a_configuration_that_lets_nothing_in_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".shelfread.yaml").write_text("include: ['docs/*.md']\n")
    (tmp_path / "list.md").write_text("- [a](https://example.org) - Text.\n")
    done = shelfread("check", str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr.endswith(".shelfread.yaml:1:10: 'include' and 'exclude' leave no file to read\n")


def test_a_fix_of_many_lines_does_not_claim_to_remove_them(tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text(
        "# A\n\n## B\n\n## C\n\n#### D\n\n- [a](https://a.org)\n\n#### E\n\n### F\n\n### G\n"
    )
    words = ["check", "--isolated", "--select", "heading/increment", "--show-info", str(tmp_path / "list.md")]
    assert "= unsafe fix: change lines 7-11" in shelfread(*words).output


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("info", [False, True], ids=["infos hidden", "infos shown"])
def test_fix_changes_what_check_shows(tmp_path: Path, info: bool, unsafe: bool) -> None:
    usual = "".join(f"- [t{at}](https://example.org/{at}) - Does {at} things.\n" for at in range(12))
    text = usual + "- [x](http://arxiv.org/) -  Does two.\n- [y](https://example.org/y) - What is Y?.\n"
    path = tmp_path / "list.md"
    path.write_text(text)
    words = ["--isolated", "--select", "entry/glued,link/insecure,text/repeated-punctuation", str(path)]
    words += ["--show-info"] if info else []
    report = json.loads(shelfread("check", *words, "--output-format", "json").stdout)["diagnostics"]
    allowed = ("safe", "unsafe") if unsafe else ("safe",)
    wanted = [
        found["line"]
        for found in report
        if found["fix"] and found["fix"]["applicability"] in allowed and (info or found["severity"] != "info")
    ]
    if not unsafe:
        assert f"{len(wanted)} can be fixed with 'shelfread fix'" in shelfread("check", *words).output
    words += ["--unsafe-fixes"] if unsafe else []
    count = "1 finding" if len(wanted) == 1 else f"{len(wanted)} findings"
    assert f"{count} would be fixed" in shelfread("fix", "--diff", *words).stderr
    assert f"{count} fixed." in shelfread("fix", *words).output
    lines = zip(text.splitlines(), path.read_text().splitlines(), strict=True)
    assert {number for number, (old, new) in enumerate(lines, 1) if old != new} == set(wanted)


@pytest.mark.parametrize(
    "name", ["check", "links", "complete", "diff", "export", "import", "feed", "audit", "rule"]
)
def test_the_format_option_has_one_name_and_one_short_form(name: str) -> None:
    command = shelfread_group.get_command(click.Context(shelfread_group), name)
    assert command is not None
    (option,) = (option for option in command.params if "--output-format" in option.opts)
    assert option.opts == ["--output-format", "--format"]
