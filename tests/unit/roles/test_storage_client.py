import pytest

NFS = {
    "name": "users",
    "kind": "nfs",
    "source": "10.64.0.10:/users",
    "mount": "/home/site-users",
    "options": "vers=4.2",
    "version": "",
}
LUSTRE = {
    "name": "scratch",
    "kind": "lustre",
    "source": "10.64.0.11@o2ib:/scratch",
    "mount": "/scratch",
    "options": "",
    "version": "2.16.1",
}
BEEGFS = {
    "name": "bee",
    "kind": "beegfs",
    "source": "beegfs-mgmt",
    "mount": "/mnt/bee",
    "options": "",
    "version": "7.4.6",
}
CEPH = {
    "name": "pool",
    "kind": "cephfs",
    "source": "10.64.0.12:6789:/",
    "mount": "/mnt/pool",
    "options": "name=node",
    "version": "",
}
WEKA = {
    "name": "fast",
    "kind": "weka",
    "source": "10.64.0.13,10.64.0.14/fast",
    "mount": "/mnt/fast",
    "options": "",
    "version": "",
}
UNITS = "/etc/systemd/system"


def mounts(*tiers, **more):
    return {"storage_client_mounts": list(tiers), **more}


@pytest.mark.parametrize(
    ("system", "names"),
    [
        ("debian-12", {"nfs-common", "lustre-client-modules-dkms", "lustre-client-utils", "ceph-common"}),
        ("ubuntu-24.04", {"nfs-common", "lustre-client-modules-dkms", "lustre-client-utils", "ceph-common"}),
        ("rocky-9", {"nfs-utils", "lustre-client-dkms", "lustre-client", "ceph-common"}),
    ],
)
def test_packages_are_those_of_the_kinds_that_are_mounted(declared, system, names):
    assert set(declared("storage_client", os=system, **mounts(NFS, LUSTRE, CEPH)).packages) == names


def test_a_version_is_pinned_with_the_epoch_of_its_package(declared):
    role = declared("storage_client", **mounts(LUSTRE, BEEGFS)).packages
    assert role["lustre-client-utils"] == "2.16.1*"
    assert role["beegfs-client"] == "20:7.4.6*"
    assert declared("storage_client", os="rhel-9", **mounts(BEEGFS)).packages["beegfs-client"] == "7.4.6*"
    assert declared("storage_client", **mounts(NFS)).packages == {"nfs-common": ""}


def test_beegfs_lost_its_helper_with_release_8(declared):
    assert "beegfs-helperd" in declared("storage_client", **mounts(BEEGFS)).packages
    assert set(declared("storage_client", **mounts({**BEEGFS, "version": "8.0.1"})).packages) == {
        "beegfs-client",
        "beegfs-tools",
    }


def test_a_tier_is_a_mount_unit_that_a_boot_does_not_wait_for(declared):
    role = declared("storage_client", **mounts(NFS, LUSTRE))
    text = role.files[f"{UNITS}/home-site\\x2dusers.mount"]
    assert "What=10.64.0.10:/users\nWhere=/home/site-users\nType=nfs\nOptions=_netdev,nofail,vers=4.2\n" in text
    assert "WantedBy=remote-fs.target" in text
    assert "After=network-online.target lnet.service" in role.files[f"{UNITS}/scratch.mount"]
    assert role.units["home-site\\x2dusers.mount"]["enabled"]


def test_kinds_have_their_types(declared):
    role = declared("storage_client", **mounts(CEPH, WEKA)).files
    assert "Type=ceph\n" in role[f"{UNITS}/mnt-pool.mount"]
    assert "Type=wekafs\n" in role[f"{UNITS}/mnt-fast.mount"]


def test_beegfs_is_mounted_by_its_own_service_and_never_without_word_about_authentication(declared, tmp_path):
    role = declared("storage_client", **mounts(BEEGFS))
    assert role.files["/etc/beegfs/beegfs-mounts.conf"] == "/mnt/bee /etc/beegfs/rackwright-bee.conf\n"
    assert "connDisableAuthentication = true" in role.files["/etc/beegfs/rackwright-bee.conf"]
    assert list(role.units) == ["beegfs-client"]
    secret = tmp_path / "conn.auth"
    secret.write_bytes(b"top secret")
    safe = declared("storage_client", **mounts(BEEGFS, storage_client_beegfs_auth_file=str(secret)))
    assert "connAuthFile = /etc/beegfs/conn.auth" in safe.files["/etc/beegfs/rackwright-bee.conf"]
    assert safe.files["/etc/beegfs/conn.auth"] == ""
    assert "/etc/beegfs/conn.auth" in safe.secrets


def test_keys_of_ceph_are_never_shown(declared, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(b"AQD==")
    role = declared("storage_client", **mounts(CEPH, storage_client_ceph_keys={"node": str(key)}))
    assert role.files["/etc/ceph/node.secret"] == ""
    assert role.secrets["/etc/ceph/node.secret"]


def test_the_agent_of_weka_comes_from_the_first_backend_unless_the_mirror_has_a_package(declared):
    role = declared("storage_client", **mounts(WEKA))
    assert role.part("install")["downloads"][0]["url"] == "http://10.64.0.13:14000/dist/v1/install"
    assert "Install the agent of WEKA" in role.commands
    packed = declared("storage_client", **mounts(WEKA, storage_client_packages={"weka": ["weka-client"]}))
    assert packed.packages == {"weka-client": ""}
    assert "downloads" not in packed.part("install")
    assert not packed.commands


def test_lustre_is_told_its_network_where_the_site_names_one(declared):
    path = "/etc/modprobe.d/90-rackwright-lnet.conf"
    role = declared("storage_client", **mounts(LUSTRE, storage_client_lnet="o2ib(ib0)"))
    assert role.files[path].endswith('options lnet networks="o2ib(ib0)"\n')
    assert path not in declared("storage_client", **mounts(LUSTRE)).files


def test_a_mount_is_verified_by_its_source_and_by_an_answer(declared):
    role = declared("storage_client", **mounts(NFS)).verify
    assert role["Mount of users"]["expect"] == r"^10\.64\.0\.10:/users$"
    assert role["Answer of users"]["run"][-1] == "/home/site-users"
    assert "Writing to users" not in role, "verification writes only where the site asked for it"
    requested = declared("storage_client", **mounts(NFS, storage_client_write_test=4096)).verify
    assert requested["Writing to users"]["run"][-2:] == ["/home/site-users", "4096"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mount": "scratch"}, "full path of plain names (found scratch)"),
        ({"mount": "/srv/../etc"}, "found /srv/../etc"),
        ({"mount": "/etc/x"}, "over the operating system"),
        ({"mount": "/usr"}, "over the operating system"),
        ({"source": "10.64.0.10"}, "HOST:/PATH (found 10.64.0.10)"),
        ({"kind": "gpfs"}, "gpfs"),
    ],
)
def test_what_cannot_be_mounted_is_refused(declared, change, message):
    assert message in declared("storage_client", **mounts({**NFS, **change})).refused


def test_two_tiers_on_one_folder_are_refused(declared):
    assert (
        "two tiers are mounted on one folder"
        in declared("storage_client", **mounts(NFS, {**LUSTRE, "mount": NFS["mount"]})).refused
    )
    assert declared("storage_client", **mounts(NFS, LUSTRE, BEEGFS, CEPH, WEKA)).refused == ""
