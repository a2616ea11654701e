"""An accelerator vendor that rackwright has never heard of, brought by a site as files: designed, onboarded, read, judged, accepted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from rackwright import catalog, design, gate, spec
from rackwright.cli.main import main
from rackwright.flow.schedulers import kubernetes_resource
from rackwright.model.design import Design
from rackwright.model.gate import Decision
from rackwright.onboard import plan, played_roles
from rackwright.onboard.facts import Context
from rackwright.onboard.role_engine import run_part
from rackwright.onboard.slurm import slurm_variables
from rackwright.twin import faults
from rackwright.twin.campaign import Scene, Stage, scenes
from rackwright.twin.campaign.play import collect_evidence, judge_scene
from tests.build import TAKEN

SOURCE = """
sources:
  - {doc: "Quark, data sheet of the Q1 (fictitious)", date: "2026-11-23", level: read, covers: ["*"]}
"""
FILES = {
    "catalog/vendors/quark.yaml": f"""
sku: quark
kind: vendor
manufacturer: Quark
model: accelerators of Quark
device_file: /dev/quark
driver_role: accelerator_vendor
{SOURCE}""",
    "catalog/accelerators/quark-q1.yaml": f"""
sku: quark-q1
kind: accelerator
manufacturer: Quark
model: Q1
vendor: quark
architecture: q
product_name: Quark Q1
memory_gib: 64
memory_gbytes_per_s: 1000
tdp_watts: 400
pcie_generation: 5
pcie_width: 16
{SOURCE}""",
    "validators/collectors/quark_smi.py": '''
"""Every accelerator out of quark-smi: index, name, serial, bus, MiB, W."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators, Device


def parse(output):
    devices = []
    for number, line in enumerate(output.splitlines(), 1):
        fields = line.split(",")
        if len(fields) != 6:
            raise ParseError(number, line, "index, name, serial, bus, MiB and W")
        index, name, serial, bus, mib, watts = fields
        devices.append(
            Device.bare(index=int(index), product_name=name, uuid=serial, serial=serial, pci_bus_id=bus, memory_total_bytes=int(mib) << 20,
                        power_watts=float(watts))
        )
    return Accelerators(driver_version="", cuda_driver_version="", devices=devices)


COLLECTOR = Collector(
    produces=Accelerators, parse=parse, seconds=60, roles=("accelerator",), vendors=("quark",), command=("quark-smi", "--csv")
)
''',
    "validators/limits/quark.yaml": """
limits:
  - {metric: kubernetes.resource, match: {vendor: quark}, value: quark.example/q, unit: names, date: "2026-11-23", kind: vendor, source: "Quark device plugin"}
  - {metric: gpu.memory_share, match: {architecture: q}, value: 0.95, unit: share, date: "2026-11-23", kind: derived, source: "Quark keeps 2 GiB for itself"}
  - {metric: pcie.vendor_id, match: {vendor: quark}, value: "1def", unit: id, date: "2026-11-23", kind: vendor, source: "Quark data sheet"}
""",
    "roles/accelerator_vendor/vars/vendors/quark.yml": """
__accelerator_vendor_data:
  packages: {debian: {quark-driver: "{{ accelerator_vendor_driver }}"}}
  files: []
  module: quark
  dkms: quark
  more_modules: []
  devices: /dev/quark*
  groups: []
  tool: quark-smi
  visible: QUARK_VISIBLE_DEVICES
  environment: {}
  path: []
  runtime: {}
  unknown: []
  verify: []
""",
    "twin/vendors/quark.yaml": 'vendor: "1def"\nclass: "1200"\nproducts: {"Quark Q1": "0001"}\nkubernetes_resource: quark.example/q\n',
    "twin/tools/quark_smi.py": '''
"""quark-smi --csv on a node of the twin."""

def observe(state, design, node):
    present = [gpu for gpu in state.machines[node].gpus if gpu.present]
    lines = [f"{n},{gpu.product_name},{gpu.serial},{gpu.pci_bus_id},{gpu.memory_bytes >> 20},{gpu.power_limit_watts // 5}" for n, gpu in enumerate(present)]
    return "\\n".join(lines).encode()
