"""The change to make when a site cannot be built or a rule fails.

One table, so that every rule has at most one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog, sizing_practice
from rackwright.design.sizing.draft import FABRICS
from rackwright.design.sizing.knobs import Knobs
from rackwright.design.sizing.limits import too_large
from rackwright.design.sizing.refusal import refuse
from rackwright.design.sizing.request import Frame
from rackwright.model.verdict import Verdict

Turn = Callable[[Frame, Knobs], Knobs | None]
ROLES = {name: role for role, name in FABRICS.items()}


def to_problems(error: ProblemsError, frame: Frame, knobs: Knobs, catalog: Catalog) -> Knobs:
    """`knobs` changed for a site that cannot be built. Raises `ProblemsError` if no change helps."""
    first = error.problems[0]
    if first.code == "size.impossible":
        raise error
    turned = _turned_knob(first, frame, knobs, catalog)
    if turned is None:
        raise _cannot(first, frame) from error
    return turned


def _turned_knob(first: Problem, frame: Frame, knobs: Knobs, catalog: Catalog) -> Knobs | None:
    if first.code == "design.subnet_full":
        return replace(knobs, subnet_bits=knobs.subnet_bits + 1)
    if first.code == "design.rack_units":
        return _fewer_nodes(frame, knobs)
    name = next((name for name in ("compute", *ROLES) if f"fabric {name} " in first.message), "")
    units = not (frame.ask.ufm and frame.preset.whole_site)
    if name == "compute" and any(words in first.message for words in FULL) and knobs.ufm and units:
        return _without_managers(frame, knobs)
    if name == "compute":
        raise too_large(frame, catalog, first.message)
    return _next_switch(ROLES[name])(frame, knobs) if name else None


FULL = ("more servers than ports", "more links than two")
"""What the design says of a fabric without a port for a subnet manager."""


def _without_managers(frame: Frame, knobs: Knobs) -> Knobs | None:
    """For full units, where no leaf has a port for a subnet manager: a smaller unit if managers are requested, else no managers."""
    if frame.ask.ufm:
        return replace(knobs, scalable_unit=knobs.scalable_unit - 1) if knobs.scalable_unit > 1 else None
    return replace(knobs, ufm=False) if knobs.ufm else None


def to_verdicts(failed: Sequence[Verdict], frame: Frame, knobs: Knobs) -> Knobs:
    """`knobs` changed for a site that fails rules. Raises `ProblemsError` if no change helps."""
    for verdict in failed:
        turn = TURNS.get(verdict.check.removeprefix("design."))
        turned = turn(frame, knobs) if turn else None
        if turned is not None and turned != knobs:
            return turned
    worst = failed[0]
    raise refuse(
        "--server",
        f"{frame.nodes} x {frame.server.sku} on {frame.preset.name} fail rule {worst.check}: {worst.says}",
        worst.expected,
        worst.observed,
        worst.next_step or "ask for another server, fabric or number",
    )


def endless(frame: Frame) -> ProblemsError:
    """The error after too many rounds."""
    return refuse(
        "--server",
        f"no site of {frame.nodes} x {frame.server.sku} on {frame.preset.name} was found that passes every rule",
        "a site that passes",
        "another rule fails whatever is changed",
        "ask for another server, fabric or number",
    )


def _cannot(first: Problem, frame: Frame) -> ProblemsError:
    message = f"{frame.nodes} x {frame.server.sku} on {frame.preset.name} cannot be built: {first.message}"
    return refuse("--accelerators", message, first.expected, first.found, first.next_step)


def _fewer_nodes(frame: Frame, knobs: Knobs) -> Knobs | None:
    fixed = frame.preset.servers_per_rack is not None or knobs.servers_per_rack == 1
    return None if fixed else replace(knobs, servers_per_rack=(knobs.servers_per_rack + 1) // 2)


def _feed(frame: Frame, knobs: Knobs) -> Knobs | None:
    most = len(sizing_practice.load().feed_letters)
    return replace(knobs, feeds=knobs.feeds + 1) if knobs.feeds < most else _fewer_nodes(frame, knobs)


def _circuit(frame: Frame, knobs: Knobs) -> Knobs | None:
    largest = len(sizing_practice.load().circuits) - 1
    return replace(knobs, circuit=knobs.circuit + 1) if knobs.circuit < largest else _fewer_nodes(frame, knobs)


def _outlets(frame: Frame, knobs: Knobs) -> Knobs | None:
    """A larger circuit, whose PDU has more outlets; then circuits that end in a box of the electrician, without a PDU; then fewer nodes."""
    largest = len(sizing_practice.load().circuits) - 1
    if knobs.circuit < largest:
        return replace(knobs, circuit=knobs.circuit + 1)
    return replace(knobs, pdu=False) if knobs.pdu else _fewer_nodes(frame, knobs)


def _spare(frame: Frame, knobs: Knobs) -> Knobs | None:
    del frame
    step = sizing_practice.load().spare_share
    return replace(knobs, spare_share=knobs.spare_share + step) if knobs.spare_share < MOST_SPARE else None


MOST_SPARE = 0.5
"""Plant with half as much again as its load is not the cause of a failure."""


def _pressure(frame: Frame, knobs: Knobs) -> Knobs | None:
    del frame
    return replace(knobs, cdu=knobs.cdu + 1) if knobs.cdu < MOST_PRESSURES else None


MOST_PRESSURES = 4
"""The catalog has CDUs of fewer different pressures than this."""


def _full_bandwidth(frame: Frame, knobs: Knobs) -> Knobs | None:
    """For storage that nodes cannot reach fast enough: full bandwidth, then no storage servers in the design."""
    del frame
    if knobs.oversubscription.get("storage") != 1.0:
        return replace(knobs, oversubscription={**knobs.oversubscription, "storage": 1.0})
    return replace(knobs, storage_servers=False) if knobs.storage_servers else None


def _longer_rows(frame: Frame, knobs: Knobs) -> Knobs | None:
    """For cables that do not reach: longer rows, which make halls more square; then no storage servers in the design."""
    practice = sizing_practice.load()
    longer = practice.racks_per_row * knobs.row_factor * 2
    if not frame.ask.racks_per_row and longer <= practice.longest_row:
        return replace(knobs, row_factor=knobs.row_factor * 2)
    return replace(knobs, storage_servers=False) if knobs.storage_servers else None


def _next_switch(role: str) -> Turn:
    def turn(frame: Frame, knobs: Knobs) -> Knobs | None:
        at = knobs.switch.get(role, 0) + 1
        if role not in frame.networks or at >= len(frame.networks[role].switches):
            return None
        return replace(knobs, switch={**knobs.switch, role: at})

    return turn


TURNS: dict[str, Turn] = {
    "power_supplies": _feed,
    "power_circuit": _circuit,
    "phase_balance": _circuit,
    "outlets": _outlets,
    "rack_weight": _fewer_nodes,
    "rack_units": _fewer_nodes,
    "feed_capacity": _spare,
    "ups_capacity": _spare,
    "cdu_capacity": _spare,
    "crah_capacity": _spare,
    "pump_loss": _spare,
    "floor_load": _spare,
    "loop_pressure": _pressure,
    "cable_reach": _longer_rows,
    "storage_path": _full_bandwidth,
    "storage_servers": _full_bandwidth,
}
"""By rule, the change to make when it fails."""
