"""Wires one kind of rack: circuits, phases and outlets of every supply.

Reserved places are wired too, so that adding a device moves no cord. A rack gets as many circuits per feed as it needs after
any loss that must be survived, in sum and on every line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rackwright.design import naming
from rackwright.design.power.block import RackBlock
from rackwright.design.power.capacity import PHASES, Floats
from rackwright.design.power.circuit_choice import CircuitLayout, Key, circuit_choices, worst_draws
from rackwright.design.power.cords import Cord, PowerSlot, Shelves, group_loads, list_cords
from rackwright.design.power.outlets import Outlets, Plug, assign_outlets, assign_single_phase
from rackwright.design.power.rack_losses import rack_losses
from rackwright.design.power.terms import Terms


@dataclass(frozen=True, eq=False)
class Pattern:
    """One kind of rack, wired."""

    slots: tuple[PowerSlot, ...]
    cords: tuple[Cord, ...]
    plugs: tuple[Plug, ...]
    circuits: tuple[Key, ...]
    block: RackBlock
    """With the loads of all slots, reserved ones included."""

    def suffixes(self, feeds: Sequence[str]) -> list[str]:
        """What follows the rack in the name of each circuit."""
        return [naming.circuit("", feeds[feed], number) for feed, number in self.circuits]


def wire_rack(slots: Sequence[PowerSlot], shelves: Shelves | None, terms: Terms) -> Pattern:
    """The wiring of a rack. If no number of circuits survives the declared losses, the first layout, which the rules then report."""
    all_cords = list_cords(slots, shelves, terms.reach)
    loads = np.array(group_loads(slots, [slot.peak for slot in slots]))
    worst = worst_draws(all_cords, loads, np.array(group_loads(slots, [slot.capped.watts for slot in slots])), terms)
    first = None
    for choice in circuit_choices(all_cords, worst, terms):
        pattern = _pattern(slots, all_cords, choice, loads, terms)
        first = first or pattern
        if _survives_losses(pattern.block, terms):
            return pattern
    return first or _pattern(slots, all_cords, CircuitLayout((), ()), loads, terms)


def _pattern(
    slots: Sequence[PowerSlot], all_cords: Sequence[Cord], choice: CircuitLayout, loads: Floats, terms: Terms
) -> Pattern:
    plugs = _plugs(all_cords, choice, loads, terms)
    block = RackBlock(
        load=loads,
        needed=np.array([slot.psus.needed if slot.psus.count else 0 for slot in slots], dtype=np.int64),
        capped_load=np.array(group_loads(slots, [slot.capped.watts for slot in slots])),
        capped_needed=np.array([slot.capped.needed if slot.psus.count else 0 for slot in slots], dtype=np.int64),
        group=np.array([cord.group for cord in all_cords], dtype=np.int64),
        circuit=np.array(choice.circuit, dtype=np.int64),
        feed=np.array([cord.feed for cord in all_cords], dtype=np.int64),
        phase=np.array([plug.phase for plug in plugs], dtype=np.int64),
        watts=np.array([cord.watts for cord in all_cords], dtype=np.int64),
        usable=np.full(len(choice.circuits), terms.usable),
        circuit_feed=np.array([feed for feed, _ in choice.circuits], dtype=np.int64),
        lines=terms.lines,
    )
    return Pattern(tuple(slots), tuple(all_cords), tuple(plugs), choice.circuits, block)


def _plugs(all_cords: Sequence[Cord], choice: CircuitLayout, loads: Floats, terms: Terms) -> list[Plug]:
    """Phase and outlet of every cord, circuit by circuit; a shelf is wired without a PDU."""
    counts = np.bincount([cord.group for cord in all_cords], minlength=len(loads))
    draws = [float(loads[cord.group] / counts[cord.group]) for cord in all_cords]
    amps = [cord.watts / terms.volts for cord in all_cords]
    on: list[list[int]] = [[] for _ in choice.circuits]
    for at, circuit in enumerate(choice.circuit):
        on[circuit].append(at)
    plug_of: dict[int, Plug] = {}
    for (_, number), members in zip(choice.circuits, on, strict=True):
        plain = any(all_cords[at].shelf < 0 for at in members)
        free = Outlets(terms.pdu, terms.couplers) if terms.pdu and plain else None
        member_amps = [amps[at] for at in members]
        if terms.lines.phases == 1:
            assigned = assign_single_phase((number - 1) % PHASES, member_amps, free)
        else:
            assigned = assign_outlets([draws[at] for at in members], member_amps, free)
        plug_of.update(zip(members, assigned, strict=True))
    return [plug_of[at] for at in range(len(all_cords))]


def _survives_losses(block: RackBlock, terms: Terms) -> bool:
    return not any(
        bool(block.overloaded(block.phases(block.draws(case.lost))).any())
        for case in rack_losses(block, len(terms.feeds), terms.survive)
    )
