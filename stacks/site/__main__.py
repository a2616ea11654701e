"""Declares the machines of a site: `pulumi up` here, or `rackwright up SITE` from anywhere."""

import os

import pulumi

from rackwright.base.errors import RackwrightError
from rackwright.cli.provision import declared_fleet
from rackwright.provision.components.fleet import FleetComponent
from rackwright.provision.plan import stack_outputs


def declare() -> None:
    """Load, expand, plan, declare; the summary is what `pulumi stack output` shows."""
    config = pulumi.Config("rackwright")
    path = config.get("site") or os.environ.get("RACKWRIGHT_SITE")
    if not path:
        raise pulumi.RunError("no site: set RACKWRIGHT_SITE, or `pulumi config set rackwright:site PATH`")
    nodes = os.environ.get("RACKWRIGHT_NODES", "")
    declared = declared_fleet.load(path, lambda name: config.get(name) or (nodes if name == "nodes" else ""))
    site = declared.design.site
    fleet = FleetComponent(site.site, declared.plan, site.control.bmc, declared.files, unprotected=declared.unprotected)
    described = {"site": site.site, "machines": len(declared.nodes), "mismatches": fleet.mismatches}
    for name, output in (described | stack_outputs(declared.design, declared.nodes)).items():
        pulumi.export(name, output)


try:
    declare()
except RackwrightError as error:
    raise pulumi.RunError(str(error)) from error
