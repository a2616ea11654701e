import pytest

from rackwright.onboard.waves import CANARY, CONTROL, NodePlace, Tolerance, Wave, waves


def node(number, pool="train", sku="dgx-h100", per_rack=4, per_unit=32):
    rack, unit = (number - 1) // per_rack + 1, (number - 1) // per_unit + 1
    return NodePlace(
        f"{pool}-{number:03}", control=False, pool=pool, sku=sku, rack=f"{pool}-r{rack:02}", scalable_unit=unit
    )


CONTROLLER = NodePlace("slurm-01", control=True, pool="", sku="1u", rack="c-r01", scalable_unit=0)


def nodes(count, **more):
    return [node(number, **more) for number in range(1, count + 1)]


def cut(places, **options):
    return [(wave.name, len(wave.nodes)) for wave in waves(places, **options)]


def test_a_small_run_is_one_wave():
    assert waves([*nodes(8), CONTROLLER]) == [Wave("all", (*(f"train-{n:03}" for n in range(1, 9)), "slurm-01"))]


def test_a_run_over_more_than_a_scalable_unit_has_control_then_a_canary_then_whole_units():
    result = waves([*nodes(127), CONTROLLER])
    assert [(wave.name, len(wave.nodes)) for wave in result] == [
        ("control", 1), ("canary", 1), ("train-r01 to train-r16", 63), ("train-r17 to train-r32", 63),
    ]  # fmt: skip
    assert (result[0].nodes, result[1].nodes) == (("slurm-01",), ("train-001",))


def test_every_host_is_in_exactly_one_wave():
    places = [*nodes(300), *nodes(70, pool="serve", sku="l40s"), CONTROLLER]
    for size in (1, 3, 32, 50, None):
        played = [name for wave in waves(places, size=size, canary=True) for name in wave.nodes]
        assert sorted(played) == sorted(place.node for place in places), size


def test_there_is_one_canary_per_pool_and_server():
    mixed = [*nodes(40), *nodes(40, pool="serve", sku="l40s"), *nodes(2, pool="serve", sku="h20")]
    canary = next(wave for wave in waves(mixed) if wave.name == CANARY)
    assert len(canary.nodes) == 3


@pytest.mark.parametrize(("canary_option", "count", "expected"), [(True, 4, True), (False, 127, False), (None, 32, False), (None, 33, True)])  # fmt: skip
def test_canaries_can_be_asked_for_and_refused(canary_option, count, expected):
    assert (CANARY in [wave.name for wave in waves(nodes(count), canary=canary_option)]) is expected


def test_a_wave_is_never_larger_than_asked_and_cuts_racks_only_when_it_must():
    assert cut(nodes(32), size=10, canary=False) == [
        ("train-r01 to train-r02", 8), ("train-r03 to train-r04", 8), ("train-r05 to train-r06", 8), ("train-r07 to train-r08", 8),
    ]  # fmt: skip
    assert cut(nodes(4), size=3, canary=False) == [("train-r01", 3), ("train-r01", 1)]


def test_all_in_one_wave_when_asked():
    assert cut([*nodes(127), CONTROLLER], size=None, canary=False) == [("all", 128)]


def test_nothing_to_do_is_no_wave():
    assert waves([]) == []


@pytest.mark.parametrize(
    ("tolerance", "size", "bad", "bears"),
    [
        (Tolerance(), 64, 6, True), (Tolerance(), 64, 7, False),
        (Tolerance(), 4, 1, True), (Tolerance(), 4, 2, False),  # one host is always borne: it says nothing of the others
        (Tolerance(hosts=0), 64, 1, False), (Tolerance(hosts=0), 64, 0, True),
        (Tolerance(percent=50), 4, 2, True), (Tolerance(percent=50), 4, 3, False),
    ],
)  # fmt: skip
def test_too_many_failures_stop_the_run(tolerance, size, bad, bears):
    wave = Wave("train-r01", tuple(f"n{number}" for number in range(size)))
    assert tolerance.bears(bad, wave) is bears


def test_no_canary_may_fail_and_a_lost_controller_stops_nothing():
    tolerance = Tolerance(hosts=5)
    assert not tolerance.bears(1, Wave(CANARY, ("a", "b")))
    assert tolerance.bears(1, Wave(CONTROL, ("slurm-01",)))
