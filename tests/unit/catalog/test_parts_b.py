from __future__ import annotations

import math

import pytest

from rackwright import catalog
from rackwright.catalog import failure_rates, plugs, storage_guidelines, water_classes, workloads

FORMS = ("OSFP", "OSFP-RHS", "QSFP112", "QSFP56", "QSFP28", "QSFP-DD", "SFP28", "RJ45")
CATALOG = catalog.load()
CONTINUOUS = 0.8
LITERS_PER_MINUTE = 60_000
RATES = {
    *(group.gbps // ways for s in CATALOG.switches.values() for group in (s.ports, s.uplinks) if group
      for ways in group.breakouts),
    *(port.gbps for server in CATALOG.servers.values() for port in server.ports),
    *(nic.gbps for nic in CATALOG.nics.values()),
}  # fmt: skip


def of(table):
    return pytest.mark.parametrize("sku", sorted(table))


@of(CATALOG.switches)
def test_ports_fill_their_cages_and_split_evenly(sku):
    switch = CATALOG.switches[sku]
    for group in (switch.ports, switch.uplinks):
        if group:
            assert group.count % group.per_cage == 0
            assert group.breakouts[0] == 1
            assert all(group.gbps % ways == 0 for ways in group.breakouts)
    names = {switch.port_name.format(number=1), switch.port_name.format(number=2)}
    assert len(names) == 2
    if switch.split_port_name:
        assert len({switch.lane_name(1, lane, 2) for lane in (0, 1)}) == 2


@of(CATALOG.switches)
def test_the_supplies_that_stay_carry_the_peak(sku):
    switch = CATALOG.switches[sku]
    assert switch.typical_watts is None or switch.typical_watts < switch.peak_watts
    if switch.psus.count:
        assert switch.psus.needed * switch.psus.watts_each >= switch.peak_watts
        assert switch.psus.needed <= switch.psus.count / 2, "one feed of two carries it"
    else:
        assert switch.transport == "nvlink"


@pytest.mark.parametrize(
    ("switch", "sister"),
    [("qm9700", "qm9790"), ("qm8700", "qm8790"), ("sn5600", "sn5610"), ("drivenets-ncp5300r", "arista-7700r4c-38pe"),
     ("drivenets-ncf9300f", "arista-7720r4-128pe"), ("tomahawk5-64x800", "arista-7060x6-64pe")],
)  # fmt: skip
def test_sister_switches_agree(switch, sister):
    switch, sister = CATALOG.switches[switch], CATALOG.switches[sister]
    assert (switch.ports, switch.uplinks, switch.rack_units) == (sister.ports, sister.uplinks, sister.rack_units)


def test_scheduled_leaves_have_more_fabric_than_host_ports():
    for sku in ("drivenets-ncp5300r", "arista-7700r4c-38pe"):
        switch = CATALOG.switches[sku]
        assert switch.uplinks is not None
        assert (switch.ports.count, switch.uplinks.count) == (18, 20)


def test_published_switches_are_the_published_machines():
    expected = {
        "qm8790": (40, 200, 1), "qm9700": (64, 400, 1), "q3400-ra": (144, 800, 4), "q3200": (72, 800, 2),
        "sn4600c": (64, 100, 2), "sn4600": (64, 200, 2), "sn4700": (32, 400, 1), "sn5400": (64, 400, 2),
        "sn5600": (64, 800, 2), "sn2201": (48, 1, 1), "sn6600": (128, 800, 4), "nvlink5-switch-tray": (144, 400, 1),
    }  # fmt: skip
    catalogued = {
        sku: (s.ports.count, s.ports.gbps, s.rack_units) for sku, s in CATALOG.switches.items() if sku in expected
    }
    assert catalogued == expected


@of(CATALOG.cables)
def test_a_cable_can_be_ordered_in_rising_lengths_within_its_reach(sku):
    cable = CATALOG.cables[sku]
    assert cable.lengths_meters == sorted(set(cable.lengths_meters))
    assert cable.lengths_meters[0] > 0
    assert cable.lengths_meters[-1] <= cable.max_meters
    assert cable.links % cable.splits == 0


@of({sku for sku, cable in CATALOG.cables.items() if cable.optic})
def test_the_optic_of_a_cable_fits_it(sku):
    cable = CATALOG.cables[sku]
    optic = CATALOG.optics[cable.optic]
    near = CATALOG.optics[cable.node_optic or cable.optic]
    assert (optic.form, near.form) == (cable.form, cable.node_form or cable.form)
    assert optic.gbps % cable.gbps == 0
    assert min(optic.max_meters, near.max_meters) == cable.max_meters
    links = optic.links * optic.gbps // cable.gbps
    assert cable.watts_per_end == pytest.approx(optic.watts / links)


