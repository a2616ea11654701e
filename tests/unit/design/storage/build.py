"""What the tests of storage ask of a design."""

from __future__ import annotations

from typing import Any

from rackwright.design import rules
from rackwright.design.storage import study
from rackwright.model.design import Design
from rackwright.model.verdict import Verdict


def tier(built_design: Design, name: str = "scratch") -> study.TierStudy:
    """The study of one tier."""
    return next(tier for tier in study.tiers(built_design) if tier.tier == name)


def verdicts(built_design: Design, rule: str) -> dict[str, Verdict]:
    """What one rule says, by target."""
    return {verdict.target: verdict for verdict in rules.run_rules(built_design) if verdict.check == f"design.{rule}"}


def training(name: str = "llm", **fields: Any) -> dict[str, Any]:
    """A class of training jobs."""
    return {"name": name, "pool": "train", "kind": "training", **fields}


def saving(billions: float = 100, name: str = "llm", nodes: int | None = None, **fields: Any) -> dict[str, Any]:
    """A class of jobs that writes checkpoints to ``scratch``."""
    checkpoint = {"tier": "scratch", "parameters_billions": billions, **fields}
    return training(name, checkpoint=checkpoint, **({"nodes": nodes} if nodes else {}))


def loading(name: str = "vision", tier: str = "scratch", nodes: int | None = None, **fields: Any) -> dict[str, Any]:
    """A class of jobs that reads samples."""
    return training(name, loader={"tier": tier, **fields}, **({"nodes": nodes} if nodes else {}))
