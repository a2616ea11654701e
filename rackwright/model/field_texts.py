"""Docstrings of the fields of a record, read from its source only when they are needed.

Pydantic would read them while it creates the class (``use_attribute_docstrings``): 0.25 s of processor time at each start of a command, for texts
that few commands print.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema


@cache
def field_texts(record: type[BaseModel]) -> Mapping[str, str]:
    """Field -> docstring, for the fields of `record` that have one; a ``Field(description=...)`` is not included."""
    kinds = [kind for kind in reversed(record.__mro__) if issubclass(kind, BaseModel) and kind is not BaseModel]
    return {name: text for kind in kinds for name, text in _docstrings(kind)}


def _docstrings(kind: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """(name, docstring) of the fields that `kind` itself declares."""
    [definition] = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    for field, text in pairwise(definition.body):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield name, inspect.cleandoc(words)


class DescribedSchema(GenerateJsonSchema):
    """JSON Schema whose descriptions are the docstrings of the fields."""

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        """The schema as pydantic makes it, with the docstrings of the fields as descriptions."""
        described = super().model_schema(schema)
        record: type[BaseModel] = schema["cls"]
        for name, text in field_texts(record).items():
            described["properties"][name].setdefault("description", text)
        return described