@pytest.mark.parametrize("sku", sorted(sku for sku, switch in CATALOG.switches.items() if switch.transport != "nvlink"))
def test_every_rate_of_a_switch_has_copper_and_fibre(sku):
    switch = CATALOG.switches[sku]
    groups = [switch.ports, *([switch.uplinks] if switch.uplinks else [])]
    for rate in {group.gbps // ways for group in groups for ways in group.breakouts}:
        fit = [cable for form in FORMS for cable in plugs.fitting(CATALOG.cables.values(), rate, switch, form)]
        assert {"copper", "cat6", "active-copper"} & {cable.medium for cable in fit}, f"{rate} Gb/s"
        assert max(cable.max_meters for cable in fit) >= 100, f"{rate} Gb/s"


def test_every_form_is_that_of_a_cage_and_has_a_cable():
    cages = {group.form for server in CATALOG.servers.values() for group in server.ports}
    cages |= {group.form for switch in CATALOG.switches.values() for group in (switch.ports, switch.uplinks) if group}
    for cage in cages - {""}:
        assert any(
            plugs.fits(cage, cable.node_form or cable.form) for cable in CATALOG.cables.values() if cable.form
        ), cage
    assert "" not in {group.form for server in CATALOG.servers.values() for group in server.ports}
    assert not plugs.fits("RJ45", "SFP")
    assert not plugs.fits("OSFP", "QSFP56")
    assert not plugs.fits("OSFP-RHS", "OSFP")
    assert plugs.fits("QSFP112", "QSFP28")


@pytest.mark.parametrize("rate", sorted(RATES | {1, 10, 25, 100, 200, 400, 800}))
def test_every_rate_in_the_catalog_reaches_500_metres(rate):
    fit = plugs.fitting(CATALOG.cables.values(), rate)
    assert {"copper", "cat6"} & {cable.medium for cable in fit}
    assert max(cable.max_meters for cable in fit) >= 500


@pytest.mark.parametrize(
    ("sku", "kva"),
    [("pdu-415v-60a", 34.5), ("pdu-400v-63a", 34.92), ("pdu-380v-32a", 16.85), ("pdu-415v-32a", 18.4),
     ("pdu-208v-60a", 17.29), ("pdu-480v-100a", 66.51)],
)  # fmt: skip
def test_rack_pdus_are_the_circuits_of_the_codes(sku, kva):
    pdu = CATALOG.pdus[sku]
    assert pdu.phases == 3
    assert math.sqrt(3) * pdu.volts * pdu.amps * CONTINUOUS / 1000 == pytest.approx(kva, rel=0.003)


@of(CATALOG.pdus)
def test_outlets_can_deliver_what_the_circuit_gives(sku):
    pdu = CATALOG.pdus[sku]
    phase = pdu.volts if pdu.volts < 220 else pdu.volts / math.sqrt(3)
    outlets = sum(group.count * group.amps for group in pdu.outlets) * phase
    assert outlets >= math.sqrt(3) * pdu.volts * pdu.amps * CONTINUOUS


@of(CATALOG.cdus)
def test_capacity_rises_with_the_approach(sku):
    cdu = CATALOG.cdus[sku]
    approaches = [capacity.approach_kelvin for capacity in cdu.capacities]
    capacities = [capacity.kw for capacity in cdu.capacities]
    assert approaches == sorted(set(approaches))
    assert capacities == sorted(set(capacities))
    assert cdu.pumps > cdu.pumps_needed, "N+1"
    hydraulic = cdu.liters_per_minute / LITERS_PER_MINUTE * cdu.pressure_kpa * 1000
    assert hydraulic < cdu.power_watts < 0.03 * capacities[-1] * 1000


@pytest.mark.parametrize(
    ("sku", "rise", "liters"), [("pg25", 10, 1.5), ("pg25", 12, 1.25), ("pg25", 14, 1.07), ("water", 10, 1.44)]
)
def test_coolants_give_the_published_flow_per_kilowatt(sku, rise, liters):
    coolant = CATALOG.coolants[sku]
    flow = 1000 / (coolant.density_kg_per_m3 * coolant.heat_capacity_j_per_kg_k * rise) * LITERS_PER_MINUTE
    assert flow == pytest.approx(liters, rel=0.02)


@of(CATALOG.crahs)
def test_air_handlers_move_the_air_their_capacity_needs(sku):
    crah = CATALOG.crahs[sku]
    assert crah.airflow_cfm / crah.kw == pytest.approx(160, rel=0.02)
    assert crah.fan_watts < 0.1 * crah.kw * 1000


@of(CATALOG.racks)
def test_a_rack_with_a_busbar_names_its_shelf(sku):
    rack = CATALOG.racks[sku]
    assert (rack.busbar_amps is None) == (rack.power_shelf is None)
    assert rack.power_shelf is None or rack.power_shelf in CATALOG.power_shelves


def test_shelves_are_33_kilowatts():
    assert {shelf.psus * shelf.watts_each for shelf in CATALOG.power_shelves.values()} == {33_000}


def test_ups_and_busways_are_plausible():
    assert all(0.9 < ups.efficiency < 1 for ups in CATALOG.ups.values())
    assert all(busway.phases == 3 for busway in CATALOG.busways.values())


def test_the_counts_of_llama_3_give_its_rates():
    rates = failure_rates.load()
    run = rates.run("llama3-405b")
    assert failure_rates.unplanned(run) == 419
    assert failure_rates.per_1000_node_days(run) == pytest.approx(rates.node_rate(run.name).failures_per_1000_node_days, rel=2e-3)  # fmt: skip
    assert failure_rates.per_accelerator_year(run, "accelerator") == pytest.approx(0.11, abs=0.002)
    memory = next(cause.count for cause in run.causes if cause.cause == "accelerator-memory")
    assert memory / failure_rates.accelerator_years(run) == pytest.approx(0.03, abs=0.001)
    assert {erratum.counts for erratum in rates.errata} == {148, failure_rates.unplanned(run, "accelerator")}
    for erratum in rates.errata:
        assert abs(erratum.counts / 419 - erratum.printed_share) > 0.05, "a share that agrees is no erratum"


def test_the_model_of_mean_times_follows_from_the_node_rate():
    rates = failure_rates.load()
    per_day = rates.node_rate("rsc-1").failures_per_1000_node_days / 1000
    for mean in rates.mean_times:
        modelled = 24 / (mean.accelerators / 8 * per_day)
        assert (mean.basis == "modelled") == (mean.hours == pytest.approx(modelled, rel=0.03))


def test_every_part_has_one_rate():
    parts = [rate.part for rate in failure_rates.load().parts]
    assert len(parts) == len(set(parts))
    assert failure_rates.load().per_year("psu") < 1
    with pytest.raises(KeyError):
        failure_rates.load().run("unheard-of")


def test_checkpoints_hold_the_bytes_of_every_parameter():
    reference = workloads.load()
    assert reference.bytes_per_parameter.total == 14
    for size in reference.checkpoints:
        assert size.gbytes == pytest.approx(size.parameters_billions * reference.bytes_per_parameter.total, rel=0.005)


@pytest.mark.parametrize(("profile", "rate"), [("unet3d", 3.18), ("resnet50", 0.205), ("cosmoflow", 0.808)])
def test_loaders_read_at_the_published_rate(profile, rate):
    loader = workloads.load().loader(profile)
    assert loader is not None
    assert loader.gbytes_per_s == pytest.approx(rate, rel=0.002)
    assert loader.accelerator in CATALOG.accelerators
    assert workloads.load().loader("unheard-of") is None


def test_storage_guidelines_read_twice_what_they_write():
    reference = storage_guidelines.load()
    best = reference.find("dgx-h100", "best", "scalable-unit", 4)
    assert best is not None
    assert (best.read_gbytes_per_s, best.write_gbytes_per_s) == (500, 250)
    assert reference.find("dgx-h100", "best", "scalable-unit", 5) is None
    assert all(
        1.9 < guideline.read_gbytes_per_s / guideline.write_gbytes_per_s < 2.2 for guideline in reference.guidelines
    )


@pytest.mark.parametrize(
    ("celsius", "name"), [(5, "W17"), (17, "W17"), (17.1, "W27"), (32, "W32"), (45, "W45"), (46, "W+")]
)
def test_water_has_a_class(celsius, name):
    assert water_classes.load().of(celsius).name == name


def test_pue_gets_better_with_the_years():
    surveys = [published.pue for published in water_classes.load().pues if published.name == "uptime-survey"]
    assert surveys == sorted(surveys, reverse=True) == [1.58, 1.56, 1.54]


def test_an_nvl72_rack_weighs_what_is_published():
    rack, tray = CATALOG.racks["rack-nvl72"], CATALOG.switches["nvlink5-switch-tray"]
    shelf = CATALOG.power_shelves[rack.power_shelf]
    assert rack.weight_kg + 18 * CATALOG.servers[
        "gb200-nvl72"
    ].weight_kg + 9 * tray.weight_kg + 8 * shelf.weight_kg == (pytest.approx(1360, abs=1))
    assert rack.max_weight_kg > 1360
