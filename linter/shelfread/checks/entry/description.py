"""Descriptions of classic entries: how they begin and end, how long they are, and whether they repeat the name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from shelfread.checks.common import WORDS
from shelfread.checks.common.styles import LocalStyles, expected_style, has_copied_descriptions
from shelfread.core.diagnostics import MARKUP, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import LEAST_CASES, Question, When
from shelfread.index.line_style import (
    DESCRIPTION_END,
    DESCRIPTION_START,
    DescriptionEnd,
    find_description_end,
    first_word,
    is_described,
    separator,
)

# The full stop to write for each form of DESCRIPTION_END that is one.
_STOPS = {"stop": ".", "。": "。", ".": "."}
# What follows a name that is only a subject or a label, up to where the description without it begins.
_REPEATED = lazy(
    r" (?:is|are) (?=\w)| ?: (?=\S)| [-–—] (?=\S)|, (?=an? |the )|(?=[.!]?$)"
    r"| (?=(?:provides|allows|lets|makes|helps|hosts|offers|gives|supports|enables|adds|brings|simplifies|aims"
    r"|combines|turns|automatically|easily)\b)"
)
_STATEMENT = lazy(r"(?:[^\s:;!?]{1,40} ){0,4}(?:is|are|was) ")
_WORD = lazy(r"\w{1,100}")
_WORDS = lazy(r"\w+")
_IN_USE = 3  # a word of so many descriptions is no name
_MANY = 2  # more descriptions with the name are a habit
_VERBS = ("is", "are", "was")
_ARTICLE = lazy(r" (an?|the|one)(?= )")
_VOWEL = lazy(r"[aeiouy]|[^a-z]")
_ORDINARY = lazy(
    r"a|an|the|this|these|is|are|was|it|all|any|also|free|easy|easily|fast|simple|small|tiny|open|another|some"
    r"|your?|helps?|lets?|makes?|uses?|adds?|allows?|shows?|reads?|runs?|gets?|sets?|finds?|keeps?|list|lists"
    r"|library|tool|tools|plugin|framework|collection|official|fork|with|without|how|what|when|where|why|to"
    r"|[a-z]{3,}(?:ing|ed|tion|tions|ly|ive|ical|able|ment|ness|ful|ized|ised)"
)


def description_end(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report descriptions without a full stop where most have one."""
    styles = {
        script: style
        for script, awesome in (("latin", ("stop",)), ("cjk", ("。", ".")))
        if (style := expected_style(document, context, Question(DESCRIPTION_END, script), awesome, when))
        and style.form in _STOPS
    }
    text = document.source.text
    if not styles or has_copied_descriptions(document):
        return
    scripts = frozenset(styles)
    local = LocalStyles(document, ((entry, end.script, end.form) for entry, end in _ends(document, scripts)))
    for entry, ended in _ends(document, scripts):
        # A single word as `Android/iOS` is a label.
        if ended.form != "none" or (
            ended.script != "cjk" and (entry.description is None or " " not in entry.description.value)
        ):
            continue
        end = ended.offset
        start = end - 1 if text[end - 1] in ",;，；" else end
        first = text.rfind(" ", entry.title_line.start, start) + 1
        span = Span(max(first, end - 40, entry.title_line.start), end)
        convention = styles[ended.script]
        values = {"count": convention.cases, "total": convention.total}
        if not local.has(entry, ended.script, ended.form, convention.form, when):
            yield RawDiagnostic(span, values, (Edit(start, end, _STOPS[convention.form], MARKUP),))


def _ends(document: Document, scripts: Collection[str]) -> Iterator[tuple[Entry, DescriptionEnd]]:
    text = document.source.text
    for entry in document.entries:
        if entry.description is None or not is_described(entry):
            continue
        if text[entry.description.span.end - 1] == ".":
            yield entry, DescriptionEnd("latin", "stop", entry.description.span.end)
        elif (ended := find_description_end(entry, text)) is not None and ended.script in scripts:
            yield entry, ended


def description_length(document: Document, context: RuleContext, *, max: int = 200) -> RawDiagnostics:
    """Report descriptions of more than `max` characters as shown."""
    for entry in document.entries:
        text = entry.description
        if is_described(entry) and text is not None and len(text.value) > max:
            yield RawDiagnostic(text.span, {"length": len(text.value), "max": max})


