"""Faults of the BMC, and what it reports about the machine."""

from __future__ import annotations

from rackwright.twin.faults.changes import RAIL, find_port, set_chassis, set_chassis_from, set_machine
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.parts.chassis import LogLine

YEAR_SECONDS = 365 * 86_400
FAULTS = (
    Fault(
        name="bios-old",
        summary="The BIOS is older than that of the peers",
        apply=set_machine(bios_version="1.5.2"),
        checks={"bmc.bios"},
        names={"1.5.2"},
    ),
    Fault(
        name="bmc-clock-behind",
        summary="The clock of the BMC is a year behind",
        apply=set_chassis(clock_offset_seconds=-YEAR_SECONDS),
        checks={"bmc.clock"},
        names={"365 days behind"},
    ),
    Fault(
        name="bmc-firmware-old",
        summary="The firmware of the BMC is older than that of the peers",
        apply=set_machine(bmc_version="24.01.05"),
        checks={"bmc.firmware"},
        names={"24.01.05"},
    ),
    Fault(
        name="bmc-health-critical",
        summary="The BMC reports critical health",
        apply=set_machine(health="Critical"),
        checks={"bmc.health"},
    ),
    # Its cables can be traced all the same: the host says the port GUIDs of its adapters.
    Fault(
        name="bmc-password-refused",
        summary="The BMC refuses the password",
        apply=set_machine(bmc_password_refused=True),
        checks={"bmc.*"},
        masks={"bmc.*", "ethernet.out_of_band"},
        unread=True,
    ),
    Fault(
        name="bmc-wrong-model",
        summary="The BMC reports another model than the design has",
        apply=set_machine(model="DGXA100"),
        checks={"bmc.model"},
    ),
    # A technician booted from the network and did not reset it.
    Fault(
        name="boot-override-left",
        summary="A boot override was left behind",
        apply=set_machine(boot_target="Pxe", boot_enabled="Continuous"),
        checks={"bmc.boot_override"},
        names={"Pxe"},
    ),
    Fault(
        name="cpu-unlisted",
        summary="The BMC counts only one processor",
        apply=set_chassis(cpus_listed=1),
        checks={"bmc.cpus"},
        names={"processors in the BMC's inventory: 1"},
    ),
    Fault(
        name="gpu-unlisted",
        summary="The BMC lists one accelerator fewer than there are",
        apply=set_chassis_from(lambda machine: {"gpus_unlisted": tuple(gpu.index for gpu in machine.gpus[-1:])}),
        checks={"bmc.gpus"},
        names={"inventory: {left[1]}"},
    ),
    Fault(
        name="machine-off",
        summary="The machine is switched off",
        apply=set_machine(power_state="Off"),
        checks={"bmc.power"},
        names={"Off"},
        masks={"*"},
        elsewhere={"nvlink.imex"},
        unread=True,
    ),
    Fault(
        name="memory-unlisted",
        summary="The BMC counts less memory than is fitted",
        apply=set_chassis_from(lambda machine: {"memory_gib_listed": machine.memory_gib * 15 // 16}),
        checks={"bmc.memory"},
        names={"{memory[1]}"},
    ),
    Fault(
        name="nic-exchanged",
        summary="The BMC still lists the adapter that was there before an exchange",
        apply=set_chassis_from(lambda machine: {"nics_exchanged": (find_port(machine, "compute", RAIL),)}),
        checks={"bmc.adapters"},
        names={"{compute[3]}"},
        reported="cards",
    ),
    Fault(
        name="nic-unlisted",
        summary="The BMC lists one adapter fewer than there are",
        apply=set_chassis_from(lambda machine: {"nics_unlisted": (find_port(machine, "compute", RAIL),)}),
        checks={"bmc.nics"},
        names={"{compute[3]}", "inventory: {listed[1]}"},
    ),
    Fault(
        name="sel-critical",
        summary="The event log of the BMC has a critical entry",
        apply=set_chassis(log=(LogLine("Critical", "Uncorrectable ECC error in P1_DIMM_B1"),)),
        checks={"bmc.sel"},
        names={"P1_DIMM_B1"},
    ),
    Fault(
        name="sel-warning",
        summary="The event log of the BMC has a warning",
        apply=set_chassis(log=(LogLine("Warning", "Fan 3 below its lower caution threshold"),)),
        checks={"bmc.sel"},
        names={"Fan 3"},
        refused=False,
    ),
    # The boards still have the serial number of the factory.
    Fault(
        name="serial-twice",
        summary="Two machines have one serial number",
        apply=set_machine(serial="0123456789"),
        checks={"bmc.serial"},
        names={"has as well"},
        nodes=2,
    ),
)
