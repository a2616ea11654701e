"""Whatever site expands: each cable once with both ends, no name twice, the same files again."""

from __future__ import annotations

import json
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from rackwright import export
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.export import TARGETS, ExportRequest
from rackwright.model.design import Design
from tests.examples import examples
from tests.unit.export.conftest import Data, expand
from tests.unit.export.test_infiniband import ends
from tests.unit.export.test_netbox import rows, texts
from tests.unit.export.test_slurm import switches

SITES = {
    "count": st.integers(1, 70),
    "per_rack": st.integers(1, 4),
    "unit": st.sampled_from([8, 24, 32]),
    "planes": st.sampled_from([1, 2]),
    "pdu": st.booleans(),
}


def site(count: int, per_rack: int, unit: int, planes: int, pdu: bool) -> Design | None:
    def change(data: Data) -> None:
        data["pools"][0].update(count=count, servers_per_rack=per_rack, scalable_unit=unit)
        data["fabrics"][0].update(planes=planes, topology="fat-tree")
        if not pdu:
            data["facility"]["power"].pop("rack_pdu", None)
        del data["control"]["ufm"]

    try:
        return expand(change)
    except ProblemsError:
        return None


@given(**SITES)
@examples(15, dear=True)
def test_each_cable_once_with_both_ends(count, per_rack, unit, planes, pdu):
    design = site(count, per_rack, unit, planes, pdu)
    if design is None:
        return
    graph = json.loads(export.export(design, "graph", ExportRequest())[0].text())
    names = {node["id"] for node in graph["nodes"]}
    assert len(graph["links"]) == len({link["key"] for link in graph["links"]}) == design.cables.height
    assert {link[end] for link in graph["links"] for end in ("source", "target")} <= names
    nets = [ends(file.text()) for file in export.export(design, "ibsim", ExportRequest())]
    assert all(net[far] == near for net in nets for near, far in net.items())
    files = texts(design)
    devices = [row["name"] for row in rows(files["devices"])]
    assert len(devices) == len(set(devices))
    cables = rows(files["cables"]) + rows(files["power-cables"])
    assert len({row["label"] for row in cables}) == len(cables)
    assert {row[f"side_{end}_device"] for row in cables for end in "ab"} - {""} <= set(devices)
    tree = switches(export.export(design, "slurm", ExportRequest())[0].text())
    below = [name for _, inside in tree.values() for name in inside]
    assert len(below) == len(set(below))
    assert {name for name in below if name not in tree} == set(
        design.node_table.filter(design.node_table["scheduler"] == "slurm")["node"]
    )


@given(**SITES)
@examples(5, dear=True)
def test_the_same_site_gives_the_same_files(count, per_rack, unit, planes, pdu):
    before, after = site(count, per_rack, unit, planes, pdu), site(count, per_rack, unit, planes, pdu)
    if before is None or after is None:
        return
    for target in TARGETS:
        wish = ExportRequest(pools=("train",) if target == "kubernetes" else ())
        assert exported(before, target, wish) == exported(after, target, wish)


def exported(design, target: str, wish: ExportRequest) -> list[tuple[str, bytes]] | str:
    """Name and content of every file, or why there are none: switches of these sites are not all routed, and no system is installed."""
    try:
        return [(file.name, content(file)) for file in export.export(design, target, wish)]
    except (ProblemsError, UsageError) as error:
        assert target in ("switches", "install")
        return str(error)


def content(file: export.ExportFile) -> bytes:
    """A workbook is no text."""
    stream = BytesIO()
    file.write(stream)
    return stream.getvalue()
