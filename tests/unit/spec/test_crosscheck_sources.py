"""Where hosts install from: what `check` says of a site without a mirror, of vendors without keys, and of what nobody publishes."""

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import sources

KNOWN = catalog.load()


@pytest.fixture
def problems(example_site):
    def run(**fields):
        data = yaml_text.load(example_site.read_text())
        data["software"] = {**data["software"], **fields}
        refused = list(sources.check(Site.model_validate(data), KNOWN))
        assert all(entry.message and entry.expected and entry.found and entry.next_step for entry in refused)
        return [(entry.path, entry.code.removeprefix("spec."), entry.next_step) for entry in refused]

    return run


def test_a_mirror_is_needed_unless_hosts_install_from_vendors(problems):
    assert problems() == problems(source="vendor") == []
    ((path, code, step),) = problems(apt_mirror="")
    assert (path, code) == ("software.apt_mirror", "missing")
    assert "software.source: vendor" in step


def test_packages_that_no_vendor_publishes_need_a_mirror_or_go(problems):
    refused = problems(source="vendor", apt_mirror="", slurm="25.11.4")
    assert {path: code for path, code, _ in refused} == dict.fromkeys(
        ("software.nccl_tests", "software.nvbandwidth", "software.gdrcopy", "software.pyxis", "software.slurm"),
        "unpublished",
    )
    assert all("`rackwright mirror build`" in step and "leave" in step for _, _, step in refused)
    assert problems(source="vendor", apt_mirror="", nccl_tests="", nvbandwidth="0.8+ds", gdrcopy="", pyxis="") == []


def test_a_vendor_that_publishes_no_fingerprint_needs_one_of_the_site(problems):
    ((path, code, step),) = problems(source="vendor", doca="3.2.1")
    assert (path, code) == ("software.vendor_keys.doca", "no_vendor_key")
    assert "doca: [FINGERPRINT]" in step
    assert problems(source="vendor", doca="3.2.1", vendor_keys={"doca": ["A" * 40]}) == []
    ((path, code, _),) = problems(source="vendor", vendor_keys={"docca": ["A" * 40]})
    assert (path, code) == ("software.vendor_keys.docca", "unknown_repository")


def test_repositories_behind_a_subscription_are_no_vendor_s_for_everybody(problems):
    refused = problems(source="vendor", os="rhel-9")
    assert {(path, code) for path, code, _ in refused} == {("software.os", "no_vendor_repository")}
    assert problems(source="vendor", os="rocky-9") == []
