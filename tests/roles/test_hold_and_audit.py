"""A host after role hold_and_audit: what is held is on record, and what nobody declared is said."""

import json

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_the_record_is_what_dpkg_says(host):
    found = json.loads(host.file("/var/lib/rackwright/audit.json").content_string)
    assert set(found["held"]) == set(host.check_output("apt-mark showhold").split())
    assert found["not_declared"] == []
    assert found["unfinished"] == []
    assert found["foreign_sources"] == []
    assert found["kernel"] == host.check_output("uname -r")
