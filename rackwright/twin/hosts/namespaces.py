"""Runs a rackwright command inside the namespaces of a twin, or explains in one sentence what is missing.

The namespaces end with the process that the user started: see `guest.supervise`.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rackwright.base.errors import UsageError

MARK = "RACKWRIGHT_INSIDE_TWIN"
"""Variable with the name of the twin, in processes that run inside its namespaces."""
PROGRAMS = {
    "ip": "iproute2",
    "sshd": "openssh-server",
    "ssh-keygen": "openssh-client",
    "nsenter": "util-linux",
    "chronyd": "chrony",
    "ibsim": "ibsim-utils",
    "opensm": "opensm",
    "ibnetdiscover": "infiniband-diags",
    "modprobe": "kmod",
    "lspci": "pciutils",
    "openssl": "openssl",
}
"""Programs that every twin runs, with their Debian packages."""
GUEST_PYTHON = Path("/usr/bin/python3")
_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from guest import {0}; sys.exit({0}.main({1}))"


def inside(environment: Mapping[str, str]) -> bool:
    """True when this process already runs inside a twin's namespaces."""
    return bool(twin_name(environment))


def twin_name(environment: Mapping[str, str]) -> str:
    """The name of the twin inside which this process runs, unique to its namespaces; empty outside of twins."""
    return environment.get(MARK, "")


def reexec(argv: Sequence[str]) -> None:
    """Replace this process by ``rackwright ARGV`` inside new namespaces; UsageError when this machine cannot do that."""
    missing = obstacle(sys.platform, os.geteuid(), os.environ.get("PATH", os.defpath))
    if missing:
        raise UsageError(missing)
    command = [sys.executable, "-m", "rackwright", *argv]
    os.environ[MARK] = f"{socket.gethostname()}-{secrets.token_hex(4)}"
    sys.stdout.flush()
    sys.stderr.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # held until `guest.supervise` listens, else it is lost
    os.execv(sys.executable, launch("supervise", "sys.argv[1:]", *command))  # noqa: S606 - an argument list


def launch(program: str, arguments: str = "", *words: str) -> list[str]:
    """The command line that runs ``guest/PROGRAM.py`` on this Python, without the rackwright package and site-packages."""
    folder = str(Path(__file__).resolve().parent.parent)
    return [sys.executable, "-S", "-E", "-c", _START.format(program, arguments), folder, *words]


def obstacle(platform: str, euid: int, path: str, search: str = "/usr/local/sbin:/usr/sbin:/sbin") -> str:
    """One sentence on why this machine cannot run a twin, empty when it can; searches programs on `path` and `search`."""
    if platform != "linux":
        return (
            f"a twin needs Linux with network and mount namespaces, and this is {platform}: "
            "run it on a Debian 12 machine (`rackwright check` and `rackwright design` work here)"
        )
    if euid != 0:
        return (
            "a twin makes network and mount namespaces and needs root for that: run the command with sudo "
            "(`rackwright check` and `rackwright design` need no root)"
        )
    everywhere = f"{path}:{search}"
    missing = {package for program, package in PROGRAMS.items() if not shutil.which(program, path=everywhere)}
    missing |= set() if GUEST_PYTHON.exists() else {"python3"}
    if missing:
        return f"a twin needs programs that are not installed: run `apt-get install {' '.join(sorted(missing))}`"
    return _kernel_obstacle()


def _kernel_obstacle() -> str:
    capabilities = _effective_capabilities(Path("/proc/self/status").read_text(encoding="ascii"))
    if not capabilities >> 21 & 1:  # CAP_SYS_ADMIN
        return (
            "a twin needs the right to make namespaces (CAP_SYS_ADMIN), which this container does not give: "
            "run it on a machine of its own, or start the container with --privileged"
        )
    if "\toverlay\n" not in Path("/proc/filesystems").read_text(encoding="ascii") and not _module("overlay"):
        return "a twin needs the overlay file system of the Linux kernel: load it with `modprobe overlay`"
    return ""


def _module(name: str) -> bool:
    """True when the kernel can load `name` on first use."""
    return any(Path("/lib/modules", os.uname().release).rglob(f"{name}.ko*"))


def _effective_capabilities(status: str) -> int:
    line = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return int(line.split()[1], 16)


def listen_to_interrupts() -> None:
    """Make Ctrl-C interrupt any wait of the main thread again.

    Polars installs a signal handler in front of Python's, with restarting system calls; a signal sent to this process alone would be
    noticed only after the program it waits for has ended.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)
