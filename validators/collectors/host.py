"""Kernel, distribution, modules, kernel settings and limits of one host: one shell, one section per source.

Sections are ``== name`` lines; a source that the host lacks leaves its section empty (a kernel without modules).
The memory-lock limit is that of the probe's own login session, which is the one that a user's job session gets too.
"""

import shlex
from functools import lru_cache

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import sections
from rackwright.model.evidence.host import Host

SETTINGS = r"^(vm|fs|kernel|net\.core|net\.ipv4\.(tcp_|conf\.(all|default)\.|neigh\.default\.))"
"""Which kernel settings are evidence: all that tuning guides name, none of those that exist once per interface."""

SCRIPT = "; ".join((
    "echo '== name'", "uname -n",
    "echo '== kernel'", "uname -r",
    "echo '== system'", "cat /etc/os-release",
    "echo '== dgx'", "cat /etc/dgx-release 2>/dev/null",
    "echo '== cpus'", "getconf _NPROCESSORS_ONLN",
    "echo '== memory'", "cat /proc/meminfo",
    "echo '== modules'", "cat /proc/modules 2>/dev/null",
    "echo '== settings'", f"sysctl -a -r '{SETTINGS}' 2>/dev/null",
    "echo '== memlock'", "ulimit -S -l",
    "echo '== boot'", "cat /proc/sys/kernel/random/boot_id 2>/dev/null",
))  # fmt: skip

KIB = 1024

Sections = dict[str, list[str]]


def parse(output: str) -> Host:
    """All sections; the one-line ones must be there."""
    parts = sections.read(output)
    system = _system(output, parts)
    memory = _pairs(output, parts, "memory", ":")
    return Host(
        hostname=_single_line(output, parts, "name"),
        kernel=_single_line(output, parts, "kernel"),
        os_id=_word(system.get("ID", "")),
        os_version=_word(system.get("VERSION_ID", "")),
        cpus=_number(output, "cpus", _single_line(output, parts, "cpus")),
        memory_bytes=_number(output, "memory", memory.get("MemTotal", "").removesuffix("kB").strip()) * KIB,
        modules=[text.split(maxsplit=1)[0] for text in parts.get("modules", [])],
        sysctl=_pairs(output, parts, "settings", " ="),
        memlock_limit_bytes=_limit(output, _single_line(output, parts, "memlock")),
        boot_id=_single_line(output, parts, "boot") if parts.get("boot") else None,
    )


def _system(output: str, parts: Sections) -> dict[str, str]:
    """os-release; of DGX OS, which is Ubuntu there, the release of /etc/dgx-release: that of its last update, else that of its image."""
    dgx = _pairs(output, parts, "dgx", "=")
    release = dgx.get("DGX_OTA_VERSION") or dgx.get("DGX_SWBUILD_VERSION")
    return {"ID": "dgx-os", "VERSION_ID": release} if release else _pairs(output, parts, "system", "=")


@lru_cache(maxsize=256)
def _word(quoted: str) -> str:
    """The value as a shell reads it; `shlex` takes longer for one word than parsing all other output."""
    return shlex.split(quoted)[0] if quoted else ""


def _single_line(output: str, parts: Sections, name: str) -> str:
    """The only line of a section."""
    lines = parts.get(name, [])
    if len(lines) != 1:
        number = sections.number(output, name, 1) if lines else 1
        raise ParseError(number, lines[1] if lines else "", f"one line in section {name!r}")
    return lines[0].strip()


def _pairs(output: str, parts: Sections, name: str, separator: str) -> dict[str, str]:
    pairs = {}
    for index, text in enumerate(parts.get(name, [])):
        key, stands, value = text.partition(separator)
        if not stands:
            raise ParseError(sections.number(output, name, index), text, f"a name, {separator!r} and a value")
        pairs[key.strip()] = value.strip()
    return pairs


def _number(output: str, name: str, text: str) -> int:
    """`text` is the first line of section `name`."""
    if not text.isdecimal():
        raise ParseError(sections.number(output, name, 0), text, "a number")
    return int(text)


def _limit(output: str, text: str) -> int | None:
    return None if text == "unlimited" else _number(output, "memlock", text) * KIB


COLLECTOR = Collector(
    produces=Host, parse=parse, seconds=20, roles=("accelerator", "slurm", "ufm"), command=("sh", "-c", SCRIPT)
)
