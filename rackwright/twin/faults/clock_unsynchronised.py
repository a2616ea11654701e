"""The node gets no answer from its time server."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines

FAULT = Fault(
    name="clock-unsynchronised",
    summary="The node gets no answer from its time server",
    apply=on_machines(lambda machine: replace(machine, ntp_unreachable=True)),
    checks=frozenset({"clock.synchronised", "clock.offset"}),
    masks=frozenset({"clock.offset", "clock.sources"}),
)
