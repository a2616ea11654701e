"""Walks one server of the catalog from `size` to the gate without hosts: every reading of a twin, judged and decided as in an acceptance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from rackwright import catalog, design, gate, spec
from rackwright.base import content
from rackwright.base.errors import RackwrightError
from rackwright.design import sizing
from rackwright.model.gate import Decision
from rackwright.model.sku import Server
from rackwright.model.times import parse_time
from rackwright.twin import faults
from rackwright.twin.campaign import Scene, Stage, scenes
from rackwright.twin.campaign.play import collect_evidence, judge_scene

PUBLISHED = content.folder("validators", "MATRIX.md")
ACCELERATORS = 64
NODES = 4
"""Judged: enough peers for the checks that compare."""
SCHEDULERS = ("slurm", "kubernetes")
FABRICS = ("ndr-rail", "roce-rail", "nvl72-rail")
"""Fabrics of `rackwright size`; the first that the server's adapters speak is used."""
KINDS = {
    "device": ("gpu-missing",),
    "link": ("link-bit-errors",),
    "software": ("driver-other-loaded", "memlock-default"),
}
"""Faults of each kind; the first that can show on the server is played."""
TAKEN = "2026-11-22T09:00:00Z"


@dataclass(frozen=True)
class Walk:
    """What became of one server with one scheduler."""

    server: str
    scheduler: str
    fabric: str
    refused: tuple[str, ...]
    """Checks and rules that refuse a node of the healthy site; empty: all are accepted."""
    faults: dict[str, str]
    """By kind of fault: the fault, and ``!`` where the gate does not refuse exactly the node that it hit."""

    @property
    def line(self) -> str:
        """The row of the published table."""
        healthy = "accepted" if not self.refused else "refused: " + ", ".join(f"`{check}`" for check in self.refused)
        return f"| {self.server} | {self.scheduler} | {self.fabric} | {healthy} | {' | '.join(self.faults.values())} |"


def servers() -> list[str]:
    """Every server of the catalog with accelerators."""
    return [server.sku for server in catalog.load().servers.values() if server.accelerators]


def walk(server: str, scheduler: str, folder: Path) -> Walk:
    """Size a site for `server`, and play it healthy and with one fault of each kind."""
    fabric, stage = sized_stage(server, scheduler, folder)
    refused = {check for decision in decide(stage, Scene("healthy", ())) for check in decision.blocking}
    played = {kind: _played(stage, names, refused) for kind, names in KINDS.items()}
    return Walk(server, scheduler, fabric, tuple(sorted(refused)), played)


def sized_stage(server: str, scheduler: str, folder: Path) -> tuple[str, Stage]:
    """Fabric and site of `rackwright size` for `server`, written, loaded and expanded."""
    fabric, site = _sized(catalog.load().servers[server], scheduler, folder)
    loaded = spec.load(site)
    plan = design.expand(loaded.site, loaded.catalog)
    return fabric, Stage(plan, tuple(node.name for node in plan.nodes("accelerator"))[:NODES], TAKEN, passes=True)


def decide(stage: Stage, scene: Scene) -> list[Decision]:
    """The last gate's decision on every node of `scene`."""
    state = faults.apply_faults(stage.healthy, scene.injected)
    evidence = collect_evidence(stage, state)
    chain = gate.load_chain(stage.design.site.acceptance.gates)
    decisions, _ = gate.decide_all(
        chain,
        gate.GateInput(
            verdicts=judge_scene(stage, evidence),
            nodes=stage.nodes,
            waivers=(),
            now=datetime.fromisoformat(TAKEN) + timedelta(hours=1),
            collected={node: parse_time(record.taken) for node, record in evidence.items() if record.taken},
            members=gate.node_groups(stage.design, stage.nodes),
            around=gate.plant_units(stage.design, stage.nodes),
            capabilities=gate.node_capabilities(stage.design, stage.nodes),
        ),
    )
    return decisions


def _played(stage: Stage, names: Sequence[str], refused: Collection[str]) -> str:
    """The first fault of `names` that can show, behind ``!`` unless the gate refuses the node that it hits, and no other for it."""
    name = next(name for name in names if name in stage.place.faults)
    fault = stage.place.faults[name]
    [scene] = scenes(stage.healthy, stage.nodes, {name: fault}, combinations=0, seeds=0)
    hit = {node for injected in scene.injected for node in injected.nodes}
    blamed = {decision.node for decision in decide(stage, scene) if set(decision.blocking) - set(refused)}
    return f"`{name}`" if blamed == hit else f"! `{name}`: {', '.join(sorted(blamed)) or 'no node'} refused"


def _sized(server: Server, scheduler: str, folder: Path) -> tuple[str, Path]:
    parts = catalog.load()
    reasons = []
    for fabric in FABRICS:
        request = sizing.SizeRequest(ACCELERATORS, server.sku, fabric, scheduler=scheduler)
        try:
            text = sizing.site_text(sizing.size_site(request, parts))
        except RackwrightError as error:
            reasons.append(str(error))
            continue
        site = folder / "site.yaml"
        site.write_text(text, encoding="utf-8")
        return fabric, site
    raise AssertionError(f"no fabric of {FABRICS} fits {server.sku}: {reasons}")
