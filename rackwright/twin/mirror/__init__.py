"""The twin's package mirror: a signed apt repository of small packages with the real names, versions and behaviour."""

from __future__ import annotations

from rackwright.twin.mirror.build import KEY_NAME, build, key_digests
from rackwright.twin.mirror.definition import kernels, versions

__all__ = ["KEY_NAME", "build", "kernels", "key_digests", "versions"]
