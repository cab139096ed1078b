"""What GitHub shows: its own parser, cmark-gfm, with the extensions that it switches on."""

from __future__ import annotations

import re
from html import unescape

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
    # Spaces at the beginning of a text or of a line of it, and at the end of an item, do not show.
    html = re.sub(r"(<(?:p|li|t[dh]|h\d)\b[^<>]*>|<br />\n)[ \t]+", r"\1", html.rstrip())
    html = re.sub(r"\s+(?=</(?:li|blockquote)>)", "\n", html)
    return "\n".join([*source.lines[:front], html])


def commonmark_page(text: str) -> str:
    """Return the HTML of a text with the extensions that markdown-it-py has too."""
    html: str = cmark.markdown_to_html_with_extensions(
        text, options=cmark.Options.CMARK_OPT_UNSAFE, extensions=["table", "strikethrough"]
    )
    return html


def shown_links(text: str) -> list[str]:
    """Return what the links and images of a page lead to, in order."""
    return re.findall(r"<(?:a|img)\b[^<>]*? (?:href|src)=\"([^\"]*)\"", github_page(text))


def shown_words(text: str, within: str = "") -> list[str]:
    """Return the words of a page in order; `within` asks for those in certain tags only, such as `a|th`."""
    page = github_page(text)
    if within:
        page = " ".join(re.findall(rf"(?s)<(?:{within})\b[^<>]*>(.*?)</(?:{within})>", page))
    return re.findall(r"\w+", unescape(re.sub(r"<[^<>]*>", " ", page)))
