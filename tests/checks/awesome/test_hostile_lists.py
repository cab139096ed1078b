"""Hostile lists take no longer than others."""

from __future__ import annotations

import pytest

from shelfread.checks.awesome.front_page import badge, ci_badge, title
from shelfread.checks.awesome.repository import license_section
from support.lists import TEN
from support.project import read_project


@pytest.mark.parametrize("filling", ["- ", "*", "`", "[", "(", "&mdash;", "a ", " \u3000", "](", '"-'])
def test_hostile_texts(filling: str) -> None:
    rest = filling * 5000
    text = f"{TEN}- [a](https://a.b) - x{rest}\n- [a](https://a.b){rest} - x\n"
    documents, context = read_project(text)
    for document in documents.values():
        for check in (title, badge, ci_badge, license_section):
            list(check(document, context))
