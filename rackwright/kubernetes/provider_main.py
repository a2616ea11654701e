"""Entry point of the plugin for types ``kubernetes:*``; a launcher of `rackwright.provision.plugins` starts it.

It is no script of the package: on PATH it would be taken for the official plugin by every stack of the machine.
"""

from __future__ import annotations

import asyncio
import sys

from rackwright.base.garbage import collect_rarely


def main() -> int:
    """Serve the provider to the engine whose address is the first argument that is not an option; returns the exit code."""
    addresses = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not addresses:
        print("this plugin is started by the Pulumi engine: run `rackwright up SITE --stack platform`", file=sys.stderr)
        return 2
    collect_rarely()
    from rackwright.kubernetes.provider_pulumi import serve

    asyncio.run(serve(addresses[0]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
