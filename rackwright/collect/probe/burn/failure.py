"""What ends a test without a result. Kept apart so that every part may raise it."""

from __future__ import annotations


class Missing(Exception):  # noqa: N818 - it is a state of the node, not a failure of the program
    """Something that the test needs is not there or refuses: one sentence."""
