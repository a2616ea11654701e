"""How a kind of record is laid out: which of its fields hold other records, and what the others hold.

A record of eight accelerators has, over all of its parts, one column for their serial numbers and one
for their ECC modes: the first differs on every node, the second on hardly any. What compares or keeps records goes by such columns.
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
    """What is too large for JSON, and keeps itself as text."""

    def packed(self) -> str:
        """It as text."""
        ...

    @classmethod
    def unpacked(cls, text: str) -> Self:
        """It again."""
        ...


@dataclass(frozen=True)
class Layout:
    """What the fields of a kind of record hold."""

    parts: dict[str, type[Record]]
    """Fields that hold records: one, a list of them or a mapping to them."""
    nested: frozenset[str]
    """Fields that hold other lists or mappings."""
    floats: frozenset[str]
    """Fields with floats: two zeros are equal and print differently."""
    packed: dict[str, type[Packable]]
    """Fields that are kept as they pack themselves."""
    exact: bool
    """Whether everything else in it, at any depth, is what JSON gives back as it was."""


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
    """Whether JSON gives values of `annotation` back as they were: mappings by text, and no tuples, sets or classes of other kinds."""
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
    """Every column of `kind`: parts after the fields of what holds them, and after a field of labels which of them are alike."""
    listed: list[Column] = []
    for name in kind.model_fields:
        listed += [(path, name), *([(path, ALIKE + name)] if name in LABELS else [])]
    for name, below in layout(kind).parts.items():
        listed += columns(below, (*path, name))
    return tuple(listed)


def members(value: Any) -> list[Any]:
    """The records that a field holds, in order."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [member for member in value.values() if member is not None]
    return [] if value is None else [value]


def shape(value: Any) -> Any:
    """How many records a field holds, and under which names."""
    if isinstance(value, list):
        return len(value)
    if isinstance(value, dict):
        return tuple((name, part is None) for name, part in value.items())
    return value is None


def equal_places(labels: Sequence[str]) -> tuple[int, ...]:
    """Which of `labels` are the same, and which are empty."""
    first = {label: place if label else -1 for place, label in reversed([*enumerate(labels)])}
    return tuple(map(first.__getitem__, labels))
