"""Entry point of the plugin ``pulumi-resource-rackwright``; the engine finds it on PATH and passes its own address."""

from __future__ import annotations

from rackwright.plugin.entry_point import serve_engine


def main() -> int:
    """Serve our resources to the engine; returns the exit code."""
    return serve_engine("rackwright.flow.resource_provider", "pulumi-resource-rackwright", "rackwright up SITE")
