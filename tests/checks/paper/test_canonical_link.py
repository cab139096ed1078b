"""`paper/canonical-link`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.canonical import canonical_link
from shelfread.core.diagnostics import Severity
from shelfread.document.identity import identify
from support.lists import linked_paper
from support.project import run


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("http://arxiv.lanl.gov/abs/cs/0101001", "https://arxiv.org/abs/cs/0101001"),
        ("https://export.arxiv.org/pdf/2301.00001v2", "https://arxiv.org/pdf/2301.00001v2"),
        ("http://aclweb.org/anthology/p19-1001.pdf", "https://aclanthology.org/P19-1001.pdf"),
        ("https://aclanthology.info/papers/P18-1001/p18-1001", "https://aclanthology.org/P18-1001/"),
        (
            "http://jmlr.csail.mit.edu/proceedings/papers/v9/x10.pdf",
            "https://proceedings.mlr.press/v9/x10.pdf",
        ),
    ],
)
def test_former_hosts_have_safe_fixes(before: str, after: str) -> None:
    (found,) = run(canonical_link, linked_paper(before))
    assert found.place.safe
    assert found.fixed == linked_paper(after)
    assert run(canonical_link, found.fixed) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/2301.00001v3",
        "https://export.arxiv.org/rss/cs.LG",
        "https://www.aclweb.org/portal/",
        "https://www.aclweb.org/anthology/P19-1001.bib",
        "https://jmlr.org/papers/v9/x08a.html",
        "https://huggingface.co/papers/2301.00001",
        "http://papers.nips.cc/paper/4824-a-study.pdf",
    ],
)
def test_other_urls_are_accepted(url: str) -> None:
    assert run(canonical_link, linked_paper(url)) == []


def pages_and_pdfs(pages: int, pdfs: int) -> str:
    forms = ["abs"] * pages + ["pdf"] * pdfs
    return "".join(
        linked_paper(f"https://arxiv.org/{form}/2301.{number + 1:05}") for number, form in enumerate(forms)
    )


def test_the_page_is_learned() -> None:
    assert run(canonical_link, pages_and_pdfs(8, 1)) == []
    assert run(canonical_link, pages_and_pdfs(80, 20)) == []
    (found,) = run(canonical_link, pages_and_pdfs(20, 1))
    assert found.place.severity is Severity.WARNING
    assert found.place.safe
    assert run(canonical_link, pages_and_pdfs(92, 8)) == []
    assert run(canonical_link, pages_and_pdfs(1, 20)) == []
    assert run(canonical_link, pages_and_pdfs(20, 1), arxiv="keep") == []


def test_the_message_names_the_url_that_the_fix_writes() -> None:
    (found,) = run(canonical_link, linked_paper("http://arxiv.org/pdf/2301.00001"), arxiv="abs")
    assert found.place.values["url"] == "https://arxiv.org/abs/2301.00001"
    assert found.fixed == linked_paper("https://arxiv.org/abs/2301.00001")


@pytest.mark.parametrize("host", ["web10.arxiv.org", "aps.arxiv.org", "browse.arxiv.org", "beta.arxiv.org"])
def test_other_names_of_arxiv_are_known(host: str) -> None:
    (found,) = run(canonical_link, linked_paper(f"https://{host}/pdf/2301.00001"))
    assert found.fixed == linked_paper("https://arxiv.org/pdf/2301.00001")
    assert found.place.severity is Severity.WARNING
    assert identify(f"https://{host}/pdf/2301.00001") == {"arxiv": "2301.00001"}
