"""The roles as an Ansible collection: packed, installed apart from this checkout, and played on a host that has them already."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rackwright.onboard import settings
from tests.roles.cast import EXAMPLE, stages

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    words = [sys.executable, str(ROOT / "tools" / "collection"), "--out", str(folder)]
    archive = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    install = [
        str(BIN / "ansible-galaxy"),
        "collection",
        "install",
        "--offline",
        archive,
        "-p",
        str(folder / "installed"),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return folder / "installed"


def test_a_host_that_its_roles_brought_about_is_as_the_collection_wants_it(collections, theatre):
    stage_run = theatre(EXAMPLE)
    scene = next(scene for stage in stages() if stage.site == EXAMPLE for scene in stage.scenes if scene.role == "nccl")
    environment = settings.environment({"HOME": "/root"}, 1, stage_run.work, ROOT / "roles") | {
        "ANSIBLE_COLLECTIONS_PATH": str(collections)
    }
    words = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
    variables = '-e \'{"rackwright_only_roles": ["base", "nccl"]}\''
    play = f"{BIN / 'ansible-playbook'} -i {stage_run.work / 'inventory'} --limit {scene.host} {variables} rackwright.cluster.site"
    code, output = stage_run.shell.run(f"cd /tmp && env {words} {play}")
    assert code == 0, output
    assert "changed=0" in output
    assert "ok=" in output


def test_one_role_of_the_collection_can_be_used_alone(collections, theatre, tmp_path):
    stage_run = theatre(EXAMPLE)
    scene = next(scene for stage in stages() if stage.site == EXAMPLE for scene in stage.scenes if scene.role == "nccl")
    playbook = tmp_path / "own.yml"
    playbook.write_text("- hosts: all\n  gather_facts: false\n  roles: [rackwright.cluster.nccl]\n")
    environment = settings.environment({"HOME": "/root"}, 1, stage_run.work, ROOT / "roles") | {
        "ANSIBLE_COLLECTIONS_PATH": str(collections)
    }
    words = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
    variables = '-e \'{"rackwright_only_roles": ["nccl"]}\''
    play = f"{BIN / 'ansible-playbook'} -i {stage_run.work / 'inventory'} --limit {scene.host} {variables} {playbook}"
    code, output = stage_run.shell.run(f"cd /tmp && env {words} {play}")
    assert code == 0, output
    assert "changed=0" in output
