"""Runs a module of the bundle as a program: ``start.py MODULE WORDS``.

Python is started with ``-I -S``, so that it sees its own standard library and this bundle, and nothing else of the node.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
