"""Each way of installing shelfread gives everything: the command, the pages, the schemas, the mdformat plugin."""

from __future__ import annotations

import json
import shutil
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from shelfread import __version__
from support.gitrepo import Run
from support.paths import ROOT

LIST = "# Cluster Schduling\n\n- [Ripgrep](htps://github.com/BurntSushi/ripgrep) - Searches fast.\n"
BIN = "Scripts" if sys.platform == "win32" else "bin"


@pytest.fixture(scope="module")
def built(run: Run, clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of the clone."""
    folder = tmp_path_factory.mktemp("built")
    build(run, clone, folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


def build(run: Run, source: Path, folder: Path, *words: str) -> None:
    run([sys.executable, "-m", "hatchling", "build", *words, "--directory", folder], source)


def build_wheel(run: Run, source: str | Path, folder: Path, *words: str) -> Path:
    words = ("--quiet", "--no-deps", *words)
    run([sys.executable, "-m", "pip", "wheel", *words, "--wheel-dir", folder, source], folder)
    (built,) = folder.glob("*.whl")
    return built


def contents(wheel: Path) -> dict[str, int]:
    return {file.filename: file.CRC for file in ZipFile(wheel).infolist()}


def install(run: Run, bin: Path, *what: str | Path) -> None:
    run([sys.executable, "-m", "pip", "--python", bin / "python", "install", "--quiet", *what], bin)


def rules(run: Run, folder: Path, bin: Path) -> set[str]:
    catalogue = run([bin / "shelfread", "rule", "--format", "json"], folder)
    return {rule["id"] for rule in json.loads(catalogue.stdout)}


def pages(root: Path) -> set[str]:
    return {f"{page.parent.name}/{page.stem}" for page in (root / "rules").glob("*/*.md")}


def test_wheel_holds_pages_and_schemas(wheel: Path, clone: Path) -> None:
    inside = set(ZipFile(wheel).namelist())
    for folder in ("rules", "schema"):
        for path in (clone / folder).rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                assert f"shelfread/data/{path.relative_to(clone).as_posix()}" in inside
    assert "shelfread/py.typed" in inside
    roots = {name.partition("/")[0] for name in inside}
    assert roots == {"shelfread", f"shelfread-{__version__}.dist-info"}


def test_two_builds_are_equal(run: Run, built: Path, clone: Path, tmp_path: Path) -> None:
    """In another folder, at another time, with files made in another order."""
    copy = tmp_path / "elsewhere"
    for path in sorted(clone.rglob("*"), reverse=True):
        if path.is_file() and "__pycache__" not in path.parts:
            (copy / path.relative_to(clone)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / path.relative_to(clone))
            (copy / path.relative_to(clone)).chmod(path.stat().st_mode)
    build(run, copy, tmp_path / "again")
    first, second = (
        {path.name: path.read_bytes() for path in folder.iterdir()} for folder in (built, tmp_path / "again")
    )
    assert len(first) == 2 and first.keys() == second.keys()
    assert all(first[name] == second[name] for name in first)


def test_sdist_gives_the_same_wheel(run: Run, wheel: Path, clone: Path, tmp_path: Path) -> None:
    stray = clone / "rules" / "link" / "draft.md~"
    stray.touch()
    try:
        build(run, clone, tmp_path, "--target", "sdist")
    finally:
        stray.unlink()
    (sdist,) = tmp_path.glob("*.tar.gz")
    assert contents(build_wheel(run, sdist, tmp_path, "--no-build-isolation")) == contents(wheel)


def test_git_gives_the_same_wheel(run: Run, wheel: Path, clone: Path, tmp_path: Path) -> None:
    built = build_wheel(run, f"git+{clone.as_uri()}", tmp_path, "--no-build-isolation")
    assert contents(built) == contents(wheel)


def test_installation_works(run: Run, wheel: Path, clone: Path, tmp_path: Path) -> None:
    """Of a wheel with its extra, then of a checkout; that of a hook has nothing but what it depends on."""
    bin, work = tmp_path / "environment" / BIN, tmp_path / "work"
    venv.create(bin.parent, with_pip=False, symlinks=sys.platform != "win32")
    install(run, bin, f"{wheel}[mdformat]")
    work.mkdir()
    assert_works(run, bin, work, clone)
    assert_mdformat_has_the_plugin(run, bin, work)
    # With the bytecode, which is slow to make again. Here pip fetches what builds it by itself.
    shutil.copytree(ROOT / "linter", clone / "linter", dirs_exist_ok=True)
    install(run, bin, "--force-reinstall", "--no-deps", "--editable", clone)
    assert_works(run, bin, work, clone)
    page = (ROOT / "rules" / "link" / "malformed.md").read_text()
    new = clone / "rules" / "link" / "new.md"
    new.write_text(page.replace("# link/malformed", "# link/new"))
    try:
        assert "link/new" in rules(run, work, bin)
    finally:
        new.unlink()


def assert_works(run: Run, bin: Path, work: Path, clone: Path) -> None:
    (work / ".shelfread.yaml").unlink(missing_ok=True)
    (work / "list.md").write_text(LIST)
    assert run([bin / "shelfread", "--version"], work).stdout == f"shelfread {__version__}\n"
    module = run([bin / "python", "-m", "shelfread", "--version"], work)
    assert module.stdout == f"shelfread {__version__}\n"
    assert rules(run, work, bin) == pages(clone)
    assert "link/malformed" in run([bin / "shelfread", "rule", "link/malformed"], work).stdout
    report = run([bin / "shelfread", "check", "--output-format", "json", "list.md"], work, status=1)
    assert [found["rule"] for found in json.loads(report.stdout)["diagnostics"]] == ["link/malformed"]
    # A config's error needs the schemas, a taxonomy its file.
    (work / ".shelfread.yaml").write_text("ruels: {}\n")
    assert "did you mean 'rules'?" in run([bin / "shelfread", "check"], work, status=2).stderr
    (work / ".shelfread.yaml").write_text("taxonomy: ml-systems\n")
    assert "taxonomy/section-alias" in run([bin / "shelfread", "check", "list.md"], work, status=1).stdout


def assert_mdformat_has_the_plugin(run: Run, bin: Path, work: Path) -> None:
    for name in ("a.md", "b.md"):
        (work / name).write_text("#  Tools\n\n* [Fd](https://fd.org) - Finds.\n\n|a|b|\n|-|-|\n|~~c~~|d|\n")
    run([bin / "mdformat", "--extensions", "shelfread", "a.md"], work)
    run([bin / "shelfread", "format", "b.md"], work)
    formatted = (work / "a.md").read_text()
    assert formatted.startswith("# Tools\n\n* [Fd]")
    assert formatted == (work / "b.md").read_text()
