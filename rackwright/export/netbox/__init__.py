"""NetBox: files for its bulk import, numbered in the order in which they must be imported.

Field names and choice values are those
of the version in ``netbox.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.base import content
from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile, table
from rackwright.export.netbox import cables, devices, ipam, places, ports, types
from rackwright.export.netbox.netbox_data import names, words
from rackwright.export.netbox.supply import PowerFeeds
from rackwright.export.plain import Names, require
from rackwright.model.design import Design

README = "README.md"


def export(design: Design, request: ExportRequest) -> list[ExportFile]:  # noqa: ARG001 - NetBox gets the whole site
    """All files; empty ones are left out."""
    supply = PowerFeeds(design)
    interfaces = ports.interfaces(design)
    fleet = devices.devices(design, supply)
    _check(design, fleet, interfaces)
    documents = types.documents(design, interfaces.types, sockets=supply.has_sockets)
    tables: list[tuple[str, str, pl.DataFrame | str]] = [
        ("regions", "/dcim/regions/import/", places.regions(design)),
        ("sites", "/dcim/sites/import/", places.sites(design)),
        ("locations", "/dcim/locations/import/", places.locations(design)),
        ("manufacturers", "/dcim/manufacturers/import/", types.manufacturers(design, sockets=supply.has_sockets)),
        ("rack-roles", "/dcim/rack-roles/import/", places.rack_roles(design)),
        ("rack-groups", "/dcim/rack-groups/import/", places.rack_groups(design)),
        ("rack-types", "/dcim/rack-types/import/", places.rack_types(design)),
        ("racks", "/dcim/racks/import/", places.racks(design)),
        ("device-roles", "/dcim/device-roles/import/", devices.roles(design, supply)),
        ("device-types", "/dcim/device-types/import/", documents),
        ("devices", "/dcim/devices/import/", fleet),
        ("interfaces", "/dcim/interfaces/import/", interfaces.single),
        ("power-ports", "/dcim/power-ports/import/", supply.inlets()),
        ("power-outlets", "/dcim/power-outlets/import/", supply.outlets()),
        ("power-panels", "/dcim/power-panels/import/", supply.panels()),
        ("power-feeds", "/dcim/power-feeds/import/", supply.feeds()),
        ("vlan-groups", "/ipam/vlan-groups/import/", ipam.vlan_groups(design)),
        ("vlans", "/ipam/vlans/import/", ipam.vlans(design)),
        ("l2vpns", "/vpn/l2vpns/import/", ipam.l2vpns(design)),
        ("l2vpn-terminations", "/vpn/l2vpn-terminations/import/", ipam.l2vpn_terminations(design)),
        ("prefixes", "/ipam/prefixes/import/", ipam.prefixes(design)),
        ("ip-addresses", "/ipam/ip-addresses/import/", ipam.addresses(design)),
        ("cables", "/dcim/cables/import/", cables.cables(design)),
        ("power-cables", "/dcim/cables/import/", cables.power_cables(supply)),
    ]
    files = list(_files(tables))
    return [_readme(design, supply, files), *(file for file, _ in files)]


def _files(tables: list[tuple[str, str, pl.DataFrame | str]]) -> Iterator[tuple[ExportFile, str]]:
    for number, (name, url, content_) in enumerate(tables, start=1):
        if isinstance(content_, str):
            yield ExportFile(f"{number:02d}-{name}.yaml", (content_,), content_.count("---\n")), url
        elif content_.height:
            yield table(f"{number:02d}-{name}.csv", content_), url


def _check(design: Design, fleet: pl.DataFrame, interfaces: ports.Interfaces) -> None:
    """Refuse names too long for NetBox here, not after an hour of import."""
    require(names(), [fleet["name"], interfaces.types["name"], interfaces.single["name"]])
    label = Names("NetBox", r"[^\r\n]+", words()["longest_label"], "one line")
    require(label, [design.cables["cable"], design.racks["rack"], design.circuits["circuit"]])


def _readme(design: Design, supply: PowerFeeds, files: list[tuple[ExportFile, str]]) -> ExportFile:
    template = content.folder("templates", "export", "netbox.md").read_text(encoding="utf-8")
    order = "\n".join(f"| {file.name} | `{url}` | {file.rows:,} |" for file, url in files)
    unplugged = supply.unplugged()
    note = f"- {unplugged:,} power supplies find no outlet left on their PDU, and have no cable.\n" if unplugged else ""
    facts = {"site": design.site.site, "version": words()["version"], "date": words()["date"]}
    return ExportFile(README, (template.format(**facts, order=order, note=note),), len(files))
