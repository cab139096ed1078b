"""What a classic entry says of its thing: how it is parted from the link, begins and ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from shelfread.checks.common.norm import ExpectedStyle, norm
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.description_style import (
    BLANKS,
    DESCRIPTION_END,
    DESCRIPTION_START,
    SEPARATOR,
    Separator,
    find_description_end,
    first_word,
    is_described,
    separator,
)
from shelfread.index.conventions.majority import When
from shelfread.index.conventions.question import Question

_MARKUP = Effect(Change.MARKUP)
# So many entries make a section that has a form of its own.
_OF_ITS_OWN = 3
_NAMES = {
    "": "nothing",
    "-": "'-'",
    "–": "an en dash",
    "—": "an em dash",
    "&ndash;": "an en dash",
    "&mdash;": "an em dash",
    ":": "a colon",
    "：": "a full-width colon",
    ",": "a comma",
    "|": "a bar",
}
# Who made it or where it is: such a text is no sentence of its own.
_NO_SENTENCE = frozenset(
    "by from with via at for in on and or also now see formerly previously von par de".split()
)
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


# --------------------------------------------------------------------------------------- separator


def entry_separator(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """What stands between link and text, where it is not what the list has there."""
    kept = norm(document, context, Question(SEPARATOR), (" - ",), when)
    if kept is None or not kept.convention.form.strip(BLANKS):
        return
    text = document.source.text
    usual = kept.convention.form
    if not context.departs(document, Question(SEPARATOR), usual):
        return
    odd: list[tuple[Entry, Separator]] = []
    sections: Counter[int | None] = Counter()
    for entry in document.entries:
        if is_described(entry) and (parted := separator(entry, text)) is not None:
            if parted.form == usual:
                sections[entry.section] += 1
            else:
                odd.append((entry, parted))
    alike = Counter((entry.section, parted.form) for entry, parted in odd)
    for entry, parted in odd:
        of_its_own = not sections[entry.section] and alike[entry.section, parted.form] >= _OF_ITS_OWN
        if of_its_own and parted.mark and when == "learned":
            continue
        if not parted.mark and not _is_sentence(entry, text, parted):
            continue
        if parted.mark == "," and "," not in kept.convention.form:
            continue  # `[Foo](u), by Bar` goes on
        found = _NAMES.get(parted.mark, f"'{parted.mark}'")
        if parted.mark == kept.convention.form.strip(BLANKS):
            if kept.severity is Severity.INFO:
                continue  # entry/glued knows them better
            found = f"odd blanks around {found}"
            if parted.form.isascii() and parted.form.startswith(" ") and parted.form.endswith(" "):
                # A page shows two blanks as one.
                place = _placed(parted.span, {"found": found, "usual": f"'{usual}'"}, kept, text)
                yield place._replace(severity=Severity.INFO)
                continue
        yield _placed(parted.span, {"found": found, "usual": f"'{kept.convention.form}'"}, kept, text)


def _is_sentence(entry: Entry, text: str, parted: Separator) -> bool:
    """Whether a text that follows its link without a mark is one of its own, no further words of the link."""
    at = parted.span.end
    if entry.description is None or entry.description.span.start != at or not text[at].isupper():
        return False
    return parted.form != "" and not any(f" {mark} " in text[at : entry.title_line.end] for mark in "-–—|")


def _placed(span: Span, values: dict[str, object], kept: ExpectedStyle, text: str) -> RawDiagnostic:
    """The place of a separator, and the edit that gives it the usual form but keeps the end of a line."""
    form = kept.convention.form
    blanks = text[span.start : span.end]
    mark = form.strip(BLANKS)
    if "\n" in blanks or "\r" in blanks:
        stripped = blanks.strip(BLANKS)
        at = blanks.find(stripped) if stripped else 0
        first, last = blanks[:at], blanks[at + len(stripped) :]
        # Behind the line's end, not before the next: there a hyphen begins a list.
        broken = first if "\n" in first or "\r" in first else last
        broken = broken.replace("\r\n", "\n")
        form = f"{form.partition(mark)[0]}{mark}{broken}"
    counts = {"count": kept.convention.cases, "total": kept.convention.total}
    edits = (Edit(*span, form, _MARKUP),)
    return RawDiagnostic(span, {**values, **counts}, edits, kept.applicability, kept.severity)


# -------------------------------------------------------------------------------------- start, end


def description_start(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Texts that begin with a small letter where the others have a capital."""
    kept = norm(document, context, Question(DESCRIPTION_START), ("capital",), when)
    if kept is None or kept.convention.form != "capital":
        return
    if not context.departs(document, Question(DESCRIPTION_START), "capital"):
        return
    text = document.source.text
    lexicon: _Lexicon | None = None
    for entry in document.entries:
        if entry.description is None or not text[entry.description.span.start].islower():
            continue
        span = first_word(entry, text) if is_described(entry) else None
        if span is None:
            continue
        word = text[slice(*span)]
        parted = separator(entry, text)
        if word in _NO_SENTENCE or parted is None or not parted.mark:
            continue
        lexicon = _lexicon(document) if lexicon is None else lexicon
        sure = _ORDINARY.fullmatch(word) is not None
        if not sure and _is_name(word, span.end, lexicon.names, text):
            continue
        sure = sure or word in lexicon.ordinary
        if entry.description.value.casefold().startswith(entry.title.value.casefold()):
            continue
        if word in entry.title.value.casefold().split() or (not sure and _is_of_address(word, entry)):
            continue
        severity, applicability = kept.severity, kept.applicability
        if not sure:
            severity, applicability = Severity.INFO, Applicability.UNSAFE
        counts = {"count": kept.convention.cases, "total": kept.convention.total}
        edits, safe = _capitalised(word, span, text)
        if not safe:
            applicability = Applicability.UNSAFE
        yield RawDiagnostic(span, {"word": word, **counts}, edits, applicability, severity)


