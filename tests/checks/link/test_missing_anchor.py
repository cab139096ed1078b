"""Links to anchors, of the list and of other files."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import Applicability, Severity
from support.local_links import find, git, messages, write

pytestmark = pytest.mark.usefixtures("folder")
ANCHOR = "link/missing-anchor"


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
    assert messages(find(ANCHOR, "list.md", others=("notes/README.md",))) == [
        "no heading or anchor for 'notes#gone'"
    ]


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
