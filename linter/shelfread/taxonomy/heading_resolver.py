"""Which concepts a heading names.

A heading that is a label names its concept. Otherwise it is read as English headings are built: parts are joined by
`and`, `/` or commas; the last noun before a preposition is the subject, and what stands before it or follows the
preposition qualifies it; words such as `Papers` or `Methods` say how a subject is treated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.taxonomy.concept import (
    MAX_SHARED,
    MAX_TOKENS,
    MAX_WORDS,
    Label,
    Labels,
    Resolution,
    is_abbreviation,
    label_words,
)
from shelfread.taxonomy.label_forms import is_word, tokens, without_extras
from shelfread.taxonomy.phrases import FIELDS, INVERTING, PLAIN, TREATMENTS, HeadingPiece, divide, is_joined

_NUMBER = lazy(r"^\d{1,2}\s+(?=\S)")  # one without a dot may also be a word of the label: `20 Questions`


class _Zone(NamedTuple):
    """What a run of words without a preposition names. `heads` is None if a word that matters is unknown."""

    heads: tuple[Label, ...] | None
    qualifiers: tuple[Label, ...]
    forms: tuple[Label, ...]
    certainty: str
    # whether the head is a treatment or a whole field, and a subject after a preposition says more.
    is_weak: bool


class Resolver(NamedTuple):
    """Resolves headings by the labels of concepts. `ancestors` returns the ids of all broader concepts."""

    labels: Labels
    forms: Collection[str]
    own: Collection[str]  # the concepts that the list's own files state
    ancestors: Callable[[str], Collection[str]]
    labels_of: Callable[[str], Iterable[str]]

    def resolve(self, heading: str, above: Sequence[str] = ()) -> Resolution:
        """Return the concepts that a heading names below a section that names the concepts `above`."""
        text = without_extras(heading)
        spellings = dict.fromkeys((text, heading, _NUMBER.sub("", text, count=1)))
        exact = next(filter(None, map(self.labels.written, spellings)), None)
        if exact is not None:
            within = self._narrowed(exact, text, above)
            return self._single(within, "named") if within else self._single(exact, "label")
        read = tokens(text)
        if len(read) > MAX_TOKENS:
            return Resolution()
        words = self.labels.contracted(read)
        whole = self._whole(words)
        if whole is not None:
            within = self._narrowed(whole, text, above)
            return self._single(within, "named") if within else self._single(whole, "variant")
        composed = self._composed(text, above)
        if composed is not None:
            return self._single(composed, "named")
        return self._heading(divide(words, self.labels))

    def _single(self, label: Label, certainty: str) -> Resolution:
        if label.concept in self.forms:
            return Resolution(forms=(label,), certainty=certainty)
        return Resolution((label,), certainty=certainty)

    def _narrowed(self, found: Label, text: str, above: Sequence[str]) -> Label | None:
        """Return the narrower concept that the heading above makes of a label, but none of others of one of the list's own."""
        lineage = {found.concept, *self.ancestors(found.concept)}
        within = self._composed(text, above) if above and lineage.isdisjoint(above) else None
        return within if within and (within.concept in self.own or found.concept not in self.own) else None

    def _whole(self, words: Sequence[str]) -> Label | None:
        """Return the label that a heading is, but for brackets, small words and the order around a preposition."""
        outside = _outside_brackets(words)
        plain = [word for word in outside if is_word(word) and word not in ("and", "the")]
        found = self.labels.find(plain) if plain else None
        if found is not None and not (is_joined(outside) and not is_joined(found.text)):
            return found
        return self._inverted(plain)

    def _inverted(self, words: Sequence[str]) -> Label | None:
        index = next((index for index, word in enumerate(words) if word in INVERTING), 0)
        return self.labels.find([*words[index + 1 :], *words[:index]]) if index else None

    def _composed(self, text: str, above: Sequence[str]) -> Label | None:
        """Return the narrower concept that a heading names with the one above: `Pipeline` below `Parallelism`."""
        own = [word for word in label_words(text) if is_word(word)] if above else []
        if not own or len(own) > 3:
            return None
        for id in above:
            for name in self.labels_of(id):
                other = label_words(name)
                for words in ([*own, *other], [*other, *own]):
                    found = self.labels.find(self.labels.contracted(words))
                    if found is not None and found.concept != id and id in self.ancestors(found.concept):
                        return found
        return None

    # ----------------------------------------------------------------------------- headings of several parts
    def _heading(self, pieces: Sequence[HeadingPiece]) -> Resolution:
        if all(piece.kind == "unknown" for piece in pieces):
            return Resolution()
        main, brackets = _brackets(pieces)
        if len(brackets) == 1 and (closer := self._bracketed(main, brackets[0])) is not None:
            return self._single(closer, "named")
        segments = [self._joined(segment) for segment in _split(main, "break")]
        named = [segment for segment in segments if segment.subjects]
        forms = tuple(form for segment in segments for form in segment.forms)
        if not named:
            inner = [self._joined(bracket) for bracket in brackets if bracket]
            named = [each for each in inner if each.subjects and each.certainty == "named"]
            if not named:
                is_known = forms and all(segment.certainty for segment in segments)
                return Resolution(forms=forms, certainty="named" if is_known else "")
            return named[0]._replace(forms=forms)
        told = [segment for segment in named if segment.is_telling] or named
        last = told[-1]
        if segments[-1].certainty == "" and not last.is_telling:
            return Resolution(forms=forms)
        certainty = last.certainty if segments[-1].certainty else "broader"
        others = [each for each in named if each is not last and each.certainty != "broader"]
        others += [each for bracket in brackets if (each := self._joined(bracket)).certainty == "named"]
        qualifiers = [label for other in others for label in (*other.subjects, *other.qualifiers)]
        found = Resolution(last.subjects, (*last.qualifiers, *qualifiers), forms, certainty)
        return self._narrowest(found)

    def _bracketed(self, main: Sequence[HeadingPiece], bracket: Sequence[HeadingPiece]) -> Label | None:
        """Return the concept that a heading names with what a bracket adds: `Training (Energy-Efficient)`."""
        outer, inner = ([word for piece in each for word in piece.words] for each in (main, bracket))
        if not outer or not inner or len(outer) + len(inner) > MAX_WORDS:
            return None
        return self.labels.find([*inner, *outer]) or self.labels.find([*outer, *inner])

    def _narrowest(self, found: Resolution) -> Resolution:
        """Return a resolution about a qualifier, if that is narrower than the subject: `Training (Parallelism)`."""
        if len(found.subjects) == 1:
            if not found.qualifiers:
                return found
            head = found.subjects[0]
            narrower = [
                qualifier
                for qualifier in found.qualifiers
                if head.concept in self.ancestors(qualifier.concept)
            ]
            if narrower:
                found = found._replace(subjects=(narrower[0],))
        ids = {label.concept for label in found.subjects}
        broader = ids.union(*(self.ancestors(id) for id in ids))
        kept = {label.concept: label for label in found.qualifiers if label.concept not in broader}
        unique = {label.concept: label for label in found.subjects}
        return found._replace(subjects=tuple(unique.values()), qualifiers=tuple(kept.values()))

    def _joined(self, pieces: Sequence[HeadingPiece]) -> Resolution:
        """Resolve parts joined by `and`, `/`, commas."""
        parts = [part for part in _split(pieces, "join") if part]
        if len(parts) == 1:
            return self._part(parts[0])
        words = [tuple(word for piece in part for word in piece.words) for part in parts]
        results = []
        for index, part in enumerate(parts):
            shared = self._shared(words, index)
            known = self._single(shared, "named") if shared else self._part(part)
            results.append(known)
        named = [result for result in results if result.subjects and result.certainty != "broader"]
        forms = tuple(form for result in results for form in result.forms)
        if not named:
            subjects = [label for result in results for label in result.subjects]
            is_known = all(result.certainty for result in results)
            return Resolution(
                tuple(subjects), forms=forms, certainty="broader" if subjects else "named" * is_known
            )
        subjects = [label for each in named for label in each.subjects]
        qualifiers = [label for each in named for label in each.qualifiers]
        certainty = "named" if all(result.certainty for result in results) else "partly"
        is_telling = any(each.is_telling for each in named)
        if certainty == "partly" and not is_telling:
            return Resolution(forms=forms)
        return self._narrowest(
            Resolution(tuple(subjects), tuple(qualifiers), forms, certainty, is_telling=is_telling)
        )

    def _shared(self, parts: Sequence[tuple[str, ...]], index: int) -> Label | None:
        """Return what a part names with the last words of the last part, or the first of the first."""
        part = parts[index]
        if not part or len(part) > 2:
            return None
        first, last = parts[0], parts[-1]
        is_general = all(word in TREATMENTS or word in PLAIN for word in part)
        for count in range(1, MAX_SHARED + 1):
            choices: list[tuple[str, ...]] = []
            if index < len(parts) - 1 and len(last) > count:
                choices.append((*part, *last[-count:]))
            if index and len(first) > count and not is_general:
                choices.append((*first[:count], *part))
            for words in choices:
                found = self.labels.find(words) if len(words) > 2 else self.labels.find_same(words)
                if found is not None:
                    return found
        return None

    # ------------------------------------------------------------------------------------------ a single part
    def _part(self, pieces: Sequence[HeadingPiece]) -> Resolution:
        """Resolve words with prepositions: the subject stands before the first one."""
        words = [word for piece in pieces for word in piece.words]
        inverted = self._inverted(words) if len(words) <= 8 else None
        if inverted is not None:
            return self._single(inverted, "named")
        zones = _split(pieces, "preposition")
        head = self._zone(zones[0])
        if head.heads is None:
            return Resolution(forms=head.forms)
        if len(zones) == 1:
            found = Resolution(
                head.heads, head.qualifiers, head.forms, head.certainty, is_telling=not head.is_weak
            )
            return self._narrowest(found)
        rest = self._part(pieces[len(zones[0]) + 1 :])
        forms = (*head.forms, *rest.forms)
        if not head.heads or (head.is_weak and rest.subjects):
            qualifiers = (*rest.qualifiers, *head.heads, *head.qualifiers)
            return self._narrowest(Resolution(rest.subjects, qualifiers, forms, rest.certainty))
        qualifiers = (*head.qualifiers, *rest.subjects, *rest.qualifiers)
        return self._narrowest(Resolution(head.heads, qualifiers, forms, head.certainty))

    def _zone(self, pieces: Sequence[HeadingPiece]) -> _Zone:
        """Resolve words without prepositions: the last label is the subject, those before it qualify it."""
        forms = tuple(piece.label for piece in pieces if piece.label and piece.label.concept in self.forms)
        content = [
            piece
            for piece in pieces
            if piece.kind == "unknown" or (piece.label and piece.label.concept not in self.forms)
        ]
        if any(piece.kind == "unknown" for piece in content):
            label = content[-1].label
            if label is None or len(content[-1].words) < 2:
                return _Zone(None, (), forms, "", False)
            return _Zone((label,), (), forms, "broader", False)
        if not content:
            return _Zone((), (), forms, "named", True)
        telling = [piece for piece in content if _is_telling(piece)]
        last = content[-1]
        if last not in telling and not (telling and len(last.words) == 1 and last.words[0] in TREATMENTS):
            # `Graph Tables` need not be about tables, nor `Service Discovery` about discovery.
            before = pieces[: pieces.index(last)]
            if any(piece.kind in ("label", "treatment") for piece in before):
                return _Zone(None, (), forms, "", False)
        labels = [piece.label for piece in telling or content if piece.label]
        is_weak = not telling and (_is_general(last) or labels[-1].kind == "includes")
        return _Zone((labels[-1],), tuple(labels[:-1]), forms, "named", is_weak)


