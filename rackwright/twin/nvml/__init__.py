"""The twin's NVML: the state file that the library reads (`render`) and the compiled library and programs (`library`)."""

from __future__ import annotations

from rackwright.twin.nvml.state_file import MODULE_LOADED, STATE_FILE, render

__all__ = ["MODULE_LOADED", "STATE_FILE", "render"]
