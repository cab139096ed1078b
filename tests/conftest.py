"""Fixtures of several packages, and what holds for every test: no network, no workflow, which tests are slow."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from shelfread.core.folders import RULES
from shelfread.core.yaml_files import YamlFile
from shelfread.rulebook import metadata, selection
from shelfread.taxonomy import chain, load, merge
from shelfread.taxonomy import prepare as preparing
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Terms, Vocabulary
from support.gitrepo import Run, commit_all
from support.paths import ROOT

if TYPE_CHECKING:
    from support.workflow import PullRequest

# No test fails because the machine is busy. Every run tries the same examples, and `make fuzz` tries others.
settings.register_profile("shelfread", settings(), deadline=None, derandomize=True, max_examples=50)
settings.load_profile("shelfread")

WHEELHOUSE = Path(sys.prefix) / "wheelhouse"

_SLOW_FIXTURES = {"clone", "web"}
"""A clone to install from, and a web on loopback."""

# No test reads or writes the caches of the user, not even one that copies the environment when it is imported.
_CACHES = tempfile.TemporaryDirectory(prefix="shelfread-caches-")
os.environ["XDG_CACHE_HOME"] = _CACHES.name
_NUMBERS = count()

# Reports look the same when the tests run in a workflow.
for _name in [name for name in os.environ if name.startswith("GITHUB_") or name == "CI_PROJECT_DIR"]:
    del os.environ[_name]

# A shell starts jobs in the background with Ctrl-C ignored, and the processes that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each process begin with other folders, and find compiled by the others what it comes to later."""
    report = yield
    if collector.path == ROOT / "tests" and "PYTEST_XDIST_WORKER" in os.environ:
        number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
        first = len(report.result) * number // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        report.result = report.result[first:] + report.result[:first]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the tests into one order, and mark those that install something or serve a web as slow.

    Others have the marker themselves.
    """
    items.sort(key=lambda item: item.path)
    for item in items:
        if _SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Spare the collector the modules and tests, of which it would look through all again and again in vain."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@contextmanager
def no_network() -> Iterator[None]:
    """Refuse connections and name lookups beyond loopback in this process, so that a failing test asks nobody."""

    def check(host: object) -> None:
        if not str(host).startswith("127.") and host not in (None, "", "localhost", "::1"):
            raise AssertionError(f"a test would have connected to {host}")

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            check(address[0])
        real_connect(self, address)

    def getaddrinfo(host: Any, *args: Any, **keywords: Any) -> Any:
        check(host)
        return real_getaddrinfo(host, *args, **keywords)

    real_connect, real_getaddrinfo = socket.socket.connect, socket.getaddrinfo
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        yield


@contextmanager
def bundled_taxonomies(folder: Path) -> Iterator[None]:
    """Load each bundled taxonomy once: those of the tests would push it out of its folder again and again.

    Nor is what those of the tests take from it found out for each of them.
    """
    real_prepared, real_taxonomy, real_prepare = load._prepared, load._taxonomy, preparing.prepare
    real_labels, real_terms = merge._stated_labels, merge.merged_terms
    labels_once, terms_once = cache(real_labels), cache(real_terms)

    @cache
    def prepared_once(name: str) -> dict[str, Any]:
        return real_prepared(name)

    @cache
    def taxonomy_once(name: str) -> Taxonomy:
        return real_taxonomy(prepared_once(name), name)

    def prepare(name: str) -> dict[str, Any]:
        return prepared_once(name) if name in chain.bundled_names() else real_prepared(name)

    def taxonomy(data: Mapping[str, Any], name: str) -> Taxonomy:
        is_bundled = name in chain.bundled_names() and data is prepared_once(name)
        return taxonomy_once(name) if is_bundled else real_taxonomy(data, name)

    def labels(file: YamlFile, language: str) -> set[tuple[str, str]]:
        return (labels_once if chain.is_bundled(file) else real_labels)(file, language)

    def terms(files: Sequence[YamlFile]) -> dict[str, Terms]:
        return copy(terms_once(tuple(files))) if all(map(chain.is_bundled, files)) else real_terms(files)

    known: dict[Any, dict[str, Any]] = {}

    def prepare_own(
        files: Sequence[YamlFile], name: str, vocabulary: Callable[[], Vocabulary]
    ) -> dict[str, Any]:
        """Prepare the same files once: what one command writes, the next one reads."""
        key = (name, *((file.path, chain.is_bundled(file) or file._text) for file in files))
        if key not in known:
            if len(known) > 8:
                known.clear()
            known[key] = real_prepare(files, name, vocabulary)
        return copy(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "PACKAGE", folder)
        patch.setattr(load, "_prepared", prepare)
        patch.setattr(preparing, "prepare", prepare_own)
        patch.setattr(merge, "_stated_labels", labels)
        patch.setattr(merge, "merged_terms", terms)
        patch.setattr(load, "_taxonomy", taxonomy)
        patch.setattr(chain, "read_bundled", cache(chain.read_bundled))
        patch.setattr(merge, "read_bundled", chain.read_bundled)
        yield


@contextmanager
def bundled_rules() -> Iterator[None]:
    """Read the pages of the bundled rules once, and not for each command that a test runs."""
    bundled = metadata.load_rules()

    def load_rules(folder: Path = RULES, custom: bool = False) -> dict[str, metadata.RuleMetadata]:
        return real_load_rules(folder, custom) if custom or folder != RULES else bundled.copy()

    real_load_rules = metadata.load_rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metadata, "load_rules", load_rules)
        patch.setattr(selection, "load_rules", load_rules)
        yield


@pytest.fixture(autouse=True, scope="session")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What holds for every test. Thousands are over sooner than a fixture for each of these is looked up."""
    with no_network(), bundled_taxonomies(tmp_path_factory.mktemp("package")), bundled_rules():
        yield


