"""The module that drains nodes on first sight: one that left Slurm and comes back is seen for the first time again."""

from __future__ import annotations

import pytest


@pytest.fixture
def play(host_module, run_module, tmp_path):
    module = host_module("slurm_new_nodes")

    def run(*nodes, check=False):
        drained = []

        def scontrol(argv):
            if argv[1] == "update":
                drained.append(argv[2].partition("=")[2])
            return 0, "Slurmctld(primary) at slurm-01 is UP", ""

        options = {
            "nodes": list(nodes),
            "reason": "rackwright: acceptance pending",
            "state_folder": str(tmp_path),
            "wait_seconds": 1,
        }
        return run_module(module, options, scontrol, check=check)["changed"], drained

    return run


def test_a_node_is_drained_once(play):
    assert play("a", "b") == (True, ["a,b"])
    assert play("a", "b") == (False, [])


def test_a_node_that_left_and_comes_back_is_drained_again(play):
    play("a", "b")
    assert play("a", check=True) == (True, [])
    assert play("a") == (True, [])
    assert play("a") == (False, [])
    assert play("a", "b") == (True, ["b"])
