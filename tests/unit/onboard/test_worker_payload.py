import io
import json
import stat

import pytest
from ansible_runner.utils.streaming import unstream_dir

from rackwright.base import content
from rackwright.model.inventory import Inventory
from rackwright.onboard.worker_payload import Project, host_inventory, stream

KEY = b"the key of the cluster"


@pytest.fixture
def secrets(tmp_path):
    folder = tmp_path / "secrets"
    folder.mkdir()
    (folder / "munge.key").write_bytes(KEY)
    (folder / "other.key").write_bytes(b"of another role")
    return folder


@pytest.fixture
def site(secrets):
    return Inventory(
        hosts={
            "train-001": {"ansible_host": "10.0.0.1", "rackwright_roles": ["base", "slurm_config"], "nccl_version": "1"},
            "ufm-01": {"ansible_host": "10.0.0.2", "rackwright_roles": ["base"]},
        },
        groups={"base": ["train-001", "ufm-01"], "slurm_config": ["train-001"]},
        variables={
            "ansible_user": "root", "ansible_ssh_private_key_file": str(secrets / "id"),
            "slurm_config_munge_key_file": str(secrets / "munge.key"), "base_hosts": {"train-001": "10.0.0.1"},
            "rackwright_reboot": "never",
        },
    )  # fmt: skip


@pytest.fixture(scope="module")
def project():
    return Project.of(content.folder("roles", "site.yml"), content.folder("templates"))


def unpacked(data, folder):
    """What ``ansible-runner worker`` makes of the stream."""
    line, words = io.BytesIO(data), []
    while not words or "eof" not in words[-1]:
        words.append(json.loads(line.readline()))
        if "zipfile" in words[-1]:
            unstream_dir(line, words[-1]["zipfile"], str(folder))
    assert line.read() == b""
    return words


def test_a_node_gets_the_roles_and_itself(project, site, secrets, tmp_path):
    words = unpacked(stream(project, "train-001", site, secrets, "--check"), tmp_path / "node")
    assert (words[0]["kwargs"]["playbook"], words[0]["kwargs"]["cmdline"]) == ("site.yml", "--check")
    there = tmp_path / "node"
    assert (there / "project" / "site.yml").read_bytes() == content.folder("roles", "site.yml").read_bytes()
    assert (there / "project" / "slurm_config" / ".." / ".." / "templates" / "slurm" / "slurm.conf.j2").is_file()
    assert not list(there.rglob("README.md"))
    tree = json.loads((there / "inventory" / "hosts.yml").read_text())["all"]
    assert list(tree["hosts"]) == ["train-001"]
    assert tree["children"] == {"base": {"hosts": {"train-001": None}}, "slurm_config": {"hosts": {"train-001": None}}}


def test_nothing_of_how_we_reach_it_is_sent(site, secrets):
    tree, _ = host_inventory("train-001", site, secrets)
    names = {*tree["all"]["vars"], *tree["all"]["hosts"]["train-001"]}
    assert {name for name in names if name.startswith("ansible_")} == {
        "ansible_connection",
        "ansible_host",
        "ansible_python_interpreter",
    }


def test_a_secret_goes_to_those_whose_roles_ask_for_it(project, site, secrets, tmp_path):
    unpacked(stream(project, "train-001", site, secrets, ""), tmp_path / "a")
    key = tmp_path / "a" / "secrets" / "munge.key"
    assert (key.read_bytes(), stat.S_IMODE(key.stat().st_mode)) == (KEY, 0o600)
    assert [path.name for path in key.parent.iterdir()] == ["munge.key"]
    tree, _ = host_inventory("train-001", site, secrets)
    assert tree["all"]["vars"]["slurm_config_munge_key_file"] == "{{ playbook_dir | dirname }}/secrets/munge.key"

    unpacked(stream(project, "ufm-01", site, secrets, ""), tmp_path / "b")
    assert not (tmp_path / "b" / "secrets").exists()
    assert KEY not in b"".join(path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.is_file())


def test_options_of_roles_that_it_has_not_are_left_out(site, secrets):
    tree, files = host_inventory("ufm-01", site, secrets)
    assert "slurm_config_munge_key_file" not in tree["all"]["vars"]
    assert {"base_hosts", "rackwright_reboot"} <= set(tree["all"]["vars"])
    assert files == {}
