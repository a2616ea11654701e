"""What cuda leaves on a node."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_one_release_is_there_held_and_found_by_shells(host, scenario):
    assert host.package("cuda-toolkit-13-0").version.startswith("13.0.")
    assert {"cuda-toolkit-13-0", "cuda-toolkit-13-0-config-common"} <= set(
        host.check_output("apt-mark showhold").split()
    )
    assert not host.package("cuda").is_installed
    assert "/usr/local/cuda-13.0/bin" in host.check_output("sh -lc 'echo $PATH'")
