"""When the open documents are analysed: a moment after the last change, a project at a time, off the event loop."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any, NamedTuple, ParamSpec, TypeVar

from shelfread.core.errors import UserError
from shelfread.server.analysis import ProjectAnalysis, Reading, Readings, analyse
from shelfread.server.open_documents import OpenDocument
from shelfread.server.open_projects import (
    BrokenSettings,
    ProjectSettings,
    ServerOptions,
    Settings,
    are_current,
    find_all_settings,
    same_project,
)

P = ParamSpec("P")
T = TypeVar("T")

DEBOUNCE = 0.2  # seconds without a change before a text is analysed
_IDLE = 3.0  # seconds without a change before all garbage is collected
_POLL = 2.0  # seconds between two looks at the files
_THREADS = 8


class SupersededError(Exception):
    """A newer text makes an analysis useless."""


class DocumentAnalysis(NamedTuple):
    """The analysis that an open document belongs to, and the text that it had there."""

    analysis: ProjectAnalysis
    opened: OpenDocument


class Outcome(NamedTuple):
    """The texts that were analysed, and the analysis, or why their project cannot be read."""

    documents: list[OpenDocument]
    analysis: ProjectAnalysis | None
    error: UserError | None = None


class _Job(NamedTuple):
    """An analysis that is running: of these documents, until it is stopped."""

    uris: frozenset[str]
    stop: Event

    def check_point(self) -> None:
        if self.stop.is_set():
            raise SupersededError


class Scheduler:
    """Analyses documents that were touched; all methods run on the event loop, and documents are named by URI."""

    def __init__(
        self,
        documents: Mapping[str, OpenDocument],
        publish: Callable[[Outcome], None],
        fail: Callable[[Exception], None],
    ) -> None:
        """Analyse open documents; `publish` takes each outcome, `fail` an error that is none of the user's."""
        self.options = ServerOptions()
        self.settings: dict[str, Settings] = {}
        # the last one of each document, perhaps of an older text.
        self.analyses: dict[str, DocumentAnalysis] = {}
        self._documents, self._publish, self._fail = documents, publish, fail
        self._dirty: dict[str, None] = {}  # those that need an analysis, the last one that changed last
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}  # requests that need an analysis
        self._jobs: list[_Job] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._last_change = 0.0
        self._executor = ThreadPoolExecutor(_THREADS, thread_name_prefix="shelfread")
        self.readings = Readings(documents, self.compute)

    def start(self, options: ServerOptions) -> None:
        """Begin to analyse what is touched, and to look for changed files."""
        self.options = options
        self._spawn(self._run())
        self._spawn(self._poll())

    def reconfigure(self, options: ServerOptions) -> None:
        """Take other options: all projects are found again."""
        if options != self.options:
            self.options = options
            self.settings.clear()
            self.touch(self._documents)

    def shut_down(self) -> None:
        """Stop everything; nothing is published any more."""
        for job in self._jobs:
            job.stop.set()
        for task in self._tasks:
            if not task.done():
                task.cancel()
        for futures in self._waiting.values():
            for future in futures:
                future.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def touch(self, uris: Iterable[str]) -> None:
        """Note that documents need an analysis; one that is running on an older text of them is stopped."""
        for uri in list(uris):
            if uri in self._documents and self._documents[uri].is_markdown:
                self._dirty.pop(uri, None)
                self._dirty[uri] = None
        for job in self._jobs:
            if not job.uris.isdisjoint(self._dirty):
                job.stop.set()
        self._last_change = asyncio.get_running_loop().time()
        self._changed.set()

    def forget(self, uri: str) -> None:
        """Drop what is known of a document that was closed; the others of its project are touched."""
        self._dirty.pop(uri, None)
        settings = self.settings.pop(uri, None)
        self.analyses.pop(uri, None)
        self._release(uri)
        for job in self._jobs:
            if uri in job.uris:
                job.stop.set()
        if settings is not None:
            self.touch(other for other, known in self.settings.items() if same_project(settings, known))

    def is_pending(self, uri: str) -> bool:
        """Return whether a document is analysed, or will be."""
        return uri in self._dirty or self._is_running(uri)

    async def wait_for(self, uri: str) -> None:
        """Wait until the document was analysed or closed; it is not waited for further changes."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(uri, []).append(future)
        self._changed.set()
        await future

    async def compute(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a function returns in a thread, while the event loop goes on."""
        call = partial(function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    async def _run(self) -> None:
        while True:
            await self._pause()
            self._changed.clear()
            try:
                started = await self._start_jobs()
            except Exception as error:  # the server lives on, whatever is wrong with a file
                self._fail(error)
                for uri in self._dirty:
                    self.analyses.pop(uri, None)
                    self._release(uri)
                self._dirty.clear()
                started = False
            if not started:
                await self._rest()

    async def _rest(self) -> None:
        """Wait for a change; if none comes for a while, collect all garbage."""
        if not self._jobs:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._changed.wait(), _IDLE)
                return
            gc.collect()
        await self._changed.wait()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(_POLL)
            stamps = [stamp for known in self.settings.values() for stamp in known.stamps.items()]
            for known in self.analyses.values():
                stamps += [(path, stamp) for path, (stamp, _) in known.analysis.others.items()]
            if not await self.compute(are_current, stamps):
                self.touch(self._documents)

    async def _pause(self) -> None:
        """Wait until the client has made no change for a moment, or a request needs what is dirty."""
        while self._dirty.keys().isdisjoint(self._waiting):
            rest = self._last_change + DEBOUNCE - asyncio.get_running_loop().time()
            if rest <= 0:
                return
            self._changed.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._changed.wait(), rest)

    async def _start_jobs(self) -> bool:
        """Start a job for each project of which a document is dirty, but none is being analysed; return whether any."""
        if not self._dirty:
            return False
        options = self.options
        opened = [document for document in self._documents.values() if document.is_markdown]
        settings_of = await self.compute(find_all_settings, opened, dict(self.settings), options)
        if options != self.options:
            return True  # to be settings_of again
        # Meanwhile a document may have been closed, or opened again as one of another language.
        current = {uri for uri, document in self._documents.items() if document.is_markdown}
        self.settings = {uri: settings for uri, settings in settings_of.items() if uri in current}
        before = len(self._jobs)
        for uri in reversed(list(self._dirty)):
            if uri in self._dirty and uri in self.settings:
                self._start_job(uri)
        return len(self._jobs) > before

    def _start_job(self, first: str) -> None:
        settings = self.settings[first]
        uris = [first]
        uris += (
            uri for uri, known in self.settings.items() if uri != first and same_project(settings, known)
        )
        if any(self._is_running(uri) for uri in uris):
            return
        for uri in uris:
            self._dirty.pop(uri, None)
        job = _Job(frozenset(uris), Event())
        self._jobs.append(job)
        self._spawn(self._work(job, settings, [self._documents[uri] for uri in uris]))

    async def _work(self, job: _Job, settings: Settings, documents: list[OpenDocument]) -> None:
        outcome = Outcome(documents, None)
        try:
            outcome = await self._analyse(job, settings, documents)
        except UserError as error:
            outcome = outcome._replace(error=error)
        except SupersededError:
            outcome = outcome._replace(documents=[])
            still = (uri for uri in job.uris if uri in self._documents and uri not in self._dirty)
            self._dirty = {**dict.fromkeys(still), **self._dirty}
        except Exception as error:  # a bug in one rule must not end the server
            self._fail(error)
        finally:
            self._jobs.remove(job)
        self._finish(outcome)
        # Now, and only now: a collection at any time would stop all threads. What is older waits for a pause.
        gc.collect(1)
        self._changed.set()

    async def _analyse(self, job: _Job, settings: Settings, documents: list[OpenDocument]) -> Outcome:
        if isinstance(settings, BrokenSettings):
            return Outcome(documents, None, settings.error)
        own = {opened.uri: self.settings.get(opened.uri) for opened in documents}
        skipped = {
            uri for uri, found in own.items() if isinstance(found, ProjectSettings) and found.is_skipped
        }
        checked = [opened for opened in documents if opened.uri not in skipped]
        if not checked:
            return Outcome(documents, None)
        vocabulary = settings.request.taxonomy.vocabulary
        readings: dict[str, Reading] = {}
        unreadable: dict[str, UserError] = {}
        for opened in checked:
            job.check_point()
            try:
                _, readings[opened.path] = await self.readings.read(opened, vocabulary)
            except UserError as error:
                unreadable[opened.path] = error
        job.check_point()  # else each text that was read is that of its document
        before = next(
            (self.analyses[opened.uri].analysis for opened in checked if opened.uri in self.analyses), None
        )
        is_same = before is not None and before.request.taxonomy.vocabulary is vocabulary
        others = before.others if before is not None and is_same else {}
        analysis = await self.compute(analyse, settings, readings, unreadable, others, job.check_point)
        return Outcome(documents, analysis)

    def _finish(self, outcome: Outcome) -> None:
        """Keep an outcome, publish it, and let the requests go on that waited for it."""
        current = [opened for opened in outcome.documents if opened.uri in self._documents]
        for opened in current:
            if outcome.analysis is None:
                self.analyses.pop(opened.uri, None)
            else:
                self.analyses[opened.uri] = DocumentAnalysis(outcome.analysis, opened)
        newest = [opened for opened in current if opened is self._documents[opened.uri]]
        self._publish(outcome._replace(documents=newest))
        for opened in current:
            self._release(opened.uri)

    def _release(self, uri: str) -> None:
        """Let the requests go on that wait for the analysis of a document."""
        for future in self._waiting.pop(uri, ()):
            if not future.done():
                future.set_result(None)

    def _is_running(self, uri: str) -> bool:
        return any(uri in job.uris for job in self._jobs)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
