from __future__ import annotations

import pytest

from rackwright import compare
from rackwright.compare import bus, plant
from rackwright.compare.applicability import has_capability, has_data_drives, has_nvlink
from rackwright.compare.threshold import (
    Quantity,
    at_least,
    at_most,
    each_nvlink,
    equal_to,
    measured,
    one_of,
    threshold,
)
from rackwright.model.equipment import RackPdu
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.evidence.pci import BRIDGE, Pci
from rackwright.model.evidence.plant import RackPower
from rackwright.model.verdict import Outcome
from tests import build

PART = "GPU 3 (00000000:4e:00.0, serial 1650124000003)"


def devices(**change) -> Accelerators:
    """Eight healthy accelerators, of which the fourth is changed."""
    return build.accelerators(
        devices=[build.device(index, **(change if index == 3 else {})) for index in range(8)],
    )


def temperature(**change):
    return threshold(
        reads=Accelerators,
        metric="gpu.idle_celsius",
        value=lambda device: device.temperature_celsius,
        good=at_most,
        what="temperature",
        **change,
    )


@pytest.mark.parametrize(
    ("celsius", "outcome"), [(34, Outcome.PASS), (60, Outcome.PASS), (61, Outcome.FAIL), (None, Outcome.INCONCLUSIVE)]
)
def test_every_device_is_held_against_the_limit(celsius, outcome) -> None:
    expectation = build.expectation()
    bound = compare.number(compare.limit(expectation, "gpu.idle_celsius"))
    shift = 0 if celsius is None else celsius - 60
    value = None if celsius is None else int(bound) + shift
    finding = temperature().judge(expectation, devices(temperature_celsius=value))
    assert finding.outcome == outcome
    assert f"expected at most {bound:g} (limit gpu.idle_celsius: " in finding.says
    assert (PART in finding.says) == (outcome != Outcome.PASS)


def test_the_outcome_of_a_bad_reading_can_be_chosen() -> None:
    finding = temperature(bad=Outcome.DEGRADED).judge(build.expectation(), devices(temperature_celsius=99))
    assert finding.outcome == Outcome.DEGRADED


def test_without_the_limit_it_is_inconclusive() -> None:
    finding = temperature().judge(build.expectation(no_limits=True), devices())
    assert finding.outcome == Outcome.INCONCLUSIVE
    assert "no limit for gpu.idle_celsius" in finding.says


def test_text_of_limits_and_of_readings() -> None:
    check = threshold(
        reads=Accelerators,
        metric="gpu.memory_share",
        values=lambda record: {"first": Quantity(record.devices[0].memory_total_bytes, "some memory")},
        good=lambda total, gibibytes: total > gibibytes * compare.GIB,
        share_of=lambda expectation: (compare.accelerator(expectation), "memory_gib"),
        what="memory",
        expected="more than {bound:g} of {full} GiB",
        source="nvidia-smi",
    )
    finding = check.judge(build.expectation(), devices())
    assert finding.outcome == Outcome.PASS
    assert finding.observed == "some memory"
    assert finding.expected.endswith(" of 80.0 GiB")
    assert finding.source.startswith("nvidia-smi; SKU h100-sxm: ")
    assert "; limit gpu.memory_share: " in finding.source


def test_words_of_a_limit() -> None:
    check = threshold(
        reads=Accelerators,
        metric="gpu.compute_mode",
        value=lambda device: device.vbios,
        good=one_of,
        what="mode",
    )
    finding = check.judge(build.expectation(), devices())
    assert finding.outcome == Outcome.FAIL
    assert finding.expected == "default"


def test_readings_see_the_bound_and_the_key() -> None:
    check = threshold(
        reads=Accelerators,
        metric="gpu.ecc_corrected",
        place="dram",
        readings=lambda expectation, record, bound: {expectation.node.name: bound + len(record.devices)},
        good=at_least,
        what="it",
    )
    assert check.judge(build.expectation(), devices()).outcome == Outcome.PASS


def test_a_check_without_readings_is_refused() -> None:
    with pytest.raises(TypeError, match="needs value=, values= or readings="):
        threshold(reads=Accelerators, metric="gpu.idle_celsius", good=at_most, what="nothing")


def copies(good=at_least, **change):
    return measured(
        reads=Accelerators,
        metric="hbm.copy_gbytes_per_s",
        readings=lambda _, record: compare.by_device(record, lambda device: device.power_limit_watts),
        good=good,
        what="copy",
        applies=compare.has_accelerators,
        **change,
    )


def test_a_measurement_has_its_tolerance() -> None:
    expectation = build.expectation()
    floor = compare.floor(expectation, "hbm.copy_gbytes_per_s")
    assert floor is not None
    values = {
        Outcome.PASS: floor.warn,
        Outcome.DEGRADED: (floor.warn + floor.fail) / 2,
        Outcome.FAIL: floor.fail * 0.99,
    }
    for outcome, value in values.items():
        record = build.accelerators(devices=[build.device(index, power_limit_watts=value) for index in range(8)])
        assert copies().judge(expectation, record).outcome == outcome
        assert copies(at_most).judge(expectation, record).outcome == Outcome.PASS


