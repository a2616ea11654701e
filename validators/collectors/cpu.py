"""Processors of one host as the kernel counts them: `lscpu -J` (util-linux; fields in lscpu(1))."""

import json
import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.cpu import Cpu

COUNTS = {"cpus": "CPU(s):", "sockets": "Socket(s):", "cores_per_socket": "Core(s) per socket:"}
"""Fields that every lscpu prints; boards with clusters print cores per cluster instead."""


def parse(output: str) -> Cpu:
    """The fields, which newer versions nest as children of each other."""
    try:
        fields = dict(_flat(json.loads(output)["lscpu"]))
    except json.JSONDecodeError as error:
        raise ParseError(error.lineno, output, "the JSON of lscpu") from None
    except (KeyError, TypeError, AttributeError):
        raise ParseError(1, output, "the fields of lscpu -J") from None
    if "Core(s) per socket:" not in fields and "Core(s) per cluster:" in fields:
        fields["Core(s) per socket:"] = fields["Core(s) per cluster:"]
    counts = {name: _number(fields, field) for name, field in COUNTS.items()}
    numa, fastest = fields.get("NUMA node(s):", ""), fields.get("CPU max MHz:", "")
    return Cpu(
        **counts,
        model=fields.get("Model name:", ""),
        threads_per_core=_number(fields, "Thread(s) per core:"),
        online=fields.get("On-line CPU(s) list:", ""),
        offline=fields.get("Off-line CPU(s) list:", ""),
        numa_nodes=int(numa) if numa.isdecimal() else None,
        max_mhz=float(fastest) if re.fullmatch(r"\d+(\.\d+)?", fastest) else None,
    )


def _flat(fields):
    for field in fields:
        yield str(field["field"]), str(field.get("data") or "").strip()
        yield from _flat(field.get("children") or [])


def _number(fields: dict[str, str], name: str) -> int:
    text = fields.get(name, "")
    if not text.isdecimal():
        raise ParseError(1, text, f"a number in field {name!r}")
    return int(text)


COLLECTOR = Collector(
    produces=Cpu, parse=parse, seconds=10, roles=("accelerator", "slurm", "ufm"), command=("lscpu", "-J")
)
