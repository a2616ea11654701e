"""Parses cells of evidence and checks that each value has the type that the record declares: evidence from others may hold any JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from rackwright.model.base import Record
from rackwright.model.layout import layout

CellReader = Callable[[str], list[Any]]
"""What a cell holds, part by part. ValueError for JSON of another type, with what was found and what was expected."""
WORDS: dict[Any, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null"}
PLAIN = frozenset(WORDS)
SHORT = 40
"""Characters of a value that are printed."""
COUNT = Annotated[int, Field(ge=0)]


@cache
def cell_reader(kind: type[Record], name: str) -> CellReader:
    """The parser of the cells of field `name` of `kind`."""
    annotation = _stored_type(kind, name)
    where, expected = f"{kind.__name__}.{name}", " or ".join(_words(annotation))
    types = _types(annotation)
    return _plain_reader(types, where, expected) if types <= PLAIN else _checked_reader(annotation, where, expected)


def _stored_type(kind: type[Record], name: str) -> Any:
    """Type of the values in the cells of a field; for a field that holds records, the type of their `layout.shape`."""
    annotation, held = kind.model_fields[name].annotation, layout(kind)
    if name in held.packed:
        return str
    return _union(map(_shape_type, _options(annotation))) if name in held.parts else annotation


def _union(types: Iterable[Any]) -> Any:
    return reduce(or_, types)


def _shape_type(annotation: Any) -> Any:
    if annotation is NoneType:
        return Literal[True]
    if get_origin(annotation) is list:
        return COUNT
    if get_origin(annotation) is dict:
        absent = bool if NoneType in _options(get_args(annotation)[1]) else Literal[False]
        return list[tuple[str, absent]]  # type: ignore[valid-type]
    return Literal[False]


def _options(annotation: Any) -> Sequence[Any]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _types(annotation: Any) -> frozenset[Any]:
    """Types that a value may have; int wherever float is allowed, because JSON writes 1.0 as 1."""
    types = frozenset(_options(annotation))
    return types | {int} if float in types else types


def _plain_reader(allowed: frozenset[Any], where: str, expected: str) -> CellReader:
    def read(cell: str) -> list[Any]:
        values = from_json(cell)
        if type(values) is not list:
            raise ValueError(f"{where} holds {_excerpt(values)}, expected a list with the value of each part")
        if not allowed.issuperset(map(type, values)):
            wrong = next(value for value in values if type(value) not in allowed)
            raise ValueError(f"{where} holds {_excerpt(wrong)}, expected {expected}")
        return values

    return read


def _checked_reader(annotation: Any, where: str, expected: str) -> CellReader:
    stored: Any = list[_exact_type(annotation)]  # type: ignore[misc]
    validate = TypeAdapter(stored, config=ConfigDict(strict=True)).validator.validate_json

    def read(cell: str) -> list[Any]:
        try:
            return validate(cell)  # type: ignore[no-any-return]
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_context=False)[0]
            actual = wrong["msg"] if wrong["type"] == "json_invalid" else f"holds {_excerpt(wrong['input'])}"
            raise ValueError(f"{where} {actual}, expected {expected}") from None

    return read


def _exact_type(annotation: Any) -> Any:
    """`annotation` with every float widened to int or float: pydantic would convert whole numbers to floats."""
    if annotation is float:
        return int | float
    inner = get_args(annotation)
    if get_origin(annotation) in (Union, UnionType):
        return _union(map(_exact_type, inner))
    if get_origin(annotation) is list:
        return list[_exact_type(inner[0])]  # type: ignore[misc]
    if get_origin(annotation) is dict:
        return dict[inner[0], _exact_type(inner[1])]  # type: ignore[misc,valid-type]
    return annotation


def _words(annotation: Any) -> list[str]:
    """Names of the types that `annotation` allows, for error messages."""
    if get_origin(annotation) in (Union, UnionType):
        return [word for option in get_args(annotation) for word in _words(option)]
    if annotation == COUNT:
        return ["the number of its records"]
    if get_origin(annotation) is Literal:
        return (
            ["one of " + ", ".join(map(str, get_args(annotation)))]
            if str in map(type, get_args(annotation))
            else ["whether it is absent"]
        )
    if get_origin(annotation) in (list, tuple):
        return ["a list"]
    return ["an object"] if get_origin(annotation) is dict else [WORDS.get(annotation, str(annotation))]


def _excerpt(value: Any) -> str:
    """`repr` of a value for a sentence, shortened to `SHORT` characters."""
    text = repr(value)
    return text if len(text) <= SHORT else f"{text[:SHORT]}..."
