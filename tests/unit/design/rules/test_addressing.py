"""Numbers and networks of fabrics: apart, valid and private."""

from __future__ import annotations

import pytest

from rackwright.design import rules
from rackwright.model.verdict import Outcome


def verdicts(design, rule):
    return {verdict.target: verdict for verdict in rules.run_rules(design) if verdict.check == f"design.{rule}"}


def numbered(expanded, **fabrics):
    def change(data):
        data["fabrics"][0].update(transport="roce", switch="sn5600", subnet="10.80.0.0/16")
        for entry in data["fabrics"]:
            entry.update(fabrics.get(entry["name"], {}))

    return verdicts(expanded(change), "segment_numbers")


def test_numbers_apart_pass(expanded):
    result = numbered(expanded, compute={"vlan": 100, "vni": 5000}, inband={"vlan": 108})
    assert {entry.outcome for entry in result.values()} == {Outcome.PASS}
    assert set(result) == {"compute vlan", "compute vni", "inband vlan"}


@pytest.mark.parametrize(
    ("compute", "inband", "words"),
    [(4090, 10, "4090 to 4097 for 8 networks"), (100, 107, "of which inband has 107 too")],
)
def test_vlans_that_run_out_or_meet(expanded, compute, inband, words):
    verdict = numbered(expanded, compute={"vlan": compute}, inband={"vlan": inband})["compute vlan"]
    assert verdict.outcome is Outcome.FAIL
    assert words in verdict.says
    assert verdict.next_step


@pytest.mark.parametrize(("subnet", "outcome"), [("8.8.0.0/16", Outcome.DEGRADED), ("172.16.0.0/22", Outcome.PASS)])
def test_public_addresses_are_told(expanded, subnet, outcome):
    design = expanded(lambda data: data["fabrics"][2].update(subnet=subnet))
    verdict = verdicts(design, "private_addresses")["inband subnet"]
    assert verdict.outcome is outcome
    assert (outcome is Outcome.PASS) == (verdict.next_step == "")


def test_public_addresses_of_version_6(expanded):
    design = expanded(lambda data: data["fabrics"][2].update(subnet6="2001:db8::/64"))
    assert verdicts(design, "private_addresses")["inband subnet6"].outcome is Outcome.DEGRADED
