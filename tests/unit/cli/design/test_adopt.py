"""`rackwright adopt` refuses what it cannot do before it talks to any host, and reports what hosts refuse."""

import json
from pathlib import Path

import pytest

from rackwright.cli.main import main
from tests.unit.adopt import answers as nodes


@pytest.fixture
def way(tmp_path: Path) -> list[str]:
    """Options with a key and a file of host keys that exist, and a port on which nothing listens."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    (tmp_path / "key").write_bytes(key)
    (tmp_path / "known").write_text("")
    (tmp_path / "config").write_text("Host gpu*\n  HostName 127.0.0.1\n  Port 1\n  User admin\n")
    return [
        f"--ssh-key={tmp_path / 'key'}",
        f"--known-hosts={tmp_path / 'known'}",
        f"--ssh-config={tmp_path / 'config'}",
    ]


@pytest.mark.parametrize(
    ("words", "mistake"),
    [
        (["gpu[001-004"], "a bracket has no partner"),
        (["gpu[004-001]"], "runs backwards"),
        (["gpu1", "--name", "My Site"], "--name My Site"),
        (["gpu1", "--out", "."], "this is a folder"),
        (["gpu1", "--out", "no/such/site.yaml"], "its folder does not exist"),
        (["gpu1", "--ssh-key", "no-key"], "--ssh-key no-key: there is no such file"),
        (["gpu1", "--known-hosts", "no-hosts"], "--known-hosts no-hosts: there is no such file"),
        (["gpu1", "--ssh-config", "no-config"], "--ssh-config no-config"),
    ],
)
def test_a_wrong_call_is_refused_with_the_next_step(words, mistake, way, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = [option for option in way if option.split("=")[0] not in words]
    assert main(["adopt", *words, *options]) == 2
    assert mistake in capsys.readouterr().err


def test_no_host_is_a_wrong_call(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["adopt"])
    assert ended.value.code == 2


def test_a_file_is_replaced_on_request_alone(way, capsys, tmp_path):
    file = tmp_path / "site.yaml"
    file.write_text("mine\n")
    assert main(["adopt", "gpu1", "--out", str(file), *way]) == 2
    assert "--force replaces it" in capsys.readouterr().err
    assert main(["adopt", "gpu1", "--out", str(file), "--force", *way]) == 1
    assert file.read_text() == "mine\n"  # nothing was drafted, so nothing is replaced


def test_a_jump_host_is_refused(way, capsys, tmp_path):
    (tmp_path / "config").write_text("Host *\n  ProxyJump bastion\n")
    assert main(["adopt", "gpu1", *way]) == 2
    assert "gpu1 has proxyjump bastion" in capsys.readouterr().err


def test_hosts_that_do_not_answer_are_named_with_the_reason(way, capsys):
    assert main(["adopt", "gpu[1-2]", *way]) == 1
    text = capsys.readouterr().err
    assert "gpu[1-2]: 127.0.0.1 port 1 cannot be reached (Connection refused)" in text
    assert "No site file was drafted" in text
    assert main(["adopt", "gpu[1-2]", "--format", "json", *way]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["site"], set(report["silent"])) == (None, {"gpu1", "gpu2"})


def test_the_report_names_every_part_of_the_result(monkeypatch, way, capsys, tmp_path):
    """The verb from readings to file and report, with the answers of nodes in the place of SSH."""
    plan = nodes.sized_design("dgx-h100", 4)
    readings = [*nodes.node_readings(plan)[:3], nodes.silent_reading("train-004", "10.0.0.35")]
    monkeypatch.setattr("rackwright.flow.adopted_nodes.read_nodes", lambda *_: readings)
    monkeypatch.setattr("rackwright.flow.adopted_nodes.survey.survey_subnets", lambda _: {})
    file = tmp_path / "site.yaml"
    assert main(["adopt", "train-[001-004]", "--name", "mine", "--out", str(file), *way]) == 1
    text = capsys.readouterr().out
    for line in (
        "pool train: 4 x dgx-h100 with h100-sxm, scheduler slurm (matched by product name DGXH100)",
        "train-004: 10.0.0.35 cannot be reached",
        "train-004, which did not answer: nodes of pool train",
        "next: rackwright check",
    ):
        assert line in text
    written = file.read_text()
    assert "drafted from 3 running nodes" in written
    assert "site: mine" in written
    assert main(["check", str(file)]) == 0
