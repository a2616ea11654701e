"""Field paths (``pools[0].server``) and the declaration of the field at a path."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable
from difflib import get_close_matches

from pydantic import BaseModel
from pydantic.fields import FieldInfo

Path = tuple[str | int, ...]


def show_path(path: Iterable[str | int]) -> str:
    """``("pools", 0, "server")`` as ``pools[0].server``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def parse_path(text: str) -> Path:
    """The inverse of `show_path`."""
    steps = re.findall(r"\[(\d+)\]|([^.\[\]]+)", text)
    return tuple(int(index) if index else name for index, name in steps)


def model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """The record type that the mapping at `path` is read into; the key of a mapping of records (a pool's name) is a step."""
    current: type[BaseModel] | None = model
    record: type[BaseModel] | None = None
    for step in path:
        if isinstance(step, int):
            continue
        if record is not None:
            current, record = record, None
            continue
        if current is None or step not in current.model_fields:
            return None
        annotation = current.model_fields[step].annotation
        current, record = _record_of(annotation), _value_of(annotation)
    return current


def field_at(model: type[BaseModel], path: Path) -> FieldInfo | None:
    """The declaration of the field at `path`."""
    if not path or isinstance(path[-1], int):
        return None
    owner = model_at(model, path[:-1])
    return owner.model_fields.get(path[-1]) if owner else None


def nearest_word(word: object, names: Iterable[str]) -> str | None:
    """The known word that `word` was probably meant to be."""
    matches = get_close_matches(str(word).lower(), list(names), n=1, cutoff=0.6)
    return matches[0] if matches else None


def _record_of(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if typing.get_origin(annotation) in (typing.Annotated, list, typing.Union, types.UnionType):
        records = [_record_of(argument) for argument in typing.get_args(annotation)]
        return next((argument for argument in records if argument), None)
    return None


def _value_of(annotation: object) -> type[BaseModel] | None:
    """The record that a mapping by name holds under each of its keys."""
    return _record_of(typing.get_args(annotation)[1]) if typing.get_origin(annotation) is dict else None
