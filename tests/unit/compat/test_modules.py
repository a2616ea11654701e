import pytest

from rackwright import compat
from rackwright.compat.modules import load_modules
from rackwright.twin.mirror import definition


@pytest.mark.parametrize(
    ("release", "module"),
    [("30.30.2", "6.16.13"), ("30.20.1", "6.16.6"), ("30.10.2", "6.14.14"), ("6.4.1", "6.12.12"), ("99.1", None)],
)
def test_module_of_a_release_of_amd(release, module):
    row = compat.kernel_module("amd", release)
    assert (row.module if row else None) == module


def test_drivers_of_other_makers_have_one_number():
    assert compat.numbered_apart("amd")
    assert not compat.numbered_apart("nvidia")


def test_a_loaded_module_names_its_release():
    assert compat.release_of("hygon", "6.2.26") == "5.7.1-6.2.26-V1.5"
    assert compat.release_of("metax", "3.4.4") == ""


@pytest.mark.parametrize("row", load_modules(), ids=lambda row: row.release)
def test_the_twin_carries_the_module_of_the_same_release(row):
    """Its packages are named after the vendor's, which is another source."""
    family, end = ("amdgpu", ".1") if row.vendor == "amd" else (row.vendor, "")
    assert definition.module_version(family, row.release.replace("*", end)) == row.module


@pytest.mark.parametrize(
    ("package", "release"),
    [
        ("6.16.13.30300300", "30.30.3"), ("6.14.14.30100100", "30.10.1"), ("6.12.12.60403", "6.4.3"), ("7.2.3.70203", "7.2.3"),
        ("7.2.3", "7.2.3"),
    ],
)  # fmt: skip
def test_release_in_the_version_of_a_package(package, release):
    assert compat.packaged_release(package) == release
