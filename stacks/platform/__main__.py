"""Declares the Kubernetes platform of a site: `pulumi up` here, or `rackwright up SITE --stack platform` from anywhere."""

import os
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor

import pulumi

from rackwright.base.errors import ProblemsError, RackwrightError
from rackwright.cli import site as argument
from rackwright.flow import schedulers
from rackwright.platform.stack_plan import plan, subjects
from rackwright.provision import api_server_findings
from rackwright.provision.components.platform import PlatformComponent


def declare() -> None:
    """Load, expand, plan, look at the API server, declare; the summary is what `pulumi stack output` shows."""
    config = pulumi.Config("rackwright")
    path = config.get("site") or os.environ.get("RACKWRIGHT_SITE")
    if not path:
        raise pulumi.RunError("no site: set RACKWRIGHT_SITE, or `pulumi config set rackwright:site PATH`")
    design = argument.expand(argument.load(Namespace(site=path)))
    stack_plan = plan(design, schedulers.kubernetes_resources(design), subjects(config.get("accepted")))
    with ThreadPoolExecutor(1) as aside:  # the program itself runs in the loop of the SDK
        observed = aside.submit(api_server_findings.look, design, stack_plan).result()
    if observed.problems:
        raise ProblemsError(observed.problems)
    platform = PlatformComponent(stack_plan, set(observed.joined))
    pulumi.export("site", design.site.site)
    pulumi.export("kubernetes", observed.version)
    pulumi.export("objects", {name: part.count for name, part in platform.parts.items()})
    pulumi.export("nodes_not_joined", list(observed.missing))


try:
    declare()
except RackwrightError as error:
    raise pulumi.RunError(str(error)) from error
