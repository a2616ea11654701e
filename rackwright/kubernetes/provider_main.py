"""Entry point of the plugin for types ``kubernetes:*``; a launcher of `rackwright.provision.plugins` starts it.

It is not a script of the package: on PATH every stack of the machine would mistake it for the official plugin.
"""

from __future__ import annotations

from rackwright.plugin.entry_point import serve_engine


def main() -> int:
    """Serve objects of Kubernetes to the engine; returns the exit code."""
    return serve_engine("rackwright.kubernetes.provider_pulumi", "this plugin", "rackwright up SITE --stack platform")


if __name__ == "__main__":
    raise SystemExit(main())
