"""Entry point of the plugin ``pulumi-resource-rackwright``; the engine finds it on PATH and passes its own address."""

from __future__ import annotations

from rackwright.plugin.entry_point import serve_engine


def main() -> int:
    """Serve machines and accepted subjects to the engine; returns the exit code."""
    return serve_engine("rackwright.redfish.provider_pulumi", "pulumi-resource-rackwright", "rackwright up SITE")
