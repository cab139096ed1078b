"""`--since`: what a change brought about, and nothing else, in real repositories."""

from __future__ import annotations

import json
import random
import re
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from shelfread.cli import group
from shelfread.core.differences import GONE, align
from support.gitrepo import commit, do, put, repo
from support.paths import ROOT

__all__ = ["repo"]

NAMES = "Anvil Bellows Chisel Drill Easel File Gauge Hammer Iron Jig Knife Lathe Mallet Nail Oiler".split()


MANY = [*NAMES, *(f"Tool {number}" for number in range(20))]


def line(name: str, stop: str = ".") -> str:
    return (
        f"- [{name}](https://{name.lower().replace(' ', '-')}.org) - Does what a {name.lower()} does{stop}\n"
    )


def tools(*names: str, head: str = "", tail: str = "") -> str:
    """A list of tools; a name that ends with ! lacks its full stop."""
    lines = [line(name.rstrip("!"), "" if name.endswith("!") else ".") for name in names]
    return f"# Tools\n\n{head}## All\n\n{''.join(lines)}{tail}"


CONFIG = "select: [entry/description-end, entry/duplicate, heading/empty, link]\n"
OLD = tools(*NAMES[:4], "Easel!", *NAMES[5:])
"""A list with one finding of its own."""


@pytest.fixture
def here(repo: Path) -> Path:
    """A repository whose configuration names a few rules."""
    put({".shelfread.yaml": CONFIG})
    return repo


def shelfread(*words: str, input: str | None = None) -> Result:
    return CliRunner().invoke(group, words, input=input, prog_name="shelfread")


def found(
    *words: str, since: str = "HEAD", input: str | None = None, least: tuple[str, ...] = ("warning", "error")
) -> list[str]:
    """The rule and line of each finding, with the file's name unless it is `list.md`."""
    done = shelfread("check", "--output-format", "json", "--since", since, *words, input=input)
    assert done.exit_code in (0, 1), done.stderr
    return [
        f"{one['rule']} {'' if one['path'] == 'list.md' else one['path'] + ':'}{one['line']}"
        for one in json.loads(done.stdout)["diagnostics"]
        if one["severity"] in least
    ]


# --------------------------------------------------------------------------- what a change brought about


def test_blanks_are_no_change(here: Path) -> None:
    """`format` takes them away, which brings no finding about."""
    commit({"list.md": OLD.replace("- [Easel]", "-   [Easel]").replace("easel does\n", "easel does  \n")})
    put({"list.md": OLD})
    assert found() == []


def test_nothing_changed(here: Path) -> None:
    commit({"list.md": OLD})
    done = shelfread("check", "--since", "HEAD")
    head = do("rev-parse", "--short=7", "HEAD")
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "No problems found in 15 entries of list.md (core).",
            f"1 finding in lines from before HEAD ({head}) not shown.",
        ],
    )
    assert shelfread("check").exit_code == 1
    commit({"list.md": tools(*NAMES)})
    done = shelfread("check", "--since", "HEAD")
    assert done.stdout == "No problems found in 15 entries of list.md (core).\n", "nothing is hidden"


def test_findings_on_changed_lines(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD + line("Plane", "")})
    assert found() == ["entry/description-end 20"]
    put({"list.md": OLD.replace("a drill does.", "a drill can do")})
    assert found() == ["entry/description-end 8"]


def test_a_changed_line_with_what_it_had_before(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD.replace("a easel", "an easel")})
    assert "entry/description-end 9" in found()


def test_lines_that_only_move_down_are_old(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD.replace("## All", "Words.\n\nMore of them.\n\n## All")})
    assert found() == []


def test_a_block_of_old_definitions_that_no_link_uses(here: Path) -> None:
    definitions = "".join(f"[{name.lower()}]: https://x.org/{name}\n" for name in ("Awl", "Bit", "Cog"))
    commit({"list.md": tools(*NAMES, tail=f"\n{definitions}")})
    put({"list.md": tools(*NAMES, tail=f"\n{definitions}").replace("an anvil does", "an anvil can do")})
    assert found() == []


def test_a_duplicate_of_an_old_entry(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD.replace(line("Anvil"), line("Oiler") + line("Anvil"))})
    assert found() == ["entry/duplicate 5"], "the new entry is to blame, although it comes first"
    assert "already listed at list.md:20" in shelfread("check", "--since", "HEAD").stdout


