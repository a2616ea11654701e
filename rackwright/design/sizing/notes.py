"""What the reader should know about a sized site: rounded numbers, omissions and choices."""

from __future__ import annotations

from rackwright.design.rules import run_rules
from rackwright.design.sizing.knobs import Knobs
from rackwright.design.sizing.power_caps import left_after_loss
from rackwright.design.sizing.request import Frame
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome


def notes(frame: Frame, knobs: Knobs, design: Design) -> list[str]:
    """One sentence each."""
    candidates = [
        _rounding_note(frame),
        _units(frame, knobs),
        _feeds(frame, knobs),
        _managers(frame, knobs),
        _plugs(knobs),
    ]
    candidates += [*_caps(design), _storage(frame, knobs)]
    candidates.append(
        f"The whole site draws {design.totals['it_kw']:,.0f} kW at its peak in {design.totals['racks']} racks."
    )
    return [note for note in candidates if note]


def _rounding_note(frame: Frame) -> str:
    each, requested = frame.server.accelerators, frame.ask.accelerators
    if requested % each == 0:
        return ""
    return (
        f"{requested} accelerators are not a whole number of {frame.server.sku} with {each} each: "
        f"{frame.nodes} nodes have {frame.accelerators}."
    )


def _units(frame: Frame, knobs: Knobs) -> str:
    remainder = frame.nodes % knobs.scalable_unit
    if remainder == 0:
        return ""
    free = knobs.scalable_unit - remainder
    return f"The last scalable unit has room for {free} more node{'' if free == 1 else 's'}: racks, ports and addresses are kept."


def _feeds(frame: Frame, knobs: Knobs) -> str:
    psus = frame.server.psus
    usual: int = 2
    if knobs.feeds == usual or not psus.count:
        return ""
    remaining = left_after_loss(psus, usual)
    return (
        f"{knobs.feeds} feeds, because {frame.server.sku} needs {psus.needed} of its {psus.count} power supplies: "
        f"on two feeds, losing one leaves {remaining}."
    )


def _caps(design: Design) -> list[str]:
    return [
        f"{verdict.target.split()[0]} draws at most {verdict.observed}."
        for verdict in run_rules(design, ("power",))
        if verdict.check == "design.power_caps" and verdict.outcome is Outcome.PASS
    ]


def _managers(frame: Frame, knobs: Knobs) -> str:
    if frame.preset.transport != "infiniband" or knobs.ufm:
        return ""
    if frame.nodes % knobs.scalable_unit:
        return "No subnet manager is declared: the adapters of the known UFM appliance do not fit the leaves."
    fewer = f"one node less ({frame.accelerators - frame.server.accelerators} accelerators)"
    return "Every leaf is full, so no UFM appliance is declared: run the subnet manager on switches or nodes, " + (
        f"or ask for {fewer}." if frame.preset.whole_site else f"ask for {fewer}, or for smaller units with --ufm."
    )


def _plugs(knobs: Knobs) -> str:
    return "" if knobs.pdu else "No known rack PDU has outlets enough; devices plug into the circuits themselves."


def _storage(frame: Frame, knobs: Knobs) -> str:
    if "storage" in frame.networks:
        delivered = "Storage is taken as delivered whole: servers of its own fit neither the fabric nor the reach of its cables."
        return "" if knobs.storage_servers else delivered
    return f"{frame.server.sku} has no storage ports: storage is reached over the in-band network."
