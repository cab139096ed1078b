"""Results of earlier runs: the same texts, settings and program give the same findings.

A run is one file in the user's cache folder: packed JSON. It holds for the texts, the settings and the program
that its name stands for, as long as what the rules looked at beside the texts (`Disk`) is the same. Whatever is wrong with
a file or its folder, the results are just not there.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread import __version__
from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.errors import UserError
from shelfread.core.file_writing import read_kept, write_kept
from shelfread.core.folders import PACKAGE, RULES, SCHEMA, cache_path
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import FileKind
from shelfread.document.generated import Generated
from shelfread.engine.model import CheckOptions, FileResult, RunResult
from shelfread.index.disk import Disk

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.project.files import Project

MAX_BYTES = 128 << 20  # when the files together are larger, those that were not used for longest are deleted
MAX_AGE = 30 * 86400  # seconds after which a file that was not used is deleted
_MAX_FILE = 64 << 20
_MAX_DATA = 256 << 20
_FORM = 6  # of the files; another one is never read
# The libraries that decide how a list is read, by the beginning of the folder with their metadata.
_LIBRARIES = ("markdown_it_py-", "mdurl-", "google_re2-", "rapidfuzz-")


class Key(NamedTuple):
    """The file in which the results of a run are kept, and what decides them."""

    path: Path
    settings: Sequence[object]
    texts: Mapping[str, bytes]  # the contents of all files, by path


def find_key(options: CheckOptions, project: Project) -> Key | None:
    """Return where the results of a run are kept; None if there is no place, or if a file cannot be read."""
    try:
        folder = cache_path("results")
        settings = _settings(options, project)
        texts = {path: read_bytes(path) for path in (*project.reported, *project.others)}
    except (OSError, RuntimeError, UserError):
        return None
    if not folder.is_absolute():
        return None  # it would be in the working directory
    name = blake2b(repr(settings).encode("utf-8", "surrogateescape"), digest_size=16)
    for path, data in texts.items():
        name.update(f"\n{path} {len(data)}\n".encode("utf-8", "surrogateescape"))
        name.update(data)
    return Key(folder / name.hexdigest(), settings, texts)


def recall(key: Key, project: Project) -> RunResult | None:
    """Return the result of a run that would find what an earlier one found; None if it must run."""
    data = _read(key.path)
    if data is None:
        return None
    try:
        if any(digest(Disk().ask(name, arguments)) != seen for name, arguments, seen in data["looks"]):
            return None
        files = [
            _decode_file(path, key.texts[path], file)
            for path, file in zip(project.reported, data["files"], strict=True)
        ]
    except (TypeError, ValueError, LookupError, AttributeError, UserError):
        return None
    with suppress(OSError):
        os.utime(key.path)
    return RunResult(tuple(files), ())


def keep(key: Key, options: CheckOptions, project: Project, result: RunResult) -> None:
    """Keep a result, unless settings or texts were changed meanwhile; never raises because of the folder."""
    if result.errors or result.notes:
        return
    if any(file.fixed is not None and file.fixed.text != file.source.text for file in result.files):
        return
    data = {
        "looks": [[name, arguments, digest(answer)] for (name, arguments), answer in result.looks.items()],
        "files": [_encode_file(file) for file in result.files],
    }
    text = json.dumps(data, separators=(",", ":"), default=attrgetter("value")).encode("ascii")
    packed = zlib.compress(text, 1)
    with suppress(OSError, UserError):
        if len(text) < _MAX_DATA and len(packed) < _MAX_FILE and key.settings == _settings(options, project):
            write_kept(key.path, packed)
            _delete_old(key.path.parent)


def digest(answer: object) -> str:
    """Return a digest of what was seen: text, numbers, tuples or sets of them."""
    plain = sorted(answer) if isinstance(answer, frozenset) else answer
    return blake2b(repr(plain).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def code_stamp() -> str:
    """Return a digest that changes when results may: at every upgrade, and in a checkout with every edit."""
    installed = PACKAGE.parent / f"shelfread-{__version__}.dist-info" / "RECORD"
    try:
        status = installed.stat()
        own: object = [status.st_mtime_ns, status.st_size, status.st_ino]
    except OSError:
        own = sorted(_checkout_files())
    libraries: list[str] = []
    for folder in sys.path:
        with suppress(OSError):
            libraries += sorted(name for name in os.listdir(folder or ".") if name.startswith(_LIBRARIES))
    stamp = [__version__, str(PACKAGE), sys.implementation.cache_tag, own, libraries]
    return blake2b(repr(stamp).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _checkout_files() -> Iterator[tuple[str, int, int]]:
    """Yield the files of a checkout with their times and sizes."""
    folders = [str(PACKAGE), str(RULES), str(SCHEMA)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                elif not entry.name.startswith("."):
                    status = entry.stat()
                    yield entry.path, status.st_mtime_ns, status.st_size


def _settings(options: CheckOptions, project: Project) -> list[object]:
    """Return what decides the findings beside the texts; raises OSError and UserError if a file of it cannot be read."""
    from shelfread.rulebook.selection import CUSTOM_RULES

    config, files = project.config, list[Path]()
    if taxonomy := options.taxonomy or config.taxonomy:
        from shelfread.taxonomy.load import source_files

        files += map(Path, source_files(taxonomy))  # none if it is bundled, as the code is then
    if config.folder is not None:
        rules = os.walk(config.folder / CUSTOM_RULES)
        paths = sorted(Path(parent, name) for parent, _, names in rules for name in names)
        files += filter(Path.is_file, paths)  # a pipe would never answer
    return [
        *(
            _FORM,
            code_stamp(),
            os.path.realpath("."),
            len(project.reported),
            repr(config._replace(file=None)),
        ),
        *(options.taxonomy, options.presets, options.select, options.ignore),
        *(options.fixes, options.unsafe_fixes, options.shows_info, options.fingerprints),
        *((str(file), file.read_bytes()) for file in files),
    ]


def _read(path: Path) -> Any:
    """Return what a file holds; None if it cannot be used."""
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(read_kept(path, _MAX_FILE) or b"", _MAX_DATA)
        return json.loads(text) if unpacking.eof else None
    except (zlib.error, ValueError, RecursionError):
        return None


def _delete_old(folder: Path) -> None:
    now, kept = time.time(), 0
    with os.scandir(folder) as entries:
        files = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries]
    for used_at, size, path in sorted(files, reverse=True):
        kept += size
        if kept > MAX_BYTES or not now - MAX_AGE < used_at < now + 86400:  # a clock may have been wrong
            with suppress(OSError):
                os.unlink(path)


def _encode_file(file: FileResult) -> Sequence[object]:
    """Return what `_decode_file` takes, in tuples: a named one becomes a list in JSON."""
    fixed = file.fixed
    return (
        *(file.diagnostics, file.entries, file.links, file.presets, file.kind, file.generated),
        None if fixed is None else (fixed.dropped, fixed.remaining),
        *(file.fingerprints, file.fixed_fingerprints, file.misread, file.results),
    )


def _decode_file(path: str, text: bytes, data: Sequence[Any]) -> FileResult:
    found, entries, links, presets, kind, generated, fixed, *prints, misread, rows = data
    source = Source.from_bytes(text, path)
    if fixed is not None:
        from shelfread.fixes.rounds import FixResult

        dropped = [(_decode(*finding), reason) for finding, reason in fixed[0]]
        fixed = FixResult(source.text, [], dropped, [_decode(*finding) for finding in fixed[1]], 0)
    result = FileResult(
        *(path, source, [_decode(*finding) for finding in found], entries, links, tuple(presets)),
        *(FileKind(kind), Generated(*generated) if generated else None, fixed, (), ()),
    )
    own, remaining = map(_decode_fingerprints, prints)
    series = [(section, count) for section, count in misread]
    return result._replace(fingerprints=own, fixed_fingerprints=remaining, misread=series, results=rows)


def _decode_fingerprints(rows: Sequence[Sequence[str]]) -> Sequence[Fingerprint]:
    if not rows:
        return ()
    from shelfread.engine.fingerprint import Fingerprint

    return tuple(Fingerprint(*fields) for fields in rows)


def _decode(
    rule: str, severity: int, message: str, path: str, span: Sequence[int], fix: Any, precedence: int
) -> Diagnostic:
    if fix is not None:
        edits = (
            Edit(start, end, text, Effect(Change(change), *words))
            for start, end, text, (change, *words) in fix[0]
        )
        fix = Fix(tuple(edits), Applicability(fix[1]))
    return Diagnostic(rule, Severity(severity), message, path, Span(*span), fix, precedence)
