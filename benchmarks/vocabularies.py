#!/usr/bin/env python3
"""What it costs to import large vocabularies: vocabularies.py [--concepts N,N...] [--write FOLDER] [STYLE...]

Generated, the same ones every time, in the styles and syntaxes of the ACM Computing Classification System (RDF/XML, relative IRIs for which
--base is given, names that several branches have, concepts in two branches), the UNESCO Thesaurus (JSON-LD, labels in four languages, scope
notes, related terms), EuroVoc (Turtle, labels in 24 languages, notations) and MeSH (N-Triples, inverted names, many concepts in several
branches, long notes, qualifiers in a scheme of their own). Each is imported in some sizes, and a part of the last by --root. Printed is
the processor time, the exponent with which it grows, and the most memory. The exit status is 1 if an import fails or grows faster than its
vocabulary. --write only writes the vocabularies.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

MOST_GROWTH = 1.25
BASE, SCHEME = "http://vocabulary.example.org/voc", "scheme"
RDF, SKOS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2004/02/skos/core#"
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
RELATED, WIDTH = 0.4, 10


class Style(NamedTuple):
    ending: str
    languages: tuple[str, ...] = ("en",)
    two_branches: float = 0.0
    shared: float = 0.0
    """How many of the names another concept has too."""
    has_notes: int = 0
    has_notations: bool = False
    is_relative: bool = False


STYLES = {
    "ccs": Style("rdf", two_branches=0.02, shared=0.05, is_relative=True),
    "unesco": Style("jsonld", ("en", "fr", "es", "ru"), has_notes=2),
    "eurovoc": Style(
        "ttl",
        tuple("bg es cs da de et el en fr ga hr it lv lt hu mt nl pl pt ro sk sl fi sv".split()),
        two_branches=0.05,
        has_notations=True,
    ),
    "mesh": Style("nt", two_branches=0.5, shared=0.02, has_notes=8, has_notations=True),
}


class Node(NamedTuple):
    """A concept or scheme: the name at the end of its IRI, and its properties. A value without a language is such a name."""

    name: str
    kind: str
    values: list[tuple[str, str, str]]


def make(style: str, count: int) -> str:
    """Return a vocabulary of so many concepts in the syntax that it comes in."""
    facts, chance = STYLES[style], random.Random(f"{style} {count}")
    nodes = [Node(SCHEME, "ConceptScheme", [("prefLabel", "Generated", "en")])]
    nodes += (concept(number, facts, chance) for number in range(count))
    if style == "mesh":
        nodes += (Node(f"q{n}", "Concept", [("prefLabel", f"{name(n)} aspects", "en")]) for n in range(80))
    write = {"rdf": rdf_xml, "jsonld": json_ld, "ttl": turtle, "nt": n_triples}[facts.ending]
    return write(nodes, "" if facts.is_relative else BASE)


def concept(number: int, style: Style, chance: random.Random) -> Node:
    is_shared = number > WIDTH and chance.random() < style.shared
    main = name(chance.randrange(number)) if is_shared else name(number)
    values = [("inScheme", SCHEME, "")]
    values += (("prefLabel", main if tag == "en" else f"{main} {tag}", tag) for tag in style.languages)
    first, _, rest = name(number).rpartition(" ")
    values.append(("altLabel", f"{rest}, {first} of", "en"))
    above = {(number - 1) // WIDTH} if number else set()
    if number > WIDTH and chance.random() < style.two_branches:
        above.add(chance.randrange(number))
    values += [("broader", f"c{other}", "") for other in sorted(above)] or [("topConceptOf", SCHEME, "")]
    if style.has_notations:
        values.append(("notation", f"{number:06}", "x-code"))
    if number % WIDTH != 1 and not {0, number - 1} & above and chance.random() < RELATED:
        values.append(("related", f"c{number - 1}", ""))
    if style.has_notes:
        values.append(("scopeNote", "Used for what is like it. " * style.has_notes, "en"))
    return Node(f"c{number}", "Concept", values)


def rdf_xml(nodes: list[Node], base: str) -> str:
    return "".join(
        [
            f'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="{RDF}" xmlns:skos="{SKOS}">\n',
            *(line for node in nodes for line in xml_lines(node, base)),
            "</rdf:RDF>\n",
        ]
    )


def xml_lines(node: Node, base: str) -> Iterator[str]:
    yield f"<skos:{node.kind} rdf:about={quoteattr(f'{base}#{node.name}')}>\n"
    for key, value, tag in node.values:
        if tag:
            yield f'  <skos:{key} xml:lang="{tag}">{escape(value)}</skos:{key}>\n'
        else:
            yield f"  <skos:{key} rdf:resource={quoteattr(f'{base}#{value}')}/>\n"
    yield f"</skos:{node.kind}>\n"


def json_ld(nodes: list[Node], base: str) -> str:
    graph = []
    for node in nodes:
        made: dict[str, object] = {"@id": f"{base}#{node.name}", "@type": f"skos:{node.kind}"}
        for key in dict.fromkeys(key for key, _, _ in node.values):
            made[f"skos:{key}"] = [
                {"@language": tag, "@value": value} if tag else {"@id": f"{base}#{value}"}
                for other, value, tag in node.values
                if other == key
            ]
        graph.append(made)
    return json.dumps({"@context": {"skos": SKOS}, "@graph": graph}, indent=1)


def turtle(nodes: list[Node], base: str) -> str:
    texts = [f"@prefix skos: <{SKOS}> .\n@prefix : <{base}#> .\n"]
    for node in nodes:
        values = (
            f'skos:{key} "{value}"@{tag}' if tag else f"skos:{key} :{value}"
            for key, value, tag in node.values
        )
        texts.append(" ;\n  ".join([f":{node.name} a skos:{node.kind}", *values]) + " .\n")
    return "".join(texts)


def n_triples(nodes: list[Node], base: str) -> str:
    return "".join(
        f"<{base}#{node.name}> <{property}> {value} .\n"
        for node in nodes
        for property, value in [
            (f"{RDF}type", f"<{SKOS}{node.kind}>"),
            *(
                (f"{SKOS}{key}", f'"{text}"@{tag}' if tag else f"<{base}#{text}>")
                for key, text, tag in node.values
            ),
        ]
    )


def name(number: int) -> str:
    """Return two words that no other number has."""
    letters = []
    for _ in range(4):
        number, place = divmod(number, len(SYLLABLES))
        letters.append(SYLLABLES[place])
    return f"{''.join(letters[:2])} {''.join(letters[2:])}"


def seconds(command: list[str], output: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with output.open("w") as file:
        subprocess.run(command, stdout=file, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("styles", nargs="*", default=[*STYLES])
    parser.add_argument("--concepts", default="5000,25000,49920")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    counts = [*map(int, options.concepts.split(","))]
    is_wrong = False
    for style in options.styles:
        with tempfile.TemporaryDirectory() as home:
            file = (options.write or Path(home)) / f"{style}.{STYLES[style].ending}"
            times = []
            for count in counts:
                file.write_text(make(style, count), "utf-8")
                command = [sys.executable, "-m", "shelfread", "taxonomy", "import", str(file), "--base", BASE]
                if not options.write:
                    times.append(seconds(command, Path(home) / "taxonomy.yaml"))
            if options.write:
                continue
            part = seconds([*command, "--root", "c1"], Path(home) / "taxonomy.yaml")
            growth = log(times[-1] / times[0]) / log(counts[-1] / counts[0])
            is_wrong |= growth > MOST_GROWTH
            shown = ", ".join(f"{time:.1f}" for time in times)
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            size = file.stat().st_size / 1e6
            print(
                f"{style:8} {size:5.1f} MB: {shown} s, exponent {growth:.2f}; by --root {part:.1f} s; {memory:,.0f} MB",
                flush=True,
            )
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
