"""Readings of the operating system and the main board, on a real host of the twin: the command, its answer, its parser."""

import shlex

import pytest

from rackwright.collect import collector
from rackwright.collect.plan import NODE
from rackwright.model.evidence.cpu import Cpu
from rackwright.model.evidence.drives import Drives
from rackwright.model.evidence.host import SystemdUnits, UserLimits
from rackwright.model.evidence.memory import Memory
from rackwright.model.evidence.mounts import Mounts
from rackwright.model.evidence.tuning import Tuning

pytestmark = pytest.mark.twin


@pytest.fixture(scope="module")
def read(twin):
    def ask(identity):
        entry = collector.library()[identity]
        words = ["train-001" if word == NODE else word for word in entry.command]
        code, output = twin.run(f"ssh train-001 {shlex.quote(shlex.join(words))}")
        assert code in entry.accepts, output
        return entry.parse(output)

    return ask


def test_what_the_twin_simulates_is_what_the_design_ordered(read) -> None:
    cpu, memory, drives = read("cpu"), read("memory"), read("drives")
    assert isinstance(cpu, Cpu)
    assert (cpu.sockets, cpu.cores_per_socket, cpu.offline) == (2, 56, "")
    assert isinstance(memory, Memory)
    assert sum(dimm.bytes for dimm in memory.dimms) == 2048 * 2**30
    assert isinstance(drives, Drives)
    assert [entry.name for entry in drives.drives] == [f"nvme{number}" for number in range(8)]
    assert isinstance(read("tuning"), Tuning)
    assert {"/", "/dev/shm", "/local"} <= {entry.target for entry in read("mounts").mounts}


def test_what_runs_on_the_host_itself_is_readable(read) -> None:
    assert isinstance(read("limits"), UserLimits)
    assert isinstance(read("units"), SystemdUnits)
    assert isinstance(read("mounts"), Mounts)


def test_the_real_tools_still_do_everything_else(twin) -> None:
    assert twin.run("ssh train-001 find /etc -maxdepth 1 -name hostname") == (0, "/etc/hostname")
    assert twin.run("ssh train-001 findmnt --noheadings --output TARGET --mountpoint /proc")[0] == 0
