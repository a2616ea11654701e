"""The program that joins drives, on recorded answers of lsblk and on real signatures in image files."""

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "roles" / "local_nvme" / "files" / "rackwright_scratch.py"
OPTIONS = {"local_nvme_drives": 2, "local_nvme_terabytes_each": 3.84}
SIZE = 3840755982336  # a 3.84 TB drive as lsblk of a DGX H100 prints it
WORDS = ["--drives=2", "--terabytes=3.84", "--mount=/local"]
MEMBER = {"type": "linux_raid_member", "label": "any:rackwright-scratch", "uuid": "u1"}
XFS = {"type": "xfs", "label": "rw-scratch", "uuid": ""}


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("rackwright_scratch", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "MARK", str(tmp_path / "making"))
    return module


def disk(number, **more):
    name = f"nvme{number}n1"
    names = {
        "name": name,
        "path": f"/dev/{name}",
        "type": "disk",
        "size": SIZE,
        "tran": "nvme",
        "ro": False,
        "rm": False,
    }
    return {**names, "serial": f"S{number}", "mountpoints": [None], **more}


def array(*mountpoints):
    return [{"name": "md127", "path": "/dev/md127", "type": "raid0", "mountpoints": list(mountpoints)}]


class Machine:
    """A host with recorded answers; remembers the programs that would have run."""

    def __init__(self, disks, signs=(), *, data=(), remote=(), source="", fails=""):
        self._disks, self._signs, self._data = disks, dict(signs), data
        self._remote, self._source, self._fails, self.ran = dict(remote), source, fails, []

    def disks(self):
        return self._disks

    def signatures(self, *paths):
        return {path: self._signs.get(path, []) for path in paths}

    def transport(self, name):
        return self._remote.get(name, "pcie")

    def zeros(self, path, size):
        return path not in self._data

    def mounted(self, folder):
        return self._source

    def run(self, argv):
        self.ran.append(argv)
        if argv[0] == self._fails:
            raise KeyboardInterrupt
        return ""


@pytest.fixture
def go(scratch, tmp_path, monkeypatch):
    """Runs the program on a machine: (status, what it said, programs that ran)."""

    def run(verb, machine, *more, capsys=None):
        monkeypatch.setattr(scratch, "Machine", lambda: machine)
        words = [word.replace("/local", str(tmp_path / "local")) for word in WORDS]
        return scratch.main([verb, *words, *more])

    return run


def obstacle(go, capsys, *args, **kwargs):
    machine = Machine(*args, **kwargs)
    assert go("apply", machine) == 1
    assert machine.ran == [], "a refusal changes nothing"
    return capsys.readouterr().err


def test_blank_drives_become_one_array_with_one_file_system(go, tmp_path):
    machine = Machine([disk(0), disk(1)])
    assert go("apply", machine) == 0
    create, make, mount = machine.ran
    assert create[:3] == ["mdadm", "--create", "/dev/md/rackwright-scratch"]
    assert {"--level=0", "--raid-devices=2", "--name=rackwright-scratch"} <= set(create)
    assert create[-2:] == ["/dev/nvme0n1", "/dev/nvme1n1"]
    assert make == ["mkfs.xfs", "-q", "-L", "rw-scratch", "/dev/md/rackwright-scratch"]
    assert "-f" not in make, "mkfs itself must refuse to overwrite"
    assert mount[-2:] == ["/dev/md/rackwright-scratch", str(tmp_path / "local")]


