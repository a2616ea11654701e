"""The programs of nccl-tests and perftest on a twin node, started by a scheduler on several of them.

In: `GROUPS` (what the twin says of the site), the words of the command line, the variables of a Slurm step. Out: what the first task of a
real run prints. Without such a step, and for words that need accelerators of this node alone, they say what they say on a node without any.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

from . import group_speed, nccl_text

GROUPS = "/run/rackwright-twin/groups.json"
NAMES = {"all_reduce_perf": "all_reduce", "alltoall_perf": "all_to_all"}
USAGE = (
    "USAGE: {0} \n\t[-t,--nthreads <num threads>] \n\t[-g,--ngpus <gpus per thread>] \n\t[-b,--minbytes <min size in bytes>] \n"
    "\t[-e,--maxbytes <max size in bytes>] \n\t[-J,--output_file <file>] "
)
NO_DEVICE = "{0}: Test CUDA failure common.cu 'no CUDA-capable device is detected': nothing computes on a twin"
NO_ADAPTER = " Unable to find the Infiniband/RoCE device"


def nccl() -> int:
    """Entry point of ``all_reduce_perf`` and its sisters."""
    program = os.path.basename(sys.argv[0])
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(USAGE.format(program))
        return 0
    nodes, known = step(), _known()
    name = NAMES.get(program)
    if len(nodes) < 2 or name is None or not known:
        print(NO_DEVICE.format(program), file=sys.stderr)
        return 2
    if os.environ.get("SLURM_PROCID") == "0":  # the others compute with it and print nothing
        print(nccl_text.run(group_speed.result(known["site"], nodes, name)), end="")
    return 0


def perftest() -> int:
    """Entry point of ``ib_write_bw``, ``ib_write_lat`` and their like: the server prints nothing that is read, the client its table."""
    words = sys.argv[1:]
    if "--version" in words:
        print("Version: 6.20")
        return 0
    rails = _known().get("rails", {}).get(_option(words, "-d"), {})
    peer = words[-1] if words and re.fullmatch(r"[a-z][a-z0-9-]*", words[-1]) else ""
    test = "latency" if "lat" in os.path.basename(sys.argv[0]) else "bandwidth"
    if not rails or (peer and peer not in rails):
        print(NO_ADAPTER, file=sys.stderr)
        return 1
    print(rails[peer][test] if peer else "\n* Waiting for client to connect... *", end="\n" if not peer else "")
    return 0


def step() -> list[str]:
    """The nodes of the Slurm step, in order; empty outside of one."""
    listed = os.environ.get("SLURM_JOB_NODELIST", "")
    if not re.search(r"[\[]", listed):
        return [name for name in listed.split(",") if name]
    done = subprocess.run(["scontrol", "show", "hostnames", listed], capture_output=True, text=True, check=False)
    return done.stdout.split()


def _option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1] if name in words[:-1] else ""


def _known() -> dict[str, Any]:
    try:
        with open(GROUPS, encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
            return found
    except OSError:
        return {}
