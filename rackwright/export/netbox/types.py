"""Device types in the format of the device-type library: one YAML document per SKU, ports and inlets included.

Format:
https://github.com/netbox-community/devicetype-library (``schema/devicetype.json``), which NetBox imports as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl
import yaml

from rackwright.export.netbox.netbox_data import slug, words
from rackwright.export.netbox.supply import INLET, SOCKETS, SOCKETS_MAKER
from rackwright.model.design import Design
from rackwright.model.plant import Pdu, PowerShelf
from rackwright.model.sku import Server, Switch

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
Typed = Server | Switch | Pdu | PowerShelf


def parts(design: Design) -> dict[str, Typed]:
    """Every SKU of which the export has devices: what is racked, PDUs and power shelves."""
    plant = {sku: part for sku, part in design.plant_parts.items() if isinstance(part, Pdu | PowerShelf)}
    used = set(design.power["sku"].drop_nulls().unique())
    return {**design.servers, **design.switches, **{sku: part for sku, part in plant.items() if sku in used}}


def models(design: Design) -> dict[str, tuple[str, str]]:
    """Manufacturer and model by SKU; a model that two SKUs share has its SKU added, since NetBox wants it once."""
    every = parts(design)
    shared: dict[tuple[str, str], int] = {}
    for part in every.values():
        shared[part.manufacturer, part.model] = shared.get((part.manufacturer, part.model), 0) + 1
    return {
        sku: (part.manufacturer, part.model if shared[part.manufacturer, part.model] == 1 else f"{part.model} ({sku})")
        for sku, part in every.items()
    }


def manufacturers(design: Design, *, sockets: bool) -> pl.DataFrame:
    """Makers of everything that is exported."""
    makers = [maker for maker, _ in models(design).values()] + [
        part.manufacturer for part in design.rack_parts.values()
    ]
    names = list(dict.fromkeys([*makers, *([SOCKETS_MAKER] if sockets else [])]))
    return pl.DataFrame(
        {"name": names, "slug": [slug(name) for name in names]}, schema={"name": pl.String, "slug": pl.String}
    )


def documents(design: Design, interfaces: pl.DataFrame, *, sockets: bool) -> str:
    """All device types, each as a YAML document that begins with ``---``."""
    of_sku = {sku: rows for (sku,), rows in interfaces.group_by("sku", maintain_order=True)}
    by_sku = models(design)
    files = [
        _head(part, *by_sku[sku]) | _body(part, of_sku.get(sku, interfaces.clear()))
        for sku, part in parts(design).items()
    ]
    if sockets:
        files.append(_sockets())
    return "".join(
        "---\n" + yaml.dump(document, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=120)
        for document in files
    )


def _head(part: Typed, maker: str, model: str) -> dict[str, Any]:
    return {
        "manufacturer": maker,
        "model": model,
        "slug": slug(f"{maker}-{part.sku}"),
        "part_number": part.sku,
        "u_height": 0 if isinstance(part, Pdu) else part.rack_units,
        "is_full_depth": not isinstance(part, Pdu),
        "weight": part.weight_kg,
        "weight_unit": "kg",
    }


def _body(part: Typed, interfaces: pl.DataFrame) -> dict[str, Any]:
    if isinstance(part, Pdu):
        return {"power-ports": [{"name": INLET}], "power-outlets": list(_outlets(part))}
    if isinstance(part, PowerShelf):
        return {"power-ports": [{"name": INLET}]}
    body: dict[str, Any] = {"airflow": words()["airflow"][part.airflow]}
    if interfaces.height:
        rows = interfaces.select("name", "type", "mgmt_only").iter_rows(named=True)
        body["interfaces"] = [row if row["mgmt_only"] else {"name": row["name"], "type": row["type"]} for row in rows]
    if part.psus.count:
        body["power-ports"] = list(_inlets(part))
    else:
        body["is_powered"] = False
    return body


def _inlets(part: Server | Switch) -> Iterator[Mapping[str, Any]]:
    """One per power supply: at most the peak over those that must run, usually its share of the peak, in watts."""
    supplies = part.psus
    most, share = math.ceil(part.peak_watts / max(supplies.needed, 1)), math.ceil(part.peak_watts / supplies.count)
    for number in range(1, supplies.count + 1):
        yield {"name": f"PSU{number}", "maximum_draw": most, "allocated_draw": share}


def _outlets(part: Pdu) -> Iterator[Mapping[str, Any]]:
    """Outlets of a group take turns on the phases, as the design deals supplies to them."""
    table = words()
    for group in part.outlets:
        for number in range(group.count):
            outlet = table["outlets"].get(group.type)
            leg = {"feed_leg": table["legs"][number % part.phases]} if part.phases > 1 else {}
            kind = {"type": outlet} if outlet else {}
            yield {"name": f"{group.type}-{number + 1}", **kind, "power_port": INLET, **leg}


def _sockets() -> dict[str, Any]:
    """The device that represents the sockets of a circuit without a PDU."""
    return {
        "manufacturer": SOCKETS_MAKER,
        "model": SOCKETS,
        "slug": slug(f"{SOCKETS_MAKER}-{SOCKETS}"),
        "u_height": 0,
        "is_full_depth": False,
        "comments": "No part: the sockets of a rack circuit, where the site declares no rack PDU.",
        "power-ports": [{"name": INLET}],
    }
