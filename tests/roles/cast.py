"""Who plays which role: for every role that the twin runs, a site and a fresh node of it to which the role applies.

A new role needs no line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rackwright import catalog, design, spec
from rackwright.model.design import Design
from rackwright.onboard import plan, roles

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "inventories" / "h100-pod" / "site.yaml"
TWIN_SYSTEM = "debian-12"


@dataclass(frozen=True)
class Scene:
    """One role on one fresh host."""

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

    def cast(self, role: str) -> bool:
        """Give `role` a node that nobody has yet; False when no node here is one for it."""
        taken = {scene.host for scene in self.scenes}
        for node in self.design.nodes():
            bill = self.design.site.software.bill(node.pool)
            own = [one.name for one in plan.applying(self.design, node, bill)]
            if node.name not in taken and role in own:
                self.scenes.append(Scene(role, node.name, tuple(_closure(role, own))))
                return True
        return False


def _closure(role: str, own: Sequence[str]) -> list[str]:
    """What has to be on a host before `role`: what it comes after, and what those come after."""
    known = {one.name: one for one in roles.known()}
    wanted, asked = set(), [role]
    while asked:
        for name in known[asked.pop()].after:
            if name in own and name not in wanted:
                wanted.add(name)
                asked.append(name)
    return [name for name in own if name in wanted]


@cache
def stages() -> tuple[Stage, ...]:
    """Every role on the first site that has a node for it; AssertionError for a role that no site has."""
    known = [_stage(path) for path in [EXAMPLE, *sorted((HERE / "sites").glob("*.yaml"))]]
    homeless = [
        role.name
        for role in roles.known()
        if TWIN_SYSTEM in role.verified_on and not any(stage.cast(role.name) for stage in known)
    ]
    assert not homeless, f"no site under tests/roles/sites has a node for {', '.join(homeless)}"
    return tuple(stage for stage in known if stage.scenes)


def _stage(path: Path) -> Stage:
    site = spec.load(path).site
    return Stage(path, design.expand(site, catalog.load(site.catalog)))
