"""Quantities in the notation of Kubernetes."""

from __future__ import annotations

import re

WRITTEN = re.compile(r"(\d+(?:\.\d+)?)(m?)")
THOUSANDTHS = 1000


def cores(text: str) -> float | None:
    """CPUs of a quantity: whole (``220``), or in thousandths (``219500m``) if part of one is reserved; None for other
    text.

    Source: Kubernetes documentation, resource management for pods and containers, CPU resource units.
    """
    match = WRITTEN.fullmatch(text)
    if match is None:
        return None
    return float(match[1]) / (THOUSANDTHS if match[2] else 1)
