"""Entry point of the plugin for types ``kubernetes:*``; a launcher of `rackwright.provision.plugins` starts it.

It is no script of the package: on PATH it would be taken for the official plugin by every stack of the machine.
"""

from __future__ import annotations

from rackwright.plugin.entry_point import serve_engine


def main() -> int:
    """Serve objects of Kubernetes to the engine; returns the exit code."""
    return serve_engine("rackwright.kubernetes.provider_pulumi", "this plugin", "rackwright up SITE --stack platform")


if __name__ == "__main__":
    raise SystemExit(main())