@pytest.mark.parametrize(
    ("disks", "more", "message"),
    [
        ([disk(0), disk(1)], {"signs": {"/dev/nvme1n1": [{"type": "gpt"}]}}, "/dev/nvme1n1 holds gpt"),
        ([disk(0), disk(1)], {"signs": {"/dev/nvme1n1": [{"type": "ext4"}]}}, "/dev/nvme1n1 holds ext4"),
        ([disk(0), disk(1)], {"signs": {"/dev/nvme1n1": [{"type": "crypto_LUKS"}]}}, "holds crypto_LUKS"),
        ([disk(0), disk(1)], {"signs": {"/dev/nvme1n1": [{"type": "LVM2_member"}]}}, "holds LVM2_member"),
        ([disk(0), disk(1)], {"signs": {"/dev/nvme1n1": [{"type": "xfs", "label": "data"}]}}, "holds xfs"),
        (
            [disk(0), disk(1)],
            {"signs": {"/dev/nvme1n1": [{"type": "linux_raid_member", "label": "host:0", "uuid": "u"}]}},
            "holds linux_raid_member",
        ),
        ([disk(0), disk(1, mountpoints=["/"])], {}, "/dev/nvme1n1 is mounted on /"),
        ([disk(0), disk(1, mountpoints=["[SWAP]"])], {}, "is mounted on [SWAP]"),
        ([disk(0), disk(1, children=[{"path": "/dev/dm-0", "type": "crypt"}])], {}, "is in use by /dev/dm-0"),
        ([disk(0), disk(1)], {"data": ["/dev/nvme1n1"]}, "holds data without a known signature, or is in use"),
        ([disk(0), disk(1)], {"remote": {"nvme1n1": "rdma"}}, "is attached over rdma, not in this host"),
        ([disk(0), disk(1, ro=True)], {}, "is read-only or removable"),
        ([disk(0)], {}, "1 drives can be used, expected 2: /dev/nvme0n1 is blank"),
        ([disk(0), disk(1), disk(2)], {}, "3 drives can be used, expected 2"),
        ([], {}, "there is no drive of that size"),
    ],
)
def test_a_drive_that_is_not_blank_and_not_ours_is_never_touched(go, capsys, disks, more, message):
    assert message in obstacle(go, capsys, disks, **more)


def test_drives_of_other_sizes_and_kinds_are_not_even_looked_at(go):
    small, spinning = disk(2, size=1920383410176, mountpoints=["/"]), disk(3, tran="sata")
    machine = Machine([disk(0), disk(1), small, spinning, disk(4, type="part")])
    assert go("apply", machine) == 0
    assert machine.ran[0][-2:] == ["/dev/nvme0n1", "/dev/nvme1n1"]


def test_a_drive_of_that_size_that_holds_the_system_is_left_alone(go):
    machine = Machine([disk(0), disk(1), disk(2)], {"/dev/nvme2n1": [{"type": "gpt"}]})
    assert go("apply", machine) == 0
    assert "/dev/nvme2n1" not in machine.ran[0]


