"""What feeds and cools machines, as Pulumi carries it: ``rackwright:index:RackPower`` and ``rackwright:index:Cooling``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from rackwright.model.equipment import CDU, POWER_SHELF, RACK_PDU, CoolantUnit, Equipment, RackPdu, ShelfUnit
from rackwright.model.field_texts import DescribedSchema
from rackwright.model.resource import DeclaredPlant

KINDS: Final[dict[str, type[Equipment]]] = {RACK_PDU: RackPdu, POWER_SHELF: ShelfUnit, CDU: CoolantUnit}
TOKENS: Final = {"rackwright:index:RackPower": (RACK_PDU, POWER_SHELF), "rackwright:index:Cooling": (CDU,)}
"""Type of the resource -> kinds of its units."""
RACK_POWER, COOLING = TOKENS
INPUTS: Final = tuple(DeclaredPlant.model_fields)
OUTPUTS: Final = {"serials": "object", "problems": "array", "racks": "object"}
"""What the provider adds, by JSON type: serial number by unit, one sentence for each difference from the design, and the rack of those that concern one alone."""


def unit_to_wire(unit: Equipment) -> dict[str, Any]:
    """The figures of `unit`, without the sources of its part, which would be in every checkpoint."""
    wire: dict[str, Any] = TypeAdapter(type(unit)).dump_python(unit, mode="json", exclude_defaults=True)
    return {**wire, "kind": unit.kind, "part": {**wire["part"], "sources": []}}


def unit_from_wire(wire: Mapping[str, Any]) -> Equipment:
    """The unit in `wire`. ValidationError when it is none."""
    values = {name: value for name, value in wire.items() if name != "kind"}
    unit: Equipment = TypeAdapter(KINDS.get(str(wire.get("kind")), RackPdu)).validate_python(values)
    return unit


def failures(token: str, inputs: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(property, reason) for everything wrong with the inputs."""
    reasons = [(name, "is not a property of this resource: remove it") for name in inputs if name not in INPUTS]
    try:
        plant = DeclaredPlant.model_validate({name: inputs[name] for name in INPUTS if name in inputs})
    except ValidationError as error:
        return sorted([*reasons, *((str(detail["loc"][0]), detail["msg"]) for detail in error.errors())])
    return sorted([*reasons, *(("units", reason) for unit in plant.units for reason in _unit_failures(token, unit))])


def _unit_failures(token: str, unit: Mapping[str, Any]) -> list[str]:
    if unit.get("kind") not in TOKENS[token]:
        return [f"{unit.get('name')}: kind is {unit.get('kind')}, expected {' or '.join(TOKENS[token])}"]
    try:
        unit_from_wire(unit)
    except ValidationError as error:
        places = [(".".join(map(str, detail["loc"])), detail["msg"]) for detail in error.errors()]
        return [f"{unit.get('name')}: {place}: {text[0].lower()}{text[1:]}" for place, text in places]
    return []


def resource_schema() -> dict[str, Any]:
    """Both resources in the schema of the package, by type."""
    fields = DeclaredPlant.model_json_schema(schema_generator=DescribedSchema)["properties"]
    any_object = {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}}
    text_list = {"type": "array", "items": {"type": "string"}}
    types: dict[str, dict[str, Any]] = {
        "place": {"type": "string"},
        "units": {"type": "array", "items": any_object},
        "content": text_list,
    }
    inputs = {name: {**types[name], "description": fields[name].get("description", "")} for name in INPUTS}
    by_text = {"type": "object", "additionalProperties": {"type": "string"}}
    outputs = {"serials": by_text, "problems": text_list, "racks": by_text}
    resource = {
        "description": DeclaredPlant.__doc__, "inputProperties": inputs, "requiredInputs": ["place", "units"],
        "properties": {**inputs, **outputs}, "required": sorted({*inputs, *outputs} - {"content"}),
    }  # fmt: skip
    return dict.fromkeys(TOKENS, resource)
