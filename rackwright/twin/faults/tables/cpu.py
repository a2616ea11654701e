"""Faults of processors."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_system, set_system_from
from rackwright.twin.faults.fault import Fault

FAULTS = (
    # In the firmware.
    Fault(
        name="cpu-cores-off",
        summary="Half of the cores of each processor are switched off",
        apply=set_system_from(lambda machine: {"cores_per_socket": machine.system.cores_per_socket // 2}),
        checks={"cpu.cores"},
        names={"cores of a socket"},
    ),
    # The firmware has disabled it.
    Fault(
        name="cpu-lost",
        summary="One of two processors is gone",
        apply=set_system(sockets=1),
        checks={"cpu.sockets"},
        names={"sockets: 1"},
    ),
    Fault(
        name="cpu-offline",
        summary="One logical CPU is switched off",
        apply=set_system(offline_cpus=(17,)),
        checks={"cpu.online"},
        names={"CPU 17"},
    ),
    Fault(
        name="frequency-capped",
        summary="The clock of the CPUs is capped at 2 GHz",
        apply=set_system(ceiling_khz=2_000_000),
        checks={"cpu.frequency"},
        names={"2000000"},
        refused=False,
    ),
    Fault(
        name="governor-powersave",
        summary="Two CPUs run with a governor that saves power",
        apply=set_system(slow_cpus=(17, 18)),
        checks={"cpu.governor"},
        names={"policy17"},
        refused=False,
    ),
    Fault(
        name="machine-check",
        summary="A processor has reported an error that it could not correct",
        apply=set_system(machine_checks=((12, 5, "bea0000000000108", False),)),
        checks={"kernel.machine_checks"},
        names={"CPU 12 bank 5"},
    ),
    Fault(
        name="machine-check-corrected",
        summary="A bank of a processor corrects errors all the time",
        apply=set_system(machine_checks=((0, 7, "8c00004000010091", True),) * 40),
        checks={"kernel.machine_checks"},
        names={"CPU 0 bank 7"},
    ),
    Fault(
        name="microcode-old",
        summary="The microcode is older than that of the peers",
        apply=set_system(microcode="0x2b000571"),
        checks={"cpu.microcode"},
        names={"0x2b000571"},
    ),
)
