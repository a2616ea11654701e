"""What a fabric keeps after the loss of a switch, rack, row or hall; and that switches are put apart where it must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright.design.rules.cooling import rack_density
from rackwright.design.rules.fabric import control_spread, failure_domain
from rackwright.model.site import Site
from rackwright.model.verdict import Outcome
from rackwright.spec.crosscheck import topologies


def with_survive(*losses: dict[str, int] | None, **building: int) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data["facility"]["halls"][0].update(building)
        for fabric, loss in zip(data["fabrics"], losses, strict=False):
            fabric.pop("survive", None)
            if loss is not None:
                fabric["survive"] = loss

    return change


def racks(design, fabric, role):
    rows = design.devices.join(design.racks.select("rack", "row"), on="rack")
    mine = rows.filter((rows["fabric"] == fabric) & (rows["role"] == role))
    return mine["rack"].n_unique(), mine["row"].n_unique()


def test_a_rack_that_takes_all_is_advised_of_and_refused_where_it_is_declared(plain):
    """The 8 leaves and 4 spines of 31 nodes stand in one rack: its loss leaves nothing."""
    undeclared = dict(failure_domain.judge(plain(with_survive(None))))
    assert undeclared["compute rack"].outcome is Outcome.DEGRADED
    assert "31 nodes elsewhere lose every link" in undeclared["compute rack"].says
    assert undeclared["compute switch"].outcome is Outcome.PASS
    apart = plain(with_survive({"switches": 1, "racks": 1}, {"racks": 1}))
    assert racks(apart, "compute", "leaf")[0] == racks(apart, "compute", "spine")[0] == 2
    declared = dict(failure_domain.judge(apart))
    assert {finding.outcome for target, finding in declared.items() if target.startswith(("compute", "storage"))} == {
        Outcome.PASS
    }
    managers = apart.devices.filter(apart.devices["role"] == "ufm")
    assert managers["rack"].n_unique() == managers.height == 2


def test_rows_are_apart_where_it_is_declared(plain):
    design = plain(with_survive({"rows": 1}, rows=2, racks_per_row=12))
    assert racks(design, "compute", "leaf")[1] == 2
    assert dict(failure_domain.judge(design))["compute row"].outcome is Outcome.PASS


def test_two_switches_of_a_role_that_nobody_spread_fail(plain):
    """BMC switches have no switch above them: the loss of the only one takes every BMC."""
    design = plain(with_survive(None, None, None, {"switches": 1}))
    finding = dict(failure_domain.judge(design))["oob switch"]
    assert finding.outcome is Outcome.FAIL
    assert "survive.switches" in finding.next_step


@pytest.mark.parametrize("kind", ["halls", "rows"])
def test_the_only_hall_cannot_be_survived(data, parts_catalog, kind):
    with_survive({kind: 1}, rows=1)(data)
    (problem,) = topologies.check(Site.model_validate(data), parts_catalog)
    assert problem.path == f"fabrics[0].survive.{kind}"
    assert "the only" in problem.message


def test_racks_of_switches_are_filled_up_to_the_air_of_a_place(plain):
    """DGX racks of 40.8 kW are more than 20 kW, racks of switches are not: these were filled no further."""
    design = plain(lambda data: data["facility"]["halls"][0].update(air_kw_per_rack=20))
    switches = design.racks.filter(design.racks["kind"] == "fabric")
    assert switches["air_watts"].max() <= 20_000 < design.racks["air_watts"].max()
    finding = dict(rack_density.judge(design))["hall-1"]
    assert finding.outcome is Outcome.FAIL
    assert "racks above the limit" in finding.says


def test_a_feed_that_takes_all_is_advised_of_and_refused_where_it_is_declared(plain):
    """Two feeds leave a DGX H100 three supplies of the four that it needs; three feeds leave four."""

    def two_feeds(losses):
        def change(data):
            with_survive(losses)(data)
            data["facility"]["power"].update(feeds=["A", "B"], survive={"feeds": 0})

        return plain(change)

    undeclared = dict(failure_domain.judge(two_feeds(None)))["compute feed"]
    assert undeclared.outcome is Outcome.DEGRADED
    assert "0.0% of the bisection is left" in undeclared.says
    assert "facility.power.survive.feeds: 1" in undeclared.next_step
    assert dict(failure_domain.judge(two_feeds({"feeds": 1})))["compute feed"].outcome is Outcome.FAIL
    assert "compute feed" not in dict(failure_domain.judge(two_feeds({})))


def test_a_feed_of_three_takes_nothing(plain):
    verdict = dict(failure_domain.judge(plain(with_survive({"feeds": 1}))))["compute feed"]
    assert verdict.outcome is Outcome.PASS
    assert "100.0% of the bisection is left" in verdict.says


def test_two_racks_may_be_lost_where_switches_stand_in_three_sets(plain):
    design = plain(with_survive({"switches": 2, "racks": 2}, rows=3))
    assert racks(design, "compute", "leaf")[0] == racks(design, "compute", "spine")[0] == 3
    verdicts = dict(failure_domain.judge(design))
    assert {verdicts[f"compute {kind}"].outcome for kind in ("switch", "rack")} == {Outcome.PASS}
    assert verdicts["compute rack"].says.count(" and ") > 1
    managers = design.devices.filter(design.devices["role"] == "ufm")
    assert managers["rack"].n_unique() == 2


def test_two_losses_cut_off_what_one_does_not(plain):
    """The two switches of the in-band network: nodes keep a link without one of them, and none without both."""
    single = dict(failure_domain.judge(plain(with_survive(None, None, {"switches": 1}))))["inband switch"]
    assert single.outcome is Outcome.PASS
    both = dict(failure_domain.judge(plain(with_survive(None, None, {"switches": 2}))))["inband switch"]
    assert both.outcome is Outcome.FAIL
    assert "every link" in both.says


@pytest.mark.parametrize(("kind", "count"), [("feeds", 1), ("cdus", 0)])
def test_the_only_feed_and_a_missing_cdu_cannot_be_survived(data, parts_catalog, kind, count):
    data["facility"]["power"]["feeds"] = ["A"]
    with_survive({kind: 1})(data)
    (problem,) = topologies.check(Site.model_validate(data), parts_catalog)
    assert (problem.path, problem.found.split()[0]) == (f"fabrics[0].survive.{kind}", str(count))


def test_subnet_managers_in_one_rack_are_advised_of(plain):
    undeclared = dict(control_spread.judge(plain(with_survive(None, None))))["subnet managers rack"]
    assert undeclared.outcome is Outcome.DEGRADED
    assert "ufm-01 and ufm-02 stand in rack site-r01 alone" in undeclared.says
    apart = dict(control_spread.judge(plain(with_survive({"racks": 1}, None))))["subnet managers rack"]
    assert apart.outcome is Outcome.PASS
    assert dict(control_spread.judge(plain(with_survive({}, {})))) == {}
