"""Accelerators as PyTorch reports them.

``python -m rackwright_smoke.device`` prints kind, count and tool as JSON; status 3 without any.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from typing import Any

CANNOT = 3
BACKENDS = {"cuda": "nccl", "npu": "hccl", "cpu": "gloo"}
"""Kind of device -> name of its collective library in `torch.distributed`; on ROCm nccl is RCCL."""


def torch() -> Any:
    """The module torch, set to reproducible results; ``torch_npu`` adds ``torch.npu`` if it is installed."""
    module = importlib.import_module("torch")
    with contextlib.suppress(ImportError):
        importlib.import_module("torch_npu")
    module.use_deterministic_algorithms(True, warn_only=True)  # results of equal accelerators are compared bit by bit
    return module


def find(module: Any) -> tuple[str, int]:
    """Kind (``cuda``, ``npu``) and number of accelerators; an empty kind without any."""
    for kind in ("cuda", "npu"):
        runtime = getattr(module, kind, None)
        if runtime is not None and runtime.is_available():
            return kind, int(runtime.device_count())
    return "", 0


def name(module: Any, kind: str, index: int) -> str:
    """Product name of one accelerator, from the runtime."""
    return "cpu" if kind == "cpu" else str(getattr(module, kind).get_device_name(index))


def place(module: Any, kind: str, index: int) -> Any:
    """The device, made the current one of this process."""
    if kind == "cpu":
        module.set_num_threads(1)
        return module.device("cpu")
    getattr(module, kind).set_device(index)
    return module.device(kind, index)


def wait(module: Any, kind: str) -> None:
    """Wait until the device has completed all its work."""
    if kind != "cpu":
        getattr(module, kind).synchronize()


def tool(module: Any) -> str:
    """Name and version of the library that computes (``torch 2.8.0+cu129``)."""
    return f"torch {module.__version__}"


def main() -> int:
    """Print the accelerators; returns the exit status."""
    module = torch()
    kind, count = find(module)
    if not count:
        sys.stderr.write(f"{tool(module)} shows no accelerator\n")
        return CANNOT
    print(json.dumps({"kind": kind, "count": count, "tool": tool(module)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
