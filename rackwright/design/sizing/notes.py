"""What the reader should know about a sized site: what was rounded, left out or chosen."""

from __future__ import annotations

from rackwright.design.sizing.ask import Frame
from rackwright.design.sizing.knobs import Knobs
from rackwright.model.design import Design


def notes(found: Frame, knobs: Knobs, design: Design) -> list[str]:
    """One sentence each."""
    said = [_rounded(found), _units(found, knobs), _feeds(found, knobs), _managers(found, knobs), _plugs(knobs)]
    said.append(_storage(found, knobs))
    said.append(f"The whole site draws {design.totals['it_kw']:,.0f} kW at its peak in {design.totals['racks']} racks.")
    return [one for one in said if one]


def _rounded(found: Frame) -> str:
    each, asked = found.server.accelerators, found.ask.accelerators
    if asked % each == 0:
        return ""
    return (
        f"{asked} accelerators are not a whole number of {found.server.sku} with {each} each: "
        f"{found.nodes} nodes have {found.accelerators}."
    )


def _units(found: Frame, knobs: Knobs) -> str:
    rest = found.nodes % knobs.scalable_unit
    if rest == 0:
        return ""
    free = knobs.scalable_unit - rest
    return f"The last scalable unit has room for {free} more node{'' if free == 1 else 's'}: racks, ports and addresses are kept."


def _feeds(found: Frame, knobs: Knobs) -> str:
    psus = found.server.psus
    usual: int = 2
    if knobs.feeds == usual or not psus.count:
        return ""
    left = psus.count - -(-psus.count // usual)
    return (
        f"{knobs.feeds} feeds, because {found.server.sku} needs {psus.needed} of its {psus.count} power supplies: "
        f"on two feeds, losing one leaves {left}."
    )


def _managers(found: Frame, knobs: Knobs) -> str:
    if found.preset.transport != "infiniband" or knobs.ufm:
        return ""
    if found.nodes % knobs.scalable_unit:
        return "No subnet manager is declared: the adapters of the known UFM appliance do not fit the leaves."
    return (
        "Every leaf is full, so no UFM appliance is declared: run the subnet manager on switches or nodes, ask for one "
        f"node less ({found.accelerators - found.server.accelerators} accelerators), or for smaller units with --ufm."
    )


def _plugs(knobs: Knobs) -> str:
    return "" if knobs.pdu else "No known rack PDU has outlets enough; devices plug into the circuits themselves."


def _storage(found: Frame, knobs: Knobs) -> str:
    if "storage" in found.networks:
        kept = "Storage is taken as delivered whole: servers of its own fit neither the fabric nor the reach of its cables."
        return "" if knobs.storage_servers else kept
    return f"{found.server.sku} has no storage ports: storage is reached over the in-band network."
