import json
from pathlib import Path

import pytest

from rackwright import catalog
from rackwright.base import yaml_text

VENDORS = Path(__file__).parents[3] / "roles" / "accelerator_vendor" / "vars" / "vendors"
BASE = {
    "accelerator_vendor_mirror": "http://m/apt",
    "accelerator_vendor_count": 8,
    "accelerator_vendor_users": ["acceptance"],
}
SITES = {
    "intel": {"accelerator_vendor_driver": "1.22.1", "accelerator_vendor_product": "HL-325L"},
    "moore-threads": {"accelerator_vendor_driver": "2.7.0", "accelerator_vendor_product": "MTT S4000"},
    "biren": {"accelerator_vendor_driver": "1.6.0", "accelerator_vendor_product": "BR100"},
    "cambricon": {
        "accelerator_vendor_driver": "5.10.22",
        "accelerator_vendor_product": "MLU590",
        "accelerator_vendor_packages": {"cambricon-mlu-driver-ubuntu20.04-dkms": "5.10.22"},
    },
    "hygon": {"accelerator_vendor_driver": "5.7.1-6.2.26-V1.5", "accelerator_vendor_product": "K100_AI"},
    "metax": {"accelerator_vendor_driver": "3.9.0.14", "accelerator_vendor_product": "MetaX C500"},
}


@pytest.fixture
def vendor(declared):
    return lambda name, **more: declared(
        "accelerator_vendor", accelerator_vendor_name=name, **{**BASE, **SITES[name], **more}
    )


def test_there_is_a_data_file_for_every_vendor_that_the_role_is_for():
    makers = {name for name, part in catalog.load().vendors.items() if part.driver_role == "accelerator_vendor"}
    assert {path.stem for path in VENDORS.glob("*.yml")} == makers == set(SITES)


def test_data_files_have_one_interface():
    keys = {
        path.stem: set(yaml_text.load(path.read_text())["__accelerator_vendor_data"]) - {"setup"}
        for path in VENDORS.glob("*.yml")
    }
    assert len({frozenset(result) for result in keys.values()}) == 1, keys


@pytest.mark.parametrize("name", sorted(SITES))
@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04"])
def test_every_vendor_is_accepted_counted_and_described(vendor, name, system):
    result = vendor(name, os=system, accelerator_vendor_untested_system=True)
    assert result.refused == ""
    assert "linux-headers-6.1.0-49-amd64" in result.packages
    assert any("8" in str(problem.get("expect", "")) or problem.get("lines") == 8 for problem in result.verify.values())
    reported = json.loads(result.files["/etc/rackwright/accelerator.json"])
    assert reported["vendor"] == name
    assert reported["visible"].endswith("VISIBLE_DEVICES")
    assert "Load the driver" in result.commands


def test_packages_of_gaudi_are_of_one_release_on_every_system(vendor):
    debian, redhat = vendor("intel").packages, vendor("intel", os="rhel-9").packages
    names = {name for name in debian if name.startswith("habanalabs")}
    assert len(names) == 8
    assert {debian[name] for name in names} == {"1.22.1-*"}
    assert {name.removesuffix("-dkms") for name in names} <= set(redhat)  # rpm calls the driver habanalabs
    assert "habanalabs-dkms" not in redhat
    assert "kernel-devel" in redhat


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("biren", "biren-driver_1.6.0_linux-x86_64.run"),
        ("hygon", "rock-5.7.1-6.2.26-V1.5.aio.run"),
        ("metax", "metax-driver-3.9.0.14-deb-x86_64.run"),
    ],
)
def test_self_extracting_files_run_once_and_are_compared(vendor, name, file):
    result = vendor(name, accelerator_vendor_sha256={file: "a" * 64})
    entry = result.part("install")["downloads"][0]
    assert entry["url"] == f"http://m/apt/files/{file}"
    assert entry["sha256"] == "a" * 64
    command = next(command for command in result.part("configure")["commands"] if command["name"] == f"Run {file}")
    assert command["creates"] == f"/var/lib/rackwright/vendor/{file}"
    assert command["run"][3] == f"/opt/rackwright/downloads/{file}"
    assert command["run"][4:] == (["--", "-f"] if name == "metax" else [])


def test_further_files_of_the_site_come_after_those_of_the_vendor(vendor):
    result = vendor(
        "hygon",
        accelerator_vendor_toolkit="24.04.3",
        accelerator_vendor_files=[{"name": "dtk.run", "arguments": ["--quiet"]}],
    )
    assert result.refused == ""
    runs = [command["run"] for command in result.part("configure")["commands"] if command["name"].startswith("Run ")]
    assert [run[3].rsplit("/", 1)[1] for run in runs] == ["rock-5.7.1-6.2.26-V1.5.aio.run", "dtk.run"]
    assert runs[1][4:] == ["--quiet"]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("cambricon", {"accelerator_vendor_packages": {}}, "carries the operating system"),
        ("hygon", {"accelerator_vendor_toolkit": "24.04.3"}, "nothing installs the toolkit 24.04.3"),
        ("biren", {"accelerator_vendor_files": [{"arguments": []}]}, "needs a name"),
        ("hygon", {"accelerator_vendor_sha256": {"x.run": "abc"}}, "must be 64 hexadecimal digits"),
        ("intel", {"accelerator_vendor_name": "acme"}, "no data file for acme"),
    ],
)
def test_what_is_not_public_has_to_be_given(vendor, declared, name, change, message):
    names = {**BASE, **SITES[name], "accelerator_vendor_name": name, **change}
    assert message in declared("accelerator_vendor", **names).refused


def test_moore_threads_and_metax_publish_no_rpm_names_for_el_9(vendor):
    facts = {"os": "rhel-9", "family": "redhat"}
    assert "for OpenCloudOS, and none is for EL 9" in vendor("metax", os="rhel-9", facts=facts).refused
    with_names = vendor("metax", os="rhel-9", accelerator_vendor_packages={"metax-driver": "3.9.0.14*"})
    assert with_names.refused == ""
    assert not any(name.startswith("Run ") for name in with_names.commands)
    assert "no names of rpm packages" in vendor("moore-threads", os="rhel-9", facts=facts).refused
    assert vendor("moore-threads", os="rhel-9", accelerator_vendor_packages={"musa": "2.7.0"}).refused == ""


def loaded(module, version, built):
    kernel = {"release": "r", "cmdline": "", "modules": {module: version}, "headers": True}
    return {"kernel": kernel, "dkms": [{"module": module, "version": built, "kernel": "r", "state": "installed"}]}


def test_the_kernels_own_module_asks_for_a_reboot_and_is_not_mixed_with_the_vendors(vendor):
    inbox = vendor("intel", facts=loaded("habanalabs", "", "1.22.1-6"))
    assert inbox.reboot == ["accelerator_vendor: habanalabs of the kernel itself is loaded, 1.22.1 is installed"]
    assert "Load the driver" not in inbox.commands
    right = vendor("intel", facts=loaded("habanalabs", "1.22.1-5c9d282", "1.22.1-6"))
    assert right.reboot == []
    assert "Load the driver" in right.commands


def test_the_container_runtime_is_a_drop_in_and_may_be_left_out(vendor):
    name = "/etc/containerd/conf.d/99-intel.toml"
    assert 'BinaryName = "/usr/bin/habana-container-runtime"' in vendor("intel").files[name]
    assert name not in vendor("intel", accelerator_vendor_container=False).files
    assert "Give Docker the runtime of Moore Threads" in vendor("moore-threads").commands
