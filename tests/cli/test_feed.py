"""`shelfread feed` through the front door, on real repositories."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from shelfread.changes.additions import Signs
from support.command_line import shelfread
from support.exported import HOSTILE
from support.gitrepo import commit, do, put, repo

__all__ = ["repo"]

ATOM = "{http://www.w3.org/2005/Atom}"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
A = "- Plumber: Removing Bottlenecks in Pipelines (MLSys 2022) [[Paper](https://arxiv.org/abs/2111.04131)]\n"
B = "- Rinas: Training with Dataset Shuffling (OSDI 2023) [[Paper](https://arxiv.org/abs/2312.02368)]\n"
C = "- [fd](https://github.com/sharkdp/fd) - Finds files.\n"
HEAD = "# Papers\n\n## Training\n\n"


@pytest.fixture
def day(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Commits files on a day of May 2024."""

    def make(number: int, texts: dict[str, str], author: str = "Ada") -> str:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-05-{number:02}T12:00:00Z")
        monkeypatch.setenv("GIT_AUTHOR_NAME", author)
        return commit(texts)

    return make


def items(*words: str) -> list[dict[str, Any]]:
    done = shelfread("feed", "--format", "json", *words)
    assert done.exit_code == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["items"]
    return found


def added(*words: str) -> dict[str, str]:
    """The day of each title."""
    return {item["title"].partition(":")[0]: item["date_published"][8:10] for item in items(*words)}


# ------------------------------------------------------------------------------------------- what is new
def test_entries_have_the_day_and_the_author_of_their_commit(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + B}, "Bo")
    day(3, {"list.md": HEAD + A + B + "\n## Tools\n\n" + C}, "Cy")
    found = items()
    assert [(item["title"].partition(":")[0], item["authors"][0]["name"]) for item in found] == [
        ("fd", "Cy"),
        ("Rinas", "Bo"),
        ("Plumber", "Ada"),
    ]
    assert found[1]["url"] == "https://arxiv.org/abs/2312.02368"
    assert found[1]["content_text"] == "OSDI 2023. In Training."
    assert found[1]["tags"] == ["Training"]
    assert found[1]["_shelfread"]["identifiers"]["arxiv"] == "2312.02368"


