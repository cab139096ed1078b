"""Each row of docs/faults.md happens to a run, which does what the row says."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import shelfread
from support.docs import PAGES
from support.gitrepo import commit, put, repo
from support.paths import LINTER

pytestmark = pytest.mark.slow

__all__ = ["repo"]

OLD = "# List\n\n- [One](https://one.org/?utm_source=x) - Does it.\n- [Two](https://two.org) - Does it.\n"
NEW = OLD.replace("?utm_source=x", "")
ENV = {**os.environ, "PYTHONPATH": str(LINTER), "LC_ALL": "C.UTF-8"}
MAIN = "from shelfread.__main__ import main; main()"
BESIDE = "import os, signal, sys, time; sys.argv[0] = 'shelfread'; "
"""What runs before the command, to let the fault happen at the right moment."""
WHEN_WRITING = f"{BESIDE}os.fsync = lambda file: (os.kill(os.getpid(), signal.%s), time.sleep(9)); {MAIN}"


def run(*words: str, code: str = MAIN, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", code, *words]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": ENV, "timeout": 60, **options}
    return subprocess.run(command, **options)  # type: ignore[call-overload, no-any-return]


def run_here(*words: str) -> subprocess.CompletedProcess[bytes]:
    """The same without a process of its own, for what is wrong with files: it is found alike."""
    done = shelfread(*words)
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout_bytes, done.stderr_bytes)


def drafts() -> list[Path]:
    return sorted(Path().rglob(".shelfread-*.tmp"))


def stopped_by(name: str, status: int) -> None:
    put({"list.md": OLD})
    done = run("fix", "list.md", code=WHEN_WRITING % name)
    assert done.returncode == status
    assert done.stderr == b"shelfread: Interrupted. No file was left partly written.\n"
    assert Path("list.md").read_text() == OLD and not drafts()


def sigint() -> None:
    stopped_by("SIGINT", 130)


def sigterm() -> None:
    stopped_by("SIGTERM", 143)


def sighup() -> None:
    stopped_by("SIGHUP", 129)
    ignoring = f"{BESIDE}signal.signal(signal.SIGHUP, signal.SIG_IGN); os.fsync = lambda file: os.kill(os.getpid(), 1); "
    assert run("fix", "list.md", code=ignoring + MAIN).returncode == 0
    assert Path("list.md").read_text() == NEW


def sigkill() -> None:
    put({"list.md": OLD})
    done = run("fix", "list.md", code=WHEN_WRITING % "SIGKILL")
    assert done.returncode == -signal.SIGKILL
    assert Path("list.md").read_text() == OLD and len(drafts()) == 1
    assert run("fix", "list.md").returncode == 0
    assert Path("list.md").read_text() == NEW and not drafts()


def killed_parent() -> None:
    put({f"list{number}.md": OLD for number in range(4)})
    code = f"{BESIDE}import shelfread.engine.load_save as s; s.save = lambda *a: os.kill(os.getpid(), 9); "
    done = run(
        "fix", "-j", "2", code=code + MAIN
    )  # which reads until all of its processes have closed their output
    assert done.returncode == -signal.SIGKILL and not drafts()
    assert {Path(f"list{number}.md").read_text() for number in range(4)} == {OLD}


def pipes() -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("Windows has no pipes with names")
    put({"list.md": OLD, ".shelfread.yaml": "", ".shelfread/rules/own/x.txt": ""})
    for name in (".gitattributes", "other.md", ".shelfread/rules/own/page.md"):
        os.mkfifo(name)
    for words in ((), ("--no-cache",)):
        done = run_here("check", *words)
        assert done.returncode == 1 and b"utm_source" in done.stdout and done.stderr == b""


def two_runs() -> None:
    names = [f"list{number}.md" for number in range(6)]
    put(dict.fromkeys(names, OLD))
    running = [
        subprocess.Popen([sys.executable, "-c", MAIN, "fix"], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]  # fmt: skip
    for each in running:
        _, said = each.communicate(timeout=60)
        refused = [line for line in said.decode().splitlines() if line]
        assert each.returncode == (2 if refused else 0), said
        assert all("run again" in line for line in refused), said
    assert {Path(name).read_text() for name in names} == {NEW} and not drafts()


def one_cache() -> None:
    put({f"list{number}.md": OLD for number in range(4)})
    env = {**ENV, "XDG_CACHE_HOME": os.path.abspath("../cache")}
    command = [sys.executable, "-c", MAIN, "check", "--output-format", "concise"]
    expected = shelfread("check", "--output-format", "concise", "--no-cache").output.encode()
    for _ in range(2):
        running = [
            subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            for _ in range(3)
        ]
        said = {(each.communicate(timeout=60)[0], each.returncode) for each in running}
        assert said == {(expected, 1)}


def clock() -> None:
    """A run in 2100, one today, and one in 1980."""
    put({"list.md": OLD})
    env = {**ENV, "XDG_CACHE_HOME": os.path.abspath("../cache")}
    said = []
    for seconds in (4_100_000_000, None, 320_000_000):
        code = "" if seconds is None else f"time.time = lambda: {seconds}.0; "
        done = run("check", "--output-format", "concise", code=f"{BESIDE}{code}{MAIN}", env=env)
        said.append((done.returncode, done.stdout, done.stderr))
    assert len(set(said)) == 1 and said[0][0] == 1 and said[0][2] == b""


def damaged_caches() -> None:
    put({"list.md": OLD})
    cache = Path(os.environ["XDG_CACHE_HOME"])
    expected = run_here("check", "--no-cache").stdout

    def pipe(path: Path) -> None:
        path.unlink()
        os.mkfifo(path)

    def link(path: Path) -> None:
        path.unlink()
        path.symlink_to("/dev/zero")

    def of_another(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, 12345, 12345)

    for damage in (pipe, link, of_another):  # others are tried in test_cache.py
        shutil.rmtree(cache, ignore_errors=True)
        run_here("check")
        (path,) = (path for path in (cache / "shelfread/results").iterdir() if path.is_file())
        damage(path)
        done = run_here("check")
        assert (done.returncode, done.stdout, done.stderr) == (1, expected, b""), damage
    os.mkfifo("links.cache")
    done = run_here("links", "--offline", "--cache-file", "links.cache")
    assert b"Traceback" not in done.stderr


def parallel_run() -> None:
    put({"list.md": OLD, "other.md": OLD})
    waiting = f"{BESIDE}os.fsync = lambda file: os.write(1, b'written') and os.read(0, 1); {MAIN}"
    other = subprocess.Popen(
        [sys.executable, "-c", waiting, "fix", "other.md"],
        env=ENV, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert other.stdout is not None and other.stdout.read(1)
        (draft,) = drafts()
        assert run("fix", "list.md").returncode == 0 and drafts() == [draft]
    finally:
        other.kill()
        other.communicate()
    assert run("format", ".").returncode == 0 and not drafts(), "not even where nothing is left to be written"


def reader_gone() -> None:
    put({"list.md": OLD})
    for words, status in ((["check"], 1), (["check", "--output-format", "json"], 1), (["export"], 0)):
        read, write = os.pipe()
        os.close(read)
        done = run(*words, stdout=write)
        os.close(write)
        assert (done.returncode, done.stderr) == (status, b"")


def closed_output() -> None:
    put({"list.md": OLD})
    for streams in (">&-", ">&- 2>&-", "<&- >&- 2>&-"):
        command = f'exec "{sys.executable}" -c "{MAIN}" check list.md {streams}'
        done = subprocess.run(["sh", "-c", command], env=ENV, capture_output=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def full_output() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    for words in (["check"], ["check", "--help"], ["fix"]):
        put({"list.md": OLD})
        with open("/dev/full", "wb") as full:
            done = run(*words, stdout=full)
        assert done.returncode == 2
        assert done.stderr == b"shelfread: the output cannot be written (No space left on device)\n"
    assert Path("list.md").read_text() == NEW


def killed_worker() -> None:
    put({"list.md": OLD, "other.md": OLD})
    code = f"{BESIDE}import shelfread.engine.batch as s; s.load_files = lambda *a: os.kill(os.getpid(), 9); "
    done = run("fix", "-j", "2", code=code + MAIN)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1
    assert b"a process of this run was killed" in done.stderr and b"try -j 1" in done.stderr
    assert Path("list.md").read_text() == OLD and not drafts()


def vanished_list() -> None:
    put({"list.md": OLD, "other.md": OLD})
    code = f"{BESIDE}import shelfread.engine.results as c; find = c.find_key; c.find_key = lambda *a: (os.remove('other.md'), find(*a))[1]; "
    done = run("check", code=code + MAIN)
    assert done.returncode == 2 and b"utm_source" in done.stdout
    assert done.stderr == b"shelfread: other.md: cannot be read: no such file or directory\n"


def changed_list() -> None:
    put({"list.md": OLD, "other.md": OLD})
    code = f"{BESIDE}import shelfread.engine.load_save as c; save = c.save; c.save = lambda *a: (open('other.md', 'a').write('x'), save(*a))[1]; "
    done = run("fix", code=code + MAIN)
    assert done.returncode == 2
    assert done.stderr == b"shelfread: other.md: changed since it was read: run again\n"
    assert (Path("list.md").read_text(), Path("other.md").read_text()) == (NEW, OLD + "x")


def full_disk() -> None:
    put({"list.md": OLD})
    code = f"{BESIDE}import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); "
    done = run("fix", "list.md", code=code + MAIN)
    assert done.returncode == 2
    assert (
        done.stderr
        == b"shelfread: list.md: cannot be written (file too large): check the file and its folder\n"
    )
    assert Path("list.md").read_text() == OLD and not drafts()


def write_protected() -> None:
    put({"list.md": OLD, "other.md": OLD})
    Path("other.md").chmod(0o444)
    done = run_here("fix")
    assert done.returncode == 2
    assert done.stderr == b"shelfread: other.md: read-only: allow writing (chmod u+w) to change it\n"
    assert (Path("list.md").read_text(), Path("other.md").read_text()) == (NEW, OLD)


def read_only_place() -> None:
    """What the system answers on a file system that is mounted read-only."""
    put({"list.md": OLD})
    code = (
        f"{BESIDE}import errno; was = os.open\n"
        "def refuse(path, flags, *rest, **more):\n"
        "    if flags & os.O_CREAT: raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)\n"
        "    return was(path, flags, *rest, **more)\n"
        "os.open = refuse\n"
    )
    for command in ("fix", "format"):
        Path("list.md").write_text(OLD if command == "fix" else OLD + "\n\n\n## More\n\n\n\nText.\n")
        before = Path("list.md").read_text()
        done = run(command, "list.md", code=code + MAIN)
        assert done.returncode == 2
        said = b"list.md: cannot be written (read-only file system): check the file and its folder\n"
        assert b"shelfread: " + said in done.stderr and b"Traceback" not in done.stderr
        assert Path("list.md").read_text() == before


def unreadable_folder() -> None:
    """Root reads everything, unless it gives these capabilities away."""
    put({"list.md": NEW, "locked/other.md": OLD})
    prefix: list[str] = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root reads every folder, and setpriv is not there to change that")
        without = "-dac_override,-dac_read_search"
        prefix = ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}"]
    Path("locked").chmod(0)
    try:
        for _ in range(2):
            done = subprocess.run(
                [*prefix, sys.executable, "-c", MAIN, "check"], env=ENV, capture_output=True, timeout=60
            )
            if b"setpriv:" in done.stderr:
                pytest.skip("this container lets nobody give capabilities away")
            assert done.returncode == 2 and b"No problems found in 2 entries of list.md" in done.stdout
            said = b"locked: this folder cannot be read: allow it, or exclude it in .gitignore\n"
            assert done.stderr == b"shelfread: " + said
            shutil.rmtree(".git", ignore_errors=True)  # and without git
    finally:
        Path("locked").chmod(0o755)


def link_within() -> None:
    put({"docs/list.md": OLD})
    Path("list.md").symlink_to("docs/list.md")
    assert run_here("fix", "list.md").returncode == 0
    assert Path("list.md").is_symlink() and Path("docs/list.md").read_text() == NEW


def link_out() -> None:
    put({"../away.md": OLD})
    Path("list.md").symlink_to("../away.md")
    for _ in range(2):
        done = run_here("fix", "list.md")
        assert done.returncode == 2 and f"name {Path('../away.md').resolve()} itself" in done.stderr.decode()
        assert Path("../away.md").read_text() == OLD
        shutil.rmtree(".git", ignore_errors=True)  # and without git


def hard_link() -> None:
    put({"list.md": OLD, "copy.txt": ""})
    for command in ("fix", "format"):
        Path("list.md").write_text(OLD if command == "fix" else NEW + "\n\n\n## More\n\n\n\nText.\n")
        before = Path("list.md").read_text()
        Path("copy.txt").unlink()
        Path("copy.txt").hardlink_to("list.md")
        done = run_here(command, "list.md")
        assert done.returncode == 0
        assert b"list.md: 1 other name of this file (hard links) keep the old text\n" in done.stderr
        assert Path("list.md").read_text() != before == Path("copy.txt").read_text()


def two_cases() -> None:
    put({"README.md": OLD})
    if not Path("readme.md").exists():
        Path("readme.md").hardlink_to("README.md")
    done = run_here("check", "README.md", "readme.md")
    assert done.returncode == 1 and b"in 2 entries of README.md" in done.stdout


def output_option() -> None:
    put({"list.md": OLD})
    for words in (["check", "--output-file"], ["check", "--write-baseline"], ["export", "--output-file"]):
        done = run_here(*words, "list.md")
        assert done.returncode == 2 and b"would overwrite it" in done.stderr
    assert Path("list.md").read_text() == OLD


def no_commits() -> None:
    put({"list.md": OLD})
    for rev in ("HEAD", "auto"):
        done = run_here("check", "--since", rev)
        assert done.returncode == 1 and b"1 warning in 2 entries" in done.stdout
        assert f"No findings in lines from before {rev} (no commits yet)".encode() in done.stdout


FAULTS: dict[str, Callable[[], None]] = {
    "Ctrl-C (SIGINT)": sigint,
    "SIGTERM": sigterm,
    "SIGHUP": sighup,
    "SIGKILL": sigkill,
    "SIGKILL of a run with `-j`": killed_parent,
    "a temporary file of a running process": parallel_run,
    "the reader of the output goes away (`\\| head`)": reader_gone,
    "a closed standard output": closed_output,
    "a full standard output": full_output,
    "a worker process is killed": killed_worker,
    "a list vanishes during the run": vanished_list,
    "a list changes during the run": changed_list,
    "a full disk while a list is written": full_disk,
    "a write-protected list": write_protected,
    "a read-only file system or folder": read_only_place,
    "a folder that cannot be read": unreadable_folder,
    "a symbolic link within the work tree": link_within,
    "a symbolic link that leads out": link_out,
    "a hard link": hard_link,
    "two names that differ in case only, of one file": two_cases,
    "a pipe where a file of the project or of git should be": pipes,
    "two runs at once on one list": two_runs,
    "two runs at once on one cache": one_cache,
    "a clock that goes back": clock,
    "a cache that is damaged, a pipe, a link, a folder or another's": damaged_caches,
    "an output option that names another file": output_option,
    "a repository without commits, `--since HEAD`": no_commits,
}


def test_each_row_has_a_fault() -> None:
    rows = re.findall(r"^\| ((?:[^|\n]|\\\|)+?) \|", PAGES["docs/faults.md"], re.MULTILINE)
    promises = rows.index("what must not be able to")
    assert rows[1:promises] == list(FAULTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault(fault: str, repo: Path) -> None:
    FAULTS[fault]()


def test_a_bug_keeps_its_traceback(repo: Path) -> None:
    commit({"list.md": OLD})
    code = f"{BESIDE}import shelfread.engine.run as c; c.run = None; "
    done = run("check", code=code + MAIN)
    assert done.returncode == 1 and b"Traceback" in done.stderr


def test_a_failed_write_is_not_counted(repo: Path) -> None:
    put({"list.md": NEW + "\n\n\n## More\n\n\n\nText.\n"})
    Path("list.md").chmod(0o444)
    done = run_here("format", "list.md")
    assert done.returncode == 2
    assert done.stderr.endswith(b"shelfread: 0 of 1 file formatted, 1 not written\n")
