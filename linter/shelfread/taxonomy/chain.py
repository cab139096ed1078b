"""The files that a taxonomy is made of: its own and those that it extends, on disk or in a commit."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from shelfread.core import git
from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.folders import TAXONOMIES
from shelfread.core.patterns import lazy
from shelfread.core.yaml_files import LARGE, YamlFile, parse, read
from shelfread.taxonomy.vocabulary import VOCABULARY_FILES

_LONGEST_NAME = 1000  # as in schema/taxonomy.schema.json

_NOT_TAXONOMIES = (*VOCABULARY_FILES, "venues-about")
# RFC 5646 (BCP 47), section 2.1, without what it only keeps for old tags: extended subtags, private use alone, and
# languages of four letters or more, none of which is registered. schema/taxonomy.schema.json has the same pattern.
_TAG = lazy(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*"
    r"(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*(-[Xx](-[A-Za-z0-9]{1,8})+)?"
)
_MOST = 35  # the most characters that RFC 5646, section 4.4.1, asks readers to take


@cache
def bundled_names() -> list[str]:
    """Return the names of the bundled taxonomies, sorted."""
    return sorted(file.stem for file in TAXONOMIES.glob("*.yaml") if file.stem not in _NOT_TAXONOMIES)


def read_file(path: Path) -> YamlFile | None:
    """Return a file on disk, or None if there is none."""
    # Path.is_file() raises for a name that is too long
    return read(path, TaxonomyError, LARGE) if os.path.isfile(path) else None


def read_chain(name_or_path: str, read_path: Callable[[Path], YamlFile | None] = read_file) -> list[YamlFile]:
    """Return a file and those that it extends, read but not checked; raises TaxonomyError if one is missing or extends itself."""
    files: list[YamlFile] = []
    seen: set[Path | str] = set()
    name: str | None = name_or_path
    while name is not None:
        last = files[-1] if files else None
        file: YamlFile | None
        if name in bundled_names():
            file, identity = read_bundled(name), name
        else:
            path = Path(last.path or "").parent / name if last else Path(name)
            file, identity = read_path(path), os.path.realpath(path)
            if file is None:
                message = f"no taxonomy '{name}': neither a file nor one of {', '.join(bundled_names())}"
                raise last.fail(message, ["extends"]) if last else TaxonomyError(message)
        if identity in seen:
            way = " extends ".join(f"'{Path(file.path or '').name}'" for file in files)
            raise (last or file).fail(f"'{name}' extends itself: {way} extends '{name}'", ["extends"])
        seen.add(identity)
        files.append(file)
        file.data = file.data or {}  # of an empty file
        name = file.data.get("extends") if isinstance(file.data, dict) else None
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
            break  # that it does not fit the schema is said when it is checked
    return files


def read_bundled(name: str) -> YamlFile:
    """Return a bundled file."""
    return read(TAXONOMIES / f"{name}.yaml", TaxonomyError)


def is_bundled(file: YamlFile) -> bool:
    """Return whether a file is one of the bundled ones, which the tests check."""
    return file.path is not None and Path(file.path).parent == TAXONOMIES


def first(files: Iterable[YamlFile], key: str) -> Any:
    """Return the value of the first file that has a key, or None."""
    return next((file.data[key] for file in files if key in file.data), None)


def prefix_of(file: YamlFile) -> str:
    """Return the prefix of the IRIs of the concepts that a file defines."""
    return file.data.get("iri") or f"urn:shelfread:{Path(file.path or '').stem}:"


def languages_of(files: Sequence[YamlFile]) -> list[str]:
    """Return the language of each file: its own, else that of the file that it extends, else English."""
    languages = ["en"]
    for file in reversed(files):
        languages.append(canonical(file.data.get("language") or languages[-1]))
    return languages[:0:-1]


def is_language(tag: str) -> bool:
    """Return whether a text is a language tag, such as en, zh-Hans or pt-BR."""
    return len(tag) <= _MOST and _TAG.fullmatch(tag) is not None


@lru_cache(256)
def canonical(tag: str) -> str:
    """Return a tag as RFC 5646, section 2.1.1, writes it: zh-Hans, pt-BR. Case does not tell tags apart."""
    first, *others = tag.lower().split("-")
    written = [first]
    for subtag in others:
        if len(written[-1]) > 1:  # what follows a single letter or digit is in lower case
            subtag = {2: subtag.upper(), 4: subtag.title()}.get(len(subtag), subtag)
        written.append(subtag)
    return "-".join(written)


def read_named(name: str) -> list[YamlFile]:
    """Return the files of a taxonomy: of a bundled name, of a file, or of REV:path.

    The path is one from the root of the repository, or from the working directory if it begins with `./`. Raises
    UserError as `read_chain` does, and if there is no such commit.
    """
    rev, colon, path = name.partition(":")
    if not colon or name in bundled_names() or os.path.exists(name):
        return read_chain(name)
    root = git.need_root("")
    commit = git.resolve(root, rev)
    if path.startswith(("./", "../")):
        path = posixpath.join(os.path.relpath(os.path.realpath("."), root), path)
    path = posixpath.normpath(path)
    tree = git.list_tree(root, commit)

    def read_blob(path: Path) -> YamlFile | None:
        name = posixpath.normpath(path.as_posix())
        blob = tree.get(name)
        if blob is None or not blob.is_file:
            return None
        data = git.read_blobs(root, [blob.oid])
        if blob.oid not in data:
            raise TaxonomyError("larger than a taxonomy may be", name)
        return parse(data[blob.oid], name, TaxonomyError)

    try:
        return read_chain(path, read_blob)
    except UserError as error:
        if error.path is None:
            raise TaxonomyError(f"no file '{path}' in the commit '{rev}'") from None
        if not os.path.isabs(error.path):  # bundled ones are
            error.path = f"{rev}:{error.path}"
        raise