CHANGES = {
    "moved to another section": HEAD + B + "\n## Data\n\n" + A,
    "moved within the section": HEAD + B + A,
    "given another link": HEAD + A.replace("https://arxiv.org/abs/2111.04131", "https://x.org/plumber.pdf") + B,
    "reworded": HEAD + A.replace("Removing Bottlenecks in", "How to Remove the Bottlenecks of") + B,
    "reworded without its link": HEAD + A.replace("Removing", "Removal of").replace("abs/2111.04131", "abs/2111.04132") + B,
    "in another style": HEAD + "* **Plumber: Removing Bottlenecks in Pipelines**. *MLSys 2022*. [Paper](https://arxiv.org/pdf/2111.04131v2)\n* " + B[2:],
    "in a table": "# Papers\n\n| Title | Venue |\n|---|---|\n| [Plumber: Removing Bottlenecks in Pipelines](https://arxiv.org/abs/2111.04131) | MLSys 2022 |\n"
    "| [Rinas: Training with Dataset Shuffling](https://arxiv.org/abs/2312.02368) | OSDI 2023 |\n",
    "with other line ends": (HEAD + A + B).replace("\n", "\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_no_news_and_keeps_the_ids(change: str, day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + B})
    before = {item["date_published"]: item["id"] for item in items()}
    day(9, {"list.md": CHANGES[change]})
    assert {item["date_published"]: item["id"] for item in items()} == before


def test_a_chain_of_changes_is_followed(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A.replace("abs/2111.04131", "abs/2111.99999")})
    day(
        3, {"list.md": HEAD + A.replace("abs/2111.04131", "abs/2111.99999").replace("Removing", "Removal of")}
    )
    day(
        4,
        {
            "list.md": HEAD
            + A.replace("abs/2111.04131", "abs/2112.11111").replace("Removing", "Removal of the")
        },
    )
    assert added() == {"Plumber": "01"}


def test_a_renamed_file_and_an_entry_moved_between_files_are_no_news(day: Any) -> None:
    day(1, {"list.md": HEAD + A + B})
    do("mv", "list.md", "README.md")
    day(2, {})
    day(3, {"README.md": HEAD + B, "other.md": HEAD + A})
    assert added() == {"Plumber": "01", "Rinas": "01"}
    assert added("other.md") == {"Plumber": "01"}


def test_what_was_removed_is_left_out_and_what_came_back_is_old(day: Any) -> None:
    day(1, {"list.md": HEAD + A + B})
    day(2, {"list.md": HEAD + B})
    assert added() == {"Rinas": "01"}
    day(3, {"list.md": HEAD + B + A})
    assert added() == {"Plumber": "01", "Rinas": "01"}


def test_a_longer_title_is_another_entry(day: Any) -> None:
    survey = "- A Survey of Large Shelves{} [[Paper](https://arxiv.org/abs/2{})]\n"
    day(1, {"list.md": HEAD + survey.format(" for Small Books", "001.00001")})
    day(
        2, {"list.md": HEAD + survey.format("", "002.00002") + survey.format(" for Small Books", "001.00001")}
    )
    assert [(item["title"], item["date_published"][8:10]) for item in items()] == [
        ("A Survey of Large Shelves", "02"),
        ("A Survey of Large Shelves for Small Books", "01"),
    ]
    day(3, {"list.md": HEAD + survey.format("", "002.00002")})
    assert added() == {"A Survey of Large Shelves": "02"}


@pytest.mark.parametrize("mention", [" (extends [{}]({}))", "\n  - Extends [{}]({})"])
def test_an_entry_whose_address_an_older_one_mentions_is_new(mention: str, day: Any) -> None:
    url = "https://arxiv.org/abs/2312.02368"
    older = A.replace("\n", f"{mention.format('RINAS', url)}\n")
    day(1, {"list.md": HEAD + older})
    day(2, {"list.md": HEAD + older + B})
    assert added() == {"Plumber": "01", "Rinas": "02"}
    assert added("--since", "HEAD~1") == {"Rinas": "02"}


@pytest.mark.parametrize(
    ("written", "shown"),
    [("RainTalks @ MLSys 2022", "RainTalks @ MLSys 2022."), ("EMNLP-Findings 2022", "EMNLP Findings 2022.")],
)
def test_a_paper_is_not_called_by_the_conference_beside_its_venue(written: str, shown: str, day: Any) -> None:
    day(1, {"list.md": HEAD + A.replace("MLSys 2022", written)})
    (item,) = items()
    assert item["content_text"].startswith(shown)


def test_a_short_name_nested_below_a_title(day: Any) -> None:
    tools = "- [Tools of Many Shelves](https://tools.example.org)\n  - [bat](https://bat.example.org) - {}\n"
    day(1, {"list.md": HEAD + tools.format("Shows files.")})
    day(2, {"list.md": HEAD + tools.format("Shows all files.")})
    assert added()["bat"] == "01"


def test_an_entry_that_is_listed_twice_is_one_item(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + "\n## Data\n\n" + A})
    assert added() == {"Plumber": "01"}
    assert len(items()) == 1


def test_two_titles_with_one_link_are_two_items(day: Any) -> None:
    entry = "- [{}](https://shelves.example.org)\n"
    day(1, {"list.md": HEAD + entry.format("Shelves of Books")})
    day(2, {"list.md": HEAD + entry.format("Shelves of Books") + entry.format("More Shelves of Books")})
    assert added() == {"Shelves of Books": "01", "More Shelves of Books": "02"}


