"""The roles as an Ansible collection: packed, installed apart from this checkout, and played on a host that has them already."""

from __future__ import annotations

import re
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


def test_a_host_that_its_roles_brought_about_is_as_the_collection_wants_it(collections, theatre):
    stage_run = theatre(EXAMPLE)
    scene = next(scene for stage in stages() if stage.site == EXAMPLE for scene in stage.scenes if scene.role == "nccl")
    environment = settings.environment({"HOME": "/root"}, 1, stage_run.work, ROOT / "roles") | {
        "ANSIBLE_COLLECTIONS_PATH": str(collections)
    }
    words = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
    play = f"{BIN / 'ansible-playbook'} -i {stage_run.work / 'inventory'} --limit {scene.host} --tags base,nccl rackwright.cluster.site"
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
    play = f"{BIN / 'ansible-playbook'} -i {stage_run.work / 'inventory'} --limit {scene.host} {playbook}"
    code, output = stage_run.shell.run(f"cd /tmp && env {words} {play}")
    assert code == 0, output
    assert "changed=0" in output


def test_a_role_of_the_collection_is_played_from_one_of_its_tasks_on(collections, theatre):
    """By the name that roles/README.md has, which holds for the collection and for the checkout alike."""
    stage_run = theatre(EXAMPLE)
    scene = next(scene for stage in stages() if stage.site == EXAMPLE for scene in stage.scenes if scene.role == "nccl")
    environment = settings.environment({"HOME": "/root"}, 1, stage_run.work, ROOT / "roles") | {
        "ANSIBLE_COLLECTIONS_PATH": str(collections)
    }
    words = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
    text = (ROOT / "roles" / "README.md").read_text(encoding="utf-8")
    options = re.findall(r'--start-at-task "[^"]+"|--step(?=`)', text)
    play = f"{BIN / 'ansible-playbook'} -i {stage_run.work / 'inventory'} --limit {scene.host} --tags nccl {' '.join(options)}"
    code, output = stage_run.shell.run(f"cd /tmp && echo c | env {words} {play} rackwright.cluster.by_role")
    assert code == 0, output
    assert "Perform task: TASK: rackwright.cluster.nccl : Write the files of the role" in output
    played = re.findall(r"^TASK \[rackwright\.cluster\.(.*?)\]", output, re.MULTILINE)
    assert (played[0], played[-1]) == ("nccl : Write the files of the role", "nccl : See whether everything is so")
    assert "changed=0" in output


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        (
            "ansible-doc -t module rackwright.cluster.role_state",
            "changes nothing and fails with everything that differs",
        ),
        (
            "ansible-playbook -i localhost, --list-tasks rackwright.cluster.by_role",
            "nccl : Write the files of the role",
        ),
    ],
)
def test_what_the_collection_has_can_be_looked_up(collections, tmp_path, command, printed):
    environment = {"HOME": str(tmp_path), "PATH": f"{BIN}:/usr/bin:/bin", "ANSIBLE_COLLECTIONS_PATH": str(collections)}
    listed = subprocess.run(command.split(), env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert printed in " ".join(listed.stdout.split())
