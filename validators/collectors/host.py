"""Kernel, distribution, modules, kernel settings and limits of one host: one shell, one section per source.

Sections are ``== name`` lines; a source that the host lacks leaves its section empty (a kernel without modules).
The memory-lock limit is that of the probe's own login session, which is the one that a user's job session gets too.
"""

import shlex

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import Host

SETTINGS = r"^(vm|fs|kernel|net\.core|net\.ipv4\.(tcp_|conf\.(all|default)\.|neigh\.default\.))"
"""Which kernel settings are evidence: all that tuning guides name, none of those that exist once per interface."""

SCRIPT = "; ".join((
    "echo '== name'", "uname -n",
    "echo '== kernel'", "uname -r",
    "echo '== system'", "cat /etc/os-release",
    "echo '== cpus'", "getconf _NPROCESSORS_ONLN",
    "echo '== memory'", "cat /proc/meminfo",
    "echo '== modules'", "cat /proc/modules 2>/dev/null",
    "echo '== settings'", f"sysctl -a -r '{SETTINGS}' 2>/dev/null",
    "echo '== memlock'", "ulimit -S -l",
))  # fmt: skip

KIB = 1024

Section = list[tuple[int, str]]
"""(line number, text) of every line with something on it."""


def parse(output: str) -> Host:
    """All sections; the one-line ones must be there."""
    sections = _sections(output)
    system = _pairs(sections.get("system", []), "=")
    memory = _pairs(sections.get("memory", []), ":")
    return Host(
        hostname=_one(sections, "name")[1],
        kernel=_one(sections, "kernel")[1],
        os_id=shlex.split(system.get("ID", ""))[0] if system.get("ID") else "",
        os_version=shlex.split(system.get("VERSION_ID", ""))[0] if system.get("VERSION_ID") else "",
        cpus=_number(*_one(sections, "cpus")),
        memory_bytes=_number(1, memory.get("MemTotal", "").removesuffix("kB").strip()) * KIB,
        modules=[text.split()[0] for _, text in sections.get("modules", [])],
        sysctl=_pairs(sections.get("settings", []), " ="),
        memlock_limit_bytes=_limit(*_one(sections, "memlock")),
    )


def _sections(output: str) -> dict[str, Section]:
    sections: dict[str, Section] = {}
    current: Section = []
    for number, text in enumerate(output.splitlines(), start=1):
        if text.startswith("== "):
            current = sections.setdefault(text[3:].strip(), [])
        elif text.strip():
            current.append((number, text))
    return sections


def _one(sections: dict[str, Section], name: str) -> tuple[int, str]:
    lines = sections.get(name, [])
    if len(lines) != 1:
        number, text = lines[1] if lines else (1, "")
        raise ParseError(number, text, f"one line in section {name!r}")
    return lines[0][0], lines[0][1].strip()


def _pairs(lines: Section, separator: str) -> dict[str, str]:
    pairs = {}
    for number, text in lines:
        key, found, value = text.partition(separator)
        if not found:
            raise ParseError(number, text, f"a name, {separator!r} and a value")
        pairs[key.strip()] = value.strip()
    return pairs


def _number(line: int, text: str) -> int:
    if not text.isdecimal():
        raise ParseError(line, text, "a number")
    return int(text)


def _limit(line: int, text: str) -> int | None:
    return None if text == "unlimited" else _number(line, text) * KIB


COLLECTOR = Collector(
    produces=Host, parse=parse, seconds=20, roles=("accelerator", "slurm", "ufm"), command=("sh", "-c", SCRIPT)
)