@pytest.fixture(autouse=True)
def own_cache() -> Iterator[None]:
    """Each test begins with an empty cache."""
    os.environ["XDG_CACHE_HOME"] = os.path.join(_CACHES.name, str(next(_NUMBERS)))
    yield
    os.environ["XDG_CACHE_HOME"] = _CACHES.name


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment in which pip sees only the wheelhouse, and git and HOME hold no user's settings."""
    if not WHEELHOUSE.is_dir():
        pytest.skip("installs from .venv/wheelhouse, which `make test` sets up")
    home = tmp_path_factory.mktemp("home")
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(
            ("GIT_", "GITHUB_", "PIP_", "PYTHON", "PRE_COMMIT", "VIRTUALENV", "XDG_", "UV_")
        )
    }
    yield {
        **kept,
        "HOME": str(home),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": WHEELHOUSE.as_uri(),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_COMPILE": "0",  # of all that is installed little is run
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "maintenance.auto",
        "GIT_CONFIG_VALUE_0": "false",
        **{f"GIT_{who}_NAME": "Nobody" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "nobody@example.org" for who in ("AUTHOR", "COMMITTER")},
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "NO_COLOR": "1",
    }
    # pytest keeps temporary folders of three runs, and environments are too big for that.
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def run(offline: dict[str, str]) -> Run:
    """Run a command in that environment; fails with its output unless it exits with `status` (None: any)."""

    def run(
        command: Sequence[str | Path], cwd: Path, status: int | None = 0
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(word) for word in command], cwd=cwd, env=offline, capture_output=True, text=True, timeout=300
        )
        if status is not None:
            assert done.returncode == status, f"{done.args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture(scope="session")
def clone(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with one commit: this working tree, including uncommitted changes."""
    folder = tmp_path_factory.mktemp("clone")
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT, status=None)
    if listed.returncode:
        pytest.skip("clones the git checkout that it runs in")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    commit_all(run, folder)
    return folder


@pytest.fixture
def pull_request(run: Run, tmp_path: Path) -> PullRequest:
    """A repository of a list, with a branch for a pull request."""
    from support.workflow import PullRequest

    return PullRequest(run, tmp_path / "pr")


@pytest.fixture
def stubs(tmp_path: Path) -> Path:
    """A folder of programs as on a runner: shelfread and pipx run this code, the others record their arguments."""
    folder = tmp_path / "stubs"
    folder.mkdir()
    # A new environment gets the pip that is here: to install one into it takes as long as the rest of an action.
    pip = next(path for path in map(Path, sys.path) if (path / "pip").is_dir()) / "pip"
    venv = (
        f'"{sys.executable}" -m venv --without-pip "$3" && exec ln -s "{pip}" "$3"/lib/python*/site-packages/'
    )
    scripts = {
        "python3": f'[ "$1 $2" = "-m venv" ] && {venv}; exec "{sys.executable}" "$@"',
        "shelfread": f'exec "{sys.executable}" -m shelfread "$@"',
        "pipx": '[ "$1 $2 $3" = "run --spec git+URL@COMMIT" ] || exit 99; shift 3; exec "$@"',
    }
    scripts["gh"] = f'echo "$@" >> "{folder}/gh.words"; [ -t 0 ] || cat >> "{folder}/gh.input"'
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return folder
