"""Which tests stay on one worker, and which begin first.

Tests that share a twin stay on one worker: a twin that every worker starts anew costs more than it saves.
"""

from __future__ import annotations

from functools import cache

from xdist.scheduler import LoadScopeScheduling

LONGEST = (
    "rehearsal/test_campaign",
    "rehearsal/test_fault_matrix",
    "rehearsal/test_onboarding_faults",
    "roles/",
    "rehearsal/",
    "matrix/test_hosts",
    "twin/test_kubernetes",
    "twin/test_adopt",
    "twin/test_onboard",
    "twin/test_boot",
    "engine/",
    "kubernetes/",
    "twin/test_bus_readings",
    "twin/",
)
"""Files whose tests take minutes: they begin first, so that no worker is left alone with one at the end."""

SINGLE = (
    "engine/",
    "matrix/test_hosts",
    "rehearsal/test_inventories",
    "rehearsal/test_rehearse",
    "roles/test_systems",
    "twin/test_lifecycle",
)
"""Files whose tests share nothing: each starts BMCs or a twin of its own, on whichever worker is free."""

PAIR = tuple(
    f"twin/test_{name}." for name in ("bus_readings", "collect", "host_readings", "hosts", "load_tools", "systemctl")
)
ONBOARDED = ("twin/test_adopt", "twin/test_onboard")
"""Adoption reads the nodes before tests of onboarding change them."""
TOGETHER = {
    "kubernetes/": "API server",
    **dict.fromkeys(ONBOARDED, "onboarding"),
    **dict.fromkeys(PAIR, "twin of two nodes"),
}
"""Beginnings of the names of files that share one twin, or one API server, in their order; and the name of their group."""

GUESTS = {"collection": "nccl", "nvidia_boards": "mig"}
"""Files under roles/ that play in the theatre of a role whose name they do not have: that role."""


class Together(LoadScopeScheduling):
    """Gives a worker all tests of a group."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def group(nodeid: str) -> str:
    """The group of a test: its file (several for `TOGETHER`), the test alone for `SINGLE`, and the site for roles, which share a twin per site."""
    path = nodeid.removeprefix("tests/").partition("::")[0]
    if path.startswith(SINGLE):
        return nodeid
    if not path.startswith("roles/"):
        return next((name for start, name in TOGETHER.items() if path.startswith(start)), path)
    return theatres().get(role(nodeid), path)


def role(nodeid: str) -> str:
    """What a test below roles/ is named after, or parametrized with: a role where it plays in a theatre."""
    path, _, test = nodeid.removeprefix("tests/").partition("::")
    if path == "roles/test_scenarios.py":
        return test.partition("[")[2].rstrip("]")
    name = path[len("roles/test_") : -len(".py")]
    return GUESTS.get(name, name)


def turn(nodeid: str) -> int:
    """What a test is sorted by."""
    path = nodeid.removeprefix("tests/")
    return next((number for number, start in enumerate(LONGEST) if path.startswith(start)), len(LONGEST))


@cache
def theatres() -> dict[str, str]:
    """Role -> the site in whose theatre it plays, the example first."""
    from tests.roles.cast import stages

    return {scene.role: stage.site.parent.name + stage.site.stem for stage in stages() for scene in stage.scenes}
