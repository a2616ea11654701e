"""The verb export, as it is called."""

from __future__ import annotations

import json

import pytest

from rackwright import export
from rackwright.cli.design import export as verb
from rackwright.cli.main import main


@pytest.fixture
def site(example_site) -> str:
    return str(example_site)


def test_targets_are_those_of_the_package():
    assert list(export.TARGETS) == verb.TARGETS


def test_one_file_is_printed(site, capfd):
    assert main(["export", site, "--to", "slurm"]) == 0
    assert "SwitchName=compute-leaf-01 Nodes=train-[001-031]" in capfd.readouterr().out
    assert main(["export", site, "--to", "graph", "--fabric", "storage"]) == 0
    assert {link["fabric"] for link in json.loads(capfd.readouterr().out)["links"]} == {"storage"}


def test_several_files_need_a_folder_or_json(site, capfd, tmp_path):
    assert main(["export", site, "--to", "ibsim"]) == 2
    assert "makes 2 files (compute.net, storage.net): name a folder with --out" in capfd.readouterr().err
    assert main(["export", site, "--to", "ibsim", "--format", "json"]) == 0
    out = json.loads(capfd.readouterr().out)
    assert out["to"] == "ibsim"
    assert list(out["files"]) == ["compute.net", "storage.net"]
    assert main(["export", site, "--to", "ibsim", "--out", str(tmp_path / "a" / "b")]) == 0
    assert "2 files of h100-pod" in capfd.readouterr().out
    assert (tmp_path / "a" / "b" / "compute.net").read_text() == out["files"]["compute.net"]


def test_what_was_written_is_told_as_json(site, capfd, tmp_path):
    assert main(["export", site, "--to", "netbox", "--out", str(tmp_path), "--format", "json"]) == 0
    listed = json.loads(capfd.readouterr().out)["files"]
    assert {file["path"] for file in listed} == {str(path) for path in tmp_path.iterdir()}
    assert all(file["rows"] for file in listed)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--to", "ibsim", "--fabric", "comput"], "did you mean compute?"),
        (["--to", "ibnetdiscover", "--fabric", "oob"], "InfiniBand here is compute, storage"),
        (["--to", "kubernetes"], "name one with --pool (train)"),
        (["--to", "slurm", "--pool", "tarin"], "did you mean train?"),
        (["--to", "netbox", "--fabric", "compute"], "--fabric does not apply to --to netbox"),
        (["--to", "graph", "--guids", "x"], "it is for --to ibsim or ibnetdiscover or opensm"),
        (["--to", "ibnetdiscover", "--against", "/no/such/file"], "No such file or directory"),
    ],
)
def test_one_error_with_a_next_step(site, capfd, options, says):
    assert main(["export", site, *options]) == 2
    printed = capfd.readouterr()
    assert says in printed.err
    assert len(printed.err.strip().splitlines()) == 1
    assert printed.out == ""


def test_a_broken_guids_table_is_a_problem(site, capfd, tmp_path):
    (tmp_path / "guids.csv").write_text("device,port,node_guid,port_guid\nx,,nonsense,\n")
    assert main(["export", site, "--to", "ibsim", "--guids", str(tmp_path / "guids.csv")]) == 1
    assert "guids.csv:2: no GUID" in capfd.readouterr().err


def test_a_folder_that_cannot_be_written(site, capfd, tmp_path):
    (tmp_path / "file").write_text("")
    assert main(["export", site, "--to", "slurm", "--out", str(tmp_path / "file")]) == 1
    assert "cannot be written" in capfd.readouterr().err


def live(links: str, *, swap: bool = False) -> str:
    """What ibnetdiscover would print of the planned links, one switch after the other."""
    lines, switch = [], ""
    for row in links.splitlines()[1:]:
        name, port, peer, peer_port, speed = row.split(",")
        if name != switch:
            lines += ["", f'Switch\t64 "S-{name.encode().hex()}"\t\t# "{name}" base port 0 lid 1 lmc 0']
            switch = name
        if swap and name == "compute-leaf-01" and port in ("1", "2"):
            port = {"1": "2", "2": "1"}[port]
        kind = "S" if "-spine-" in peer or "-leaf-" in peer else "H"
        lines.append(f'[{port}]\t"{kind}-{peer.encode().hex()}"[{peer_port}](1) \t\t# "{peer}" lid 9 {speed}')
    return "\n".join(lines)


def test_a_live_fabric_is_compared(site, capfd, tmp_path):
    assert main(["export", site, "--to", "ibnetdiscover", "--out", str(tmp_path)]) == 0
    links = (tmp_path / "compute.links").read_text()
    command = ["export", site, "--to", "ibnetdiscover", "--fabric", "compute", "--against", str(tmp_path / "live")]
    capfd.readouterr()
    (tmp_path / "live").write_text(live(links))
    assert main(command) == 0
    assert capfd.readouterr().out == "508 links planned, 508 observed, 0 not as planned\n"
    (tmp_path / "live").write_text(live(links, swap=True))
    assert main(command) == 1
    out = capfd.readouterr().out
    assert "swapped compute-leaf-01[1] - train-001 mlx5_0[1]: " in out
    assert main([*command, "--format", "json"]) == 1
    assert [difference["kind"] for difference in json.loads(capfd.readouterr().out)["differences"]] == [
        "swapped",
        "swapped",
    ]
    (tmp_path / "live").write_text("nothing\n")
    assert main(command) == 2
    assert "no links in it" in capfd.readouterr().err
