"""A site file that a test has changed, and what is wrong with it."""

from __future__ import annotations

import pytest
import yaml

from rackwright import spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError


@pytest.fixture
def example_data(example_site):
    """The example, as data."""
    return yaml_text.load(example_site.read_text())


@pytest.fixture
def problems_of(tmp_path):
    """Codes and paths of what is wrong with a site of this data."""

    def load(data):
        file = tmp_path / "site.yaml"
        file.write_text(yaml.safe_dump(data))
        try:
            spec.load(file)
        except ProblemsError as error:
            return {(problem.code, problem.path) for problem in error.problems}
        return set()

    return load
