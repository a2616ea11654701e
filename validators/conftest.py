"""Switches on the pytest skin for this folder: ``pytest validators/ --site SITE``."""

from rackwright.flow.pytest_plugin import (
    pytest_addoption,
    pytest_collect_file,
    pytest_collectstart,
    pytest_ignore_collect,
)

__all__ = ["pytest_addoption", "pytest_collect_file", "pytest_collectstart", "pytest_ignore_collect"]
