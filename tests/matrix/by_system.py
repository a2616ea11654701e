"""Every system that the makers of a server support: whether onboarding, the mirror of the twin and the last gate take its nodes with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from rackwright import catalog
from rackwright.design.sizing.draft import software
from rackwright.model.design import Design
from rackwright.model.site import Software
from rackwright.model.software import OperatingSystem
from rackwright.onboard import role_refusals
from rackwright.onboard.required_software import required_software
from rackwright.twin import systems
from rackwright.twin.campaign import Scene, SiteGate, Stage, play
from rackwright.twin.mirror import definition

WILD = set("*?[")
"""A name with one of these stands for packages that may be there (what is held); one without must be."""


def ends(stage: Stage, systems: Iterable[OperatingSystem]) -> tuple[str, ...]:
    """How the sized site of `stage` ends on each of `systems`; behind ``!`` one that something refuses, and what."""
    return tuple(_of_system(stage, system) for system in systems)


def _of_system(stage: Stage, system: OperatingSystem) -> str:
    if system == stage.design.site.software.system:  # the walk itself plays it, and says how it ends
        refused = [f"no package {name}" for name in lacking(stage.design, system)]
    else:
        refused = list(_refusing(replace(stage, design=with_system(stage.design, system)), system))
    return f"! `{system}`: {'; '.join(refused)}" if refused else f"`{system}`"


def with_system(design: Design, system: OperatingSystem) -> Design:
    """The sized `design` with the software that `rackwright size --os` declares for `system`."""
    [pool] = design.site.pools
    server = catalog.load().servers[pool.server]
    accelerator = catalog.load().accelerators.get(server.accelerator or "")
    declared = software(design.site.software.apt_mirror, server, accelerator, pool.scheduler or "", system)
    return replace(design, site=design.site.model_copy(update={"software": Software.model_validate(declared)}))


def _refusing(stage: Stage, system: OperatingSystem) -> Iterator[str]:
    """What `rackwright check` refuses; else packages that no release of the mirror fits; else checks that refuse a healthy node."""
    problems = [f"`check`: {problem.message}" for problem in role_refusals.problems(stage.design)]
    absent = [] if problems else [f"no package {name}" for name in lacking(stage.design, system)]
    yield from problems or absent
    if not problems and not absent:
        site_gate = SiteGate(stage)
        decisions = site_gate.decisions(play(stage, Scene("healthy", ())))
        yield from sorted({f"`{check}`" for decision in decisions for check in decision.blocking})


def lacking(design: Design, system: OperatingSystem) -> list[str]:
    """Packages and files, with their versions, that onboarding asks for and neither the twin's mirror nor the image of `system` has."""
    offered = _offered(design.site.software, system)
    files = {file.name for file in definition.run_files(design.site.software)}
    return [
        f"{required.name} {required.version}".strip()
        for required in required_software(design)
        if (required.kind == "file" and required.name not in files)
        or (
            required.kind == "package"
            and not WILD & set(required.name)
            and not any(fnmatchcase(version, required.version or "*") for version in offered.get(required.name, []))
        )
    ]


def _offered(site_software: Software, system: OperatingSystem) -> dict[str, list[str]]:
    """Versions of the packages and module streams that a host can have; dnf compares versions without epochs where none is named."""
    image, offered = systems.load(system), definition.versions(site_software, system)
    for name, version in image.packages.items():
        offered.setdefault(name, []).append(version)
    if image.packager != "rpm":
        return offered
    streams = {stream for package in definition.packages(site_software, system) for stream in package.streams}
    bare = {name: [version.rpartition(":")[2] for version in versions] for name, versions in offered.items()}
    return bare | {f"@{stream}": [""] for stream in streams}
