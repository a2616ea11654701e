"""What ``rackwright-burn serving`` prints on a node."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.smoke import Serving
from rackwright.twin.hardware.performance import smoke
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> Serving:
    """Every accelerator that a job gets."""
    return smoke.serving(state, design, node)


def render(record: Serving) -> bytes:
    """The lines that the collector parses to `record`."""
    lines = [{"line": "replica", **replica.model_dump()} for replica in record.replicas]
    facts = {"tool": record.tool, "prompt_tokens": record.prompt_tokens, "answer_tokens": record.answer_tokens}
    lines.append({"line": "end", **facts, "replicas": len(record.replicas)})
    return "".join(json.dumps(replica) + "\n" for replica in lines).encode()
