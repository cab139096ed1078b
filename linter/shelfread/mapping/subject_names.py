"""What lists call themselves and their subjects, and how a taxonomy writes that: as ids and as YAML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from unicodedata import combining, normalize

import yaml

from shelfread.core.patterns import lazy
from shelfread.document.heading_subjects import heading_words, is_general
from shelfread.document.model import Document
from shelfread.document.non_entries import NO_DOUBT, doubt_of
from shelfread.taxonomy.label_forms import fold, without_extras

MAX_LENGTH = 300
# The letters of scripts that have no Latin spelling, as the schema of taxonomies has them.
_NOT_ID = lazy(
    r"[^a-z0-9\u03ac-\u03ce\u0430-\u045f\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30"
    r"\u10d0-\u10fa\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
)
_LONGEST = 60
_HEADINGS = ("heading", "html")
_WORD = lazy(r"[^\W_]+")


def label_of(title: str) -> str:
    """Return a heading without numbering, emoji, counts and links back; empty if no label can be made of it."""
    words = without_extras(title)
    label = heading_words(words)
    is_paired = all(label.count(opening) == label.count(closing) for opening, closing in ("()", "[]", "（）"))
    if not is_paired or not fold(words).endswith(fold(label)):
        label = words.strip()
    return label if len(label) <= MAX_LENGTH else ""


def main_list(documents: Sequence[Document]) -> Document | None:
    """Return the only list, or the readme beside or above all others; None if there is neither."""
    if len(documents) == 1:
        return documents[0]
    readmes = [document for document in documents if is_readme(document)]
    return min(readmes, key=lambda document: _rank(document.source.path or ""), default=None)


def _rank(path: str) -> tuple[int, int]:
    """Return how far below the top a file is, and how long its name is: `README.md` is before `README-ja.md`."""
    return path.count("/"), len(path)


def project_title(documents: Sequence[Document], name: str) -> str:
    """Return the title of the main list in a repository or folder of some name, else the name."""
    main = main_list(documents)
    title = title_of(main, name).strip()[:MAX_LENGTH] if main is not None else name
    return name if is_general(title) else title


def title_of(document: Document, name: str) -> str:
    """Return the title of a list in a repository or folder of some name: its first heading of level 1, or the name.

    One that says the name precedes others, as that of a sponsor. A first heading below others in rank has to say it.
    """
    headings = [one for one in document.sections if one.kind in _HEADINGS]
    first = [one for one in headings if one.level == 1] or headings[:1]
    titles = [one for one in first if one.title and doubt_of(one.title) is NO_DOUBT]
    said = next((one for one in titles if _says(one.title, name)), None)
    if said is None and titles and titles[0].level == min(one.level for one in headings):
        said = titles[0]
    return said.title if said is not None else name


def _says(title: str, name: str) -> bool:
    """Return whether a title has at least half of the words of a name, `public-apis`."""
    words = _WORD.findall(fold(name))
    text = "".join(_WORD.findall(fold(title)))
    return sum(1 for word in words if word in text) * 2 >= len(words) > 0


def is_readme(document: Document) -> bool:
    """Return whether a file is the first page of its folder."""
    name = (document.source.path or "").rpartition("/")[2].lower()
    return name.startswith(("readme", "index"))


def page_title(document: Document) -> Iterator[str]:
    """Yield the title of a page, if it has one."""
    if document.sections and document.sections[0].level == 1:
        yield document.sections[0].title


def make_ids(labels: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return an id for each label, by the same keys: its words, and a number if that is taken."""
    used = set(taken)
    next_number: dict[str, int] = {}
    ids: dict[str, str] = {}
    for key, label in labels.items():
        stem = id = _stem(label)
        number = next_number.get(stem, 2)
        while id in used:
            id, number = f"{stem}-{number}", number + 1
        next_number[stem] = number
        used.add(id)
        ids[key] = scalar(id)
    return ids


def _stem(label: str) -> str:
    letters = normalize("NFKD", label).lower()
    plain = normalize("NFKC", "".join(letter for letter in letters if not combining(letter)))
    words = _NOT_ID.sub("-", plain.replace("\u2019", "").replace("'", "")).strip("-")
    if len(words) > _LONGEST:
        words = words[: _LONGEST + 1].rpartition("-")[0] or words[:_LONGEST]
    return words or "subject"


def scalar(value: str) -> str:
    """Return a text as a YAML scalar on one line, quoted if necessary."""
    written: str = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=1 << 20)
    return written.strip()[1:-1]


def sequence(values: Iterable[str]) -> str:
    """Return texts as a YAML sequence on one line: `[a, b]`."""
    return f"[{', '.join(map(scalar, values))}]"
