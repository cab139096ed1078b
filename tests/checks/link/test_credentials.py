"""Passwords and tokens in URLs."""

from __future__ import annotations

import pytest

from shelfread.checks.link.unsafe_urls import credentials
from support.project import run

SECRET = "8fK2mZ9qL4xR7vT1nB5w"


@pytest.mark.parametrize(
    "url",
    [
        f"https://{'xox'}b-129034785612-{SECRET}@a.org",
        f"https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/{SECRET}9aZ7",
        f"https://discord.com/api/webhooks/123459876012345987/{SECRET * 3}",
        f"https://a.org/?x={'AK'}IAQ3ZXWV7KTMN4PRSU",
        f"https://x:{'gl'}pat-{SECRET}@gitlab.com/a/b",
        f"https://a.org/?client_secret={SECRET}",
        f"https://a.org/?a=b&amp;api-key={SECRET}#c",
        "https://jane:tr0ub4dor@git.acme.dev/",
    ],
)
def test_secrets(url: str) -> None:
    (found,) = run(credentials, f"[a]({url})\n")
    assert SECRET not in str(found.place.values)
    assert "tr0ub4dor" not in str(found.place.values)


@pytest.mark.parametrize(
    "url",
    [
        "https://jane@git.acme.dev/",
        "https://jane:@git.acme.dev/",
        "https://user:hunter2@a.dev/",
        "https://jane:password@a.dev/",
        "https://jane:jane@a.dev/",
        "https://jane:{password}@a.dev/",
        "https://jane:hunter2@localhost:8080/",
        "https://jane:hunter2@proxy.example.com/",
        f"https://{'AK'}IAIOSFODNN7EXAMPLE.a.org",
        "https://a.org/?api_key=0123456789abcdef0123456789abcdef",
        "https://a.org/?api_key=short1",
        "https://a.org/?secret=averylongwordwithoutdigits",
        f"https://a.org/?token={SECRET}",
        f"https://wandb.ai/a/b?accessToken={SECRET}",
        "https://a.org/desk-or-task-sk-1234567890",
    ],
)
def test_no_secrets(url: str) -> None:
    assert run(credentials, f"[a]({url})\n") == []
