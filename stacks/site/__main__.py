"""Declares the machines of a site: `pulumi up` here, or `rackwright up SITE` from anywhere."""

import os
from argparse import Namespace

import pulumi

from rackwright.base.errors import RackwrightError
from rackwright.cli import access
from rackwright.cli import site as argument
from rackwright.provision import plant_plan
from rackwright.provision.components.fleet import FleetComponent
from rackwright.provision.plan import plan, stack_outputs


def declare() -> None:
    """Load, expand, plan, declare; the summary is what `pulumi stack output` shows."""
    config = pulumi.Config("rackwright")
    path = config.get("site") or os.environ.get("RACKWRIGHT_SITE")
    if not path:
        raise pulumi.RunError("no site: set RACKWRIGHT_SITE, or `pulumi config set rackwright:site PATH`")
    loaded = argument.load(Namespace(site=path))
    design = argument.expand(loaded)
    bmc = loaded.site.control.bmc
    restarted = (config.get("restarted") or "").split(",")
    chosen = argument.nodes(Namespace(nodes=config.get("nodes") or os.environ.get("RACKWRIGHT_NODES")), design)
    machines = plan(design, chosen, access.identities(design, loaded.path), restarted)
    fleet = FleetComponent(
        loaded.site.site, machines, bmc, plant_plan.plan(design, chosen),
        identities_file=str(access.bmc_file(bmc.identities_file, loaded.path) or ""),
        unprotected=(config.get("unprotected") or "").split(","),
    )  # fmt: skip
    described = {"site": loaded.site.site, "machines": len(machines), "mismatches": fleet.mismatches}
    for name, output in (described | stack_outputs(design, chosen)).items():
        pulumi.export(name, output)


try:
    declare()
except RackwrightError as error:
    raise pulumi.RunError(str(error)) from error
