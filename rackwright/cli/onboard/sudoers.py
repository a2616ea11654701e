"""``rackwright sudoers SITE``: what the account that collects evidence may run as root, as a file for ``/etc/sudoers.d``."""

from __future__ import annotations

import argparse

from rackwright.base.errors import ExitCode, OutsideError
from rackwright.cli import output, site


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, and the output format."""
    site.add_site(parser)
    site.add_nodes(parser)
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, expand, print."""
    from rackwright.collect import collector, sudoers

    loaded = site.load(args)
    design = site.expand(loaded)
    ssh = loaded.site.control.ssh
    if not (user := ssh.collect_user):
        step = f"declare one as control.ssh.collect_user; {ssh.user} onboards and needs all of root's rights"
        raise OutsideError(f"{loaded.path} has no account that only collects evidence: {step}")
    asks = sudoers.commands(design, site.nodes(args, design), collector.library(design.roots))
    if args.format == "json":
        output.emit({"user": user, "commands": [{"argv": ask.command, "seconds": ask.seconds} for ask in asks]})
    else:
        print(sudoers.fragment(user, asks), end="")
    return ExitCode.PASS
