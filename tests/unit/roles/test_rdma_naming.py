"""Names of RDMA devices; the program that gives them runs here on a made-up /sys."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.unit.roles.conftest import SYSTEMS

DEVICES = [{"name": f"mlx5_{n}", "role": "compute", "rail": n} for n in range(3)]
ADDRESSES = {"mlx5_0": "0000:18:00.0", "mlx5_1": "0000:29:00.0", "mlx5_2": "0000:3a:00.0"}
RULE = "/etc/udev/rules.d/60-rdma-persistent-naming.rules"
PROGRAM, UNIT = "/usr/local/sbin/rackwright-rdma-names", "/etc/systemd/system/rackwright-rdma-names.service"
RDMA = """\
#!/bin/sh
# dev set OLD name NEW
[ -e "$RDMA_CLASS/$5" ] && { echo "error: File exists" >&2; exit 1; }
echo "$3 $5" >>"$RDMA_CLASS.log"
mv "$RDMA_CLASS/$3" "$RDMA_CLASS/$5"
"""


def test_without_addresses_names_are_the_kernels_and_the_map_is_not_claimed(declared):
    role = declared("rdma_naming", rdma_naming_devices=DEVICES)
    assert 'PROGRAM="rdma_rename %k NAME_KERNEL"' in role.files[RULE]
    assert (role.files[PROGRAM], role.files[UNIT], role.units) == ("", "", {})
    assert list(role.verify) == ["Names of the rails"]


def test_with_addresses_the_map_is_made_and_verified(declared):
    role = declared("rdma_naming", rdma_naming_devices=DEVICES, rdma_naming_addresses=ADDRESSES)
    assert "mlx5_0=0000:18:00.0 mlx5_1=0000:29:00.0 mlx5_2=0000:3a:00.0" in role.files[PROGRAM]
    assert list(role.units) == ["rackwright-rdma-names"]
    assert list(role.verify) == ["Names of the rails", "Map of the rails"]


def test_a_container_sees_no_devices_of_its_own(declared):
    role = declared("rdma_naming", facts={"container": True}, rdma_naming_devices=DEVICES)
    assert (role.verify, role.units, role.commands) == ({}, {}, {})


@pytest.mark.parametrize("os", SYSTEMS)
def test_the_program_that_renames_is_there(declared, os):
    (package,) = declared("rdma_naming", os=os, rdma_naming_devices=DEVICES).packages
    assert package == ("iproute" if SYSTEMS[os]["family"] == "redhat" else "iproute2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rdma_naming_devices": [*DEVICES, DEVICES[0]]}, "named twice"),
        ({"rdma_naming_addresses": {"mlx5_0": "0000:18:00.0"}}, "every device needs its address"),
        ({"rdma_naming_addresses": {**ADDRESSES, "mlx5_2": "3a:00.0"}}, "written as 0000:18:00.0"),
        ({"rdma_naming_addresses": {**ADDRESSES, "mlx5_2": "0000:18:00.0"}}, "have the same address"),
    ],
)
def test_what_cannot_work_is_refused(declared, options, message):
    assert message in declared("rdma_naming", **{"rdma_naming_devices": DEVICES, **options}).refused


def test_a_sound_map_is_accepted(declared):
    assert declared("rdma_naming", rdma_naming_devices=DEVICES, rdma_naming_addresses=ADDRESSES).refused == ""


@pytest.fixture
def rename(declared, tmp_path: Path):
    """Runs the program of the role on devices in the order in which a kernel found them; returns names by address."""
    role = declared("rdma_naming", rdma_naming_devices=DEVICES, rdma_naming_addresses=ADDRESSES)
    program = tmp_path / "names"
    program.write_text(role.files[PROGRAM])
    (tmp_path / "rdma").write_text(RDMA)
    (tmp_path / "rdma").chmod(0o755)

    def run(order: dict[str, str]) -> tuple[int, dict[str, str], str]:
        folder = tmp_path / "class"
        for name, address in order.items():
            (tmp_path / "pci" / address).mkdir(parents=True, exist_ok=True)
            (folder / name).mkdir(parents=True)
            (folder / name / "device").symlink_to(tmp_path / "pci" / address)
        environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "RDMA_CLASS": str(folder)}
        done = subprocess.run(["sh", str(program)], env=environment, capture_output=True, text=True, check=False)
        names = {path.name: (path / "device").resolve().name for path in folder.iterdir()}
        return done.returncode, names, done.stderr

    return run


@pytest.mark.parametrize(
    "order",
    [
        {"mlx5_0": "0000:29:00.0", "mlx5_1": "0000:3a:00.0", "mlx5_2": "0000:18:00.0"},
        {"mlx5_0": "0000:29:00.0", "mlx5_1": "0000:18:00.0", "mlx5_2": "0000:3a:00.0"},
        {"ibp24s0": "0000:18:00.0", "ibp41s0": "0000:29:00.0", "ibp58s0": "0000:3a:00.0"},
    ],
)
def test_devices_get_their_names_whatever_the_order(rename, order):
    code, names, _ = rename(order)
    assert code == 0
    assert names == ADDRESSES


def test_right_names_are_left_alone(rename, tmp_path):
    assert rename(ADDRESSES)[:2] == (0, ADDRESSES)
    assert not (tmp_path / "class.log").exists()


def test_a_missing_adapter_is_said_and_the_others_get_their_names(rename):
    code, names, text = rename({"mlx5_0": "0000:29:00.0", "mlx5_1": "0000:18:00.0"})
    assert code == 1
    assert text == "mlx5_2: no RDMA device at 0000:3a:00.0\n"
    assert names == {"mlx5_0": "0000:18:00.0", "mlx5_1": "0000:29:00.0"}


def test_a_name_that_a_device_without_an_address_has_is_not_taken(rename):
    order = {"mlx5_0": "0000:ff:00.0", "mlx5_1": "0000:18:00.0", "mlx5_2": "0000:29:00.0", "mlx5_3": "0000:3a:00.0"}
    code, names, text = rename(order)
    assert code == 1
    assert "File exists" in text
    assert names["mlx5_0"] == "0000:ff:00.0"
