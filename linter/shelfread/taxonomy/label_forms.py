"""The words of labels and headings, and the forms in which they are compared: without markup and numbers, in one inflection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from unicodedata import normalize

from shelfread.core.patterns import lazy

_MARKUP = lazy(r"!?\[([^\[\]]*)\]\([^()\s]*\)|<[^<>]*>|:[a-z0-9_+-]+:")
_SHORTCODE_END = lazy(r":[a-z0-9_+-]+:\Z")
_APOSTROPHE = lazy(r"['\u2019`*~]")
_NUMBERING = lazy(r"^\W*\d{1,3}(?:\.\d{1,3})*[.)](?!\d)\s*(?=\S)|^\W*\d{1,2}(?:\.\d{1,2})+\s+(?=\S)")
_NOT_WORD = lazy(r"[\W_]+")
_SIGNS = lazy(r"(?i)\b([cfj])(\+\+|#)|(?:^|(?<=[\s/(,]))\.(net)\b")
_SPELLED = {"++": "plusplus", "#": "sharp"}
_ACCENTS = lazy("(?<=[a-z])[\u0300-\u036f]+")
_APOSTROPHES = lazy(r"['\u2018\u2019`*~_]")
# Chinese and Japanese write no blanks, so each sign is a word.
_TOKEN = lazy(
    r"[\u2e80-\u2fdf\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]"
    r"|[^\W_\u2e80-\u2fdf\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
    r"|\s[-\u2010-\u2015]+(?=\s)|[/\\|+&,;:()\[\]{}\u3001\u3010\u3011\u2014\u2192\u2022\u00b7]"
)
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015")
_KINDS = str.maketrans("\\|\u3001\u2022\u00b7[{\u3010]}\u3011", "//,,,((()))")
_SPELLINGS = tuple(
    pair.split(":")
    for pair in "isation:ization ising:izing iser:izer ised:ized aviour:avior olour:olor elling:eling centre:center defence:defense".split()
)
_ENDING = lazy(
    r"(?:iz(?:ations?|ing|ed|er|e)|at(?:ions?|ing|ed|or|e)|an(?:ce|t)|ers?|ing|ed|ion|or|ment|e)\Z"
)
# Short words whose last letter is doubled before an ending: `scan`, `scanner`.
_DOUBLING = lazy(r"[^aeiou]{1,3}[aeiou][^aeiouwxy]")
_VERB_ENDINGS = ("ing", "er", "ed", "or", "ation", "ate", "ize")
_LONGEST_EXTRA = 80  # only so much of a heading's end is searched for what is none of its words
_COUNTED = r"(?:papers?|items?|entries|projects?|repos(?:itories)?)"
_COUNT = lazy(
    rf"(?i)(?:(?<!\s)\s+)?(?:[(\[]\s*(?:\d{{1,5}}(?:\s*(?:\+|{_COUNTED}))?|todo|wip|new)\s*[)\]]|[·•|–—-]\s*\d{{1,5}}\s+{_COUNTED})\s*$"
)
_YEARS = lazy(
    r"(?:(?<!\s)\s+)?(?:[(\[]\s*)?(?:19|20)\d\d(?:\s*[-~\u2010-\u2015]+(?:\s*(?:(?:19|20)?\d\d|now|present|today))?)?\s*(?:[)\]]\s*)?$"
)
_BACK = lazy(
    r"(?i)(?:(?<!\s)\s+)?(?:[(\[]\s*)?(?:[\u2191\u2b06\u25b2\U0001f51d\U0001f53c\u21a9]\ufe0f?\s*){0,9}"
    r"(?:(?:back|go|return) to (?:the )?(?:top|contents?|index|toc|table of contents|menu)|\u2191|\u2b06\ufe0f?|\u25b2)\s*(?:[)\]]\s*)?$"
)
_CLOSING = (")", "]")
_COUNT_ENDS = (
    *_CLOSING,
    "papers",
    "paper",
    "items",
    "item",
    "entries",
    "projects",
    "project",
    "repos",
    "repositories",
)
# What headings end in that a pattern may match: most need not be searched.
_BACK_ENDS = (*_CLOSING, "top", "content", "contents", "index", "toc", "menu", *"\u2191\u2b06\ufe0f\u25b2")


def fold(label: str) -> str:
    """Return a heading or label without case, markup, punctuation, emoji and leading numbers. `&` becomes `and`."""
    text = _APOSTROPHE.sub("", without_markup(label)).replace("&", " and ")
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def without_markup(label: str) -> str:
    """Return a heading or label without links, HTML, emoji shortcodes and leading numbers."""
    text = normalize("NFKC", label)
    if "[" in text or "<" in text or ":" in text:
        text = _MARKUP.sub(r" \1 ", text)
    numbering = _NUMBERING.match(text)
    return text[numbering.end() :] if numbering else text


def squash(name: str) -> str:
    """Return only the letters and digits of a venue's name, case-folded: the same for `S&P`, `s & p` and `SP`."""
    if not name.isascii():
        name = normalize("NFKC", name)
    return _NOT_WORD.sub("", name.casefold())


