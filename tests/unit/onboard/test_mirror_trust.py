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


def test_hosts_accept_the_pinned_key_alone(example, access, workspace):
    files = {"munge_key": onboard.munge_key(workspace)}
    nodes = [example.nodes()[0].name]
    assert "base_apt_key_sha256" not in onboard.inventory(example, nodes, access, files).variables
    reach = dataclasses.replace(access, mirror_key="0" * 64)
    assert onboard.inventory(example, nodes, reach, files).variables["base_apt_key_sha256"] == "0" * 64
