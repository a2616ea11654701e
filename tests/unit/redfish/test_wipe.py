"""Drives erased through the BMCs that offer it: on request alone, once, with evidence, and gone on with after trouble."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.catalog import setting_practice
from rackwright.redfish import provider, wire
from rackwright.redfish.client import RequestLimits
from rackwright.redfish.update.task import TaskDeadline
from rackwright.redfish.wipe.drives import KINDS, ErasableDrive
from rackwright.redfish.wipe.erase import DriveEraser
from rackwright.redfish.wipe.requests import Wipes
from rackwright.twin.bmc import dialects
from rackwright.twin.hardware.parts.drive import DriveState
from rackwright.twin.hardware.parts.system import SystemReadings
from rackwright.twin.hardware.parts.updates import FirmwareState, UpdateTask

from .conftest import anyone, desired_machine, machine

DEADLINE = TaskDeadline(0.03, 2.0, 0.3)
LIMITS = RequestLimits(backoff_seconds=0.001)
DRIVES = SystemReadings(drives=(DriveState(0, "S0", 3.84), DriveState(1, "S1", 3.84)))


@pytest.fixture
def wipe(tmp_path: Path) -> Callable[..., list[str]]:
    """Carries a request out and gives what was logged, in a new process each time, with one folder."""

    def run(access: Any, policy: str, request: str = "run-1", accept: Any = anyone) -> list[str]:
        log: list[str] = []
        declared = desired_machine(wipe=policy, erase=request)
        wipes = Wipes({"wipeRecords": str(tmp_path / "wipes")}, DEADLINE, LIMITS)
        asyncio.run(wipes.carry_out(declared, access, log.append, accept))
        return log

    return run


def _evidence(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "wipes" / "train-001.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(("name", "policy"), [("nvidia-gb", "block-erase"), ("idrac", "crypto-erase")])
def test_every_drive_is_erased_with_evidence_and_once(
    name: str, policy: str, serve: Callable[..., Any], wipe: Callable[..., list[str]], tmp_path: Path
) -> None:
    live, access = serve(machine(dialect=name, system=DRIVES))
    assert wipe(access, "none") == wipe(access, policy, "") == []
    assert live.machine("train-001").firmware.erased == (), (
        "neither a request without a policy nor a policy without a request"
    )
    assert wipe(access, policy)[-1] == f"2 drives are erased ({policy}): S0, S1"
    assert live.machine("train-001").firmware.erased == (0, 1)
    entries = _evidence(tmp_path)
    assert [entry["drive"] for entry in entries if entry["kind"] == "erased"] == ["S0", "S1"]
    sent = [entry for entry in entries if entry["kind"] == "sent" and entry["status"]]
    assert [entry["request"].get("SanitizationType") for entry in sent] == [
        KINDS[policy] if name == "nvidia-gb" else None
    ] * 2
    kinds = [entry["kind"] for entry in entries]
    assert kinds[0] == "drives", "what the BMC says is stored before it is judged"
    assert "TaskState" in next(entry["document"] for entry in entries if entry["kind"] == "task")
    assert wipe(access, policy) == [], "a request is carried out once, whoever sends it again"
    assert wipe(access, policy, "run-2")[-1].startswith("2 drives are erased")
    assert live.machine("train-001").firmware.erased == (0, 1, 0, 1)


def test_what_broke_off_is_named_and_gone_on_with(
    serve: Callable[..., Any], wipe: Callable[..., list[str]], tmp_path: Path
) -> None:
    broken = FirmwareState(mishap="erase failed")
    live, access = serve(machine(dialect="nvidia-gb", system=DRIVES, firmware=broken))
    with pytest.raises(OutsideError) as error:
        wipe(access, "crypto-erase")
    assert "1 of 2 drives of train-001 are not erased: S0 (The task was aborted). The other 1 are erased (" in str(
        error.value
    )
    assert "`rackwright up SITE --wipe train-001` erases all of them again" in str(error.value)
    wipes = Wipes({"wipeRecords": str(tmp_path / "wipes")})
    assert "is not finished: 1 of 2 drives are erased; `rackwright up SITE --wipe" in wipes.left_open("train-001")[0]
    assert wipe(access, "crypto-erase", "run-2")[-1] == "2 drives are erased (crypto-erase): S0, S1"
    assert live.machine("train-001").firmware.erased == (1, 0, 1), "what S1 holds by now nobody knows"
    assert wipes.left_open("train-001") == []
    assert wipes.last_wipe("train-001")["wiped"].startswith("2 drives, crypto-erase, 20")
    assert wipe(access, "crypto-erase") == [], "the request that broke off is over with the one that went on"


def test_a_drive_that_is_not_read_back_is_not_called_unerased(
    serve: Callable[..., Any], wipe: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, access = serve(machine(dialect="nvidia-gb", system=DRIVES))

    async def silent(_: DriveEraser, drive: ErasableDrive) -> str:
        return "its BMC is silent" if drive.serial == "S0" else ""

    with monkeypatch.context() as patch:
        patch.setattr(DriveEraser, "_proven", silent)
        with pytest.raises(OutsideError) as error:
            wipe(access, "crypto-erase")
    expected = "1 of 2 drives of train-001 ended their erase and could not be read back afterwards, so nothing proves it: S0 (its BMC is silent)"
    assert expected in str(error.value)
    assert "not erased" not in str(error.value)
    assert "unproven" in [entry["kind"] for entry in _evidence(tmp_path)]
    assert wipe(access, "crypto-erase")[-1].startswith("2 drives are erased")
    assert live.machine("train-001").firmware.erased.count(0) == 1, "its task had ended: it is read back, no more"


@pytest.mark.parametrize(("request_name", "erased"), [("run-0", (0,)), ("run-1", (0, 0))])
def test_a_task_of_a_run_that_was_killed_is_waited_for(
    request_name: str,
    erased: tuple[int, ...],
    serve: Callable[..., Any],
    wipe: Callable[..., list[str]],
    tmp_path: Path,
) -> None:
    """It is the erase of its own request; another request erases what the drive holds by now."""
    live, access = serve(
        machine(dialect="nvidia-gb", system=DRIVES, firmware=FirmwareState(tasks=(UpdateTask(1, {}, drive=0),)))
    )
    (tmp_path / "wipes").mkdir()
    requested = {
        "at": "2026-11-27T10:00:00+00:00",
        "kind": "asked",
        "request": "run-0",
        "policy": "crypto-erase",
        "drives": [{"serial": "S0"}],
    }
    sent = {
        "at": "2026-11-27T10:00:01+00:00",
        "kind": "sent",
        "drive": "S0",
        "policy": "crypto-erase",
        "task": "/redfish/v1/TaskService/Tasks/1",
    }
    (tmp_path / "wipes" / "train-001.jsonl").write_text(f'{json.dumps(requested)}\n{json.dumps(sent)}\n{{"at": "20')
    assert wipe(access, "crypto-erase", request_name)[-1].startswith("2 drives are erased")
    assert live.machine("train-001").firmware.erased == (*erased, 1)


@pytest.mark.parametrize("name", ["", *dialects.names()])
def test_practice_is_what_bmcs_of_the_twin_do(
    name: str, serve: Callable[..., Any], wipe: Callable[..., list[str]]
) -> None:
    live, access = serve(machine(dialect=name, system=DRIVES))
    for policy in KINDS:
        offered = policy in setting_practice.of_dialect(name).erase
        with nullcontext() if offered else pytest.raises(OutsideError, match="no drive of train-001 was erased"):
            wipe(access, policy, policy)
    assert len(live.machine("train-001").firmware.erased) == 2 * len(setting_practice.of_dialect(name).erase)


def test_no_power_another_machine_or_no_folder_erases_nothing(
    serve: Callable[..., Any], wipe: Callable[..., list[str]]
) -> None:
    def stranger(_: Any) -> None:
        raise OutsideError("another machine answers")

    live, access = serve(machine(dialect="idrac", system=DRIVES, power_state="Off"))
    with pytest.raises(OutsideError, match="it is Off, and its drives have no power"):
        wipe(access, "crypto-erase")
    live.change("train-001", lambda now: replace(now, power_state="On"))
    with pytest.raises(OutsideError, match="another machine answers"):
        wipe(access, "crypto-erase", accept=stranger)
    declared = desired_machine(wipe="crypto-erase", erase="run-1")
    with pytest.raises(OutsideError, match="there is no folder for its evidence"):
        asyncio.run(Wipes({}).carry_out(declared, access, print, anyone))
    assert live.machine("train-001").firmware.erased == ()


def test_the_engine_sees_a_request_and_no_difference_after_it() -> None:
    inputs = wire.to_wire(desired_machine(wipe="crypto-erase"))
    state = {**inputs, "powerState": "On", "wiped": "2 drives"}
    assert provider.differs(state, inputs) == ([], [], [])
    assert provider.differs(state, {**inputs, "erase": "run-1"}).drifted == ["wiped"]
    assert provider.differs({**state, "erase": "run-1"}, inputs) == ([], [], [])
    unasked = wire.to_wire(desired_machine(erase="run-1"))
    assert [name for name, _ in wire.failures(unasked, set())] == ["erase"]
    assert [name for name, _ in wire.failures({**inputs, "wipe": "hammer"}, set())] == ["wipe"]