def test_a_section_of_the_same_name_above_an_old_one(here: Path) -> None:
    put({".shelfread.yaml": "select: [heading/duplicate]\n"})
    commit({"list.md": SECTIONS})
    put({"list.md": SECTIONS.replace("## All", "## More\n\n- [Vise](https://vise.org) - Holds.\n\n## All")})
    assert found() == ["heading/duplicate 3"]


def test_an_address_under_another_name(here: Path) -> None:
    text = OLD + "- [Saw](https://github.com/saws/saw) - Saws.\n"
    commit({"list.md": text})
    again = "- [Hacksaw](https://github.com/saws/saw) - Saws metal.\n"
    put({"list.md": text + again})
    assert found() == ["entry/duplicate 21"], "a warning, although a repository may hold several tools"
    put({"list.md": text.replace(line("Anvil"), again + line("Anvil"))})
    assert found() == ["entry/duplicate 5"]
    commit({})
    put({"list.md": text.replace(line("Anvil"), again + line("Anvil").replace("what", "all"))})
    assert found() == []


def test_a_duplicate_in_another_file(here: Path) -> None:
    commit({"list.md": OLD, "more.md": "# More\n\n- [Saw](https://saw.org) - Saws.\n"})
    put({"list.md": OLD + "- [Saw](https://saw.org) - Saws.\n"})
    assert found() == ["entry/duplicate 20"], "at the new one, whichever file comes first by name"
    assert found("more.md") == [], "what PATH does not name is not said"


SECTIONS = OLD + "\n## More\n\n" + line("Saw")


def test_what_a_change_lists_again_under_another_heading(here: Path) -> None:
    commit({"list.md": SECTIONS})
    put({"list.md": SECTIONS + line("Anvil")})
    assert found() == ["entry/duplicate 24"]
    assert "already listed at list.md:5" in shelfread("check", "--since", "HEAD").stdout
    commit({})
    put({"list.md": SECTIONS + line("Anvil").replace("what", "all that")})
    assert found(least=("info",)) == [], "listed twice before, and so it may be meant"


def test_what_only_moved_is_not_listed_again(here: Path) -> None:
    twice = SECTIONS + line("Anvil")
    commit({"list.md": twice, "old.md": "# Old\n\n" + line("Bellows") + line("Vise")})
    moved = OLD.replace(line("Bellows"), "") + "\n## More\n\n" + line("Anvil") + line("Saw") + line("Bellows")
    put({"list.md": moved})
    do("mv", "old.md", "new.md")
    assert found() == []
    assert {one.split()[0] for one in found(least=("info",))} <= {"entry/duplicate"}


def test_a_list_that_has_many_things_twice_means_to(here: Path) -> None:
    twice = SECTIONS + "".join(map(line, ("Anvil", "Drill", "Hammer")))
    commit({"list.md": twice, "other.md": SECTIONS.replace(".org", ".net")})
    put({"other.md": (SECTIONS + line("Nail")).replace(".org", ".net")})
    assert found() == ["entry/duplicate other.md:24"], "its own habits count"
    commit({})
    put({"list.md": twice + line("Nail")})
    assert found(least=("info",)) == [], "the habit is older"


def test_a_file_that_is_new_may_repeat_what_others_have(here: Path) -> None:
    commit({"list.md": SECTIONS})
    put({"best.md": "# Best\n\n" + line("Anvil") + line("Drill")})
    assert found() == []


def test_a_copy_in_a_section_that_is_renamed(here: Path) -> None:
    commit({"list.md": tools(*NAMES)})
    put({"list.md": tools("Nail", *NAMES).replace("## All", "## Many")})
    assert found() == ["entry/duplicate 5"]


def numbered(text: str) -> str:
    numbers = count(1)
    return re.sub("(?m)^-", lambda _: f"{next(numbers)}.", text)


def test_a_number_that_a_new_item_above_changes_is_no_change(here: Path) -> None:
    commit({"list.md": numbered(OLD)})
    put({"list.md": numbered(OLD.replace("## All\n\n", f"## Many\n\n{line('Oiler')}"))})
    assert found() == ["entry/duplicate 5"], "nor is the old finding below it told"
    put({"list.md": numbered(OLD).replace("15. ", "16. ")})
    assert found("--select", "entry/numbering") == ["entry/numbering 19"]


