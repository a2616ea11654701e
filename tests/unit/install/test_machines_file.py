"""The list of machines: every mistake in it is reported before anything is touched."""

from __future__ import annotations

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.install import machines_file

HEAD = "node,serial,mac,uuid,tpm_ek_sha256\n"
GOOD = "train-001,SN-1,02:00:5e:10:00:01,,\n"
NODES = ["train-001", "train-002"]


def test_a_machine_and_its_interfaces():
    text = "node,serial,mac,rdma0\ntrain-001,SN-1,02:00:5E:10:00:01,02:00:5E:10:00:02\n"
    machine = machines_file.read(text, "machines.csv", NODES)["train-001"]
    assert (machine.serial, machine.mac, machine.interfaces) == (
        "SN-1", "02:00:5e:10:00:01", {"rdma0": "02:00:5e:10:00:02"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + GOOD + "train-002,SN-1,02:00:5e:10:00:02,,\n", "machines.csv:3: serial: two machines with one serial"),
        (HEAD + GOOD + "train-002,SN-2,02:00:5e:10:00:01,,\n", "machines.csv:3: mac: two machines with one mac"),
        (HEAD + GOOD + "train-001,SN-2,02:00:5e:10:00:02,,\n", "machines.csv:3: node: two rows for one node"),
        (HEAD + "train-01,SN-1,02:00:5e:10:00:01,,\n", "did you mean train-001?"),
        (HEAD + "train-001,,02:00:5e:10:00:01,,\n", "machines.csv:2: serial: not to be read"),
        (HEAD + "train-001,SN-1,02-00-5e,,\n", "machines.csv:2: mac: not to be read"),
        (HEAD + "train-001,SN-1\n", "another number of fields"),
        (HEAD + "train-001,SN-1,02:00:5e:10:00:01,,,,\n", "another number of fields"),
        ("node,serial\ntrain-001,SN-1\n", "machines.csv:1: mac: the column is missing"),
        ("", "machines.csv:1: node: the column is missing"),
        ("node,serial,mac,$(id)\ntrain-001,SN-1,02:00:5e:10:00:01,\n", "the column is headed by no interface"),
        (HEAD + '"train-001,SN-1\n', "no CSV"),
    ],
)  # fmt: skip
def test_every_mistake_is_reported(text, says):
    with pytest.raises(ProblemsError) as caught:
        machines_file.read(text, "machines.csv", NODES)
    assert says in str(caught.value)


def test_a_node_without_a_row():
    [problem] = machines_file.undeclared(NODES, {"train-001"}, "machines.csv")
    assert problem.expected == "a row for train-002"
