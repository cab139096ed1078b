"""What a change keeps: counted by regular expressions, and on the page that cmark-gfm makes of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape
from urllib.parse import unquote

import cmarkgfm
from cmarkgfm.cmark import Options

from fuzz.faults import Fault
from shelfread.core.diagnostics import Effect

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"<!--(?:-?>|.*?-->)|<[^>]*>", re.DOTALL)
_URL = re.compile(r"""<(?:a|img)\b[^>]*?\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_LINK_TEXT = re.compile(r"<a\b[^>]*>(.*?)</a>", re.DOTALL)
_HEADER = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_TEXTS = re.compile(r"""\b(?:alt|title)="([^"]*)""")
_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
_NEWLINE = re.compile(r"\r\n?")
_NUMBER = re.compile(r"(?m)^[\s>*+-]*\d{1,9}[.)](?=\s|$)")
_PRE = re.compile(r"(<pre.*?</pre>)", re.DOTALL)
_BLANKS = re.compile(r"\s+")


def page(text: str) -> str:
    """Return the page that GitHub's renderer makes of a text without a byte order mark."""
    # The mark keeps the renderer from taking a first character for one, and finds no task in its line.
    html: str = cmarkgfm.github_flavored_markdown_to_html("\ufeff\n" + _NEWLINE.sub("\n", text), _OPTIONS)
    return html


def seen(html: str) -> str:
    """Return a page with its insignificant blanks made equal."""
    parts = _PRE.split(html)
    return "".join(part if at % 2 else _BLANKS.sub(" ", part) for at, part in enumerate(parts))


def urls(html: str) -> Counter[str]:
    """Return the destinations of a page's links and images."""
    return Counter(_plain_url(found[1] or found[2] or "") for found in _URL.finditer(html))


def words(html: str) -> set[str]:
    """Return the words that a page shows, its destinations and the texts of its pictures included."""
    shown = f"{_TAG.sub(' ', html)} {' '.join(urls(html))} {' '.join(_TEXTS.findall(html))}"
    return set(_WORD.findall(unescape(unescape(unquote(shown)))))


def undeclared(name: str, before: str, after: str, effects: Iterable[Effect]) -> Iterator[Fault]:
    """Yield what a fix changed in letters, words and links without saying so."""
    effects = list(effects)
    change = _letters(unescape(after))  # effects have destinations without entities
    change.subtract(_letters(unescape(before)))
    for effect in effects:
        change.subtract(_letters(unescape(effect.after)))
        change.update(_letters(unescape(effect.before)))
    if different := {letter: count for letter, count in change.items() if count}:
        yield Fault(f"{name}: letters change without being declared", repr(different)[:300])
    said = " ".join(unescape(unquote(f"{effect.before} {effect.after}")) for effect in effects)
    old, new = page(before), page(after)
    spoken = set(_WORD.findall(said))
    parts = {word for word in spoken if len(word) > 2}
    written = {word for effect in effects for word in _WORD.findall(effect.after) if not word.isascii()}
    joined = {word for word in words(new) - words(old) if any(letter in word for letter in written)}
    gone = {
        word
        for word in words(old) - words(new)
        if word not in said
        and not any(part in word for part in parts)  # `NeurlPS` of `NeurlPS2020`
        and not any(word in whole for whole in joined)  # `r` of `r\"o`, which is `rö` now
    }
    if gone:
        yield Fault(f"{name}: words vanish from the page", repr(sorted(gone))[:300])
    yield from _lost_urls(name, urls(old), urls(new), [effect.before for effect in effects])


def lost(name: str, before: str, after: str) -> Iterator[Fault]:
    """Yield the words and links of a page that a format loses.

    A link's label may go if the link stays, and the names of columns.
    """
    old, new = page(before), page(after)
    labels = words(" ".join([*_LINK_TEXT.findall(old), *_HEADER.findall(old)]))
    if gone := words(old) - words(new) - labels:
        yield Fault(f"{name}: words vanish from the page", repr(sorted(gone))[:300])
    yield from _lost_urls(name, urls(old), urls(new), ())


def letters_changed(name: str, before: str, after: str) -> Iterator[Fault]:
    """Yield a fault if a format adds or removes letters or digits."""
    change = _letters(after)
    change.subtract(_letters(before))
    if different := {letter: count for letter, count in change.items() if count}:
        yield Fault(f"{name}: letters change", repr(different)[:300])


def page_changed(name: str, before: str, after: str) -> Iterator[Fault]:
    """Yield a fault if a format changes the page."""
    old, new = seen(page(before)), seen(page(after))
    if old != new:
        at = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), 0)
        start = max(0, at - 60)
        detail = f"{old[start : at + 60]!r} became {new[start : at + 60]!r}"
        yield Fault(f"{name}: the page changes", detail)


def _lost_urls(name: str, old: Counter[str], new: Counter[str], declared: Iterable[str]) -> Iterator[Fault]:
    said = [_plain_url(text) for text in declared if text]
    gone = {
        url: count
        for url, count in (old - new).items()
        if not any(text in url or url in text for text in said) and not _is_inside(url, new)
    }
    if gone:
        yield Fault(f"{name}: links vanish from the page", repr(gone)[:300])


def _is_inside(url: str, others: Iterable[str]) -> bool:
    """Whether a bare URL had swallowed what is now text behind another one, or ended where no link does."""
    return any(other and (other in url or url in other) for other in others)


def _letters(text: str) -> Counter[str]:
    """Count letters and digits; the numbers of items are markup."""
    return Counter("".join(_WORD.findall(_NUMBER.sub("", _NEWLINE.sub("\n", text)))))


def _plain_url(url: str) -> str:
    """Return a URL to compare: a bare one shows the entities that a destination resolves."""
    return unquote(unescape(unescape(url)))
