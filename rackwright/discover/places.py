"""Where a machine sits: by the switch ports at which its cables end, else by the address at which it answers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.discover.machine import SweptMachine
from rackwright.discover.switch_tables import PortTable
from rackwright.discover.wiring import SlotWiring, SwitchPort


@dataclass(frozen=True)
class PluggedCable:
    """A cable of a machine, at its far end."""

    place: SwitchPort
    words: str
    """How it is known."""


@dataclass(frozen=True)
class MachinePlace:
    """Where a machine sits."""

    node: str = ""
    """Empty where nothing says so."""
    evidence: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    by_cable: bool = False
    """Whether a cable says so, and not the address alone."""


def place_of(
    machine: SweptMachine, wiring: SlotWiring, table: PortTable, lease_mac: str, nodes: Mapping[str, str]
) -> MachinePlace:
    """The slot in which most of its cables end; that of the address in `nodes` (address -> node) where no cable is known."""
    ends = list({end.place: end for end in reversed([*_cable_ends(machine, wiring, table, lease_mac)])}.values())[::-1]
    slots = [node for end in ends if (node := wiring.plugs.get(end.place))]
    foreign = tuple(
        f"{end.words}, where the plan has no machine: put the cable into its planned port"
        for end in ends
        if end.place not in wiring.plugs
    )
    if not slots:
        node = nodes.get(machine.address, "")
        evidence = (f"it answers at the address of {node}",) if node else ()
        return MachinePlace(node, evidence, foreign)
    node = Counter(slots).most_common(1)[0][0]
    agree = tuple(end.words for end in ends if wiring.plugs.get(end.place) == node)
    elsewhere = tuple(
        f"{end.words}, where the cable of {wiring.plugs[end.place]} belongs: put it into its planned port"
        for end in ends
        if wiring.plugs.get(end.place, node) != node
    )
    return MachinePlace(node, agree, elsewhere + foreign, by_cable=True)


def _cable_ends(machine: SweptMachine, wiring: SlotWiring, table: PortTable, lease_mac: str) -> Iterator[PluggedCable]:
    """The BMC's own cable first: where as many cables say one slot as the next, it decides."""
    for switch, port in machine.bmc_heard:
        yield PluggedCable(wiring.place(switch, port), f"its BMC hears {switch} port {port} (LLDP)")
    for mac in dict.fromkeys((*machine.bmc_macs, *([lease_mac] if lease_mac else []))):
        yield from _behind(mac, f"its BMC ({mac})", table)
    for switch, port in machine.heard:
        yield PluggedCable(wiring.place(switch, port), f"an adapter hears {switch} port {port} (LLDP)")
    for mac in dict.fromkeys(machine.macs):
        yield from _behind(mac, f"its adapter ({mac})", table)


def _behind(mac: str, subject: str, table: PortTable) -> Iterator[PluggedCable]:
    if mac in table:
        switch, port = table[mac]
        yield PluggedCable((switch, port), f"{subject} is behind {switch} port {port} (MAC table)")


def rivals(places: Sequence[MachinePlace]) -> set[int]:
    """Indexes of places by mere address in a slot for which a cable of another machine speaks."""
    held = {place.node for place in places if place.by_cable}
    return {at for at, place in enumerate(places) if not place.by_cable and place.node in held}
