"""The script of the collector, as a shell runs it, with tools that print what real ones printed."""

import os
import subprocess
from pathlib import Path

import pytest

from rackwright.base import content
from rackwright.model.evidence.switch_health import WELL
from tests.patience import PATIENCE

COLLECTOR = content.module("validators", "collectors", "ibswinfo")
IBSWITCHES = """\
#!/bin/sh
printf 'Switch\\t: 0x0002c902400c9a90 ports 36 "MF0;leaf "one":IS5030/U1" base port 0 lid 3 lmc 0\\n'
printf 'Switch\\t: 0x0008f10500650410 ports 65 "Quantum-2 Mellanox Technologies" enhanced port 0 lid 12 lmc 0\\n'
"""
"""Lines of infiniband-diags (rdma-core, infiniband-diags/ibnetdiscover.c, list_node)."""
IBSWINFO = """\
#!/bin/sh
case "$2" in
lid-3,mlx5_*) echo "error: -E- Failed to open device: $2. No such file or directory" >&2; exit 1 ;;
esac
echo " $2 $3"
echo 'part number        | MQM9790-NS2F'
echo 'PSU0 status        | OK'
echo '     DC power      | OK'
echo 'temperature (C)    | 47'
exit 1
"""


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """Two InfiniBand devices in one subnet and an Ethernet one, with the tools on the path."""
    for device, layer in (("mlx5_0", "InfiniBand"), ("mlx5_1", "InfiniBand"), ("mlx5_2", "Ethernet")):
        (tmp_path / "class" / device / "ports" / "1").mkdir(parents=True)
        (tmp_path / "class" / device / "ports" / "1" / "link_layer").write_text(f"{layer}\n")
    (tmp_path / "bin").mkdir()
    for name, text in (("ibswitches", IBSWITCHES), ("ibswinfo.sh", IBSWINFO)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


def printed(host: Path) -> str:
    script = COLLECTOR.SCRIPT.replace("/sys/class/infiniband", str(host / "class"))
    env = {**os.environ, "PATH": f"{host / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(host)}
    done = subprocess.run(["sh", "-c", script], env=env, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert not done.stderr
    return done.stdout


def test_each_switch_is_asked_once_by_its_lid_and_the_device_that_reaches_it(host: Path) -> None:
    output = printed(host)
    assert "lid-12,mlx5_0,1 -T" in output
    record = COLLECTOR.parse(output)
    assert list(record.switches) == ["0x0008f10500650410"]
    assert record.switches["0x0008f10500650410"].supplies[0].state == WELL
    assert record.unread == {
        'MF0;leaf "one":IS5030/U1 (lid 3 of mlx5_0)': (
            "error: -E- Failed to open device: lid-3,mlx5_0,1. No such file or directory"
        )
    }
    assert [path.name for path in host.iterdir() if path.name.startswith("tmp")] == []


def test_a_machine_without_the_script_says_so(host: Path) -> None:
    (host / "bin" / "ibswinfo.sh").unlink()
    unread = COLLECTOR.parse(printed(host)).unread
    assert unread == dict.fromkeys(["mlx5_0", "mlx5_1"], "ibswinfo.sh is not installed")
