"""What a host of the twin has when it is first powered on, and this machine has otherwise."""

from rackwright.twin.guest import machine


def test_a_numa_node_for_each_socket(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "_folder_over", lambda _: str(tmp_path))
    monkeypatch.setattr(machine.os, "cpu_count", lambda: 4)
    machine._numa(2)
    assert (tmp_path / "online").read_text() == "0-1\n"
    assert [(tmp_path / f"node{number}" / "cpulist").read_text() for number in range(2)] == ["0,2\n", "1,3\n"]
    assert (tmp_path / "node1" / "cpumap").read_text() == "a\n"
