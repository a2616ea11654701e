"""The build host and its programs. Packages are built on a host with the system of the nodes, because their libraries are its own."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from rackwright.base.errors import Problem
from rackwright.mirror.build.recipes import BuildNeed, Packager, Words, fill
from rackwright.mirror.programs import run_program
from rackwright.model.artifact import MACHINES, Architecture
from rackwright.model.software import RPM_SYSTEMS

INSTALL: dict[Packager, str] = {"dpkg": "apt-get install", "rpm": "dnf install"}
INSTALLED: dict[Packager, list[str]] = {
    "dpkg": ["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Version}\n"],
    "rpm": ["rpm", "--query", "--queryformat", "installed %{VERSION}-%{RELEASE}\n"],
}
"""The query of one package: whether it is installed, and at which version."""


@dataclass(frozen=True)
class BuildHost:
    """The machine that builds."""

    os: str
    """Operating system as a bill names it (``debian-12``)."""
    machine: str
    """As `uname -m` calls it."""

    @property
    def packager(self) -> Packager:
        """Kind of its packages: ``rpm`` or ``dpkg``."""
        return "rpm" if self.os in RPM_SYSTEMS else "dpkg"

    @property
    def architecture(self) -> Architecture | None:
        """Its architecture as Debian calls it; None for one that no node has."""
        return next((name for name, machine in MACHINES.items() if machine == self.machine), None)


def this_host() -> BuildHost:
    """The machine this runs on; its system is empty where ``/etc/os-release`` is missing."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    name, version = release.get("ID", ""), release.get("VERSION_ID", "")
    major = f"{name}-{version.split('.')[0]}"
    return BuildHost(major if major in RPM_SYSTEMS else f"{name}-{version}", platform.machine())


def lack(need: BuildNeed, words: Words, host: BuildHost, recipe: str) -> Problem | None:
    """Why the host does not meet `need` of `recipe`; None where it does."""
    wished = fill(need.version, words)
    package = fill(need.packages.get(host.packager, ""), words)
    subject = fill(need.program, words) or package
    version = _program_version(need, subject) if need.program else _package_version(package, host)
    if version is not None and (not wished or fnmatchcase(version, wished)):
        return None
    return Problem(
        place=f"recipe {recipe}",
        path="",
        message=f"the build host lacks {subject}" if version is None else f"the build host has another {subject}",
        expected=f"{subject} {wished}".strip(),
        found="none" if version is None else version or "no version that can be read",
        next_step=f"{INSTALL[host.packager]} {package.replace(' and ', ' ')}, or build on a host that has it; nothing was started",
        code="mirror.build_host",
    )


def _program_version(need: BuildNeed, program: str) -> str | None:
    """The version of a program; empty if no version is required or printed, None if the program is missing."""
    path = shutil.which(program)
    if path is None or not need.pattern:
        return None if path is None else ""
    printed = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace", check=False)
    version = re.search(need.pattern, printed.stdout + printed.stderr)
    return version[1] if version else ""


def _package_version(package: str, host: BuildHost) -> str | None:
    printed = run_program([*INSTALLED[host.packager], package]).stdout.decode(errors="replace")
    words = printed.split()
    return words[1] if len(words) > 1 and words[0] == "installed" else None


def multiarch(machine: str) -> str:
    """Debian's name of the folder of libraries (dpkg-architecture(1), DEB_HOST_MULTIARCH)."""
    return f"{machine}-linux-gnu"


def cuda_home(series: str, declared: str | None) -> str:
    """Folder of the CUDA toolkit: as declared, else where NVIDIA's packages install it."""
    return declared or str(Path("/usr/local") / f"cuda-{series}")
