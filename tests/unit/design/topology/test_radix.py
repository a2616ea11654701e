from __future__ import annotations

from fractions import Fraction

import pytest

from rackwright.design.topology.radix import Tiers, ratio, smallest_divisor, split, tiers


@pytest.mark.parametrize(
    ("ports", "oversubscription", "expected"),
    [
        (64, 1, (32, 32)),
        (64, 1.33, (36, 28)),
        (64, 2, (42, 22)),
        (64, 3, (48, 16)),
        (40, 1, (20, 20)),
        (64, 1e9, (63, 1)),
    ],
)
def test_split(ports, oversubscription, expected):
    assert split(ports, oversubscription) == expected


def test_a_decimal_means_a_ratio_of_small_numbers():
    assert ratio(1.33) == ratio(1.3333) == Fraction(4, 3)
    assert ratio(1) == 1


def test_smallest_divisor():
    assert smallest_divisor(32, Fraction(24, 1)) == 32
    assert smallest_divisor(18, Fraction(9, 2)) == 6
    assert smallest_divisor(4, Fraction(5)) is None


# Published scale tables: NVIDIA RA-11333-001 V11 (DGX H100), RA-11334-001 V08 (DGX B200); k = 64, 8 leaves per unit.
# Formula rows: 2-tier fat tree k^2/2 hosts, 3-tier k^3/4 hosts.
@pytest.mark.parametrize(
    ("leaves", "ports", "spines", "cores"),
    [
        (8, 64, 4, 0), (16, 64, 8, 0), (24, 64, 16, 0), (32, 64, 16, 0), (64, 64, 32, 0),
        (128, 64, 128, 64), (256, 64, 256, 128), (512, 64, 512, 256),
        (16, 16, 8, 0), (128, 16, 128, 64), (32, 32, 16, 0), (512, 32, 512, 256),
    ],
)  # fmt: skip
def test_published_counts(leaves, ports, spines, cores):
    found = tiers(leaves, ports // 2, ports)
    assert (found.spines, found.cores) == (spines, cores)


def test_one_leaf_needs_nothing_above():
    assert tiers(1, 32, 64) == Tiers(0, 0, 1, 1)


def test_too_many_leaves_for_three_tiers():
    assert tiers(64 * 64 // 2, 32, 64) is not None
    assert tiers(64 * 64 // 2 + 1, 32, 64) is None
