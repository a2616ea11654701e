"""Compatibility of versions: whether a software bill runs, is supported and is safe, and by which rule.

The rules are data (``data/rules_*.yaml``); `classes` lists the requirements of each node class of a site. Nothing here
reads a clock: the day that ends of life are compared with is an argument.
"""

from __future__ import annotations

from rackwright.compat.classes import NodeClass, foreign_fields, node_classes, usable_bill
from rackwright.compat.facts import derive_facts as facts_of
from rackwright.compat.facts import installed_fields, reported_fields
from rackwright.compat.judge import CompatibilityAnswer, judge_bill, judge_facts, supported_systems
from rackwright.compat.modules import kernel_module, numbered_apart, packaged_release, release_of
from rackwright.compat.reference import reference
from rackwright.compat.rule import QUESTIONS, CompatibilityRule, Question, RuleTable, tables
from rackwright.compat.summary import overall_outcome, tables_read

__all__ = [
    "QUESTIONS",
    "CompatibilityAnswer",
    "CompatibilityRule",
    "NodeClass",
    "Question",
    "RuleTable",
    "facts_of",
    "foreign_fields",
    "installed_fields",
    "judge_bill",
    "judge_facts",
    "kernel_module",
    "node_classes",
    "numbered_apart",
    "overall_outcome",
    "packaged_release",
    "reference",
    "release_of",
    "reported_fields",
    "supported_systems",
    "tables",
    "tables_read",
    "usable_bill",
]
