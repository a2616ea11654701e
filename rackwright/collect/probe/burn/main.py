"""``rackwright-burn VERB``: runs one load test and prints its document or the output of its tool.

Exit status 0 with a result; that of the tool for a driver; 2 for unknown arguments; 3 if the test cannot run here, with
one sentence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from . import amd, ascend, drive, gemm, hbm, jobs, neighbours, patterns, shared
from .failure import Missing

USAGE, CANNOT = 2, 3
DRIVERS: dict[str, Callable[[], int]] = {
    "nvbandwidth": drive.nvbandwidth,
    "dcgmi": drive.dcgmi,
    "gpu-burn": drive.gpu_burn,
    "nccl": drive.nccl,
    "rccl": drive.rccl,
    "hccl": drive.hccl,
    "amd-hbm": amd.memory,
    "amd-copy": amd.copies,
    "ascend-hbm": ascend.memory,
    "ascend-copy": ascend.copies,
}
JOBS: dict[str, Callable[[str], int]] = {"finetune": jobs.finetune, "serving": jobs.serving}
BURNS: dict[str, Callable[[float], int]] = {"amd-gemm": amd.gemm, "ascend-gemm": ascend.gemm}
DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "hbm": hbm.document,
    "neighbours": neighbours.document,
    "patterns": patterns.document,
    "shared": shared.document,
}


def main(words: list[str]) -> int:
    """Run the verb of `words`; returns the exit status."""
    try:
        return _verb(words[0] if words else "", words[1:])
    except Missing as error:
        sys.stderr.write(f"rackwright-burn: {error}\n")
        return CANNOT


def _verb(verb: str, words: list[str]) -> int:
    if verb == "gemm" and len(words) == 2 and words[0] == "--seconds" and words[1].isdigit():
        return _print(gemm.document(float(words[1])))
    if verb in BURNS and len(words) == 2 and words[0] == "--seconds" and words[1].isdigit():
        return BURNS[verb](float(words[1]))
    if verb in JOBS and len(words) == 2 and words[0] == "--python":
        return JOBS[verb](words[1])
    if verb == "fio":
        return drive.fio(words)
    if verb in DRIVERS and not words:
        return DRIVERS[verb]()
    if verb in DOCUMENTS and not words:
        return _print(DOCUMENTS[verb]())
    verbs = ", ".join(
        [
            "gemm --seconds N",
            *(f"{burn} --seconds N" for burn in BURNS),
            "fio --directory FOLDER",
            *(f"{burn} --python PYTHON" for burn in JOBS),
            *DRIVERS,
            *DOCUMENTS,
        ]
    )
    sys.stderr.write("rackwright-burn: unknown words {!r}; known: {}\n".format(" ".join([verb, *words]), verbs))
    return USAGE


def _print(document: dict[str, Any]) -> int:
    sys.stdout.write(json.dumps(document) + "\n")
    return 0
