from __future__ import annotations

from fractions import Fraction

import pytest

from rackwright.design.topology.radix import (
    Tiers,
    divisible,
    pods_of,
    ratio,
    smallest_divisor,
    split,
    three_tiers,
    two_tiers,
    uplinks,
)


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
    up = ports // 2
    result = two_tiers(leaves, up, ports) or three_tiers(pods_of(leaves, ports), up, ports, ports)
    assert (sum(result.spines), result.cores) == (spines, cores)


# Rack-scale systems: a leaf per rack and rail with 18 hosts, 8 racks per unit, 4 rails; k = 64.
@pytest.mark.parametrize(("units", "spines", "cores"), [(1, 24, 9), (2, 48, 18), (4, 96, 36), (16, 384, 144)])
def test_pods_of_rails(units, spines, cores):
    tiers = three_tiers([8] * 4 * units, 18, 64, 64)
    assert (sum(tiers.spines), tiers.cores, tiers.spine_up) == (spines, cores, 24)


def test_a_spine_count_between_two_divisors():
    assert two_tiers(32, 72, 144) == Tiers((18,), 0)
    assert two_tiers(64, 72, 144) == Tiers((36,), 0)


def test_a_plane_of_two_tiers_has_a_limit():
    assert two_tiers(64, 32, 64) is not None
    assert two_tiers(65, 32, 64) is None


def test_too_many_leaves_for_three_tiers():
    assert three_tiers(pods_of(64 * 64 // 2, 64), 32, 64, 64) is not None
    assert three_tiers(pods_of(64 * 64 // 2 + 1, 64), 32, 64, 64) is None


@pytest.mark.parametrize(
    ("hosts", "oversubscription", "host_gbps", "link_gbps", "expected"),
    [(32, 1, 400, 400, 32), (33, 1.33, 400, 400, 25), (18, 1, 400, 400, 18), (64, 1, 400, 800, 32), (1, 4, 1, 1, 1)],
)
def test_uplinks(hosts, oversubscription, host_gbps, link_gbps, expected):
    assert uplinks(hosts, oversubscription, host_gbps, link_gbps) == expected


@pytest.mark.parametrize(
    ("up", "room", "result"),
    [(32, 32, 32), (18, 32, 18), (72, 72, 72), (17, 32, 18), (25, 32, 28), (27, 28, 28), (5, 8, 6), (17, 17, 17)],
)
def test_uplinks_with_useful_divisors(up, room, result):
    assert divisible(up, room) == result


@pytest.mark.parametrize(
    ("up", "room", "least", "uplinks_of_a_leaf"),
    [
        (17, 32, 1, 18),
        (21, 22, 2, 21),  # three spines; the even number 22 would take eleven
        (9, 32, 2, 10),
        (25, 40, 2, 28),
        (1, 5, 2, 2),
        (1, 1, 2, 1),
        (32, 32, 3, 32),
    ],
)
def test_uplinks_that_leave_no_spine_idle(up, room, least, uplinks_of_a_leaf):
    assert divisible(up, room, least) == uplinks_of_a_leaf
