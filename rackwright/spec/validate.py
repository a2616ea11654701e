"""Checks plain data against the records and reports each mistake with what to do about it.

Pydantic finds the mistakes; its messages are translated, because they are written for programmers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rackwright import catalog
from rackwright.base.errors import Problem
from rackwright.catalog import unpublished
from rackwright.model.field_texts import field_texts
from rackwright.model.parts import Part
from rackwright.model.site import Site
from rackwright.model.sku import Sku
from rackwright.spec.fields import Path, model_at, nearest_word, show_path
from rackwright.spec.tree import YamlNode
from rackwright.spec.value_text import expected_text, show_value

_PARTS: dict[str, type[Sku]] = {get_args(part.model_fields["kind"].annotation)[0]: part for part in get_args(Part)}
"""Record by the word that ``kind`` has in a part."""


@dataclass(frozen=True)
class Mistakes:
    """The mistakes in a file, as pydantic reports them and as we do."""

    details: list[ErrorDetails] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def validate_site(data: Any, root: YamlNode) -> tuple[Site | None, Mistakes]:
    """The site record, or None and every mistake against its schema."""
    try:
        return Site.model_validate(data), Mistakes()
    except ValidationError as error:
        details = error.errors(include_url=False)
        return None, Mistakes(details, [_problem(mistake, Site, mistake["loc"], root) for mistake in details])


def validate_parts(data: Any, root: YamlNode) -> tuple[list[dict[str, Any]], list[Problem]]:
    """The parts that the site adds to the catalog, and every mistake in them."""
    entries = data.get("catalog", []) if isinstance(data, dict) else []
    if not isinstance(entries, list):
        return [], []  # `validate_site` has said so
    good, problems = [], []
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        try:
            catalog.validate_part(entry)
            good.append(entry)
        except ValidationError as error:
            problems += [
                _part_problem(mistake, entry, ("catalog", index), root) for mistake in error.errors(include_url=False)
            ]
    return good, problems


def validate_part(data: Any, root: YamlNode) -> list[Problem]:
    """Every mistake in a file that holds one part."""
    try:
        catalog.validate_part(data)
    except ValidationError as error:
        return [_part_problem(mistake, data, (), root) for mistake in error.errors(include_url=False)]
    return []


def _part_problem(error: ErrorDetails, entry: dict[str, Any], prefix: Path, root: YamlNode) -> Problem:
    kind = entry.get("kind")
    model = _PARTS.get(kind) if isinstance(kind, str) else None
    if model is None:
        return Problem(
            place=root.place_of((*prefix, "kind")),
            path=show_path((*prefix, "kind")),
            message="this kind of part is not known",
            expected="one of " + ", ".join(_PARTS),
            found=show_value(kind),
            next_step="set kind to one of them",
            code="spec.unknown_kind",
        )
    return _problem(error, model, error["loc"][1:], root, prefix)


def _problem(
    error: ErrorDetails, model: type[BaseModel], loc: Sequence[int | str], root: YamlNode, prefix: Path = ()
) -> Problem:
    path = tuple(loc)
    full = (*prefix, *path)
    place = root.place_of(full)
    kind = error["type"]
    if kind == "extra_forbidden":
        return _unknown_key(path, full, model, place)
    if kind == "missing":
        return _missing(path, full, model, place)
    want = expected_text(error)
    if kind == "literal_error" and (thing := unpublished.unpublished_thing(error["input"])):
        message, text = f"{thing.what} cannot be planned: {thing.why}", show_value(error["input"])
        return Problem(place, show_path(full), message, want, text, thing.next_step, "spec.unpublished")
    options = error.get("ctx", {}).get("expected", "")
    guess = nearest_word(
        error["input"], [option.strip("'") for option in str(options).replace(" or ", ", ").split(", ")]
    )
    return Problem(
        place=place,
        path=show_path(full),
        message="wrong type" if kind.endswith("_type") or kind == "int_from_float" else "wrong value",
        expected=want,
        found=show_value(error["input"]),
        next_step=_next_step(error, guess),
        code="spec.wrong_type" if kind.endswith("_type") or kind == "int_from_float" else "spec.wrong_value",
    )


def _next_step(error: ErrorDetails, guess: str | None) -> str:
    value = error["input"]
    if guess:
        return f"did you mean {guess}?"
    if error["type"] == "string_type" and isinstance(value, (int, float)):
        return f'put it in quotes: "{value}"'
    if error["type"] in ("int_type", "float_type") and isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?", value):
        return f"remove the quotes: {value}"
    name = re.sub(r"[^a-z0-9]+", "-", str(value).lower()).strip("-")
    if error["type"] == "string_pattern_mismatch" and re.fullmatch(error["ctx"]["pattern"], name):
        return f"did you mean {name}?"
    return "write " + expected_text(error)


def _unknown_key(path: Path, full: Path, model: type[BaseModel], place: str) -> Problem:
    owner = model_at(model, path[:-1])
    field_names = sorted(owner.model_fields) if owner else []
    guess = nearest_word(path[-1], field_names)
    return Problem(
        place=place,
        path=show_path(full),
        message=f"key {path[-1]} is not known here",
        expected="one of " + ", ".join(field_names),
        found=str(path[-1]),
        next_step=f"did you mean {guess}?" if guess else "remove it, or look the key up with `rackwright schema`",
        code="spec.unknown_key",
    )


def _missing(path: Path, full: Path, model: type[BaseModel], place: str) -> Problem:
    owner = model_at(model, path[:-1])
    text = field_texts(owner).get(str(path[-1]), "") if owner else ""
    meaning = f" ({text.splitlines()[0].rstrip('.')})" if text else ""
    of_part = full[0] == "catalog" or not issubclass(model, Site)
    example = "any part in rackwright/catalog" if of_part else "inventories/h100-pod/site.yaml"
    return Problem(
        place=place,
        path=show_path(full),
        message=f"key {path[-1]} is missing",
        expected=f"{path[-1]}{meaning}",
        found="no such key",
        next_step=f"add {path[-1]} here; {example} shows how",
        code="spec.missing_key",
    )