def test_a_paper_that_gets_a_link_is_not_listed_again(here: Path) -> None:
    def paper(number: int, url: str = "") -> str:
        links = f" [[Paper]({url})]" if url else ""
        return f"- Scheduling of Deep Learning Jobs on Machines of Kind {number} (OSDI 2022){links}\n"

    def address(number: int) -> str:
        return f"https://arxiv.org/abs/2201.{number:05}"

    start = "# P\n\n## A\n\n" + "".join(paper(one, address(one)) for one in range(30)) + "\n## B\n\n"
    commit({"list.md": start + paper(3)})
    put({"list.md": start + paper(3, address(3))})
    assert [one for one in found() if "duplicate" in one] == []
    put({"list.md": start + paper(3) + paper(4)})
    assert [one for one in found() if "duplicate" in one] == ["entry/duplicate 39"]


def test_an_anchor_and_a_file_that_are_gone(here: Path) -> None:
    head = "See [how](docs/how.md), [the end](guide.md#end) and [that](docs/gone.md).\n\n"
    start = {
        "list.md": tools(*NAMES, head=head),
        "docs/how.md": "# How\n\nSo.\n",
        "guide.md": "# G\n\n## End\n\nX.\n",
    }
    commit(start)
    do("rm", "--quiet", "docs/how.md")
    put({"guide.md": "# G\n\n## Finish\n\nX.\n"})
    assert found() == ["link/missing-file 3", "link/missing-anchor 3"], "the third link led nowhere before"
    put({"docs/how.md": "# How\n\nSo.\n"})
    assert found() == ["link/missing-anchor 3"]


def test_an_order_that_the_change_broke(here: Path) -> None:
    commit(
        {"list.md": OLD, ".shelfread.yaml": "select: [entry/order]\nrules: {entry/order: {when: always}}\n"}
    )
    if found():
        pytest.fail("the list was in order")
    put({"list.md": OLD.replace(line("Anvil"), "").replace(line("Nail"), line("Nail") + line("Anvil"))})
    assert found() == ["entry/order 18"]


def test_an_order_is_not_undone_by_entries_that_break_it(here: Path) -> None:
    """Two of twelve out of order would be no order that could be learned."""
    put({".shelfread.yaml": "select: [entry/order]\n"})
    commit({"list.md": tools(*NAMES[:9], "Anchor", head="## Other\n\nWords.\n\n")})
    text = tools(*NAMES[:8], "Axe", NAMES[8], "Anchor", "Awl", head="## Other\n\nWords.\n\n")
    put({"list.md": text})
    assert shelfread("check").exit_code == 0
    assert found() == ["entry/order 17", "entry/order 20"]


def test_an_order_of_few_entries_that_a_new_one_breaks(here: Path) -> None:
    """The one above it could be the misplaced one as well, but that is older."""
    put({".shelfread.yaml": "select: [entry/order]\n"})
    head = "".join(f"## {number}\n\n{''.join(map(line, NAMES))}\n" for number in range(3))
    commit({"list.md": tools(*NAMES[:5], head=head)})
    put({"list.md": tools(*NAMES[:3], "Bolt", *NAMES[3:5], head=head)})
    assert found() == ["entry/order 62"]


def ordered(text: str) -> list[str]:
    put({".shelfread.yaml": "select: [entry/order]\n", "list.md": text})
    return found()


@pytest.mark.slow
def test_the_new_line_is_out_of_order_and_not_its_neighbour(here: Path) -> None:
    commit({".shelfread.yaml": "select: [entry/order]\n", "list.md": tools(*NAMES)})
    for place in range(1, len(NAMES) - 1):
        names = [*NAMES[:place], "Zither" if place < 8 else "Aerator", *NAMES[place:]]
        assert ordered(tools(*names)) == [f"entry/order {place + 5}"]
    for place in range(len(NAMES) - 3):
        names = [*NAMES[:place], *NAMES[place + 1 : place + 3], NAMES[place], *NAMES[place + 3 :]]
        assert ordered(tools(*names)) == [f"entry/order {place + 7}"], "moved by two"


def test_an_order_that_insertions_make_clear_releases_no_old_finding(here: Path) -> None:
    """Three of 28 entries out of order are too many to learn an order; three of 31 are not."""
    names = sorted(f"{first}{second}" for first in "ABCDE" for second in "acegi")
    mixed = [*names[:12], "Aa Zulu", *names[12:], "Bb", "Cc"]
    commit({".shelfread.yaml": "select: [entry/order]\n", "list.md": tools(*mixed)})
    assert shelfread("check").exit_code == 0
    more = sorted([*mixed[:12], *(f"{mixed[11]}{letter}" for letter in "bcd")])
    put({"list.md": tools(*more, *mixed[12:])})
    assert shelfread("check").exit_code == 1
    assert found() == []


