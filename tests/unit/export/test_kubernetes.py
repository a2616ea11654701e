from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from rackwright import export
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.export import ExportRequest
from rackwright.platform.labels import keys
from tests.unit.export.conftest import domains, expand, three_tiers


def export_files(design, **wish) -> dict[str, str]:
    return {file.name: file.text() for file in export.export(design, "kubernetes", ExportRequest(**wish))}


def nodes(text: str) -> dict[str, dict[str, str]]:
    documents = list(yaml.safe_load_all(text))
    assert {(document["apiVersion"], document["kind"]) for document in documents} == {("v1", "Node")}
    return {document["metadata"]["name"]: document["metadata"]["labels"] for document in documents}


def test_labels_of_three_tiers():
    result = nodes(export_files(three_tiers(), pools=("train",))["nodes.yaml"])
    assert len(result) == 128
    assert result["train-001"] == {
        "topology.kubernetes.io/region": "eu-north",
        "topology.kubernetes.io/zone": "h100-pod-hall-1",
        "fabric.topograph.run/tier-2": "compute-core-01",
        "fabric.topograph.run/tier-1": "compute-spine-01",
        "fabric.topograph.run/tier-0": "compute-leaf-01",
    }


def test_labels_of_domains_and_the_levels_of_kueue():
    files = export_files(domains())
    result = nodes(files["nodes.yaml"])
    assert list(result) == [f"gb-{n:03d}" for n in range(1, 21)]
    assert result["gb-018"]["accelerator.topograph.run/domain"] == "gb-r01"
    assert result["gb-019"]["accelerator.topograph.run/domain"] == "gb-r02"
    topology = yaml_text.load(files["topology.yaml"])
    assert (topology["apiVersion"], topology["kind"]) == ("kueue.x-k8s.io/v1beta2", "Topology")
    levels = [level["nodeLabel"] for level in topology["spec"]["levels"]]
    assert levels[0] == "topology.kubernetes.io/zone"
    assert levels[-2:] == ["accelerator.topograph.run/domain", "kubernetes.io/hostname"]
    assert len(levels) == len(set(levels)) <= 16


def test_every_level_of_kueue_is_a_label_of_every_node():
    for design, pools in ((domains(), ()), (three_tiers(), ("train",))):
        files = export_files(design, pools=pools)
        levels = [level["nodeLabel"] for level in yaml_text.load(files["topology.yaml"])["spec"]["levels"]]
        for labels in nodes(files["nodes.yaml"]).values():
            assert set(levels) - set(labels) == {"kubernetes.io/hostname"}


@pytest.mark.parametrize("scheme", list(keys()["schemes"]))
def test_schemes(example, scheme):
    files = export_files(example, pools=("train",), labels=scheme)
    fabric = keys()["schemes"][scheme]["fabric"]
    labels = nodes(files["nodes.yaml"])["train-031"]
    assert labels[fabric[0]] == "compute-leaf-01"
    assert labels[fabric[1]] == "compute-spine-01"
    assert fabric[2] not in labels


def test_what_is_not_there(example):
    with pytest.raises(
        UsageError, match="no pool of h100-pod has scheduler kubernetes; name one with --pool \\(train\\)"
    ):
        export_files(example)
    with pytest.raises(UsageError, match="give one of topograph-1"):
        export_files(example, pools=("train",), labels="topograph-9")


def test_a_value_that_is_too_long_is_refused():
    def change(data):
        data["site"] = data["facility"]["halls"][0]["name"] = "a" * 31

    made_ok = expand(change)
    assert export_files(made_ok, pools=("train",))
    racks = made_ok.racks.with_columns(hall=made_ok.racks["hall"] + "-" * 3 + "b")
    with pytest.raises(ProblemsError, match="at most 63 characters"):
        export_files(replace(made_ok, racks=racks), pools=("train",))