def test_a_merge_brings_its_entries(day: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    day(1, {"list.md": HEAD + A})
    do("checkout", "--quiet", "-b", "more")
    day(2, {"list.md": HEAD + A + B})
    do("checkout", "--quiet", "main")
    day(3, {"list.md": HEAD + C + "\n" + A})
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-05-04T12:00:00Z")
    do("merge", "--quiet", "--no-edit", "more")
    assert added() == {"Plumber": "01", "fd": "03", "Rinas": "04"}


def test_entries_without_an_address_are_found_by_their_beginning(day: Any) -> None:
    day(1, {"list.md": "# Papers\n\n- Pans (OSDI 2020)\n"})
    day(2, {"list.md": "# Papers\n\n- Pans (OSDI 2021)\n- Pots (OSDI 2021)\n"})
    assert added() == {"Pans": "01", "Pots": "02"}


# ------------------------------------------------------------------------------------------------- --since
def test_since(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    second = day(2, {"list.md": HEAD + A + B})
    do("tag", "v1")
    day(3, {"list.md": HEAD + A + B + "\n" + C})
    for since in ("v1", second[:8], "HEAD~1", "2024-05-03"):
        assert added("--since", since) == {"fd": "03"}, since
    for since in ("2024", "2024-05", "2024-05-01"):
        assert len(items("--since", since)) == 3, since
    assert items("--since", "HEAD") == items("--since", "2025") == []


@pytest.mark.parametrize(
    ("since", "message"),
    [
        ("nothing", "neither a date such as 2024-05-31 nor a commit"),
        ("--x", "neither a date such as 2024-05-31 nor a commit"),
        ("2024-13", "no such date: '2024-13'"),
        ("2024-02-31", "no such date: '2024-02-31'"),
    ],
)
def test_since_that_names_nothing(since: str, message: str, day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    done = shelfread("feed", f"--since={since}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1


# ------------------------------------------------------------------------------------------- no history
def test_without_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put({"list.md": HEAD + A})
    done = shelfread("feed", "list.md")
    assert (done.exit_code, done.stdout) == (2, "")
    assert (
        "list.md: no git repository: a feed is made of a list's history, so run it in a clone" in done.stderr
    )
    done = shelfread("feed", "lsit.md")
    assert (done.exit_code, "lsit.md: no such file or folder" in done.stderr) == (2, True)


def test_without_commits(repo: Path) -> None:
    put({"list.md": HEAD + A})
    done = shelfread("feed")
    assert (done.exit_code, "no commits yet" in done.stderr) == (2, True)


def test_a_file_that_was_never_committed(day: Any) -> None:
    day(1, {"other.md": HEAD + A})
    put({"list.md": HEAD + B})
    done = shelfread("feed", "list.md")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "list.md: never committed" in done.stderr
    assert added("other.md") == {"Plumber": "01"}
    put({"other.md": HEAD + A + B})
    done = shelfread("feed", "other.md")
    assert (done.exit_code, "1 entry not committed yet" in done.stderr) == (0, True)


def test_titles_in_cells_and_quotations(day: Any) -> None:
    table = "| Year | Model | Paper |\n|---|---|---|\n| 2021 | Wudao 2.0 | ACL 2021 |\n| 2022 | Palm 3.0 | ACL 2022 |\n"
    day(1, {"list.md": "# Models\n\n" + table})
    day(
        2,
        {
            "list.md": "# Models\n\n"
            + table
            + '\n## More\n\n- Ada B. Stone and Cy D. Wood, "KAZE Features", ECCV 2012\n'
        },
    )
    assert added() == {"Wudao 2.0": "01", "Palm 3.0": "01", "KAZE Features": "02"}


def test_an_entry_whose_line_says_it_in_its_middle(day: Any) -> None:
    old = "- 张延松, 王珊. 一种基于向量索引的内存加速技术. 计算机学报, 2019, 42(8):18.\n"
    day(1, {"list.md": HEAD + A + old})
    day(2, {"list.md": HEAD + A + old + "- P. Menon, et al., Fusion for Memory, in VLDB, 2017 (Optional)\n"})
    assert list(added().values()) == ["02", "01", "01"]


def test_an_entry_that_no_commit_has_in_a_line_is_not_called_uncommitted(day: Any) -> None:
    day(1, {"list.md": HEAD + A + "- (Wu Dao 2) - ACL\n  2021, [Code](wudao.zip)\n"})
    find = Signs.find
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Signs, "find", lambda self, lines: {0: 0} if 0 in find(self, lines) else {})
        done = shelfread("feed", "--format", "json")
    assert done.stderr == "shelfread: 1 entry not recognised in the history: list.md:6\n"
    put({"list.md": Path("list.md").read_text() + B})
    assert "not committed yet" in shelfread("feed").stderr


ADDRESSES = [
    "- [fd](https://github.com/sharkdp/fd)- Finds files.\n",
    "- ~~[fd](https://github.com/sharkdp/fd)~~ - Finds files.\n",
    "- [学习](https://arxiv.org/abs/1708.05629)(Learning, L2T)\n",
    "- [Lisp](https://example.org/playlist?list=PL2VAYZE_) - A course.\n",
    "- [Art](http://example.org/art.aspx?) - A book.\n",
    "- [Caf\u00e9](https://example.org/a_(b)) - A place.\n",
    "- **1. Networks: A Survey of Networks** [[Paper](https://example.org/1)]\n",
]


@pytest.mark.parametrize("line", ADDRESSES)
def test_addresses_end_where_markdown_says(day: Any, line: str) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + line})
    done = shelfread("feed", "--format", "json", "--since", "2024-05-02")
    assert (len(json.loads(done.stdout)["items"]), done.stderr) == (1, "")


def test_standard_input_and_missing_files(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    assert "not standard input" in shelfread("feed", "-").stderr
    assert "gone.md: no such file" in shelfread("feed", "gone.md").stderr


def test_a_shallow_clone_says_so(day: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + B})
    day(3, {"list.md": HEAD + A + B + "\n" + C})
    do("clone", "--quiet", "--depth", "2", (tmp_path / "repo").as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    done = shelfread("feed", "--format", "json")
    assert (done.exit_code, "this clone is shallow" in done.stderr) == (0, True)
    assert [item["title"] for item in json.loads(done.stdout)["items"]] == ["fd"]


def test_no_program_of_the_repository_runs(day: Any) -> None:
    put({"run.sh": "#!/bin/sh\ntouch ran\ncat $1\n", ".gitattributes": "*.md diff=own\n"})
    Path("run.sh").chmod(0o755)
    day(1, {"list.md": HEAD + A})
    for name in ("diff.own.textconv", "diff.own.command", "diff.external"):
        do("config", name, str(Path("run.sh").absolute()))
    assert added() == {"Plumber": "01"}
    assert not Path("ran").exists()


# --------------------------------------------------------------------------------------------- formats
def atom(text: str) -> ET.Element:
    """A feed, valid by the rules of RFC 4287 that can be checked."""
    feed = ET.fromstring(text)
    assert feed.tag == f"{ATOM}feed"
    for element in (feed, *feed.iter(f"{ATOM}entry")):
        names = [child.tag.removeprefix(ATOM) for child in element]
        for name in ("id", "title", "updated"):
            assert names.count(name) == 1, (name, names)
        assert names.count("author") == 1 and element.findtext(f"{ATOM}author/{ATOM}name")
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", element.findtext(f"{ATOM}id") or "")
    for name in ("updated", "published"):
        assert all(TIME.fullmatch(found.text or "") for found in feed.iter(f"{ATOM}{name}"))
    for entry in feed.iter(f"{ATOM}entry"):
        assert entry.find(f"{ATOM}link") is not None or entry.find(f"{ATOM}content") is not None
        assert all(
            re.match(r"[a-z]+://[\x21-\x7e]+$", link.attrib["href"]) for link in entry.iter(f"{ATOM}link")
        )
        assert all("term" in category.attrib for category in entry.iter(f"{ATOM}category"))
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    newest = [entry.findtext(f"{ATOM}updated") for entry in feed.iter(f"{ATOM}entry")]
    assert newest == sorted(newest, reverse=True, key=str)
    return feed


def test_atom(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + B})
    feed = atom(shelfread("feed").stdout)
    assert feed.findtext(f"{ATOM}title") == "Papers"
    assert feed.findtext(f"{ATOM}updated") == "2024-05-02T12:00:00Z"
    first = feed.find(f"{ATOM}entry")
    assert first is not None
    assert first.findtext(f"{ATOM}title") == "Rinas: Training with Dataset Shuffling"
    assert first.findtext(f"{ATOM}published") == "2024-05-02T12:00:00Z"
    assert first.findtext(f"{ATOM}content") == "OSDI 2023. In Training."
    ids = feed.findtext(f"{ATOM}id")
    day(3, {"list.md": HEAD + A + B + "\n" + C})
    assert atom(shelfread("feed").stdout).findtext(f"{ATOM}id") == ids
    assert (
        atom(shelfread("feed", "--since", "HEAD").stdout).findtext(f"{ATOM}updated") == "2024-05-03T12:00:00Z"
    )


def test_markdown(day: Any) -> None:
    day(1, {"list.md": HEAD + A})
    day(2, {"list.md": HEAD + A + B + "\n" + C})
    assert shelfread("feed", "--format", "markdown").stdout.splitlines() == [
        "<!-- Written by shelfread feed. -->",
        "",
        "# New in Papers",
        "",
        "## 2024-05-02",
        "",
        "- [Rinas: Training with Dataset Shuffling](https://arxiv.org/abs/2312.02368) (OSDI 2023)",
        "- [fd](https://github.com/sharkdp/fd) - Finds files.",
        "",
        "## 2024-05-01",
        "",
        "- [Plumber: Removing Bottlenecks in Pipelines](https://arxiv.org/abs/2111.04131) (MLSys 2022)",
    ]


@pytest.mark.parametrize("form", ["atom", "json", "markdown"])
def test_hostile_titles_and_authors(form: str, day: Any) -> None:
    titles = [title.replace("\n", " ").replace("\r", "").replace("\0", "") for title in HOSTILE]
    lines = (
        f'- **Title {title}** (OSDI 2020) [[Paper](https://x.org/{n}?q="]]>)]\n'
        for n, title in enumerate(titles)
    )
    day(1, {"list.md": "# <b>]]> &amp; \x1b[31m\n\n" + "".join(lines)}, "</name>\u202e<script>")
    done = shelfread("feed", "--format", form)
    assert done.exit_code == 0, done.stderr
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\u200f\ufeff]", done.stdout)
    if form == "atom":
        assert len(list(atom(done.stdout).iter(f"{ATOM}entry"))) > 10
    elif form == "json":
        assert {item["authors"][0]["name"] for item in json.loads(done.stdout)["items"]} == {"/namescript"}, (
            "git itself drops < and >"
        )
    else:
        assert "](javascript:" not in done.stdout.replace("\\]", "")


