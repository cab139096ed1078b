"""The rule `text/emoji`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.text.characters import emoji
from support.project import run


def test_signs_are_no_emoji() -> None:
    assert run(emoji, "## Done ✓ → ★ 10:30:45\n") == []
    assert [one.text for one in run(emoji, "## ❤️ 🇫🇷 👩‍💻 :tada:\n")] == ["❤️", "🇫🇷", "👩‍💻", ":tada:"]
