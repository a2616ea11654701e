"""Turns a NetBox device type into a part of the catalog, as far as NetBox states it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rackwright.catalog import netbox_ports, netbox_traps
from rackwright.catalog.loader import Catalog
from rackwright.catalog.netbox_file import DeviceType
from rackwright.model.base import Record
from rackwright.model.field_texts import field_texts
from rackwright.model.parts import Part
from rackwright.model.plant import Pdu
from rackwright.model.sku import Server, Switch

KINDS: dict[str, type[Record]] = {"server": Server, "switch": Switch, "pdu": Pdu}
"""Kinds that a NetBox device type can become."""
_KILOGRAMS = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.028349523125}
"""Of one unit; pound and ounce are exact by the international agreement of 1959."""
_AIRFLOW = {"front-to-rear": "front-to-rear", "rear-to-front": "rear-to-front", "passive": "none"}


@dataclass(frozen=True)
class MissingField:
    """A field that the schema needs and NetBox does not state."""

    field: str
    meaning: str
    """Description of the field in the schema; empty where its name is enough."""
    hint: str = ""
    """What the file states about it."""


@dataclass(frozen=True)
class Draft:
    """A part that is not complete yet."""

    part: dict[str, Any]
    missing: list[MissingField]
    flags: list[str]


def draft_part(device: DeviceType, kind: str, catalog: Catalog, *, origin: str, date: str) -> Draft:
    """`device` as a part of `kind` (one of `KINDS`); `origin` and `date` (ISO) go into its source."""
    ours = same_part(device, catalog)
    part: dict[str, Any] = {"sku": sku_of(device), "kind": kind, "manufacturer": device.manufacturer}
    part |= {"model": device.model, "support": "declared"}
    part |= dict(_body(device, kind))
    numbers = sorted(_numbers(part))
    if numbers:
        doc = f"NetBox device type {device.slug} ({origin})"
        part["sources"] = [{"doc": doc, "date": date, "level": "secondary", "covers": numbers}]
    missing = [*_missing_fields(KINDS[kind], part, _hints(device, kind)), *_missing_inside(part)]
    return Draft(part, missing, list(netbox_traps.find_doubts(device, kind, ours)))


def sku_of(device: DeviceType) -> str:
    """The slug without the manufacturer (``nvidia-qm9700`` is ``qm9700``)."""
    maker = device.manufacturer.lower().replace(" ", "-")
    return device.slug.removeprefix(f"{maker}-")


def same_part(device: DeviceType, catalog: Catalog) -> Part | None:
    """The part of the catalog that `device` seems to be: the longest SKU that begins its own, on a word boundary."""
    sku = sku_of(device)
    parts = [part for kind in KINDS for part in catalog.of_kind(kind).values()]
    fitting = [part for part in parts if sku == part.sku or sku.startswith(f"{part.sku}-")]
    return max(fitting, key=lambda part: len(part.sku), default=None)


def _body(device: DeviceType, kind: str) -> Iterator[tuple[str, Any]]:
    if kind != "pdu" and device.u_height > 0 and device.u_height == int(device.u_height):
        yield "rack_units", int(device.u_height)
    if device.weight is not None and device.weight_unit:
        yield "weight_kg", round(device.weight * _KILOGRAMS[device.weight_unit], 2)
    if kind == "pdu":
        yield from _outlets(device)
        return
    if device.airflow in _AIRFLOW:
        yield "airflow", _AIRFLOW[device.airflow]
    yield from _power(device)
    yield from _switch_ports(device) if kind == "switch" else _server_ports(device)


def _power(device: DeviceType) -> Iterator[tuple[str, Any]]:
    supplies = len(device.power_ports) or sum("psu" in bay.name.lower() for bay in device.module_bays)
    if not device.is_powered:
        yield "psus", {"count": 0, "watts_each": 0, "needed": 0}
    elif supplies:
        yield "psus", {"count": supplies}
    if len(device.power_ports) == 1:  # with more, the file does not say whether each draws all or its share
        only = device.power_ports[0]
        if only.maximum_draw:
            yield "peak_watts", round(only.maximum_draw)
        if only.allocated_draw:
            yield "typical_watts", round(only.allocated_draw)


def _switch_ports(device: DeviceType) -> Iterator[tuple[str, Any]]:
    groups = netbox_ports.groups(device.interfaces)
    transports = {group.transport for group in groups}
    if len(transports) == 1 and not (netbox_traps.speaks_infiniband(device) and transports == {"ethernet"}):
        yield "transport", transports.pop()
    if groups:
        main = max(groups, key=lambda group: (len(group.names), group.gbps))
        yield "ports", {"count": len(main.names), "gbps": main.gbps}
        faster = [group for group in groups if group.gbps > main.gbps]
        if len(faster) == 1:
            yield "uplinks", {"count": len(faster[0].names), "gbps": faster[0].gbps}
        name = netbox_ports.pattern(main.names)
        if name:
            yield "port_name", name
    management = [interface.name for interface in device.interfaces if interface.mgmt_only]
    if management:
        yield "management_port", management[0]


def _server_ports(device: DeviceType) -> Iterator[tuple[str, Any]]:
    managed = [interface for interface in device.interfaces if interface.mgmt_only]
    rates = {netbox_ports.read_type(interface.type) for interface in managed}
    rate = rates.pop() if len(rates) == 1 else None
    if managed and rate:
        names = [interface.name for interface in managed]
        yield "ports", [{"role": "bmc", "count": len(names), "gbps": rate[0], "names": names, "adapter": "onboard"}]


def _outlets(device: DeviceType) -> Iterator[tuple[str, Any]]:
    kinds: dict[str, int] = {}
    for outlet in device.power_outlets:
        name = outlet.type.removeprefix("iec-60320-").removeprefix("nema-").upper()
        kinds[name] = kinds.get(name, 0) + 1
    if kinds:
        yield "outlets", [{"type": name, "count": count} for name, count in sorted(kinds.items())]


def _hints(device: DeviceType, kind: str) -> dict[str, str]:
    draws = [port.maximum_draw for port in device.power_ports if port.maximum_draw]
    hints = {"rack_units": f"u_height is {device.u_height:g}", "airflow": f"airflow is {device.airflow or 'not given'}"}
    hints["depth_mm"] = "is_full_depth is " + ("true" if device.is_full_depth else "false")
    if len(draws) > 1:
        listed = ", ".join(f"{draw:g}" for draw in draws)
        hints["peak_watts"] = f"maximum_draw of the power ports is {listed} W: whether each draws all is not stated"
    if kind == "server":
        groups = netbox_ports.groups(device.interfaces)
        hints["ports"] = ", ".join(f"{len(group.names)} x {group.gbps} Gb/s" for group in groups) + ": roles not given"
    return hints


_USEFUL = {
    "server": ["depth_mm", "typical_watts", "airflow", "airflow_cfm", "max_supply_air_celsius", "accelerator"],
    "switch": ["depth_mm", "typical_watts", "airflow", "airflow_cfm", "port_name"],
    "pdu": [],
}
"""Optional fields that improve a design."""


def _missing_fields(record: type[Record], part: Mapping[str, Any], hints: Mapping[str, str]) -> Iterator[MissingField]:
    texts = field_texts(record)
    for name, info in record.model_fields.items():
        useful = info.is_required() or name in _USEFUL[part["kind"]]
        if useful and name not in part:
            yield MissingField(name, texts.get(name, "").partition("\n")[0], hints.get(name, ""))
    if part["kind"] == "server" and "ports" in part:
        yield MissingField("ports", "Network ports with their fabric role, besides the BMC's", hints["ports"])


def _missing_inside(part: Mapping[str, Any]) -> Iterator[MissingField]:
    if "psus" in part and "watts_each" not in part["psus"]:
        yield MissingField("psus.watts_each", "Rating of one power supply")
        yield MissingField("psus.needed", "How many must run to carry the peak load")
    if part["kind"] == "switch" and "ports" in part:
        yield MissingField("ports.per_cage", "Ports that share one cage; 1 when left out")
        yield MissingField("ports.breakouts", "Ways to split one port; none when left out")
    for i, _ in enumerate(part.get("outlets", [])):
        yield MissingField(f"outlets.{i}.amps", "Rating of one outlet")
    if "sources" in part:
        yield MissingField("sources.0.url", "Where the file can be found again")


def _numbers(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield from _numbers(inner, f"{path}.{key}" if path else str(key))
