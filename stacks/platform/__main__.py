"""Declares the Kubernetes platform of a site: `pulumi up` here, or `rackwright up SITE --stack platform` from anywhere."""

import os
from argparse import Namespace

import pulumi

from rackwright.base.errors import RackwrightError
from rackwright.base.name_list import listed_names
from rackwright.cli import site as argument
from rackwright.flow import schedulers
from rackwright.platform.stack_plan import plan, subjects
from rackwright.provision import api_server_findings
from rackwright.provision.components.platform import PlatformComponent
from rackwright.provision.components.site_machines import SiteMachines


def declare() -> None:
    """Load, expand, plan, look at the API server, declare; the summary is what `pulumi stack output` shows."""
    config = pulumi.Config("rackwright")
    path = config.get("site") or os.environ.get("RACKWRIGHT_SITE")
    if not path:
        raise pulumi.RunError("no site: set RACKWRIGHT_SITE, or `pulumi config set rackwright:site PATH`")
    design = argument.expand(argument.load(Namespace(site=path)))
    stack_plan = plan(design, schedulers.kubernetes_resources(design), subjects(config.get("accepted")))
    observed = api_server_findings.look_or_refuse(design, stack_plan)
    machines = SiteMachines.of_stacks(listed_names(config.get("site_stacks")), stack_plan)
    platform = PlatformComponent(stack_plan, set(observed.joined), machines)
    pulumi.export("site", design.site.site)
    pulumi.export("kubernetes", observed.version)
    pulumi.export("objects", {name: part.count for name, part in platform.parts.items()})
    pulumi.export("nodes_not_joined", list(observed.missing))
    if machines:
        pulumi.export("machines", machines.reported)


try:
    declare()
except RackwrightError as error:
    raise pulumi.RunError(str(error)) from error
