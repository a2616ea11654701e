"""Parts that sites ask for and nobody publishes: `check` and `catalog show` say why they cannot be planned, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.catalog import unpublished
from rackwright.catalog.datafile import read_record
from rackwright.cli.main import main
from rackwright.report import sheets
from tests.attacks.conftest import Refusal
from tests.build import EXAMPLE


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ("x600g40", "no data sheet, manual or record of a server of that name is public"),
        ("inspur-nf5688m7-br100", "a variant with Biren modules"),
        ("br100-edge", "BR100 is sold as an OAM module of 550 W"),
        ("vera-rubin-nvl72", "rubin is announced, and no driver for it is published"),
        ("ct5p-hightpu-4t", "is an instance of a cloud and no server"),
    ],
)
def test_a_server_that_cannot_be_planned_is_refused_with_the_reason(refusal: Refusal, server: str, words: str) -> None:
    printed = refusal(lambda data: data["pools"][0].update(server=server))
    assert words in printed
    assert "pools[0].server: " in printed
    assert "next:" in printed
    assert "Traceback" not in printed


def test_a_pool_of_memory_behind_cxl_is_refused_as_fabric_and_as_storage(refusal: Refusal) -> None:
    printed = refusal(lambda data: data["fabrics"][1].update(transport="cxl"))
    assert "fabrics[1].transport: pools of memory behind CXL cannot be planned" in printed
    assert "declare the boxes under unmanaged (falcon-c5022, samsung-cmm-b)" in printed


FALCON = {"name": "cxl", "device": "falcon-c5022", "count": 2}
FIGURES = {"weight_kg": 40, "peak_watts": 1800, "psus": {"count": 2, "watts_each": 2000, "needed": 1}}


def test_unmanaged_devices_need_the_figures_that_nobody_publishes(refusal: Refusal) -> None:
    others = [
        {"name": "scratch", "device": "hcia-200", "count": 1},
        {"name": "third", "device": "falcon-c5023", "count": 1},
    ]
    printed = refusal(lambda data: data.update(unmanaged=[FALCON, {**FALCON, **FIGURES, "name": "more"}, *others]))
    assert "unmanaged[0].peak_watts: peak_watts of falcon-c5022 is not published" in printed
    assert "unmanaged[1].weight_kg: falcon-c5022 has two values" in printed
    assert "unmanaged[2].rack_units: rack_units of hcia-200 is not published" in printed
    assert "unmanaged[2].name: this name is taken" in printed
    assert "unmanaged[3].device: the catalog has no device falcon-c5023" in printed


def test_unmanaged_devices_are_placed_powered_and_bought_and_check_says_what_is_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = yaml_text.load(EXAMPLE.read_text(encoding="utf-8"))
    data["unmanaged"] = [{**FALCON, **FIGURES}]
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert (
        "  not judged: cxl, 2 x falcon-c5022, has its place, power, heat and lines of the bill"
        in capsys.readouterr().out
    )
    loaded = spec.load(file)
    plan = design.expand(loaded.site, loaded.catalog)
    devices = plan.devices.filter(role="unmanaged")
    assert devices.select("device", "rack", "unit", "rack_units", "peak_watts").rows() == [
        ("cxl-001", "cxl-r01", 1, 3, 1800),
        ("cxl-002", "cxl-r01", 4, 3, 1800),
    ]
    assert plan.psus.filter(device="cxl-001").height == 2
    assert plan.racks.filter(rack="cxl-r01")["weight_kg"].to_list() == [80.0]
    assert plan.bill.filter(sku="falcon-c5022")["quantity"].to_list() == [2]
    assert "cxl-001" not in plan.node_table["node"].to_list()
    assert "cxl-001" in "".join(
        sheet.svg for sheet in sheets.sheets(plan, sheets.DrawingSelection(kinds=("racks",), rack="cxl-r01"))
    )


@pytest.mark.parametrize(
    ("adapter", "words"), [("HCIA-200", "no driver, no PCI id"), ("Acme 400", "no node could ever join")]
)
def test_an_adapter_that_cannot_be_found_on_the_bus_is_refused(refusal: Refusal, adapter: str, words: str) -> None:
    def change(data: dict[str, Any]) -> None:
        from rackwright import catalog

        server = catalog.load().servers["dgx-h100"].model_dump(mode="json", exclude_unset=True)
        for group in server["ports"]:
            group["adapter"] = adapter if group["role"] == "compute" else group["adapter"]
        data["catalog"] = [server | {"sku": "own-h100"}]
        data["pools"][0]["server"] = "own-h100"

    printed = refusal(change)
    assert f"the PCI ids of adapter {adapter} of own-h100 are not known" in printed
    assert words in printed


def test_catalog_show_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "show", "X600G40"]) == 1
    assert "no data sheet, manual or record" in capsys.readouterr().err


def test_catalog_list_marks_what_is_announced_and_names_what_nobody_publishes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["catalog", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in lines if " announced " in line} == {"rubin", "vera-rubin-nvl72"}
    assert [line for line in lines if line.startswith("unpublished: X600G40: no data sheet")]


def test_nothing_of_the_catalog_is_on_the_list_of_what_is_not_published() -> None:
    from rackwright import catalog

    parts = catalog.load()
    assert [sku for sku in parts.skus() if unpublished.unpublished_thing(sku) and sku not in parts.devices] == []
    things = read_record("unpublished", unpublished.UnpublishedThings).things
    assert all(thing.why and thing.next_step for thing in things)