def test_an_edited_entry_is_where_it_was(here: Path) -> None:
    """Of two neighbours in the wrong order, the one whose words were changed is no more to blame than before."""
    names = [*NAMES[:4], NAMES[5], NAMES[4], *NAMES[6:]]
    commit({".shelfread.yaml": "select: [entry/order]\n", "list.md": tools(*names)})
    text = tools(*names)
    changed = [ordered(text.replace(f"a {name.lower()} does", "it can")) for name in (NAMES[4], NAMES[5])]
    assert sorted(changed) in ([[], ["entry/order 9"]], [[], ["entry/order 10"]])


def test_a_section_that_the_change_emptied(here: Path) -> None:
    text = tools(*NAMES, tail="\n## Other\n\n- [Saw](https://saw.org) - Saws.\n")
    commit({"list.md": text})
    put({"list.md": text.replace("- [Saw](https://saw.org) - Saws.\n", "")})
    assert found() == ["heading/empty 21"], "a line that is gone is no changed line"


def test_a_further_line_that_is_gone_changes_its_entry(here: Path) -> None:
    saw = "- [Saw](https://saw.org) - Saws wood (of an oak\n  and of an elm).\n"
    commit({"list.md": tools(*NAMES[:3], tail=saw)})
    put({"list.md": tools(*NAMES[:3], tail=saw.partition("  and")[0])})
    assert found("--select", "entry/brackets") == ["entry/brackets 8"]


def test_new_entries_do_not_tip_a_majority(here: Path) -> None:
    """Of 12 that agree and 3 that do not, nothing could be learned."""
    commit({"list.md": tools(*NAMES[:11], "Lathe!")})
    assert shelfread("check").exit_code == 1, "11 of 12 end with a full stop"
    put({"list.md": tools(*NAMES[:11], "Lathe!", "Mallet!", "Nail!", "Oiler!")})
    assert "description-end" not in shelfread("check", "--statistics").stdout
    assert found() == [f"entry/description-end {number}" for number in (17, 18, 19)]


def test_a_removal_does_not_release_old_findings(here: Path) -> None:
    """Eight of 15 without a full stop are no fault; with most of these gone the others would be one."""
    names = [name if at < 12 else f"{name}!" for at, name in enumerate(NAMES)]
    commit({"list.md": tools(*names)})
    assert shelfread("check").exit_code == 0
    put({"list.md": tools(*names[:13])})
    assert shelfread("check").exit_code == 1, "12 of 13 end with a full stop"
    assert found() == []


def test_conventions_of_files_that_are_gone_still_hold(here: Path) -> None:
    commit({"list.md": tools("Saw", "Plane"), "more.md": tools(*NAMES)})
    do("rm", "--quiet", "more.md")
    put({"list.md": tools("Saw", "Plane") + line("Rasp", "")})
    assert found() == ["entry/description-end 7"]


# ------------------------------------------------------------------------------------------- git's ways


def test_a_file_that_moved_whole_is_not_new(here: Path) -> None:
    commit({"list.md": OLD, "guide.md": "# G\n\nWords.\n"})
    Path("deep").mkdir()
    do("mv", "list.md", "deep/tools.md")
    assert found() == []
    text = Path("deep/tools.md").read_text()
    put({"deep/tools.md": text + line("Plane", "")})
    assert found() == ["entry/description-end deep/tools.md:20"], "moved and changed"


@pytest.mark.parametrize(("more", "count"), [(7, 0), (8, 1)])
def test_a_file_with_half_of_the_words_is_the_one_that_is_gone(here: Path, more: int, count: int) -> None:
    text = "# Tools\n\n- [Saw](htps://saw.org) - Cuts wood.\n"
    commit({"old.md": text})
    do("rm", "--quiet", "old.md")
    put({"new.md": f"{text}\n{'More ' * more}\n"})
    assert len(found()) == count


def test_a_new_file_is_all_new(here: Path) -> None:
    commit({"more.md": tools("Saw", "Plane")})
    put({"list.md": OLD})
    assert found() == ["entry/description-end 9"], "untracked"
    do("add", "list.md")
    assert found() == ["entry/description-end 9"], "staged"


