"""Which redirects prove a replacement."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Replacement, Verdict
from shelfread.links.replacements import redirect_replacement
from support.links import SAFE, UNSAFE, redirected


@pytest.mark.parametrize(
    ("written", "end", "applicability"),
    [
        ("https://example.org/a", "https://example.org/a/", SAFE),
        ("https://example.org/a", "https://www.example.org/a", SAFE),
        ("https://example.org/Paper", "https://example.org/paper", SAFE),
        ("https://example.org/old/orca.html", "https://example.org/new/orca.html", SAFE),
        ("https://docs.example.org/orca", "https://example.org/docs/orca", SAFE),
        ("https://example.org/%7Ea/orca.pdf", "https://example.org/~a/orca.pdf", SAFE),
        ("https://www2.example.org/orca", "https://www.example.org/blog/orca", SAFE),
        ("https://example.org/orca/start", "https://example.org/projects/orca/start", SAFE),
        ("https://example.org/docs/orca/start", "https://example.org/orca/start", SAFE),
        ("https://wiki.example.org/orca", "https://docs.example.org/orca", SAFE),
        ("https://alice.example.org/orca", "https://bob.example.org/orca", UNSAFE),
        ("https://alice.example.org/orca", "https://example.org/bob/orca", UNSAFE),
        ("https://example.org/alice/orca", "https://example.org/bob/orca", UNSAFE),
        ("https://example.org/alice/x/orca", "https://example.org/blog/bob/x/orca", UNSAFE),
        ("https://example.org/docs/orca", "https://example.org/bob/orca", UNSAFE),
        ("https://example.org/2019/orca", "https://example.org/2020/orca", UNSAFE),
        ("https://example.org/osdi20/orca", "https://example.org/osdi21/orca", UNSAFE),
        ("https://example.org/v1/orca", "https://example.org/v2/orca", UNSAFE),
        ("https://v1.example.org/orca", "https://v2.example.org/orca", UNSAFE),
        ("https://docs.example.org/en/1.0/orca", "https://docs.example.org/en/stable/orca", UNSAFE),
        ("https://docs.example.org/en/latest/orca", "https://docs.example.org/en/stable/orca", UNSAFE),
        ("https://docs.example.org/orca", "https://docs.example.org/en/latest/orca", UNSAFE),
        ("https://example.org/~alice/orca", "https://example.org/~bob/orca", UNSAFE),
        ("https://example.org/~alice/orca", "https://example.org/bob/orca", UNSAFE),
        ("https://example.org/@alice/orca", "https://example.org/@bob/orca", UNSAFE),
        ("https://example.org/users/alice/orca", "https://example.org/users/bob/orca", UNSAFE),
        ("https://medium.com/@alice/orca", "https://medium.com/@bob/orca", UNSAFE),
        ("https://git.example.org/alice/orca", "https://git.example.org/bob/orca", UNSAFE),
        *(
            (f"https://alice.{host}/orca", f"https://bob.{host}/orca", UNSAFE)
            for host in """medium.com webflow.io ngrok.io ngrok-free.app gitbook.io blogspot.com blogspot.co.uk
            blogspot.de duckdns.org eu.org github.io substack.com wordpress.com netlify.app""".split()
        ),
        *(
            (f"https://{host}/alice/orca", f"https://{host}/bob/orca", UNSAFE)
            for host in """gist.github.com raw.githubusercontent.com gist.githubusercontent.com dev.to git.sr.ht
            gitlab.com bitbucket.org codeberg.org huggingface.co hub.docker.com sites.google.com""".split()
        ),
        ("https://arxiv.org/abs/1706.03762v1", "https://arxiv.org/abs/1706.03762v5", UNSAFE),
        ("https://example.org/a?ref=v1", "https://example.org/b/a?ref=v2", UNSAFE),
        ("https://example.org/a?source=x", "https://example.org/b/a", UNSAFE),
        ("https://example.org/old/orca", "https://example.org/new/tofu", UNSAFE),
        ("https://example.org/old/index.html", "https://example.org/new/index.html", UNSAFE),
        ("https://example.org/page.php?id=5", "https://example.org/new/page.php", UNSAFE),
        ("https://example.org/orca", "https://example.com/orca", UNSAFE),
        ("https://one.github.io/orca", "https://two.github.io/orca", UNSAFE),
        ("http://127.0.0.1:8000/old/orca", "http://127.0.0.1:8000/new/orca", SAFE),
        ("http://127.0.0.1:8000/old/orca", "http://127.0.0.1:9000/new/orca", UNSAFE),
        ("https://github.com/o/old", "https://github.com/o/new", SAFE),
        ("https://github.com/o/old/blob/main/a.md", "https://github.com/o/new/blob/main/a.md", SAFE),
        ("https://github.com/o/old/issues/5", "https://github.com/o/new/issues/5", SAFE),
        ("https://github.com/o/old/issues/5", "https://github.com/o/new/issues/6", UNSAFE),
        ("https://github.com/o/r/blob/master/a.md", "https://github.com/o/r/blob/main/a.md", SAFE),
        ("https://github.com/o/r", "https://github.com/evil/r", UNSAFE),
        ("https://github.com/o/r/blob/main/a.md", "https://github.com/evil/r/blob/main/a.md", UNSAFE),
        ("https://gitlab.com/o/r", "https://gitlab.com/evil/r", UNSAFE),
        ("https://huggingface.co/datasets/o/r", "https://huggingface.co/datasets/evil/r", UNSAFE),
        ("https://bit.ly/abc", "https://example.org/orca", UNSAFE),
        ("https://www.aclweb.org/anthology/P19-1001", "https://aclanthology.org/P19-1001/", SAFE),
        ("https://arxiv.org/pdf/1706.03762.pdf", "https://arxiv.org/pdf/1706.03762", SAFE),
        ("https://arxiv.org/abs/1706.03762", "https://arxiv.org/abs/1706.03763", UNSAFE),
        ("https://dl.acm.org/doi/abs/10.1145/1", "https://dl.acm.org/doi/abs/10.1145/2", UNSAFE),
        (
            "https://www.usenix.org/conference/osdi20/technical-sessions/presentation/orca",
            "https://www.usenix.org/conference/osdi20/presentation/orca",
            SAFE,
        ),
        (
            "https://papers.nips.cc/paper/5656-hidden-technical-debt.pdf",
            f"https://proceedings.neurips.cc/paper_files/paper/2015/file/{'a' * 32}-Paper.pdf",
            SAFE,
        ),
        (
            f"https://papers.nips.cc/paper/2015/hash/{'b' * 32}-Abstract.html",
            f"https://proceedings.neurips.cc/paper_files/paper/2015/hash/{'a' * 32}-Abstract.html",
            UNSAFE,
        ),
    ],
)
def test_permanent_redirects(written: str, end: str, applicability: Applicability) -> None:
    replacement = redirect_replacement(redirected(written, 301, "https://example.net/between", 308, end, 200))
    assert replacement is not None
    assert (replacement.rule, replacement.url, replacement.applicability) == (
        "link/moved",
        end,
        applicability,
    )


@pytest.mark.parametrize(
    "hops",
    [
        ("https://example.org/a", 302, "https://example.org/a/", 200),
        ("https://example.org/a", 307, "https://example.org/b/a", 200),
        ("https://example.org/x/a", 301, "https://example.org/y/a", 302, "https://example.org/z/a", 200),
        ("https://example.org/a", 301, "https://example.org/a/", 404),
        ("https://example.org/a", 301, "https://example.org/a/", 403),
        ("https://example.org/a", 301, "https://example.org/login?next=/a", 200),
        ("https://example.org/a", 301, "https://accounts.example.org/a", 200),
        ("https://example.org/a", 301, "https://consent.example.org/a", 200),
        ("https://example.org/a", 301, "https://example.org/404.html", 200),
        ("https://example.org/a", 301, "https://example.org/", 200),
        ("https://example.org/a", 301, "https://example.org/en/", 200),
        ("https://example.org/a", 301, "https://example.org/?from=a", 200),
        ("https://example.org/a", 301, "https://example.com", 200),
        ("https://example.org/a", 301, "https://www.example.org/a", 302, "https://example.org/login", 200),
        ("https://example.org/a", 301, "http://example.org/a/", 200),
        ("https://example.org/a", 301, "https://bit.ly/a", 200),
        ("https://example.org/a", 301, "https://user@example.org/a", 200),
        ("https://example.org/a", 301, "https://example.org/x\u202e/a", 200),
        ("https://example.org/a", 301, "https://example.org/b/a>", 200),
        ("https://example.org/a", 301, "https://example.org/" + "b" * 3000 + "/a", 200),
        ("https://doi.org/10.1145/1", 301, "https://dl.acm.org/doi/10.1145/1", 200),
        ("https://github.com/o/r", 301, "https://github.com/o", 200),
        ("https://github.com/o/r", 301, "https://github.com/login", 200),
    ],
)
def test_what_is_never_proposed(hops: tuple[str | int, ...]) -> None:
    for verdict in (Verdict.MOVED, Verdict.ALIVE):
        assert redirect_replacement(redirected(*hops, verdict=verdict)) is None


@pytest.mark.parametrize(
    "verdict", [Verdict.SUSPECT, Verdict.BLOCKED, Verdict.UNKNOWN, Verdict.UNSAFE, Verdict.DEAD]
)
def test_only_found_pages_are_replacements(verdict: Verdict) -> None:
    assert (
        redirect_replacement(redirected("https://e.org/a", 301, "https://e.org/a/", 200, verdict=verdict))
        is None
    )


def test_nothing_is_proposed_with_an_invalid_certificate() -> None:
    record = redirected("https://e.org/a", 301, "https://e.org/a/", 200)._replace(certificate="expired")
    assert redirect_replacement(record) is None


def test_another_spelling_before_a_temporary_redirect() -> None:
    hops = ("http://e.org/a", 301, "https://e.org/a", 302, "https://e.org/a/today", 200)
    replacement = redirect_replacement(redirected(*hops, verdict=Verdict.ALIVE))
    assert replacement == Replacement("link/upgradable", "https://e.org/a", "", SAFE)


def test_the_end_of_a_redirect_is_proposed_as_it_was_requested() -> None:
    written, end = "https://e.org/a?id=5&utm_source=list", "https://e.org/b/a?id=5&utm_source=list&gclid=1"
    replacement = redirect_replacement(redirected(written, 301, end + "#top", 200))
    assert replacement is not None and replacement.url == end
    tracked = redirected("https://e.org/a", 301, "https://e.org/a?utm_source=x", 200)
    assert redirect_replacement(tracked) is None
