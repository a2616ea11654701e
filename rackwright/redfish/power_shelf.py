"""Readings of a power shelf from Redfish documents; pure, as `plant`.

The shelf is a PowerDistribution of PowerEquipment and a chassis with power supplies (usage guide of the OCP power shelf profile 0.9.0);
a shelf of LITE-ON has the chassis alone. Whether the output of a rectifier is on, makers report beside the schema: LITE-ON in
``PowerState``, Delta in ``Oem.deltaenergysystems.Power`` (NVIDIA infra-controller, its models of both, 2026).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.model.evidence.plant import Rectifier, ShelfPower
from rackwright.redfish import plant, unread
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, links, members
from rackwright.redfish.resources.numbers import maybe
from rackwright.redfish.resources.power_supply import PowerSupply
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.resources.status import Status

Document = Mapping[str, Any]
View = Mapping[str, Document]
SUPPLIES = "PowerSupplies"
SWITCHED = {"On": True, "Off": False, True: True, False: False}


def power_shelf(documents: View) -> ShelfPower:
    """The record of the power shelf behind an address. Raises OutsideError when no document describes one, or several do."""
    documents, lost = unread.sound(documents)
    root = documents.get(SERVICE_ROOT) or {}
    shelves = members(documents, link(documents.get(link(root, "PowerEquipment")) or {}, "PowerShelves"))
    housings = _housings(documents, root, shelves)
    if len(shelves) > 1 or not housings:
        raise OutsideError(
            f"{len(shelves) if shelves else 'no'} documents describe a power shelf, expected one with power supplies: "
            "ask each controller by its own address"
        )
    shelf = shelves[0] if shelves else documents[housings[0].path]
    metrics = documents.get(link(shelf, "Metrics")) or {}
    environment = documents.get(housings[0].environment) or {}
    return ShelfPower(
        unit=plant.plate(shelf),
        watts=plant.first_reading((metrics, environment), "PowerWatts"),
        mains=plant.circuits(documents, link(shelf, "Mains")),
        rectifiers=_rectifiers(documents, housings),
        redundancy=_redundancy(documents, housings),
        needed=_needed(documents, housings),
        unread=max(len(lost), sum(_not_read(documents, path) for path in _collections(documents, shelf, housings))),
    )


def _housings(documents: View, root: Document, shelves: Sequence[Document]) -> list[Chassis]:
    """The chassis with power supplies: those that the shelf links to, or else all."""
    chassis = [Chassis.of(document) for document in members(documents, link(root, "Chassis"))]
    linked = [path for shelf in shelves for path in links(shelf, "Links", "Chassis")]
    chosen = [unit for unit in chassis if unit.path in linked] or chassis
    return [unit for unit in chosen if link(documents.get(unit.power_subsystem) or {}, SUPPLIES)]


def _supplies(documents: View, unit: Chassis) -> str:
    return link(documents[unit.power_subsystem], SUPPLIES)


def _collections(documents: View, shelf: Document, housings: Sequence[Chassis]) -> Iterator[str]:
    yield link(shelf, "Mains")
    yield from (_supplies(documents, unit) for unit in housings)


def _not_read(documents: View, path: str) -> int:
    return len(links(documents.get(path) or {}, "Members")) - len(members(documents, path))


def _rectifiers(documents: View, housings: Sequence[Chassis]) -> list[Rectifier] | None:
    paths = [path for unit in housings if (path := _supplies(documents, unit)) in documents]
    listed = [document for path in paths for document in members(documents, path)]
    return [_rectifier(documents, entry) for entry in listed if Status.of(entry).present] if paths else None


def _rectifier(documents: View, document: Document) -> Rectifier:
    supply, metrics = PowerSupply.of(document), documents.get(link(document, "Metrics")) or {}
    volts = plant.first_reading((metrics,), "InputVoltage")
    return Rectifier.unvalidated(
        name=supply.name,
        state=supply.status.state,
        health=supply.status.health,
        switched_on=_switched(document),
        input=supply.input,
        input_volts=volts if volts is not None else maybe(document.get("LineInputVoltage")),
        output_watts=plant.first_reading((metrics,), "OutputPowerWatts"),
        capacity_watts=maybe(document.get("PowerCapacityWatts")),
    )


def _switched(document: Document) -> bool | None:
    """Whether the output is on, where the maker reports it."""
    oem = document.get("Oem")
    delta = oem.get("deltaenergysystems") if isinstance(oem, Mapping) else None
    reported = delta.get("Power") if isinstance(delta, Mapping) else document.get("PowerState")
    return SWITCHED.get(reported) if isinstance(reported, str | bool) else None


def _groups(documents: View, housings: Sequence[Chassis]) -> list[Document]:
    return [group for unit in housings for group in documents[unit.power_subsystem].get("PowerSupplyRedundancy") or ()]


def _needed(documents: View, housings: Sequence[Chassis]) -> int | None:
    """Of the one group of a shelf that is in force."""
    groups = [group for group in _groups(documents, housings) if Status.of(group).state != "Disabled"]
    count = maybe(groups[0].get("MinNeededInGroup")) if len(groups) == 1 else None
    return int(count) if count is not None else None


def _redundancy(documents: View, housings: Sequence[Chassis]) -> str:
    groups = _groups(documents, housings)
    reported = [status.health for group in groups if (status := Status.of(group)).state != "Disabled" and status.health]
    return next((health for health in reported if health != "OK"), next(iter(reported), ""))
