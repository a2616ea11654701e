"""A host after role storage_client: a tier of every kind is mounted, and answers."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
SOURCES = {
    "/home/site-users": "10.64.0.10:/export/users",
    "/scratch": "10.64.0.11@tcp:/scratch",
    "/mnt/bee": "beegfs_nodev",
    "/mnt/pool": "10.64.0.12:6789:/",
    "/mnt/fast": "10.64.0.13/fast",
}


def test_every_tier_is_mounted_from_its_source(host):
    for folder, source in SOURCES.items():
        assert host.check_output(f"findmnt --noheadings --output SOURCE --mountpoint {folder}") == source


def test_versions_that_the_site_names_are_held(host):
    held = set(host.check_output("apt-mark showhold").split())
    assert {"lustre-client-utils", "lustre-client-modules-dkms", "beegfs-client"} <= held
    assert "nfs-common" not in held


def test_the_modules_of_the_clients_are_loaded(host):
    loaded = {line.split()[0] for line in host.file("/proc/modules").content_string.splitlines()}
    assert {"nfs", "lustre", "beegfs", "ceph", "wekafsio"} <= loaded


def test_verification_left_nothing_behind(host):
    assert host.check_output("ls -A /scratch") == ""


def test_servers_that_are_away_are_said_by_their_own_unit(host):
    host.check_output("systemctl stop scratch.mount")
    host.check_output("touch /var/lib/rackwright-twin/storage-away")
    try:
        assert host.run("systemctl start scratch.mount").rc != 0
        assert host.run("findmnt --mountpoint /scratch").rc == 1
    finally:
        host.check_output("rm /var/lib/rackwright-twin/storage-away")
    host.check_output("systemctl start scratch.mount")
    assert host.run("findmnt --mountpoint /scratch").rc == 0
