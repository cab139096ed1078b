"""The terms of a taxonomy in the statements of SKOS."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.plurals import counted
from shelfread.taxonomy.concept import MATCHES
from shelfread.taxonomy.integrity import Issue, error
from shelfread.taxonomy.language import canonical, is_language
from shelfread.taxonomy.load import vocabulary
from shelfread.taxonomy.skos.ids import common_prefix, make_ids
from shelfread.taxonomy.skos.names import ENTRY, FORMS_OF, ID, INCLUDES, LINKS, OWN, POSITION, SKOS, full
from shelfread.taxonomy.skos.read import Rdf

if TYPE_CHECKING:
    from rdflib import URIRef

MAX_CONCEPTS = 5000
"""As in schema/taxonomy.schema.json."""
_RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_IMPORTS = "http://www.w3.org/2002/07/owl#imports"
_DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
_TITLES = (
    "skos:prefLabel",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    _RDFS_LABEL,
)
_LANGUAGES = ("http://purl.org/dc/terms/language", "http://purl.org/dc/elements/1.1/language")
_LABELS = {"altLabel": "skos:altLabel", "hiddenLabel": "skos:hiddenLabel", "includes": INCLUDES}
_TEXTS = {"definition": "skos:definition", "scopeNote": "skos:scopeNote"}
_KNOWN = {
    *(f"{SKOS}{name}" for name in ("prefLabel", "altLabel", "hiddenLabel", "definition", "scopeNote")),
    *(f"{SKOS}{name}" for name in ("broader", "narrower", "related", "inScheme", "topConceptOf", *MATCHES)),
    *(full(name) for name in (ID, INCLUDES, POSITION, LINKS, ENTRY)),
    _TYPE,
    _RDFS_LABEL,
}
_SKOS_TERMS = frozenset(
    """Concept ConceptScheme Collection OrderedCollection inScheme hasTopConcept topConceptOf prefLabel altLabel
    hiddenLabel notation note changeNote definition editorialNote example historyNote scopeNote semanticRelation broader
    narrower related broaderTransitive narrowerTransitive member memberList mappingRelation closeMatch exactMatch
    broadMatch narrowMatch relatedMatch""".split()
)


class Vocabulary(NamedTuple):
    """A vocabulary as a taxonomy: its terms are as merged ones are, with labels and texts by language."""

    title: str
    language: str
    iri: str
    kinds: dict[str, dict[str, dict[str, Any]]]
    """The terms of concepts and forms by id."""
    entry: Any
    remarks: list[str]
    """What could not be taken over."""
    issues: list[Issue]
    places: RdfPlaces


class RdfPlaces:
    """Where the terms are in a file of RDF."""

    files = ()
    """None of them is one of ours."""

    def __init__(self, rdf: Rdf) -> None:
        self.rdf = rdf
        self.subjects: dict[str, Any] = {}
        self.statements: dict[tuple[str | int, ...], tuple[Any, ...]] = {}
        """The statements by the paths that they have in a taxonomy."""

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


def read_vocabulary(rdf: Rdf, name: str) -> Vocabulary:
    """Return the taxonomy in a graph; `name` is its title if it has none.

    Raises TaxonomyError if there are no concepts, or more than a taxonomy may have, or others are imported.
    """
    return _Reader(rdf).read(name)


class _Reader:
    def __init__(self, rdf: Rdf) -> None:
        from rdflib import URIRef

        self.uri = URIRef
        self.rdf = rdf
        self.graph = rdf.graph
        self.issues: list[Issue] = []
        self.remarks: list[str] = []
        self.places = RdfPlaces(rdf)
        self.language = ""

    def read(self, name: str) -> Vocabulary:
        for subject, _, target in self.graph.triples((None, self.uri(_IMPORTS), None)):
            if str(target).rstrip("#/") != SKOS.rstrip("#/"):
                message = f"it imports <{target}>, which is not fetched: put both into one file"
                raise self.rdf.fail(message, subject, self.uri(_IMPORTS), target)
        schemes = self._of_type("ConceptScheme")
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
            iri = common_prefix([str(concept) for concept in concepts], iri)
        if any(str(concept) == iri for concept in concepts):
            iri = ""
        stated = {
            str(concept): str(id) for concept in concepts if (id := self._value(concept, ID)) is not None
        }
        ids = make_ids([str(concept) for concept in concepts], iri, stated)
        by_iri = {concept: ids[str(concept)] for concept in concepts}
        self.places.subjects = {id: concept for concept, id in by_iri.items()}
        kinds: dict[str, dict[str, dict[str, Any]]] = {"concepts": {}, "forms": {}}
        in_forms = {
            concept
            for concept in concepts
            if form_schemes.intersection(self._objects(concept, "skos:inScheme"))
        }
        for concept, id in by_iri.items():
            kind = "forms" if concept in in_forms else "concepts"
            kinds[kind][id] = self._term(concept, kind, id, iri)
        for concept, id in by_iri.items():
            kind = "forms" if concept in in_forms else "concepts"
            same = (
                {each: other for each, other in by_iri.items() if other in kinds[kind]}
                if in_forms
                else by_iri
            )
            self._relations(concept, kind, id, same, kinds[kind][id])
        self._not_taken(concepts)
        entry = self._schema(main) if main is not None else None
        return Vocabulary(title, self.language, iri, kinds, entry, self.remarks, self.issues, self.places)

    # ------------------------------------------------------------------------------------ which there are
    def _of_type(self, name: str) -> list[Any]:
        return list(dict.fromkeys(self.graph.subjects(self.uri(_TYPE), self.uri(SKOS + name))))

    def _concepts(self, schemes: Sequence[Any]) -> list[Any]:
        """Return the concepts in their order; what has a preferred label or a scheme is one, if it says so or not."""
        from rdflib import BNode

        others = {*schemes, *self._of_type("Collection"), *self._of_type("OrderedCollection")}
        found = dict.fromkeys(self._of_type("Concept"))
        for name in ("skos:prefLabel", "skos:inScheme", "skos:broader", "skos:narrower"):
            stated = self.graph.subjects(self.uri(full(name)), None)
            found |= dict.fromkeys(subject for subject in stated if subject not in others)
        deprecated = [each for each in found if str(self._value(each, _DEPRECATED)).lower() == "true"]
        for concept in deprecated:
            del found[concept]
        if deprecated:
            self.remarks.append(counted(len(deprecated), "deprecated concept"))
        for concept in [each for each in found if isinstance(each, BNode)]:
            del found[concept]
            self.issues.append(error("missing-iri", self.rdf.fail("a concept needs an IRI", concept)))
        if not found:
            types = Counter(str(each) for each in self.graph.objects(None, self.uri(_TYPE)))
            most = (
                f": it describes {', '.join(f'<{iri}>' for iri, _ in types.most_common(2))}" if types else ""
            )
            raise self.rdf.fail(f"no SKOS: there is no skos:Concept in {len(self.graph):,} statements{most}")
        if len(found) > MAX_CONCEPTS:
            raise self.rdf.fail(
                f"{len(found):,} concepts, but a taxonomy has at most {MAX_CONCEPTS:,}: import a part of it"
            )
        position = {concept: self._value(concept, POSITION) for concept in found}
        unknown = len(found) + 1
        return sorted(
            found,
            key=lambda concept: (
                int(place) if (place := position[concept]) is not None and str(place).isdigit() else unknown,
                self.rdf.line(concept) or 0,
            ),
        )

    def _title_and_language(
        self, scheme: Any, concepts: Sequence[Any], name: str, is_own: bool
    ) -> tuple[str, str]:
        """Return the title of the scheme, and the language that it states, or else that most labels have.

        In an export of ours, the language is that of the title.
        """
        titles = [] if scheme is None else [each for key in _TITLES for each in self._objects(scheme, key)]
        tags = Counter(
            canonical(label.language)
            for concept in concepts
            for label in self._objects(concept, "skos:prefLabel")
            if getattr(label, "language", None) and is_language(label.language)
        )
        stated = [
            str(each) for key in _LANGUAGES if scheme is not None for each in self._objects(scheme, key)
        ]
        own = [str(each.language) for each in titles if getattr(each, "language", None)]
        choices = [canonical(tag) for tag in (*own, *stated) if is_language(tag)]
        most = [tag for tag, _ in sorted(tags.items(), key=lambda item: (-item[1], item[0] != "en", item[0]))]
        if len(set(choices)) == 1 and (is_own or choices[0] in tags or not tags):
            language = choices[0]
        else:
            language = next((tag for tag in most if tag in choices), most[0] if most else "en")
        wanted = [
            str(each) for each in titles if canonical(getattr(each, "language", None) or "x") == language
        ]
        return next(iter([*wanted, *map(str, titles)]), name), language

    # ---------------------------------------------------------------------------------------- one of them
    def _term(self, concept: Any, kind: str, id: str, iri: str) -> dict[str, Any]:
        term: dict[str, Any] = {}
        if str(concept) != iri + id:
            term["iri"] = str(concept)
        names = list(self._texts(concept, "skos:prefLabel"))
        if not names:
            names = list(self._texts(concept, _RDFS_LABEL))
        if names:
            term["prefLabel"] = self._one_each(concept, names, (kind, id, "prefLabel"))
        for key, name in _LABELS.items():
            by_language: dict[str, list[str]] = {}
            for label, language, statement in self._texts(concept, name):
                labels = by_language.setdefault(language, [])
                self.places.statements[kind, id, key, language, len(labels)] = statement
                labels.append(label)
            if by_language:
                term[key] = by_language
        for key, name in _TEXTS.items():
            texts: dict[str, str] = {}
            for text, language, statement in self._texts(concept, name):
                if texts.setdefault(language, text) != text:
                    self.remarks.append(f"{key} of {id} in {language}: {text}")
                else:
                    self.places.statements[kind, id, key, language] = statement
            if texts:
                term[key] = texts
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

    def _one_each(
        self, concept: Any, names: Sequence[tuple[str, str, Any]], path: tuple[str, ...]
    ) -> dict[str, str]:
        found: dict[str, str] = {}
        for label, language, statement in names:
            if found.setdefault(language, label) != label:
                message = f"'{label}' is a second prefLabel in '{language}', beside '{found[language]}'"
                self.issues.append(error("inconsistent-preferred-labels", self.rdf.fail(message, *statement)))
            else:
                self.places.statements[(*path, language)] = statement
        return found

    def _texts(self, subject: Any, name: str) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
        """Yield the texts of a property, their languages and their statements."""
        from rdflib import Literal

        property = self._property(name)
        for value in self.graph.objects(subject, property):
            statement = subject, property, value
            if not isinstance(value, Literal):
                message = f"the {_short(property)} of <{subject}> must be a text"
                self.issues.append(error("schema", self.rdf.fail(message, *statement)))
            elif value.language is None:
                message = f"'{value}' has no language tag, and is taken for '{self.language}'"
                fault = self.rdf.fail(message, *statement)
                self.issues.append(Issue("omitted-language-tag", Severity.WARNING, fault))
                yield str(value), self.language, statement
            elif not is_language(value.language):
                message = f"'{value.language}' of '{value}' is no language tag, such as en or zh-Hans"
                self.issues.append(error("invalid-language-tag", self.rdf.fail(message, *statement)))
            else:
                yield str(value), canonical(value.language), statement

    def _relations(self, concept: Any, kind: str, id: str, ids: dict[Any, str], term: dict[str, Any]) -> None:
        """Add the relations of a concept to its term; one that its counterpart states is its own."""
        narrower = self.graph.subjects(self._property("skos:narrower"), concept)
        for key, others in (
            ("broader", [*self._objects(concept, "skos:broader"), *narrower]),
            ("related", self._objects(concept, "skos:related")),
        ):
            found: dict[str, Any] = {}
            for other in others:
                if other in ids:
                    found.setdefault(ids[other], other)
                else:
                    self.remarks.append(f"{key} of {id} is no concept of this file: <{other}>")
            for index, other in enumerate(found.values()):
                statement = concept, self._property(f"skos:{key}"), other
                path = (kind, id, key) if len(found) == 1 else (kind, id, key, index)
                self.places.statements[path] = statement
            if found:
                term[key] = next(iter(found)) if len(found) == 1 else list(found)
        if term.get("broader") and self._value(concept, "skos:topConceptOf") is not None:
            message = f"'{id}' is a top concept, but has broader ones"
            fault = self.rdf.fail(message, concept)
            self.issues.append(Issue("top-concept-with-broader", Severity.WARNING, fault))
        for key in MATCHES:
            matches = self._objects(concept, f"skos:{key}")
            for index, match in enumerate(matches):
                self.places.statements[kind, id, key, index] = concept, self._property(f"skos:{key}"), match
            if matches:
                term[key] = [str(match) for match in matches]

    def _schema(self, subject: Any) -> Any:
        text = self._value(subject, ENTRY)
        if text is None:
            return None
        try:
            return json.loads(str(text))
        except (ValueError, RecursionError):
            fault = self.rdf.fail("the entry schema is not JSON", subject, self._property(ENTRY), text)
            self.issues.append(error("entry-schema", fault))
            return None

    # -------------------------------------------------------------------------------------- what remains
    def _not_taken(self, concepts: Sequence[Any]) -> None:
        """Remark which properties of concepts and which collections have no place in a taxonomy."""
        counts: Counter[str] = Counter()
        for concept in concepts:
            for property in set(self.graph.predicates(concept, None)):
                if str(property) not in _KNOWN:
                    counts[str(property)] += 1
        for name, count in sorted(counts.items()):
            self.remarks.append(f"{_short(name)} of {counted(count, 'concept')}")
        collections = [*self._of_type("Collection"), *self._of_type("OrderedCollection")]
        if collections:
            self.remarks.append(counted(len(collections), "collection"))
        for statement in self.graph:
            names = statement[1:] if str(statement[1]) == _TYPE else statement[1:2]
            for name in map(str, names):
                if name.startswith(SKOS) and name.removeprefix(SKOS) not in _SKOS_TERMS:
                    fault = self.rdf.fail(f"SKOS has no {_short(name)}", *statement)
                    self.issues.append(Issue("undefined-skos-resource", Severity.WARNING, fault))

    def _property(self, name: str) -> URIRef:
        return self.uri(full(name) if name.startswith(("skos:", "shelfread:")) else name)

    def _objects(self, subject: Any, name: str) -> list[Any]:
        return list(self.graph.objects(subject, self._property(name)))

    def _value(self, subject: Any, name: str) -> Any:
        return next(iter(self.graph.objects(subject, self._property(name))), None)


def _short(iri: object) -> str:
    """Return the name of a property: with its prefix if it has one here."""
    text = str(iri)
    for prefix, namespace in (("skos", SKOS), ("shelfread", OWN)):
        if text.startswith(namespace):
            return f"{prefix}:{text[len(namespace) :]}"
    return f"<{text}>"
