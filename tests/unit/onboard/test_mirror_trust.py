"""A mirror over HTTP needs a pinned key; HTTPS, a lock or an option of the site give hosts somebody to trust."""

import dataclasses

import pytest

from rackwright import onboard
from rackwright.base.errors import ProblemsError


@pytest.mark.parametrize(
    ("mirror", "pinned", "options", "refused"),
    [
        ("http://10.0.0.2/apt", "", {}, True),
        ("http://10.0.0.2/apt", "0" * 64, {}, False),
        ("http://10.0.0.2/apt", "", {"base_apt_key_sha256": "0" * 64}, False),
        ("https://mirror.example/apt", "", {}, False),
    ],
)
def test_who_is_trusted(example, access, mirror, pinned, options, refused):
    software = example.site.software.model_copy(update={"apt_mirror": mirror, "options": options})
    reach = dataclasses.replace(access, mirror_key=pinned)
    if not refused:
        onboard.refuse_unpinned(software, reach)
        return
    with pytest.raises(ProblemsError, match="hosts would trust whatever key answers there first") as error:
        onboard.refuse_unpinned(software, reach)
    assert "rackwright mirror sync" in error.value.problems[0].next_step


def test_rpm_packages_need_the_keys_of_their_signers_as_well(example, access):
    bill = example.site.software.model_copy(update={"apt_mirror": "http://10.0.0.2/apt", "os": "rocky-9"})
    reach = dataclasses.replace(access, mirror_key="0" * 64)
    with pytest.raises(ProblemsError, match="hosts would trust whatever key answers there first") as error:
        onboard.refuse_unpinned(bill, reach)
    assert "no pin of rackwright-rpm-keys.asc" in error.value.problems[0].found
    onboard.refuse_unpinned(bill, dataclasses.replace(reach, rpm_keys="1" * 64))


def test_hosts_accept_the_pinned_key_alone(example, access, workspace):
    files = {"munge_key": onboard.munge_key(workspace)}
    nodes = [example.nodes()[0].name]
    assert "base_apt_key_sha256" not in onboard.inventory(example, nodes, access, files).variables
    reach = dataclasses.replace(access, mirror_key="0" * 64, rpm_keys="1" * 64)
    variables = onboard.inventory(example, nodes, reach, files).variables
    assert (variables["base_apt_key_sha256"], variables["base_rpm_keys_sha256"]) == ("0" * 64, "1" * 64)
