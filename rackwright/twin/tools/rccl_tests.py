"""What rccl-tests print on a node: the same as nccl-tests."""

from __future__ import annotations

from rackwright.twin.tools.nccl_tests import ANSWERED, observe, render

__all__ = ["ANSWERED", "observe", "render"]
