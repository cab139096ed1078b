"""Loads taxonomies, kept as they were prepared, beside the modules or for the user: their YAML takes longer to read than a list to check."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from shelfread import __version__
from shelfread.core.errors import TaxonomyError
from shelfread.core.folders import PACKAGE, TAXONOMIES, cache_path
from shelfread.core.yaml_files import LARGE, YamlFile, load_cached, read
from shelfread.taxonomy.concept import Concepts
from shelfread.taxonomy.taxonomy import Affiliation, Taxonomy
from shelfread.taxonomy.vocabulary import VOCABULARY_FILES, Role, Terms, Venues, Vocabulary

_MOST = 32  # the most taxonomies that are kept

# What marshal can write: `files` are the paths that it was made of, the first one being that of the taxonomy.
# Parts that not every run needs are bytes of their own, which `marshal.loads` decodes when they are used.
Prepared = dict[str, Any]


def load(name_or_path: str | None = None) -> Taxonomy:
    """Return the bundled taxonomy of a name, that of a file, or without either the vocabulary; raises TaxonomyError."""
    if name_or_path is None:
        return Taxonomy("", vocabulary())
    return _taxonomy(_prepared(name_or_path), name_or_path)


def source_files(name_or_path: str) -> list[str]:
    """Return the files that a taxonomy is made of; none for a bundled one. Raises TaxonomyError as `load`."""
    from shelfread.taxonomy.chain import bundled_names

    files: list[str] = [] if name_or_path in bundled_names() else _prepared(name_or_path)["files"]
    return files


def load_from(files: Sequence[YamlFile], name: str) -> Taxonomy:
    """Return the taxonomy of a file and those that it extends, nothing of which is cached."""
    from shelfread.taxonomy.prepare import prepare

    return _taxonomy(prepare(files, name, vocabulary), name)


def load_text(text: str, path: str) -> Taxonomy:
    """Return the taxonomy that a file would have with another text; raises TaxonomyError as `load` does."""
    from shelfread.taxonomy.chain import read_chain, read_file

    def read_path(other: Path) -> YamlFile | None:
        return YamlFile(text, path, TaxonomyError, times=LARGE) if other == Path(path) else read_file(other)

    return load_from(read_chain(path, read_path), path)


def _prepared(name_or_path: str) -> Prepared:
    from shelfread.taxonomy.chain import bundled_names, read_chain

    def read_anew() -> Prepared:
        from shelfread.taxonomy.prepare import prepare

        return prepare(read_chain(name_or_path), name_or_path, vocabulary)

    bundled = name_or_path in bundled_names()
    path = TAXONOMIES / f"{name_or_path}.yaml" if bundled else Path(name_or_path)
    return _kept(path, read_anew)


def _kept(path: Path, prepare: Callable[[], Prepared]) -> Prepared:
    """Return what `prepare` returns for a file, from the cache if neither it nor a file that it extends has changed."""
    from shelfread.core.file_writing import read_kept

    name = _digest(f"{PACKAGE}|{os.path.realpath(path)}".encode())
    kept = _folder() / f"taxonomy-{name}.{sys.implementation.cache_tag}"
    with suppress(OSError, ValueError, EOFError, TypeError, KeyError):
        if content := read_kept(kept):
            stamp, found = marshal.loads(content)
            if stamp == _stamp(found["files"]):
                prepared: Prepared = found
                return prepared
    made = prepare()
    _keep(kept, made)
    return made


def _folder() -> Path:
    """Return the folder of the cache: beside the modules if it is writable, else the user's own."""
    folder = PACKAGE / "__pycache__"
    if os.access(folder if folder.is_dir() else PACKAGE, os.W_OK):
        return folder
    return cache_path("taxonomies")


def _keep(file: Path, data: Prepared) -> None:
    """Keep a taxonomy instead of the oldest one, if the folder is writable."""
    from shelfread.core.file_writing import write_kept

    with suppress(OSError, ValueError):
        entry: Any = (_stamp(data["files"]), data)
        write_kept(file, marshal.dumps(entry))
        known = sorted(file.parent.glob("taxonomy-*"), key=lambda each: each.stat().st_mtime)
        for old in known[:-_MOST]:
            old.unlink()


def _stamp(files: Sequence[str]) -> tuple[Any, ...]:
    """Return what identifies the code that prepares taxonomies, the build of Python, and the contents of files."""
    code = [(each.name, each.stat().st_mtime_ns) for each in sorted(Path(__file__).parent.glob("*.py"))]
    return __version__, sys.version, code, [(file, _digest(Path(file).read_bytes())) for file in files]


def _digest(data: bytes) -> str:
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()


def _taxonomy(data: Prepared, name_or_path: str) -> Taxonomy:
    name = Path(name_or_path).stem
    languages = data["languages"]
    own_words = marshal.loads(data["vocabulary"]) if data["vocabulary"] else None
    return Taxonomy(
        name=name,
        vocabulary=_vocabulary(own_words["venues"], own_words["links"]) if own_words else vocabulary(),
        title=data["title"] or name,
        iri=data["iri"],
        language=languages[0],
        concepts=Concepts(data["concepts"], languages),
        forms=Concepts(data["forms"], languages),
        affiliations={
            id: Affiliation(id, term["prefLabel"], _labels(term)) for id, term in data["affiliations"].items()
        },
        order=tuple(data["order"]),
        entry=data["entry"],
        closed=data["closed"],
        have_schemas=data["have_schemas"],
        restricts_links=data["restricts_links"],
        own_concepts=frozenset(data["own_concepts"]),
        places=data["places"],
        iris=data["iris"],
        parts=data["parts"],
    )


@cache
def vocabulary() -> Vocabulary:
    """Return the bundled venues and link roles (cached)."""
    files = [TAXONOMIES / f"{name}.yaml" for name in VOCABULARY_FILES]
    links, venues = load_cached(TAXONOMIES, files, lambda path: read(path, TaxonomyError).data).values()
    return _vocabulary(venues["venues"], links["links"])


def _vocabulary(venues: Terms, roles: Terms) -> Vocabulary:
    return Vocabulary(
        Venues(venues),
        {
            id: Role(id, term["prefLabel"], _labels(term), tuple(term.get("hosts", ())))
            for id, term in roles.items()
        },
    )


def _labels(term: Mapping[str, Any]) -> tuple[str, ...]:
    return (term["prefLabel"], *term.get("altLabel", ()))
