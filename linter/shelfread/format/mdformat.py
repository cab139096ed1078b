"""mdformat's plugin `shelfread`: `mdformat --extensions shelfread` gives what `shelfread format` does.

It renders the root alone and takes the text as it was written, so that no other plugin's blocks are in its
way.
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
    """Keep the text that is parsed, before anything is changed in it."""
    mdit.core.ruler.before("normalize", "shelfread_source", _keep)


def _keep(state: StateCore) -> None:
    state.env[_SOURCE] = state.src


def _root(node: Any, context: Any) -> str:
    text = _NEWLINE.sub("\n", context.env[_SOURCE])  # mdformat writes the file's own newlines itself
    return format_source(Source(text)).text.removesuffix("\n")


RENDERERS: Mapping[str, Callable[[Any, Any], str]] = {"root": _root}
