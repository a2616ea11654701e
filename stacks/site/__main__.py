"""Declares the machines of a site: `pulumi up` here, or `rackwright up SITE` from anywhere."""

import os
from argparse import Namespace

import pulumi

from rackwright.base.errors import RackwrightError
from rackwright.cli import site as argument
from rackwright.provision.components.fleet import FleetComponent
from rackwright.provision.plan import plan


def declare() -> None:
    """Load, expand, plan, declare; the summary is what `pulumi stack output` shows."""
    config = pulumi.Config("rackwright")
    path = config.get("site") or os.environ.get("RACKWRIGHT_SITE")
    if not path:
        raise pulumi.RunError("no site: set RACKWRIGHT_SITE, or `pulumi config set rackwright:site PATH`")
    loaded = argument.load(Namespace(site=path))
    design = argument.expand(loaded)
    nodes = config.get("nodes") or os.environ.get("RACKWRIGHT_NODES")
    machines = plan(design, argument.nodes(Namespace(nodes=nodes), design))
    fleet = FleetComponent(loaded.site.site, machines, loaded.site.control.bmc)
    pulumi.export("site", loaded.site.site)
    pulumi.export("machines", len(machines))
    pulumi.export("mismatches", fleet.mismatches)


try:
    declare()
except RackwrightError as error:
    raise pulumi.RunError(str(error)) from error
