"""Faults of the operating system: name, release, units, limits of a session."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_machine, set_system
from rackwright.twin.faults.fault import Fault

FAULTS = (
    # The default of the kernel.
    Fault(
        name="memlock-default",
        summary="Locked memory is limited to 8 MiB",
        apply=set_system(memlock_kib=8192),
        checks={"host.memlock"},
        names={"locked memory"},
    ),
    # The default of the distribution.
    Fault(
        name="open-files-default",
        summary="A session may open 1,024 files",
        apply=set_system(open_files=1024),
        checks={"host.open_files"},
        names={"1024"},
    ),
    Fault(
        name="other-system",
        summary="Another operating system is installed",
        apply=set_system(system="debian-11"),
        checks={"host.system"},
        names={"debian-11"},
    ),
    Fault(
        name="ssh-hangs",
        summary="The SSH server accepts connections and says nothing",
        apply=set_machine(ssh_hangs=True),
        checks={"gpu.*", "nvlink.*", "pcie.*", "host.*", "software.*", "clock.*"},
        masks={"[!b]*", "burn.*", "bmc.adapters"},
        unread=True,
    ),
    # The default of the distribution.
    Fault(
        name="stack-default",
        summary="The stack is limited to 8 MiB",
        apply=set_system(stack_kib=8192),
        checks={"host.stack"},
        names={"stack"},
        refused=False,
    ),
    Fault(
        name="unit-failed",
        summary="The unit that mounts a file system has failed",
        apply=set_system(failed_units=("mnt-scratch.mount",)),
        checks={"host.failed_units"},
        names={"mnt-scratch.mount"},
    ),
    Fault(
        name="wrong-name",
        summary="The host has the name of another node",
        apply=set_system(hostname="train-030"),
        checks={"host.name"},
        names={"train-030"},
    ),
)
