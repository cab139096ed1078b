"""The terms of a taxonomy in the statements of SKOS."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from rdflib import DC, DCTERMS, OWL, RDF, RDFS, SKOS, BNode, Literal, URIRef

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.wording import counted
from shelfread.taxonomy.chain import canonical, is_language
from shelfread.taxonomy.concept import MATCHES
from shelfread.taxonomy.integrity import Issue, error
from shelfread.taxonomy.load import vocabulary
from shelfread.taxonomy.skos.concept_ids import common_prefix, ids_of, keep_homonyms_apart
from shelfread.taxonomy.skos.graph import ENTRY, FORMS_OF, ID, INCLUDES, LINKS, OWN, POSITION, RETIRED
from shelfread.taxonomy.skos.rdf_reader import BASE, Rdf

MAX_CONCEPTS = 50_000  # as in schema/taxonomy.schema.json
_MOST_NAMED = 5  # the most concepts of one name that are shown
_SKOS = str(SKOS)
_TITLES = (SKOS.prefLabel, DCTERMS.title, DC.title, RDFS.label)
_LANGUAGES = (DCTERMS.language, DC.language)
_LABELS = {"altLabel": SKOS.altLabel, "hiddenLabel": SKOS.hiddenLabel, "includes": INCLUDES}
_TEXTS = {"definition": SKOS.definition, "scopeNote": SKOS.scopeNote}
# The properties of concepts that have a place in a taxonomy.
_KNOWN = {
    *_LABELS.values(), *_TEXTS.values(), *(SKOS[key] for key in MATCHES), SKOS.prefLabel, SKOS.broader, SKOS.narrower,
    SKOS.related, SKOS.inScheme, SKOS.topConceptOf, ID, POSITION, LINKS, ENTRY, RETIRED, OWL.deprecated,
    DCTERMS.isReplacedBy, RDF.type, RDFS.label,
}  # fmt: skip


class Scheme(NamedTuple):
    """A vocabulary as a taxonomy: its terms are as merged ones are, with labels and texts by language."""

    title: str
    language: str
    iri: str
    kinds: dict[str, dict[str, dict[str, Any]]]  # the terms of concepts and forms by id
    entry: Any
    remarks: list[str]  # what could not be taken over
    issues: list[Issue]
    places: RdfPlaces


class RdfPlaces:
    """Where the terms are in a file of RDF."""

    files = ()  # none of them is one of ours

    def __init__(self, rdf: Rdf) -> None:
        self.rdf = rdf
        self.subjects: dict[str, Any] = {}
        # the statements by the paths that they have in a taxonomy.
        self.statements: dict[tuple[str | int, ...], tuple[Any, ...]] = {}

    def error(self, message: str, keys: Sequence[str | int], key: bool = False) -> UserError:
        """Return the error for the value at `keys`."""
        statement = self.statements.get(tuple(keys))
        if statement is None and len(keys) > 1:
            statement = (self.subjects.get(str(keys[1])),)
        return TaxonomyError(message, self.rdf.path, self.rdf.line(*statement) if statement else 1)

    def depth(self, *keys: str | int) -> int:
        """Return 0: all is in one file."""
        return 0

    def removes(self, kind: str, id: str) -> bool:
        """Return that nothing is removed."""
        return False


def read_scheme(rdf: Rdf, name: str, root: str | None = None) -> Scheme:
    """Return the taxonomy called `name` in a graph, or its part below the concept `root`; raises TaxonomyError without concepts."""
    return _Reader(rdf, root).read(name)


class _Reader:
    def __init__(self, rdf: Rdf, root: str | None) -> None:
        self.rdf = rdf
        self.root = root
        self.graph = rdf.graph
        self.issues: list[Issue] = []
        self.remarks: list[str] = []
        self.places = RdfPlaces(rdf)
        self.language = ""

    def read(self, name: str) -> Scheme:
        for statement in self.graph.triples((None, OWL.imports, None)):
            if str(statement[2]).rstrip("#/") != _SKOS.rstrip("#/"):
                message = f"it imports <{statement[2]}>, which is not fetched: put both into one file"
                raise self.rdf.fail(message, *statement)
        schemes = self._of_class(SKOS.ConceptScheme)
        concepts = self._concepts(schemes)
        form_schemes = {scheme for scheme in schemes if self._value(scheme, FORMS_OF) is not None}
        subjects = [scheme for scheme in schemes if scheme not in form_schemes]
        main = subjects[0] if subjects else None
        is_own = any(self._value(concept, POSITION) is not None for concept in concepts)
        title, self.language = self._title_and_language(main, concepts, name, is_own)
        if len(subjects) > 1:
            self.remarks.append(f"the concepts of {len(subjects)} schemes are together here")
        for scheme in schemes:
            if scheme in concepts:
                message = f"<{scheme}> cannot be a concept and a scheme"
                self.issues.append(error("repeated-iri", self.rdf.fail(message, scheme)))
        iri = str(main or "")
        if not main or not is_own:
            iri = common_prefix(concepts, iri)
        if any(str(concept) == iri for concept in concepts):
            iri = ""
        stated = {
            str(concept): str(id) for concept in concepts if (id := self._value(concept, ID)) is not None
        }
        ids = ids_of([str(concept) for concept in concepts], iri, stated)
        kinds: dict[str, dict[Any, str]] = {"concepts": {}, "forms": {}}
        for concept in concepts:
            is_form = not form_schemes.isdisjoint(self._objects(concept, SKOS.inScheme))
            kinds["forms" if is_form else "concepts"][concept] = ids[str(concept)]
        self.places.subjects = {ids[str(concept)]: concept for concept in concepts}
        terms = {
            kind: {id: self._term(concept, kind, id, iri) for concept, id in of_kind.items()}
            for kind, of_kind in kinds.items()
        }
        for kind, of_kind in kinds.items():
            for concept, id in of_kind.items():
                self._add_relations(concept, kind, id, of_kind, terms[kind][id])
        self._remark_on_rest(concepts)
        for message, id in keep_homonyms_apart(terms):
            self._warning("homonyms", message, self.places.subjects[id])
        entry = self._schema(main) if main is not None else None
        return Scheme(title, self.language, iri, terms, entry, self.remarks, self.issues, self.places)

    # ------------------------------------------------------------------------------------ which there are
    def _of_class(self, name: URIRef) -> list[Any]:
        return list(dict.fromkeys(self.graph.subjects(RDF.type, name)))

    def _concepts(self, schemes: Sequence[Any]) -> list[Any]:
        """Return the concepts in their order; what has a preferred label or a scheme is one, if it says so or not."""
        others = {*schemes, *self._of_class(SKOS.Collection), *self._of_class(SKOS.OrderedCollection)}
        found = dict.fromkeys(self._of_class(SKOS.Concept))
        for property in (SKOS.prefLabel, SKOS.inScheme, SKOS.broader, SKOS.narrower):
            stated = self.graph.subjects(property, None)
            found |= dict.fromkeys(subject for subject in stated if subject not in others)
        deprecated = [
            concept
            for concept in found
            if str(self._value(concept, OWL.deprecated)).lower() == "true"
            and self._value(concept, RETIRED) is None
        ]
        for concept in deprecated:
            del found[concept]
        if deprecated:
            self.remarks.append(counted(len(deprecated), "deprecated concept"))
        for concept in [concept for concept in found if isinstance(concept, BNode)]:
            del found[concept]
            self.issues.append(error("missing-iri", self.rdf.fail("a concept needs an IRI", concept)))
        if not found:
            types = Counter(map(str, self.graph.objects(None, RDF.type)))
            most = (
                f": it describes {', '.join(f'<{iri}>' for iri, _ in types.most_common(2))}" if types else ""
            )
            raise self.rdf.fail(f"no SKOS: there is no skos:Concept in {len(self.graph):,} statements{most}")
        relative = [each for each in found if str(each).startswith(BASE) or ":" not in str(each)]
        if relative:
            message = f"{counted(len(relative), 'concept')} with a relative IRI, such as '{relative[0].removeprefix(BASE)}'"
            raise self.rdf.fail(f"{message}: say by --base what it is relative to", relative[0])
        if self.root is not None:
            found = self._below(self.root, found)
        if len(found) > MAX_CONCEPTS:
            raise self.rdf.fail(
                f"{len(found):,} concepts, but a taxonomy has at most {MAX_CONCEPTS:,}: import a part of it with --root"
            )

        def position(concept: Any) -> tuple[int, int]:
            stated = str(self._value(concept, POSITION))
            return int(stated) if stated.isdigit() else len(found) + 1, self.rdf.line(concept) or 0

        return sorted(found, key=position)

    def _below(self, root: str, concepts: Iterable[Any]) -> dict[Any, None]:
        named = [
            concept
            for concept in concepts
            if str(concept) == root or re.split("[/#:]", str(concept))[-1] == root
        ]
        named = named or [
            concept
            for concept in concepts
            if root
            in map(str, (*self._objects(concept, SKOS.prefLabel), *self._objects(concept, RDFS.label)))
        ]
        if len(named) != 1:
            which = ", ".join(f"<{concept}>" for concept in named[:_MOST_NAMED]) or "none"
            raise self.rdf.fail(f"--root '{root}' has to be one concept, but is {which}")
        found = dict.fromkeys(named)
        for concept in named:  # grows as it is read
            narrower = [*self._objects(concept, SKOS.narrower), *self.graph.subjects(SKOS.broader, concept)]
            new = [each for each in dict.fromkeys(narrower) if each not in found]
            named += new
            found |= dict.fromkeys(new)
        return found

    def _title_and_language(
        self, scheme: Any, concepts: Sequence[Any], name: str, is_own: bool
    ) -> tuple[str, str]:
        """Return the title of the scheme, and its stated language, in an export of ours the title's, else that of most labels."""
        titles, stated = (
            [value for property in properties for value in self._objects(scheme, property)]
            if scheme is not None
            else []
            for properties in (_TITLES, _LANGUAGES)
        )
        tags = Counter(
            canonical(label.language)
            for concept in concepts
            for label in self._objects(concept, SKOS.prefLabel)
            if getattr(label, "language", None) and is_language(label.language)
        )
        own = [str(title.language) for title in titles if getattr(title, "language", None)]
        choices = [canonical(tag) for tag in (*own, *map(str, stated)) if is_language(tag)]
        most = [tag for tag, _ in sorted(tags.items(), key=lambda item: (-item[1], item[0] != "en", item[0]))]
        if len(set(choices)) == 1 and (is_own or choices[0] in tags or not tags):
            language = choices[0]
        else:
            language = next((tag for tag in most if tag in choices), most[0] if most else "en")
        wanted = [title for title in titles if canonical(getattr(title, "language", None) or "x") == language]
        return next(map(str, [*wanted, *titles]), name), language

    # ---------------------------------------------------------------------------------------- one of them
    def _term(self, concept: Any, kind: str, id: str, iri: str) -> dict[str, Any]:
        term: dict[str, Any] = {}
        if str(concept) != iri + id:
            term["iri"] = str(concept)
        names = list(self._texts(concept, SKOS.prefLabel)) or list(self._texts(concept, RDFS.label))
        if names:
            term["prefLabel"] = self._one_each(names, (kind, id, "prefLabel"))
        for key, property in _LABELS.items():
            by_language: dict[str, list[str]] = {}
            for label, language, statement in self._texts(concept, property):
                labels = by_language.setdefault(language, [])
                self.places.statements[kind, id, key, language, len(labels)] = statement
                labels.append(label)
            if by_language:
                term[key] = by_language
        for key, property in _TEXTS.items():
            texts: dict[str, str] = {}
            for text, language, statement in self._texts(concept, property):
                if texts.setdefault(language, text) != text:
                    self.remarks.append(f"{key} of {id} in {language}: {text}")
                else:
                    self.places.statements[kind, id, key, language] = statement
            if texts:
                term[key] = texts
        retired = self._value(concept, RETIRED)
        if retired is not None:
            term["retired"] = f"use {retired}" if str(retired) else True
        roles = self._value(concept, LINKS)
        if roles is not None:
            known = [role for role in str(roles).split() if role in vocabulary().roles]
            term["links"] = known
            lost = [role for role in str(roles).split() if role not in known]
            self.remarks += (f"the link role {role} of {id}, which is no bundled one" for role in lost)
        schema = self._schema(concept)
        if schema is not None:
            term["entry"] = schema
        return term

    def _one_each(self, names: Sequence[tuple[str, str, Any]], path: tuple[str, ...]) -> dict[str, str]:
        """Return the preferred label of each language."""
        found: dict[str, str] = {}
        for label, language, statement in names:
            if found.setdefault(language, label) != label:
                message = f"'{label}' is a second prefLabel in '{language}', beside '{found[language]}'"
                self.issues.append(error("inconsistent-preferred-labels", self.rdf.fail(message, *statement)))
            else:
                self.places.statements[(*path, language)] = statement
        return found

    def _texts(self, subject: Any, property: URIRef) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
        """Yield the texts of a property, their languages and their statements."""
        for value in self._objects(subject, property):
            statement = subject, property, value
            if not isinstance(value, Literal):
                message = f"the {_short(property)} of <{subject}> must be a text"
                self.issues.append(error("schema", self.rdf.fail(message, *statement)))
            elif value.language is None:
                message = f"'{value}' has no language tag, and is taken for '{self.language}'"
                self._warning("omitted-language-tag", message, *statement)
                yield str(value), self.language, statement
            elif not is_language(value.language):
                message = f"'{value.language}' of '{value}' is no language tag, such as en or zh-Hans"
                self.issues.append(error("invalid-language-tag", self.rdf.fail(message, *statement)))
            else:
                yield str(value), canonical(value.language), statement

    def _add_relations(
        self, concept: Any, kind: str, id: str, ids: dict[Any, str], term: dict[str, Any]
    ) -> None:
        """Add the relations of a concept to its term; one that its counterpart states is its own."""
        narrower = self.graph.subjects(SKOS.narrower, concept)
        for key, others in (
            ("broader", [*self._objects(concept, SKOS.broader), *narrower]),
            ("related", self._objects(concept, SKOS.related)),
        ):
            found: dict[str, Any] = {}
            for other in others:
                if other in ids:
                    found.setdefault(ids[other], other)
                elif self.root is None:
                    self.remarks.append(f"{key} of {id} is no concept of this file: <{other}>")
            for index, other in enumerate(found.values()):
                path = (kind, id, key) if len(found) == 1 else (kind, id, key, index)
                self.places.statements[path] = concept, SKOS[key], other
            if found:
                term[key] = next(iter(found)) if len(found) == 1 else list(found)
        if term.get("broader") and self._value(concept, SKOS.topConceptOf) is not None:
            self._warning(
                "top-concept-with-broader", f"'{id}' is a top concept, but has broader ones", concept
            )
        for key in MATCHES:
            matches = self._objects(concept, SKOS[key])
            for index, match in enumerate(matches):
                self.places.statements[kind, id, key, index] = concept, SKOS[key], match
            if matches:
                term[key] = [str(match) for match in matches]

    def _schema(self, subject: Any) -> Any:
        text = self._value(subject, ENTRY)
        if text is None:
            return None
        try:
            return json.loads(str(text))
        except (ValueError, RecursionError):
            fault = self.rdf.fail("the entry schema is not JSON", subject, ENTRY, text)
            self.issues.append(error("entry-schema", fault))
            return None

    # -------------------------------------------------------------------------------------- what remains
    def _remark_on_rest(self, concepts: Sequence[Any]) -> None:
        """Remark which properties of concepts and which collections have no place in a taxonomy."""
        counts: Counter[Any] = Counter()
        for concept in concepts:
            counts.update(set(self.graph.predicates(concept, None)) - _KNOWN)
        for property, count in sorted(counts.items()):
            self.remarks.append(f"{_short(property)} of {counted(count, 'concept')}")
        collections = [*self._of_class(SKOS.Collection), *self._of_class(SKOS.OrderedCollection)]
        if collections:
            self.remarks.append(counted(len(collections), "collection"))
        for statement in self.graph:
            for name in map(str, statement[1:] if statement[1] == RDF.type else statement[1:2]):
                if name.startswith(_SKOS) and name.removeprefix(_SKOS) not in SKOS.__annotations__:
                    self._warning("undefined-skos-resource", f"SKOS has no {_short(name)}", *statement)

    def _warning(self, name: str, message: str, *statement: Any) -> None:
        self.issues.append(Issue(name, Severity.WARNING, self.rdf.fail(message, *statement)))

    def _objects(self, subject: Any, property: URIRef) -> list[Any]:
        return list(self.graph.objects(subject, property))

    def _value(self, subject: Any, property: URIRef) -> Any:
        return next(iter(self.graph.objects(subject, property)), None)


def _short(iri: object) -> str:
    """Return the name of a property: with its prefix if it has one here."""
    text = str(iri)
    for prefix, namespace in (("skos", _SKOS), ("shelfread", str(OWN))):
        if text.startswith(namespace):
            return f"{prefix}:{text[len(namespace) :]}"
    return f"<{text}>"
