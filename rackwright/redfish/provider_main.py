"""Entry point of the plugin ``pulumi-resource-rackwright``; the engine finds it on PATH and passes its own address."""

from __future__ import annotations

import asyncio
import sys

from rackwright.base.garbage import collect_rarely


def main() -> int:
    """Serve the provider to the engine whose address is the first argument that is not an option; returns the exit code."""
    addresses = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not addresses:
        print("pulumi-resource-rackwright is started by the Pulumi engine: run `rackwright up SITE`", file=sys.stderr)
        return 2
    collect_rarely()
    from rackwright.redfish.provider_pulumi import serve

    asyncio.run(serve(addresses[0]))
    return 0
