"""A site with Slingshot adapters, which no example site has: its requests, its verdicts, and the checks that a fault turns red."""

from pathlib import Path

import pytest
import yaml

from rackwright import catalog, design, spec
from rackwright.base import yaml_text
from rackwright.collect import collector
from rackwright.collect.plan import owes_record
from rackwright.model.verdict import Outcome
from rackwright.twin import faults
from rackwright.twin.campaign import Scene, Stage, play

ROOT = Path(__file__).parents[3]
PORTS = {"role": "compute", "count": 8, "gbps": 200, "names": [f"hsn{n}" for n in range(8)], "adapter": "Slingshot 200"}
TAKEN = "2026-11-22T09:00:00+00:00"


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    """The MI300X site with a Slingshot fabric for its accelerators."""
    site = yaml_text.load((ROOT / "inventories/mi300x-pod/site.yaml").read_text())
    server = yaml_text.load((ROOT / "rackwright/catalog/servers/mi300x-8u.yaml").read_text())
    groups = [PORTS, *(group for group in server["ports"] if group["role"] != "compute")]
    site["catalog"] = [*site.get("catalog", []), server | {"sku": "mi300x-slingshot", "ports": groups}]
    site["pools"][0]["server"] = "mi300x-slingshot"
    [fabric] = [entry for entry in site["fabrics"] if entry["role"] == "compute"]
    fabric |= {"transport": "ethernet", "switch": "hpe-slingshot-64x200"}
    fabric.pop("ports_face", None)
    path = tmp_path_factory.mktemp("slingshot") / "site.yaml"
    path.write_text(yaml.safe_dump(site))
    loaded = spec.load(path)
    return design.expand(loaded.site, loaded.catalog)


def verdicts(plan, *injected):
    nodes = tuple(node.name for node in plan.nodes("accelerator"))
    return {
        (verdict.target, verdict.check): verdict for verdict in play(Stage(plan, nodes, TAKEN), Scene("x", injected))
    }


def test_only_nodes_with_slingshot_adapters_are_asked(plan):
    collectors = collector.library()
    node = plan.nodes("accelerator")[0]
    assert owes_record(node, collectors["cxi"])
    assert not owes_record(node, collectors["link"])
    without = spec.load(ROOT / "inventories/mi300x-pod/site.yaml")
    node = design.expand(without.site, without.catalog).nodes("accelerator")[0]
    assert not owes_record(node, collectors["cxi"])
    assert owes_record(node, collectors["link"])


def test_adapters_are_on_the_bill(plan):
    assert catalog.load().nics["slingshot-200"].gbps == 200
    [line] = [row for row in plan.bill.iter_rows(named=True) if row["sku"] == "slingshot-200"]
    assert line["quantity"] == 16 * 8


def test_a_healthy_site_passes(plan):
    assert not [(key, verdict.says) for key, verdict in verdicts(plan).items()]


def test_bit_errors_are_found_on_the_port(plan):
    [injected] = faults.assign_nodes(["link-bit-errors"], [node.name for node in plan.nodes("accelerator")])
    red = verdicts(plan, injected)
    verdict = red[injected.nodes[0], "link.ber"]
    assert verdict.outcome is Outcome.FAIL
    assert "hsn" in verdict.says
    assert set(red) == {(injected.nodes[0], "link.ber")}
