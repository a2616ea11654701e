"""Prints settings as the command of `tuning` does, with files around ours that it finds as well."""

from rackwright.model.evidence.tuning import Shared, Tuning

CPU = "/sys/devices/system/cpu"
MODES = ("always", "madvise", "never")
KIB = 1024


def render(seen: Tuning) -> bytes:
    """The listing whose parse is `seen`; memory comes in KiB and must be whole ones."""
    files = {"/proc/cmdline": seen.command_line or ""}
    if seen.transparent_hugepages:
        shown = (f"[{mode}]" if mode == seen.transparent_hugepages else mode for mode in MODES)
        files["/sys/kernel/mm/transparent_hugepage/enabled"] = " ".join(shown)
    files |= {f"/sys/kernel/mm/hugepages/{pool}/nr_hugepages": str(pages) for pool, pages in seen.hugepages.items()}
    lines = [f"1\t{path}\t{value}" for path, value in files.items()]
    for kind, found in (("scaling_governor", seen.governors), ("scaling_max_freq", seen.ceilings)):
        lines += _of_cpus(found, f"cpufreq/{{}}/{kind}")
    lines += _of_cpus(seen.highest, "cpufreq/{}/cpuinfo_max_freq") + _of_cpus(seen.microcode, "{}/microcode/version")
    for number, (node, size) in enumerate(seen.numa_memory.items()):
        lines.append(f"1\t/sys/devices/system/node/{node}/meminfo\tNode {number} MemTotal:       {size // KIB} kB")
    for number, module in enumerate(seen.memory_errors):
        place = f"/sys/devices/system/edac/mc/mc0/dimm{number}"
        counted = {"dimm_label": module.label, "dimm_ce_count": module.corrected, "dimm_ue_count": module.uncorrected}
        lines += [f"1\t{place}/{file}\t{value}" for file, value in counted.items()]
    return "".join(f"{line}\n" for line in [*lines, *seen.crash_dumps]).encode()


def _of_cpus(found: list[Shared], path: str) -> list[str]:
    return [f"{one.cpus}\t{CPU}/{path.format(one.first)}\t{one.value}" for one in found]
