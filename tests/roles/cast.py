"""Who plays which role: for every role that the twin runs, a site and a fresh node of it to which the role applies.

A new role needs no line here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from pathlib import Path

from rackwright import catalog, design, spec
from rackwright.model.design import Design, Node
from rackwright.onboard import plan, roles
from tests.rotation import of_this_run

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "inventories" / "h100-pod" / "site.yaml"
TWIN_SYSTEM = "debian-12"
FURTHER = {"nvidia.yaml": {"fifth-001": "nvidia_fabric", "tray-001": "nvidia_fabric", "sliced-002": "gpudirect"}}
"""Nodes of a site on which a role plays once more, because it does something else there than in its scene."""


COLLECTED = "nccl"
"""The role of the example on whose host the collection is played as well."""


@dataclass(frozen=True)
class Scene:
    """One role on a host that is fresh but for `before`.

    Roles that come after the same ones share a host, on which they play in the reverse of their order (`Stage.parts`). An earlier role helps
    none of them: which roles a role needs is still proved to be in its `after`.
    """

    role: str
    host: str
    before: tuple[str, ...]
    """Roles that the host has had before, in order."""


@dataclass
class Stage:
    """A site and the scenes that play on its twin."""

    site: Path
    design: Design
    scenes: list[Scene] = field(default_factory=list)
    further: list[Scene] = field(default_factory=list)
    """Scenes of roles that have one elsewhere (`FURTHER`)."""

    @property
    def played(self) -> list[Scene]:
        """All scenes, which play at once."""
        return [*self.scenes, *self.further]

    @property
    def parts(self) -> dict[str, list[Scene]]:
        """Host -> its scenes, in the order in which they play there."""
        hosts: dict[str, list[Scene]] = {}
        for scene in self.played:
            hosts.setdefault(scene.host, []).insert(0, scene)
        return hosts

    def hosts_of_this_run(self) -> list[str]:
        """In CI, of the example the host of `COLLECTED` and half of the others, other ones for every tree; of any other site all."""
        hosts = list(self.parts)
        collected = next((scene.host for scene in self.scenes if scene.role == COLLECTED), None)
        if self.site != EXAMPLE or not os.environ.get("CI"):
            return hosts
        cheapest_first = sorted(hosts, key=lambda host: len(self.parts[host][0].before))
        others = _mixed([host for host in cheapest_first if host != collected])
        return [host for host in hosts if host in {collected, *of_this_run(others, len(others) // 2)}]

    def cast(self, role: str) -> bool:
        """Give `role` a node on which those before it play, or one that nobody has yet; False when no node here is one for it."""
        shared = {scene.host: scene.before for scene in self.scenes}
        used = {scene.host for scene in self.further}
        for node in self.design.nodes():
            if node.name in used or role not in (mine := self._roles(node)):
                continue
            before = tuple(_closure(role, mine))
            if shared.get(node.name, before) == before:
                self.scenes.append(Scene(role, node.name, before))
                return True
        return False

    def cast_further(self) -> None:
        """Give the roles of `FURTHER` the nodes that are named there."""
        for name, role in FURTHER.get(self.site.name, {}).items():
            self.further.append(Scene(role, name, tuple(_closure(role, self._roles(self.design.node(name))))))

    def _roles(self, node: Node) -> list[str]:
        bill = self.design.site.software.bill(node.pool)
        return [entry.name for entry in plan.node_roles(self.design, node, bill)]


def _mixed(hosts: list[str]) -> list[str]:
    """`hosts`, the cheapest first, with cheap and dear ones by turns: any half of them costs about the same."""
    half = len(hosts) // 2
    pairs = zip_longest(hosts[: len(hosts) - half], reversed(hosts[len(hosts) - half :]))
    return [host for pair in pairs for host in pair if host]


def _closure(role: str, host_roles: Sequence[str]) -> list[str]:
    """What has to be on a host before `role`: what it comes after, and what those come after."""
    names = {entry.name: entry for entry in roles.ordered_roles()}
    required, requested = set(), [role]
    while requested:
        for name in names[requested.pop()].after:
            if name in host_roles and name not in required:
                required.add(name)
                requested.append(name)
    return [name for name in host_roles if name in required]


@cache
def stages() -> tuple[Stage, ...]:
    """Every role on the first site that has a node for it; AssertionError for a role that no site has."""
    names = [_stage(path) for path in [EXAMPLE, *sorted((HERE / "sites").glob("*.yaml"))]]
    homeless = [
        role.name
        for role in roles.ordered_roles()
        if TWIN_SYSTEM in role.verified_on and not any(stage.cast(role.name) for stage in names)
    ]
    assert not homeless, f"no site under tests/roles/sites has a node for {', '.join(homeless)}"
    return tuple(stage for stage in names if stage.scenes)


def _stage(path: Path) -> Stage:
    site = spec.load(path).site
    stage = Stage(path, design.expand(site, catalog.load(site.catalog)))
    stage.cast_further()
    return stage
