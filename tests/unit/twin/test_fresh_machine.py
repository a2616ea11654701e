"""What a host of the twin has when it is first powered on, and this machine has otherwise."""

from rackwright.twin.guest import machine


def test_a_fresh_node_has_no_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "etc").mkdir()
    texts = {
        "passwd": "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nslurm:x:64030:64030::/:/bin/false\n",
        "shadow": "root:*:1::::::\nada:!:1::::::\n",
        "group": "root:x:0:\nada:x:1000:\nslurm:x:64030:\n",
        "gshadow": "root:*::\nada:!::\n",
    }
    for name, text in texts.items():
        (tmp_path / "etc" / name).write_text(text)
    machine._no_people()
    for name in texts:
        remaining = (tmp_path / "etc" / name).read_text()
        assert "ada" not in remaining
        assert remaining.startswith("root:")
    assert "slurm:x:64030" in (tmp_path / "etc" / "passwd").read_text()


def test_a_numa_node_for_each_socket(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "_folder_over", lambda _: str(tmp_path))
    monkeypatch.setattr(machine.os, "cpu_count", lambda: 4)
    machine._numa(2)
    assert (tmp_path / "online").read_text() == "0-1\n"
    assert [(tmp_path / f"node{number}" / "cpulist").read_text() for number in range(2)] == ["0,2\n", "1,3\n"]
    assert (tmp_path / "node1" / "cpumap").read_text() == "a\n"
