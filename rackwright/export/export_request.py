"""The request for an export, and the fabrics and nodes that it covers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

import polars as pl

from rackwright.base.errors import UsageError
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric


@dataclass(frozen=True)
class Guid:
    """Both GUIDs of a port as ``0x`` and 16 digits, empty while not known; a switch has one node GUID for all its ports."""

    node: str = ""
    port: str = ""


Guids = Mapping[tuple[str, str], Guid]
"""By device and port; the port of a switch itself is empty."""
UNKNOWN = Guid()


@dataclass(frozen=True)
class ExportRequest:
    """The options of an export; empty ones mean everything that fits the target."""

    fabric: str = ""
    pools: tuple[str, ...] = ()
    guids: Guids = field(default_factory=dict)
    labels: str = ""
    """Scheme of Kubernetes labels."""
    resources: Mapping[str, str] = field(default_factory=dict)
    """Extended resource of Kubernetes by accelerator SKU; needed where tenants share a site."""
    machines: Mapping[str, DeclaredMachine] = field(default_factory=dict)
    """The list of machines that the site declares, by node, for installs; of switches with a `url`."""
    url: str = ""
    """Where the folder of the files of switches is served over HTTP, without a slash at its end."""
    sheets: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    """Further sheets of a workbook, by name."""
    lossless: tuple[int, int] | None = None
    """Code point and priority of RoCE, from the limits that adapters are judged by; None where these name no single one."""


def fabrics(design: Design, wish: ExportRequest) -> list[Fabric]:
    """The fabrics that `wish` selects: the one it names, or all. Raises `UsageError` for one that the site lacks."""
    by_name = {fabric.name: fabric for fabric in design.site.fabrics}
    if not wish.fabric:
        return list(by_name.values())
    if wish.fabric not in by_name:
        raise UsageError(
            f"--fabric {wish.fabric}: the site has no such fabric; {_did_you_mean(wish.fabric, list(by_name))}"
        )
    return [by_name[wish.fabric]]


def infiniband(design: Design, wish: ExportRequest) -> list[Fabric]:
    """The InfiniBand fabrics that `wish` selects. Raises `UsageError` if there is none."""
    return _of_transports(design, wish, ("infiniband",), "InfiniBand")


def switched(design: Design, wish: ExportRequest) -> list[Fabric]:
    """The Ethernet and InfiniBand fabrics that `wish` selects. Raises `UsageError` if there is none."""
    return _of_transports(design, wish, ("roce", "ethernet", "infiniband"), "Ethernet or InfiniBand")


def _of_transports(design: Design, wish: ExportRequest, transports: tuple[str, ...], spoken: str) -> list[Fabric]:
    fabrics_ = fabrics(design, wish)
    fitting = [fabric for fabric in fabrics_ if fabric.transport in transports]
    if fitting:
        return fitting
    if wish.fabric:
        alternatives = [fabric.name for fabric in design.site.fabrics if fabric.transport in transports]
        step = (
            f"{spoken} here is {', '.join(alternatives)}"
            if alternatives
            else f"the site has no {spoken}; try --to graph"
        )
        raise UsageError(f"--fabric {wish.fabric}: its transport is {fabrics_[0].transport}, not {spoken}; {step}")
    raise UsageError(
        f"the site {design.site.site} has no {spoken} fabric; export its cabling with --to graph or --to netbox"
    )


def pools(design: Design, wish: ExportRequest, scheduler: str) -> list[str]:
    """The pools that `wish` names, else those of `scheduler`. Raises `UsageError` when there is none."""
    names = [pool.name for pool in design.site.pools]
    for name in wish.pools:
        if name not in names:
            raise UsageError(f"--pool {name}: the site has no such pool; {_did_you_mean(name, names)}")
    requested = list(wish.pools) or [pool.name for pool in design.site.pools_of(scheduler)]
    if not requested:
        raise UsageError(
            f"no pool of {design.site.site} has scheduler {scheduler}; "
            f"name one with --pool ({', '.join(names)}) to export it all the same"
        )
    return [name for name in names if name in requested]


def _did_you_mean(name: str, names: list[str]) -> str:
    close = get_close_matches(name, names, n=1)
    return f"did you mean {close[0]}?" if close else f"it has {', '.join(names)}"
