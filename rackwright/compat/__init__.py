"""Which versions go together: whether a software bill runs, is supported and is safe, and by which rule.

The rules are data (``data/rules_*.yaml``); `classes` lists what each node class of a site requires. Nothing here reads a clock: the day that ends of life are compared with is an argument.
"""

from __future__ import annotations

from rackwright.compat.classes import NodeClass, foreign, node_classes
from rackwright.compat.facts import of as facts_of
from rackwright.compat.judge import CompatibilityAnswer, judge, judge_facts
from rackwright.compat.reference import reference
from rackwright.compat.rule import QUESTIONS, CompatibilityRule, Question, RuleTable, tables
from rackwright.compat.summary import overall, tables_read

__all__ = [
    "QUESTIONS",
    "CompatibilityAnswer",
    "CompatibilityRule",
    "NodeClass",
    "Question",
    "RuleTable",
    "facts_of",
    "foreign",
    "judge",
    "judge_facts",
    "node_classes",
    "overall",
    "reference",
    "tables",
    "tables_read",
]
