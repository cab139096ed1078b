"""The rule `entry/description-start`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shelfread.checks.common.expected_style import expected_style
from shelfread.checks.common.local_style import LocalStyles
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import Question, When
from shelfread.index.conventions.description_style import (
    DESCRIPTION_START,
    first_word,
    is_described,
    separator,
)

# Bylines and cross-references, which are not sentences.
_NO_SENTENCE = frozenset(
    "by from with via at for in on and or also now see formerly previously von par de".split()
)
_WORDS = lazy(r"\w+")
_VERBS = ("is", "are", "was")
_ARTICLE = lazy(r" (an?|the|one)(?= )")
_VOWEL = lazy(r"[aeiouy]|[^a-z]")
_ORDINARY = lazy(
    r"a|an|the|this|these|is|are|was|it|all|any|also|free|easy|easily|fast|simple|small|tiny|open|another|some"
    r"|your?|helps?|lets?|makes?|uses?|adds?|allows?|shows?|reads?|runs?|gets?|sets?|finds?|keeps?|list|lists"
    r"|library|tool|tools|plugin|framework|collection|official|fork|with|without|how|what|when|where|why|to"
    r"|[a-z]{3,}(?:ing|ed|tion|tions|ly|ive|ical|able|ment|ness|ful|ized|ised)"
)
_LOWER_NAMES = frozenset(
    """adb ansible apt awk bash bcrypt brew cargo cd conda cron csh curl dash deno dig docker eslint etcd eza fd
    ffmpeg fish fzf gcc gdb git go gpg grep grpc gulp helm htop iptables ipython iproute jq julia k ksh kubectl
    less libc libsodium lint ls lua make man mdbook mypy nano neovim nginx nmap node npm npx numpy nvm openssl
    pandas pandoc perl pip pipx pnpm podman poetry psql pytest python ranger redis rg ripgrep rsync ruby ruff rust
    sass scipy screen scss sed oh sh sklearn skim snap ssh sshfs sudo svelte systemd tar tcpdump tcsh terraform tldr
    tmux ts uv vi vim vite webpack wget wireshark xargs xonsh yarn yq zig zoxide zsh""".split()
)


def description_start(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Report descriptions that begin with a lower-case letter where most begin with a capital."""
    style = expected_style(document, context, Question(DESCRIPTION_START), ("capital",), when)
    if style is None or style.convention.form != "capital":
        return
    text = document.source.text
    lexicon: tuple[set[str], set[str]] | None = None
    styles: LocalStyles | None = None
    for entry in document.entries:
        if entry.description is None or not text[entry.description.span.start].islower():
            continue
        span = first_word(entry, text) if is_described(entry) else None
        if span is None:
            continue
        word = text[slice(*span)]
        found = separator(entry, text)
        if word in _NO_SENTENCE or found is None or not found.mark:
            continue
        if lexicon is None:
            lexicon = _lexicon(document)
        ordinary = _ORDINARY.fullmatch(word) is not None
        if not ordinary and _is_name(word, span.end, lexicon[1], text):
            continue
        ordinary = ordinary or word in lexicon[0]
        if entry.description.value.casefold().startswith(entry.title.value.casefold()):
            continue
        if word in _WORDS.findall(entry.title.value.casefold()) or (
            not ordinary and entry.links and word in entry.links[0].link.url.casefold()
        ):
            continue
        convention, severity, applicability = style
        if not ordinary:
            severity, applicability = Severity.INFO, Applicability.UNSAFE
        if word in _VERBS:
            applicability = Applicability.UNSAFE
        values = {"word": word, "count": convention.cases, "total": convention.total}
        raw = RawDiagnostic(span, values, _capitalise(word, span, text), applicability, severity)
        styles = LocalStyles(document, _starts(document)) if styles is None else styles
        yield styles.lower(raw, entry, "", "small", "capital", when)


def _starts(document: Document) -> Iterator[tuple[Entry, str, str]]:
    """Yield how descriptions start."""
    for entry in document.entries:
        if is_described(entry) and entry.description is not None:
            first = document.source.text[entry.description.span.start]
            if first.isupper() or first.islower():
                yield entry, "", "capital" if first.isupper() else "small"


def _lexicon(document: Document) -> tuple[set[str], set[str]]:
    """Return the words of a list that begin descriptions, in lower case, and its lower-case names."""
    ordinary, names = set[str](), set(_LOWER_NAMES)
    for entry in document.entries:
        if entry.kind == "classic":
            if entry.title.value.islower():
                names.add(entry.title.value)
            if entry.description is not None and entry.description.value[0].isupper():
                ordinary.add(entry.description.value[:30].split(None, 1)[0].lower().rstrip(",;:."))
    return ordinary, names


def _is_name(word: str, end: int, names: Collection[str], text: str) -> bool:
    """Return whether a word is likely a name: known, listed, a possessive, or without a vowel."""
    return (
        "'" in word or "’" in word or text[end : end + 1] == "," or word in names or not _VOWEL.search(word)
    )


def _capitalise(word: str, span: Span, text: str) -> tuple[Edit, ...]:
    """Return the edit that begins a description with a capital; of `is a tool` it removes the `is`."""
    if word not in _VERBS:
        after = word[0].upper() + word[1:]
        return (Edit(span.start, span.start + 1, after[0], Effect(Change.WORDS, word, after)),)
    match = _ARTICLE.match(text, span.end)
    if match is None:
        return ()
    before, after = text[span.start : match.end()], match[1][0].upper() + match[1][1:]
    return (Edit(span.start, match.end(), after, Effect(Change.WORDS, before, after)),)
