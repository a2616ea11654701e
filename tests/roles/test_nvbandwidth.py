"""What nvbandwidth leaves on a node."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_program_of_the_bill_starts(host, scenario):
    assert host.package("nvbandwidth").version == "0.9-1"
    assert "nvbandwidth" in host.check_output("apt-mark showhold").split()
    assert "device_to_device_memcpy_read_ce" in host.check_output("nvbandwidth --list")
