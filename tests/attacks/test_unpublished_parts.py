"""Parts that sites ask for and nobody publishes: `check` and `catalog show` say why they cannot be planned, and what to do."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright.catalog import unpublished
from rackwright.catalog.datafile import read_record
from rackwright.cli.main import main
from tests.attacks.conftest import Refusal


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
    assert "state it as a storage tier with the rates that were measured" in printed


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

    assert [sku for sku in catalog.load().skus() if unpublished.unpublished_thing(sku)] == []
    things = read_record("unpublished", unpublished.UnpublishedThings).things
    assert all(thing.why and thing.next_step for thing in things)
