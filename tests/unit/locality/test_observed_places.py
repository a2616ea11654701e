"""What observers say of where nodes are, held against the design; the files are those that rackwright itself writes, and those of others."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import polars as pl
import pytest
import yaml

from rackwright import catalog, design, export
from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.export import ExportRequest
from rackwright.locality.observed_places import PlaceDifference, differences, from_topology_conf
from rackwright.model.site import Site

ROOT = Path(__file__).parents[3]
SITE = ROOT / "inventories" / "mixed-pod" / "site.yaml"
TIER, RACK = "fabric.topograph.run/tier-0", "rackwright.io/rack"
Labels = dict[str, dict[str, str]]


@cache
def written(target: str) -> dict[str, str]:
    """Files of the export of the example."""
    data = yaml_text.load(SITE.read_text())
    expanded = design.expand(Site.model_validate(data), catalog.load())
    files = export.export(expanded, target, ExportRequest(resources={"mi300x": "amd.com/gpu"}))
    return {file.name: file.text() for file in files}


def labels() -> Labels:
    """As the nodes of a cluster carry them when nothing is wrong."""
    nodes = [entry for entry in yaml.safe_load_all(written("kubernetes")["nodes.yaml"]) if entry]
    return {entry["metadata"]["name"]: dict(entry["metadata"]["labels"]) for entry in nodes}


def kubectl(labelled: Labels) -> str:
    """The answer of ``kubectl get nodes --output=json``."""
    items = [{"kind": "Node", "metadata": {"name": name, "labels": pairs}} for name, pairs in labelled.items()]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


@pytest.fixture
def compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], tuple[int, str]]:
    """Exit status and output of the verb for the text of an observer."""

    def run(text: str) -> tuple[int, str]:
        (tmp_path / "observed").write_text(text)
        code = main(["compare", str(SITE), str(tmp_path / "observed")])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


def test_labels_as_they_are_exported_agree(compare):
    code, text = compare(kubectl(labels()))
    assert code == 0, text
    assert "They stand together as site mixed-pod declares." in text
    assert TIER in text


def test_names_of_switches_that_an_observer_takes_do_not_matter(compare):
    names = {}
    for pairs in (renamed := labels()).values():
        pairs[TIER] = names.setdefault(pairs[TIER], f"S-{len(names):016x}")
    assert compare(kubectl(renamed))[0] == 0


def test_a_node_in_another_rack_is_named_with_its_neighbours(compare):
    moved = labels()
    first, *_, last = moved
    assert moved[first][RACK] != moved[last][RACK]
    declared, moved[first][RACK] = moved[first][RACK], moved[last][RACK]
    code, text = compare(kubectl(moved))
    assert code == 1
    assert (
        f"  {RACK}: {first}: declared in {declared}, and in {moved[last][RACK]} with nodes of {moved[last][RACK]}"
        in text
    )


def test_a_group_that_falls_apart_and_a_node_without_a_label_are_named(compare):
    changed = labels()
    first, second, *_ = changed
    group = changed[first][TIER]
    changed[first][TIER] = "alone"
    del changed[second][TIER]
    code, text = compare(kubectl(changed))
    assert code == 1
    assert f"{first}: declared in {group}, and in alone, apart from most others of it" in text
    assert f"{second}: declared in {group}, and in no group" in text


def test_nodes_that_the_site_does_not_have_are_named(compare):
    changed = labels()
    changed |= {"guest-1": {TIER: "x"}, "guest-2": {TIER: "x"}, "control-1": {"kubernetes.io/hostname": "control-1"}}
    code, text = compare(kubectl(changed))
    assert code == 1
    assert "  not in the site: guest-[1-2]" in text


def test_nodes_without_any_label_of_a_place_are_no_agreement(compare):
    code, text = compare(kubectl({name: {} for name in labels()}))
    assert code == 1
    assert "says nothing of where the nodes of mixed-pod are" in text


def test_a_tree_of_slurm_as_it_is_exported_agrees(compare):
    code, text = compare(written("slurm")["topology.conf"])
    assert code == 0, text
    assert "by leaf switches" in text


def test_a_tree_of_slurm_is_read_by_tiers():
    tree = "SwitchName=top Switches=l[1-2]\nSwitchName=l1 LinkSpeed=1 Nodes=n[1-2],n5\nSwitchName=l2 Nodes=n[3-4]\n"
    leaf, spine = from_topology_conf(tree)
    assert (leaf.column, leaf.of["n5"], spine.column, set(spine.of.values())) == ("leaf", "l1", "spine", {"top"})
    places = pl.DataFrame(
        {"node": [f"n{i}" for i in range(1, 6)], "leaf": ["a", "a", "b", "b", "b"], "spine": ["s"] * 5}
    )
    (moved,) = differences(places, leaf)
    assert moved == PlaceDifference("leaf switches", "b", ("n5",), "l1", "a")
    assert list(differences(places, spine)) == []


def test_blocks_are_domains():
    (blocks,) = from_topology_conf(
        "BlockName=b1 Nodes=n[1-2]\n# BlockName=b3 Nodes=n9\nBlockName=b2 Nodes=n3\nBlockSizes=1\n"
    )
    assert (blocks.column, blocks.of) == ("domain", {"n1": "b1", "n2": "b1", "n3": "b2"})
