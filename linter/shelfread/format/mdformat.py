"""The mdformat plugin `shelfread`: `mdformat --extensions shelfread` gives the same as `shelfread format`.

It renders only the root, from the text as written, so that it does not depend on the blocks of other plugins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shelfread.core.source import Source
from shelfread.format.format import format_source

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

_SOURCE = "shelfread_source"
_NEWLINE = re.compile(r"\r\n?")


def update_mdit(mdit: MarkdownIt) -> None:
    """Store the text before it is parsed."""
    mdit.core.ruler.before("normalize", "shelfread_source", _store)


def _store(state: StateCore) -> None:
    state.env[_SOURCE] = state.src


def _render_root(node: Any, context: Any) -> str:
    text = _NEWLINE.sub("\n", context.env[_SOURCE])  # mdformat restores the file's newlines itself
    return format_source(Source(text)).text.removesuffix("\n")


RENDERERS: Mapping[str, Callable[[Any, Any], str]] = {"root": _render_root}