def test_the_first_list_of_a_project(here: Path) -> None:
    commit({"x.txt": "No list"})
    commit({"list.md": OLD})
    assert found(since="HEAD~") == ["entry/description-end 9"], "by its own conventions, as there were none"


def test_since_a_commit_of_long_ago(here: Path) -> None:
    first = commit({"list.md": tools(*MANY)})
    commit({"list.md": tools(*MANY, "Plane!")})
    commit({"list.md": tools(*MANY, "Plane!", "Rasp!")})
    put({"list.md": tools(*MANY, "Plane!", "Rasp!", "Saw!")})
    assert len(found(since=first)) == 3
    assert len(found(since="HEAD~1")) == 2
    do("checkout", "--quiet", "--detach")
    assert len(found(since="HEAD")) == 1


def test_auto(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit({"list.md": tools(*MANY)})
    do("checkout", "--quiet", "-b", "topic")
    first = commit({"list.md": tools(*MANY, "Plane!")})
    commit({"list.md": tools(*MANY, "Plane!", "Rasp!")})
    assert found(since="auto") == ["entry/description-end 40", "entry/description-end 41"]
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", first)
    assert found(since="auto") == ["entry/description-end 41"]


def test_files_of_any_name(here: Path) -> None:
    names = ["a b.md", "new\nline.md", "über.md", 'quo"te.md', "-x.md", "::error::.md"]
    commit({name: tools(*NAMES[at * 2 : at * 2 + 2]) for at, name in enumerate(names)})
    for at, name in enumerate(names):
        put({name: tools(*NAMES[at * 2 : at * 2 + 2]) + line(f"New{at}", "")})
    assert sorted(found()) == sorted(f"entry/description-end {name}:7" for name in names)


def test_lines_that_end_otherwise_are_the_same(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD.replace("\n", "\r\n")})
    assert found() == []
    put({"list.md": (OLD + line("Plane", "")).replace("\n", "\r\n")})
    assert found() == ["entry/description-end 20"]


def test_what_was_no_text_then(here: Path) -> None:
    commit({"list.md": b"\xff\xfe" + OLD.encode("utf-16-le"), "more.md": tools("Saw", "Plane")})
    put({"list.md": OLD})
    assert found() == ["entry/description-end 9"]


def test_what_can_be_read_no_more_or_never_could(here: Path) -> None:
    commit({"list.md": OLD, "old.md": b"\xff\0"})
    put({"list.md": OLD + line("Plane")})
    done = shelfread("check", "--since", "HEAD")
    assert done.exit_code == 0 and "old.md: this is no text file" in done.stderr, (
        "said, and not held against the change"
    )
    for new in (b"\xff\0", b"x" * (17 << 20)):
        put({"new.md": new})
        done = shelfread("check", "--since", "HEAD")
        assert done.exit_code == 2 and "new.md" in done.stderr


