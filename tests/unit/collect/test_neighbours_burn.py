"""The test of neighbours with a stand-in for nvbandwidth that notes which accelerators it was shown."""

import json
import stat
import sys

import pytest

from rackwright.collect.probe.burn import drive, neighbours
from rackwright.collect.probe.burn.failure import Missing

PROGRAM = """#!{python} -IS
import json, os, sys, time
seen = os.environ["CUDA_VISIBLE_DEVICES"]
shell = {log!r} + ".shell"
if seen == {broken!r}:
    os.symlink(f"/proc/{{os.getppid()}}/stat", shell)
with open({log!r}, "a") as log:
    log.write(seen + "\\n")
if seen == {broken!r}:
    sys.exit("CUDA_ERROR_NO_DEVICE")
while seen == "0,1" and open({log!r}).read().split().count("0,1") == 2 and "2,3" not in open({log!r}).read():
    time.sleep(0.01)
# The shell that repeats the copies of the others ends after them, and is a zombie until somebody waits for it.
while os.path.lexists(shell) and " Z " not in open(shell).read():
    time.sleep(0.01)
print("nvbandwidth Version: v0.9")
print(json.dumps({{"nvbandwidth": {{"devices": seen}}}}))
"""


@pytest.fixture
def burn(tmp_path, monkeypatch):
    """What the test prints with so many accelerators; the copies of `broken` fail."""

    def run(count=4, broken=""):
        program, log = tmp_path / "nvbandwidth", tmp_path / "log"
        program.write_text(PROGRAM.format(python=sys.executable, log=str(log), broken=broken))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        monkeypatch.setattr(neighbours, "device_count", lambda _pattern: count)
        monkeypatch.setattr(neighbours, "settle", lambda: None)
        return neighbours.document(), log.read_text().split()

    return run


def test_one_half_is_measured_alone_and_beside_the_other(burn):
    document, devices = burn()
    assert document == {name: {"nvbandwidth": {"devices": "0,1"}} for name in ("alone", "beside")}
    assert devices[0] == "0,1", "alone: nothing else runs yet"
    assert {*devices} == {"0,1", "2,3"}
    assert json.dumps(document)


def test_a_neighbour_that_does_not_copy_is_no_measurement(burn):
    with pytest.raises(Missing, match="the other half of the accelerators did not copy all the time"):
        burn(broken="2,3")


def test_a_tool_that_fails_says_why(burn):
    with pytest.raises(Missing, match="nvbandwidth ended with 1: CUDA_ERROR_NO_DEVICE"):
        burn(broken="0,1")


def test_one_accelerator_has_no_neighbour(burn):
    with pytest.raises(Missing, match="has no neighbour"):
        burn(count=1)
    assert drive.COPIES[:2] == ("host_to_device_memcpy_ce", "device_to_host_memcpy_ce")
