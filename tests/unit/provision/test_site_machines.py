"""What a stack takes of the stacks of machines that it builds on."""

from __future__ import annotations

from rackwright.provision.components.site_machines import missing_and_different, of_other_sites

UNITS = {
    "organization/rackwright-site/pod-su1": {
        "site": "pod",
        "nodes": {"a": "10.0.0.1"},
        "mismatches": {"a": ["no GPU 7"]},
    },
    "organization/rackwright-site/pod-su2": {"site": "pod", "nodes": {"b": "10.0.0.2"}, "mismatches": {}},
    "organization/rackwright-site/previewed": {},
}


def test_the_stacks_of_all_units_count() -> None:
    assert missing_and_different(UNITS, ["a", "b", "c"]) == {"differ": {"a": ["no GPU 7"]}, "missing": ["c"]}
    assert missing_and_different(UNITS, ["b"]) == {"differ": {}, "missing": []}


def test_a_stack_of_another_site_is_named() -> None:
    assert list(of_other_sites(UNITS, "pod")) == []
    assert list(of_other_sites(UNITS, "hall")) == [
        f"rackwright:site_stacks: organization/rackwright-site/pod-su{unit} has the machines of site pod, expected hall: "
        "name the stacks of this site (`pulumi stack ls --all`)"
        for unit in (1, 2)
    ]
