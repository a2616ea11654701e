"""The stand-ins for lsblk, wipefs, mdadm and mkfs.xfs, and mount units as services."""

import json
import sys

import pytest

from rackwright.twin.guest import drives, unitfile


@pytest.fixture
def node(tmp_path, monkeypatch, capsys):
    """Calls a program on two blank drives: (status, what it printed, what it complained of)."""
    monkeypatch.setattr(drives, "FILE", str(tmp_path / "drives.json"))
    monkeypatch.setattr(drives, "JOINED", str(tmp_path / "run" / "arrays.json"))
    paths = [str(tmp_path / f"nvme{number}n1") for number in range(2)]
    blank = [{"path": path, "size": 1 << 20, "serial": path[-7:], "signatures": []} for path in paths]
    (tmp_path / "drives.json").write_text(json.dumps({"drives": blank, "array": None}))

    def call(*words):
        monkeypatch.setattr(sys, "argv", list(words))
        code = drives.main()
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    call.paths = paths
    return call


def list_drives(node):
    return json.loads(node("lsblk", "--json")[1])["blockdevices"]


def create(node):
    return node("mdadm", "--create", "/dev/md/x", "--name=rackwright-scratch", "--level=0", *node.paths)


def test_blank_drives_have_no_signature_and_a_file_of_their_size(node, tmp_path):
    assert [row["tran"] for row in list_drives(node)] == ["nvme", "nvme"]
    assert node("wipefs", "--no-act", "--json", node.paths[0]) == (0, "", "")
    assert (tmp_path / "nvme0n1").stat().st_size == 1 << 20


def test_an_array_outlives_a_reboot_and_has_to_be_joined_again(node, tmp_path):
    assert create(node)[0] == 0
    assert list_drives(node)[0]["children"][0]["path"] == drives.ARRAY
    sign = json.loads(node("wipefs", "--json", node.paths[0])[1])["signatures"][0]
    assert (sign["type"], sign["label"]) == ("linux_raid_member", "any:rackwright-scratch")
    assert node("mkfs.xfs", "-q", "-L", "rw-scratch", "/dev/md/x")[0] == 0
    (tmp_path / "run" / "arrays.json").unlink()  # what lies in /run is gone after a boot
    assert "children" not in list_drives(node)[0]
    assert node("mkfs.xfs", "-L", "a", "/dev/md/x")[0] == 1
    assert node("mdadm", "--assemble", "/dev/md/x", *node.paths)[0] == 0
    assert json.loads(node("wipefs", "--json", drives.ARRAY)[1])["signatures"][0]["label"] == "rw-scratch"


def test_neither_program_overwrites(node):
    create(node)
    node("mkfs.xfs", "-L", "rw-scratch", drives.ARRAY)
    assert "existing filesystem" in node("mkfs.xfs", "-L", "other", drives.ARRAY)[2]
    assert "appears to contain data" in create(node)[2]


def test_an_array_that_lacks_a_drive_does_not_start(node):
    create(node)
    node("mdadm", "--stop", drives.ARRAY)
    assert node("mdadm", "--assemble", "/dev/md/x", node.paths[0])[0] == 1


def test_a_mount_unit_is_a_service_that_mounts(tmp_path):
    folder = tmp_path / "etc/systemd/system"
    folder.mkdir(parents=True)
    (folder / "scratch.mount").write_text(
        "[Mount]\nWhat=server:/x\nWhere=/scratch\nType=nfs\nOptions=_netdev,nofail\nTimeoutSec=7\n"
    )
    unit = unitfile.load("scratch.mount", str(tmp_path))
    command = unit.last("Service", "ExecStart")
    assert "mount -t nfs -o _netdev,nofail server:/x /scratch" in command
    assert (unit.last("Service", "Type"), unit.flag("Service", "RemainAfterExit")) == ("oneshot", True)
    assert unit.last("Service", "TimeoutStartSec") == "7"


def test_a_unit_without_a_mount_stays_as_it_is(tmp_path):
    folder = tmp_path / "etc/systemd/system"
    folder.mkdir(parents=True)
    (folder / "odd.mount").write_text("[Unit]\nDescription=odd\n")
    assert unitfile.load("odd.mount", str(tmp_path)).all("Service", "ExecStart") == []
