from __future__ import annotations

import json

from rackwright import export
from rackwright.export import ExportRequest


def export_graph(design, **wish):
    (file,) = export.export(design, "graph", ExportRequest(**wish))
    return json.loads(file.text())


def test_every_cable_once_with_both_ends(any_design):
    result = export_graph(any_design)
    ids = [node["id"] for node in result["nodes"]]
    assert len(ids) == len(set(ids)) == any_design.devices.height
    keys = [link["key"] for link in result["links"]]
    assert len(keys) == len(set(keys)) == any_design.cables.height
    assert {link[end] for link in result["links"] for end in ("source", "target")} <= set(ids)
    assert all(link["source_number"] and link["target_number"] and link["gbps"] for link in result["links"])


def test_nodes_say_where_they_are(example):
    result = {node["id"]: node for node in export_graph(example)["nodes"]}
    node = result["train-001"]
    assert (node["tier"], node["rack"], node["unit"], node["hall"], node["row"]) == (
        "host",
        "train-r01",
        1,
        "hall-1",
        1,
    )
    assert (node["leaf_group"], node["spine_group"], node["core_group"]) == (
        "compute-leaf-01",
        "compute-spine-01",
        None,
    )
    assert result["compute-spine-01"]["tier"] == "spine"


def test_links_have_ports_rate_and_length(example):
    link = next(entry for entry in export_graph(example)["links"] if entry["key"] == "train-001:mlx5_0")
    assert (link["source_port"], link["target"], link["target_port"]) == ("mlx5_0", "compute-leaf-01", "1")
    assert (link["gbps"], link["fabric"], link["kind"], link["rail"]) == (400, "compute", "node_leaf", 0)
    assert link["length_meters"] >= link["routed_meters"]


def test_one_fabric(example):
    result = export_graph(example, fabric="storage")
    assert {link["fabric"] for link in result["links"]} == {"storage"}
    assert {node["id"] for node in result["nodes"] if node["tier"] == "leaf"} == {"storage-leaf-01", "storage-leaf-02"}
    assert "slurm-01" not in {node["id"] for node in result["nodes"]}
