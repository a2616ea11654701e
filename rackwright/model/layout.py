"""How a kind of record is laid out: its plain fields, and the fields that hold other records.

A record of eight accelerators has, over all of its parts, one column for their serial numbers and one for their ECC modes: the first differs on every
node, the second on hardly any. Comparison and storage of records work column by column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Self, Union, get_args, get_origin, runtime_checkable

from rackwright.model.base import Record

Path = tuple[str, ...]
"""Fields that lead from the record to its parts; empty for the record itself."""
Column = tuple[Path, str]
"""One field of all parts at a path."""
Row = dict[str, Any]
"""The fields of one part."""
LABELS = ("serial", "uuid")
"""Fields that tell parts apart, and that differ on every node."""
ALIKE = "="
"""Before the name of a column of labels: which of them are the same, and which are empty, whatever they are."""
PLAIN = (str, int, float, NoneType)
"""Compared and kept by value; a `bool` is an `int`."""


@runtime_checkable
class Packable(Protocol):
    """A value too large for JSON, which is stored as text."""

    def packed(self) -> str:
        """The value as text."""
        ...

    @classmethod
    def unpacked(cls, text: str) -> Self:
        """The value that `packed` wrote as `text`."""
        ...


@dataclass(frozen=True)
class Layout:
    """The kinds of values that the fields of a record hold."""

    parts: dict[str, type[Record]]
    """Fields that hold records: one, a list of them or a mapping to them."""
    nested: frozenset[str]
    """Fields that hold other lists or mappings."""
    floats: frozenset[str]
    """Fields with floats: 0.0 and -0.0 are equal and print differently."""
    packed: dict[str, type[Packable]]
    """Fields that are stored as the text of their `packed`."""
    exact: bool
    """Whether every other value, at any depth, survives JSON unchanged."""


@cache
def layout(kind: type[Record]) -> Layout:
    """The layout of `kind`."""
    parts, nested, floats = {}, set(), set()
    for name, info in kind.model_fields.items():
        types = set(_types(info.annotation))
        records = [type_ for type_ in types if isinstance(type_, type) and issubclass(type_, Record)]
        if records:
            parts[name] = records[0]
        elif Any in types or any(isinstance(type_, type) and not issubclass(type_, PLAIN) for type_ in types):
            nested.add(name)
        if types & {float, Any}:
            floats.add(name)
    kinds = {name: info.annotation for name, info in kind.model_fields.items()}
    packed = {name: type_ for name, type_ in kinds.items() if isinstance(type_, type) and issubclass(type_, Packable)}
    exact = all(_is_exact(type_) for name, type_ in kinds.items() if name not in packed)
    return Layout(parts, frozenset(nested), frozenset(floats), packed, exact)


def _types(annotation: Any) -> Iterator[Any]:
    yield getattr(annotation, "__origin__", annotation)
    for inner in get_args(annotation):
        yield from _types(inner)


def _is_exact(annotation: Any) -> bool:
    """Whether values of `annotation` survive JSON unchanged: mappings with text keys, and no tuples, sets or other classes."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return all(isinstance(part, str) for part in inner)
    if origin in (Union, UnionType, list):
        return all(map(_is_exact, inner))
    if origin is dict:
        return inner[0] is str and _is_exact(inner[1])
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return layout(annotation).exact
    return annotation in (*PLAIN, bool)


@cache
def columns(kind: type[Record], path: Path = ()) -> tuple[Column, ...]:
    """Every column of `kind`, depth first; each field of labels is followed by a column of which labels are equal."""
    listed: list[Column] = []
    for name in kind.model_fields:
        listed += [(path, name), *([(path, ALIKE + name)] if name in LABELS else [])]
    for name, below in layout(kind).parts.items():
        listed += columns(below, (*path, name))
    return tuple(listed)


def members(value: Any) -> list[Any]:
    """The records in the value of a field (None, one, a list or a mapping), in order, without None."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [member for member in value.values() if member is not None]
    return [] if value is None else [value]


def shape(value: Any) -> Any:
    """Number of records in the value of a field: a list's length, the (name, absent) pairs of a mapping, else whether it is None."""
    if isinstance(value, list):
        return len(value)
    if isinstance(value, dict):
        return tuple((name, part is None) for name, part in value.items())
    return value is None


def equal_places(labels: Sequence[str]) -> tuple[int, ...]:
    """For each label the place of its first occurrence, -1 if it is empty: two lists with equal labels in the same places give equal results."""
    first = {label: place if label else -1 for place, label in reversed([*enumerate(labels)])}
    return tuple(map(first.__getitem__, labels))
