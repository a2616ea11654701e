from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from rackwright.model import schemas
from rackwright.model.design import Design
from rackwright.model.evidence.fabric import FabricLink, NodeFabric
from rackwright.model.gate import Decision
from rackwright.model.handover import Handover, StepResult
from rackwright.model.site import Site
from rackwright.model.sku import Accelerator, Server, Switch
from rackwright.model.verdict import Outcome, Verdict

RAILS = ("mlx5_0", "mlx5_1")
PLACES = {"train-001": ("r1", 1), "train-002": ("r1", 9), "train-003": ("r2", 1), "train-004": ("r2", 9)}
SOURCE = {"doc": "test part", "date": "2026-01-01", "level": "derived", "covers": ["*"]}
PSUS = {"count": 6, "watts_each": 3300, "needed": 4}


def _site() -> Site:
    return Site.model_validate_json(
        """{"apiVersion": "rackwright/v1", "site": "tiny", "region": "eu-north",
        "facility": {"halls": [{"name": "hall-1", "rows": 1, "racks_per_row": 4}],
          "power": {"feeds": ["A", "B"], "feed_kw": 100, "circuit": {"volts": 415, "amps": 60, "phases": 3}}},
        "pools": [{"name": "train", "server": "box", "count": 4, "servers_per_rack": 2, "scheduler": "slurm"}],
        "fabrics": [{"name": "compute", "role": "compute", "transport": "infiniband", "topology": "rail-optimized", "switch": "ib"}],
        "control": {"ntp_servers": ["10.0.0.2"]},
        "software": {"apt_mirror": "http://10.0.0.2/apt", "driver": "1", "fabric_manager": "1", "cuda": "1", "nccl": "1",
          "dcgm": "1", "container_toolkit": "1"}}"""
    )


def _frame(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schemas.SCHEMAS[name])


def _device(name: str, kind: str, role: str, sku: str, rack: str, unit: int, height: int) -> dict[str, Any]:
    return {
        "device": name, "kind": kind, "role": role, "sku": sku, "rack": rack, "unit": unit, "rack_units": height,
        "fabric": "compute" if kind == "switch" else None, "pool": "train" if role == "accelerator" else None,
        "scalable_unit": 1, "index": 1, "peak_watts": 10200, "weight_kg": 130.0,
    }  # fmt: skip


def _devices() -> list[dict[str, Any]]:
    servers = [_device(n, "server", "accelerator", "box", rack, unit, 8) for n, (rack, unit) in PLACES.items()]
    switches = [_device(f"compute-leaf-0{i}", "switch", "leaf", "ib", "m1", i, 1) for i in (1, 2)]
    switches.append(_device("compute-spine-01", "switch", "spine", "ib", "m1", 4, 1))
    return [*servers, *switches, _device("slurm-01", "server", "slurm", "control", "m1", 10, 2)]


def _node(name: str, role: str, sku: str, rack: str, unit: int, index: int) -> dict[str, Any]:
    return {
        "node": name, "pool": "train", "role": role, "sku": sku, "rack": rack, "unit": unit, "scalable_unit": 1,
        "index": index, "accelerators": 8 if role == "accelerator" else 0, "inband_address": f"10.0.0.{index}",
        "bmc_address": f"10.0.1.{index}", "scheduler": "slurm",
    }  # fmt: skip


def _cables() -> list[dict[str, Any]]:
    rows = []
    for index, node in enumerate(PLACES, start=1):
        for rail, port in enumerate(RAILS, start=1):
            rows.append(("node_leaf", node, port, f"compute-leaf-0{rail}", f"p{index}"))
    for rail in (1, 2):
        rows += [
            ("leaf_spine", f"compute-leaf-0{rail}", f"p{30 + k}", "compute-spine-01", f"p{rail}{k}") for k in (1, 2)
        ]
    return [
        {
            "cable": f"c{number:03d}", "fabric": "compute", "kind": kind, "a_device": a, "a_port": ap, "b_device": b,
            "b_port": bp, "gbps": 400, "length_meters": 5.0, "sku": "cable",
        }
        for number, (kind, a, ap, b, bp) in enumerate(rows, start=1)
    ]  # fmt: skip


