"""Lazy names of a package, for modules that take long to import and that most users of the package do not need."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def on_first_use(package: str, **names: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of `package`, which imports a module when one of its names is first used.

    `names` maps modules to their names, separated by spaces; the module itself is a name as well.
    """
    module_of = {name: module for module, texts in names.items() for name in (*texts.split(), module)}

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{module_of[name]}")
        return module if name == module_of[name] else getattr(module, name)

    return load
