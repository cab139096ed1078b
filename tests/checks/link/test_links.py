"""Checks of links: what a rule's page cannot show, as files on disk, git's memory, and hostile input."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from shelfread.checks.link.url_repair import examine, lacks_scheme, swallows
from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.engine.load import read_document
from shelfread.fixes.rounds import fix_text
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.rulebook.binding import BoundRule, bind
from shelfread.rulebook.metadata import load_rules
from shelfread.taxonomy.load import load as load_taxonomy

CARDS = load_rules()
FILE, ANCHOR = "link/missing-file", "link/missing-anchor"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git work tree of the test's own, which nothing above can be taken for."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def git(*words: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *words], check=True, capture_output=True)


def commit(message: str = "change") -> None:
    git("add", "--all")
    git("commit", "--quiet", "--message", message)


def write(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def find(rule: str, path: str, *, slugs: str = "github", others: tuple[str, ...] = ()) -> list[Diagnostic]:
    return _find(bind(CARDS[rule]), Source(Path(path).read_text(encoding="utf-8"), path), slugs, others)[1]


def fixed(rule: str, path: str, *, unsafe: bool = False) -> str:
    """The text as the fix leaves it; a second run finds nothing to change."""
    bound = bind(CARDS[rule])

    def run(text: str) -> str:
        result = fix_text(Source(text, path), lambda source: _find(bound, source), unsafe=unsafe)
        assert not result.dropped
        return result.text

    text = run(Path(path).read_text(encoding="utf-8"))
    assert run(text) == text
    return text


def _find(
    rule: BoundRule, source: Source, slugs: str = "github", others: tuple[str, ...] = ()
) -> tuple[Document, list[Diagnostic]]:
    taxonomy = load_taxonomy()
    document = read(source, taxonomy.vocabulary)
    known = {source.path or "": facts(document)}
    for other in others:
        known[other] = facts(
            read(Source(Path(other).read_text(encoding="utf-8"), other), taxonomy.vocabulary)
        )
    return document, lint(document, build_context(known, taxonomy, slugs), [rule], CARDS)


def messages(found: list[Diagnostic]) -> list[str]:
    return [one.message for one in found]


# ------------------------------------------------------------------------------------ files on disk


def test_a_renamed_file_is_found_in_gits_memory() -> None:
    git("init", "--quiet")
    write(
        {
            "notes/old.md": "A long enough note to be known again.\n" * 5,
            "list.md": "[Note](notes/old.md#a?b)\n",
        }
    )
    commit()
    Path("pages").mkdir()
    git("mv", "notes/old.md", "notes/newer.md")
    commit()
    git("mv", "notes/newer.md", "pages/newest.md")
    commit()
    (found,) = find(FILE, "list.md")
    assert found.message == "there is no 'notes/old.md', it is 'pages/newest.md'"
    assert found.fix is not None
    assert found.fix.applicability is Applicability.SAFE
    assert fixed(FILE, "list.md") == "[Note](pages/newest.md#a?b)\n"


def test_a_renamed_folder_is_found_too() -> None:
    git("init", "--quiet")
    texts = {
        f"old/{name}.md": f"The page on {name}, which is like no other.\n" * 5 for name in ("hens", "cows")
    }
    write({**texts, "sub/list.md": "[All](../old/) [Hens](/old/hens.md)\n"})
    commit()
    git("mv", "old", "new")
    commit()
    assert fixed(FILE, "sub/list.md") == "[All](../new/) [Hens](/new/hens.md)\n"


def test_a_rename_whose_end_is_gone_is_no_fix() -> None:
    git("init", "--quiet")
    write({"old.md": "A long enough note to be known again.\n" * 5, "list.md": "[Note](old.md)\n"})
    commit()
    git("mv", "old.md", "fresh.md")
    commit()
    Path("fresh.md").unlink()
    (found,) = find(FILE, "list.md")
    assert found.message == "there is no 'old.md'"
    assert found.fix is None


def test_git_is_asked_once_and_only_when_something_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "--quiet")
    write({"a.md": "[A](a.md)\n", "b.md": "[X](gone.md) [Y](lost.md)\n", "c.md": "[Z](away.md)\n"})
    commit()
    calls: list[object] = []
    run = subprocess.run

    def count(*words: object, **settings: object) -> object:
        calls.append(words)
        return run(*words, **settings)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", count)
    assert find(FILE, "a.md") == []
    assert calls == []
    documents = {path: read_document(path, load_taxonomy().vocabulary) for path in ("b.md", "c.md")}
    context = build_context({path: facts(document) for path, document in documents.items()}, load_taxonomy())
    found = [lint(document, context, [bind(CARDS[FILE])], CARDS) for document in documents.values()]
    assert [len(diagnostics) for diagnostics in found] == [2, 1]
    assert len(calls) == 1


def test_without_git_there_is_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    git("init", "--quiet")
    write({"list.md": "[X](gone.md)\n"})
    monkeypatch.setenv("PATH", "")
    assert messages(find(FILE, "list.md")) == ["there is no 'gone.md'"]


def test_a_hostile_work_tree_runs_nothing(folder: Path) -> None:
    git("init", "--quiet")
    write({"list.md": "[X](gone.md)\n", "trap.sh": f"#!/bin/sh\ntouch {folder}/sprung\n"})
    Path("trap.sh").chmod(0o755)
    commit()
    for key in ("core.fsmonitor", "core.pager", "diff.external", "gpg.program", "core.sshCommand"):
        git("config", key, f"{folder}/trap.sh")
    git("config", "log.showSignature", "true")
    assert len(find(FILE, "list.md")) == 1
    assert not Path("sprung").exists()


def test_case_is_told_apart_on_every_system() -> None:
    write(
        {"Notes/CLUSTER-2014/x.md": "x", "list.md": "[N](notes/cluster-2014/) [X](Notes/CLUSTER-2014/x.md)\n"}
    )
    (found,) = find(FILE, "list.md")
    assert found.message == "there is no 'notes/cluster-2014/', it is 'Notes/CLUSTER-2014/'"
    assert fixed(FILE, "list.md") == "[N](Notes/CLUSTER-2014/) [X](Notes/CLUSTER-2014/x.md)\n"


def test_two_spellings_are_no_fix() -> None:
    write({"Note.md": "x", "NOTE.md": "x", "list.md": "[N](note.md)\n"})
    if len(list(Path().glob("*ote.md"))) + len(list(Path().glob("NOTE.md"))) < 2:
        pytest.skip("this disk does not tell case apart")
    (found,) = find(FILE, "list.md")
    assert found.fix is None


def test_percent_and_angle_brackets_name_files_with_blanks() -> None:
    write(
        {
            "a b/c (d).md": "x",
            "list.md": "[A](a%20b/c%20(d).md) [B](<a b/c (d).md>) [C](A%20b/c%20%28d%29.md)\n",
        }
    )
    (found,) = find(FILE, "list.md")
    assert found.message.startswith("there is no 'A%20b/c%20%28d%29.md'")
    assert "[C](a%20b/c%20%28d%29.md)" in fixed(FILE, "list.md")


def test_nothing_outside_of_the_project_is_looked_at() -> None:
    git("init", "--quiet", "inner")
    write(
        {
            "outer.md": "x",
            "inner/list.md": "[A](../outer.md) [B](../gone.md) [C](../../../etc/passwd) [D](/etc/x)\n",
        }
    )
    assert messages(find(FILE, "inner/list.md")) == ["there is no '/etc/x'"]


def test_a_link_out_of_the_project_is_not_followed(folder: Path) -> None:
    git("init", "--quiet", "inner")
    write(
        {"outside/secret.md": "x", "inner/list.md": "[A](out/secret.md) [B](out/guess.md) [C](in/list.md)\n"}
    )
    Path("inner/out").symlink_to(folder / "outside")
    Path("inner/in").symlink_to(folder / "inner")
    assert find(FILE, "inner/list.md") == []


def test_the_root_is_known_only_where_git_says_it() -> None:
    write({"sub/list.md": "[A](/gone.md) [B](../../gone.md) [C](gone.md)\n"})
    assert messages(find(FILE, "sub/list.md")) == ["there is no 'gone.md'"]


def test_a_submodule_that_was_not_fetched_is_not_judged() -> None:
    Path("module").mkdir()
    write({".gitmodules": "", "list.md": "[A](module/any/file.md) [B](module/)\n"})
    assert find(FILE, "list.md") == []


@pytest.mark.parametrize("marker", ["mkdocs.yml", "_config.yml", "docs/_sidebar.md"])
def test_what_a_site_is_built_from_is_not_all_there(marker: str) -> None:
    git("init", "--quiet")
    write({marker: "", "docs/a.md": "[A](guide) [B](/guide/) [C](b.html) [D](gone.md)\n"})
    assert messages(find(FILE, "docs/a.md")) == ["there is no 'gone.md'"]


def test_pages_of_githubs_own_are_not_files() -> None:
    git("init", "--quiet")
    write({"docs/a.md": "[A](../issues) [B](../wiki/Home) [C](../blob/main/x.md) [D](/releases)\n"})
    assert find(FILE, "docs/a.md") == []


def test_a_list_without_a_path_has_no_files() -> None:
    assert _find(bind(CARDS[FILE]), Source("[A](gone.md)\n"))[1] == []
    assert _find(bind(CARDS[FILE]), Source("[A](gone.md)\n", "nowhere/list.md"))[1] == []


def test_an_escaped_destination_is_reported_and_left_alone() -> None:
    write({"a_b.md": "x", "list.md": "[A](a\\_b.md) [B](A\\_b.md)\n"})
    (found,) = find(FILE, "list.md")
    assert found.fix is None


def test_a_page_is_known_by_its_title() -> None:
    """As a list of papers has it, whose pages GitBook named anew (BytePS, Aryl)."""
    write(
        {
            "osdi/byteps.md": "# A unified architecture for accelerating DNN training\n",
            "aryl.md": "# Aryl: An elastic scheduler\n",
            "list.md": "[A](osdi/a-unified-architecture-for-accelerating-dnn-training.md#x) [B](aryl-an-elastic-scheduler.md) "
            "[C](notes/byteps-a.md) [D](aryl-an-elastic-scheduler.png)\n",
        }
    )
    others = ("osdi/byteps.md", "aryl.md")
    found = find(FILE, "list.md", others=others)
    assert [one.message.partition(", ")[2] for one in found] == [
        "it is 'osdi/byteps.md'",
        "did you mean 'aryl.md'?",
        "",
        "",
    ]


def test_two_pages_of_one_title_are_no_fix() -> None:
    title = "# A unified architecture for accelerating DNN training\n"
    link = "[A](a-unified-architecture-for-accelerating-dnn-training.md)\n"
    write({"a.md": title, "b.md": title, "list.md": link})
    (found,) = find(FILE, "list.md", others=("a.md", "b.md"))
    assert found.fix is None


@pytest.mark.parametrize(
    "path", [".github/PULL_REQUEST_TEMPLATE.md", ".github/ISSUE_TEMPLATE/bug.md", "docs/issue_template.md"]
)
def test_in_a_template_no_path_is_proposed(path: str) -> None:
    write({"contributing.md": "x", path: "[A](CONTRIBUTING.md) [B](contributng.md) [name](link)\n"})
    found = find(FILE, path)
    assert len(found) == 2
    assert all(one.fix is None and "give the whole address" in one.message for one in found)


def test_marks_in_a_name_are_to_be_encoded() -> None:
    write(
        {
            "notes/c#.md": "# C\n",
            "what?.md": "x",
            "list.md": "[A](notes/c#.md) [B](what?.md) [C](notes/c%23.md#c) [D](notes/d#.md) [E](what%3F.md?raw=true)\n",
        }
    )
    assert len(find(FILE, "list.md")) == 3
    assert fixed(FILE, "list.md").startswith(
        "[A](notes/c%23.md) [B](what%3F.md) [C](notes/c%23.md#c) [D](notes/d#.md)"
    )


def test_a_file_that_has_yet_to_come_is_no_heading() -> None:
    write({"list.md": "[A](LICENSE) [B](license)\n\n## License\n"})
    found = find(FILE, "list.md")
    assert [one.fix and one.fix.applicability for one in found] == [Applicability.UNSAFE, Applicability.SAFE]


def test_paths_as_people_write_them() -> None:
    git("init", "--quiet")
    names = [
        "notes/über.md",
        "notes/a b/x.md",
        "notes/a&b.md",
        "notes/a+b.md",
        "notes/100%.md",
        "notes/pic.png",
        "run.py",
    ]
    links = (
        "notes/%C3%BCber.md notes/über.md notes%2Füber.md notes/a%20b/x.md <notes/a b/x.md> notes/a&amp;b.md "
        "notes/a+b.md notes/100%25.md notes/100%.md notes/pic.png?raw=true notes/über.md?plain=1#L3 run.py#L10-L20 "
        "notes notes/ ./notes/ /notes/über.md ./././notes/../notes/über.md . ./ .."
    )
    links = links.replace("<notes/a b/x.md>", "<notes/a%20b/x.md>").removesuffix(" ..")
    write({**dict.fromkeys(names, "x"), "list.md": "".join(f"- [A]({link})\n" for link in links.split(" "))})
    write(
        {
            "html.md": '<a href="notes/über.md">A</a> <img src="notes/pic.png"> <a id="x" href=\'notes/nope.md\'>B</a>\n'
        }
    )
    assert messages(find(FILE, "list.md")) == []
    assert messages(find(FILE, "html.md")) == ["there is no 'notes/nope.md'"]


def test_what_is_nearest_needs_a_yes() -> None:
    write({"contributing.md": "x", "list.md": "[A](contributng.md)\n"})
    (found,) = find(FILE, "list.md")
    assert found.fix is not None
    assert found.fix.applicability is Applicability.UNSAFE


# ----------------------------------------------------------------------------------- anchors


def test_case_alone_is_an_info() -> None:
    write({"list.md": "[A](#Talks) [B](#talk-s)\n\n## Talks\n"})
    assert [one.severity for one in find(ANCHOR, "list.md")] == [Severity.INFO, Severity.ERROR]


def test_every_kind_of_anchor_counts() -> None:
    anchors = (
        "echo echo-1 echo-1-1 echo-1-2 echo-2 named ided both pictured boxed user-content-named user-content-echo "
        "%C3%BCber-uns über-uns %c3%bcber-uns -tools rocket-launch code-x snake_case 中文-标题 c--c a-link bold-sub "
        "setext-head closed v10 html-heading inside-details h2o--co a-b L10 L10-L20 :~:text=x"
    )
    headings = (
        "echo|echo|echo 1|echo-1|echo|Über uns|🚀 Tools|:rocket: launch|`code` x|snake_case|中文 标题|C & C|[a link](x.md)"
        "|**bold** <sub>sub</sub>|closed ##|v1.0|H2O ① CO²|a &nbsp;b"
    )
    write(
        {
            "list.md": "".join(f"- [A](#{anchor})\n" for anchor in anchors.split())
            + '\n<a name="named"></a><a id="ided"></a> <a href="#echo" id="both">x</a> <img id=pictured src="x.png">\n\n'
            + '<div id="boxed"></div>\n\nSetext head\n---\n\n<h2 align="center">HTML heading</h2>\n\n'
            + "<details><summary>S</summary>\n\n### Inside details\n\n</details>\n\n"
            + "".join(f"## {heading}\n\n" for heading in headings.split("|"))
        }
    )
    assert messages(find(ANCHOR, "list.md")) == []


def test_a_folder_shows_its_readme() -> None:
    write({"notes/README.md": "# Notes\n", "list.md": "[A](notes/#notes) [B](notes#notes) [C](notes#gone)\n"})
    assert messages(find(ANCHOR, "list.md", others=("notes/README.md",))) == ["'notes#gone' leads nowhere"]


def test_gitbook_makes_other_anchors() -> None:
    write({"list.md": "[A](#papers--books) [B](#papers-books)\n\n## Papers & Books\n"})
    assert [one.span.start for one in find(ANCHOR, "list.md")] == [16 + 8]
    assert [one.span.start for one in find(ANCHOR, "list.md", slugs="gitbook")] == [4]


def test_anchors_of_other_files_from_folders_and_the_root() -> None:
    git("init", "--quiet")
    write(
        {
            "docs/a.md": "[A](../b.md#there) [B](../b.md#gone) [C](/b.md#gone) [D](./c%20d.md#There)\n",
            "b.md": "# There\n",
            "docs/c d.md": "# There\n",
        }
    )
    found = find(ANCHOR, "docs/a.md", others=("b.md", "docs/c d.md"))
    assert [one.message.split("'")[1] for one in found] == ["../b.md#gone", "/b.md#gone", "./c%20d.md#There"]
    assert find(ANCHOR, "docs/a.md") == []


def test_two_anchors_alike_are_no_fix() -> None:
    write({"list.md": '[A](#a_b)\n\n## a-b\n\n<a id="ab"></a>\n'})
    (found,) = find(ANCHOR, "list.md")
    assert found.fix is None or found.fix.applicability is Applicability.UNSAFE


@pytest.mark.parametrize(
    ("wanted", "heading", "near"),
    [
        ("image", "Images", True),
        ("post-training", "Pre-Training", False),
        ("osdi-papers-2021", "OSDI Papers 2022", False),
        ("new-experiments", "Experiments", True),
    ],
)
def test_only_what_may_be_meant_is_proposed(wanted: str, heading: str, near: bool) -> None:
    write({"list.md": f"[A](#{wanted})\n\n## {heading}\n"})
    (found,) = find(ANCHOR, "list.md")
    assert ("did you mean" in found.message) is near


def test_a_template_is_not_the_page_that_it_becomes() -> None:
    write({"list.md": "[A](#contents) ![](https://img.shields.io/badge/n-{count}-blue)\n"})
    assert find(ANCHOR, "list.md") == []


# --------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org/a_(b)",
        "https://example.org/?q='a'",
        "https://web.archive.org/web/2019id_/http://example.org/",
        "https://example.org/compare/v1...v2",
        "https://user:pass@example.org:8080/",
        "http://[::1]:3000/",
        "https://例え.jp/テスト",
        "https://en.wikipedia.org/wiki/Navier–Stokes_equations",
        "https://zh.wikipedia.org/wiki/C（语言）",
        "mailto:a@example.org",
        "magnet:?xt=urn:btih:1",
        "vscode://extension",
        "ftp://example.org/a",
        "hdfs://cluster/a",
        "docs/http-server.md",
        "http/readme.md",
        "#https://",
        "//example.org/a",
        "https://{host}/a",
        "https://...",
    ],
)
def test_addresses_with_nothing_wrong(url: str) -> None:
    assert examine(url) is None


@pytest.mark.parametrize(
    ("url", "mended"),
    [
        ("htps://example.org", "https://example.org"),
        ("http:example.org/a", "http://example.org/a"),
        ("http://http://example.org", "http://example.org"),
        ("https://http//example.org", "https://example.org"),
        ("httphttps://example.org", "https://example.org"),
        ("://example.org", "https://example.org"),
        ("https://example.org/\u200b", "https://example.org/"),
        ("http：／／example．org/a", "http://example.org/a"),
        ("“https://example.org”", "https://example.org"),
        ("https://example.org/a，", "https://example.org/a"),
        ("hhttps:/example.org/a>,", "https://example.org/a"),
        ("[https://a.org](https://a.org)", "https://a.org"),
        ("[https://a.org](https://b.org)", None),
    ],
)
def test_addresses_with_one_reading(url: str, mended: str | None) -> None:
    fault = examine(url)
    assert fault is not None
    assert fault.mended == mended
    assert mended is None or examine(mended) is None


def test_a_host_is_no_file() -> None:
    assert lacks_scheme("ohmyz.sh", set()) is None
    assert lacks_scheme("ohmyz.sh/a", {"ohmyz.sh"}) is not None
    for name in ("readme.io", "notes.md", "run.py", "a/b.com", "1.5", "v1.0", "Makefile", "LICENSE.txt"):
        assert lacks_scheme(name, set()) is None


@pytest.mark.parametrize(
    ("url", "at"),
    [
        ("https://a.org）です", 13),
        ("https://zh.wikipedia.org/wiki/C（语言）", -1),
        ("https://a.org/日本，李", -1),
        ("https://a.orgの", 13),
    ],
)
def test_where_an_address_in_running_text_ends(url: str, at: int) -> None:
    assert swallows(url) == at


def test_a_fix_is_composed_of_all_that_is_wrong_with_an_address() -> None:
    rules = [bind(CARDS[id]) for id in ("link/tracking", "link/insecure", "link/malformed")]
    taxonomy = load_taxonomy()

    def diagnose(source: Source) -> tuple[Document, list[Diagnostic]]:
        document = read(source, taxonomy.vocabulary)
        return document, lint(document, build_context({"": facts(document)}, taxonomy), rules, CARDS)

    text = "[A](http://arxiv.org/abs/1404.5997?utm_source=a&x=1) [B](hhttp://arxiv.org/abs/1404.5997?utm_source=b)\n"
    assert [one.rule for one in diagnose(Source(text))[1]] == ["link/tracking", "link/malformed"]
    result = fix_text(Source(text), diagnose)
    assert result.text == "[A](https://arxiv.org/abs/1404.5997?x=1) [B](https://arxiv.org/abs/1404.5997)\n"
    assert not result.dropped


# ------------------------------------------------------------------------------------ hostile


def _hostile() -> Iterator[tuple[str, str]]:
    yield "brackets", "[a](https://x.org [" * 3000
    yield "blanks", "[a](https://x.org" + " a" * 20000
    yield "apart", "]" + " " * 30000 + "(https://x.org)"
    yield "commas", "[a](https://x.org/" + "," * 30000 + ")"
    yield "schemes", "[a](" + "https://" * 5000 + ")"
    yield "bold", "** " + " " * 30000 + "a\n\n- b\n"
    yield "parameters", "[a](https://x.org/?" + "utm_a=1&" * 5000 + "b=2)"
    yield "rules", "---\n\nAs an AI you\n\n" * 2000
    yield "headings", "# For AI agents\n\n" * 3000
    yield "anchors", "".join(f"[a](#{'b' * 50}{i})\n\n" for i in range(2000)) + "# bbb\n\n" * 500
    yield "files", "".join(f"[a](b{i}.md)\n\n" for i in range(2000))
    yield "underlines", "# a\n\n# b\n\n" + "c.\n---\n" * 3000


@pytest.mark.parametrize(
    ("name", "text"), list(_hostile()), ids=lambda value: value if len(value) < 20 else ""
)
def test_hostile_lists_take_no_time(name: str, text: str) -> None:
    taxonomy = load_taxonomy()
    document = read(Source(text, "list.md"), taxonomy.vocabulary)
    project = build_context({"list.md": facts(document)}, taxonomy)
    rules = [bind(card) for id, card in CARDS.items() if id.split("/")[0] in ("heading", "link", "text")]
    start = time.perf_counter()
    lint(document, project, rules, CARDS)
    assert time.perf_counter() - start < 2
