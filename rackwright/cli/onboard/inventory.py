"""``rackwright inventory SITE``: the Ansible inventory of a site, to run its roles with `ansible-playbook` alone.

The inventory references the file of the site's munge key and never contains the key.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rackwright.base.errors import ExitCode, OutsideError
from rackwright.cli import access, output, site


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the nodes, where to write."""
    site.add_site(parser)
    site.add_nodes(parser)
    site.add_work(parser)
    parser.add_argument("--out", metavar="DIR", help="write DIR/hosts.yml instead of printing")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Load, expand, print or write."""
    from rackwright import onboard
    from rackwright.onboard import inventory_file

    loaded = site.load(args)
    design = site.expand(loaded)
    files = onboard.secret_files(design, site.workspace(args, loaded.site))
    hosts = onboard.inventory(design, site.nodes(args, design), access.to_hosts(loaded.site), files)
    if args.out:
        try:
            path = inventory_file.save_inventory(hosts, Path(args.out))
        except OSError as error:
            raise OutsideError(
                f"{args.out} cannot be written: {error.strerror}; name another folder with --out"
            ) from error
        print(f"wrote {path}: {len(hosts.hosts)} hosts, {len(hosts.groups)} roles")
    elif args.format == "json":
        output.emit(inventory_file.as_ansible(hosts))
    else:
        print(inventory_file.as_yaml(hosts), end="")
    return ExitCode.PASS
