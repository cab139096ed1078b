"""What GitHub shows: its own parser, cmark-gfm, with the extensions that it switches on."""

from __future__ import annotations

from cmarkgfm import cmark

from shelfread.core.source import Source
from shelfread.markdown.protected import find_front_matter

_EXTENSIONS = ["table", "autolink", "strikethrough", "tagfilter", "tasklist"]
_OPTIONS = cmark.Options.CMARK_OPT_FOOTNOTES | cmark.Options.CMARK_OPT_UNSAFE


def github_page(text: str) -> str:
    """Return the HTML of a text, and its front matter as written."""
    source = Source(text)
    front = find_front_matter(source)
    html: str = cmark.markdown_to_html_with_extensions(
        "\n".join(source.lines[front:]), options=_OPTIONS, extensions=_EXTENSIONS
    )
    return "\n".join([*source.lines[:front], html])
