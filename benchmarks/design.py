"""Expands one site in a process of its own and prints what that took, as JSON: the child of ``run.py``.

Seconds are those of `design.expand` and of the rules, without the start of Python; memory is the peak of the process.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from rackwright import design, spec

KIB_PER_MIB = 1024


def main() -> int:
    """``python benchmarks/design.py SITE``."""
    loaded = spec.load(Path(sys.argv[1]))
    expand, rules = design.expand, design.rules  # imported on first use
    started = time.perf_counter()
    full_design = expand(loaded.site, loaded.catalog)
    expanded = time.perf_counter()
    verdicts = rules.run_rules(full_design)
    judged = time.perf_counter()
    figures = {
        "nodes": full_design.totals["nodes"],
        "accelerators": full_design.totals["accelerators"],
        "links": full_design.cables.height,
        "ports": full_design.ports.height,
        "expand_seconds": round(expanded - started, 2),
        "rules_seconds": round(judged - expanded, 2),
        "findings": len(verdicts),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KIB_PER_MIB,
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
