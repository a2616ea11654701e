"""What a node gets of the collectives that it runs with its partners: rccl-tests print what nccl-tests print."""

from __future__ import annotations

from rackwright.twin.tools.nccl_group import observe, render

__all__ = ["observe", "render"]
