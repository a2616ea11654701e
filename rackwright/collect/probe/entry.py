"""Entry point of the zipapp: runs the probe, or the child that makes one library call (``nvml``) or one load test
(``burn``).
"""

from __future__ import annotations

import sys


def main() -> int:
    """The exit status of the probe or of its child."""
    if sys.argv[1:] == ["nvml"]:
        from . import nvml_dump

        return nvml_dump.main()
    if sys.argv[1:2] == ["burn"]:
        from .burn import main as load

        return load.main(sys.argv[2:])
    from . import main as probe

    return probe.main()
