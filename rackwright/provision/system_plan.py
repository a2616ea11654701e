"""The systems of the machines of a stack, as Pulumi declares them; pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rackwright.install import answers, catalogue
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design
from rackwright.model.resource import DeclaredSystem


def plan(
    design: Design, nodes: Sequence[str], machines: Mapping[str, DeclaredMachine], awaited: Collection[str] = ()
) -> list[DeclaredSystem]:
    """The systems of those of `nodes` that the list of machines has; those called `awaited` are waited for. ProblemsError as `answers.plan`."""
    install = design.site.install
    if install is None:
        return []
    planned = answers.plan(design, [name for name in nodes if name in machines], machines, {})
    return [
        DeclaredSystem(
            node=system.hostname,
            image=system.image.name,
            digests={
                file.path: catalogue.digest(file, install.digests) for file in system.image.files if file.inside is None
            },
            server=install.server.rstrip("/"),
            awaited=system.hostname in awaited,
            bmc=design.node(system.hostname).bmc_address,
        )
        for system in planned
    ]