def test_an_empty_feed_says_why(day: Any) -> None:
    day(1, {"notes.md": "# Notes\n\nSome prose.\n", "list.md": HEAD + A})
    done = shelfread("feed", "notes.md")
    assert done.exit_code == 0 and "<entry>" not in done.stdout
    assert done.stderr.startswith("shelfread: no entries found in notes.md")
    assert shelfread("feed", "list.md", "--since", "2025").stderr == "", "nothing new is no fault"


def test_names_with_the_family_first_do_not_run_together(day: Any) -> None:
    line = "- **Tidy Shelves of Books** OSDI 2023 [[Paper](https://arxiv.org/abs/2312.02368)]  \n  *Stone, Ada; Field, Ben*\n"
    day(1, {"list.md": f"# Papers\n\n{line}"})
    (item,) = items()
    assert "Ada Stone, Ben Field." in item["content_text"]


@pytest.mark.parametrize("wrong", ["htps://", "https//", "http:/", "https:///", "https;//", ""])
def test_a_mended_address_is_no_news(day: Any, wrong: str) -> None:
    text = f"{HEAD}- [Vim](https://www.vim.org) - Edits text.\n"
    line = "- [Orca](https://orca.net/x) - Runs.\n"
    day(1, {"list.md": text})
    day(2, {"list.md": text + line.replace("https://", wrong)})
    day(3, {"list.md": text + line})
    assert added() == {"Vim": "01", "Orca": "02"}
