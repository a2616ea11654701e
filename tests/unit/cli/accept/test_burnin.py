import json

import pytest

from rackwright.base.errors import ExitCode
from rackwright.cli.main import main

SITE = "inventories/h100-pod"


def test_the_tests_are_listed_with_their_limits(capsys):
    assert main(["burnin", SITE, "--list", "--format", "json"]) == ExitCode.PASS
    listing = json.loads(capsys.readouterr().out)
    tests = {test["test"]: test for test in listing["tests"]}
    assert "link_soak" in tests
    assert "nccl_group" not in tests
    assert all(test["seconds"] > 0 for test in listing["tests"])
    assert listing["at_once"] == 32
    assert main(["burnin", SITE, "--rounds", "any", "--list"]) == ExitCode.PASS
    assert "nccl_group" in capsys.readouterr().out


def listed(capsys, site, *words):
    assert main(["burnin", site, "--list", "--format", "json", *words]) == ExitCode.PASS
    return {test["test"]: test["nodes"] for test in json.loads(capsys.readouterr().out)["tests"]}


@pytest.mark.parametrize(
    ("site", "fitting", "foreign"),
    [
        (SITE, {"gemm_burn", "fio_local", "link_soak"}, {"amd_gemm", "ascend_gemm"}),
        ("inventories/mi300x-pod", {"amd_gemm", "link_soak"}, {"gemm_burn", "ascend_gemm", "fio_local"}),
        ("tests/sites/ascend.yaml", {"ascend_gemm"}, {"gemm_burn", "amd_gemm"}),
    ],
)
def test_only_tests_of_the_hardware_of_the_site_are_listed(site, fitting, foreign, capsys):
    tests = listed(capsys, site)
    assert fitting <= tests.keys()
    assert not foreign & tests.keys()
    assert all(tests.values())
    everything = listed(capsys, site, "--all")
    assert all(everything[name] == 0 for name in foreign)
    assert everything == tests | dict.fromkeys(everything.keys() - tests.keys(), 0)


def test_groups_are_listed_for_the_hardware_of_the_site(capsys):
    assert "rccl_group" not in listed(capsys, SITE, "--rounds", "any")
    assert "nccl_group" not in listed(capsys, "inventories/mi300x-pod", "--rounds", "any")
    assert listed(capsys, SITE, "--rounds", "any", "--all")["rccl_group"] == 0


def test_the_list_is_that_of_the_chosen_nodes(capsys):
    assert listed(capsys, SITE, "--nodes", "train-001,train-002")["gemm_burn"] == 2
    assert listed(capsys, SITE, "--nodes", "slurm-01") == {}
    assert listed(capsys, SITE, "--tests", "amd_gemm") == {"amd_gemm": 0}
    assert main(["burnin", SITE, "--list", "--nodes", "slurm-01"]) == ExitCode.PASS
    assert capsys.readouterr().out == "No test fits these nodes; --all prints every one.\n"
    assert main(["burnin", SITE, "--list", "--nodes", "train-001", "--tests", "gemm_burn,amd_gemm"]) == ExitCode.PASS
    nvidia, amd = capsys.readouterr().out.splitlines()
    assert " 1 node  nvidia" in nvidia
    assert " none of these  amd" in amd


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tests", "gem"], "there is no such test; tests are"),
        (["--tests", "nccl_group"], "this is a test of several nodes, and needs --rounds FILE"),
        (["--tests", "gemm_burn", "--rounds", "any"], "this is a test of single nodes, and goes without --rounds"),
        (["--at-once", "0"], "--at-once at least 1"),
        (["--cooldown", "-1"], "--cooldown is at least 0"),
        (["--all"], "--all goes with --list"),
        (["--list", "--nodes", "train-999"], "train-999"),
    ],
)
def test_a_wrong_call_is_one_sentence(words, message, capsys):
    assert main(["burnin", SITE, *words]) == ExitCode.USAGE
    assert message in capsys.readouterr().err


@pytest.fixture
def account(monkeypatch):
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "admin")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "secret")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--rounds", "{file}"], ExitCode.USAGE, "--rounds needs --tests"),
        (["--rounds", "{file}.not", "--tests", "visibility"], ExitCode.USAGE, "cannot be read"),
        (["--rounds", "{file}", "--tests", "visibility"], ExitCode.PROBLEMS, "names of nodes of the site"),
    ],
)
def test_rounds_must_be_groups_of_the_site(account, tmp_path, words, code, message, capsys):
    file = tmp_path / "rounds"
    file.write_text('{"round": 1, "nodes": ["nobody"]}\n')
    argv = [word.format(file=file) for word in words]
    assert main(["burnin", SITE, "--work", str(tmp_path / "work"), *argv]) == code
    assert message in capsys.readouterr().err
