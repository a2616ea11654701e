"""A network namespace of this process's own, in which BMCs and boot server have the addresses of the design and the machines a network to boot from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

INSIDE = "RACKWRIGHT_KILLING_INSIDE"
SERVER_PORT, MACHINE_PORT = "boot0", "machines0"
"""The two ends of the in-band network."""


def enter() -> None:
    """Start this program again in a namespace that has nothing but these; returns inside of it. It ends with its last process."""
    if INSIDE not in os.environ:
        words = ["unshare", "--net", sys.executable, "-m", "benchmarks.killing", *sys.argv[1:]]
        os.execvpe(words[0], words, {**os.environ, INSIDE: "1"})  # noqa: S606 - it is this program
    for words in (
        "link set lo up",
        "route add local 10.64.0.0/16 dev lo",  # every address of the design is one of this computer
        "route add local 10.64.0.0/23 dev lo",  # those of the in-band network as well, whose own route is shorter
        f"link add {SERVER_PORT} type veth peer name {MACHINE_PORT}",
        f"address add 10.64.0.2/22 dev {SERVER_PORT}",
        f"link set {SERVER_PORT} up",
        f"link set {MACHINE_PORT} up",
    ):
        subprocess.run(["ip", *words.split()], check=True)
    for name in ("all", SERVER_PORT, MACHINE_PORT):  # both ends are this computer's
        for setting, value in (("rp_filter", "0"), ("accept_local", "1")):
            Path(f"/proc/sys/net/ipv4/conf/{name}/{setting}").write_text(value)
