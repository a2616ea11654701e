import json
from dataclasses import replace

import pytest

from rackwright import catalog
from rackwright.base.errors import OutsideError
from rackwright.twin import hardware
from rackwright.twin.hardware import ids, state, wires
from tests.build import site_design

PUBLISHED = {path.stem for path in ids.FOLDER.glob("*.yaml")}
"""Vendors whose accelerators the twin shows."""


@pytest.fixture(scope="module")
def machine() -> state.TwinMachine:
    return state.build(site_design(), ["train-001"]).machines["train-001"]


def of_vendor(machine: state.TwinMachine, vendor: str, product: str) -> state.TwinMachine:
    gpus = tuple(replace(gpu, vendor=vendor, product_name=product, nvlinks=()) for gpu in machine.gpus)
    return replace(machine, gpus=gpus)


def test_accelerators_of_another_vendor_are_told_to_its_tools(machine: state.TwinMachine) -> None:
    document = json.loads(hardware.render(of_vendor(machine, "amd", "AMD Instinct MI300X")))
    assert (document["vendor"], document["module"], document["count"]) == ("amd", "amdgpu", 8)
    first = document["accelerators"][0]
    assert (first["pci_vendor"], first["pci_device"], first["bus_id"]) == ("1002", "74a1", "0000:1b:00.0")
    assert first["memory_mib"] == 81559


def test_one_that_fell_off_the_bus_is_missing_and_counted(machine: state.TwinMachine) -> None:
    gone = replace(machine, gpus=(replace(machine.gpus[0], present=False), *machine.gpus[1:]))
    document = json.loads(hardware.render(gone))
    assert document["count"] == 8
    assert [accelerator["index"] for accelerator in document["accelerators"]] == list(range(7))
    assert document["accelerators"][0]["serial"] == machine.gpus[1].serial


def test_an_uncorrectable_error_is_not_healthy(machine: state.TwinMachine) -> None:
    bad = replace(machine, gpus=(replace(machine.gpus[0], ecc_uncorrected_volatile=1), *machine.gpus[1:]))
    assert [accelerator["healthy"] for accelerator in json.loads(hardware.render(bad))["accelerators"]] == [False] + [
        True
    ] * 7


def test_device_files_by_vendor(machine: state.TwinMachine) -> None:
    assert hardware.device_files(machine)[-2:] == ["nvidia7", "nvidiactl"]
    ascend = hardware.device_files(of_vendor(machine, "huawei", "910B"))
    assert ascend[0] == "davinci0"
    assert "davinci_manager" in ascend
    assert hardware.device_files(of_vendor(machine, "amd", "AMD Instinct MI300X"))[0] == "dri/renderD128"


def test_every_accelerator_of_a_server_in_the_catalog_has_an_id() -> None:
    for sku in catalog.load().accelerators.values():
        if sku.vendor in PUBLISHED and not sku.announced:
            vendor, device = ids.of_accelerator(sku.vendor, sku.product_name)
            assert len(vendor) == len(device) == 4


def test_an_unknown_product_is_said() -> None:
    with pytest.raises(OutsideError, match="no PCI id of 'NVIDIA Z1'"):
        ids.of_accelerator("nvidia", "NVIDIA Z1")


def test_the_bus_holds_everything_with_its_class(machine: state.TwinMachine) -> None:
    functions = hardware.bus(machine)
    kinds = [function["files"]["class"] for function in functions]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "0x030200\n": 8, "0x068000\n": 4, "0x060400\n": 8, "0x020700\n": 10, "0x020000\n": 2,
    }  # fmt: skip
    assert len({function["address"] for function in functions}) == len(functions)


def test_an_accelerator_that_fell_off_the_bus_leaves_its_bridge(machine: state.TwinMachine) -> None:
    gone = replace(machine, gpus=(replace(machine.gpus[0], present=False), *machine.gpus[1:]))
    addresses = {function["address"] for function in hardware.bus(gone)}
    assert "0000:1b:00.0" not in addresses
    assert "0000:1a:00.0" in addresses


def test_a_reduced_link_stands_in_the_configuration_space(machine: state.TwinMachine) -> None:
    slow = replace(machine, gpus=(replace(machine.gpus[0], pcie_generation=3, pcie_width=8), *machine.gpus[1:]))
    [function] = [candidate for candidate in hardware.bus(slow) if candidate["address"] == "0000:1b:00.0"]
    config = bytes.fromhex(function["config"])
    assert int.from_bytes(config[0x52:0x54], "little") == 3 | 8 << 4


def test_bridges_begin_with_access_control_services_on(machine: state.TwinMachine) -> None:
    [bridge] = [candidate for candidate in hardware.bus(machine) if candidate["address"] == "0000:1a:00.0"]
    config = bytes.fromhex(bridge["config"])
    assert config[0x100:0x104].hex() == "0d000100"
    assert int.from_bytes(config[0x106:0x108], "little") == 0x1D


@pytest.mark.parametrize(
    ("product", "mebibytes"), [("NVIDIA B300 SXM6 AC", 275040), ("NVIDIA GB300", 284208), ("NVIDIA L40S", 48 * 1024)]
)
def test_memory_is_what_the_driver_of_the_product_shows(product: str, mebibytes: int) -> None:
    assert ids.memory_bytes("nvidia", product, 48.0) == mebibytes << 20


def test_a_connectx_8_has_firmware_and_a_board_number() -> None:
    adapter = wires.adapter("ConnectX-8")
    assert (adapter.device, adapter.firmware.split(".")[0]) == ("MT4131", "40")
    assert adapter.board
