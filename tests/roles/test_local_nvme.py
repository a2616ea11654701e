"""A host after role local_nvme: its drives are one file system that everybody may write to."""

import json

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_all_drives_are_in_one_array_that_is_mounted(host):
    output = json.loads(host.check_output("lsblk --json"))["blockdevices"]
    assert len(output) == 8
    assert {entry["children"][0]["path"] for entry in output} == {"/dev/md127"}
    assert host.check_output("findmnt --noheadings --output SOURCE --mountpoint /local") == "/dev/md127"
    assert host.file("/local").mode == 0o1777


def test_it_is_assembled_at_every_boot(host):
    assert host.run("systemctl is-enabled rackwright-scratch").stdout.strip() == "enabled"
    host.check_output("umount /local")
    assert host.run("systemctl restart rackwright-scratch").rc == 0
    assert host.mount_point("/local").exists


def test_a_drive_of_somebody_else_is_named_and_left_alone(host):
    program = "rackwright-scratch plan --drives=8 --terabytes=3.84 --mount=/elsewhere"
    state = "/var/lib/rackwright-twin/drives.json"
    before = host.file(state).content_string
    try:
        second = json.loads(before)
        second["drives"][3]["signatures"] = [{"type": "gpt"}]
        host.check_output(f"cat > {state} <<'END'\n{json.dumps(second)}\nEND")
        output = host.run(program)
        assert output.rc == 1
        assert "/dev/nvme3n1 holds gpt" in output.stderr
    finally:
        host.check_output(f"cat > {state} <<'END'\n{before}\nEND")
