"""Addresses that nobody can have meant, and detours."""

from __future__ import annotations

import pytest

from shelfread.checks.link.detours import detour, placeholder
from support.project import run


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://localhost", True),
        ("http://localhost:8080/a", True),
        ("http://127.0.0.1:5000", True),
        ("http://[::1]/a", True),
        ("http://10.1.2.3/a", True),
        ("http://172.16.0.1/", True),
        ("http://8.8.8.8/", False),
        ("http://1.2.3.4.dev/", False),
        ("http://box.local/", True),
        ("http://box.localnet.dev/", False),
        ("https://local.dev/", False),
        ("https://staging.box.dev/a", True),
        ("https://staging.dev/", False),
        ("https://box.dev/staging", False),
        ("https://github.com/your-name/your-project", True),
        ("https://github.com/user/repo", True),
        ("https://github.com/user/shelf", False),
        ("https://github.com/acme/project", False),
        ("https://github.com/", False),
        ("https://github.com/user", False),
        ("your-link-here", True),
        ("URL", True),
        ("links", False),
        ("#link", False),
    ],
)
def test_placeholders(url: str, found: bool) -> None:
    text = f"- [Ash](https://ash.dev) - Keeps books.\n- [Elm]({url}) - Keeps boxes.\n"
    assert [one.line for one in run(placeholder, text)] == ([2] if found else [])


@pytest.mark.parametrize(("others", "found"), [(18, False), (19, True)])
def test_names_for_examples_are_slips_where_they_are_rare(others: int, found: bool) -> None:
    text = "".join(f"- [A{n}](https://a{n}.dev) - Keeps books.\n" for n in range(others))
    assert bool(run(placeholder, text + "- [Elm](https://www.example.com/elm) - Keeps boxes.\n")) is found


@pytest.mark.parametrize(
    ("url", "direct"),
    [
        ("https://www.google.com/url?q=https://ash.dev/&sa=D", "https://ash.dev/"),
        ("https://www.google.co.uk/url?sa=t&url=http%3A%2F%2Fash.dev", "http://ash.dev"),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fash.dev%2F&h=x", "https://ash.dev/"),
        ("https://link.zhihu.com/?target=https%3A//ash.dev/a", "https://ash.dev/a"),
        ("https://github.com/acme/box/?tab=readme-ov-file", "https://github.com/acme/box/"),
        ("https://github.com/acme/box/edit/main/a/b.md#c", "https://github.com/acme/box/blob/main/a/b.md#c"),
    ],
)
def test_detours(url: str, direct: str) -> None:
    (found,) = run(detour, f"- [Elm](https://elm.dev) - Keeps boxes.\n- [Ash]({url}) - Keeps books.\n")
    (edit,) = found.place.edits
    assert edit.effect.after == direct


@pytest.mark.parametrize(
    "url",
    [
        "https://www.google.com/url?q=ash",
        "https://www.google.com/url?q=https://ash.dev/a%20b",
        "https://www.google.com/url?q=https://en.wikipedia.org/wiki/Ash_(tree)",
        "https://ash.dev/url?q=https://elm.dev",
        "https://github.com/acme/box?tab=security-ov-file",
        "https://github.com/acme/edit",
        "https://gist.github.com/a/b/edit/x",
    ],
)
def test_no_detours(url: str) -> None:
    assert run(detour, f"- [Ash](<{url}>) - Keeps books.\n") == []
