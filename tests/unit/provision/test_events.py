from __future__ import annotations

from typing import Any

import pytest
from pulumi.automation import EngineEvent

from rackwright.provision.events import EventReader
from rackwright.provision.result import UpResult, Verb
from rackwright.redfish import wire

URN = f"urn:pulumi:h100-pod::rackwright-site::rackwright:index:Fleet${wire.TOKEN}::"


def event(kind: str, **content: Any) -> EngineEvent:
    return EngineEvent.from_json({"sequence": 1, "timestamp": 0, kind: content})


def step(kind: str, op: str, name: str = "train-001", token: str = wire.TOKEN, **more: Any) -> EngineEvent:
    urn = URN.replace(wire.TOKEN, token) + name
    state = {"type": token, "urn": urn, "id": "", "parent": "", "provider": ""}
    new = {**state, "outputs": more.pop("outputs", {}), "inputs": more.pop("inputs", {})}
    old = {**state, "outputs": more.pop("old", {}), "inputs": more.pop("old_inputs", {})}
    metadata = {"op": op, "urn": urn, "type": token, "provider": "", "new": new, "old": old, **more}
    return event(kind, metadata=metadata)


def messages(severity: str, message: str, urn: str = "", **more: Any) -> EngineEvent:
    return event("diagnosticEvent", severity=severity, message=message, urn=urn, color="never", **more)


def read(*events: EngineEvent, verb: Verb = "up") -> tuple[EventReader, list[tuple[str, dict[str, Any]]]]:
    progress: list[tuple[str, dict[str, Any]]] = []
    reader = EventReader(verb, lambda kind, data: progress.append((kind, data)))
    for entry in events:
        reader(entry)
    return reader, progress


@pytest.mark.parametrize(
    ("op", "outcome"),
    [("create", "created"), ("update", "updated"), ("same", "same"), ("delete", "deleted"), ("replace", "created")],
)
def test_outcomes(op: str, outcome: str) -> None:
    reader, progress = read(
        step("resourcePreEvent", op), step("resOutputsEvent", op, outputs={"powerState": "On", "gpuCount": 8})
    )
    machine = reader.machines([])["train-001"]
    assert machine.outcome == outcome
    assert machine.outputs == {"powerState": "On"}, "inputs are not repeated"
    assert [kind for kind, _ in progress] == ["machine.started", "machine.done"]


def test_other_resources_are_no_machines() -> None:
    reader, progress = read(step("resOutputsEvent", "create", token="pulumi:pulumi:Stack"))
    assert reader.machines([]) == {}
    assert progress == []


def test_a_failure_has_its_sentence() -> None:
    reader, progress = read(
        step("resourcePreEvent", "create"),
        messages("error", "<{%reset%}>BMC 10.0.0.1 refused the account<{%reset%}>\n", URN + "train-001"),
        step("resOpFailedEvent", "create", status=0, steps=0),
        messages("error", "update failed"),
    )
    machine = reader.machines(["train-001", "train-002"])["train-001"]
    assert (machine.outcome, machine.error) == ("failed", "BMC 10.0.0.1 refused the account")
    assert reader.diagnostics() == ()
    assert progress[-1] == ("machine.failed", {"machine": "train-001"})
    result = UpResult("up", "h100-pod", reader.machines(["train-001", "train-002"]), (), 1.0)
    assert result.counts["failed"] == result.counts["skipped"] == 1
    assert not result.good


def test_a_refresh_says_what_changed() -> None:
    reader, _ = read(
        step("resOutputsEvent", "update", old={"powerState": "On"}, outputs={"powerState": "Off"}),
        step("resOutputsEvent", "update", "train-002", old={"powerState": "On"}, outputs={"powerState": "On"}),
        verb="refresh",
    )
    machines = reader.machines([])
    assert (machines["train-001"].outcome, machines["train-001"].changes) == ("updated", ("powerState was On, is Off",))
    assert machines["train-002"].outcome == "same"


def test_a_preview_says_why() -> None:
    diffs = {"power": {"diffKind": "update", "inputDiff": True}, "powerState": {"diffKind": "update"}}
    reader, _ = read(
        step(
            "resOutputsEvent", "update", old={"powerState": "Off"}, old_inputs={"power": "Off"},
            inputs={"power": "On"}, detailedDiff=diffs,
        ),
        verb="preview",
    )  # fmt: skip
    assert reader.machines([])["train-001"].changes == (
        "power would change from Off to On",
        "powerState is Off, which would be put right",
    )


def test_a_replacement_is_not_a_deletion() -> None:
    reader, _ = read(step("resOutputsEvent", "create-replacement"), step("resOutputsEvent", "delete-replaced"))
    assert reader.machines([])["train-001"].outcome == "created"


def test_diagnostics_without_a_machine_and_noise() -> None:
    reader, progress = read(
        messages("warning", "the stack is odd"),
        messages("warning", "using pulumi-resource-rackwright from $PATH at /x/pulumi-resource-rackwright"),
        messages("info", "chatter"),
        messages("error", "soon gone", ephemeral=True),
    )
    assert reader.diagnostics() == ("the stack is odd",)
    assert progress == [("note", {"text": "the stack is odd"})]