def test_a_submodule_is_compared_with_its_own_commit(here: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    do("init", "--quiet", cwd=inner)
    (inner / "list.md").write_text(OLD)
    (inner / ".shelfread.yaml").write_text(CONFIG)
    do("add", ".", cwd=inner)
    do("commit", "--quiet", "-m", "Inner", cwd=inner)
    do("submodule", "--quiet", "add", inner.as_uri(), "sub")
    commit({"list.md": OLD})
    put({"sub/list.md": OLD + line("Plane", "")})
    assert found("sub") == ["entry/description-end sub/list.md:20"]
    assert found() == []


def test_from_a_folder_below_the_root(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit({"list.md": OLD, "sub/more.md": tools("Saw", "Plane")})
    put({"list.md": OLD + "- [Saw](https://saw.org) - Saws.\n"})
    monkeypatch.chdir("sub")
    put({"../list.md": OLD + "- [Saw](https://saw.org) - Saws.\n" + line("Rasp", "")})
    assert found("..") == ["entry/duplicate ../list.md:20", "entry/description-end ../list.md:21"]
    assert found() == []


def test_several_processes_find_the_same(here: Path) -> None:
    commit({"list.md": OLD, "more.md": tools("Saw", "Plane"), "gone.md": tools("Rasp", "Vice")})
    do("rm", "--quiet", "gone.md")
    put({"list.md": OLD + line("Saw", ""), "new.md": tools("Wedge!", "Plane")})
    one = shelfread("check", "--since", "HEAD", "-j", "1", "--output-format", "json")
    assert json.loads(one.stdout)["diagnostics"]
    assert shelfread("check", "--since", "HEAD", "-j", "3", "--output-format", "json").stdout == one.stdout


def test_standard_input_against_the_file_of_its_name(here: Path) -> None:
    commit({"list.md": OLD})
    new = OLD + line("Plane", "")
    assert found("-", "--stdin-filename", "list.md", input=new) == ["entry/description-end 20"]
    assert found("-", "--stdin-filename", "list.md", input=OLD) == []
    assert "entry/description-end new.md:20" in found("-", "--stdin-filename", "new.md", input=new)
    done = shelfread("check", "-", "--since", "HEAD", input=new)
    assert done.exit_code == 2 and "--stdin-filename names it" in done.stderr


# ------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("rev", ["nowhere", "--output=x", "HEAD~9", "HEAD:list.md", "\x1b[31m"])
def test_a_revision_that_is_none(here: Path, rev: str) -> None:
    commit({"list.md": OLD})
    done = shelfread("check", f"--since={rev}")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "revision" in done.stderr and "\x1b" not in done.stderr
    assert not Path("x").exists()


def test_outside_of_git(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put({"list.md": OLD})
    done = shelfread("check", "--since", "HEAD", "list.md")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no git repository: there is no commit to compare with" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_repository_without_commits(here: Path) -> None:
    put({"list.md": OLD})
    for rev in ("HEAD", "auto"):
        done = shelfread("check", "--since", rev)
        assert done.exit_code == 1 and f"before {rev} (no commits yet)" in done.stdout
    done = shelfread("check", "--since", "v1")
    assert done.exit_code == 2 and "has no commits yet" in done.stderr


def test_a_shallow_clone(here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit({"list.md": OLD})
    commit({"list.md": OLD + line("Plane", "")})
    do("clone", "--quiet", "--depth=1", here.as_uri(), str(tmp_path / "shallow"))
    monkeypatch.chdir(tmp_path / "shallow")
    done = shelfread("check", "--since", "HEAD~1")
    assert done.exit_code == 2 and "`fetch-depth: 0`" in done.stderr


# ---------------------------------------------------------------------------------------------------- fix


def test_fix_mends_what_is_reported_and_nothing_else(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD + line("Plane", "")})
    done = shelfread("fix", "--since", "HEAD")
    assert done.exit_code == 0, done.stdout
    assert Path("list.md").read_text() == OLD + line("Plane")


def test_fix_of_an_old_line_leaves_its_older_faults(here: Path) -> None:
    """The link is broken by the change; the full stop lacked before."""
    own = "- [Guide](guide.md#end) - Leads there\n"
    commit({"list.md": tools(*NAMES, tail=own), "guide.md": "# G\n\n## End\n\nX.\n"})
    put({"guide.md": "# G\n\n## The End\n\nX.\n"})
    before = Path("list.md").read_text()
    shelfread("fix", "--since", "HEAD", "--unsafe-fixes")
    after = Path("list.md").read_text()
    assert after == before.replace("guide.md#end", "guide.md#the-end") or after == before
    assert "there\n" in after


def test_diff_shows_only_what_is_reported(here: Path) -> None:
    commit({"list.md": OLD})
    put({"list.md": OLD + line("Plane", "")})
    changed = [
        one for one in shelfread("fix", "--diff", "--since", "HEAD").stdout.splitlines() if one[:1] in "+-"
    ]
    assert [one for one in changed if not one.startswith(("+++", "---"))] == [
        "-" + line("Plane", "").strip(),
        "+" + line("Plane").strip(),
    ]


# -------------------------------------------------------------------------------------------------- docs


def test_the_docs_show_what_happens(repo: Path) -> None:
    """The examples of docs/pull-requests.md: a line added to the lists in examples/."""
    files = {path.name: path.read_text() for path in (ROOT / "examples").glob("*.md")}
    commit(files)
    do("update-ref", "refs/remotes/origin/main", "HEAD")
    page = (ROOT / "docs/pull-requests.md").read_text(encoding="utf-8")
    since, _, known = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    Path(".shelfread").mkdir()
    for command, shown in re.findall(r"^\$ shelfread (.*)\n((?:(?!\$ ).*\n)*)", known, re.MULTILINE):
        assert shelfread(*command.split()).stdout == shown
    added = "- [Ray](https://github.com/ray-project/ray) - Runs Python on many machines\n"
    assert added in since.replace("13 | ", "")
    put({"tools.md": files["tools.md"].replace("- [Determined]", f"{added}- [Determined]")})
    command, _, shown = since.partition("\n")
    rest = shelfread(*command.removeprefix("$ shelfread ").split()).stdout
    for part in filter(None, (part.strip("\n") for part in shown.split("..."))):
        assert part in rest
        rest = rest.partition(part)[2]


# -------------------------------------------------------------------------------------------------- lines


@given(st.lists(st.sampled_from("abcdefgh"), max_size=30), st.lists(st.sampled_from("abcdefgh"), max_size=30))
def test_lines_are_matched_in_order_and_with_their_like(old: list[str], new: list[str]) -> None:
    rows = align(old, new)
    kept = [row for row in rows if row != GONE]
    assert kept == sorted(set(kept)) and len(rows) == len(new)
    assert all(old[row] == new[at] for at, row in enumerate(rows) if row != GONE)
    assert align(old, old) == list(range(len(old)))


@given(st.lists(st.integers(), unique=True, max_size=40), st.data())
def test_of_lines_that_are_unique_only_the_new_ones_are_new(numbers: list[int], data: st.DataObject) -> None:
    old = [str(number) for number in numbers]
    new = list(old)
    for at in data.draw(st.lists(st.integers(0, len(old)), max_size=5)):
        new.insert(at, "new")
    assert [line == "new" for line in new] == [row == GONE for row in align(old, new)]


def test_lines_without_any_that_is_unique_take_no_time() -> None:
    chance = random.Random(1)
    old, new = ([chance.choice("ab") for _ in range(100_000)] for _ in range(2))
    assert len(align(old, new)) == len(new)


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ("- [Shelf {0}](https://shelf{0}.dev) - Keeps the books of room {0}.", "{above} {row}"),
        ("- [Shelf {0}](https://shelf{0}.dev) - Keeps the books of room {0}", "{above} {row}"),
        ("- [Shelf {0}](https://shelf{0}.dev)", "{above}{row}"),
        ("- [Shelf {0}](https://shelf{0}.dev) keeps the books of room {0}.", "{above}{row}"),
        ("- **Shelf {0}**, [text](https://shelf{0}.dev)", "{above}\n{bare}"),
        ("- The shelf of room {0} [text](https://shelf{0}.dev)", "{above}\n{bare}"),
        ("- [Shelf {0}](https://shelf{0}.dev)", "{above}\n    {row}"),
    ],
)
def test_a_slip_is_known_by_how_the_base_commit_is_written(here: Path, row: str, line: str) -> None:
    rows = [row.format(number) for number in range(12)]
    commit({"list.md": "# Shelves\n\n" + "\n".join(rows) + "\n"})
    for at in (6, 2):
        slip = line.format(above=rows[at], row=rows[at + 1], bare=rows[at + 1][2:])
        rows[at : at + 2] = [slip]
    put({"list.md": "# Shelves\n\n" + "\n".join(rows) + "\n"})
    assert len(found("--select", "entry/swallowed")) == 2


@pytest.mark.parametrize(("at", "lines"), [(2, [3]), (3, [4]), (5, [])])
def test_a_description_is_compared_with_that_of_a_new_neighbour(
    here: Path, at: int, lines: list[int]
) -> None:
    """Two old entries may well be described alike."""
    rows = ["# Shelves", "", "- [Fir](https://fir.dev) - Keeps the many boxes of a room."]
    rows += [
        f"- [{name}](https://{name}.dev) - Keeps all of the chairs of a room." for name in ("Ash", "Elm")
    ]
    commit({"list.md": "\n".join([*rows, ""])})
    rows.insert(at, "- [Ivy](https://ivy.dev) - Keeps the many boxes of a room.")
    put({"list.md": "\n".join([*rows, ""])})
    assert found("--select", "entry/description-copied") == [
        f"entry/description-copied {line}" for line in lines
    ]


def test_a_blank_line_in_a_table_leaves_a_row_outside(here: Path) -> None:
    rows = ["| Name | Use |", "|---|---|", *(f"| [A{n}](https://a{n}.dev) | {n} |" for n in range(4))]
    commit({"list.md": "\n".join([*rows, ""])})
    put({"list.md": "\n".join([*rows[:4], "", *rows[4:], ""])})
    assert found("--select", "entry/swallowed") == ["entry/swallowed 6"]
