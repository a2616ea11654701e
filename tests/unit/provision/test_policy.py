"""Rules on what must never be planned, as the engine sends it."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import json_format
from pulumi.runtime.proto import analyzer_pb2

from rackwright.plugin import switch_wire, system_wire
from rackwright.provision.policy_rules import RULES, PlannedResource, violations
from rackwright.provision.policy_server import SECRET_SIGNATURE, SIGNATURE, PolicyPack
from rackwright.redfish import plant_wire, wire

PDU = {
    "kind": "rack_pdu", "name": "r01-A1-pdu", "address": "10.0.0.9", "place": "r01", "feed": "A", "cords": 8, "load_watts": 13600.0,
    "worst_watts": 20400.0, "line_watts": [5100.0, 5100.0, 3400.0], "to_neutral": True, "circuit": {"volts": 415, "amps": 60, "phases": 3},
    "part": {
        "sku": "p", "manufacturer": "m", "model": "m", "sources": [], "kind": "pdu", "volts": 415, "amps": 60, "phases": 3,
        "outlets": [], "weight_kg": 9.0,
    },
}  # fmt: skip


def machine(*, protect: bool = True, **inputs: Any) -> PlannedResource:
    return PlannedResource(wire.TOKEN, "train-001", {"power": "On", "bmcAddress": "10.0.0.1", **inputs}, protect)


def rack(**changes: Any) -> PlannedResource:
    return PlannedResource(plant_wire.RACK_POWER, "r01", {"place": "r01", "units": [{**PDU, **changes}]}, False)


def broken(planned: PlannedResource, **settings: str) -> list[str]:
    return [rule.name for rule, _ in violations(planned, settings)]


@pytest.mark.parametrize(
    ("planned", "settings", "rules"),
    [
        (machine(), {}, []),
        (machine(protect=False), {}, ["machine-protected"]),
        (machine(protect=False), {"unprotected": "train-002, train-001"}, []),
        (PlannedResource(switch_wire.TOKEN, "leaf-1", {}, False), {}, ["switch-protected"]),
        (PlannedResource(switch_wire.TOKEN, "leaf-1", {}, False), {"unprotected": "leaf-1"}, []),
        (PlannedResource(switch_wire.TOKEN, "leaf-1", {}, True), {}, []),
        (machine(power="Off"), {}, ["machine-stays-on"]),
        (machine(power="Off"), {"powered_off": "train-001"}, []),
        (machine(power="Unmanaged"), {}, []),
        (machine(bmcPassword="calvin"), {}, ["no-secret-in-clear"]),
        (machine(bios={"AdminPassword": "calvin"}), {}, ["no-secret-in-clear"]),
        (machine(bmcAddress="https://root:calvin@10.0.0.1"), {}, ["no-secret-in-clear"]),
        (machine(passwordEnv="RACKWRIGHT_BMC_PASSWORD"), {}, []),
        (PlannedResource(system_wire.TOKEN, "a-system", {"image": "x", "digests": {"a.iso": "d8"}}, False), {}, []),
        (PlannedResource(system_wire.TOKEN, "a-system", {"image": "x", "digests": {"a.iso": ""}}, False), {}, ["image-has-digests"]),
        (PlannedResource(system_wire.TOKEN, "a-system", {"image": "x", "digests": {}}, False), {}, ["image-has-digests"]),
        (rack(), {}, []),
        (rack(worst_watts=33_000.0), {}, ["rack-within-budget"]),
    ],
)  # fmt: skip
def test_rules(planned: PlannedResource, settings: dict[str, str], rules: list[str]) -> None:
    assert broken(planned, **settings) == rules


def test_a_sentence_has_found_and_designed() -> None:
    sentences = [text for _, text in violations(rack(worst_watts=33_000.0), {})]
    assert sentences[0].startswith(
        "r01-A1-pdu of rack r01 would carry 33.0 kW after the worst loss, its circuit 32.8 kW"
    )


def test_the_engine_gets_violations_and_settings_and_secrets_pass() -> None:
    pack = PolicyPack()
    assert [policy.name for policy in pack.GetAnalyzerInfo(None, None).policies] == [rule.name for rule in RULES]

    def analyze(**inputs: Any) -> list[str]:
        request = analyzer_pb2.AnalyzeRequest(type=wire.TOKEN, name="train-001", urn="urn:x")
        json_format.ParseDict({"power": "On", **inputs}, request.properties)
        return [diagnostic.policyName for diagnostic in pack.Analyze(request, None).diagnostics]

    assert analyze() == ["machine-protected"]
    pack.ConfigureStack(
        analyzer_pb2.AnalyzerStackConfigureRequest(config={"rackwright:unprotected": "train-001"}), None
    )
    assert analyze() == []
    assert analyze(bmcPassword={SIGNATURE: SECRET_SIGNATURE, "value": "calvin"}) == []
    assert analyze(bmcPassword="calvin") == ["no-secret-in-clear"]
