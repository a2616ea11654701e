"""Counters of ports around a program: the shell text that prints them, and what is read of them."""

import subprocess

from rackwright.collect.loadlogs import node_ports
from rackwright.model.evidence.collective import NodePort


def test_the_shell_text_counts_around_a_program_and_keeps_its_status(tmp_path):
    counters = tmp_path / "infiniband" / "mlx5_0" / "ports" / "1" / "counters"
    counters.mkdir(parents=True)
    for name in ("port_xmit_data", "port_rcv_data"):
        (counters / name).write_text("1000\n")
    text = node_ports.COUNTED.replace("/sys/class/infiniband", str(tmp_path / "infiniband"))
    words = ["sh", "-c", text, "env", "A=1", "sh", "-c", f"echo 3000 > {counters}/port_xmit_data; echo A is $A; exit 5"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert "A is 1" in done.stdout
    (port,) = node_ports.read(done.stdout.splitlines())
    assert (port.adapter, port.sent_bytes, port.received_bytes) == ("mlx5_0", 8000, 0)


def test_a_node_without_counters_prints_nothing(tmp_path):
    text = node_ports.COUNTED.replace("/sys/class/infiniband", str(tmp_path))
    done = subprocess.run(["sh", "-c", text, "true"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_only_what_stands_before_and_after_is_read():
    lines = [
        "# counters node=b when=before mlx5_1=5,5 mlx5_0=10,20",
        "# counters node=a when=before mlx5_0=1,1",
        "NCCL INFO something",
        "# counters node=b when=after mlx5_0=12,4",
    ]
    assert node_ports.read(lines) == [NodePort(node="b", adapter="mlx5_0", sent_bytes=8, received_bytes=None)]
