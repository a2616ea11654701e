"""``rackwright environment SITE NAME``: prints the site file of an environment, for every verb that takes one."""

from __future__ import annotations

import argparse

import yaml

from rackwright.base.errors import ExitCode, UsageError
from rackwright.cli import output, site
from rackwright.spec import environments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SITE, the name and the output format."""
    site.add_site(parser)
    parser.add_argument("name", metavar="NAME", help="an environment of the site")
    output.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Print the file with the differences in it, and why each of them is there."""
    loaded = site.load(args)
    by_name = {environment.name: environment for environment in loaded.site.environments}
    if args.name not in by_name:
        names = ", ".join(by_name) or "none: it declares no environments"
        raise UsageError(f"{args.name}: the site has no such environment; it has {names}")
    environment = by_name[args.name]
    data = environments.data_of(loaded.root.plain(), environment)
    if args.format == "json":
        output.emit(data)
        return ExitCode.PASS
    print(
        f"# {environment.name} of {loaded.site.site}, written by rackwright environment. Change the site file, not this one."
    )
    for difference in environment.differences:
        print(f"# {difference.field}: {difference.because}")
    print(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120), end="")
    return ExitCode.PASS
