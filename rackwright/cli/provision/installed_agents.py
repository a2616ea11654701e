"""``rackwright boot-server --pull``: machines that it installs ask for their orders by themselves, under keys that they make."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rackwright.base.errors import UsageError
from rackwright.cli.onboard import pull_listening

if TYPE_CHECKING:
    from rackwright.base.workspace import Workspace
    from rackwright.install.system_install import SystemInstall


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where installed machines ask."""
    parser.add_argument(
        "--pull",
        metavar="ADDRESS:PORT",
        help="enrol the machines as they are installed: they ask there for their orders (the --listen of onboard --mode pull)",
    )


def with_agents(args: argparse.Namespace, installs: Sequence[SystemInstall], work: Workspace) -> list[SystemInstall]:
    """`installs`, which enrol themselves where ``--pull`` says so. UsageError for an address that nodes cannot call."""
    if args.pull is None:
        return list(installs)
    if not args.images:
        raise UsageError("--pull: machines are installed with --images")
    where = pull_listening.address("--pull", args.pull)
    from rackwright.onboard.pull import enrolment
    from rackwright.onboard.pull.pull_keys import PullKeys

    keys = PullKeys.of_site(work)
    return [replace(install, pull=enrolment.script(install.hostname, keys, where)) for install in installs]
