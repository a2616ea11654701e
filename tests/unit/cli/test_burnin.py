import json

import pytest

from rackwright.cli.main import main
from rackwright.errors import ExitCode

SITE = "inventories/h100-pod"


def test_the_tests_are_listed_with_their_limits(capsys):
    assert main(["burnin", SITE, "--list", "--format", "json"]) == ExitCode.PASS
    said = json.loads(capsys.readouterr().out)
    tests = {one["test"]: one for one in said["tests"]}
    assert "link_soak" in tests
    assert "nccl_group" not in tests
    assert all(one["seconds"] > 0 for one in said["tests"])
    assert said["at_once"] == 32
    assert main(["burnin", SITE, "--rounds", "any", "--list"]) == ExitCode.PASS
    assert "nccl_group" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tests", "gem"], "there is no such test; tests are"),
        (["--at-once", "0"], "--at-once at least 1"),
        (["--cooldown", "-1"], "--cooldown is at least 0"),
    ],
)
def test_a_wrong_call_is_one_sentence(words, said, capsys):
    assert main(["burnin", SITE, *words]) == ExitCode.USAGE
    assert said in capsys.readouterr().err


@pytest.fixture
def account(monkeypatch):
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "admin")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "secret")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--rounds", "{file}"], ExitCode.USAGE, "--rounds needs --tests"),
        (["--rounds", "{file}.not", "--tests", "visibility"], ExitCode.USAGE, "cannot be read"),
        (["--rounds", "{file}", "--tests", "visibility"], ExitCode.PROBLEMS, "names of nodes of the site"),
    ],
)
def test_rounds_must_be_groups_of_the_site(account, tmp_path, words, code, said, capsys):
    file = tmp_path / "rounds"
    file.write_text('{"round": 1, "nodes": ["nobody"]}\n')
    argv = [word.format(file=file) for word in words]
    assert main(["burnin", SITE, "--work", str(tmp_path / "work"), *argv]) == code
    assert said in capsys.readouterr().err
