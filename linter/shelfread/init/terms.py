"""Infers roles of links from labels, and venues from citations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.regex import lazy
from shelfread.document.identity import fold_url
from shelfread.document.model import Document
from shelfread.document.subjects import names_no_role
from shelfread.index.context import RuleContext
from shelfread.index.conventions.line_style import labels_of
from shelfread.taxonomy.phrases import TREATMENTS
from shelfread.taxonomy.vocabulary import Vocabulary
from shelfread.taxonomy.words import fold, singular, squash, tokens

_YEAR = lazy(r"\W*(?:19|20)?\d\d\W*$")
_OFTEN = 3
"""A label or venue that is used at least so often is likely intended."""
_MAX_LABEL = 60
_MAX_WORDS = 5
_MIN_LETTERS = 4
"""Shorter labels differ by one letter without being misspelt."""
_MAX_VENUE = 300
_SAYS_NOTHING = frozenset(
    "link,links,here,url,this,click here,page,star,stars,github stars,github repo stars".split(",")
)
_ADDRESS = lazy(r"(?i)\w://|[\w-]\.(?:[a-z]{2,3}|info|energy|github)\b|@|^[/~#]")
_PUBLICATION = lazy(r"(?:IEEE|ACM)\b")
_IN_BRACKETS = lazy(r"[(\[][^()\[\]]*[)\]]")
_ACRONYM = lazy(r"[A-Z].*[A-Z]")


def find_roles(documents: Iterable[Document], context: RuleContext) -> dict[str, str]:
    """Return labels without a role that several entries have, each for links of its own, by key.

    A label that always leads to the same page is a name and no role, and so is one without a word for a kind of thing,
    such as the name of a benchmark or of a framework.
    """
    vocabulary = context.vocabulary
    kinds = {
        *TREATMENTS,
        *(word for role in vocabulary.roles.values() for name in role.labels for word in tokens(name)),
    }
    spellings: dict[str, Counter[str]] = {}
    targets: dict[str, set[str]] = {}
    for document in documents:
        for entry in document.entries:
            labels = labels_of(entry, document.source.text) if entry.kind == "paper" else ()
            for label in {fold(each.label): each for each in labels}.values():
                known = label.role is not None and vocabulary.role(label.label) is not None
                if not known and _can_be_role(label.label, vocabulary, kinds):
                    key = fold(label.label)
                    spellings.setdefault(key, Counter())[label.label] += 1
                    targets.setdefault(key, set()).add(fold_url(label.link.url))
    names = [fold(name) for role in vocabulary.roles.values() for name in role.labels]
    often = [key for key, counts in spellings.items() if key and counts.total() >= _OFTEN]
    own = [key for key in often if len(targets[key]) >= max(_OFTEN, spellings[key].total() / 2)]
    return {
        key: spellings[key].most_common(1)[0][0]
        for key in own
        if not _is_misspelt(key, [*names, *own], spellings)
    }


def _can_be_role(label: str, vocabulary: Vocabulary, kinds: Collection[str]) -> bool:
    return (
        len(label) <= _MAX_LABEL
        and len(label.split()) <= _MAX_WORDS
        and fold(label) not in _SAYS_NOTHING
        and not (_ADDRESS.search(label) or _PUBLICATION.match(label))
        and not names_no_role(label, vocabulary)
        and vocabulary.role(_IN_BRACKETS.sub(" ", label).strip()) is None  # `Code (unofficial)`
        and _names_kind(label, kinds)
    )


def _names_kind(label: str, kinds: Collection[str]) -> bool:
    """Return whether a label has a word for a kind of thing, not in brackets. Those of other scripts are not known."""
    words = tokens(_IN_BRACKETS.sub(" ", label))
    return not label.isascii() or any(singular(word) in kinds or word in kinds for word in words)


def _is_misspelt(key: str, names: Sequence[str], spellings: Mapping[str, Counter[str]]) -> bool:
    """Return whether a label is a slip away from the name of a role, or from a label that is more frequent."""
    count = spellings[key].total()
    return len(key) >= _MIN_LETTERS and any(
        is_slip(key, name) and (name not in spellings or spellings[name].total() > count) for name in names
    )


def find_venues(documents: Iterable[Document], context: RuleContext) -> dict[str, str]:
    """Return names of venues that are cited often and that the vocabulary does not have, by key."""
    cited: Counter[str] = Counter()
    for document in documents:
        for entry in document.entries:
            citation = entry.citation
            if citation is not None and citation.venue is None:
                name = citation.name.value if citation.name else _YEAR.sub("", citation.text)
                cited[name.strip()] += 1
    known = {squash(label) for venue in context.vocabulary.venues.values() for label in venue.labels}
    names: dict[str, str] = {}
    for name, count in cited.items():
        key = squash(name)
        is_name = len(name) <= _MAX_VENUE and any(_ACRONYM.match(word) for word in name.split())
        is_misspelt = len(key) >= _MIN_LETTERS and any(is_slip(key, label) for label in known)
        if count >= _OFTEN and is_name and key and key not in known and not is_misspelt:
            names.setdefault(key, name)
    return names
