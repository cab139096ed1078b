"""`shelfread diff` through the front door, on real repositories."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt

from shelfread.cli import group
from shelfread.report.rendering import code, escape, link, printable
from support.gitrepo import commit, do, put
from support.gitrepo import repo as empty
from support.paths import ROOT

LIST = """\
# Papers

## Training

- Plumber: Removing Bottlenecks in Data Pipelines (MLSys 2022) [[Paper](https://arxiv.org/abs/2111.04131)]
- Rinas: Training with Dataset Shuffling Can Be Fast (OSDI 2023) [[Paper](https://arxiv.org/abs/2312.02368)]

## Serving

- Orca: A Distributed Serving System for Transformers (OSDI 2022) [[Paper](https://www.usenix.org/conference/osdi22/presentation/yu)]
- Clipper: A Low-Latency Prediction Serving System (NSDI 2017) [[Paper](https://arxiv.org/abs/1612.03079)]
"""
NEW = "- Pecan: Cost-Efficient Preprocessing of Training Data (ATC 2024) [[Paper](https://arxiv.org/abs/2405.00001)]\n"


__all__ = ["empty"]


SCHEMA = Draft202012Validator(json.loads((ROOT / "schema/diff.schema.json").read_text("utf-8")))
PARSER = MarkdownIt("gfm-like", {"linkify": False})


class Repo:
    """A git repository that is the working directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def git(self, *words: str) -> str:
        return do(*words, cwd=self.folder)

    def write(self, text: str | bytes, name: str = "list.md") -> None:
        put({name: text})

    def commit(self, text: str | bytes | None = None, name: str = "list.md") -> str:
        return commit({} if text is None else {name: text})


@pytest.fixture
def repo(empty: Path) -> Repo:
    """A repository with one list in its one commit."""
    found = Repo(empty)
    found.commit(LIST)
    return found


def diff(*words: str, status: int = 0) -> Result:
    done = CliRunner().invoke(group, ["diff", *words], prog_name="shelfread")
    assert done.exit_code == status, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def data(*words: str, status: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(diff("--output-format", "json", *words, status=status).stdout)
    SCHEMA.validate(found)
    return found


def wrong(*words: str) -> str:
    """The one line that says what is wrong."""
    done = diff(*words, status=2)
    assert done.stdout == ""
    lines: list[str] = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def inserted(line: str, before: str = "- Plumber", text: str = LIST) -> str:
    return text.replace(before, line + before)


# ------------------------------------------------------------------------------------- what is compared


def test_the_work_tree(repo: Repo) -> None:
    repo.write(inserted(NEW).replace("OSDI 2023", "OSDI 2024").replace("- Clipper", "- Clippers"))
    done = diff("main")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1 entry added, 2 changed since main (")
    assert "+ list.md:5: Pecan: Cost-Efficient Preprocessing of Training Data (ATC 2024)" in lines
    assert "    in Training" in lines
    assert "    Paper: https://arxiv.org/abs/2405.00001" in lines
    assert "    ~ year: 2023 → 2024" in lines
    assert "    ~ title: [-Clipper-]{+Clippers+}: A Low-Latency Prediction Serving System" in lines
    found = data("main")
    assert found["head"] == {"revision": None, "commit": None}
    assert found["base"] == {"revision": "main", "commit": repo.git("rev-parse", "main")}
    assert found["summary"]["added"] == 1
    assert found["added"][0]["entry"]["venue"] == "ATC"
    assert [one["after"]["line"] for one in found["changed"]] == [7, 12]


def test_commits_and_ranges(repo: Repo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.commit(inserted(NEW))
    repo.git("checkout", "--quiet", "main")
    gone = "- Orca"
    repo.commit("".join(line for line in LIST.splitlines(True) if not line.startswith(gone)))
    repo.write("# Nothing\n")
    for words in (["main", "topic"], ["main..topic"]):
        found = data(*words)
        assert (len(found["added"]), len(found["removed"])) == (2, 0), words
        assert found["head"] == {"revision": "topic", "commit": repo.git("rev-parse", "topic")}
    found = data("main...topic")
    assert (len(found["added"]), len(found["removed"])) == (1, 0)
    assert found["base"]["commit"] == base
    assert len(data("topic...")["removed"]) == 1  # HEAD is main
    assert len(data("HEAD")["removed"]) == 3  # the work tree


def test_auto_is_where_the_branch_began(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.commit(inserted(NEW))
    repo.git("checkout", "--quiet", "main")
    repo.commit(LIST.replace("OSDI 2023", "OSDI 2024"))
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    repo.git("checkout", "--quiet", "--detach", "topic")
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    found = data("auto")
    assert (len(found["added"]), len(found["changed"])) == (1, 0)


def test_paths(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(LIST.replace("Papers", "Others"), "sub/other.md")
    repo.write(inserted(NEW))
    repo.write(inserted(NEW.replace("Pecan", "Walnut")), "sub/other.md")
    assert len(data("HEAD")["added"]) == 2
    for words in (["--", "list.md"], ["list.md"], ["--", "./list.md"]):
        assert [one["entry"]["path"] for one in data("HEAD", *words)["added"]] == ["list.md"]
    assert [one["entry"]["path"] for one in data("HEAD", "--", "sub")["added"]] == ["sub/other.md"]
    monkeypatch.chdir(repo.folder / "sub")
    assert [one["entry"]["path"] for one in data("HEAD")["added"]] == ["other.md"]
    assert [one["entry"]["path"] for one in data("HEAD", "--", "..")["added"]] == ["../list.md", "other.md"]
    assert "no list" in wrong("HEAD", "--", "nothing.md")
    assert "nothing.md: no list, neither now nor at HEAD" in wrong("HEAD", "nothing.md")


def test_configured_files_only(repo: Repo) -> None:
    repo.commit("include: [list.md]\n", ".shelfread.yaml")
    repo.write(inserted(NEW))
    repo.write(LIST, "vendored.md")
    assert {one["entry"]["path"] for one in data("HEAD")["added"]} == {"list.md"}
    repo.write("exclude: [vendored.md]\n", ".shelfread.yaml")
    assert "excluded by the configuration" in diff("HEAD", "--", "vendored.md").stderr
    assert {one["entry"]["path"] for one in data("HEAD", "--isolated")["added"]} == {"list.md", "vendored.md"}


def test_the_configuration_of_a_commit(repo: Repo) -> None:
    repo.commit(inserted(""))
    repo.write("ignore: [link/insecure]\n", ".shelfread.yaml")
    repo.write(inserted(NEW.replace("https", "http")))
    assert data("HEAD")["added"][0]["findings"] == []
    assert data("HEAD", "--config-from", "HEAD")["added"][0]["findings"]


def test_files_that_come_go_and_are_renamed(repo: Repo) -> None:
    repo.git("mv", "list.md", "papers, ümläut\n.md")
    found = data("HEAD")
    assert [one["change"] for one in found["sections"]] == ["renamed"]
    assert sum(found["summary"].values()) == 0
    done = diff("HEAD")
    assert "~ file 'list.md' is now 'papers, ümläut<U+000A>.md' (4 entries)" in done.stdout.splitlines()
    (repo.folder / "papers, ümläut\n.md").unlink()
    found = data("HEAD")
    assert (len(found["removed"]), found["sections"][0]["change"]) == (4, "removed")
    assert diff("HEAD").stdout.count("removed (") == 1


def test_moves_and_renamed_sections(repo: Repo) -> None:
    orca = next(line for line in LIST.splitlines(True) if "Orca" in line)
    repo.write(inserted(orca, text=LIST.replace(orca, "")).replace("## Serving", "## Inference"))
    found = data("HEAD")
    (moved,) = found["moved"]
    assert [moved[side]["section"][-1] for side in ("before", "after")] == ["Serving", "Training"]
    assert [one["change"] for one in found["sections"]] == ["renamed"]
    lines = diff("HEAD").stdout.splitlines()
    assert "~ list.md: section 'Serving' is now 'Inference' (1 entry)" in lines
    assert "    moved from 'Serving' to 'Training'" in lines


def test_an_added_entry_says_what_it_is(repo: Repo) -> None:
    """Below a heading that only announces the sections, their own names are enough."""
    tools = (
        "# Table of Contents\n\n## Tools\n\n- [Alpha](https://a.example/alpha) - Keeps shelves in order.\n"
    )
    repo.commit(tools, "tools.md")
    repo.write(f"{tools}- [Beta](https://a.example/beta) - Counts *all* books.\n", "tools.md")
    lines = diff("HEAD").stdout.splitlines()
    assert lines[2:6] == [
        "+ tools.md:6: Beta",
        "    Counts all books.",
        "    in Tools",
        "    https://a.example/beta",
    ]
    text = diff("HEAD", "--output-format", "markdown").stdout
    assert "- [Beta](<https://a.example/beta>): Counts all books. — *Tools*, `tools.md:6`\n" in text


def test_the_docs_show_what_is_reported(repo: Repo) -> None:
    shutil.copytree(ROOT / "examples", "examples")
    repo.commit()
    text = Path("examples/training.md").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "Themis" in line)
    new = f"{line} [[Code](http://github.com/example/themis)]\n"
    text = text.replace("Schduling", "Scheduling").replace("(EuroSys 2020)", "(EuroSys 2019)")
    repo.write(text.replace("- GPipe", f"{new}- GPipe"), "examples/training.md")
    page = (ROOT / "docs/pull-requests.md").read_text(encoding="utf-8")
    shown = page.partition("```console\n$ shelfread diff main\n")[2].partition("```")[0]
    assert diff("main").stdout == shown.replace("(...)", f"({repo.git('rev-parse', 'HEAD')[:7]})")


# -------------------------------------------------------------------------------------------- findings


def test_a_translation_lists_the_same(repo: Repo) -> None:
    repo.write(inserted(NEW, "- Orca"))
    repo.write(
        "# 论文\n\n## 服务\n\n" + NEW.replace("Pecan: Cost-Efficient Preprocessing of", "用于"), "list.zh.md"
    )
    assert [one["already_listed"] for one in data("HEAD")["added"]] == [[], []]
    checked = CliRunner().invoke(group, ["check", "--show-info"], prog_name="shelfread").output
    assert "entry/duplicate" not in checked and "wrong" not in checked


def test_already_listed_whichever_stands_first(repo: Repo) -> None:
    again = NEW.replace("2405.00001", "2312.02368").replace(
        "Pecan: Cost-Efficient Preprocessing", "Rinas: Training"
    )
    again = next(line for line in LIST.splitlines(True) if "Rinas" in line)
    for before, where in (("- Plumber", 7), ("\n## Serving", 6), ("- Orca", 6)):
        repo.write(inserted(again, before))
        (added,) = data("HEAD")["added"]
        assert added["already_listed"] == [{"path": "list.md", "line": where, "under": None}]
        assert not [one for one in added["findings"] if one["rule"] == "entry/duplicate"]
        assert f"    already listed at list.md:{where}" in diff("HEAD").stdout.splitlines()


def test_findings_on_what_is_new_and_no_old_ones(repo: Repo) -> None:
    bad = (
        "- Walnut: Packing of Training Data (ATC 2024) [[Paper](http://dx.doi.org/10.1145/3302424.3303953)]\n"
    )
    repo.commit(inserted(bad))
    repo.write(
        inserted(
            NEW.replace("[[Paper]", "[[Paper]() [[Paper]").replace("arxiv.org", "arxiv.org."),
            text=inserted(bad),
        )
    )
    assert data("HEAD")["added"][0]["findings"]
    # The old finding of a changed line is none of this change.
    repo.write(inserted(bad).replace("Packing of", "Packing"))
    (changed,) = data("HEAD")["changed"]
    assert changed["findings"] == []
    repo.write(
        inserted(bad).replace(
            "10.1145/3302424.3303953)]", "10.1145/3302424.3303953)] [[Code](http://github.com/a/b)]"
        )
    )
    (changed,) = data("HEAD")["changed"]
    assert [one["rule"] for one in changed["findings"]] == ["link/insecure"]


def test_findings_are_those_of_check(repo: Repo) -> None:
    """With the same severities, and also where no entry changed: in the contents, in a line that is no entry."""
    names = (
        "Apple Birch Cedar Dogwood Elm Fir Gum Hazel Iroko Juniper Kapok Larch Maple Nutmeg Oak Pine".split()
    )
    lines = "".join(
        f"- [{name}{kind}](https://{name}{kind}.example) - Keeps {name} {kind} in order.\n"
        for name in names
        for kind in ("Store", "Shelf")
    )
    trees = f"# Trees\n\n- [Tools](#tools)\n\n## Tools\n\n{lines}"
    repo.commit(trees, "trees.md")
    bare = "- [Rowan](https://rowan.example/app)\n"
    repo.write(trees.replace("(#tools)", "(#tolls)") + bare, "trees.md")
    found = data("HEAD", "--", "trees.md")
    (added,) = found["added"]
    told = [*added["findings"], *found["elsewhere"]]
    assert [one["rule"] for one in told] == ["entry/form", "link/missing-anchor"]
    run = CliRunner().invoke(group, ["check", "--since", "HEAD", "--output-format", "json", "trees.md"])
    checked = json.loads(run.stdout)["diagnostics"]
    assert sorted((one["rule"], one["severity"]) for one in checked) == sorted(
        (one["rule"], one["severity"]) for one in told
    )
    assert "trees.md:3:11 error[link/missing-anchor]" in diff("HEAD").stdout
    text = diff("HEAD", "--output-format", "markdown").stdout
    assert "**Other findings**\n\n- ❌ error `link/missing-anchor`" in text


def test_a_scheme_is_shown_where_only_it_differs(repo: Repo) -> None:
    repo.commit(inserted(NEW.replace("https://arxiv", "http://arxiv")))
    repo.write(inserted(NEW))
    text = diff("HEAD", "--output-format", "markdown").stdout.replace("&#8203;", "")
    assert "link Paper: [http://arxiv.org/abs/2405.00001]" in text and "→ [https://arxiv.org/" in text


def test_info_is_shown_when_asked(repo: Repo) -> None:
    repo.commit("rules: {link/insecure: info}\n", ".shelfread.yaml")
    repo.write(inserted(NEW.replace("https://arxiv", "http://arxiv")))
    assert "link/insecure" not in diff("HEAD").stdout
    assert "1 info hidden (show with --show-info)." in diff("HEAD").stdout
    assert "link/insecure" in diff("HEAD", "--show-info").stdout
    assert data("HEAD")["summary"]["infos"] == 1


# ------------------------------------------------------------------------------------------- the comment

CALLS = "@torvalds #1 GH-1 <img src=x> [a](https://evil.org) `b` **c** www.evil.org https://evil.org $x$ :tada: ~~d~~ &lt; \\"


def test_a_row_has_its_year_too(repo: Repo) -> None:
    row = "| Orca: Serving Shelves of Books | 2022 | OSDI | [Paper](https://example.org/orca.pdf) |"
    repo.write(LIST + f"\n## Table\n\n| Title | Year | Venue | Link |\n|---|---|---|---|\n{row}\n")
    assert "Orca: Serving Shelves of Books (OSDI 2022)\n" in diff("main").stdout


def test_a_venue_with_its_acronym_in_brackets_is_short(repo: Repo) -> None:
    full = "- Wide Shelves. ACM Symposium on Operating Systems Principles (SOSP) (2023) [[Paper](https://example.org/w.pdf)]"
    repo.write(f"{LIST}{full}\n")
    assert "Wide Shelves (SOSP 2023)\n" in diff("main").stdout


def test_a_misspelt_venue_is_no_removed_one(repo: Repo) -> None:
    repo.write(LIST.replace("OSDI 2022", "ODSI 2022"))
    shown = diff("main").stdout
    assert "~ venue: [-OSDI-]{+ODSI+} 2022" in shown and "- venue" not in shown


def test_a_comment(repo: Repo) -> None:
    repo.write(inserted(NEW).replace("OSDI 2023", "OSDI 2024"))
    text = diff("main", "--output-format", "markdown").stdout
    assert text.startswith("**1 entry added, 1 changed** since main (")
    assert (
        "[Pecan: Cost-Efficient Preprocessing of Training Data](<https://arxiv.org/abs/2405.00001>) (ATC 2024)"
        in text
    )
    assert "year: 2023 → 2024" in text


def test_a_comment_calls_nobody_and_forges_nothing(repo: Repo) -> None:
    title = f"Attack {CALLS.replace('[a](https://evil.org)', '')} of the Clones in Training"
    escaped = (
        title.replace("<", "\\<")
        .replace("*", "\\*")
        .replace("`", "\\`")
        .replace("~", "\\~")
        .replace("|", "\\|")
        .replace("&", "\\&")
    )
    repo.write(
        inserted(
            f"- {escaped} (ATC 2024) [[Paper](https://arxiv.org/abs/2405.00001)] [[@x](javascript:alert)]\n"
        )
    )
    text = diff("main", "--output-format", "markdown").stdout
    assert "Attack" in text
    tokens = [inline for block in PARSER.parse(text) for inline in block.children or ()]
    assert not [one for one in tokens if one.type in ("html_inline", "image")]
    links = [one.attrGet("href") for one in tokens if one.type == "link_open"]
    assert links == ["https://arxiv.org/abs/2405.00001"]
    shown = "".join(one.content for one in tokens if one.type in ("text", "text_special"))
    for call in ("@torvalds", "@x", "#1", "GH-1", "www.evil", "https://evil", ":tada:"):
        assert call not in shown, call
    for seen in ("torvalds", "<img src=x>", "**c**", "~~d~~"):
        assert seen in shown


def test_a_comment_is_bounded(repo: Repo) -> None:
    many = "".join(
        f"- Paper {at:04}: {'🦉 Long Title ' * 6} (ATC 2024) [[Paper](https://example.org/{at}.pdf)]\n"
        for at in range(800)
    )
    repo.write(inserted(many).replace("OSDI 2023", "OSDI 2024"))
    text = diff("main", "--output-format", "markdown").stdout
    assert len(text.encode("utf-16-le")) // 2 <= 65_000
    assert text.startswith("**800 entries added, 1 changed**")
    assert "<details>" in text and text.count("<details>") == text.count("</details>")
    shown = text.count("- [Paper ")
    assert f"- … and {800 - shown:,} more" in text
    assert "**Changed**" in text  # each part has its share
    repo.write(LIST.replace("Plumber", "Plumber " + "x" * 200_000))
    assert len(diff("main", "--output-format", "markdown").stdout) <= 65_000


def test_the_terminal_is_not_forged(repo: Repo) -> None:
    repo.write(inserted(NEW.replace("Pecan", "Pecan \x1b[31m\u202e ::error::")))
    done = diff("main")
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout
    assert "<U+001B>" in done.stdout


def test_to_a_file(repo: Repo) -> None:
    repo.write(inserted(NEW))
    done = diff("main", "--output-format", "markdown", "--output-file", "comment.txt")
    assert "\n+ list.md:5: Pecan" in done.stdout
    assert "- [Pecan" in (repo.folder / "comment.txt").read_text(encoding="utf-8")


def test_nothing_is_other(repo: Repo) -> None:
    assert diff("main").stdout.startswith("No entry changed since main (")
    repo.write(LIST + "\nA word of thanks.\n")
    assert "though 1 file differs" in diff("main").stdout
    repo.write(LIST.replace("\n", "\r\n"))
    assert sum(data("main")["summary"].values()) == 0


# ---------------------------------------------------------------------------------------------- bad input


def test_revisions_that_are_not_there(repo: Repo) -> None:
    assert "nowhere" in wrong("nowhere")
    assert "nowhere" in wrong("main", "nowhere")
    assert "nowhere" in wrong("main...nowhere")
    assert "'' is not a revision" in wrong("")
    for words in (
        (),
        ("main..topic", "main"),
        ("main", "main", "main", "--"),
        ("main", "--config", "x", "--isolated"),
    ):
        assert diff(*words, status=2).stdout == ""


def test_a_shallow_clone(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = repo.git("rev-parse", "HEAD")
    repo.commit(inserted(NEW))
    repo.git("clone", "--quiet", "--depth=1", repo.folder.as_uri(), str(tmp_path / "shallow"))
    monkeypatch.chdir(tmp_path / "shallow")
    assert "fetch-depth: 0" in wrong(old)


def test_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(LIST)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert "git" in wrong("main")


def test_no_git(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "git cannot be run" in wrong("main")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (LIST, b"\x89PNG\0\xff\xfe", "no text file"),
        (b"\x89PNG\0\xff\xfe", LIST, "(at HEAD)"),
        (LIST, b"a\0b", "NUL"),
        (
            LIST,
            inserted("<<<<<<< HEAD\n- One\n=======\n- Two\n>>>>>>> topic\n"),
            "list.md:5: a merge conflict",
        ),
    ],
)
def test_a_file_that_cannot_be_read(repo: Repo, before: str | bytes, after: str | bytes, said: str) -> None:
    repo.write("# Others\n\n## Tools\n\n- [One](https://one.org) - Does it.\n", "other.md")
    repo.commit(before)
    repo.write(after)
    repo.write("# Others\n\n## Tools\n\n- [One](https://one.org) - Does it well.\n", "other.md")
    done = diff("HEAD", status=2)
    assert said in done.stderr and len(done.stderr.splitlines()) == 1
    assert "1 entry changed" in done.stdout  # the others are compared all the same
    assert "list.md" not in done.stdout
    assert "not compared" in diff("HEAD", "--output-format", "markdown", status=2).stdout


def test_a_resolved_conflict_is_compared(repo: Repo) -> None:
    repo.commit(inserted(f"<<<<<<< HEAD\n{NEW}=======\n{NEW.replace('2024', '2023')}>>>>>>> topic\n"))
    repo.write(inserted(NEW))
    assert data("HEAD")["summary"]["removed"] == 1


def test_no_links_and_no_submodules(repo: Repo) -> None:
    (repo.folder / "loop.md").symlink_to("loop.md")
    (repo.folder / "out.md").symlink_to("/etc/passwd")
    repo.commit()
    repo.git("rm", "--quiet", "loop.md", "out.md")
    assert sum(data("HEAD")["summary"].values()) == 0


# ---------------------------------------------------------------------------------------- strangers' text


@pytest.mark.parametrize(
    "text", [*CALLS.split(), CALLS, "`", "``a`", " a ", "", "a|b", "[x]: y", "\n# a", "user@x.org"]
)
def test_text_stays_text(text: str) -> None:
    for shown in (escape(text), code(text)):
        (inline,) = (one for one in PARSER.parse(f"x {shown} y") if one.type == "inline")
        kinds = {one.type for one in inline.children or ()}
        assert kinds <= {"text", "text_special", "code_inline", "softbreak"}, shown
    said = "".join(one.content for one in PARSER.parseInline(f"x {escape(text)} y")[0].children or ())
    assert said.replace("\u200b", "") == f"x {printable(text)} y"


def test_addresses_that_are_no_web_are_no_links() -> None:
    assert link("a", "javascript:alert(1)") == "a"
    assert link("a", "https://x.org/\n<b>") == "a"
    assert link("a", "https://x.org/a b<c>)\\") == "[a](<https://x.org/a%20b%3Cc%3E)%5C>)"
