"""How far a boot is, as BMCs of each dialect say it: sentences when it changes, stored first, and explained where it does not go on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.redfish import boot_stages, boot_watch
from rackwright.redfish.boot_watch import BootWatch, SeenBoot
from rackwright.redfish.machine_record import MachineRecord
from rackwright.redfish.resources.boot_progress import BootProgress
from rackwright.twin.bmc import dialects
from rackwright.twin.hardware.parts.bios import BiosState

from .conftest import PORT, machine

STAGES = (
    "None", "PrimaryProcessorInitializationStarted", "BusInitializationStarted", "MemoryInitializationStarted",
    "SecondaryProcessorInitializationStarted", "PCIResourceConfigStarted", "SystemHardwareInitializationComplete",
    "SetupEntered", "OSBootStarted", "OSRunning", "OEM",
)  # fmt: skip
"""DMTF, ComputerSystem.v1_23_0.json, BootProgressTypes."""


def boot_at(stage: str = "", power: str = "On", **more: str) -> SeenBoot:
    document = {"@odata.id": "/redfish/v1/Systems/1", "PowerState": power}
    document |= {"BootProgress": {"LastState": stage, **more}} if stage else {}  # type: ignore[dict-item]
    return SeenBoot(power, BootProgress.of(document), document)


@pytest.fixture
def watch(tmp_path: Path) -> Callable[..., list[str]]:
    """Looks at what BMCs say every `pause` seconds; what is sentences, and at the end how it is explained."""

    def run(*answers: SeenBoot | OutsideError | None, pause: float = boot_watch.LOOK_SECONDS) -> list[str]:
        now, rest = [0.0], list(answers)

        async def look() -> SeenBoot | None:
            answer = rest.pop(0)
            if isinstance(answer, OutsideError):
                raise answer
            return answer

        async def play() -> list[str]:
            watched = BootWatch(look, MachineRecord(tmp_path, "train-001.boot"), lambda: now[0])
            sentences = []
            for _ in answers:
                sentences.append(await watched.news())
                now[0] += pause
            return [*sentences, watched.stopped()]

        return asyncio.run(play())

    return run


def test_every_stage_of_the_schema_has_a_next_step() -> None:
    assert tuple(boot_stages.load()) == STAGES
    assert boot_stages.advice("ofTomorrow") == boot_stages.advice("OEM")


def test_a_new_stage_is_told_once_and_the_last_one_is_explained(
    watch: Callable[..., list[str]], tmp_path: Path
) -> None:
    trained, silent = boot_at("MemoryInitializationStarted"), OutsideError("busy")
    sentences = watch(
        boot_at("None", "Off"),
        boot_at("None"),
        trained,
        trained,
        silent,
        boot_at("MemoryInitializationStarted", LastStateTime="1970"),
    )
    assert sentences[:-1] == [
        "its BMC says Off",
        "its boot is at None",
        "its boot is at MemoryInitializationStarted",
        "",
        "",
        "",
    ]
    assert sentences[-1].startswith(
        "its boot is at MemoryInitializationStarted for 40 s: its memory is being trained"
    ), "by this clock: that of a BMC may be wrong"
    lines = [json.loads(line) for line in (tmp_path / "train-001.boot.jsonl").read_text().splitlines()]
    memory = "MemoryInitializationStarted"
    assert [line["BootProgress"]["LastState"] for line in lines] == ["None", "None", memory, memory]


def test_a_maker_has_words_of_his_own_and_a_bmc_may_say_nothing(watch: Callable[..., list[str]]) -> None:
    assert watch(boot_at("OEM", OemLastState="UEFI"))[0] == "its boot is at OEM (UEFI)"
    assert watch(boot_at()) == ["", ""], "nothing is made up"
    assert watch(None, OutsideError("gone")) == ["", "", ""]
    assert watch(boot_at("None", "Off"))[1] == "its BMC says Off for 10 s: power it on"
    assert watch(boot_at("None"), boot_at("OSRunning"), pause=1.0)[1] == "", (
        "a session of the BMC is not opened every second"
    )


@pytest.mark.parametrize("name", ["", *dialects.names()])
def test_bmcs_of_the_twin_say_it_where_their_makers_do(name: str, serve: Callable[..., Any]) -> None:
    spoken = dialects.load(name).boot if name else None
    stuck = BiosState(stage="MemoryInitializationStarted")
    live, access = serve(machine(dialect=name, bios=stuck))
    answer = asyncio.run(boot_watch.look(f"127.0.0.11:{PORT}", access))
    assert (answer.progress and answer.progress.stage) == (spoken and "MemoryInitializationStarted")
    assert bool(answer.progress and answer.progress.since) == bool(spoken and spoken.time)
    live.power("train-001", on=False)
    answer = asyncio.run(boot_watch.look(f"127.0.0.11:{PORT}", access))
    assert (answer.power_state, answer.progress and answer.progress.stage) == ("Off", spoken and spoken.off)
