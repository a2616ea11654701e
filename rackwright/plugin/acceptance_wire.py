"""A subject that others wait for, as Pulumi carries it: ``rackwright:index:Accepted``."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import ValidationError

from rackwright.model.field_texts import DescribedSchema
from rackwright.model.resource import AcceptedSubject
from rackwright.plugin.drift import Drift

TOKEN = "rackwright:index:Accepted"
INPUTS: Final = tuple(AcceptedSubject.model_fields)
OUTPUTS: Final = {"state": "string", "since": "string", "reason": "string", "run": "string"}
"""What ``rackwright serve`` answers, by JSON type."""
RELEASED = "released"


def subject(inputs: Mapping[str, Any]) -> AcceptedSubject:
    """The subject in `inputs`. ValidationError when it is malformed."""
    return AcceptedSubject.model_validate({name: inputs[name] for name in INPUTS if name in inputs})


def failures(inputs: Mapping[str, Any], unknown: set[str]) -> list[tuple[str, str]]:
    """(property, reason) for everything wrong with the inputs; properties in `unknown` are not judged yet."""
    reasons = [(name, "is not a property of Accepted: remove it") for name in inputs if name not in INPUTS]
    try:
        subject(inputs)
    except ValidationError as error:
        places = [(str(detail["loc"][0]), detail["msg"]) for detail in error.errors()]
        reasons += [(name, f"{text[0].lower()}{text[1:]}") for name, text in places if name not in unknown]
    server = inputs.get("server")
    if isinstance(server, str) and "server" not in unknown and not _is_safe(server):
        reasons.append(("server", "tokens go there: give an https URL, or http on this machine"))
    return sorted(reasons)


def differences(state: Mapping[str, Any], inputs: Mapping[str, Any]) -> Drift:
    """How `inputs` differ from the recorded `state`."""
    changed = [name for name in INPUTS if state.get(name) != inputs.get(name)]
    drifted = ["state"] if state.get("state") != RELEASED else []
    return Drift(changed, drifted, [name for name in changed if name in ("kind", "name")])


def resource_schema() -> dict[str, Any]:
    """The resource in the schema of the package."""
    fields = AcceptedSubject.model_json_schema(schema_generator=DescribedSchema)["properties"]
    inputs = {name: {"type": "string", "description": field.get("description", "")} for name, field in fields.items()}
    outputs = {name: {"type": kind} for name, kind in OUTPUTS.items()}
    return {
        "description": AcceptedSubject.__doc__,
        "inputProperties": inputs,
        "requiredInputs": sorted(inputs),
        "properties": {**inputs, **outputs},
        "required": sorted({*inputs, "state", "reason"}),
    }


def _is_safe(server: str) -> bool:
    try:
        parts = urlsplit(server)
        host = parts.hostname or ""
        local = host == "localhost" or ((host[:1].isdigit() or ":" in host) and ipaddress.ip_address(host).is_loopback)
    except ValueError:
        return False
    return bool(host) and not parts.username and (parts.scheme == "https" or (parts.scheme == "http" and local))