def description_repeats(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report descriptions that begin with the name of their entry: `[Foo](u) - Foo is a tool`."""
    text = document.source.text
    described = [entry for entry in document.entries if is_described(entry)]
    found = [
        (entry.title.value, entry.description)
        for index, entry in enumerate(described)
        if entry.description and _repeats(entry) and not _are_sentences(described, index)
    ]
    if len(described) >= LEAST_CASES and len(found) * 10 > len(described):
        return  # as this list does
    if len(found) > _MANY and context.base is None:
        return  # a habit, too
    for name, description in found:
        start = description.span.start
        span = Span(start, start + len(name))
        if text[slice(*span)] != description.value[: len(name)]:
            yield RawDiagnostic(description.span, {"name": name})
            continue
        edits = _remove_name(span, description.span.end, text)
        yield RawDiagnostic(span, {"name": name}, edits, safe=False)


def _repeats(entry: Entry) -> bool:
    name, words = entry.title.value, entry.description.value if entry.description else ""
    if not name or words[: len(name)].casefold() != name.casefold():
        return False
    return _REPEATED.match(words, len(name)) is not None


def _are_sentences(entries: Sequence[Entry], index: int) -> bool:
    """Return whether a description and one beside it are sentences about their entries: the section is written so."""
    own, *others = entries[index], *entries[max(0, index - 1) : index], *entries[index + 1 : index + 2]
    near = (own, *(other for other in others if other.section == own.section))
    said = [one.description is not None and _STATEMENT.match(one.description.value) for one in near]
    return bool(said[0]) and any(said[1:])


def _remove_name(span: Span, end: int, text: str) -> tuple[Edit, ...]:
    """Return the edit that removes a name and the verb or punctuation after it."""
    match = _REPEATED.match(text, span.end, end)
    if match is None or match.end() >= end or not text[match.end()].isalpha():
        return ()
    word = _WORD.match(text, match.end())
    assert word is not None
    after = word[0][0].upper() + word[0][1:]
    before = text[span.start : word.end()]
    return (Edit.reword(Span(span.start, word.end()), before, after),)


def description_start(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report descriptions that begin with a lower-case letter where most begin with a capital."""
    style = expected_style(document, context, Question(DESCRIPTION_START), ("capital",), when)
    if style is None or style.form != "capital" or has_copied_descriptions(document):
        return
    text = document.source.text
    ordinary_words, names = _lexicon(document)
    styles = LocalStyles(document, _starts(document))
    for index, entry in enumerate(document.entries):
        if entry.description is None or not text[entry.description.span.start].islower():
            continue
        span = first_word(entry, text) if is_described(entry) else None
        if span is None:
            continue
        word = text[slice(*span)]
        found = separator(entry, text)
        if word in WORDS["no_sentence"] or found is None or found.mark.strip() in ("", ","):
            continue
        ordinary = _ORDINARY.fullmatch(word) is not None
        if not ordinary and _is_name(word, span.end, names, text):
            continue
        ordinary = ordinary or word in ordinary_words
        if not ordinary and _words_in_use(document)[word] < _IN_USE:
            continue  # a word of one description may be a name
        if entry.description.value.casefold().startswith(entry.title.value.casefold()):
            continue
        if word in _WORDS.findall(entry.title.value.casefold()) or (
            not ordinary and entry.links and word in entry.links[0].link.url.casefold()
        ):
            continue
        if word in _VERBS and _are_sentences(document.entries, index):
            continue
        safe = ordinary and word not in _VERBS
        severity = Severity.ERROR if ordinary else Severity.INFO
        values = {"word": word, "count": style.cases, "total": style.total}
        if not styles.has(entry, "", "small", "capital", when):
            yield RawDiagnostic(span, values, _capitalise(word, span, text), safe, severity)


def _starts(document: Document) -> Iterator[tuple[Entry, str, str]]:
    for entry in document.entries:
        if is_described(entry) and entry.description is not None:
            first = document.source.text[entry.description.span.start]
            if first.isupper() or first.islower():
                yield entry, "", "capital" if first.isupper() else "small"


def _lexicon(document: Document) -> tuple[set[str], set[str]]:
    """Return the words of a list that begin descriptions, in lower case, and its lower-case names."""
    ordinary, names = set[str](), set(WORDS["lower_names"])
    for entry in document.entries:
        if entry.kind == "classic":
            if entry.title.value.islower():
                names.add(entry.title.value)
            if entry.description is not None and entry.description.value[0].isupper():
                ordinary.add(entry.description.value[:30].split(None, 1)[0].lower().rstrip(",;:."))
    return ordinary, names


@lru_cache(maxsize=1)
def _words_in_use(document: Document) -> Counter[str]:
    """Return how many descriptions have each word in lower case."""
    described = (entry.description.value for entry in document.entries if entry.description is not None)
    return Counter(word for value in described for word in set(_WORDS.findall(value)))


def _is_name(word: str, end: int, names: Collection[str], text: str) -> bool:
    """Return whether a word is likely a name: known, listed, a possessive, or without a vowel."""
    return (
        "'" in word or "’" in word or text[end : end + 1] == "," or word in names or not _VOWEL.search(word)
    )


def _capitalise(word: str, span: Span, text: str) -> tuple[Edit, ...]:
    """Return the edit that begins a description with a capital; of `is a tool` it removes the `is`."""
    if word not in _VERBS:
        after = word[0].upper() + word[1:]
        return (Edit.reword(Span(span.start, span.start + 1), word, after, after[0]),)
    match = _ARTICLE.match(text, span.end)
    if match is None:
        return ()
    before, after = text[span.start : match.end()], match[1][0].upper() + match[1][1:]
    return (Edit.reword(Span(span.start, match.end()), before, after),)


_TEMPLATE = lazy(
    r"(?i)(?:(?:an?|the|your|short|brief|concise|one-line|project|tool|repo|repository) ){0,4}description"
    r"(?: (?:goes )?here| of (?:the|your|this) (?:project|tool|repo|repository|app|library|entry|resource))?[.!…]{0,3}"
    r"|(?:todo|tbd|fixme)[.:]?|lorem ipsum\b.*"
)
_LEAST = 25  # shorter descriptions may be the same by chance
_NAME_WORD = lazy(r"[^\W_]{3,}")


def description_copied(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report descriptions that stand twice, that the entry above has too, or that a template has."""
    text = document.source.text
    counts = Counter(entry.description.value for entry in document.entries if entry.description is not None)
    base = context.base.text(document) if context.base is not None else None
    for above, entry in pairwise((None, *document.entries)):
        if entry is None or entry.description is None or document.kind.explains_entries:
            continue
        value, span = entry.description
        if _TEMPLATE.fullmatch(value):
            yield RawDiagnostic(span, message="template")
        elif (cut := _half(value)) is not None and text[slice(*span)] == value:
            edit = Edit.remove(text, span.start + cut, span.end)
            yield RawDiagnostic(Span(span.start + cut, span.end), {}, (edit,), message="twice")
        elif (
            base is not None  # without a change, two things may well be described alike
            and above is not None
            and above.description is not None
            and min(base.lines[above.line - 1], base.lines[entry.line - 1]) < 0
            and above.description.value == value
            and above.section == entry.section
            and is_prose(value)
            and counts[value] == 2
            and not _title_words(above) & _title_words(entry)
        ):
            is_new = base.lines[entry.line - 1] < 0
            place, line = (span, above.line) if is_new else (above.description.span, entry.line)
            yield RawDiagnostic(place, {"line": line}, message="neighbour")


def is_prose(value: str) -> bool:
    """Return whether a text is more than names, and too long to be the same by chance: courses may have one lecturer."""
    words = [word for word in value.split() if word[0].isalpha() and not word[0].isupper()]
    return len(value) >= _LEAST and sum(map(len, words)) >= _LEAST // 2


def _title_words(entry: Entry) -> set[str]:
    """Return the words of an entry's title: two parts of one thing may be described alike."""
    return set(_NAME_WORD.findall(entry.title.value.casefold()))


def _half(value: str) -> int | None:
    """Return where a text begins again that is one text and a space twice."""
    half = len(value) // 2
    return half if half >= _LEAST // 2 and value[half:] == f" {value[:half]}" else None
