"""The programs of nccl-tests and perftest on a twin node, started by a scheduler on several of them.

Without such a step, and for words that need accelerators of this node alone, they say what they say on a node without any.

Source: NVIDIA/nccl-tests src/common.cu, linux-rdma/perftest src/perftest_parameters.c.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

from . import group_speed, nccl_text, perftest_text, rendezvous

GROUPS = "/run/rackwright-twin/groups.json"
NAMES = {"all_reduce_perf": "all_reduce", "alltoall_perf": "all_to_all"}
USAGE = (
    "USAGE: {0} \n\t[-t,--nthreads <num threads>] \n\t[-g,--ngpus <gpus per thread>] \n\t[-b,--minbytes <min size in bytes>] \n"
    "\t[-e,--maxbytes <max size in bytes>] \n\t[-J,--output_file <file>] "
)
NO_DEVICE = "{0}: Test CUDA failure common.cu 'no CUDA-capable device is detected': nothing computes on a twin"
PORT = 18515
"""Of perftest, where none is given (linux-rdma/perftest, src/perftest_parameters.h, DEF_PORT)."""
NO_ADAPTER = " Unable to find the Infiniband/RoCE device"


def nccl() -> int:
    """Entry point of ``all_reduce_perf`` and its sisters."""
    program = os.path.basename(sys.argv[0])
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(USAGE.format(program))
        return 0
    nodes, measurements = step(), _measurements()
    name = NAMES.get(program)
    if len(nodes) < 2 or name is None or not measurements:
        print(NO_DEVICE.format(program), file=sys.stderr)
        return 2
    printed = nccl_text.run(group_speed.result(measurements["site"], nodes, name))
    print(nccl_text.of_task(printed, nodes, int(os.environ.get("SLURM_PROCID", "0"))), end="")
    return 0


def perftest() -> int:
    """Entry point of ``ib_write_bw``, ``ib_write_lat`` and their like: the server prints nothing that is read, the client its table.

    As the real ones they meet over TCP on the port of ``-p`` first, and tell each other which adapter they use.
    """
    words = sys.argv[1:]
    if "--version" in words:
        print("Version: 6.20")
        return 0
    device, port = _option(words, "-d"), int(_option(words, "-p") or PORT)
    rails = _measurements().get("rails", {}).get(device, {})
    peer = words[-1] if words and re.fullmatch(r"[a-z][a-z0-9-]*", words[-1]) else ""
    if not rails or (peer and peer not in rails):
        print(NO_ADAPTER, file=sys.stderr)
        return 1
    if not peer:
        print("\n* Waiting for client to connect... *", flush=True)
        return 0 if rendezvous.serve(device, port) else 1
    theirs = rendezvous.call(device, peer, port)
    if theirs is None:
        print(f" Couldn't connect to {peer}:{port}\n Unable to init the socket connection", file=sys.stderr)
        return 1
    print(_perftest_text(rails[peer], theirs, latency="lat" in os.path.basename(sys.argv[0])), end="")
    return 0


def _perftest_text(result: dict[str, Any], theirs: str, *, latency: bool) -> str:
    """The table between the port counters, which are simulated: a host of the twin has no /sys/class/infiniband."""
    if latency:
        return perftest_text.counted(result["latency"], perftest_text.write_lat(result["latency"]))
    alike: dict[str, Any] = result["bandwidth"]
    rate, reported = result["to"][theirs]
    share = reported / (alike["reported_bytes"] or 1)
    ports = [{**port, "sent_bytes": int(port["sent_bytes"] * share) // 4 * 4} for port in alike["ports"]]
    result_of_rail = {**alike, "gbits_per_s": rate, "reported_bytes": reported, "ports": ports}
    return perftest_text.counted(result_of_rail, perftest_text.write_bw(result_of_rail))


def step() -> list[str]:
    """The nodes of the Slurm step, in order; empty outside of one."""
    listed = os.environ.get("SLURM_JOB_NODELIST", "")
    if not re.search(r"[\[]", listed):
        return [name for name in listed.split(",") if name]
    done = subprocess.run(["scontrol", "show", "hostnames", listed], capture_output=True, text=True, check=False)
    return done.stdout.split()


def _option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1] if name in words[:-1] else ""


def _measurements() -> dict[str, Any]:
    try:
        with open(GROUPS, encoding="utf-8") as file:
            measurements: dict[str, Any] = json.load(file)
            return measurements
    except OSError:
        return {}
