"""A host after role hold_and_audit: held packages are on record, and undeclared ones are reported."""

import json

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_record_is_what_dpkg_says(host):
    document = json.loads(host.file("/var/lib/rackwright/audit.json").content_string)
    assert set(document["held"]) == set(host.check_output("apt-mark showhold").split())
    assert document["not_declared"] == []
    assert document["unfinished"] == []
    assert document["foreign_sources"] == []
    assert document["kernel"] == host.check_output("uname -r")
