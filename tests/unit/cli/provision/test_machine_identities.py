from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rackwright.base.errors import OutsideError, UsageError
from rackwright.cli.provision import machine_identities
from rackwright.model.design import Node
from rackwright.model.resource import MachineIdentity
from rackwright.redfish import identity


def _record(
    path: Path, answers: dict[str, Any], monkeypatch: pytest.MonkeyPatch, node: Callable[[str], Node]
) -> list[str]:
    async def read(address: str, _: object) -> Any:
        answer = answers[address]
        if isinstance(answer, OutsideError):
            raise answer
        return type("Observed", (), {"identity": answer})

    monkeypatch.setattr(machine_identities, "read_machine", read)
    nodes: Any = [node(name) for name in answers]
    access: Any = None
    return list(machine_identities.record(path, nodes, access))


@pytest.fixture
def node() -> Callable[[str], Node]:
    """Nodes whose BMC has the address of their name."""
    blank = Node(*[""] * len(Node.__dataclass_fields__))  # type: ignore[arg-type]
    return lambda name: replace(blank, name=name, bmc_address=name)


def test_what_is_recorded_and_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, node: Callable[[str], Node]
) -> None:
    path = tmp_path / "machines"
    path.write_text("train-001 KNOWN\n")
    lines = _record(
        path,
        {
            "train-001": OutsideError("is not asked again"),
            "train-002": MachineIdentity("FRESH", "4c4c4544-0035-3410-8050-c6c04f314733"),
            "train-003": MachineIdentity("KNOWN"),
            "train-004": MachineIdentity(""),
            "train-005": MachineIdentity("Default string"),
            "train-006": OutsideError("BMC train-006 cannot be reached"),
        },
        monkeypatch,
        node,
    )
    assert path.read_text() == "train-001 KNOWN\ntrain-002 FRESH 4c4c4544-0035-3410-8050-c6c04f314733\n"
    assert lines[0].startswith(f"1 machines are recorded in {path}, 1 were")
    assert [line.strip() for line in lines[1:]] == [
        "train-003 reports serial number KNOWN, which is that of train-001: correct the address of one BMC, or exchange the two machines",
        "train-004 reports no serial number: have the maker write its plate",
        "train-005 reports the serial number 'Default string': have the maker write its plate",
        "BMC train-006 cannot be reached",
    ]


def test_a_site_without_a_file() -> None:
    access: Any = None
    with pytest.raises(UsageError, match=r"set control\.bmc\.identities_file"):
        list(machine_identities.record(None, [], access))


def test_a_machine_that_reports_nothing_to_compare_is_refused() -> None:
    with pytest.raises(OutsideError, match="it reports no serial number, expected 1A2B"):
        identity.require_same("train-001", "10.0.0.1", MachineIdentity("1A2B"), MachineIdentity("", "u"), dict)
    identity.require_same("train-001", "10.0.0.1", MachineIdentity("1A2B", "u"), MachineIdentity("", "u"), dict)


def test_another_board_in_the_same_chassis_is_refused() -> None:
    with pytest.raises(OutsideError, match="UUID v, expected u"):
        identity.require_same("train-001", "10.0.0.1", MachineIdentity("1A2B", "u"), MachineIdentity("1A2B", "v"), dict)
