"""The names that a heading gives a subject, and how much of a list is inferred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.taxonomy.concept import MAX_WORDS, Labels, is_abbreviation, label_words
from shelfread.taxonomy.label_forms import singular, without_accents

# ---------------------------------------------------------------------------------------------- subjects
MIN_SUBJECTS = 2
MIN_ENTRIES_SHARE = 0.2  # so many of all entries must be in sections that subjects name
MAX_PAGE_WORDS = 8  # a page with a longer title is likely about one paper
MAX_ABBREVIATION = 6
MAX_BELOW = 200  # how many subjects below another one are looked at to place the next
# A list extends the bundled taxonomy that has so large a share of its subjects, or wider ones that include
# them.
MIN_KNOWN_SHARE = 0.5
MIN_DATED_SECTIONS = 3  # fewer sections that are years or venues show no order

# ------------------------------------------------------------------------------------- names of subjects
MIN_BILINGUAL = 3
# So many headings, and so large a share of all, have names in two languages where that is a habit.
BILINGUAL_SHARE = 0.5
MAX_CONTENTS_WORDS = 8  # a link in the contents with more words is a sentence

# ---------------------------------------------------------------------------------------- roles of links
OFTEN = 3  # a label that is used at least so often is likely intended
MAX_ROLE = 60
MAX_ROLE_WORDS = 5
MIN_LETTERS = 4  # shorter labels differ by one letter without being misspelt

# --------------------------------------------------------------------------------------- what is written
MAX_FINDINGS = 5  # a rule with more findings with the inferred taxonomy is turned off: a few are likely right
MAX_PATTERNS = 12
MAX_CONVENTIONS = 3
MAX_CONVENTION = 50  # the characters of a convention that are shown
MAX_NAMED = 3  # the files that are named where no list was found

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_IS_CJK = lazy(rf"[{_CJK}]")
_KANA = lazy(r"[\u3040-\u30ff]")
_HANGUL = lazy(r"[\uac00-\ud7a3]")
_LATIN_FIRST = lazy(
    rf"(?=[^{_CJK}]*[A-Za-z])(?P<latin>[^{_CJK}]*[^{_CJK}\s\-–—:/(（])[\s\-–—:/(（]*(?P<other>[{_CJK}](?:.*[^)）\s])?)[)）\s]*"
)
_LATIN_LAST = lazy(
    rf"(?=[^A-Za-z]*[{_CJK}])(?P<other>[^A-Za-z]*[^A-Za-z\s\-–—:/(（])[\s\-–—:/(（]*(?P<latin>[A-Za-z](?:[^{_CJK}]*[^{_CJK})）\s])?)[)）\s]*"
)
_SHORT = lazy(r"(?P<full>.*\S)\s*[(（\[](?P<short>[A-Za-z][A-Za-z&-]{1,9})[)）\]]")
_SPACES = str.maketrans("()[]（）", "      ")
_OTHERS = frozenset("other others more misc miscellaneous various additional further general".split())


class Names(NamedTuple):
    """What a heading calls its subject: a label for each language, and abbreviations."""

    labels: dict[str, str]
    short: tuple[str, ...] = ()


def split_names(label: str, language: str, *, bilingual: bool = False) -> Names:
    """Return the names in a heading: `Survey (综述)`, `Mixture of Experts (MoE)`, and if `bilingual` also `Books 书籍`."""
    short = _SHORT.fullmatch(label)
    if short is not None and is_abbreviation(short["short"].lower(), label_words(short["full"])):
        return Names({language: short["full"]}, (short["short"],))
    match = _LATIN_FIRST.fullmatch(label) or _LATIN_LAST.fullmatch(label)
    if match is not None and (bilingual or label[-1] in ")）"):
        latin, other = match["latin"].strip(" -:/(（"), match["other"].strip()
        is_short = len(label_words(other)) <= MAX_WORDS and len(latin.split()) <= MAX_WORDS
        if len(latin) > 1 and is_short and other.count("(") == other.count(")"):
            return Names({"en": latin, script_language(other, language): other})
    return Names({language: label})


def shared_halves(labels: Iterable[str]) -> frozenset[str]:
    """Return the halves of bilingual headings that another heading has too: `CNN` of `图像 - CNN` and `语音 - CNN`."""
    counts: Counter[str] = Counter()
    for label in set(labels):
        counts.update({label, *split_names(label, "", bilingual=True).labels.values()})
    return frozenset(text for text, count in counts.items() if count > 1)


def set_apart(labels: Iterable[str], known: Labels) -> frozenset[str]:
    """Return the headings that say in brackets what sets them apart: `Training (Parallelism)`, `Training (Energy)`."""
    groups: dict[str, set[str]] = {}
    for label in labels:
        if label.endswith((")", "）", "]")):
            groups.setdefault(variant_key(label, known), set()).add(label)
    return frozenset(label for group in groups.values() if len(group) > 1 for label in group)


def are_bilingual(labels: Sequence[str]) -> bool:
    """Return whether many headings have a name in two languages, without brackets."""
    split = sum(len(split_names(label, "en", bilingual=True).labels) > 1 for label in labels)
    return split >= MIN_BILINGUAL and split >= BILINGUAL_SHARE * len(labels)


def script_language(text: str, around: str = "") -> str:
    """Return the language that the script of a text shows: `zh`, `ja` or `ko`; empty for other scripts.

    What has no kana may be Japanese as well, if the language `around` is.
    """
    if not _IS_CJK.search(text):
        return ""
    if _HANGUL.search(text):
        return "ko"
    return "ja" if around == "ja" or _KANA.search(text) else "zh"


def variant_key(label: str, labels: Labels) -> str:
    """Return what the variants of a label share: as `spelling_key`, and accents do not count."""
    return without_accents(spelling_key(label, labels))


def spelling_key(label: str, labels: Labels) -> str:
    """Return what spellings of a label share that need not be told: number, hyphens and known abbreviations."""
    return "".join(labels.contracted([singular(word) for word in label_words(label)]))


def without_brackets(label: str) -> str:
    """Return a label with spaces for its brackets."""
    return label.translate(_SPACES)


def is_rest(label: str) -> bool:
    """Return whether a section holds what is left of the one above it: `Other Detection Tasks`."""
    return label.lower().partition(" ")[0] in _OTHERS
