"""What the entry points of all plugins do: take the address of the engine, load the provider, serve it."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module

from rackwright.base.garbage import collect_rarely


def serve_engine(module: str, plugin: str, command: str) -> int:
    """Run ``serve(address)`` of `module` for the engine whose address is the first argument that is not an option; returns the exit code.

    `module` is loaded after the address was read: a person who starts `plugin` by hand reads at once of `command`, which does it.
    """
    addresses = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not addresses:
        print(f"{plugin} is started by the Pulumi engine: run `{command}`", file=sys.stderr)
        return 2
    collect_rarely()
    asyncio.run(import_module(module).serve(addresses[0]))
    return 0
