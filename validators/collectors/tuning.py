"""Settings of the kernel and counters of the main board: files below /proc and /sys, found and read in one call.

One line per file: how often the value occurs, the file, the value, with tabs between. Files that every CPU has are counted
by value, so that a node of 256 CPUs says in ten lines what it would say in a thousand. A file that this kernel lacks is left out.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.tuning import MemoryErrors, Shared, Tuning

FOLDERS = (
    "/proc/cmdline", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/kernel/mm/hugepages", "/sys/devices/system/cpu",
    "/sys/devices/system/node", "/sys/devices/system/edac/mc", "/sys/fs/pstore", "/var/lib/systemd/pstore",
)  # fmt: skip
FILES = (
    "cmdline", "enabled", "nr_hugepages", "scaling_governor", "scaling_max_freq", "cpuinfo_max_freq", "version", "meminfo",
    "dimm_label", "dimm_ce_count", "dimm_ue_count",
)  # fmt: skip
PROGRAM = (
    "FILENAME ~ /meminfo$/ && $0 !~ /MemTotal/ { next } FILENAME !~ /meminfo$/ && FNR > 1 { next } "
    '{ k = FILENAME "\\t" $0 } FILENAME ~ /system\\/cpu\\// { n = split(FILENAME, p, "/"); k = p[n] "\\t" $0 } '
    '!(k in c) { f[++m] = k; first[k] = FILENAME "\\t" $0 } { c[k]++ } '
    'END { for (i = 1; i <= m; i++) print c[f[i]] "\\t" first[f[i]] }'
)
"""For awk: the first line of each file (the total of a NUMA node's memory), the files of CPUs counted by value."""
NAMED = [word for name in FILES for word in ("-o", "-name", name)][1:]
COMMAND = (
    "find", *FOLDERS, "-maxdepth", "3", "(", "-path", "*/pstore/*", "-print", ")", "-o",
    "-type", "f", "(", *NAMED, ")", "-exec", "awk", PROGRAM, "{}", "+",
)  # fmt: skip

CPU = re.compile(r"/sys/devices/system/cpu/(?:cpufreq/)?((?:cpu|policy)\d+)/(?:microcode/)?\w+$")
POOL = re.compile(r"/sys/kernel/mm/hugepages/(hugepages-\d+kB)/nr_hugepages$")
NODE = re.compile(r"/sys/devices/system/node/(node\d+)/meminfo$")
DIMM = re.compile(r"/sys/devices/system/edac/mc/(mc\d+/(?:dimm|rank)\d+)/(dimm_label|dimm_ce_count|dimm_ue_count)$")
TOTAL = re.compile(r"MemTotal:\s*(\d+) kB$")
BY_CPU = {
    "scaling_governor": "governors",
    "scaling_max_freq": "ceilings",
    "cpuinfo_max_freq": "highest",
    "version": "microcode",
}
COLUMNS = 3
KIB = 1024


def parse(output: str) -> Tuning:
    """Every known file of the listing; the command line of the kernel is on every Linux and must be there."""
    crashes = [line.strip() for line in output.splitlines() if "/pstore/" in line and "\t" not in line]
    rows = [
        _row(number, line)
        for number, line in enumerate(output.splitlines(), start=1)
        if line.strip() and line.strip() not in crashes
    ]
    files = {path: value for _, path, value in rows}
    if "/proc/cmdline" not in files:
        raise ParseError(1, output, "/proc/cmdline, which every Linux has")
    mode = re.search(r"\[(\w+)\]", files.get("/sys/kernel/mm/transparent_hugepage/enabled", ""))
    return Tuning(
        command_line=files["/proc/cmdline"].strip(),
        transparent_hugepages=mode[1] if mode else None,
        hugepages={match[1]: _number(value) for path, value in files.items() if (match := POOL.match(path))},
        **{field: _shared(rows, file) for file, field in BY_CPU.items()},
        numa_memory={match[1]: _total(value) for path, value in files.items() if (match := NODE.match(path))},
        memory_errors=_errors(files),
        crash_dumps=crashes,
    )


def _row(number: int, line: str) -> tuple[int, str, str]:
    fields = line.split("\t", maxsplit=COLUMNS - 1)
    if len(fields) != COLUMNS or not fields[0].isdecimal():
        raise ParseError(number, line, "a count, a file and its value with tabs between")
    return int(fields[0]), fields[1], fields[2]


def _shared(rows: list[tuple[int, str, str]], file: str) -> list[Shared]:
    matches = [(CPU.match(path), count, value) for count, path, value in rows if path.endswith(f"/{file}")]
    return [Shared(value=value.strip(), cpus=count, first=place[1]) for place, count, value in matches if place]


def _errors(files: dict[str, str]) -> list[MemoryErrors]:
    modules: dict[str, dict[str, str]] = {}
    for path, value in files.items():
        if match := DIMM.match(path):
            modules.setdefault(match[1], {})[match[2]] = value.strip()
    return [
        MemoryErrors(
            label=counts.get("dimm_label") or place,
            corrected=_number(counts.get("dimm_ce_count", "")),
            uncorrected=_number(counts.get("dimm_ue_count", "")),
        )
        for place, counts in modules.items()
    ]


def _total(value: str) -> int:
    match = TOTAL.search(value)
    return _number(match[1] if match else value) * KIB


def _number(value: str) -> int:
    if not value.strip().isdecimal():
        raise ParseError(1, value, "a number as the value of a counter")
    return int(value)


COLLECTOR = Collector(
    produces=Tuning,
    parse=parse,
    as_root=True,
    seconds=20,
    roles=("accelerator", "slurm"),
    command=COMMAND,
    accepts=(0, 1),
)
