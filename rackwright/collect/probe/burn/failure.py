"""The exception that ends a test without a result. A separate module, so that every part may raise it."""

from __future__ import annotations


class Missing(Exception):  # noqa: N818 - it is a state of the node, not a failure of the program
    """Something that the test needs is missing or refuses; the text is one sentence."""
