"""The hooks of .pre-commit-hooks.yaml, run by pre-commit from a clone on a real repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.gitrepo import Run, commit_all

LIST = """\
# Tools

- [Ripgrep](htps://github.com/BurntSushi/ripgrep) - Searches fast.
- [Fd](https://github.com/sharkdp/fd) - Finds files by a part of their names, in all folders.
"""


PRE_COMMIT = [sys.executable, "-m", "pre_commit"]


class Lists:
    """A repository of several lists with hooks."""

    _hook = b""
    """What is installed, the same in each repository."""

    def __init__(self, run: Run, clone: Path, folder: Path, *hooks: str) -> None:
        self.run = run
        self.folder = folder
        folder.mkdir(parents=True)
        rev = run(["git", "rev-parse", "HEAD"], clone).stdout.strip()
        wanted = "".join(f"      - id: {hook}\n" for hook in hooks)
        self.write(
            {
                ".pre-commit-config.yaml": f"repos:\n  - repo: {clone}\n    rev: {rev}\n    hooks:\n{wanted}",
                "README.md": LIST.replace("htps:", "https:"),
                "lists/über alles.md": "# More\n\n- [Bat](https://github.com/sharkdp/bat) - Shows files.\n",
            }
        )
        commit_all(run, folder)

    def installed(self) -> Lists:
        """Let every commit run the hooks, as its contributors have it."""
        hook = self.folder / ".git/hooks/pre-commit"
        if self._hook:
            hook.write_bytes(self._hook)
            hook.chmod(0o755)
        else:
            self.run([*PRE_COMMIT, "install"], self.folder)
            Lists._hook = hook.read_bytes()
        return self

    def write(self, texts: dict[str, str]) -> None:
        for name, text in texts.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def git(self, *words: str, status: int | None = 0) -> subprocess.CompletedProcess[str]:
        return self.run(["git", "-c", "protocol.file.allow=always", *words], self.folder, status=status)


@pytest.mark.parametrize(
    ("hook", "before", "after"),
    [
        ("shelfread", LIST, LIST),
        ("shelfread-fix", LIST, LIST.replace("htps:", "https:")),
        ("shelfread-format", LIST.replace("# Tools\n\n", "#  Tools\n\n"), LIST),
    ],
)
def test_hook(run: Run, clone: Path, tmp_path: Path, hook: str, before: str, after: str) -> None:
    lists = Lists(run, clone, tmp_path / "lists", hook)
    lists.write({"README.md": before, "notes.txt": "[Fd](htps://github.com/sharkdp/fd)\n"})
    lists.git("add", "--all")
    done = run([*PRE_COMMIT, "run", "--all-files"], lists.folder, status=1)
    assert lists.read("notes.txt") == "[Fd](htps://github.com/sharkdp/fd)\n"
    assert lists.read("README.md") == after
    if hook == "shelfread":
        assert "exit code: 1" in done.stdout
        assert "README.md:3:" in done.stdout and "link/malformed" in done.stdout
    else:
        assert "files were modified by this hook" in done.stdout
        assert "Passed" in run([*PRE_COMMIT, "run", "--all-files"], lists.folder).stdout


@pytest.fixture
def lists(run: Run, clone: Path, tmp_path: Path) -> Lists:
    return Lists(
        run,
        clone,
        tmp_path / "some lists",
        "shelfread-fix",
        "shelfread-format",
        "shelfread\n        args: [--fail-on, info]",
    ).installed()


def test_a_duplicate_is_found_in_a_file_that_no_hook_is_given(lists: Lists) -> None:
    paper = "- [{}](https://doi.org/10.1145/3190508.3190517) (EuroSys 2018)\n"
    lists.write({"README.md": lists.read("README.md") + paper.format("Sorting Shelves by Their Books")})
    lists.git("commit", "--no-verify", "--all", "-m", "a paper")
    other = lists.read("lists/über alles.md") + paper.format("Learning Clocks without Any Teacher")
    lists.write({"lists/über alles.md": other})
    lists.git("add", "lists")
    done = lists.git("commit", "-m", "more", status=1)
    assert "lists/über alles.md:4:" in done.stderr and "entry/duplicate" in done.stderr
    assert "README.md:5" in done.stderr, "where it stands already"


def test_only_what_is_staged_is_judged_and_fixed(lists: Lists) -> None:
    staged = lists.read("README.md")
    staged += "".join(f"- [Tool {name}](https://{name}.example.org) - Does {name}.\n" for name in "hijklmnop")
    staged += "- [Zoxide](https://github.com/ajeetdsouza/zoxide?utm_source=x) - Changes folders.\n"
    lists.write(
        {"lists/new list.md": "# New\n\n- [Jq](https://jqlang.org) - Reads JSON.\n", "README.md": staged}
    )
    lists.git("add", "--all")
    lists.write(
        {"README.md": staged.replace("# Tools\n", "# Tools\n\nTo do: [x](htps://nowhere.example.org)\n")}
    )
    done = lists.git("commit", "-m", "bat", status=1)
    assert "htps" not in done.stderr, "what is not staged is not part of the commit"
    assert "files were modified by this hook" in done.stderr
    assert "utm_source" not in lists.read("README.md"), "fixed"
    assert "htps://nowhere" in lists.read("README.md"), "what was not staged is restored"


def test_a_sound_commit_passes_and_is_made(lists: Lists) -> None:
    lists.write({"lists/a b.md": "# More\n\n- [Jq](https://jqlang.org) - Reads JSON.\n"})
    lists.git("add", "--all")
    done = lists.git("commit", "-m", "jq")
    assert done.stderr.count("Passed") == 3
    assert lists.git("log", "-1", "--format=%s").stdout.strip() == "jq"


def test_a_submodule_is_a_repository_of_its_own(run: Run, clone: Path, lists: Lists, tmp_path: Path) -> None:
    other = Lists(run, clone, tmp_path / "other", "shelfread")
    lists.git("submodule", "--quiet", "add", str(other.folder), "theirs")
    (lists.folder / "theirs/README.md").write_text(LIST)
    lists.git("add", "--all")
    assert lists.git("commit", "-m", "theirs").returncode == 0, (
        "their lists are not ours, twice listed or not"
    )
    within = lists.folder / "theirs"
    run([*PRE_COMMIT, "install"], within)
    run(["git", "add", "--all"], within)
    done = run(["git", "commit", "-m", "bad"], within, status=1)
    assert "README.md:3:" in done.stderr and "link/malformed" in done.stderr


def test_with_since_head_a_commit_hears_only_what_it_did(run: Run, clone: Path, tmp_path: Path) -> None:
    since = "args: [--since, HEAD]"
    lists = Lists(
        run, clone, tmp_path / "lists", f"shelfread-fix\n        {since}", f"shelfread\n        {since}"
    ).installed()
    lists.write({"README.md": LIST})
    lists.git("add", "--all")
    lists.git("commit", "--no-verify", "-m", "an old finding")
    lists.write({"README.md": LIST + "- [Sd](https://github.com/chmln/sd) - Replaces text.\n"})
    assert lists.git("commit", "--all", "-m", "a sound line").stderr.count("Passed") == 2
    lists.write({"README.md": lists.read("README.md") + "- [Jq](htps://jqlang.org) - Reads JSON.\n"})
    done = lists.git("commit", "--all", "-m", "a bad line", status=1)
    assert "files were modified by this hook" in done.stderr and "README.md:3:" not in done.stderr
    assert "(https://jqlang.org)" in lists.read("README.md"), "the new line is fixed"
    assert "(htps://github.com/BurntSushi/ripgrep)" in lists.read("README.md"), "the old one is not"
    assert lists.git("commit", "--all", "-m", "fixed").stderr.count("Passed") == 2


NEVER_FORMATTED = """\
#  Tools
Some tools.


*   [Rake](https://rake.example.org) - Rakes leaves.   
*   [Hoe](https://hoe.example.org) - Digs weeds.
* [Spade](https://spade.example.org) - Digs holes.
*   [Saw](https://saw.example.org) - Saws wood.
## More
"""  # noqa: W291  # such a list is what this is about
ADDED = "*   [Axe](htps://axe.example.org) - Fells trees.   \n"


def test_a_commit_to_a_list_that_was_never_formatted_changes_only_its_own_lines(
    run: Run, clone: Path, tmp_path: Path
) -> None:
    hooks = (f"{hook}\n        args: [--since, HEAD]" for hook in ("shelfread-fix", "shelfread-format"))
    lists = Lists(run, clone, tmp_path / "lists", *hooks).installed()
    lists.write({"README.md": NEVER_FORMATTED})
    lists.git("commit", "--all", "--no-verify", "-m", "never formatted")
    place = NEVER_FORMATTED.index("* [Spade]")
    last = "\n*   [Fork](https://fork.example.org) - Turns the soil.\n"
    lists.write(
        {"README.md": NEVER_FORMATTED[:place] + ADDED + NEVER_FORMATTED[place:] + "##   Last\n" + last}
    )
    lists.git("commit", "--all", "-m", "an axe", status=1)
    axe = "*   [Axe](https://axe.example.org) - Fells trees.\n"
    assert (
        lists.read("README.md")
        == NEVER_FORMATTED[:place] + axe + NEVER_FORMATTED[place:] + "## Last\n" + last
    )
    assert lists.git("commit", "--all", "-m", "an axe").stderr.count("Passed") == 2
