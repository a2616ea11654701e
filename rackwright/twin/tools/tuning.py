"""What the files below /proc and /sys say on a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.tuning import MemoryErrors, Shared, Tuning
from rackwright.twin.hardware.parts import kernel
from rackwright.twin.hardware.parts.system import GIB, SPARE_SHARE, SystemReadings
from rackwright.twin.hardware.state import State

ANSWERED = True
POWERSAVE = "powersave"
POOLS = ("hugepages-2048kB", "hugepages-1048576kB")
CPU = "/sys/devices/system/cpu"
MODES = ("always", "madvise", "never")
KIB = 1024


def observe(state: State, design: Design, node: str) -> Tuning:
    """Settings of the node's kernel; CPUs in `slow_cpus` differ from the rest."""
    machine, bill = state.machines[node], design.site.software.bill(design.node(node).pool)
    system = machine.system
    extra = bill.options.get("boot_cmdline_extra", [])
    arguments = " ".join([system.command_line, *map(str, extra)])
    cpus = system.sockets * system.cores_per_socket * system.threads_per_core
    return Tuning(
        command_line=f"BOOT_IMAGE=/boot/vmlinuz-{kernel.running(machine, bill)} root=UUID=0d0ee4b2 ro {arguments}".strip(),
        transparent_hugepages=system.transparent_hugepages,
        hugepages=dict.fromkeys(POOLS, 0) | system.hugepages,
        governors=_split(cpus, system, system.governor, POWERSAVE, "policy"),
        ceilings=[Shared(value=str(system.ceiling_khz), cpus=cpus, first="policy0")],
        highest=[Shared(value=str(system.highest_khz), cpus=cpus, first="policy0")],
        microcode=[Shared(value=system.microcode, cpus=cpus, first="cpu0")],
        numa_memory=_numa(system),
        memory_errors=[
            MemoryErrors(label=dimm.slot, corrected=dimm.corrected, uncorrected=dimm.uncorrected)
            for dimm in system.dimms
            if dimm.gib
        ],
        crash_dumps=list(system.crash_dumps),
    )


def _split(cpus: int, system: SystemReadings, usual: str, differing: str, place: str) -> list[Shared]:
    slow = [number for number in system.slow_cpus if number < cpus]
    first = next(number for number in range(cpus) if number not in slow)
    shares = [Shared(value=usual, cpus=cpus - len(slow), first=f"{place}{first}")]
    return shares + ([Shared(value=differing, cpus=len(slow), first=f"{place}{slow[0]}")] if slow else [])


def _numa(system: SystemReadings) -> dict[str, int]:
    total = sum(dimm.gib for dimm in system.dimms) - system.memory_lost_gib
    each = int(total * SPARE_SHARE * GIB / system.sockets) // 1024 * 1024
    return {f"node{number}": 0 if number == system.empty_numa_node else each for number in range(system.sockets)}


def render(record: Tuning) -> bytes:
    """The listing that the collector parses to `record`; memory comes in KiB and must be whole ones."""
    files = {"/proc/cmdline": record.command_line or ""}
    if record.transparent_hugepages:
        modes = (f"[{mode}]" if mode == record.transparent_hugepages else mode for mode in MODES)
        files["/sys/kernel/mm/transparent_hugepage/enabled"] = " ".join(modes)
    files |= {f"/sys/kernel/mm/hugepages/{pool}/nr_hugepages": str(pages) for pool, pages in record.hugepages.items()}
    lines = [f"1\t{path}\t{value}" for path, value in files.items()]
    for kind, shares in (("scaling_governor", record.governors), ("scaling_max_freq", record.ceilings)):
        lines += _of_cpus(shares, f"cpufreq/{{}}/{kind}")
    lines += _of_cpus(record.highest, "cpufreq/{}/cpuinfo_max_freq") + _of_cpus(
        record.microcode, "{}/microcode/version"
    )
    for number, (node, size) in enumerate(record.numa_memory.items()):
        lines.append(f"1\t/sys/devices/system/node/{node}/meminfo\tNode {number} MemTotal:       {size // KIB} kB")
    for number, module in enumerate(record.memory_errors):
        place = f"/sys/devices/system/edac/mc/mc0/dimm{number}"
        counted = {"dimm_label": module.label, "dimm_ce_count": module.corrected, "dimm_ue_count": module.uncorrected}
        lines += [f"1\t{place}/{file}\t{value}" for file, value in counted.items()]
    return "".join(f"{line}\n" for line in [*lines, *record.crash_dumps]).encode()


def _of_cpus(shares: list[Shared], path: str) -> list[str]:
    return [f"{share.cpus}\t{CPU}/{path.format(share.first)}\t{share.value}" for share in shares]
