from __future__ import annotations

import pytest

DIGEST = "a" * 64
BMC = {"file": "firmware/bmc.fwpkg", "sha256": DIGEST, "components": ["HostBMC_0"]}


@pytest.fixture
def problems(problems_of, example_data):
    """Codes and paths of what is wrong with the example when its DGX H100 have this firmware."""

    def find(baseline, *images, **pool):
        example_data["pools"][0] |= {"firmware": baseline, "firmware_images": list(images), **pool}
        return {
            (code.removeprefix("spec."), path.removeprefix("pools[0].")) for code, path in problems_of(example_data)
        }

    return find


def test_a_baseline_with_images_in_their_order(problems):
    bios = {
        **BMC,
        "file": "firmware/bios.fwpkg",
        "components": ["HostBIOS_0", "EROT_BIOS_0"],
        "activate": "power-cycle",
    }
    assert (
        problems({"HostBMC_0": "25.01.00", "HostBIOS_0": "1.7.0", "EROT_BIOS_0": "1", "PSU_0": "2"}, BMC, bios) == set()
    )


def test_what_is_no_baseline_of_this_server(problems):
    assert problems({"bmc_active": "2.14.0", "HostBMC_0": "GB200Nvl-25.08-9", "HostBIOS_0": "1.7.0"}) == {
        ("firmware_component", "firmware.bmc_active"),
        ("firmware_version", "firmware.HostBMC_0"),
    }


def test_images_that_no_machine_may_get(problems):
    unpinned = {name: value for name, value in BMC.items() if name != "sha256"}
    assert problems({"HostBMC_0": "25.01.00"}, unpinned) == {("firmware_digest", "firmware_images[0].sha256")}
    assert problems({"HostBMC_0": "25.01.00"}, BMC, BMC) == {("firmware_twice", "firmware_images[1].components")}
    assert problems({}, BMC) == {("firmware_no_version", "firmware_images[0].components")}


def test_how_images_get_into_the_machines(problems, example_data):
    example_data["software"]["file_mirror"] = "https://mirror.example"
    example_data["catalog"] = [
        {**server, "sku": f"h100-{dialect}", "bmc": {"dialect": dialect}}
        for dialect in ("ibmc", "ieit")
        for server in [_server("dgx-h100")]
    ]
    image = {"file": "firmware/bmc.bin", "sha256": DIGEST, "components": ["ActiveBMC"]}
    baseline = {"ActiveBMC": "6.41"}
    assert problems(baseline, image, server="h100-ibmc") == set()
    assert problems(baseline, image, server="h100-ieit") == {("firmware_no_way", "firmware_images")}
    example_data["software"]["file_mirror"] = "http://mirror.example"
    assert problems(baseline, image, server="h100-ibmc") == {("firmware_mirror", "firmware_images")}


def _server(sku):
    from rackwright import catalog

    return catalog.load().servers[sku].model_dump(mode="json", exclude_none=True)
