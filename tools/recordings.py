"""Counts the collectors that decide and whose parser no recording of a real tool proves (`tests/cases/recorded.yaml`), by whose tools they read.

Exits 1 when a deciding collector stands in none of the lists, in two, or under a case that holds no evidence.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from rackwright import judge
from rackwright.collect import collector
from rackwright.flow.limit_references import deciding_checks

CASES = Path(__file__).parents[1] / "tests" / "cases"
INFINIBAND = ("fabric", "link", "link_soak", "rail_bandwidth", "rail_latency", "rail_ring", "rdma", "subnet")
"""Collectors that read an InfiniBand fabric, whoever made the accelerators."""


def deciding() -> set[str]:
    """The collectors whose records a deciding check reads."""
    checks = judge.load_checks()
    reads = {checks[name].reads for name in deciding_checks()}
    return {name for name, source in collector.library().items() if reads & {source.produces, *_parts(source.produces)}}


def _parts(produced: type[Any]) -> set[Any]:
    """The records inside the answer of a group, a subnet or a scheduler."""
    names = {judged.reads for judged in judge.load_checks().values()}
    fields = getattr(produced, "model_fields", {})
    return {record for record in names for field in fields.values() if record.__name__ in str(field.annotation)}


def mistakes(lists: dict[str, Any], required: set[str]) -> list[str]:
    """What the lists lack or say twice, and cases without evidence."""
    recorded = [row["collector"] for row in lists["recorded"]]
    counted = Counter([*recorded, *(row["collector"] for row in lists["unrecorded"]), *lists["ours"]])
    problems = [f"{name}: stands in no list, and decides" for name in sorted(required - counted.keys())]
    problems += [f"{name}: stands in {times} lists" for name, times in counted.items() if times > 1]
    problems += [f"{name}: is no collector" for name in sorted(counted.keys() - collector.library().keys())]
    for row in lists["recorded"]:
        case = CASES / "collectors" / row["collector"] / f"{row['case']}.yaml"
        if not case.is_file() or "\nevidence:" not in case.read_text(encoding="utf-8"):
            problems.append(f"{row['collector']}: {row['case']} is no case with evidence")
    return problems


def main() -> int:
    """Print the counts; 1 when the lists are wrong."""
    lists = yaml.safe_load((CASES / "recorded.yaml").read_text(encoding="utf-8"))
    required = deciding()
    without = [row["collector"] for row in lists["unrecorded"] if row["collector"] in required]
    groups: dict[str, list[str]] = {}
    for name in without:
        vendors = collector.library()[name].vendors
        group = "InfiniBand" if name in INFINIBAND else ", ".join(vendors) or "every node"
        groups.setdefault(group, []).append(name)
    problems = mistakes(lists, required)
    for group, names in sorted(groups.items()):
        print(f"without a recording, {group}: {len(names)} ({', '.join(sorted(names))})")
    print(f"{len(required)} collectors decide, {len(without)} of them without a recording")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
