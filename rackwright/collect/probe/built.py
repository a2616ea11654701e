"""Facts about this build of the probe. The zipapp carries a file of this name with its own facts in it."""

from __future__ import annotations

PYNVML = "unknown"
"""Version of the distribution nvidia-ml-py whose pynvml is inside."""
