"""`NamedTuple` as in `typing`, for which Python takes a ninth of the time to make a class.

A check loads more than a hundred of them. `typing` compiles the annotation of each field, and `collections` compiles a
function for each class; here the classes with as many fields share one.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Build(type):
        """Makes a tuple class of the body of a class; its annotations remain texts."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body["__annotations__"])
            defaults = {field: body[field] for field in fields if field in body}
            constructor, getters = _prototype(len(fields))
            code = constructor.__code__.replace(co_varnames=("_cls", *fields))
            new = FunctionType(code, constructor.__globals__, "__new__", tuple(defaults.values()))
            new.__qualname__ = f"{body['__qualname__']}.__new__"
            members = {
                **body,
                **dict(zip(fields, getters, strict=True)),
                "__new__": new,
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return type(name, (_Record,), members)

    class NamedTuple(metaclass=_Build):
        """A tuple whose fields are the names that the class annotates."""

    class _Record(tuple):
        """What all named tuples do."""

        __slots__ = ()

        @classmethod
        def _make(cls, values: Any) -> Any:
            return cls(*values)

        def _replace(self, /, **values: Any) -> Any:
            made = tuple.__new__(type(self), map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    @cache
    def _prototype(size: int) -> tuple[Any, list[Any]]:
        """Return the constructor of a tuple with so many fields, and what gets each of them."""
        made = namedtuple("_prototype", [f"field_{index}" for index in range(size)])
        return made.__new__, [vars(made)[field] for field in made._fields]
