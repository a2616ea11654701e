"""A record that notes what is read of it.

A check is a function of what it reads: another record with the same in those columns gets the same finding. What cannot be noted
(the record as a whole: compared, printed, hashed) is refused with `UnwatchableError`, and the check is judged on its own. Serial
numbers differ on every node, and most checks only name parts by them: a `Word` that is printed and not looked at leaves its
mark in the text, and all that is noted is which parts bear the same one, or none.
"""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import Any, NoReturn

from rackwright.model.base import Record
from rackwright.model.layout import ALIKE, LABELS, Column, Path, layout

Log = dict[Column, None]
"""Columns, in the order in which they were first read."""


MARK = "\0"
"""Stands around what was printed and not read; no tool prints it."""


class UnwatchableError(Exception):
    """A check read more of a record than its fields."""


def recording_record(record: Record, log: Log) -> Any:
    """A stand-in for `record`; what is read of it is added to `log`."""
    return _Watched(record, (), log)


class _Watched:
    __slots__ = ("_log_", "_path_", "_real_")

    def __init__(self, real: Record, path: Path, log: Log) -> None:
        self._real_, self._path_, self._log_ = real, path, log

    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        return type(self._real_)

    def __getattr__(self, name: str) -> Any:
        kind = type(self._real_)
        if name in kind.__pydantic_fields__:  # `model_fields` of the class takes ten times as long
            value = getattr(self._real_, name)
            if name in LABELS and isinstance(value, str):
                return _Word(value, (self._path_, name), self._log_)
            self._log_[self._path_, name] = None
            return self._parts(name, value) if name in layout(kind).parts else value
        attribute = getattr(kind, name, None)
        if isinstance(attribute, property) and attribute.fget is not None:
            return attribute.fget(self)
        if isinstance(attribute, FunctionType) and name not in vars(Record.__base__):
            return MethodType(attribute, self)
        return self._refuse_change()

    def _parts(self, name: str, value: Any) -> Any:
        path = (*self._path_, name)
        if isinstance(value, list):
            return [_Watched(part, path, self._log_) for part in value]
        if isinstance(value, dict):
            return {key: None if part is None else _Watched(part, path, self._log_) for key, part in value.items()}
        return None if value is None else _Watched(value, path, self._log_)

    def _refuse_change(self, *_: object) -> NoReturn:
        raise UnwatchableError(type(self._real_).__name__)

    __eq__ = __ne__ = __hash__ = __repr__ = __str__ = __format__ = __iter__ = __len__ = _refuse_change
    __copy__ = __deepcopy__ = __reduce_ex__ = _refuse_change


class _Word:
    """A label of a part."""

    __slots__ = ("_column", "_log", "_value")

    def __init__(self, value: str, column: Column, log: Log) -> None:
        self._value, self._column, self._log = value, column, log

    def _alike(self) -> None:
        path, name = self._column
        self._log[path, ALIKE + name] = None

    def _read(self) -> str:
        self._log[self._column] = None
        return self._value

    def __str__(self) -> str:
        self._alike()
        return f"{MARK}{self._value}{MARK}" if self._value else ""

    __repr__ = __str__

    def __format__(self, format_spec: str) -> str:
        return str(self) if not format_spec else format(self._read(), format_spec)

    def __bool__(self) -> bool:
        self._alike()
        return bool(self._value)

    def __eq__(self, value: object) -> bool:
        return self._read() == (value._read() if isinstance(value, _Word) else value)

    def __hash__(self) -> int:
        return hash(self._read())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._read(), name)