def test_a_test_of_fewer_accelerators_is_inconclusive() -> None:
    record = build.accelerators(devices=[build.device(index, power_limit_watts=1e6) for index in range(7)])
    assert copies().judge(build.expectation(), record).outcome == Outcome.PASS
    finding = copies(tested="copies").judge(build.expectation(), record)
    assert finding.outcome == Outcome.INCONCLUSIVE
    assert "copies 7 of 8 accelerators took part" in finding.says


def test_links_without_a_counter_are_missing() -> None:
    by_link = each_nvlink(lambda device: device.nvlink_crc_errors)(
        build.expectation(), devices(nvlink_crc_errors=[5] * 17), 0
    )
    assert len(by_link) == 8 * 18
    assert by_link[f"{PART} NVLink 16"] == 5
    assert by_link[f"{PART} NVLinks from 17"] is None


def test_capabilities() -> None:
    expectation = build.expectation()
    assert has_capability("row_remapping")(expectation)
    assert not has_capability("health")(expectation)
    assert not has_capability("row_remapping")(build.expectation("slurm-01"))


def test_required_is_the_bound_and_the_limit_says_what_is_read() -> None:
    check = threshold(
        reads=Accelerators,
        metric="gpu.compute_mode",
        readings=lambda _, accelerators, words: {words[0]: accelerators.driver_version},
        required=lambda expectation: expectation.software.driver,
        good=equal_to,
        what="driver of",
        source="site software.driver",
    )
    expectation = build.expectation()
    word = compare.words(compare.limit(expectation, "gpu.compute_mode"))[0]
    record = devices().model_copy(update={"driver_version": expectation.software.driver})
    assert check.judge(expectation, record).outcome == Outcome.PASS
    finding = check.judge(expectation, record.model_copy(update={"driver_version": "1.2"}))
    assert finding.outcome == Outcome.FAIL
    assert finding.observed == f"{word}: 1.2"
    assert finding.expected == expectation.software.driver
    assert finding.source.startswith("site software.driver; limit gpu.compute_mode: ")


@pytest.mark.parametrize(
    ("watts", "unread", "outcome", "observed"),
    [
        (1.0, 0, Outcome.PASS, "1.0"),
        (0.5, 0, Outcome.FAIL, "PDU: 0.5"),
        (1.0, 2, Outcome.INCONCLUSIVE, "no reading of 2 of the parts that it lists"),
        (None, 0, Outcome.INCONCLUSIVE, "no reading of PDU"),
    ],
)
def test_a_threshold_of_rack_equipment(watts, unread, outcome, observed) -> None:
    check = plant.threshold(
        reads=RackPower,
        unit=RackPdu,
        metric="power.least_load_share",
        readings=lambda _, record: {"PDU": record.watts},
        good=lambda pdu, value, share: value >= 1.0 and share < pdu.load_watts,
        what="watts:",
        expected=lambda pdu, share: f"{pdu.name} {share:g}",
        source="design {unit.name}",
        unread=lambda record: record.unread,
        applies=lambda pdu: pdu.load_watts > 0,
    )
    record = build.healthy_record(RackPower).model_copy(update={"watts": watts, "unread": unread})
    expectation = build.plant_expectation(RackPdu)
    assert check.applies(expectation)
    finding = check.judge(expectation, record)
    assert (finding.outcome, finding.observed) == (outcome, observed)
    share = plant.limit(expectation, "power.least_load_share").value
    assert finding.expected == f"{expectation.unit.name} {share:g}"
    assert finding.source.startswith(f"design {expectation.unit.name}; limit power.least_load_share: ")
    without = check.judge(build.plant_expectation(RackPdu, no_limits=True), record)
    assert without.outcome == Outcome.INCONCLUSIVE
    assert without.expected == "a row for power.least_load_share"


def test_functions_of_the_bus_without_their_ids_are_inconclusive() -> None:
    check = bus.function_threshold(
        metric="pcie.max_payload_bytes",
        value=lambda function: function.max_payload_bytes,
        good=at_least,
        what="payload",
        expected="at least {bound}",
        judged=lambda function: function.pci_class != BRIDGE,
    )
    record = build.healthy_record(Pci)
    finding = check.judge(build.expectation(), record)
    judged = [function for function in bus.functions(build.expectation(), record) if function.pci_class != BRIDGE]
    assert finding.outcome == Outcome.PASS
    assert finding.observed == f"256 on all {len(judged)}"
    without = check.judge(build.expectation(no_limits=True), record)
    assert (without.outcome, without.expected) == (Outcome.INCONCLUSIVE, f"a row for {bus.IDS}")
    assert check.applies(build.expectation())


def test_nodes_with_nvlinks_and_with_data_drives() -> None:
    bare = build.expectation("slurm-01")
    assert [has_nvlink(node) for node in (build.expectation(), build.expectation(part={"nvlink_links": 0}), bare)] == [
        True,
        False,
        False,
    ]
    without = build.expectation(server={"local_storage": None})
    assert [has_data_drives(node) for node in (build.expectation(), without, bare)] == [True, False, False]
