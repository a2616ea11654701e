"""Faults of memory modules and of the memory that the kernel manages."""

from __future__ import annotations

from rackwright.twin.faults.changes import set_dimm, set_system, set_system_from
from rackwright.twin.faults.fault import Fault

FAULTS = (
    # The firmware has mapped it out.
    Fault(
        name="dimm-missing",
        summary="A memory module is missing",
        apply=set_dimm(3, gib=0),
        checks={"bmc.memory", "memory.dimms"},
        names={"1984", "{dimm[3]}"},
    ),
    # The lowest step of DDR5 on 4th generation Xeon (Dell PowerEdge R860 manual: 4,800, 4,400 or 4,000 MT/s).
    Fault(
        name="dimm-slow",
        summary="A memory module runs below its rating",
        apply=set_dimm(23, running_mts=4000),
        checks={"memory.speed"},
        names={"{dimm[23]}"},
    ),
    Fault(
        name="dimm-uncorrectable",
        summary="A memory module had an error that it could not correct",
        apply=set_dimm(0, uncorrected=1),
        checks={"memory.ecc"},
        names={"{dimm[0]}"},
    ),
    Fault(
        name="dimm-weak",
        summary="A memory module corrects many errors",
        apply=set_dimm(20, corrected=4711),
        checks={"memory.ecc"},
        names={"{dimm[20]}"},
    ),
    # 32 GiB, fitted at a repair.
    Fault(
        name="dimm-wrong-size",
        summary="A memory module of another size was fitted",
        apply=set_dimm(8, gib=32),
        checks={"memory.dimms"},
        names={"{dimm[8]}"},
    ),
    Fault(
        name="hugepages-off",
        summary="Transparent huge pages are off",
        apply=set_system(transparent_hugepages="never"),
        checks={"host.hugepages"},
        names={"never"},
        refused=False,
    ),
    Fault(
        name="hugepages-reserved",
        summary="Memory was left reserved as huge pages",
        apply=set_system(hugepages={"hugepages-2048kB": 65_536}),
        checks={"host.hugepages"},
        names={"65536"},
        refused=False,
    ),
    # A kernel argument reserves 256 GiB.
    Fault(
        name="memory-hidden",
        summary="The kernel lacks memory that is fitted",
        apply=set_system(memory_lost_gib=256),
        checks={"memory.total"},
        names={"GiB"},
    ),
    Fault(
        name="numa-balancing-on",
        summary="Automatic NUMA balancing is on",
        apply=set_system_from(lambda machine: {"sysctl": {**machine.system.sysctl, "kernel.numa_balancing": "1"}}),
        checks={"host.sysctl"},
        names={"kernel.numa_balancing"},
        refused=False,
    ),
    Fault(
        name="shared-memory-small",
        summary="Shared memory (/dev/shm) is limited to 64 MiB",
        apply=set_system(shm_bytes=64 * 2**20),
        checks={"host.shared_memory"},
        names={"0.1 GiB"},
    ),
    Fault(
        name="socket-without-memory",
        summary="One socket has no memory of its own",
        apply=set_system(empty_numa_node=1),
        checks={"memory.numa"},
        names={"node1"},
    ),
)
