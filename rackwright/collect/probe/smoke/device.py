"""Accelerators as PyTorch shows them. ``python -m rackwright_smoke.device`` prints kind, count and names as JSON; status 3 without any."""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from typing import Any

CANNOT = 3
BACKENDS = {"cuda": "nccl", "npu": "hccl", "cpu": "gloo"}
"""Kind of device -> what `torch.distributed` calls its collective library; on ROCm nccl is RCCL."""


def torch() -> Any:
    """The module, set to give the same bits every time; ``torch_npu`` adds ``torch.npu`` where it is installed."""
    module = importlib.import_module("torch")
    with contextlib.suppress(ImportError):
        importlib.import_module("torch_npu")
    module.use_deterministic_algorithms(True, warn_only=True)  # equal parts are compared bit by bit
    return module


def find(module: Any) -> tuple[str, int]:
    """Kind (``cuda``, ``npu``) and number of accelerators; an empty kind without any."""
    for kind in ("cuda", "npu"):
        runtime = getattr(module, kind, None)
        if runtime is not None and runtime.is_available():
            return kind, int(runtime.device_count())
    return "", 0


def name(module: Any, kind: str, index: int) -> str:
    """What the runtime calls one accelerator."""
    return "cpu" if kind == "cpu" else str(getattr(module, kind).get_device_name(index))


def place(module: Any, kind: str, index: int) -> Any:
    """The device, made that of this process."""
    if kind == "cpu":
        module.set_num_threads(1)
        return module.device("cpu")
    getattr(module, kind).set_device(index)
    return module.device(kind, index)


def wait(module: Any, kind: str) -> None:
    """Until the device has done all that it was given."""
    if kind != "cpu":
        getattr(module, kind).synchronize()


def tool(module: Any) -> str:
    """Name and version of what computes (``torch 2.8.0+cu129``)."""
    return f"torch {module.__version__}"


def main() -> int:
    """Print them; the exit status."""
    module = torch()
    kind, count = find(module)
    if not count:
        sys.stderr.write(f"{tool(module)} shows no accelerator\n")
        return CANNOT
    print(json.dumps({"kind": kind, "count": count, "tool": tool(module)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