def _ports(cables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ends = [(c[f"{end}_device"], c[f"{end}_port"], c["cable"]) for c in cables for end in "ab"]
    return [
        {
            "device": device, "port": port, "number": int(port.lstrip("pmlx5_") or 0) if port[0] == "p" else 1 + RAILS.index(port),
            "fabric": "compute", "gbps": 400, "rail": None, "cable": cable,
        }
        for device, port, cable in ends
    ]  # fmt: skip


def tiny_design() -> Design:
    nodes = [_node(n, "accelerator", "box", r, u, i) for i, (n, (r, u)) in enumerate(PLACES.items(), start=1)]
    racks = [
        {
            "rack": rack, "hall": "hall-1", "row": 1, "position": position, "sku": "rack", "rack_units": 20,
            "kind": "management" if rack == "m1" else "compute", "weight_kg": 900.0, "peak_watts": 20400,
        }
        for position, rack in enumerate(("r1", "r2", "m1"), start=1)
    ]  # fmt: skip
    cables = _cables()
    server = {
        "manufacturer": "ACME", "sources": [SOURCE], "kind": "server", "weight_kg": 130.0, "peak_watts": 10200, "psus": PSUS,
        "cpu_sockets": 2, "cores_per_socket": 56, "memory_gib": 2048, "ports": [],
    }  # fmt: skip
    return Design(
        site=_site(),
        racks=_frame("racks", racks),
        devices=_frame("devices", _devices()),
        node_table=_frame("nodes", [*nodes, _node("slurm-01", "slurm", "control", "m1", 10, 9)]),
        ports=_frame("ports", _ports(cables)),
        cables=_frame("cables", cables),
        addresses=_frame("addresses", []),
        circuits=_frame("circuits", []),
        psus=_frame("psus", []),
        totals={
            "nodes": 4, "accelerators": 32, "racks": 3, "it_kw": 40.8,
            "fabrics": {"compute": {"leaf": 2, "spine": 1, "core": 0, "cables": {"node_leaf": 8, "leaf_spine": 4, "spine_core": 0}, "transceivers": 24}},
        },
        servers={
            "box": Server.model_validate({**server, "sku": "box", "model": "Box", "rack_units": 8, "accelerators": 8, "accelerator": "gpu"}),
            "control": Server.model_validate({**server, "sku": "control", "model": "Control", "rack_units": 2}),
        },
        switches={
            "ib": Switch.model_validate(
                {"sku": "ib", "manufacturer": "ACME", "model": "IB", "sources": [SOURCE], "kind": "switch", "transport": "infiniband",
                 "rack_units": 1, "weight_kg": 14.0, "peak_watts": 1700, "psus": PSUS, "ports": {"count": 64, "gbps": 400}}
            )
        },
        accelerators={
            "gpu": Accelerator.model_validate(
                {"sku": "gpu", "manufacturer": "ACME", "model": "G", "sources": [SOURCE], "kind": "accelerator", "vendor": "nvidia",
                 "architecture": "hopper", "product_name": "G", "memory_gib": 80.0, "memory_gbytes_per_s": 3350, "tdp_watts": 700,
                 "bf16_dense_tflops": 989.0, "pcie_generation": 5, "pcie_width": 16}
            )
        },
    )  # fmt: skip


def verdict(node: str, check: str, outcome: Outcome = Outcome.PASS, says: str = "") -> Verdict:
    return Verdict(
        check=check,
        target=node,
        title=f"Title of {check}",
        outcome=outcome,
        observed=f"{outcome} was seen",
        expected="as declared",
        source="SKU box, 2026-01-01",
        says=says or f"{node} {check} is {outcome}",
        evidence=[f"{len(node + check):02x}" * 32],
    )


def links_of(node: str, design: Design, swapped_with: str | None = None) -> NodeFabric:
    """Where the adapters of `node` hang; with `swapped_with` in the ports of that node."""
    links = design.links(swapped_with or node)
    return NodeFabric(
        links={
            link.port: FabricLink(
                guid="0x0", kind="Ca", name=node, port=1, remote_guid="0x1", remote_kind="Switch",
                remote_name=link.remote_device, remote_port=link.remote_number, speed="4xNDR",
            )
            for link in links
        }
    )  # fmt: skip


def tiny_handover(**changes: Any) -> Handover:
    """Three covered nodes: one accepted with remarks, one refused twice, one refused for what was never shown."""
    design = tiny_design()
    fields: dict[str, Any] = {
        "design": design,
        "nodes": ("train-001", "train-002", "train-003", "slurm-01"),
        "design_verdicts": (verdict("r1", "design.rack_units"),),
        "verdicts": (
            verdict("train-001", "gpu.count"),
            verdict("train-001", "gpu.ecc", Outcome.DEGRADED),
            verdict("train-001", "fabric.cabling"),
            verdict("train-002", "gpu.count"),
            verdict("train-002", "gpu.ecc", Outcome.FAIL, "GPU 3 has 2 uncorrected errors"),
            verdict("train-002", "fabric.cabling", Outcome.FAIL, "mlx5_0 hangs in another port"),
            verdict("train-003", "gpu.count", Outcome.INCONCLUSIVE, "the probe timed out"),
            verdict("train-003", "gpu.ecc", Outcome.NOT_RUN, "no reading was taken"),
            verdict("train-003", "fabric.cabling", Outcome.FAIL, "the cabling is waived"),
        ),
        "decisions": (
            Decision(node="train-001", accepted=True, blocking=[], reason="accepted"),
            Decision(node="train-002", accepted=False, blocking=["fabric.cabling", "gpu.ecc"], reason="refused"),
            Decision(node="train-003", accepted=False, blocking=["clock.offset", "gpu.count"], reason="refused", waived=["fabric.cabling"]),
        ),
        "steps": (StepResult("spec", "done", 0.31, "1 site"), StepResult("onboard", "done", 74.6, "4 hosts")),
        "jobs": ("job 12 ran on train-001 and ended with exit code 0",),
        "not_tested": ("Bandwidth between nodes was not measured.",),
        "rehearsal": None,
        "run_id": "20261121-080000-tiny",
        "created": "2026-11-21T08:00:00Z",
        "version": "0.1.0",
        "seen_links": {"train-001": links_of("train-001", design), "train-002": links_of("train-002", design, "train-003")},
    }  # fmt: skip
    return Handover(**{**fields, **changes})


@pytest.fixture
def handover() -> Handover:
    return tiny_handover()


@pytest.fixture(name="make")
def _make() -> Any:
    return tiny_handover


@pytest.fixture(name="verdict")
def _verdict() -> Any:
    return verdict


@pytest.fixture(name="observed_links")
def _observed_links() -> Any:
    return links_of


@pytest.fixture
def design() -> Design:
    return tiny_design()
