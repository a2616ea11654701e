from tests.computed_once import expand_once

__all__ = ["expand_once"]
