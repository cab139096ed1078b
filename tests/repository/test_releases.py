"""What a release needs: licences that fit, lowest versions that are stated."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from shelfread import __version__
from support.gitrepo import Run
from support.lowest_versions import PROJECT, lowest_versions
from support.paths import ROOT

COMPATIBLE = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MPL-2.0", "PSF-2.0"}
"""Licences of libraries that a program under the MIT licence may use."""
_ROW = re.compile(r"^\| [^|]+ \| ([^|]+?) \| ([^|]+) \|$", re.MULTILINE)


def dependencies() -> set[str]:
    """The packages that an installation with all extras brings on this Python."""
    found: set[str] = set()
    extras = PROJECT["optional-dependencies"].values()
    todo = [
        Requirement(each) for each in (*PROJECT["dependencies"], *(one for extra in extras for one in extra))
    ]
    while todo:
        requirement = todo.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or name == PROJECT["name"]:
            continue
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            needed = distribution(name).requires or []
        except PackageNotFoundError:
            pytest.skip(f"{name} is not installed here")
        found.add(name)
        todo += map(Requirement, needed)
    return found


def test_the_licences_of_all_dependencies_are_listed_and_fit() -> None:
    page = (ROOT / "docs/licences.md").read_text(encoding="utf-8")
    rows = _ROW.findall(page.partition("|---|")[2])
    for licence, _ in rows:
        assert set(re.split(r" AND | OR ", licence)) <= COMPATIBLE, licence
    listed = {name for _, names in rows for name in re.sub(r"\]\(\S+?\)|\[", "", names).lower().split(", ")}
    assert dependencies() <= listed


def test_every_dependency_states_its_lowest_version() -> None:
    assert set(lowest_versions()) >= {Requirement(each).name for each in PROJECT["dependencies"]}


def test_our_hooks_pass_on_our_own_pages(run: Run, clone: Path) -> None:
    config = yaml.safe_load((clone / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {"shelfread-fix", "shelfread-format"} <= {
        hook["id"] for repo in config["repos"] for hook in repo["hooks"]
    }
    (clone / ".venv").symlink_to(sys.prefix)
    try:
        run([sys.executable, "-m", "pre_commit", "run", "--all-files"], clone)
    finally:
        (clone / ".venv").unlink()


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_issue_templates_have_what_github_needs(path: Path) -> None:
    template = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem == "config":
        assert all({"name", "url", "about"} == set(link) for link in template["contact_links"])
        return
    assert template["name"] and template["description"] and template["labels"]
    ids = [part["id"] for part in template["body"]]
    assert len(ids) == len(set(ids))
    for part in template["body"]:
        assert part["type"] in {"input", "textarea", "dropdown", "checkboxes"} and part["attributes"]["label"]


def step(workflow: str, job: str, words: str) -> str:
    """The script of a step of our own workflows."""
    text = (ROOT / f".github/workflows/{workflow}.yml").read_text(encoding="utf-8")
    scripts = [step.get("run", "") for step in yaml.safe_load(text)["jobs"][job]["steps"]]
    (found,) = [script for script in scripts if words in script]
    return str(found)


@pytest.mark.parametrize(("tag", "status"), [(f"v{__version__}", 0), ("v0.0.0", 1), (f"v{__version__}0", 1)])
def test_only_the_tag_of_the_version_is_published(run: Run, clone: Path, tag: str, status: int) -> None:
    run(["env", f"TAG={tag}", "sh", "-c", step("release", "build", "__version__")], clone, status=status)


def test_the_job_of_the_lowest_versions_finds_them(run: Run, clone: Path) -> None:
    script = step("test", "lowest", "lowest_versions.py").replace("python ", f"{sys.executable} ")
    run(["sh", "-c", script], clone)
    constraints = (clone / "lowest.txt").read_text().split()
    (clone / "lowest.txt").unlink()
    assert f"markdown-it-py=={lowest_versions()['markdown-it-py']}" in constraints
