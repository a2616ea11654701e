"""Builds software that a site needs and no vendor packages, once, on a host with the system of the nodes: from pinned sources to signed packages.

recipes     the recipes as data: sources by digest, needs of the build host, steps, content of the packages
planning    the recipes that a bill needs here, and everything that this host lacks; nothing has started then
running     sources, steps
packaging   .deb and .rpm, equal for equal inputs
repository  the signed repository that `rackwright mirror sync` reads as the upstream `built`
"""

from __future__ import annotations

from rackwright.mirror.build.make import BuildOptions, BuildResult, build_mirror
from rackwright.mirror.build.recipes import DATA, load_recipes
from rackwright.mirror.build.repository import built_architectures, with_built

__all__ = ["DATA", "BuildOptions", "BuildResult", "build_mirror", "built_architectures", "load_recipes", "with_built"]
