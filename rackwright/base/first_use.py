"""Names of a package whose modules take long to import, and which most of its users do not need."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def on_first_use(package: str, **names: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of `package`: imports a module of it when one of its names is first used.

    `names` are by module, with spaces between them; the module itself is a name as well.
    """
    module_of = {name: module for module, texts in names.items() for name in (*texts.split(), module)}

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{module_of[name]}")
        return module if name == module_of[name] else getattr(module, name)

    return load
