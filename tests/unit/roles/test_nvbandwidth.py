"""nvbandwidth at the version of the bill."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("system", "pattern"), [("debian-12", "0.9-*"), ("ubuntu-22.04", "0.9-*"), ("rocky-9", "0.9-*")]
)
def test_the_version_is_exact_whatever_is_added_to_it(declared, host_module, system, pattern):
    role = declared("nvbandwidth", os=system, nvbandwidth_version="0.9")
    assert role.packages == {"nvbandwidth": pattern}
    assert role.refused == ""
    versions = host_module("rackwright_versions")
    assert versions.matches("0.9-1", pattern)
    assert not versions.matches("0.91-1", pattern)


def test_a_version_that_is_none_is_refused(declared):
    assert "software.nvbandwidth as 0.9" in declared("nvbandwidth", nvbandwidth_version="latest").refused
