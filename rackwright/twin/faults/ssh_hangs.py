"""The SSH server accepts connections and says nothing."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="ssh-hangs",
    summary="The SSH server accepts connections and says nothing",
    apply=on_machines(lambda machine: replace(machine, ssh_hangs=True)),
    checks=frozenset({"gpu.*", "nvlink.*", "pcie.*", "host.*", "software.*", "clock.*"}),
    unread=True,
    masks=frozenset({"[!b]*", "burn.*"}),
)