@lru_cache(16384)  # a taxonomy is prepared several times while one is made of lists
def label_key(text: str) -> str:
    """Return a label or heading as `fold` does, with C++, C# and .NET kept apart from C."""
    return fold(_spelled(text))


def without_accents(folded: str) -> str:
    """Return a folded label without accents on Latin letters."""
    return folded if folded.isascii() else normalize("NFC", _ACCENTS.sub("", normalize("NFD", folded)))


def plain_key(label: str) -> str:
    """Return the key of a label without accents, by which concepts are told apart."""
    return without_accents(label_key(label))


@lru_cache(1024)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, and between them the signs that part it: `/`, `,`, ` - `, `(` ..."""
    plain = _APOSTROPHES.sub("", _spelled(without_markup(text))).casefold()
    return tuple(map(_sign, _TOKEN.findall(plain)))


def is_word(token: str) -> bool:
    """Return whether a token is a word rather than a sign."""
    return token[0].isalnum()


def is_ideograph(token: str) -> bool:
    """Return whether a token is a single sign of Chinese or Japanese, two of which make a word."""
    return len(token) == 1 and token > "\u2e7f"


@lru_cache(4096)
def singular(word: str) -> str:
    """Return a word without a plural's end, in American spelling. It need not be a word: only equality counts."""
    if not word.isascii() or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is", "news")):
        word = word[:-1]
    for british, american in _SPELLINGS:
        if british in word:
            word = word.replace(british, american)
    return word


@lru_cache(4096)
def stem(word: str) -> str:
    """Return what the forms of a word share: `schedul` of schedule, scheduler and scheduling."""
    root, _ = _parted(word)
    return root[:-1] if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "ls" else root


def is_misspelt(word: str, other: str) -> bool:
    """Return whether a word is no form of another with its stem, but a wrong one: `scaning`, of scanning or scan."""
    (root, ending), (own, own_ending) = _parted(word), _parted(other)
    if not ending or ending[0] not in "aeio":
        return False
    if own_ending:
        return root != own or {ending, own_ending} == {"er", "or"}
    return root == own and _DOUBLING.fullmatch(root) is not None


def _parted(word: str) -> tuple[str, str]:
    """Return a word without number, parted before the ending that tells its form."""
    word = singular(word)
    found = _ENDING.search(word, 4) if word.isascii() else None
    return (word[: found.start()], found[0]) if found else (word, "")


@lru_cache(4096)
def verb_stem(word: str) -> str:
    """Return the stem of a form of a verb (scheduler, scheduling), marked as such, and other words as they are.

    `Local` and `Localization`, `Complete` and `Completion` differ, and so do `Train` and `Training`, `Profile` and
    `Profiling`.
    """
    word = singular(word)
    _, ending = _parted(word)  # `color` has none
    return f"{stem(word)}+" if ending and word.endswith(_VERB_ENDINGS) else word


def is_state(word: str, other: str) -> bool:
    """Return whether a word is the state that a deed leads to, and another with its stem things or who does it.

    What is decentralized is about decentralization, but what is organized about no organizations.
    """
    return word.endswith("ed") and other.casefold().endswith(("s", "er", "or"))


def _spelled(text: str) -> str:
    if "+" in text or "#" in text or "." in text:
        return _SIGNS.sub(lambda found: f"{found[1]}{_SPELLED[found[2]]}" if found[1] else "dotnet", text)
    return text


def _sign(token: str) -> str:
    """Return a word as it is, and a sign as the one that stands for its kind."""
    if token[0].isspace() or token in _DASHES:
        return "-"
    return token.translate(_KINDS) if len(token) == 1 else token


@lru_cache(4096)
def without_extras(heading: str) -> str:
    """Return a heading without a count, years and a link back to the top at its end; never an empty one."""
    text = _without_colon(heading.strip(), "").rstrip()
    for pattern, ends in ((_BACK, _BACK_ENDS), (_COUNT, _COUNT_ENDS), (_YEARS, (*_CLOSING, *"0123456789"))):
        if text.casefold().endswith(ends):
            extra = pattern.search(text, max(len(text) - _LONGEST_EXTRA, 0))
            text = _without_colon(text[: extra.start()] if extra else text, " -") or text
    return text


def without_count(heading: str) -> str:
    """Return a heading without a count of what stands below it: `2023 (6 papers)`, `2023 · 6 papers`."""
    return _COUNT.sub("", heading) if heading.casefold().endswith(_COUNT_ENDS) else heading


def numbered(names: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return names by their keys that are all different, and none of those taken: with a number if need be."""
    used = set(taken)
    next_number: dict[str, int] = {}
    different: dict[str, str] = {}
    for key, name in names.items():
        id, number = name, next_number.get(name, 2)
        while id in used:
            id, number = f"{name}-{number}", number + 1
        next_number[name] = number
        used.add(id)
        different[key] = id
    return different


def _without_colon(text: str, others: str) -> str:
    """Return a text without colons and other signs at its end, but with the colon that ends an emoji's shortcode."""
    if text.endswith(":") and _SHORTCODE_END.search(text, max(len(text) - _LONGEST_EXTRA, 0)):
        return text
    return text.rstrip(f":\uff1a{others}")
