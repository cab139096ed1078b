"""What is asked of the world outside of a document while it is checked, and what the answers were.

Findings in a text are those of an earlier run if every answer is still the same. Two kinds of functions ask, and their
decorator records them: a `question` is about the project, and its first argument is the context of the check; a `look`
is at the disk, at git or at the clock. What else a check reads of its project makes its findings depend on all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, TypeVar

from shelfread.core.support.named_tuple import NamedTuple

C = TypeVar("C")
P = ParamSpec("P")
T = TypeVar("T")

_MARK = "__asks__"
_OWN = "shelfread."


class Asked(NamedTuple):
    """One question or look: its function as `module:name`, its arguments, and a digest of the answer."""

    function: str
    arguments: tuple[Any, ...]
    answer: str


class Inquiry:
    """What was asked while one document was checked."""

    def __init__(self, known: dict[tuple[str, tuple[Any, ...]], Any] | None = None) -> None:
        """`known` has what was answered before in the same context; answers are added to it."""
        self._known = {} if known is None else known
        self.needs_all = False
        """Whether something was read of the project that was not asked for by a question."""
        self._answers: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self._looks: dict[tuple[str, tuple[Any, ...]], str] = {}
        self._is_answering = False

    @property
    def answers(self) -> Mapping[tuple[str, tuple[Any, ...]], Any]:
        """The answers themselves, by the name of the question and its arguments."""
        return self._answers

    @property
    def questions(self) -> Iterator[Asked]:
        return (Asked(*key, digest(answer)) for key, answer in self._answers.items())

    @property
    def looks(self) -> Iterator[Asked]:
        return (Asked(*key, answer) for key, answer in self._looks.items())

    def answer(self, name: str, arguments: tuple[Any, ...], compute: Callable[[], T]) -> T:
        """Return the answer to a question; what it asks itself is part of its answer."""
        if self._is_answering:
            return compute()
        key = name, arguments
        if key not in self._answers:
            if key not in self._known:
                self._is_answering = True
                try:
                    self._known[key] = compute()
                finally:
                    self._is_answering = False
            self._answers[key] = self._known[key]
        answer: T = self._answers[key]
        return answer

    def note_look(self, name: str, arguments: tuple[Any, ...], answer: object) -> None:
        """Keep what was seen, also on the way to the answer of a question; what has changed meanwhile never holds."""
        seen = digest(answer)
        self._looks[name, arguments] = seen if self._looks.get((name, arguments), seen) == seen else ""

    def note_all(self) -> None:
        """Keep that all of the project counts, unless a question is being answered."""
        self.needs_all |= not self._is_answering


_current: ContextVar[Inquiry | None] = ContextVar("inquiry", default=None)


@contextmanager
def recorded(known: dict[tuple[str, tuple[Any, ...]], Any] | None = None) -> Iterator[Inquiry]:
    """Give what is asked in the block; `known` is that of `Inquiry`."""
    inquiry = Inquiry(known)
    token = _current.set(inquiry)
    try:
        yield inquiry
    finally:
        _current.reset(token)


def note_all() -> None:
    """Note that all of a project is read, if it is recorded."""
    if (inquiry := _current.get()) is not None:
        inquiry.note_all()


def question(
    function: Callable[Concatenate[C, P], T],
) -> Callable[Concatenate[C, P], T]:
    """Decorate a function of a context and plain values that tells something of the project, as plain values."""
    name = f"{function.__module__}:{function.__qualname__}"

    @wraps(function)
    def ask(context: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        inquiry = _current.get()
        if inquiry is None:
            return function(context, *args, **kwargs)
        assert not kwargs, f"{name} is asked again by the order of its arguments"
        return inquiry.answer(name, args, lambda: function(context, *args, **kwargs))

    setattr(ask, _MARK, True)
    return ask


def look(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function of plain values that reads the disk, git or the clock, and returns plain values."""
    name = f"{function.__module__}:{function.__qualname__}"

    @wraps(function)
    def see(*args: P.args, **kwargs: P.kwargs) -> T:
        answer = function(*args, **kwargs)
        if (inquiry := _current.get()) is not None:
            assert not kwargs, f"{name} is called again by the order of its arguments"
            inquiry.note_look(name, args, answer)
        return answer

    setattr(see, _MARK, True)
    return see


def still_hold(asked: Iterable[Sequence[Any]], *context: object) -> bool:
    """Return whether looks, or questions in a context, have the answers that they had; JSON has lists for tuples."""
    for name, arguments, answer in asked:
        function = _resolve(name)
        try:
            if function is None or digest(function(*context, *map(_hashable, arguments))) != answer:
                return False
        except (LookupError, TypeError):  # what it asks about is no more
            return False
    return True


def ask_again(name: str, arguments: tuple[Any, ...], context: object) -> object:
    """Return the answer to a question in another context; an Exception that it raises is its answer."""
    function = _resolve(name)
    assert function is not None, name
    try:
        return function(context, *arguments)
    except (LookupError, TypeError) as error:  # what it asks about is no more
        return error


def digest(value: object) -> str:
    """Return a digest of a plain value: text, numbers, tuples, sets, and dictionaries with keys of text.

    Raises TypeError for any other, of which no digest would be the same in the next run.
    """
    import json
    from hashlib import blake2b

    text = json.dumps(value, default=_plain, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} is no plain value")


def _hashable(value: object) -> object:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _resolve(name: str) -> Callable[..., object] | None:
    """Return a question or look by its name; no other function has one."""
    module, _, names = name.partition(":")
    if not module.startswith(_OWN):
        return None
    try:
        found: Any = import_module(module)
        for part in names.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found if getattr(found, _MARK, False) is True else None