def test_our_array_is_assembled_and_mounted_and_nothing_is_made(go):
    machine = Machine(
        [disk(0), disk(1)],
        {"/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [MEMBER], "/dev/md/rackwright-scratch": [XFS]},
    )
    assert go("apply", machine) == 0
    assert [argv[:2] for argv in machine.ran] == [["mdadm", "--assemble"], ["mount", "-t"]]


def test_an_array_that_the_kernel_assembled_by_itself_is_used(go):
    signs = {"/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [MEMBER], "/dev/md127": [XFS]}
    machine = Machine([disk(0, children=array(None)), disk(1, children=array(None))], signs)
    assert go("apply", machine) == 0
    assert [argv[0] for argv in machine.ran] == ["mount"]
    assert "/dev/md127" in machine.ran[0]


def test_our_array_with_the_file_system_of_somebody_else_is_refused(go, capsys):
    signs = {"/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [MEMBER], "/dev/md127": [{"type": "ext4", "label": "data"}]}
    text = obstacle(go, capsys, [disk(0, children=array(None)), disk(1, children=array(None))], signs)
    assert "/dev/md127 holds ext4 that is not ours" in text


def test_a_replaced_drive_needs_the_word_of_the_operator(go, capsys):
    signs = {"/dev/nvme0n1": [MEMBER]}
    assert "an array made by rackwright is incomplete" in obstacle(go, capsys, [disk(0), disk(1)], signs)
    machine = Machine([disk(0, children=array(None)), disk(1)], signs)
    assert go("apply", machine, "--recreate") == 0
    assert machine.ran[:2] == [["mdadm", "--stop", "/dev/md127"], ["mdadm", "--zero-superblock", "/dev/nvme0n1"]]


def test_giving_up_our_array_is_no_leave_to_take_others(go, capsys):
    machine = Machine([disk(0), disk(1)], {"/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [{"type": "gpt"}]})
    assert go("apply", machine, "--recreate") == 1
    assert machine.ran == []
    assert "/dev/nvme1n1 holds gpt" in capsys.readouterr().err


def test_members_of_two_arrays_are_not_one(go, capsys):
    signs = {"/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [{**MEMBER, "uuid": "u2"}]}
    assert "an array made by rackwright is incomplete" in obstacle(go, capsys, [disk(0), disk(1)], signs)


@pytest.mark.parametrize("fails", ["mdadm", "mkfs.xfs", "mount"])
def test_an_interruption_anywhere_is_finished_by_the_next_run(go, fails):
    with pytest.raises(KeyboardInterrupt):
        go("apply", Machine([disk(0), disk(1)], fails=fails))
    if fails == "mdadm":  # one drive has its superblock, the other has not
        machine = Machine([disk(0), disk(1)], {"/dev/nvme0n1": [MEMBER]})
        assert go("apply", machine) == 0
        assert ["mdadm", "--zero-superblock", "/dev/nvme0n1"] in machine.ran
        return
    signs = {"/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [MEMBER], "/dev/md127": [] if fails == "mkfs.xfs" else [XFS]}
    machine = Machine([disk(0, children=array(None)), disk(1, children=array(None))], signs)
    assert go("apply", machine) == 0
    assert ("mkfs.xfs" in [argv[0] for argv in machine.ran]) is (fails == "mkfs.xfs")


def test_an_interruption_is_no_leave_to_take_another_drive(go, capsys):
    with pytest.raises(KeyboardInterrupt):
        go("apply", Machine([disk(0), disk(1)], fails="mdadm"))
    second = [disk(0), disk(1, serial="replaced")]
    assert "an array made by rackwright is incomplete" in obstacle(go, capsys, second, {"/dev/nvme0n1": [MEMBER]})


def test_a_single_drive_needs_no_array(scratch, tmp_path, monkeypatch):
    machine = Machine([disk(0)])
    monkeypatch.setattr(scratch, "Machine", lambda: machine)
    assert scratch.main(["apply", "--drives=1", "--terabytes=3.84", f"--mount={tmp_path}"]) == 0
    assert machine.ran[0] == ["mkfs.xfs", "-q", "-L", "rw-scratch", "/dev/nvme0n1"]


def test_a_plan_changes_nothing_and_says_what_would_be(go, capsys):
    machine = Machine([disk(0), disk(1)])
    assert go("plan", machine) == 0
    assert machine.ran == []
    assert "would make and mount /dev/nvme0n1 /dev/nvme1n1" in capsys.readouterr().out


def test_a_check_sees_what_is_mounted(go, capsys):
    disks = [disk(0, children=array("/local")), disk(1, children=array("/local"))]
    assert go("check", Machine(disks, {"/dev/md127": [XFS]}, source="/dev/md127")) == 0
    assert go("check", Machine(disks, {"/dev/sda1": [{"type": "ext4"}]}, source="/dev/sda1")) == 1
    assert "/dev/sda1 is mounted on" in capsys.readouterr().err
    assert go("check", Machine([disk(0, children=array("/local"))], {"/dev/md127": [XFS]}, source="/dev/md127")) == 1
    assert "has 1 drives, expected 2" in capsys.readouterr().err
    assert go("check", Machine(disks)) == 1
    assert "nothing is mounted" in capsys.readouterr().err


def test_signatures_are_read_from_the_device_itself(scratch, tmp_path):
    machine, image = scratch.Machine(), tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(64 << 20)
    assert machine.signatures(str(image)) == {str(image): []}
    assert machine.zeros(str(image), 64 << 20)
    with image.open("r+b") as file:  # a master boot record with one Linux partition of 2048 sectors
        file.seek(446)
        file.write(bytes([0, 0, 2, 0, 0x83, 0, 0, 0]) + (2048).to_bytes(4, "little") * 2)
        file.seek(510)
        file.write(b"\x55\xaa")
    assert [sign["type"] for sign in machine.signatures(str(image))[str(image)]] == ["dos"]
    assert not machine.zeros(str(image), 64 << 20)


def test_several_devices_are_asked_at_once(scratch, tmp_path):
    images = [tmp_path / name for name in ("one", "two", "three")]
    for image in images:
        image.write_bytes(bytes(1 << 20))
    with images[1].open("r+b") as file:
        file.seek(510)
        file.write(b"\x55\xaa")
        file.seek(446)
        file.write(bytes([0, 0, 2, 0, 0x83, 0, 0, 0]) + (1024).to_bytes(4, "little") * 2)
    result = scratch.Machine().signatures(*map(str, images))
    assert {Path(path).name: [sign["type"] for sign in signs] for path, signs in result.items()} == {
        "one": [], "two": ["dos"], "three": [],
    }  # fmt: skip


@pytest.mark.skipif(not shutil.which("mkfs.ext4"), reason="there is no mkfs.ext4 here")
def test_a_label_is_read_from_the_device_itself(scratch, tmp_path):
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-L", "rw-scratch", str(image)], check=True)
    signatures = scratch.Machine().signatures(str(image))[str(image)]
    assert [(sign["type"], sign["label"]) for sign in signatures] == [("ext4", "rw-scratch")]
    assert not scratch._is_ours(signatures[0]), "the label alone does not make it ours"


def test_data_without_a_signature_is_seen_at_both_ends(scratch, tmp_path):
    machine, image, size = scratch.Machine(), tmp_path / "image", 256 << 20
    for place in (4096, size - 4096):
        with image.open("wb") as file:
            file.truncate(size)
            file.seek(place)
            file.write(b"x")
        assert not machine.zeros(str(image), size)


def test_lsblk_of_this_machine_has_the_columns_that_are_asked_for(scratch):
    columns = {"name", "path", "type", "size", "tran", "ro", "rm", "serial", "mountpoints"}
    assert all(columns <= set(entry) for entry in scratch.Machine().disks())


def test_the_role_brings_drives_together_once_and_at_every_boot(declared):
    role = declared("local_nvme", **OPTIONS)
    assert role.files["/usr/local/sbin/rackwright-scratch"] == FILE.read_text()
    words = "--drives=2 --terabytes=3.84 --mount=/local --options=noatime"
    assert f"rackwright-scratch apply {words} --wait=60" in role.files["/etc/systemd/system/rackwright-scratch.service"]
    entry = role.part("configure")["commands"][0]
    assert entry["run"] == ["/usr/local/sbin/rackwright-scratch", "apply", *words.split()]
    assert "--recreate" not in json.dumps(role.sections["verify"])


def test_giving_up_what_is_there_is_asked_for_once_and_not_at_every_boot(declared):
    role = declared("local_nvme", local_nvme_recreate=True, **OPTIONS)
    assert role.part("configure")["commands"][0]["run"][-1] == "--recreate"
    assert "--recreate" not in role.files["/etc/systemd/system/rackwright-scratch.service"]


@pytest.mark.parametrize("mount", ["/", "/home", "/var/scratch", "/usr/local", "/boot"])
def test_the_folders_of_the_system_are_refused(declared, mount):
    assert f"a folder of its own (found {mount})" in declared("local_nvme", local_nvme_mount=mount, **OPTIONS).refused


def test_a_folder_of_a_storage_tier_is_refused(declared):
    tier = [{"name": "s", "kind": "nfs", "source": "a:/b", "mount": "/local"}]
    assert (
        "a storage tier is mounted on /local" in declared("local_nvme", storage_client_mounts=tier, **OPTIONS).refused
    )
    assert declared("local_nvme", **OPTIONS).refused == ""


def test_options_that_are_more_than_options_are_refused(declared):
    assert "separated by commas" in declared("local_nvme", local_nvme_options="noatime; reboot", **OPTIONS).refused


def test_a_wipe_makes_our_own_file_system_anew(go, tmp_path):
    signs = {"/dev/md127": [XFS], "/dev/nvme0n1": [MEMBER], "/dev/nvme1n1": [MEMBER]}
    mounted = [disk(number, children=array(str(tmp_path / "local"))) for number in (0, 1)]
    machine = Machine(mounted, signs, source="/dev/md127")
    (tmp_path / "local").mkdir()
    assert go("wipe", machine) == 0
    assert [argv[0] for argv in machine.ran] == ["umount", "mkfs.xfs", "mount"]
    assert machine.ran[1] == ["mkfs.xfs", "-q", "-f", "-L", "rw-scratch", "/dev/md127"]


def test_a_wipe_touches_no_file_system_of_others(go, capsys):
    machine = Machine([disk(0), disk(1)], {"/dev/sdb": [{"type": "xfs", "label": "data"}]}, source="/dev/sdb")
    assert go("wipe", machine) == 1
    assert machine.ran == []
    assert "/dev/sdb is mounted on" in capsys.readouterr().err


def test_scratch_is_wiped_by_a_run_that_asks_for_it_and_by_no_option(declared):
    def commands(**variables):
        return [entry["name"] for entry in declared("local_nvme", **OPTIONS, **variables).sections["commands"]]

    wipe = "Wipe the scratch file system"
    assert wipe not in commands()
    assert commands(rackwright_wipe_scratch=True)[0] == wipe


def test_a_member_of_a_cluster_that_is_none_of_its_nodes_any_more_is_not_wiped(declared):
    def unfit(**variables):
        return declared("local_nvme", facts={"kubernetes_member": True}, **OPTIONS, **variables).unfit

    assert "still a member of a Kubernetes cluster" in unfit(rackwright_wipe_scratch=True)
    assert unfit() == unfit(rackwright_wipe_scratch=True, rackwright_roles=["kubernetes_node"]) == ""
