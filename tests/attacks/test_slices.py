"""Rented slices of TPUs: designed and exported, refused where their cloud has none, and never a pool whose nodes would be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.cli.main import main
from tests.attacks.conftest import Refusal
from tests.build import EXAMPLE

POD = {"name": "tpu", "instance": "ct5p-hightpu-4t", "topology": "4x4x4", "count": 2, "zone": "us-east5-a"}
SERVE = {"name": "serve-tpu", "instance": "ct6e-standard-8t", "topology": "2x4", "count": 4, "zone": "us-east5-b"}


def test_slices_are_designed_and_exported_and_check_says_why_none_of_their_nodes_is_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = yaml_text.load(EXAMPLE.read_text(encoding="utf-8")) | {"slices": [POD, SERVE]}
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert (
        "  not judged: tpu, 2 x 4x4x4 of ct5p-hightpu-4t in us-east5-a, is designed and exported"
        in capsys.readouterr().out
    )
    loaded = spec.load(file)
    plan = design.expand(loaded.site, loaded.catalog)
    rows = {row["name"]: (row["hosts_per_slice"], row["chips"], row["memory_gib"]) for row in plan.studies["slices"]}
    assert rows == {"tpu": (16, 128, 128 * 95), "serve-tpu": (1, 32, 32 * 32)}
    assert plan.totals["nodes"] == 31, "what is rented stands in no rack and is no node of the site"
    assert main(["design", str(file)]) == 0
    assert "us-east5-a      4x4x4           2     32     128" in capsys.readouterr().out
    assert main(["export", str(file), "--to", "kubernetes", "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "slices.yaml").read_text(encoding="utf-8")
    assert "#   tpu-2: machine type ct5p-hightpu-4t, topology 4x4x4, 16 nodes, zone us-east5-a" in text
    topology, flavor, _, queue = yaml.safe_load_all(text)
    assert topology["spec"]["levels"][0] == {"nodeLabel": "cloud.google.com/gke-nodepool"}
    assert flavor["spec"]["nodeLabels"] == {
        "cloud.google.com/gke-tpu-accelerator": "tpu-v5p-slice",
        "cloud.google.com/gke-tpu-topology": "4x4x4",
    }
    [group] = queue["spec"]["resourceGroups"]
    assert [entry["resources"][0]["nominalQuota"] for entry in group["flavors"]] == ["128", "32"]


def test_slices_that_their_cloud_does_not_have_are_refused(refusal: Refusal) -> None:
    wrong = [
        POD | {"topology": "4x4x5", "zone": "us-east5-z"},
        POD | {"instance": "p5.48xlarge"},
        POD | {"name": "train", "instance": "tpu-v7"},
    ]
    printed = refusal(lambda data: data.update(slices=wrong))
    assert "slices[0].topology: ct5p-hightpu-4t makes no slices of this shape" in printed
    assert "slices[0].zone: ct5p-hightpu-4t is not offered in this zone" in printed
    assert "slices[1].name: the name tpu stands twice" in printed
    assert "slices[1].instance: p5.48xlarge makes no slices" in printed
    assert "slices[2].name: a pool has this name" in printed
    assert "slices[2].instance: tpu-v7 is not an instance" in printed


def test_a_pool_of_slices_is_refused_with_the_reason_and_sized_as_slices(
    refusal: Refusal, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = refusal(lambda data: data["pools"][0].update(server="tpu7x-standard-4t"))
    assert "no node of it could be accepted: Google makes, upgrades and replaces the hosts of a slice" in printed
    assert "declare it under slices ({name: tpu, instance: tpu7x-standard-4t" in printed
    words = ["size", "--server", "ct5p-hightpu-4t", "--fabric", "ndr-rail", "--accelerators"]
    assert main([*words, "48"]) == 2
    assert "topology: 4x4x4, count: 1, zone: ZONE}] with us-central1-a or us-east5-a" in capsys.readouterr().err
    assert main([*words, "20000"]) == 2
    assert "topology: 16x16x24, count: 4" in capsys.readouterr().err
