"""Prints processors as `lscpu -J` does, with fields around ours that real output has."""

import json

from rackwright.model.evidence.cpu import Cpu


def render(seen: Cpu) -> bytes:
    """The JSON whose parse is `seen`."""
    fields = {
        "Architecture:": "x86_64",
        "CPU(s):": str(seen.cpus),
        "On-line CPU(s) list:": seen.online,
        "Off-line CPU(s) list:": seen.offline,
        "Model name:": seen.model,
        "Thread(s) per core:": str(seen.threads_per_core),
        "Core(s) per socket:": str(seen.cores_per_socket),
        "Socket(s):": str(seen.sockets),
        "CPU max MHz:": "" if seen.max_mhz is None else f"{seen.max_mhz:.4f}",
        "NUMA node(s):": "" if seen.numa_nodes is None else str(seen.numa_nodes),
    }
    rows = [{"field": name, "data": data} for name, data in fields.items() if data]
    return json.dumps({"lscpu": rows}, indent=3).encode()
