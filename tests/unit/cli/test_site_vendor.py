"""An accelerator vendor that rackwright has never heard of, brought by a site as files: designed, onboarded, read, judged, accepted."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from rackwright import design, gate, spec
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
from tests import site_vendor
from tests.build import TAKEN
from tests.rotation import of_this_run


@pytest.fixture(scope="module", params=of_this_run(("slurm", "kubernetes"), 1))
def sized(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The folder of a site of `rackwright size` for the server of the vendor."""
    folder = tmp_path_factory.mktemp("sized")
    site_vendor.write(folder)
    words = ("--scheduler", request.param, "--version", "vendor_driver=1.2.2", "--out", str(folder / "site.yaml"))
    assert size(folder, *words) == 0
    assert str(folder) not in (folder / "site.yaml").read_text()
    return folder


@pytest.fixture
def site(sized: Path, tmp_path: Path) -> Path:
    """The site file, in a folder of its own."""
    shutil.copytree(sized, tmp_path, dirs_exist_ok=True)
    return tmp_path / "site.yaml"


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
            "roce-rail-200",
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
