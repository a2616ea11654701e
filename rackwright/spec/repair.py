"""Stand-ins for broken fields, so that the cross-checks can run on a file that also has other mistakes.

Otherwise a user would correct a typing mistake and only then learn of an unknown SKU. A repaired site is used only to find more mistakes.
"""

from __future__ import annotations

import copy
import types
import typing
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from rackwright.model.site import Site
from rackwright.model.texts import KINDS
from rackwright.spec.fields import Path, field_at, model_at


def repair_site(data: Any, errors: Sequence[ErrorDetails]) -> tuple[Site | None, list[Path]]:
    """A site with a stand-in for every broken field, and the paths of those; None if it cannot be repaired."""
    if not isinstance(data, dict):
        return None, []
    patched = copy.deepcopy(data)
    touched = []
    for error in errors:
        path = tuple(error["loc"])
        if error["type"] == "extra_forbidden":
            _owner(patched, path).pop(path[-1], None)
        else:
            _patch(patched, path)
            touched.append(path)
    try:
        return Site.model_validate(patched), touched
    except ValidationError:
        return None, []


def _owner(data: Any, path: Path) -> Any:
    for step in path[:-1]:
        data = data[step]
    return data


def _patch(data: Any, path: Path) -> None:
    owner, last = _owner(data, path), path[-1]
    field = field_at(Site, path)
    if field is not None and not field.is_required():
        owner.pop(last, None)
    elif field is not None:
        owner[last] = _example(field.metadata) or _neutral_value(field.annotation)
    else:
        owner[last] = _neutral_value(model_at(Site, path) or str)


def _example(metadata: Sequence[Any]) -> str:
    """An example of the kind of text that is declared by `metadata`; empty when none is."""
    inner = [part for entry in metadata for part in (entry.metadata if isinstance(entry, FieldInfo) else [entry])]
    patterns = [getattr(part, "pattern", "") for part in inner]
    return next((KINDS[pattern].example for pattern in patterns if pattern in KINDS), "")


def _neutral_value(annotation: Any) -> Any:
    """The plainest value of a type."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _example(arguments[1:]) or _neutral_value(arguments[0])
    if origin is typing.Literal:
        return arguments[0]
    if origin is list:
        return [_neutral_value(arguments[0])]
    if origin in (typing.Union, types.UnionType):
        return _neutral_value(arguments[0])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = annotation.model_fields.items()
        return {
            name: _example(field.metadata) or _neutral_value(field.annotation)
            for name, field in fields
            if field.is_required()
        }
    return {int: 1, float: 1.0, bool: False}.get(annotation, "x")
