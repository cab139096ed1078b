"""Reads RDF with rdflib: Turtle, N-Triples, JSON-LD and RDF/XML. Nothing is fetched, and nothing grows beyond bounds."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, NamedTuple
from xml.sax import SAXParseException
from xml.sax.xmlreader import InputSource

from rdflib import Graph
from rdflib.plugins.parsers.notation3 import BadSyntax, RDFSink, SinkParser
from rdflib.plugins.parsers.rdfxml import create_parser

from shelfread.core.errors import TaxonomyError, reason_of
from shelfread.core.patterns import lazy

MAX_BYTES = 64 << 20
MAX_STATEMENTS = 2_000_000
_MAX_EXPANSION = 8 << 20  # the most characters that the entities of an XML file may become
_MAX_DEPTH = 1000  # of the elements of an XML file
BASE = "urn:shelfread:import:"  # what relative IRIs are relative to
_DECLARED = lazy(r"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)")
_ENTITY = lazy(r"<!ENTITY\s+([^\s%]+)\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")
_ANY_ENTITY = lazy(r"<!ENTITY|<!DOCTYPE[^\[<>]*\b(?:SYSTEM|PUBLIC)\b")


class Rdf(NamedTuple):
    """The statements of a file, and where they are in it."""

    graph: Graph
    lines: dict[tuple[Any, ...], int]  # the line of each statement, and of the first one about each subject
    text: str
    path: str

    def line(self, *statement: Any) -> int | None:
        """Return the line of a subject or a statement, or None if it is not known."""
        return self.lines.get(statement) or self.lines.get(statement[:1])

    def fail(self, message: str, *statement: Any) -> TaxonomyError:
        """Return the error about a statement or a subject."""
        return TaxonomyError(message, self.path, self.line(*statement) if statement else 1)


def read_rdf(path: str, syntax: str, base: str | None = None) -> Rdf:
    """Return the statements of a file, whose relative IRIs are relative to `base`. Raises TaxonomyError for one that cannot be read, or would fetch something."""
    text = _text(path)
    graph = _LinedGraph(path, base or BASE)
    reader = {"xml": _read_xml, "json-ld": _read_json_ld}.get(syntax, _read_turtle)
    # What rdflib says of odd IRIs is said by the checks, if it matters.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader(graph, text)
    except RecursionError:
        raise TaxonomyError("nested too deeply", path) from None
    rdf = Rdf(graph, graph.lines, text, path)
    if syntax == "json-ld":
        _find_lines(rdf)
    return rdf


def _text(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise TaxonomyError(f"cannot be read: {reason_of(error)}", path) from None
    if len(data) > MAX_BYTES:
        raise TaxonomyError(f"more than {MAX_BYTES >> 20} MiB: import a part of it", path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TaxonomyError("not UTF-8: save the file as UTF-8", path, line) from None


class _LinedGraph(Graph):
    """Remembers the line of each statement, as its `current_line` says it."""

    def __init__(self, path: str, base_iri: str) -> None:
        super().__init__()
        self.base_iri = base_iri
        self.path = path
        self.lines: dict[tuple[Any, ...], int] = {}
        self.current_line: Callable[[], int | None] = lambda: None

    def add(self, triple: Any) -> Any:
        line = self.current_line()
        if line is not None:
            self.lines.setdefault(triple, line)
            self.lines.setdefault(triple[:1], line)
            if len(self.lines) > MAX_STATEMENTS:  # each is there once, and each subject
                raise TaxonomyError(f"more than {MAX_STATEMENTS:,} statements", self.path, line)
        return super().add(triple)


class _TurtleParser(SinkParser):
    """Knows how far it has read; its own count of lines takes some twice."""

    end = line = 0

    def skipSpace(self, argstr: str, i: int) -> int:  # noqa: N802
        if i > self.end:
            self.line += argstr.count("\n", self.end, i)
            self.end = i
        return super().skipSpace(argstr, i)


def _read_turtle(graph: _LinedGraph, text: str) -> None:
    parser = _TurtleParser(RDFSink(graph), baseURI=graph.base_iri, turtle=True)
    graph.current_line = lambda: parser.line + 1
    try:
        parser.loadBuf(text)
    except BadSyntax as error:
        line = text.count("\n", 0, error._i) + 1
        raise TaxonomyError(f"not Turtle: {error._why}", graph.path, line) from None
    except (RecursionError, TaxonomyError):
        raise
    except Exception as error:  # rdflib raises whatever its parts do, such as ValueError or AssertionError
        raise TaxonomyError(f"not Turtle: {_in_one_line(error)}", graph.path, parser.line + 1) from None


def _read_xml(graph: _LinedGraph, text: str) -> None:
    _refuse_entities(text, graph.path)
    source: Any = InputSource(graph.base_iri)
    source.setByteStream(BytesIO(text.encode()))
    source.setEncoding("utf-8")
    source.setPublicId(graph.base_iri)
    parser: Any = create_parser(source, graph)
    handler = parser.getContentHandler()
    start = handler.startElementNS

    def start_element(*words: Any) -> None:
        # What a literal holds is copied at the end of each of its elements.
        if len(handler.stack) > _MAX_DEPTH:
            raise RecursionError
        start(*words)

    handler.startElementNS = start_element
    graph.current_line = parser.getLineNumber
    try:
        parser.parse(source)
    except SAXParseException as error:
        raise TaxonomyError(f"not RDF/XML: {error.getMessage()}", graph.path, error.getLineNumber()) from None
    except (RecursionError, TaxonomyError):
        raise
    except Exception as error:  # as for Turtle
        raise TaxonomyError(
            f"not RDF/XML: {_in_one_line(error)}", graph.path, parser.getLineNumber()
        ) from None


def _refuse_entities(text: str, path: str) -> None:
    """Raise an error for entities that lead elsewhere, contain others, or become more text than is bearable."""
    declared = _DECLARED.match(text)
    if declared and declared[1].lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise TaxonomyError(f"the encoding is '{declared[1]}': save the file as UTF-8", path, 1)
    found = list(_ENTITY.finditer(text))
    size = sum(len(each[2] or each[3] or "") * text.count(f"&{each[1]};") for each in found[:1000])
    nested = next((each for each in found if "&" in (each[2] or each[3] or "")), None)
    others = next(
        (each for each in _ANY_ENTITY.finditer(text) if not _ENTITY.match(text, each.start())), None
    )
    wrong = nested or others
    if wrong or size > _MAX_EXPANSION or len(found) > 1000:
        line = text.count("\n", 0, wrong.start()) + 1 if wrong else 1
        raise TaxonomyError("entities may only stand for plain text, and nothing is fetched", path, line)


def _read_json_ld(graph: _LinedGraph, text: str) -> None:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise TaxonomyError(f"not JSON: {error.msg}", graph.path, error.lineno, error.colno) from None
    except ValueError as error:  # an integer of thousands of digits
        raise TaxonomyError(f"not JSON: {_in_one_line(error)}", graph.path) from None
    for context in _contexts(data):
        for part in context if isinstance(context, list) else [context]:
            remote = (
                part if isinstance(part, str) else part.get("@import") if isinstance(part, dict) else None
            )
            if remote is not None:
                message = f"the @context is '{remote}', which is not fetched: write its terms into the file"
                raise TaxonomyError(message, graph.path, _line_of(text, json.dumps(str(remote))))
    try:
        graph.parse(data=json.dumps(data), format="json-ld", base=graph.base_iri, publicID=graph.base_iri)
    except RecursionError:
        raise
    except Exception as error:  # as for Turtle
        raise TaxonomyError(f"not JSON-LD: {_in_one_line(error)}", graph.path) from None
    if len(graph) > MAX_STATEMENTS:
        raise TaxonomyError(f"more than {MAX_STATEMENTS:,} statements", graph.path)


def _contexts(data: Any) -> Iterator[Any]:
    """Yield every @context of a JSON document, however deep."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if "@context" in value:
                yield value["@context"]
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def _find_lines(rdf: Rdf) -> None:
    """Take the line of each subject from where its IRI, or what comes after its prefix, is an @id."""
    ids = lazy(r'"@id"\s*:\s*"((?:[^"\\]|\\.)*)"')
    lines: dict[str, int] = {}
    line, offset = 1, 0
    for found in ids.finditer(rdf.text):
        line += rdf.text.count("\n", offset, found.start())
        offset = found.start()
        lines.setdefault(found[1], line)
    prefixes = [(str(iri), prefix) for prefix, iri in rdf.graph.namespaces()]
    for subject in set(rdf.graph.subjects()):
        name = str(subject)
        forms = [name, *(f"{prefix}:{name[len(iri) :]}" for iri, prefix in prefixes if name.startswith(iri))]
        known = next((lines[form] for form in forms if form in lines), None)
        if known is not None:
            rdf.lines[(subject,)] = known


def _line_of(text: str, part: str) -> int | None:
    offset = text.find(part)
    return text.count("\n", 0, offset) + 1 if offset >= 0 else None


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
