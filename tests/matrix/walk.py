"""Walks one server of the catalog from `size` to the gate without hosts: every reading of a twin, judged and decided as in an acceptance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import yaml

from rackwright import catalog, design, judge, spec
from rackwright.base import yaml_text
from rackwright.base.errors import RackwrightError
from rackwright.cli.accept import judge_text
from rackwright.design import sizing
from rackwright.model.design import Design
from rackwright.model.gate import Decision
from rackwright.model.sku import Server
from rackwright.model.software import OperatingSystem
from rackwright.onboard import role_refusals
from rackwright.twin.campaign import Scene, SiteGate, Stage, play, scenes
from rackwright.twin.campaign.play import collect_evidence, judge_scene
from tests.matrix import by_system
from tests.matrix.rows import SCHEDULERS, servers, systems_of

ACCELERATORS = 64
NODES = 4
"""Judged: enough peers for the checks that compare."""
RUNS = 3
"""Of a calibration."""
FABRICS = ("ndr-rail", "roce-rail", "nvl72-rail", "gb200-nvl72", "hdr-rail", "roce-rail-200")
"""Fabrics of `rackwright size`; the first that the server's adapters speak is used."""
OTHER_FABRICS = {
    "ndr-fat-tree": "dgx-h100",
    "ndr-rail-only": "dgx-h200",
    "xdr-rail": "dgx-b300",
    "xdr-rail-only": "dgx-b300",
    "roce-rail-only": "mi300x-8u",
    "roce-dual-plane": "dgx-b300",
    "ddc": "gaudi3-8u",
    "ndr-small": "dgx-h100",
    "ndr-collapsed": "dgx-h200",
    "roce-small": "mi300x-8u",
    "roce-collapsed": "dgx-b300",
}
"""The other fabrics, each with a server that fits, played with the first scheduler."""
KINDS = {
    "device": ("gpu-missing",),
    "link": ("link-bit-errors", "link-dark"),
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
    """What `rackwright check` refuses, then checks and rules that refuse a node of the healthy site; empty: all are accepted."""
    calibrated: tuple[str, ...]
    """Checks that had no published limit to judge by, and were judged by one that the site calibrated."""
    systems: tuple[str, ...]
    """How it ends on each system."""
    faults: dict[str, str]
    """By kind of fault: the fault, and ``!`` where the gate does not refuse exactly the node that it hit."""

    @property
    def line(self) -> str:
        """The row of the published table."""
        healthy = "refused: " + _listed(self.refused) if self.refused else "accepted" + (
            f" once calibrated: {_listed(self.calibrated)}" if self.calibrated else ""
        )  # fmt: skip
        cells = (self.server, self.scheduler, self.fabric, healthy, ", ".join(self.systems), *self.faults.values())
        return f"| {' | '.join(cells)} |"


def _listed(checks: Sequence[str]) -> str:
    return ", ".join(f"`{check}`" for check in checks)


def sites() -> list[tuple[str, str, str]]:
    """Server, scheduler and fabric of every site; the fabric is empty where the first of `FABRICS` that fits is used."""
    usual = [(server, scheduler, "") for server in servers() for scheduler in SCHEDULERS]
    return [*usual, *((server, SCHEDULERS[0], fabric) for fabric, server in OTHER_FABRICS.items())]


def walk(server: str, scheduler: str, folder: Path, fabric: str = "", systems: Sequence[OperatingSystem] = ()) -> Walk:
    """Size a site for `server`, and `walk_stage`; with all systems of its makers by default."""
    fabric, stage = sized_stage(server, scheduler, folder, fabric)
    return walk_stage((server, scheduler, fabric), stage, folder, systems or systems_of(server))


def walk_stage(site: tuple[str, str, str], stage: Stage, folder: Path, systems: Sequence[OperatingSystem]) -> Walk:
    """Play the stage of a site (server, scheduler and fabric) healthy, with `systems` and with one fault of each kind."""
    server, scheduler, fabric = site
    site_gate = SiteGate(stage)
    refused = remaining = refusing(site_gate)
    if refused:
        site_gate = SiteGate(calibrated_stage(stage, server, folder))
        remaining = refusing(site_gate)
    played = {kind: _play_fault(site_gate, names, remaining) for kind, names in KINDS.items()}
    calibrated = tuple(sorted(refused - remaining))
    by_systems = by_system.ends(site_gate.stage, systems)
    onboarding = {f"check: {problem.message}" for problem in role_refusals.problems(stage.design)}
    return Walk(server, scheduler, fabric, (*sorted(onboarding), *sorted(remaining)), calibrated, by_systems, played)


def refusing(site_gate: SiteGate) -> set[str]:
    """Checks and rules that refuse a node of the healthy site."""
    return {check for decision in decide(site_gate, Scene("healthy", ())) for check in decision.blocking}


def sized_stage(
    server: str, scheduler: str, folder: Path, fabric: str = "", system: OperatingSystem | None = None
) -> tuple[str, Stage]:
    """Fabric and site of `rackwright size` for `server`, written to `folder`, loaded and expanded."""
    fabrics = (fabric,) if fabric else FABRICS
    fabric, sized = _size_site(catalog.load().servers[server], scheduler, folder, fabrics, system)
    return fabric, _stage(folder, sized)


def calibrated_stage(stage: Stage, server: str, folder: Path) -> Stage:
    """`stage` again, with a declared calibration of `server` and the limits that its healthy nodes make in some runs."""
    file = folder / "site.yaml"
    data = yaml_text.load(file.read_text(encoding="utf-8"))
    terms = {"server": server, "nodes": NODES, "runs": RUNS, "signed_by": "test engineer of the matrix"}
    data["acceptance"]["calibrations"] = [terms]
    data["site_folder"] = "own"
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    limits = folder / "own" / "validators" / "limits" / f"{server}.yaml"
    limits.parent.mkdir(parents=True)
    runs = {f"run-{seed}": collect_evidence(stage, replace(stage.healthy, seed=seed)) for seed in range(1, RUNS + 1)}
    verdicts = judge_scene(stage, runs["run-1"])
    loaded = spec.load(file)
    rows = judge.calibrate(
        design.expand(loaded.site, loaded.catalog), loaded.site.acceptance.calibrations[0], runs, stage.checks, stage.limits, verdicts,
        datetime.fromisoformat(TAKEN).date(),
    )  # fmt: skip
    limits.write_text(judge_text.calibrated(rows), encoding="utf-8")
    return _stage(folder)


def _stage(folder: Path, sized: Design | None = None) -> Stage:
    """The site of `folder`, expanded unless it is read as it was `sized`."""
    loaded = spec.load(folder / "site.yaml")
    plan = sized if sized and sized.site == loaded.site else design.expand(loaded.site, loaded.catalog)
    return Stage(plan, tuple(node.name for node in plan.nodes("accelerator"))[:NODES], TAKEN, passes=True)


def decide(site_gate: SiteGate, scene: Scene) -> list[Decision]:
    """The last gate's decision on every node of `scene`."""
    return site_gate.decisions(play(site_gate.stage, scene))


def _play_fault(site_gate: SiteGate, names: Sequence[str], refused: Collection[str]) -> str:
    """The first fault of `names` that can show, behind ``!`` unless the gate refuses the node that it hits, and no other for it."""
    stage = site_gate.stage
    name = next(name for name in names if name in stage.place.faults)
    fault = stage.place.faults[name]
    [scene] = scenes(stage.healthy, stage.nodes, {name: fault}, combinations=0, seeds=0)
    hit = {node for injected in scene.injected for node in injected.nodes}
    blamed = {decision.node for decision in decide(site_gate, scene) if set(decision.blocking) - set(refused)}
    return f"`{name}`" if blamed == hit else f"! `{name}`: {', '.join(sorted(blamed)) or 'no node'} refused"


def _size_site(
    server: Server, scheduler: str, folder: Path, fabrics: Sequence[str], system: OperatingSystem | None
) -> tuple[str, Design]:
    """Write the site that `rackwright size` gives for `server`; returns its fabric and design."""
    parts = catalog.load()
    reasons = []
    for fabric in fabrics:
        request = sizing.SizeRequest(ACCELERATORS, server.sku, fabric, scheduler=scheduler, system=system)
        try:
            sized = sizing.size_site(request, parts)
        except RackwrightError as error:
            reasons.append(str(error))
            continue
        (folder / "site.yaml").write_text(sizing.site_text(sized), encoding="utf-8")
        return fabric, sized.design
    raise AssertionError(f"no fabric of {fabrics} fits {server.sku}: {reasons}")