def _is_telling(piece: HeadingPiece) -> bool:
    """Return whether a label says enough among other words: several words, a preferred one, an abbreviation."""
    label = piece.label
    if label is None or _is_general(piece):
        return False
    has_capitals = sum(map(str.isupper, label.text)) > 1
    return len(piece.words) > 1 or label.kind == "prefLabel" or has_capitals


def _is_general(piece: HeadingPiece) -> bool:
    return len(piece.words) == 1 and (piece.words[0] in TREATMENTS or piece.words[0] in FIELDS)


def _split(pieces: Iterable[HeadingPiece], kind: str) -> list[list[HeadingPiece]]:
    """Return runs of pieces between those of a kind."""
    runs: list[list[HeadingPiece]] = [[]]
    for piece in pieces:
        if piece.kind == kind:
            runs.append([])
        else:
            runs[-1].append(piece)
    return runs


def _brackets(pieces: Iterable[HeadingPiece]) -> tuple[list[HeadingPiece], list[list[HeadingPiece]]]:
    """Return the pieces outside brackets, and those of each bracket."""
    outside: list[HeadingPiece] = []
    inside: list[list[HeadingPiece]] = []
    depth = 0
    for piece in pieces:
        if piece.kind == "open":
            depth += 1
            inside.append([])
        elif piece.kind == "close":
            depth = max(0, depth - 1)
        elif depth:
            inside[-1].append(piece)
        else:
            outside.append(piece)
    return outside, inside


def _outside_brackets(words: Sequence[str]) -> list[str]:
    """Return words without an abbreviation of them in brackets; an empty list if there is another bracket."""
    if "(" not in words:
        return list(words)
    start = words.index("(")
    end = words.index(")") if ")" in words else len(words)
    inner, outer = list(words[start + 1 : end]), list(words[:start]) + list(words[end + 1 :])
    if end < start or "(" in outer:
        return []
    plain = [word for word in words[:start] if is_word(word)]
    is_same = inner == plain or (len(inner) == 1 and is_abbreviation(inner[0], plain or ["?"]))
    return outer if is_same else []