''',
}


def server() -> str:
    text = (Path(catalog.__file__).parent / "servers" / "br100-8u.yaml").read_text(encoding="utf-8")
    return text.replace("sku: br100-8u\n", "sku: quark-8u\n").replace("accelerator: br100\n", "accelerator: quark-q1\n")


@pytest.fixture(params=("slurm", "kubernetes"))
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A site of `rackwright size` for the server of the vendor."""
    for name, content_of in {**FILES, "catalog/servers/quark-8u.yaml": server()}.items():
        path = tmp_path / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content_of.lstrip("\n"), encoding="utf-8")
    file = tmp_path / "site.yaml"
    assert size(tmp_path, "--scheduler", request.param, "--version", "vendor_driver=1.2.2", "--out", str(file)) == 0
    return file


def size(folder: Path, *words: str) -> int:
    folder_text = str(folder / "own")
    return main(
        [
            "size",
            "--accelerators",
            "64",
            "--server",
            "quark-8u",
            "--fabric",
            "roce-rail",
            "--site-folder",
            folder_text,
            *words,
        ]
    )


def expanded(site: Path) -> Design:
    loaded = spec.load(site)
    return design.expand(loaded.site, loaded.catalog)


def decide(stage: Stage, scene: Scene) -> list[Decision]:
    """The last gate's decision on every node of `scene`."""
    evidence = collect_evidence(stage, faults.apply_faults(stage.healthy, scene.injected))
    last_gate = gate.load_chain(stage.design.site.acceptance.gates, roots=stage.design.roots)[-1]
    abilities = gate.node_capabilities(stage.design, stage.nodes)
    return gate.decide_nodes(judge_scene(stage, evidence), last_gate, [], date.min, stage.nodes, capabilities=abilities)


def test_a_vendor_is_files_of_the_site_and_no_edit_of_the_package(site: Path, capsys) -> None:
    assert main(["check", str(site)]) == 0, capsys.readouterr()
    plan_of_site = expanded(site)
    nodes = tuple(node.name for node in plan_of_site.nodes("accelerator"))
    stage = Stage(plan_of_site, nodes[:4], TAKEN, passes=True)
    refused = {check for decision in decide(stage, Scene("healthy", ())) for check in decision.blocking}
    assert refused == set()
    lost = scenes(
        stage.healthy, stage.nodes, {"gpu-missing": stage.place.faults["gpu-missing"]}, combinations=0, seeds=0
    )[0]
    hit = {node for injected in lost.injected for node in injected.nodes}
    assert {decision.node for decision in decide(stage, lost) if not decision.accepted} == hit


def test_its_driver_is_installed_by_the_data_file_of_the_site(site: Path) -> None:
    plan_of_site = expanded(site)
    node = plan_of_site.nodes("accelerator")[0]
    bill = plan_of_site.site.software.bill(node.pool)
    roles = plan.node_roles(plan_of_site, node, bill)
    assert "accelerator_vendor" in [role.name for role in roles]
    variables = plan.host_variables(
        node, roles, bill, Context(plan_of_site, {"munge_key": site, "kubeadm_token": site})
    )
    folder = played_roles.project(plan_of_site.roots) / "roles"
    facts = {
        "os": "debian-12",
        "family": "debian",
        "dkms": [],
        "kernel": {"release": "r", "cmdline": "", "modules": {}, "headers": True},
    }
    _, arguments = run_part("install", ["accelerator_vendor"], variables, facts, folder=folder)
    assert arguments["roles"][0]["packages"]["quark-driver"] == bill.vendor_driver


def test_the_schedulers_give_its_accelerators_away(site: Path) -> None:
    plan_of_site = expanded(site)
    assert kubernetes_resource(plan_of_site, "quark") == "quark.example/q"
    if plan_of_site.site.control.slurm:
        [nodes] = slurm_variables(plan_of_site, site)["slurm_config_sets"]
        assert nodes["devices"][0]["files"].startswith("/dev/quark[0-")
    assert gate.load_gates(roots=plan_of_site.roots)["node"].checks == gate.load_gates()["node"].checks


def test_its_parts_and_limits_are_shown_as_shipped_ones_are(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "show", "quark-q1", "--site", str(site)]) == 0
    assert "Quark, data sheet of the Q1" in capsys.readouterr().out
    assert main(["catalog", "list", "--kind", "vendor", "--site", str(site)]) == 0
    assert "quark" in capsys.readouterr().out
    assert main(["limits", "show", "pcie.vendor_id", "--site", str(site)]) == 0
    assert "vendor quark: 1def" in capsys.readouterr().out
    assert main(["limits", "lint", "--site", str(site)]) == 0
    assert main(["catalog", "show", "quark-q1"]) != 0


def test_what_cannot_be_sized_is_refused_with_the_next_step(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert size(site.parent) == 1
    assert "pool train must name its vendor_driver" in capsys.readouterr().err
    assert size(site.parent, "--version", "vendor_drivr=1") == 2
    assert "did you mean vendor_driver?" in capsys.readouterr().err
    assert size(site.parent, "--version", "vendor_driver=1.2.2", "--out", str(site.parent / "own" / "site.yaml")) == 2
    assert "a site file lies beside its folder" in capsys.readouterr().err