class _Lexicon(NamedTuple):
    """The words of a list: those that begin texts with a capital, and small ones that are names."""

    ordinary: frozenset[str]
    names: frozenset[str]


def _lexicon(document: Document) -> _Lexicon:
    begun, names = set(), set(_LOWER_NAMES)
    for entry in document.entries:
        if entry.kind == "classic":
            if entry.title.value.islower():
                names.add(entry.title.value)
            if entry.description is not None and entry.description.value[0].isupper():
                begun.add(entry.description.value[:30].split(None, 1)[0].lower().rstrip(",;:."))
    return _Lexicon(frozenset(begun), frozenset(names))


def _is_name(word: str, end: int, names: Collection[str], text: str) -> bool:
    """Whether a small word that begins a text is likely a name: known, someone's, listed, unpronounceable."""
    return (
        "'" in word or "’" in word or text[end : end + 1] == "," or word in names or not _VOWEL.search(word)
    )


def _is_of_address(word: str, entry: Entry) -> bool:
    return bool(entry.links) and word in entry.links[0].link.url.casefold()


def _capitalised(word: str, span: Span, text: str) -> tuple[tuple[Edit, ...], bool]:
    """The edit that begins a text with a capital, and whether it is safe: of `is a tool` the `is` goes."""
    if word not in ("is", "are", "was"):
        after = word[0].upper() + word[1:]
        return (Edit(span.start, span.start + 1, after[0], Effect(Change.WORDS, word, after)),), True
    match = _ARTICLE.match(text, span.end)
    if match is None:
        return (), False
    gone, after = text[span.start : match.end()], match[1][0].upper() + match[1][1:]
    return (Edit(span.start, match.end(), after, Effect(Change.WORDS, gone, after)),), False


def description_end(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Texts without a stop where the others have one."""
    kept = {
        "latin": norm(document, context, Question(DESCRIPTION_END, "latin"), ("stop",), when),
        "cjk": norm(document, context, Question(DESCRIPTION_END, "cjk"), ("。", "."), when),
    }
    stops = {"stop": ".", "。": "。", ".": "."}
    text = document.source.text
    if not any(one is not None and one.convention.form in stops for one in kept.values()):
        return
    for entry in document.entries:
        if entry.description is None or text[entry.description.span.end - 1] == ".":
            continue
        ended = find_description_end(entry, text) if is_described(entry) else None
        one = kept[ended.script] if ended is not None else None
        if ended is None or ended.form != "none" or one is None or one.convention.form not in stops:
            continue
        if ended.script == "latin" and " " not in entry.description.value:
            continue  # `Android/iOS` is a label
        end = ended.offset
        start = end - 1 if text[end - 1] in ",;，；" else end
        first = text.rfind(" ", entry.title_line.start, start) + 1
        span = Span(max(first, end - 40, entry.title_line.start), end)
        values = {"count": one.convention.cases, "total": one.convention.total}
        edits = (Edit(start, end, stops[one.convention.form], _MARKUP),)
        yield RawDiagnostic(span, values, edits, one.applicability, one.severity)
