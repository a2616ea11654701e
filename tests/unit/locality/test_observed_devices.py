"""What DRA drivers publish, held against racks of NVL72; entries as the drivers write them (NVIDIA/k8s-dra-driver-gpu v25.8.1)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright.cli.main import main

ROOT = Path(__file__).parents[3]
NAMES = [f"train-{number:03}" for number in range(1, 37)]
CLUSTER = {
    "train-r01": "3f1b2c4d-0000-4000-8000-000000000001.32766",
    "train-r02": "3f1b2c4d-0000-4000-8000-000000000002.32766",
}
Entry = dict[str, Any]


@cache
def site_text() -> str:
    """Two racks of NVL72 under Kubernetes."""
    data = yaml.safe_load((ROOT / "inventories" / "gb200-pod" / "site.yaml").read_text())
    data["pools"][0] |= {"scheduler": "kubernetes", "count": 36}
    data["control"] = {key: value for key, value in data["control"].items() if key != "slurm"}
    return yaml.safe_dump(data)


def clique(name: str) -> str:
    return CLUSTER["train-r01" if name <= "train-018" else "train-r02"]


def node(name: str, value: str) -> Entry:
    return {"kind": "Node", "metadata": {"name": name, "labels": {"nvidia.com/gpu.clique": value}}}


def domain(members: dict[str, str]) -> Entry:
    """As pods of one job make it: each node that runs one has an entry."""
    nodes = [
        {"name": name, "ipAddress": "10.0.0.1", "cliqueID": value, "index": 0, "status": "Ready"}
        for name, value in members.items()
    ]
    return {
        "kind": "ComputeDomain",
        "metadata": {"name": "job", "namespace": "lab"},
        "status": {"status": "Ready", "nodes": nodes},
    }


def slice_of(driver: str, name: str, devices: list[Entry]) -> Entry:
    spec = {
        "driver": driver,
        "nodeName": name,
        "pool": {"name": name, "generation": 1, "resourceSliceCount": 1},
        "devices": devices,
    }
    return {"kind": "ResourceSlice", "metadata": {"name": f"{name}-{driver}-x1"}, "spec": spec}


def gpus(name: str, count: int = 4, *, divided: bool = False) -> Entry:
    undivided = [
        {"name": f"gpu-{i}", "attributes": {"type": {"string": "gpu"}, "uuid": {"string": f"GPU-{name}-{i}"}}}
        for i in range(count - divided)
    ]
    parts = [
        {"name": f"gpu-9-mig-9-{i}-4", "basic": {"attributes": {"type": {"string": "mig"}, "uuid": {"string": f"MIG-{i}"}, "parentUUID": {"string": "GPU-9"}}}}
        for i in range(2 * divided)
    ]  # fmt: skip
    return slice_of("gpu.nvidia.com", name, [*undivided, *parts])


def channel(name: str) -> Entry:
    devices = [
        {"name": f"{kind}-0", "attributes": {"type": {"string": kind}, "id": {"int": 0}}}
        for kind in ("daemon", "channel")
    ]
    return slice_of("compute-domain.nvidia.com", name, devices)


@pytest.fixture
def compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Exit status and output of the verb for what ``kubectl get`` lists."""

    def run(*entries: Entry) -> tuple[int, str]:
        (tmp_path / "site.yaml").write_text(site_text())
        (tmp_path / "observed").write_text(json.dumps({"kind": "List", "items": entries}))
        code = main(["compare", str(tmp_path / "site.yaml"), str(tmp_path / "observed")])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def test_cliques_in_labels_and_in_compute_domains_agree_with_racks(compare):
    members = {name: clique(name) for name in NAMES[10:30]}
    code, text = compare(*(node(name, clique(name)) for name in NAMES), domain(members), domain({"train-001": ""}))
    assert code == 0, text
    assert "groups 36 nodes by nvidia.com/gpu.clique, cliques of ComputeDomains." in text


def test_a_node_in_the_clique_of_another_rack_is_named(compare):
    swapped = {name: clique(name) for name in NAMES} | {"train-002": CLUSTER["train-r02"]}
    code, text = compare(*(node(name, value) for name, value in swapped.items()))
    assert code == 1
    assert (
        f"nvidia.com/gpu.clique: train-002: declared in train-r01, and in {CLUSTER['train-r02']} with nodes of train-r02"
        in text
    )


def test_slices_of_every_node_and_gpu_agree(compare):
    code, text = compare(*map(gpus, NAMES[1:]), gpus("train-001", divided=True), *map(channel, NAMES))
    assert code == 0, text
    assert "has 72 ResourceSlices." in text
    assert "They publish their devices as site" in text


def test_missing_devices_and_strangers_are_named(compare):
    code, text = compare(*map(gpus, NAMES[2:]), gpus("train-002", 3), *map(channel, NAMES[1:]), gpus("guest-1"))
    assert code == 1
    assert "gpu.nvidia.com: train-002: declared with 4 GPUs, and publishes 3" in text
    assert "gpu.nvidia.com: train-001: declared with 4 GPUs, and publishes 0" in text
    assert (
        "compute-domain.nvidia.com: train-001: declared in an NVLink domain, and publishes nothing for ComputeDomains"
        in text
    )
    assert "not in the site: guest-1" in text


def test_a_driver_that_does_not_run_is_no_difference(compare):
    assert compare(*map(channel, NAMES))[0] == 0
