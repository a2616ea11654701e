"""What ``rackwright-burn finetune`` prints on a node."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.smoke import Training
from rackwright.twin.hardware.performance import smoke
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Training:
    """Every accelerator that a job gets."""
    return smoke.training(state, design, node)


def render(record: Training) -> bytes:
    """The lines that the collector parses to `record`."""
    lines = [{"line": "step", **block.model_dump()} for block in record.blocks]
    lines += [{"line": "rank", **block.model_dump()} for block in record.ranks]
    facts = {"tool": record.tool, "backend": record.backend, "parameters": record.parameters, "steps": record.steps}
    lines.append({"line": "end", **facts, "ranks": len(record.ranks)})
    return "".join(json.dumps(block) + "\n" for block in lines).encode()
