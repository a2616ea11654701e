"""Declares the configurations of switches: `pulumi up` here, or `rackwright up SITE --stack network` from anywhere."""

import os

import pulumi

from rackwright.base.errors import RackwrightError
from rackwright.cli.provision import declared_network
from rackwright.provision.components.network import NetworkComponent


def declare() -> None:
    """Load, expand, render, declare; the summary is what `pulumi stack output` shows."""
    config = pulumi.Config("rackwright")
    path = config.get("site") or os.environ.get("RACKWRIGHT_SITE")
    if not path:
        raise pulumi.RunError("no site: set RACKWRIGHT_SITE, or `pulumi config set rackwright:site PATH`")
    declared = declared_network.load(path, lambda name: config.get(name) or "")
    network = NetworkComponent(
        declared.site, declared.waves, declared.settings, secrets=declared.secrets, unprotected=declared.unprotected
    )
    pulumi.export("site", declared.site)
    pulumi.export("switches", len(network.switches))
    pulumi.export("differences", network.differences)


try:
    declare()
except RackwrightError as error:
    raise pulumi.RunError(str(error)) from error
