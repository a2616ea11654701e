import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright.twin.hardware import state
from rackwright.twin.hosts import base_layer, host_plan
from rackwright.twin.mirror import kernels
from rackwright.twin.mirror.definition import packages
from tests.build import site_design

BILL = site_design().site.software


@pytest.mark.parametrize(("kind", "count"), [("newest", 1), ("older", 1), ("pinned", 2)])
def test_the_kernels_of_a_fresh_node(kind: str, count: int) -> None:
    names = [package.name for package in base_layer.preinstalled(packages(BILL), kind)]
    images = [name for name in names if name.startswith("linux-image-6")]
    assert len(images) == count
    assert names.count("linux-image-amd64") == 1
    assert not [name for name in names if name.startswith(("linux-headers", "nvidia", "dkms"))]
    releases = list(kernels(BILL))
    assert images == [
        f"linux-image-{release}" for release in {"newest": releases[-1:], "older": releases[:1]}.get(kind, releases)
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="layers of an overlay need root")
class TestLayer:
    """The folder as it is written; this machine's dpkg database is a small one."""

    @pytest.fixture
    def layer(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        (tmp_path / "status").write_text(
            "Package: bash\nStatus: install ok installed\nVersion: 1\n\n"
            "Package: linux-image-6.1.0-9-amd64\nStatus: install ok installed\nVersion: 1\n\n"
            "Package: mokutil\nStatus: install ok installed\nVersion: 0\n\n"
        )
        monkeypatch.setattr(base_layer, "DPKG", tmp_path)
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            base_layer.write(Path(folder, "base"), BILL)
            yield Path(folder, "base")

    def test_dpkg_knows_what_a_fresh_node_has(self, layer: Path) -> None:
        status = (layer / "var/lib/dpkg/status").read_text()
        assert "Package: bash\n" in status
        assert "6.1.0-9" not in status
        assert status.count("Package: mokutil\n") == 1
        assert "Version: 0\n" not in status

    def test_modules_are_listed_and_the_machine_s_own_are_hidden(self, layer: Path) -> None:
        [release] = [folder.name for folder in (layer / "usr/lib/modules").iterdir()]
        assert "mlx5_core.ko" in (layer / "usr/lib/modules" / release / "modules.dep").read_text()
        assert os.getxattr(layer / "usr/lib/modules", base_layer.OPAQUE) == b"y"
        assert not (layer / "lib").exists()

    def test_a_second_call_leaves_it_alone(self, layer: Path) -> None:
        before = layer.stat().st_mtime_ns
        base_layer.write(layer, BILL)
        assert layer.stat().st_mtime_ns == before


def test_what_the_installer_leaves() -> None:
    blacklist, setting = "etc/modprobe.d/blacklist-nouveau.conf", "etc/default/grub.d/installer.cfg"
    machine = state.build(site_design(), ["train-001"]).machines["train-001"]
    assert blacklist in host_plan.installed(machine, kernels(BILL))
    assert setting not in host_plan.installed(machine, kernels(BILL))
    files = host_plan.installed(replace(machine, nouveau=True, kernel="pinned"), kernels(BILL))
    assert blacklist not in files
    assert next(iter(kernels(BILL))) in files[setting]
