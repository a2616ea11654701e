"""The configuration of a switch, as Pulumi carries it: ``rackwright:index:SwitchConfig``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from rackwright.model.field_texts import DescribedSchema
from rackwright.model.resource import DeclaredSwitch

TOKEN = "rackwright:index:SwitchConfig"
INPUTS: Final = tuple(DeclaredSwitch.model_fields)
OUTPUTS: Final = {"differences": "array"}
"""By JSON type; ``differences``: what the switch runs otherwise, a line each, secrets masked; empty after it was applied."""
OPTIONAL = frozenset({"serial", "platform", "sku", "port"})


def declared(inputs: Mapping[str, Any]) -> DeclaredSwitch:
    """The switch in `inputs`. ValidationError when it is malformed."""
    return DeclaredSwitch.model_validate({name: inputs[name] for name in INPUTS if name in inputs})


def failures(inputs: Mapping[str, Any], unknown: set[str], refused: Mapping[str, str]) -> list[tuple[str, str]]:
    """(property, reason) for everything wrong with the inputs; properties in `unknown` are not judged yet. `refused`: why a system is refused."""
    reasons = [(name, "is not a property of SwitchConfig: remove it") for name in inputs if name not in INPUTS]
    try:
        declared(inputs)
    except ValidationError as error:
        places = [(str(detail["loc"][0]), detail["msg"]) for detail in error.errors()]
        reasons += [(name, f"{text[0].lower()}{text[1:]}") for name, text in places if name not in unknown]
    system = str(inputs.get("system"))
    if "system" not in unknown and system in refused:
        reasons.append(("system", refused[system]))
    if not inputs.get("files") and "files" not in unknown and "files" in inputs:
        reasons.append(("files", "has no file: give what `rackwright export --to switches` writes for it"))
    return sorted(reasons)


def resource_schema() -> dict[str, Any]:
    """The resource in the schema of the package."""
    fields = DeclaredSwitch.model_json_schema(schema_generator=DescribedSchema)["properties"]
    types: dict[str, dict[str, Any]] = {
        "files": {"type": "object", "additionalProperties": {"type": "string"}},
        "port": {"type": "integer"},
    }
    inputs = {
        name: {**types.get(name, {"type": "string"}), "description": field.get("description", "")}
        for name, field in fields.items()
    }
    outputs = {"differences": {"type": "array", "items": {"type": "string"}}}
    return {
        "description": DeclaredSwitch.__doc__,
        "inputProperties": inputs,
        "requiredInputs": sorted({*inputs} - OPTIONAL),
        "properties": {**inputs, **outputs},
        "required": sorted({*inputs, *outputs} - OPTIONAL),
    }
