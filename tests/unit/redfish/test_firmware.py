"""A firmware baseline against the inventory of every dialect that shows one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from rackwright.redfish import apply
from rackwright.redfish.firmware import Component, deviations
from rackwright.twin.bmc import dialects

from .conftest import anyone, desired_machine, machine

COMPONENTS = {
    "idrac": ("BIOS.Setup.1-1", "iDRAC.Embedded.1-1"), "ilo": ("System ROM", "iLO 5"), "nvidia-gb": ("UEFI", "FW_BMC_0"),
    "supermicro": ("BIOS", "BMC"), "viking": ("HostBIOS_0", "HostBMC_0"), "xcc": ("UEFI", "BMC-Primary"),
    "openbmc": ("bios_active", "bmc_active"), "ibmc": ("Bios", "ActiveBMC"),
}  # fmt: skip
"""BIOS and BMC, as a site names them."""


def test_every_inventory_is_tried() -> None:
    assert set(COMPONENTS) == {name for name in dialects.names() if dialects.load(name).firmware}


@pytest.mark.parametrize("name", COMPONENTS)
def test_versions_are_compared_with_the_baseline(name: str, serve: Callable[..., Any]) -> None:
    _, access = serve(machine(dialect=name, bios_version="1.6.7", bmc_version="24.09.17"))
    bios, bmc = COMPONENTS[name]
    baseline = {bios: "1.6.7", bmc: "25.01.00", "FPGA": "3"}
    declared = desired_machine(firmware=baseline)
    observed = asyncio.run(apply.bring_machine(declared, access, lambda _: None, accept=anyone))
    assert (observed.firmware[bios], observed.firmware[bmc]) == (Component("1.6.7"), Component("24.09.17"))
    missing, older = sorted(deviations(baseline, observed.firmware), key=lambda reason: "FPGA" not in reason)
    assert missing.startswith("firmware of FPGA is not listed by the BMC, the design says 3 (it lists ")
    assert older == f"firmware of {bmc} is 24.09.17, the design says 25.01.00"


def test_a_bmc_that_lists_no_firmware(serve: Callable[..., Any]) -> None:
    _, access = serve(machine(dialect="ieit"))
    declared = desired_machine(firmware={"bios": "1"})
    observed = asyncio.run(apply.bring_machine(declared, access, lambda _: None, accept=anyone))
    assert list(deviations(declared.firmware, observed.firmware)) == [
        "firmware of bios is not listed by the BMC, the design says 1 (it lists none)"
    ]
