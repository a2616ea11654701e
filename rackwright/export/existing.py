"""The design as existing equipment: parts of a site file to include when the site grows."""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl

from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.model.design import Design
from rackwright.model.schemas import BACKPLANE

HEAD = "# What stands at {site}, written by `rackwright export --to existing`: include it, and what is listed stays.\n"


def export(design: Design, request: ExportRequest) -> list[ExportFile]:  # noqa: ARG001 - every target has the same shape
    """``existing.yaml`` with racks, devices and plant with their addresses, and ``existing-cables.yaml`` with what was plugged on site."""
    racks = design.racks.select("rack", "hall", "row", "position").iter_rows(named=True)
    places = [", ".join(f"{key}: {json.dumps(value)}" for key, value in rack.items()) for rack in racks]
    devices = list(_devices(design))
    plugged = design.cables.filter(pl.col("kind") != BACKPLANE)
    ends = plugged.select("a_device", "a_port", "b_device", "b_port").iter_rows()
    cables = [f'a: "{a}:{a_port}", b: "{b}:{b_port}"' for a, a_port, b, b_port in ends]
    mounted_names = set(design.devices["device"])
    plant = [
        f'device: "{device}", address: "{address}"'
        for device, address in design.addresses.select("device", "address").iter_rows()
        if device not in mounted_names
    ]
    head = HEAD.format(site=design.site.site)
    mounted = f"{head}existing:\n  racks:\n{_entries(places)}  devices:\n{_entries(devices)}  plant:\n{_entries(plant)}"
    return [
        ExportFile("existing.yaml", (mounted,), len(places) + len(devices) + len(plant)),
        ExportFile("existing-cables.yaml", (f"{head}existing:\n  cables:\n{_entries(cables)}",), len(cables)),
    ]


def _devices(design: Design) -> Iterator[str]:
    addresses: dict[str, list[str]] = {}
    for device, address in design.addresses.select("device", "address").iter_rows():
        addresses.setdefault(device, []).append(f'"{address}"')
    for device, sku, rack, unit in design.devices.select("device", "sku", "rack", "unit").iter_rows():
        listed = f", addresses: [{', '.join(addresses[device])}]" if device in addresses else ""
        yield f'device: "{device}", sku: "{sku}", rack: "{rack}", unit: {unit}{listed}'


def _entries(lines: list[str]) -> str:
    return "".join(f"    - {{{line}}}\n" for line in lines) or "    []\n"
