"""The system on the disks of a machine, as Pulumi carries it: ``rackwright:index:OperatingSystem``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from rackwright.model.field_texts import DescribedSchema
from rackwright.model.resource import DeclaredSystem

TOKEN = "rackwright:index:OperatingSystem"
INPUTS: Final = tuple(DeclaredSystem.model_fields)
OUTPUTS: Final = {"state": "string", "since": "string", "system": "string", "serial": "string", "mismatches": "array"}
"""What the boot server knows, by JSON type; ``mismatches``: one sentence for each difference from what is declared."""
SUFFIX = "-system"
"""Of the name of the resource, after that of its node."""
TRANSIENT: Final = ("awaited", "bmc")
ARRIVED: Final = {"installed": "is installed", "running": "runs"}
"""States of a machine that phoned home as the declared one, in words: from its disk, or from a diskless image in this boot."""


def failures(inputs: Mapping[str, Any], unknown: set[str]) -> list[tuple[str, str]]:
    """(property, reason) for everything wrong with the inputs; properties in `unknown` are not judged yet."""
    reasons = [(name, "is not a property of OperatingSystem: remove it") for name in inputs if name not in INPUTS]
    try:
        declared = DeclaredSystem.model_validate({name: inputs[name] for name in INPUTS if name in inputs})
    except ValidationError as error:
        places = [(str(detail["loc"][0]), detail["msg"]) for detail in error.errors()]
        return sorted(
            [*reasons, *((name, f"{text[0].lower()}{text[1:]}") for name, text in places if name not in unknown)]
        )
    return sorted([*reasons, *(("digests", sentence) for sentence in without_digest(declared))])


def without_digest(declared: DeclaredSystem) -> list[str]:
    """A sentence for each file of the image that nobody could tell from another one."""
    if not declared.digests:
        return [f"image {declared.image} has no digests: give the SHA-256 of its files"]
    return [
        f"{path} of image {declared.image} has no digest: give its SHA-256 in install.digests"
        for path, value in sorted(declared.digests.items())
        if not value
    ]


def resource_schema() -> dict[str, Any]:
    """The resource in the schema of the package."""
    fields = DeclaredSystem.model_json_schema(schema_generator=DescribedSchema)["properties"]
    types: dict[str, dict[str, Any]] = {
        "digests": {"type": "object", "additionalProperties": {"type": "string"}},
        "awaited": {"type": "boolean"},
    }
    inputs = {
        name: {**types.get(name, {"type": "string"}), "description": field.get("description", "")}
        for name, field in fields.items()
    }
    texts = {"type": "array", "items": {"type": "string"}}
    outputs = {name: texts if kind == "array" else {"type": kind} for name, kind in OUTPUTS.items()}
    return {
        "description": DeclaredSystem.__doc__,
        "inputProperties": inputs,
        "requiredInputs": sorted({*inputs} - {*TRANSIENT}),
        "properties": {**inputs, **outputs},
        "required": sorted({*inputs, *outputs} - {*TRANSIENT}),
    }
