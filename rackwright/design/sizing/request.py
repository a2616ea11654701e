"""The sizing request, and the parts it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rackwright.catalog import Catalog, fabric_presets
from rackwright.catalog.fabric_presets import FabricPreset, NetworkPreset
from rackwright.catalog.plugs import fitting, links_per_plug
from rackwright.design.sizing.refusal import refuse
from rackwright.model.lanes import agree, lanes, lanes_per_port
from rackwright.model.sku import Accelerator, Server, ServerPort, Switch
from rackwright.model.software import OperatingSystem

Scheduler = Literal["slurm", "kubernetes", "none"]
POOL = "train"
LONGEST_NAME = 31
"""Letters, as the schema has it for every name."""


@dataclass(frozen=True)
class SizeRequest:
    """The requested site."""

    accelerators: int
    server: str
    fabric: str
    storage: str = "better"
    """Level of the storage guideline: good, better or best."""
    scheduler: Scheduler = "slurm"
    site: str = ""
    """Name; server and number of accelerators when empty, so that sites of different sizes do not share a workspace."""
    racks_per_row: int | None = None
    hall_kw: int | None = None
    """Highest IT load of a hall."""
    ufm: bool = False
    """Keep leaf ports for subnet managers even when units are then smaller."""
    system: OperatingSystem | None = None
    """Operating system of the nodes; the first that the makers of the hardware support when None."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Fields of the bill that the reference does not have, or has otherwise."""
    site_folder: str = ""
    """Name of the folder beside the site file with the parts of the site itself."""

    def __post_init__(self) -> None:
        """Name the site."""
        number = f"-{self.accelerators}"
        object.__setattr__(self, "site", self.site or f"{self.server[: LONGEST_NAME - len(number)]}{number}")


@dataclass(frozen=True)
class Frame:
    """The request with its parts."""

    ask: SizeRequest
    server: Server
    preset: FabricPreset
    leaf: Switch
    nodes: int
    networks: dict[str, NetworkPreset]
    """By role; roles without server ports are missing."""
    accelerator: Accelerator | None = None
    turned: frozenset[str] = frozenset()
    """Switches with exhaust at their ports, which therefore face the rear."""

    @property
    def accelerators(self) -> int:
        """Accelerators of all nodes."""
        return self.nodes * self.server.accelerators

    def cut(self, nodes: int) -> Frame:
        """The same with fewer nodes."""
        return replace(self, nodes=nodes)

    def ports(self, role: str) -> ServerPort | None:
        """The server's ports of a role."""
        return next((group for group in self.server.ports if group.role == role), None)

    def host_gbps(self) -> int:
        """Rate of one host link: an adapter's port, or its lane when planes share one port."""
        group = self.ports("compute")
        assert group is not None, "a frame has compute ports"
        split = lanes_per_port(group.per_rail, self.preset.planes) or 1
        return agree(group.gbps // split, group.rates, self.leaf.ports) or 0

    def leaf_ports(self) -> int:
        """Host ports of a non-blocking leaf: half of its ports at the rate of the host links."""
        every = self.leaf.ports.count * lanes(self.leaf.ports, self.host_gbps())
        return every if self.leaf.uplinks else every // 2


def read_frame(request: SizeRequest, catalog: Catalog) -> Frame:
    """The frame of `ask`; server and preset must exist."""
    server, presets = catalog.servers[request.server], fabric_presets.load()
    preset = presets.named(request.fabric)
    assert preset is not None, "the caller knows its presets"
    frame = Frame(request, server, preset, catalog.switches[preset.switch], _nodes(request, server), {})
    _require_fit(frame, catalog)
    part = catalog.accelerators.get(server.accelerator or "")
    turned = frozenset(sku for sku, part in catalog.switches.items() if part.airflow == "rear-to-front")
    return replace(frame, networks=_networks(frame), turned=turned, accelerator=part)


def misfit(server: Server, preset: FabricPreset, catalog: Catalog) -> str | None:
    """Why `server` cannot connect to `preset`; None when it can."""
    frame = Frame(SizeRequest(1, server.sku, preset.name), server, preset, catalog.switches[preset.switch], 1, {})
    return _misfit_reason(frame, catalog)


def _nodes(ask: SizeRequest, server: Server) -> int:
    if not server.accelerators:
        raise refuse("--server", f"{server.sku} has no accelerators", "a server with accelerators", server.sku,
                     "name one that `rackwright catalog list servers` shows with accelerators")  # fmt: skip
    return -(-ask.accelerators // server.accelerators)


def _require_fit(frame: Frame, catalog: Catalog) -> None:
    why = _misfit_reason(frame, catalog)
    if why:
        expected = "a fabric that the server's adapters speak"
        able = [preset.name for preset in fabric_presets.load().presets if not misfit(frame.server, preset, catalog)]
        step = f"take --fabric {' or '.join(able)}" if able else "name another --server"
        raise refuse("--fabric", why, expected, f"{frame.server.sku} on {frame.preset.name}", step)


def _misfit_reason(frame: Frame, catalog: Catalog) -> str | None:
    server, preset = frame.server, frame.preset
    group = frame.ports("compute")
    only = [sku for sku in preset.servers if sku != server.sku]
    if only and server.sku not in preset.servers:
        return f"{preset.name} is made for {', '.join(preset.servers)}"
    if server.psus.count == 0 and preset.rack is None:
        return f"{server.sku} hangs on the busbar of its rack, which {preset.name} does not have"
    if group is None:
        return f"{server.sku} has no compute ports"
    if preset.transport == "infiniband" and group.adapter not in fabric_presets.load().infiniband_adapters:
        return f"{server.sku} has {group.adapter} adapters, which do not speak InfiniBand"
    split = lanes_per_port(group.per_rail, preset.planes)
    if split is None:
        return f"{group.per_rail} ports of a rail cannot be dealt over {preset.planes} planes"
    if not catalog.splits(group, split):
        return f"{server.sku} has {group.adapter} adapters, whose ports nobody has shown split into {split} lanes"
    if not frame.host_gbps():
        return f"{server.sku} has compute ports of {group.gbps} Gb/s, which {preset.switch} cannot run"
    if not _pluggable(frame, group, split, catalog):
        return f"no cable is known from {group.form} cages of {server.sku} to {frame.leaf.ports.form} cages of {preset.switch} at {frame.host_gbps()} Gb/s"
    return None


def _pluggable(frame: Frame, group: ServerPort, split: int, catalog: Catalog) -> bool:
    """Whether a cable for more than the reach of copper fits the cages at both ends with all their links."""
    ports, gbps = frame.leaf.ports, frame.host_gbps()
    links, node_links = ports.per_cage * lanes(ports, gbps), group.per_cage * split
    for cable in fitting(catalog.cables.values(), gbps, frame.leaf, group.form):
        most, most_near = links_per_plug(cable, catalog.optics)
        if cable.medium not in COPPER and links <= most and node_links <= most_near:
            return True
    return False


COPPER = ("copper", "active-copper")


def _networks(frame: Frame) -> dict[str, NetworkPreset]:
    presets = fabric_presets.load()
    storage = frame.ports("storage")
    speaks = storage is not None and storage.adapter in presets.infiniband_adapters
    wide = frame.preset.transport == "infiniband" and speaks
    transports = {
        "storage": ("infiniband", "roce") if wide else ("roce",),
        "inband": ("ethernet",),
        "bmc": ("ethernet",),
    }
    networks = {}
    for role, words in transports.items():
        group = frame.ports(role)
        preset_network = presets.network(role, group.gbps, words) if group else None
        if preset_network:
            networks[role] = preset_network
    return networks
